"""Real proxies before a server: nginx and Caddy, set up by the files in ``deploy/``."""

import datetime
import ipaddress
import os
import re
import ssl
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from bench.ports import free_port
from tests.server.darbar import ROOT, wait_until

DEPLOY: Final = ROOT / "deploy"
NAME: Final = "play.example.org"
AROUND_NGINX: Final = """
daemon off; worker_processes 1; pid {folder}/pid; error_log stderr error;
events {{ worker_connections 100; }}
http {{
    access_log off; client_body_temp_path {folder}/a; proxy_temp_path {folder}/b;
    fastcgi_temp_path {folder}/c; uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
    include {folder}/darbar.conf;
}}
"""


def certificate(folder: Path, host: str = "localhost") -> None:
    """Write a certificate for this machine that signs itself, and its key."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.datetime.now(datetime.UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    names = x509.SubjectAlternativeName([x509.DNSName(host), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    built = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    built = built.not_valid_before(now - datetime.timedelta(1)).not_valid_after(now + datetime.timedelta(1))
    sign = built.add_extension(names, critical=False).sign(key, hashes.SHA256())
    (folder / "fullchain.pem").write_bytes(sign.public_bytes(serialization.Encoding.PEM))
    (folder / "privkey.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )


def nginx(folder: Path, front: int, webs: Sequence[int], stream: int, _: int) -> list[str]:
    """Write the configuration with the ports of the test, and return the command."""
    text = (DEPLOY / "nginx.conf").read_text()
    text = text.replace("listen 80;", f"listen 127.0.0.1:{free_port()};").replace(
        "listen 443 ssl http2 sndbuf=128k;", f"listen 127.0.0.1:{front} ssl http2;"
    )
    text = re.sub(r"\n    listen \[::\].*", "", text).replace(f"/etc/letsencrypt/live/{NAME}", str(folder))
    upstreams = "\n".join(f"    server 127.0.0.1:{port} max_fails=0;" for port in webs)
    text = text.replace("    server 127.0.0.1:8000 max_fails=0;", upstreams)
    text = text.replace("127.0.0.1:8001", f"127.0.0.1:{stream}")
    (folder / "darbar.conf").write_text(text.replace(NAME, "localhost"))
    (folder / "nginx.conf").write_text(AROUND_NGINX.format(folder=folder))
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]


def caddy(folder: Path, front: int, webs: Sequence[int], stream: int, grace: int) -> list[str]:
    """Write the configuration with the ports and the certificate of the test, and return the command."""
    text = (DEPLOY / "Caddyfile").read_text()
    text = text.replace(
        "grace_period 10s", f"grace_period {grace}s\n\tadmin unix/{folder}/admin\n\tauto_https disable_redirects"
    )
    tls = f"{{\n\tbind 127.0.0.1\n\ttls {folder}/fullchain.pem {folder}/privkey.pem"
    text = text.replace(f"\n{{$SITE:{NAME}}} {{", f"\nlocalhost:{front} {tls}")
    both = " ".join(f"127.0.0.1:{port}" for port in webs)
    text = text.replace("{$WEB:127.0.0.1:8000}", both).replace("{$STREAM:127.0.0.1:8001}", f"127.0.0.1:{stream}")
    (folder / "Caddyfile").write_text(text)
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


@dataclass(frozen=True)
class Front:
    """The proxy with TLS that people reach."""

    url: str
    trusted: ssl.SSLContext
    """Trusts the certificate of the proxy."""
    lead_to: Callable[[Sequence[int]], None]
    """Lets Caddy ask the web servers at these ports only, from now on."""

    def client(self, headers: Mapping[str, str] | None = None) -> httpx.Client:
        """Return a client that sends these headers with each request."""
        return httpx.Client(base_url=self.url, verify=self.trusted, timeout=30, headers=headers)

    def answers(self) -> bool:
        """Return whether the server behind it answers."""
        try:
            with self.client() as client:
                return client.get("/healthz").status_code == 200
        except httpx.HTTPError:
            return False


@contextmanager
def proxied(kind: str, folder: Path, webs: Sequence[int], stream: int, grace: int = 1) -> Iterator[Front]:
    """Run a proxy with its file in ``deploy/`` before web servers and an event stream at these ports.

    ``grace``: seconds that Caddy gives to requests in progress when it ends or loads a new configuration.
    """
    certificate(folder)
    port = free_port()
    command = {"nginx": nginx, "caddy": caddy}[kind](folder, port, webs, stream, grace)
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, env=env, stdout=log, stderr=log)

    def lead_to(webs: Sequence[int]) -> None:
        _, _, *configured = caddy(folder, port, webs, stream, grace)
        subprocess.run(["caddy", "reload", *configured], env=env, check=True, capture_output=True)

    trusted = ssl.create_default_context(cafile=str(folder / "fullchain.pem"))
    front = Front(f"https://localhost:{port}", trusted, lead_to)
    try:
        wait_until(lambda: process.poll() is not None or front.answers(), f"{kind} answers", 30)
        assert process.poll() is None, (folder / "log").read_text()
        yield front
    finally:
        process.terminate()
        process.wait(30)
