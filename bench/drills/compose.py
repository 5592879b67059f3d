"""Starts the compose file with podman-compose: PostgreSQL, Redis and Caddy beside the processes of Darbar.

If no registry answers, images are built from Debian packages. They use the same variables and folders as the images
that the file names.
"""

import email
import json
import re
import shutil
import smtplib
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from email.policy import default
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import httpx

from bench.drills import images
from bench.drills.images import Podman
from bench.ports import free_port
from tests.server.darbar import wait_until
from tests.server.player import Player
from tests.server.proxies import DEPLOY
from tests.server.replies import answered, opened, reply_to_the_mail

POSTGRES: Final = """#!/bin/sh
set -e
if [ ! -e "$PGDATA/PG_VERSION" ]; then
    echo "$POSTGRES_PASSWORD" > /tmp/password
    initdb -U "$POSTGRES_USER" -A scram-sha-256 --pwfile /tmp/password -E UTF8 --locale C.UTF-8
    echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
    echo "CREATE DATABASE $POSTGRES_USER;" | postgres --single -j postgres
fi
exec postgres -c listen_addresses='*' -c unix_socket_directories=/tmp
"""
FILES: Final = {
    "postgres": """
        RUN apt-get update && apt-get install -y --no-install-recommends postgresql-15
        ENV PATH=/usr/lib/postgresql/15/bin:$PATH PGDATA=/var/lib/postgresql/data
        COPY start /start
        RUN mkdir -p $PGDATA && chown postgres $PGDATA && chmod 700 $PGDATA && chmod 755 /start
        USER postgres
        VOLUME /var/lib/postgresql/data
        CMD ["/start"]
    """,
    "redis": """
        RUN apt-get update && apt-get install -y --no-install-recommends redis-server
        USER redis
        CMD ["redis-server"]
    """,
    "caddy": """
        RUN apt-get update && apt-get install -y --no-install-recommends caddy ca-certificates
        ENV XDG_DATA_HOME=/data XDG_CONFIG_HOME=/config HOME=/root
        CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]
    """,
}
"""Container files that replace the images of a registry."""
PATIENCE: Final = 180
INBOX: Final = "python3 -u -m aiosmtpd -n -l 0.0.0.0:2525 -c aiosmtpd.handlers.Debugging stdout"
"""A mail server that prints all mails."""
_MAIL: Final = re.compile(r"-+ MESSAGE FOLLOWS -+\n(.*?)\n-+ END MESSAGE -+", re.S)
_OWN: Final = ("web", "worker", "stream", "mail")


class Project:
    """The project of the compose file, under another name and with replaced images."""

    def __init__(self, folder: Path, image: str, podman: Podman) -> None:
        self.name, self.podman, self.place = image, podman, folder / "compose"
        self.images = {name: f"localhost/{image}-{name}" for name in FILES}
        self.https, self.smtp = free_port(), free_port()

    def write(self, program: str) -> None:
        """Write the files of an operator, and a second compose file that replaces images and adds the mail server."""
        self.place.mkdir()
        for name in ("compose.yaml", "Caddyfile"):
            shutil.copy(DEPLOY / name, self.place)
        ports = {"HTTP_PORT": free_port(), "HTTPS_PORT": self.https, "SMTP_PORT": self.smtp}
        settings = {"SITE": "localhost", "POSTGRES_PASSWORD": "'a-long/random@pass#word%'"}
        settings |= {name: f"127.0.0.1:{port}" for name, port in ports.items()}
        (self.place / ".env").write_text("".join(f"{name}={value}\n" for name, value in settings.items()))
        (self.place / "darbar.env").write_text("EMAIL_URL=smtp://inbox:2525\n")
        services: dict[str, Any] = {name: {"image": image} for name, image in self.images.items()}
        services |= {name: {"image": self.name} for name in _OWN}
        services["inbox"] = {"image": self.name, "command": INBOX.split(), "healthcheck": {"test": ["NONE"]}}
        (self.place / "tried.yaml").write_text(json.dumps({"services": services}))
        starter = self.place / "podman"
        starter.write_text(f'#!/bin/sh\nexec {" ".join(self.podman.program)} "$@"\n')
        starter.chmod(0o755)
        self._command = [program, "--podman-path", str(starter), "-p", self.name]
        self._command += ["-f", "compose.yaml", "-f", "tried.yaml"]
        self._command += [f"--podman-run-args={' '.join(self.podman.limits)}"] if self.podman.limits else []

    def __call__(self, *arguments: str) -> None:
        """Run a command of compose. Raises SystemExit with its last lines if it fails."""
        finished = subprocess.run(
            [*self._command, *arguments], cwd=self.place, capture_output=True, text=True, check=False
        )
        if finished.returncode:
            raise SystemExit(f"podman-compose {' '.join(arguments)} failed:\n{finished.stderr[-2000:]}")

    def container(self, service: str) -> str:
        return f"{self.name}_{service}_1"

    @cached_property
    def trusted(self) -> ssl.SSLContext:
        """Return a TLS context that trusts the certificate authority that Caddy has created."""
        path = "/data/caddy/pki/authorities/local/root.crt"
        return ssl.create_default_context(cadata=self.podman.output("exec", self.container("caddy"), "cat", path))

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=f"https://localhost:{self.https}", verify=self.trusted, timeout=30)

    def is_up(self) -> bool:
        """Return whether the strict health page reports no problem."""
        with suppress(httpx.HTTPError, SystemExit), self.client() as client:
            return client.get("/healthz?strict").status_code == httpx.codes.OK
        return False


class Visitor(Player):
    """A player who reaches the project through Caddy, and whose emails arrive at its mail server."""

    def __init__(self, project: Project, name: str) -> None:
        self.name, self.email, self.project = name, f"{name.lower()}@example.org", project
        self.http = project.client()

    def mails(self) -> list[dict[str, Any]]:
        logs = self.project.podman.output("logs", self.project.container("inbox"))
        parsed = (email.message_from_string(text, policy=default) for text in _MAIL.findall(logs))
        return [
            {"text": part.get_content(), "reply_to": [str(mail["Reply-To"])]}
            for mail in reversed([*parsed])
            if (part := mail.get_body(("plain",))) and self.email in str(mail["To"])
        ]


def run(folder: Path, image: str, base: str, podman: Podman) -> Iterator[tuple[str, bool]]:
    """Yield lines, each with True if the result is good."""
    program = shutil.which("podman-compose")
    if program is None:
        yield "compose: skipped, as podman-compose is not installed", True
        return
    project = Project(folder, image, podman)
    try:
        for name, file in FILES.items():
            place = folder / f"image-{name}"
            place.mkdir()
            (place / "start").write_text(POSTGRES)
            images.replacement(project.images[name], f"FROM {base}\n{file}", place)
        project.write(program)
        yield from _lines(project)
    finally:
        with suppress(SystemExit):
            project("down", "-v", "-t", "10")
        podman.quietly("network", "rm", "-f", f"{image}_default")  # podman-compose 1.0 leaves it
        for name in project.images.values():
            podman.quietly("rmi", "-f", name)


def _lines(project: Project) -> Iterator[tuple[str, bool]]:
    """Start all services, play, restart a service, and restart all services."""
    began = time.monotonic()
    project("up", "-d")
    wait_until(project.is_up, "everything is up", PATIENCE)
    yield f"compose: everything is up after {_since(began)}, and no sign is red", True
    began = time.monotonic()
    with Visitor(project, "Maryam") as maryam:
        game = opened(maryam)
        state = maryam.outcome(maryam.send(game, "income"))["state"]
        yield f"compose: signed up by email and moved over TLS in {_since(began)}: {state}", state == "applied"
        yield _played_by_email(project, maryam)
        yield _streamed(maryam)
        began = time.monotonic()
        project("restart", "web")
        wait_until(project.is_up, "the web server is back", PATIENCE)
        yield f"compose: the web server is back {_since(began)} after its restart began", True
        count = len(maryam.get(f"games/{game}/events/")["results"])
        began = time.monotonic()
        project("down", "-t", "20")
        project("up", "-d")
        wait_until(project.is_up, "everything is up again", PATIENCE)
        length = len(maryam.get(f"games/{game}/events/")["results"])
        yield (
            f"compose: down and up took {_since(began)}, {length} of {count} events of a game are there",
            length >= count,
        )
        project("exec", "-T", "web", "darbar", "backup", "/var/lib/darbar/tried.tar")
        yield "compose: darbar backup writes a file", True


def _played_by_email(project: Project, maryam: Player) -> tuple[str, bool]:
    began = time.monotonic()
    game = opened(maryam)
    reply = reply_to_the_mail(maryam, game, 1)
    with smtplib.SMTP("127.0.0.1", project.smtp, timeout=30) as server:
        server.send_message(reply)
    wait_until(lambda: answered(maryam, game), "the email is read", PATIENCE)
    via = answered(maryam, game)
    return f"compose: moved by an email to the published port in {_since(began)}: {via}", via == "mail"


def _streamed(maryam: Player) -> tuple[str, bool]:
    """Check that the event stream reports a new game."""
    with maryam.http.stream("GET", "/api/v1/stream/") as stream:
        lines = stream.iter_lines()
        assert "event: ready" in lines
        game = opened(maryam)
        has_event = any(game in line for line in lines if line.startswith("data:"))
    return "compose: the event stream reports a new game through Caddy", has_event


def _since(began: float) -> str:
    return f"{time.monotonic() - began:.0f} s"
