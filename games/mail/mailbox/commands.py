"""The commands that an email to the server's own address may give."""

from dataclasses import dataclass
from datetime import date, time, timedelta
from typing import Literal

from games.terms.speeds import USUAL


@dataclass(frozen=True, slots=True)
class ShowHelp:
    """``help``: list the commands."""


@dataclass(frozen=True, slots=True)
class ShowGames:
    """``games``: list the account's games, and those that wait for the account."""


@dataclass(frozen=True, slots=True)
class ShowStatus:
    """``status``: show when emails are sent, the sleep hours and the vacations."""


@dataclass(frozen=True, slots=True)
class ShowRules:
    """``rules``, ``rules`` with a title: show a summary of the rules."""

    rules: str = ""
    """The name of the rules. Blank for all games."""


@dataclass(frozen=True, slots=True)
class Confirm:
    """``yes``: confirm the command that the server asked about."""


@dataclass(frozen=True, slots=True)
class CreateGame:
    """``new`` with a title, ``new ... 4``, ``new ... with 1 bot``."""

    rules: str
    seat_count: int
    bots: tuple[str, ...] = ()
    """The level of each bot."""
    addresses: tuple[str, ...] = ()
    """The invited addresses in lower case. A game with invited addresses is private."""
    note: str = ""
    """The sender's note in the invitations."""


@dataclass(frozen=True, slots=True)
class SeekPlayers:
    """``seek`` with a title, ``seek ... 3 to 5``, ``seek ... slow, with inquisitor, bots after 2 hours``."""

    rules: str
    least: int | None = None
    """The least number of players. None for the usual numbers."""
    most: int | None = None
    speed: str = USUAL
    options: tuple[tuple[str, bool], ...] = ()
    """The expansions that the game must have, and those that it must not have."""
    fill_after: timedelta | None = None
    """The time after which bots may take the free seats. None for players only."""


@dataclass(frozen=True, slots=True)
class StopSeeking:
    """``stop seeking``: end all searches for players."""


@dataclass(frozen=True, slots=True)
class LeaveGame:
    """``leave``, ``leave VED4``: leave a table before its game begins."""

    code: str = ""
    """The game's short code in capitals. Blank for the only game that fits."""


@dataclass(frozen=True, slots=True)
class Rematch:
    """``rematch``, ``rematch VED4``: create a game with the same players."""

    code: str = ""
    """The game's short code in capitals. Blank for the game that ended last."""


@dataclass(frozen=True, slots=True)
class Invite:
    """``invite ali@example.org``, ``invite ali@example.org to VED4``."""

    address: str
    """In lower case."""
    code: str = ""
    """The game's short code in capitals. Blank for the only game that fits."""
    note: str = ""
    """The sender's note in the invitation."""


@dataclass(frozen=True, slots=True)
class TakeVacation:
    """``vacation 3 days``, ``vacation 3 days from 2027-03-20``."""

    days: int
    first: date | None = None
    """The first day. None for the first day on which a vacation may begin."""


@dataclass(frozen=True, slots=True)
class SetSleepHours:
    """``sleep 23-7``, ``sleep off``: set the sleep hours in the sender's time zone. Both are None for no sleep
    hours.
    """

    falls: time | None
    wakes: time | None


@dataclass(frozen=True, slots=True)
class SetDigest:
    """``emails daily``, ``emails daily at 8``, ``emails every 6 hours``, ``emails at once``."""

    digest: Literal["at-once", "hours", "daily"]
    number: int | None = None
    """The hours between two emails, or the local hour of the daily email. None keeps the present number."""


@dataclass(frozen=True, slots=True)
class StopMails:
    """``stop``: send no emails about games."""


@dataclass(frozen=True, slots=True)
class StartMails:
    """``start``: send emails about games again, also those that were turned off for single games."""


Lookup = ShowHelp | ShowGames | ShowStatus | ShowRules
"""Commands that change nothing."""
Seeking = SeekPlayers | StopSeeking
Settings = SetSleepHours | SetDigest | StopMails | StartMails
Change = CreateGame | Seeking | LeaveGame | Rematch | Invite | TakeVacation | Settings


@dataclass(frozen=True, slots=True)
class Unclear:
    """A command with text beside it that may cancel or change it."""

    line: str
    """The line with the command."""
    text: str


AccountCommand = Lookup | Change | Confirm
