"""The services around the server: a mail relay and a receiver of webhooks, which can be made to fail."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from bench.chaos.ledger import Ledger
from tests.server.correspondents import Mailboxes, text_of

STALL = 20.0
"""The delay of a stalling service. The server waits less long for some answers."""


class Relay(Mailboxes):
    """The mail relay of the server."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__()
        self.mood = ""
        """Empty: accept all mails. ``refuses``: answer 451. ``stalls``: answer late."""
        self._ledger = ledger
        self._controller: Controller | None = None

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        if self.mood == "refuses":
            return "451 4.3.0 Not now"
        if self.mood == "stalls":
            await asyncio.sleep(STALL)
        answer = await super().handle_DATA(server, session, envelope)
        mail = self.kept[envelope.rcpt_tos[0]][-1]
        content = f"{mail['To']}\n{mail['Subject']}\n{mail['Reply-To']}\n{text_of(mail)}"
        self._ledger.record_arrival(self._ledger.relayed, str(mail["Message-ID"]), content)
        return answer

    def open(self) -> None:
        """Accept connections."""
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port, ready_timeout=30)
        self._controller.start()

    def close(self) -> None:
        """Refuse connections."""
        if self._controller:
            self._controller.stop()
            self._controller = None


class Webhooks:
    """A receiver of webhooks, with a path for each account."""

    def __init__(self, ledger: Ledger) -> None:
        self.mood = ""
        """Empty: accept all messages. ``fails``: answer 500. ``stalls``: answer late."""
        self._ledger = ledger
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self.url = f"http://localhost:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def take(self, path: str, id: str, body: str) -> int:
        """Record a message, and return the status of the answer."""
        if self.mood == "fails":
            return 500
        if self.mood == "stalls":
            time.sleep(STALL)
        self._ledger.record_arrival(self._ledger.posted, f"{path.strip('/')} {id}", body)
        return 204

    def close(self) -> None:
        """Refuse connections."""
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """Ignore errors: clients that are killed close their connections."""


def _handler(webhooks: Webhooks) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self.send_response(webhooks.take(self.path, self.headers["webhook-id"], body))
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Write nothing."""

    return Handler


@contextmanager
def outside(ledger: Ledger) -> Iterator[tuple[Relay, Webhooks]]:
    """Run the relay and the receiver of webhooks during the block."""
    relay, webhooks = Relay(ledger), Webhooks(ledger)
    relay.open()
    try:
        yield relay, webhooks
    finally:
        relay.close()
        webhooks.close()
