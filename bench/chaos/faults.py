"""The faults: what is done to the server and to what stands around it, and what undoes it."""

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
    """Something that was done."""

    name: str
    affected: tuple[str, ...] = EVERYTHING
    """The parts that must work again for it to be over."""
    lasts: float = 0.0
    """Seconds until it is undone."""
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
"""The share of kills that each kind of process gets, relative to the others."""
QUICK: Final = ("backend", "worker", "web", "stream", "mail")
"""One of these is killed instead where the one that was drawn has not yet recovered."""


class FaultInjector:
    """Does what a generator of random numbers says: with one seed the same faults in the same order."""

    def __init__(
        self, watched: SupervisedServer, relay: Relay, webhooks: Webhooks, disk: Path | None, seed: int
    ) -> None:
        """``disk``: the small file system on which the data are, if they are on one."""
        self.watched, self.relay, self.webhooks, self.disk = watched, relay, webhooks, disk
        self._random = random.Random(seed)
        self._others = [self.stop, self.stop, self.stop, self.mail_faults, self.webhook_faults, self.broker_away]

    def kill(self, spared: set[str]) -> Fault | None:
        """SIGKILL to one process, of a kind that is not spared. None where there is none just now."""
        choices = self._random.choices([*KILLS], [*KILLS.values()])
        which = self._random.random()
        others = self._random.sample(QUICK, len(QUICK))
        results = (part for part in (*choices, *others) if part not in spared and self.watched.pids(part))
        if (part := next(results, None)) is None:
            return None
        pids = self.watched.pids(part)
        if part == "runner":
            self.watched.will_end()
        tell(signal.SIGKILL, *pids[int(which * len(pids)) :][:1])
        return Fault(f"kill {part}", AFFECTED[part], is_kill=True)

    def other(self) -> Fault | None:
        """Some fault that is no kill."""
        return self._random.choice(self._others)()

    def stop(self) -> Fault | None:
        """SIGSTOP to a process, SIGCONT after a while."""
        part = self._random.choice(["web", "worker", "stream", "mail", "runner", "postgres", "backend"])
        which, lasts = self._random.random(), self._random.uniform(1, 8)
        if not (pids := self.watched.pids(part)):
            return None
        pid = pids[int(which * len(pids))]
        tell(signal.SIGSTOP, pid)
        return Fault(f"stop {part}", AFFECTED[part], lasts, lambda: tell(signal.SIGCONT, pid))

    def mail_faults(self) -> Fault:
        """The relay refuses, stalls, or is away."""
        mood, lasts = self._random.choice(["refuses", "stalls", "is away"]), self._random.uniform(5, 15)
        if mood == "is away":
            self.relay.close()
            return Fault("relay is away", (), lasts, self.relay.open)
        self.relay.mood = mood
        return Fault(f"relay {mood}", (), lasts, lambda: setattr(self.relay, "mood", ""))

    def webhook_faults(self) -> Fault:
        """The receiver of webhooks fails, or stalls."""
        self.webhooks.mood = self._random.choice(["fails", "stalls"])
        lasts = self._random.uniform(5, 15)
        return Fault(f"webhook {self.webhooks.mood}", (), lasts, lambda: setattr(self.webhooks, "mood", ""))

    def broker_away(self) -> Fault | None:
        """Redis stops answering; or the folder that is the embedded broker is gone for a while."""
        lasts = self._random.uniform(3, 10)
        if self.watched.redis:
            (pid,) = self.watched.pids("redis")
            tell(signal.SIGSTOP, pid)
            return Fault("broker is away", ("worker",), lasts, lambda: tell(signal.SIGCONT, pid))
        folder = self.watched.darbar.data_dir / "queue"
        aside = folder.with_name("queue.aside")
        with suppress(OSError):
            folder.rename(aside)
            return Fault("broker is away", ("worker",), lasts, lambda: _put_back(aside, folder))
        return None

    def disk_full(self) -> Fault | None:
        """Nothing more can be written where the data are."""
        if self.disk is None:
            return None
        filler, lasts = self.disk / "filler", self._random.uniform(6, 12)
        with filler.open("wb") as file, suppress(OSError):
            while True:
                file.write(b"\0" * 65536)
                file.flush()
        return Fault("disk is full", EVERYTHING, lasts, lambda: filler.unlink(missing_ok=True))


def _put_back(aside: Path, folder: Path) -> None:
    """A folder of a broker in its place again, also where there is a new one by now."""
    if folder.exists():
        shutil.rmtree(aside)
    else:
        aside.rename(folder)


def small_disk(folder: Path, megabytes: int) -> Path | None:
    """A file system of this size at a folder, which only root can make. None where there cannot be one."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        return None
    folder.mkdir(mode=0o755, exist_ok=True)
    mounting: list[str | Path] = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "darbar-chaos", folder]
    result = subprocess.run(mounting, capture_output=True, check=False)
    return folder if result.returncode == 0 else None


def unmount(folder: Path) -> None:
    """Give the file system back."""
    subprocess.run(["umount", "-l", folder], check=False)
