"""The faults that are injected into the server, its broker, relay and webhooks, and their reversal."""

import os
import random
import shutil
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.chaos.outside import Relay, Webhooks
from bench.chaos.processes import AFFECTED, EVERYTHING, SupervisedServer
from tests.server.darbar import tell

Undo = Callable[[], None]


@dataclass(frozen=True)
class Fault:
    """A fault that was injected."""

    name: str
    affected: tuple[str, ...] = EVERYTHING
    """The services that must work again before the server counts as recovered."""
    lasts: float = 0.0
    """Seconds until the fault is undone."""
    undo: Undo | None = None
    is_kill: bool = False


KILLS: Final = {
    "backend": 70,
    "worker": 40,
    "web": 32,
    "stream": 28,
    "mail": 28,
    "redis": 12,
    "postgres": 6,
    "runner": 1,
}
"""The relative weights of the kinds of processes that are killed."""
QUICK: Final = ("backend", "worker", "web", "stream", "mail")
"""The processes that are killed instead if the drawn one has not recovered yet."""


class FaultInjector:
    """Injects random faults. The same seed leads to the same faults in the same order."""

    def __init__(
        self, watched: SupervisedServer, relay: Relay, webhooks: Webhooks, disk: Path | None, seed: int
    ) -> None:
        """``disk``: the small file system with the data, if there is one."""
        self.watched, self.relay, self.webhooks, self.disk = watched, relay, webhooks, disk
        self._random = random.Random(seed)
        self._others = [self.stop, self.stop, self.stop, self.mail_faults, self.webhook_faults, self.broker_away]

    def kill(self, spared: set[str]) -> Fault | None:
        """Kill a process whose kind is not in ``spared``. Return None if no such process runs."""
        choices = self._random.choices([*KILLS], [*KILLS.values()])
        position = self._random.random()
        others = self._random.sample(QUICK, len(QUICK))
        parts = (part for part in (*choices, *others) if part not in spared and self.watched.pids(part))
        if (part := next(parts, None)) is None:
            return None
        pids = self.watched.pids(part)
        if part == "runner":
            self.watched.will_end()
        tell(signal.SIGKILL, *pids[int(position * len(pids)) :][:1])
        return Fault(f"kill {part}", AFFECTED[part], is_kill=True)

    def other(self) -> Fault | None:
        """Inject a random fault that is not a kill."""
        return self._random.choice(self._others)()

    def stop(self) -> Fault | None:
        """Stop a process for a while (SIGSTOP and SIGCONT)."""
        part = self._random.choice(["web", "worker", "stream", "mail", "runner", "postgres", "backend"])
        position, lasts = self._random.random(), self._random.uniform(1, 8)
        if not (pids := self.watched.pids(part)):
            return None
        pid = pids[int(position * len(pids))]
        tell(signal.SIGSTOP, pid)
        return Fault(f"stop {part}", AFFECTED[part], lasts, lambda: tell(signal.SIGCONT, pid))

    def mail_faults(self) -> Fault:
        """Let the relay refuse mails, answer late, or refuse connections."""
        mood, lasts = self._random.choice(["refuses", "stalls", "is away"]), self._random.uniform(5, 15)
        if mood == "is away":
            self.relay.close()
            return Fault("relay is away", (), lasts, self.relay.open)
        self.relay.mood = mood
        return Fault(f"relay {mood}", (), lasts, lambda: setattr(self.relay, "mood", ""))

    def webhook_faults(self) -> Fault:
        """Let the receiver of webhooks answer 500, or answer late."""
        self.webhooks.mood = self._random.choice(["fails", "stalls"])
        lasts = self._random.uniform(5, 15)
        return Fault(f"webhook {self.webhooks.mood}", (), lasts, lambda: setattr(self.webhooks, "mood", ""))

    def broker_away(self) -> Fault | None:
        """Stop Redis, or move the folder of the embedded broker away, for a while."""
        lasts = self._random.uniform(3, 10)
        if self.watched.redis:
            (pid,) = self.watched.pids("redis")
            tell(signal.SIGSTOP, pid)
            return Fault("broker is away", ("worker",), lasts, lambda: tell(signal.SIGCONT, pid))
        folder = self.watched.darbar.data_dir / "queue"
        aside = folder.with_name("queue.aside")
        with suppress(OSError):
            folder.rename(aside)
            return Fault("broker is away", ("worker",), lasts, lambda: _move_back(aside, folder))
        return None

    def disk_full(self) -> Fault | None:
        """Fill the file system with the data."""
        if self.disk is None:
            return None
        filler, lasts = self.disk / "filler", self._random.uniform(6, 12)
        with filler.open("wb") as file, suppress(OSError):
            while True:
                file.write(b"\0" * 65536)
                file.flush()
        return Fault("disk is full", EVERYTHING, lasts, lambda: filler.unlink(missing_ok=True))


def _move_back(aside: Path, folder: Path) -> None:
    """Move the folder of a broker back, unless the server has created a new one."""
    if folder.exists():
        shutil.rmtree(aside)
    else:
        aside.rename(folder)


def small_disk(folder: Path, megabytes: int) -> Path | None:
    """Mount a file system of this size at a folder. Return None without root or ``mount``."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        return None
    folder.mkdir(mode=0o755, exist_ok=True)
    command: list[str | Path] = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "darbar-chaos", folder]
    completed = subprocess.run(command, capture_output=True, check=False)
    return folder if completed.returncode == 0 else None


def unmount(folder: Path) -> None:
    subprocess.run(["umount", "-l", folder], check=False)
