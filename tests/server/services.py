"""Real services, as an operator would have them: a PostgreSQL on the network with a password, a Redis, a RabbitMQ."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import unquote, urlsplit

import psycopg

from bench.ports import free_port
from tests.server.darbar import wait_until

DEBIAN: Final = Path("/usr/lib/postgresql/15/bin")
PGBOUNCER: Final = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
REDIS: Final = shutil.which("redis-server")
RABBIT: Final = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")


class Postgres:
    """Debian's PostgreSQL with data in ``folder``, listening on a port with a password."""

    def __init__(self, folder: Path, *options: str) -> None:
        """``options`` are settings, such as ``fsync=on``: it is off where nothing else is said."""
        self.folder, self.port = folder, free_port()
        self.url = f"postgres://darbar:pass%2Fword@127.0.0.1:{self.port}/postgres"
        self._options = [part for option in ("fsync=off", *options) for part in ("-c", option)]
        self._how: dict[str, Any] = {"cwd": folder, "env": {"PATH": os.defpath}}
        folder.mkdir(exist_ok=True)
        if os.geteuid() == 0:
            servant = pwd.getpwnam("nobody")
            self._how |= {"user": servant.pw_uid, "group": servant.pw_gid, "extra_groups": []}
            os.chown(folder, servant.pw_uid, servant.pw_gid)
        self._server: subprocess.Popen[bytes] | None = None

    def create(self) -> "Postgres":
        """Make an empty cluster, and start it."""
        password = self.folder / "password"
        password.write_text("pass/word")
        password.chmod(0o644)
        making = ("-N", "-U", "darbar", "-A", "scram-sha-256", "--pwfile", str(password), "-E", "UTF8")
        self._run("initdb", *making, "--locale=C.UTF-8", "-D", "data")
        return self.start()

    def follow(self, primary: "Postgres") -> "Postgres":
        """Copy a server while it runs, and start as its standby."""
        self.copy(primary, "--write-recovery-conf")
        return self.start()

    def copy(self, primary: "Postgres", *options: str) -> None:
        """Copy a server while it runs."""
        self._run("pg_basebackup", "-d", primary.url, "-D", "data", "--checkpoint=fast", *options)

    def recover(self, command: str, moment: str) -> "Postgres":
        """Start a copy as of a moment, with what ``command`` brings from an archive."""
        with (self.folder / "data" / "postgresql.conf").open("a") as settings:
            settings.write(f"restore_command = '{command}'\nrecovery_target_time = '{moment}'\n")
            settings.write("recovery_target_action = 'promote'\n")
        (self.folder / "data" / "recovery.signal").touch()
        self.start()
        wait_until(lambda: self.tell("SELECT pg_is_in_recovery()") == (False,), "it can be written to")
        return self

    def start(self) -> "Postgres":
        """Start it, and wait until it answers."""
        options = ("-c", "listen_addresses=127.0.0.1", "-c", f"port={self.port}", *self._options)
        with (self.folder / "log").open("ab") as log:
            self._server = subprocess.Popen(
                [DEBIAN / "postgres", "-D", "data", "-k", self.folder, *options], stderr=log, **self._how
            )
        wait_until(lambda: answers(self.url), "PostgreSQL answers")
        return self

    def kill(self) -> None:
        """Kill the process immediately, like a machine that vanishes."""
        if self._server:
            self._server.kill()
            self._server.wait()

    def tell(self, statement: str) -> Any:
        """Return the first row of what a statement gives, outside a transaction; None if it gives nothing."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            execute = connection.execute(statement)
            return execute.fetchone() if execute.description else None

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run([DEBIAN / program, *arguments], check=True, stdout=subprocess.DEVNULL, **self._how)


@contextmanager
def real_postgres(folder: Path) -> Iterator[str]:
    """An empty cluster of Debian's PostgreSQL in ``folder``; gives its URL."""
    server = Postgres(folder)
    try:
        yield server.create().url
    finally:
        server.kill()


def answers(url: str) -> bool:
    """Return whether a database answers."""
    with suppress(psycopg.OperationalError), psycopg.connect(url):
        return True
    return False


@contextmanager
def pooler(folder: Path, url: str) -> Iterator[str]:
    """A pgbouncer in transaction mode before a database, with two connections to it; gives its URL."""
    to, port = urlsplit(url), free_port()
    name = to.path.lstrip("/")
    (folder / "pgbouncer.ini").write_text(
        f"[databases]\n{name} = host={to.hostname} port={to.port} "
        f"user={to.username} password={unquote(to.password or '')}\n"
        f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n"
        "pool_mode = transaction\ndefault_pool_size = 2\nmax_client_conn = 200\n"
    )
    assert PGBOUNCER
    how: dict[str, Any] = {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}
    process = subprocess.Popen([PGBOUNCER, "-q", folder / "pgbouncer.ini"], **how)
    through = f"postgres://{to.username}@127.0.0.1:{port}/{name}"
    try:
        wait_until(lambda: answers(through), "pgbouncer answers")
        yield through
    finally:
        process.terminate()
        process.wait()


class Broker:
    """A broker on a port of its own, which can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def command(self) -> tuple[list[str | Path], dict[str, str]]:
        """Return the command and its environment."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        command, environment = self.command()
        self.process = subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        wait_until(self.answers, "the broker answers")
        return self

    def __exit__(self, *_: object) -> None:
        self.tell(signal.SIGKILL)
        assert self.process
        self.process.wait()

    def tell(self, how: signal.Signals) -> None:
        """Send a signal to all its processes."""
        assert self.process
        os.killpg(self.process.pid, how)

    def answers(self) -> bool:
        """Return whether the service accepts connections."""
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False


class Redis(Broker):
    """A Redis that keeps nothing on disk."""

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def command(self) -> tuple[list[str | Path], dict[str, str]]:
        """Return the command and its environment."""
        assert REDIS
        return [REDIS, "--port", str(self.port), "--save", "", "--dir", self.folder], {"PATH": os.defpath}


class Rabbit(Broker):
    """A RabbitMQ with its files in ``folder``."""

    @property
    def url(self) -> str:
        return f"amqp://guest:guest@127.0.0.1:{self.port}//"

    def __enter__(self) -> Self:
        """Start it, after the program by which its parts find each other."""
        self._names = free_port()
        self._mapper = subprocess.Popen(["epmd", "-port", str(self._names), "-address", "127.0.0.1"])
        return super().__enter__()

    def __exit__(self, *_: object) -> None:
        super().__exit__()
        self._mapper.kill()
        self._mapper.wait()

    def command(self) -> tuple[list[str | Path], dict[str, str]]:
        """Return the command and its environment."""
        return [RABBIT], {
            "PATH": os.defpath,
            "HOME": str(self.folder),
            "ERL_EPMD_PORT": str(self._names),
            "RABBITMQ_NODENAME": "drill@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": str(self.port),
            "RABBITMQ_DIST_PORT": str(free_port()),
            "RABBITMQ_MNESIA_BASE": str(self.folder),
            "RABBITMQ_LOG_BASE": str(self.folder),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(self.folder / "plugins"),
            "RABBITMQ_CONF_ENV_FILE": os.devnull,
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "-kernel inet_dist_use_interface {127,0,0,1}",
        }
