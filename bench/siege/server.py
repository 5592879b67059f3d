"""The attacked server: the runner with its default limits, behind nginx or Caddy with the files in ``deploy/``."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.ports import free_port

ROOT: Final = Path(__file__).parent.parent.parent
DEPLOY: Final = ROOT / "deploy"
FRONTS: Final = ("bare", "nginx", "caddy")
PATIENCE: Final = 120.0
"""Seconds for a process to start or to end."""
AROUND_NGINX: Final = """
daemon off; worker_processes 1; worker_rlimit_nofile 20000; pid {folder}/pid; error_log stderr error;
events {{ worker_connections 8192; }}
http {{
    access_log off; client_body_temp_path {folder}/a; proxy_temp_path {folder}/b;
    fastcgi_temp_path {folder}/c; uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
    include {folder}/darbar.conf;
}}
"""
"""The main file of nginx, with the two settings that the comment in ``deploy/nginx.conf`` asks for."""


@dataclass(frozen=True)
class Target:
    """The ports of the services."""

    web: int
    stream: int
    mail: int
    environment: dict[str, str]
    web_process: int

    def web_memory(self) -> float:
        """Return the resident memory of the web server's process in MB, or 0 on systems without /proc."""
        statm = Path(f"/proc/{self.web_process}/statm")
        return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6 if statm.exists() else 0.0


@contextmanager
def running_server(front: str) -> Iterator[Target]:
    """Run a server on the loopback interface behind this proxy."""
    folder = Path(tempfile.mkdtemp(prefix="darbar-siege-"))
    folder.chmod(0o711)
    web, stream, mail = free_port(), free_port(), free_port()
    proxies = "0" if front == "bare" else "1"
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(folder / "data"), "TRUSTED_PROXIES": proxies}
    environment |= {"PORT": str(web), "STREAM_PORT": str(stream), "MAIL_PORT": str(mail)}
    environment |= {"GAMES_PER_HOUR": "100000", "GAMES_PER_DAY": "100000"}  # players create a game after each other
    environment["BUILD_DOCUMENTS"] = "no"
    environment |= {"DJANGO_SETTINGS_MODULE": "config.settings", "HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        runner = [sys.executable, "-m", "config.server.runner"]
        process = stack.enter_context(_running(runner, folder / "log", environment, _log_contains("Ctrl-C stops it")))
        children = subprocess.run(
            ["pgrep", "-P", str(process.pid), "-f", "config.server.web"], capture_output=True, text=True, check=True
        )
        web_process = int(children.stdout)
        if front != "bare":
            port = free_port()
            command = {"nginx": _nginx, "caddy": _caddy}[front](folder, port, web, stream)
            stack.enter_context(_running(command, folder / f"{front}.log", environment, _is_port_open(port)))
            web = stream = port
        yield Target(web, stream, mail, environment, web_process)


def _nginx(folder: Path, port: int, web: int, stream: int) -> list[str]:
    """Write the shipped file with other ports and without TLS, and return the command that starts nginx."""
    lines = (DEPLOY / "nginx.conf").read_text().splitlines()
    text = "\n".join(line for line in lines if not re.match(r"\s*(ssl_|listen \[::\])", line))
    text = text.replace("listen 80;", f"listen 127.0.0.1:{free_port()};")
    listen = f"listen 127.0.0.1:{port} sndbuf=128k backlog=2048; listen [::1]:{port} sndbuf=128k;"
    text = text.replace("listen 443 ssl http2 sndbuf=128k;", listen)
    text = text.replace("server_name play.example.org;", "server_name localhost;")
    text = text.replace("127.0.0.1:8000", f"127.0.0.1:{web}").replace("127.0.0.1:8001", f"127.0.0.1:{stream}")
    (folder / "darbar.conf").write_text(text)
    (folder / "nginx.conf").write_text(AROUND_NGINX.format(folder=folder))
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]


def _caddy(folder: Path, port: int, web: int, stream: int) -> list[str]:
    """Write the shipped file with other ports and without TLS, and return the command that starts Caddy."""
    text = (DEPLOY / "Caddyfile").read_text()
    text = text.replace("{\n\t# Open event", f"{{\n\tadmin unix/{folder}/admin\n\t# Open event", 1)
    text = text.replace("\n{$SITE:play.example.org} {", f"\nhttp://localhost:{port} {{\n\tbind 127.0.0.1 ::1")
    text = text.replace("{$WEB:127.0.0.1:8000}", f"127.0.0.1:{web}")
    text = text.replace("{$STREAM:127.0.0.1:8001}", f"127.0.0.1:{stream}")
    (folder / "Caddyfile").write_text(text)
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


@contextmanager
def _running(
    command: list[str], log: Path, environment: dict[str, str], is_started: Callable[[Path], bool]
) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("wb") as file:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=file, stderr=file)
    try:
        deadline = time.monotonic() + PATIENCE
        while not is_started(log):
            if process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"{command[0]} does not start:\n{log.read_text()}")
            time.sleep(0.1)
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _log_contains(text: str) -> Callable[[Path], bool]:
    return lambda log: text in log.read_text()


def _is_port_open(port: int) -> Callable[[Path], bool]:
    def is_listening(_: Path) -> bool:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            return False
        return True

    return is_listening
