"""A time-stamping authority (RFC 3161) on this machine, which signs requests with openssl."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Final

CONFIG: Final = Path(__file__).with_name("openssl.cnf")
_KEY: Final = "req -new -newkey rsa:2048 -nodes -config openssl.cnf"
MAKING: Final = (
    f"{_KEY} -x509 -days 3650 -keyout root.key -out root.pem -extensions root -subj /CN=root",
    f"{_KEY} -keyout tsa.key -out tsa.csr -subj /CN=stamper",
    "x509 -req -in tsa.csr -CA root.pem -CAkey root.key -set_serial 2 -days 3650 -extfile openssl.cnf"
    " -extensions stamper -out tsa.pem",
)
STAMPING: Final = "ts -reply -config openssl.cnf -queryfile query.tsq -inkey tsa.key -signer tsa.pem -out reply.tsr"


class Authority:
    """The authority, its certificate and the requests that it received."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url = ""
        self.request_count = 0
        self.stamps = True
        (folder / "openssl.cnf").write_text(CONFIG.read_text())
        (folder / "serial").write_text("01\n")
        for command in MAKING:
            self._openssl(command)

    @property
    def certificate(self) -> Path:
        """Return the path of the trusted certificate."""
        return self.folder / "root.pem"

    def reply(self, query: bytes) -> bytes:
        """The response to a request; for another request than this one where the authority does not stamp it."""
        self.request_count += 1
        (self.folder / "query.tsq").write_bytes(query)
        if not self.stamps:
            self._openssl("ts -query -config openssl.cnf -digest " + "ab" * 32 + " -sha256 -cert -out query.tsq")
        self._openssl(STAMPING)
        return (self.folder / "reply.tsr").read_bytes()

    def _openssl(self, command: str) -> None:
        subprocess.run(["openssl", *command.split()], cwd=self.folder, check=True, capture_output=True)


@contextmanager
def serve_authority(folder: Path) -> Iterator[Authority]:
    """Serve an authority on a free port until the end of the block."""
    authority = Authority(folder)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = authority.reply(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.send_header("Content-Type", "application/timestamp-reply")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    authority.url = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield authority
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
