"""A public beacon of our own, on this machine: it signs rounds with a real key of BLS12-381."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Final

import pyblst

from games.engine import chain

_SECRET: Final = 0x2F1D3C5B4A69788796A5B4C3D2E1F00112233445566778899AABBCCDDEEFF00 % (2**254)
KEY: Final = pyblst.BlstP2Element.uncompress(bytes.fromhex(chain._GENERATOR)).scalar_mul(_SECRET).compress().hex()


def sign(round: int) -> str:
    """The signature of a round by our key."""
    return chain.hashed(round).scalar_mul(_SECRET).compress().hex()


class Beacon:
    """The answers of the beacon, and the rounds that were requested."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.asked: list[int] = []
        self.answers = True
        self.lies = False

    def answer(self, round: int) -> bytes | None:
        """Return the body of an answer, or None without one."""
        self.asked.append(round)
        signature = sign(round + 1 if self.lies else round)
        return json.dumps({"round": round, "signature": signature}).encode() if self.answers else None


@contextmanager
def serve_beacon() -> Iterator[Beacon]:
    """Serve a beacon on a free port until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = served.answer(int(self.path.rpartition("/")[2]))
            self.send_response(404 if body is None else 200)
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, format: str, *args: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served = Beacon(f"http://127.0.0.1:{server.server_port}")
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
