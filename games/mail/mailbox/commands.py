"""The commands that a mail to the server's own address may give."""

from dataclasses import dataclass


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
    """``rules``, ``rules coup``: the rules in short."""

    rules: str = ""
    """The name of a game's rules; blank for all games."""


@dataclass(frozen=True, slots=True)
class Confirm:
    """``yes``: do what I was asked back about."""


@dataclass(frozen=True, slots=True)
class CreateGame:
    """``new coup 4``, ``new coup with 1 bot``."""

    rules: str
    seat_count: int
    bot_count: int = 0
    addresses: tuple[str, ...] = ()
    """Who is invited, in lower case. A game with such addresses is private."""


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


Lookup = ShowHelp | ShowGames | ShowStatus | ShowRules
"""What changes nothing."""
Change = CreateGame | LeaveGame | Rematch
AccountCommand = Lookup | Change | Confirm
