"""The security policy of pages: the sources they may load, framing, and browser features.

A view that needs another policy sets its own header, which is not replaced.
"""

from typing import Final
from urllib.parse import urlsplit

from csp.constants import NONE, SELF

from config.core.loopback import is_loopback

_POLICY: Final = {
    "default-src": [NONE],
    "object-src": [NONE],
    "script-src": [SELF],
    "style-src": [SELF],
    "img-src": [SELF],
    "font-src": [SELF],
    "connect-src": [SELF],
    "worker-src": [SELF],
    "manifest-src": [SELF],
    "form-action": [SELF],
    "frame-ancestors": [NONE],
    "base-uri": [NONE],
}
"""The Content-Security-Policy. Scripts, styles and pictures are files of this server and never inline."""


def policy(stream: str) -> dict[str, list[str]]:
    """Return the policy of pages whose event stream is at this address."""
    # On this machine the stream has its own port, and each name of the machine is another origin.
    parts = urlsplit(stream)
    names = ("localhost", "127.0.0.1") if is_loopback(parts.hostname or "") else ()
    streams = [f"{parts.scheme}://{name}:{parts.port}" for name in names] or [f"{parts.scheme}://{parts.netloc}"]
    return {**_POLICY, "connect-src": [*_POLICY["connect-src"], *streams]}


HEADERS: Final = {
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), "
    "magnetometer=(), microphone=(), midi=(), payment=(), publickey-credentials-get=(self), usb=()",
}
"""Headers for which Django and django-csp have no setting."""
