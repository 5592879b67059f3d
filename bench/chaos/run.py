"""A run: a server, the services around it, players and faults, until the time or the number of kills is reached."""

import random
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from bench.chaos import restores, verdict
from bench.chaos.faults import Fault, FaultInjector, small_disk, unmount
from bench.chaos.ledger import Ledger
from bench.chaos.outside import Relay, Webhooks, outside
from bench.chaos.players import Person, Postman, Streamer, Writer
from bench.chaos.processes import EVERYTHING, PARTS, SupervisedServer
from bench.chaos.tables import GameStarter, seat
from bench.chaos.verdict import Finding
from tests.running import open_folder
from tests.server.darbar import Darbar

DISK: Final = 1500
"""Megabytes of the small file system."""
RECOVERS: Final = 180.0
"""Seconds after which a service that does not work again counts as stuck."""
PLAYS_ON: Final = 5.0
"""Seconds of play after the last fault."""
AGAIN: Final = 0.2
"""Seconds until the next attempt if there was no process to kill."""
NAMES: Final = ("Maryam", "Sepideh", "Bahareh", "Kaveh", "Dariush", "Mahshid", "Anahita", "Babak", "Cyrus")


@dataclass(frozen=True)
class Plan:
    """The extent of a run."""

    seed: int
    seconds: float
    kills: int
    pace: float = 2.0
    """Seconds between two kills."""
    others: float = 15.0
    """Seconds between two other faults."""
    restores: int = 2
    """The number of backups that are restored, spread over the run."""
    players: int = 3
    """The number of players of each kind: over HTTP, with the event stream, by mail."""
    is_on_small_disk: bool = True


@dataclass
class FaultOutcome:
    """A fault and its recovery."""

    name: str
    at: float
    recovered: float | None = None
    """Seconds from the end of the fault until all affected services worked again. None: never, or none was affected."""
    is_kill: bool = False


@dataclass
class Result:
    """The result of a run."""

    faults: list[FaultOutcome]
    findings: list[Finding]
    ledger: Ledger
    games: int
    notes: list[str] = field(default_factory=list)


Tell = Callable[[str], None]


class Run:
    """A run in progress."""

    def __init__(
        self, plan: Plan, watched: SupervisedServer, injector: FaultInjector, ledger: Ledger, folder: Path, tell: Tell
    ) -> None:
        self._tell, self._began = tell, time.monotonic()
        self.plan, self.watched, self.injector, self.ledger, self.folder = plan, watched, injector, ledger, folder
        self.people: list[Person] = []
        self.outcomes: list[FaultOutcome] = []
        self.findings: list[Finding] = []
        self._active: list[tuple[float, Fault, FaultOutcome]] = []
        """The faults that last, each with the time at which it ends."""
        self._turn = threading.Lock()
        self._recovering: set[threading.Thread] = set()
        threading.Thread(target=self._undo, name="undo", daemon=True).start()

    def play(self) -> None:
        """Inject the faults of the plan."""
        began, random_ = time.monotonic(), random.Random(self.plan.seed)
        next_kill = next_other = began + self.plan.pace
        special = [*self._specials()]
        while (passed := time.monotonic() - began) < self.plan.seconds and self.kills() < self.plan.kills:
            self._keep()
            progress = max(passed / self.plan.seconds, self.kills() / self.plan.kills)
            if special and progress >= special[0][0]:
                special.pop(0)[1]()
            elif time.monotonic() >= next_kill:
                kill = self.injector.kill(self._spared())
                next_kill = time.monotonic() + (self.plan.pace * random_.uniform(0.6, 1.4) if kill else AGAIN)
                self._note(kill)
            elif time.monotonic() >= next_other:
                next_other = time.monotonic() + self.plan.others * random_.uniform(0.6, 1.4)
                self._note(self.injector.other())
            time.sleep(0.05)

    def tell(self, line: str) -> None:
        """Print a line with the time."""
        self._tell(f"{time.monotonic() - self._began:7.1f} {line}")

    def kills(self) -> int:
        """Return the number of processes that were killed so far."""
        return sum(outcome.is_kill for outcome in self.outcomes)

    def heal(self) -> None:
        """Undo all faults, and wait until all services work."""
        self._undo_until(float("inf"))
        deadline, since = time.monotonic() + RECOVERS, time.time()
        while not all(self.watched.works(part, since) for part in EVERYTHING):
            self._keep()
            if time.monotonic() > deadline:
                self.findings.append(Finding("stuck", "the server does not recover", time.time()))
                break
            time.sleep(0.5)
        for thread in [*self._recovering]:
            thread.join(RECOVERS)

    def _specials(self) -> Iterator[tuple[float, Callable[[], None]]]:
        """Yield the backups, restores and full disks, each with its time as a fraction of the run."""
        for number in range(self.plan.restores):
            begin = number / self.plan.restores
            backup = restores.Backup(self, self.folder / f"backup-{number}", is_dump=number % 2 == 1)
            yield begin + 0.3 / self.plan.restores, backup.take
            yield begin + 0.5 / self.plan.restores, lambda: self._note(self.injector.disk_full())
            yield begin + 0.7 / self.plan.restores, backup.restore

    def _keep(self) -> None:
        with suppress(AssertionError):
            self.watched.keep()

    def _spared(self) -> set[str]:
        """Return the kinds of processes that have not recovered. A backend has when PostgreSQL answers."""
        names = {thread.name for thread in self._recovering if thread.is_alive()} | {
            fault.name for _, fault, _ in self._active
        }
        if "kill runner" in names:
            return {*PARTS}
        return {name.split()[1] for name in names} - ({"backend"} if self.watched.works("web", 0.0) else set())

    def _note(self, fault: Fault | None) -> None:
        if fault is None:
            return
        self.tell(fault.name)
        outcome = FaultOutcome(fault.name, time.time(), is_kill=fault.is_kill)
        self.outcomes.append(outcome)
        if fault.undo:
            with self._turn:
                self._active.append((time.monotonic() + fault.lasts, fault, outcome))
        else:
            self.watch(outcome, fault.affected)

    def _undo(self) -> None:
        """Undo each fault when its time is over. This thread runs also while the server is starting."""
        while True:
            self._undo_until(time.monotonic())
            time.sleep(0.1)

    def _undo_until(self, now: float) -> None:
        with self._turn:
            over = [fault for fault in self._active if fault[0] <= now]
            self._active = [fault for fault in self._active if fault[0] > now]
            for _, fault, outcome in over:
                if fault.undo:
                    fault.undo()
                self.watch(outcome, fault.affected)

    def note_restore(self, name: str, at: float) -> None:
        """Record a restore."""
        self.outcomes.append(outcome := FaultOutcome(name, at))
        self.watch(outcome, EVERYTHING)

    def watch(self, outcome: FaultOutcome, parts: tuple[str, ...]) -> None:
        """Measure in a thread the time until these services work again."""
        if parts:
            thread = threading.Thread(target=self._watch, args=(outcome, parts), name=outcome.name, daemon=True)
            self._recovering = {thread for thread in self._recovering if thread.is_alive()} | {thread}
            thread.start()

    def _watch(self, outcome: FaultOutcome, parts: tuple[str, ...]) -> None:
        began, since, missing = time.monotonic(), time.time(), [*parts]
        while missing and time.monotonic() - began < RECOVERS:
            time.sleep(0.25)
            missing = [part for part in missing if not self.watched.works(part, since)]
        if missing:
            self.findings.append(Finding("stuck", f"{outcome.name}: no {missing} for {RECOVERS} s", outcome.at))
        else:
            outcome.recovered = time.monotonic() - began
            self.tell(f"{outcome.name}: works again after {outcome.recovered:.1f} s")


def run(plan: Plan, tell: Tell, log: Path | None = None) -> Result:
    """Run a plan, and return its result.

    ``log``: a file for the server's own log.
    """
    ledger, folder = Ledger(), open_folder()
    disk = small_disk(folder / "disk", DISK) if plan.is_on_small_disk else None
    try:
        with outside(ledger) as (relay, webhooks), _server(folder, disk, relay, log) as watched:
            injector = FaultInjector(watched, relay, webhooks, disk, plan.seed)
            return _play(Run(plan, watched, injector, ledger, folder, tell), relay, webhooks)
    finally:
        if disk:
            unmount(disk)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _server(folder: Path, disk: Path | None, relay: Relay, log: Path | None) -> Iterator[SupervisedServer]:
    surroundings = {"EMAIL_URL": f"smtp://127.0.0.1:{relay.port}", "OUTGOING_LOOPBACK": "yes"}
    surroundings |= {"GAMES_PER_HOUR": "100000", "GAMES_PER_DAY": "100000"}  # players create a game after each other
    darbar = Darbar((disk or folder) / "data", MAIL_RELAYS="127.0.0.1", **surroundings)
    watched = SupervisedServer(darbar, None)
    watched.start()
    try:
        yield watched
    finally:
        watched.close()
        if log:
            log.write_text(watched.log + darbar.output())


def _play(run: Run, relay: Relay, webhooks: Webhooks) -> Result:
    players, streamers, writers = _people(run, relay)
    run.people = [*players, *streamers, *writers]
    for person in run.people:
        person.sign_up()
        data = {"url": f"{webhooks.url}/{person.name}", "kinds": ["question", "closed", "event", "game"]}
        person.post("me/webhooks/", data, 201)
    postman, starter = Postman(relay, writers), GameStarter(seat(players, streamers, writers))
    threads: list[Any] = [postman, starter, *run.people]
    for thread in threads:
        thread.start() if isinstance(thread, threading.Thread) else thread.begin()
    run.tell(f"{len(run.people)} people play at {len(starter.tables)} tables, and faults begin.")
    run.play()
    run.tell(f"{run.kills()} kills; the faults are over, the play goes on for a while.")
    run.heal()
    time.sleep(PLAYS_ON)
    starter.over.set()
    for person in run.people:
        person.be_quiet()
    run.findings += verdict.settle(run.watched, run.tell)
    run.findings += verdict.findings(run.watched, run.ledger)
    for person in run.people:
        person.over.set()
    for person in run.people:
        person.end()
    run.findings += [Finding("stuck", person.broken, time.time()) for person in run.people if person.broken]
    if error := verdict.verify(run.watched):
        run.findings.append(Finding("doubled", f"verify: {error}", time.time()))
    postman.over.set()
    notes = ["the runner ended by itself"] * len(run.watched.ended)
    notes += [f"{person.name}: {problem}" for person in run.people for problem in person.problems]
    return Result(run.outcomes, run.findings, run.ledger, sum(table.games for table in starter.tables), notes)


def _people(run: Run, relay: Relay) -> tuple[list[Person], list[Streamer], list[Writer]]:
    count = run.plan.players
    arguments: Any = (relay, run.ledger, run.plan.seed)
    first, second, third = NAMES[:count], NAMES[count : 2 * count], NAMES[2 * count : 3 * count]
    return (
        [Person(run.watched.darbar, name, *arguments) for name in first],
        [Streamer(run.watched.darbar, name, *arguments) for name in second],
        [Writer(run.watched.darbar, name, *arguments) for name in third],
    )
