"""The request of each mail provider for a received email, signed as in anymail's documentation."""

import base64
import hashlib
import hmac
import json
import time
from typing import Any, Final

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from django.test import Client

from games.models import Game
from tests.games.seated import question_address

KEY: Final = "a-key-of-enough-characters"
USER: Final = "darbar:a-long-random-password"
POSTAL: Final = rsa.generate_private_key(public_exponent=65537, key_size=2048)
_PEM: Final = POSTAL.public_key().public_bytes(
    serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
)
VARIABLES: Final = {
    "MAILERSEND_INBOUND_SECRET": KEY,
    "MAILERSEND_SIGNING_SECRET": KEY,
    "MAILGUN_WEBHOOK_SIGNING_KEY": KEY,
    "MANDRILL_WEBHOOK_KEY": KEY,
    "POSTAL_WEBHOOK_KEY": "".join(_PEM.decode().splitlines()[1:-1]),
    "MAILJET_WEBHOOK_SECRET": USER,
    "POSTMARK_WEBHOOK_SECRET": USER,
    "SPARKPOST_WEBHOOK_SECRET": USER,
}


def mailgun(client: Client, raw: bytes, sender: str, to: str, key: str = KEY) -> Any:
    stamp, token = str(int(time.time())), "5" * 50
    signature = hmac.new(key.encode(), f"{stamp}{token}".encode(), hashlib.sha256).hexdigest()
    proof = {"timestamp": stamp, "token": token, "signature": signature}
    return client.post(
        "/anymail/mailgun/inbound_mime/", {**proof, "sender": sender, "recipient": to, "body-mime": raw.decode()}
    )


def mailersend(client: Client, raw: bytes, sender: str, to: str, key: str = KEY) -> Any:
    data = {"raw": raw.decode(), "sender": {"email": sender}, "recipients": {"rcptTo": [{"email": to}]}, "id": "1"}
    body = json.dumps({"type": "inbound.message", "data": data})
    signature = hmac.new(key.encode(), body.encode(), hashlib.sha256).hexdigest()
    return client.post(
        "/anymail/mailersend/inbound/", body, content_type="application/json", headers={"Signature": signature}
    )


def mandrill(client: Client, raw: bytes, sender: str, to: str, key: str = KEY) -> Any:
    events = json.dumps([{"event": "inbound", "msg": {"raw_msg": raw.decode(), "email": to}}])
    signed = f"http://localhost:8000/anymail/mandrill/mandrill_events{events}"
    signature = base64.b64encode(hmac.new(key.encode(), signed.encode(), hashlib.sha1).digest()).decode()
    return client.post("/anymail/mandrill/", {"mandrill_events": events}, headers={"X-Mandrill-Signature": signature})


def postal(client: Client, raw: bytes, sender: str, to: str, key: str = KEY) -> Any:
    data = {"message": base64.b64encode(raw).decode(), "base64": True, "mail_from": sender, "rcpt_to": to, "id": 1}
    body = json.dumps(data).encode()
    signed = body if key == KEY else b"something else"
    signature = base64.b64encode(POSTAL.sign(signed, padding.PKCS1v15(), hashes.SHA1())).decode()
    return client.post(
        "/anymail/postal/inbound/", body, content_type="application/json", headers={"X-Postal-Signature": signature}
    )


def _with_password(path: str, data: Any, client: Client, key: str) -> Any:
    user = base64.b64encode((USER if key == KEY else f"darbar:{key}").encode()).decode()
    return client.post(
        path, json.dumps(data), content_type="application/json", headers={"Authorization": f"Basic {user}"}
    )


def postmark(client: Client, raw: bytes, sender: str, to: str, key: str = KEY) -> Any:
    headers = [{"Name": "Return-Path", "Value": f"<{sender}>"}]
    data = {"RawEmail": raw.decode(), "OriginalRecipient": to, "Headers": headers, "MessageID": "1"}
    return _with_password("/anymail/postmark/inbound/", data, client, key)


def sparkpost(client: Client, raw: bytes, sender: str, to: str, key: str = KEY) -> Any:
    content = {"email_rfc822": raw.decode(), "email_rfc822_is_base64": False}
    message = {"protocol": "smtp", "content": content, "msg_from": sender, "rcpt_to": to}
    return _with_password("/anymail/sparkpost/inbound/", [{"msys": {"relay_message": message}}], client, key)


def mailjet(client: Client, raw: bytes, sender: str, to: str, key: str = KEY) -> Any:
    head, _, text = raw.decode().partition("\r\n\r\n")
    headers = dict(line.split(": ", 1) for line in head.split("\r\n"))
    data = {"Sender": sender, "Recipient": to, "Headers": headers, "Text-part": text}
    return _with_password("/anymail/mailjet/inbound/", data, client, key)


def email_of(game: Game, to_header: str = "") -> bytes:
    """Return Maryam's answer to her question, as a provider receives it."""
    head = f"From: Maryam <maryam@example.org>\r\nTo: {to_header or question_address(game)}\r\n"
    head += "Message-ID: <one@example.org>\r\nSubject: Re: Coup\r\nContent-Type: text/plain; charset=utf-8\r\n"
    return f"{head}\r\nکمک خارجی\r\n".encode()


PROVIDERS: Final = (mailersend, mailgun, mailjet, mandrill, postal, postmark, sparkpost)
