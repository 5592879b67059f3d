"""A receiver of Darbar's webhooks in Python, without libraries. It accepts only signed messages (Standard Webhooks).

    DARBAR_WEBHOOK_SECRET=whsec_… python3 webhook.py [PORT]

Put a server with TLS before it, and register its https:// address at ``POST /api/v1/me/webhooks/``. The answer shows
the secret once. A message names the news and the address where it can be read. It contains no secrets of a game.
"""

import base64
import hashlib
import hmac
import json
import os
import sys
import time
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOLERANCE = 5 * 60
"""The seconds by which the clocks of sender and receiver may differ. Older messages may be replayed by an attacker."""
LARGEST = 64 * 1024
REMEMBERED: dict[str, float] = {}
"""The ids and times of received messages. A message that was not acknowledged in time is sent again."""


class InvalidSignature(Exception):
    """The message was not signed with the secret, or is too old."""


def verify(secret: str, headers: Mapping[str, str], body: bytes, now: float) -> Any:
    """Return the content of a message. Raises InvalidSignature if it was not signed with this secret in the last
    minutes.
    """
    id, sent_at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not sent_at.isdecimal() or abs(now - int(sent_at)) > TOLERANCE:
        raise InvalidSignature("the timestamp is missing, or too far from now")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = b".".join((id.encode(), sent_at.encode(), body))
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    signatures = (word.partition(",") for word in headers.get("webhook-signature", "").split())
    if not any(version == "v1" and hmac.compare_digest(value, expected) for version, _, value in signatures):
        raise InvalidSignature("no signature fits")
    return json.loads(body)


class Receiver(BaseHTTPRequestHandler):
    """A handler that answers 204 immediately. Put slow work into a queue behind it."""

    def do_POST(self) -> None:
        body = self.rfile.read(min(int(self.headers.get("Content-Length") or 0), LARGEST))
        try:
            message = verify(
                os.environ["DARBAR_WEBHOOK_SECRET"],
                {name.lower(): value for name, value in self.headers.items()},
                body,
                time.time(),
            )
        except (InvalidSignature, ValueError) as error:
            self.answer(400, str(error))
            return
        if self.headers["webhook-id"] not in REMEMBERED:
            REMEMBERED[self.headers["webhook-id"]] = time.time()
            print(json.dumps(message), flush=True)
        self.answer(204)

    def answer(self, status: int, sentence: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(sentence.encode())))
        self.end_headers()
        self.wfile.write(sentence.encode())

    def log_message(self, *_: object) -> None:
        """Write no log line for a request."""


if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8080
    with ThreadingHTTPServer(("127.0.0.1", port), Receiver) as server:
        print(f"listening on {server.server_port}", flush=True)
        server.serve_forever()
