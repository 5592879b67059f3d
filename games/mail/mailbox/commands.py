"""The commands that a mail to the server's own address may give."""

from dataclasses import dataclass
from datetime import date, time, timedelta
from typing import Literal

from games.terms.speeds import USUAL


@dataclass(frozen=True, slots=True)
class ShowHelp:
    """``help``: the commands that there are."""


@dataclass(frozen=True, slots=True)
class ShowGames:
    """``games``: my games, and which of them wait for me."""


@dataclass(frozen=True, slots=True)
class ShowStatus:
    """``status``: when emails come, when I sleep, and when I am away."""


@dataclass(frozen=True, slots=True)
class ShowRules:
    """``rules``, ``rules`` with a title: the rules in short."""

    rules: str = ""
    """The name of a game's rules; blank for all games."""


@dataclass(frozen=True, slots=True)
class Confirm:
    """``yes``: do what I was asked back about."""


@dataclass(frozen=True, slots=True)
class CreateGame:
    """``new`` with a title, ``new ... 4``, ``new ... with 1 bot``."""

    rules: str
    seat_count: int
    bots: tuple[str, ...] = ()
    """The level of each bot."""
    addresses: tuple[str, ...] = ()
    """The addresses that are invited, in lower case. A game with such addresses is private."""
    note: str = ""
    """The writer's own words in the invitations."""


@dataclass(frozen=True, slots=True)
class SeekPlayers:
    """``seek`` with a title, ``seek ... 3 to 5``, ``seek ... slow, with inquisitor, bots after 2 hours``."""

    rules: str
    least: int | None = None
    """The least number of players; None: the usual numbers."""
    most: int | None = None
    speed: str = USUAL
    options: tuple[tuple[str, bool], ...] = ()
    """The expansions that the game has to have, and those that it must not have."""
    fill_after: timedelta | None = None
    """The time after which bots may take the free seats; None: people only."""


@dataclass(frozen=True, slots=True)
class StopSeeking:
    """``stop seeking``: no more search for players."""


@dataclass(frozen=True, slots=True)
class LeaveGame:
    """``leave``, ``leave VED4``: leave a table before its game begins."""

    code: str = ""
    """The game's short code in capitals; blank for the only one that it can be."""


@dataclass(frozen=True, slots=True)
class Rematch:
    """``rematch``, ``rematch VED4``: the same people once more."""

    code: str = ""
    """The game's short code in capitals; blank for the one that ended last."""


@dataclass(frozen=True, slots=True)
class Invite:
    """``invite ali@example.org``, ``invite ali@example.org to VED4``."""

    address: str
    """In lower case."""
    code: str = ""
    """The game's short code in capitals; blank for the only one that it can be."""
    note: str = ""
    """The writer's own words in the invitation."""


@dataclass(frozen=True, slots=True)
class TakeVacation:
    """``vacation 3 days``, ``vacation 3 days from 2027-03-20``."""

    days: int
    first: date | None = None
    """The first day; None for the first on which a vacation may begin."""


@dataclass(frozen=True, slots=True)
class SetSleepHours:
    """``sleep 23-7``, ``sleep off``: by the clocks where the writer lives; both None is no sleep."""

    falls: time | None
    wakes: time | None


@dataclass(frozen=True, slots=True)
class SetDigest:
    """``emails daily``, ``emails daily at 8``, ``emails every 6 hours``, ``emails at once``."""

    digest: Literal["at-once", "hours", "daily"]
    number: int | None = None
    """The hours between two emails, or the local hour of the daily one; None leaves it as it is."""


@dataclass(frozen=True, slots=True)
class StopMails:
    """``stop``: no more emails about games."""


@dataclass(frozen=True, slots=True)
class StartMails:
    """``start``: emails about games again, those included whose emails were ended one by one."""


Lookup = ShowHelp | ShowGames | ShowStatus | ShowRules
"""The commands that change nothing."""
Seeking = SeekPlayers | StopSeeking
Settings = SetSleepHours | SetDigest | StopMails | StartMails
Change = CreateGame | Seeking | LeaveGame | Rematch | Invite | TakeVacation | Settings


@dataclass(frozen=True, slots=True)
class Unclear:
    """A command beside text that may cancel or change it."""

    line: str
    """The line of the command."""
    text: str


AccountCommand = Lookup | Change | Confirm
