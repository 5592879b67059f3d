"""The keys of a device that is pushed to, without a push service of its own."""

import json
from base64 import urlsafe_b64encode
from typing import Any, Final

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.notifications.outgoing.receiver import Posted

AUTH: Final = b"sixteen bytes..."


def coded(raw: bytes) -> str:
    """Return bytes in base64url (RFC 7515), as browsers write them."""
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


class Keys:
    """The keys of a device, for which messages to it are encrypted (RFC 8291)."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self.p256dh = coded(self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))
        self.auth = coded(AUTH)

    def subscription(self, endpoint: str) -> dict[str, Any]:
        """Return the subscription of a browser for pushes to ``endpoint``."""
        return {"endpoint": endpoint, "expirationTime": None, "keys": {"p256dh": self.p256dh, "auth": self.auth}}

    def read(self, posted: Posted) -> Any:
        """Return the decrypted content of a push."""
        plain = http_ece.decrypt(posted.body, private_key=self._key, auth_secret=AUTH, version="aes128gcm")
        return json.loads(plain)


def stand_in(subscription: dict[str, Any]) -> str:
    """A script that subscribes a browser with this, as push services do: the real ones are not to be had here."""
    return f"""
        PushManager.prototype.getSubscription = async () => null;
        PushManager.prototype.subscribe = async (asked) => {{
            if (!asked.userVisibleOnly || asked.applicationServerKey.length !== 65) throw new Error("refused");
            return {{toJSON: () => ({json.dumps(subscription)})}};
        }};
    """
