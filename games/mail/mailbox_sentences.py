"""The sentences of commands to the server's own address, in both languages.

``sentences.toml`` lists them. Its fields ``needs``, ``may``, ``values`` and ``asks`` are those of
``games.mail.reading.sentences.Kind``.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import time
from functools import partial
from pathlib import Path
from typing import Final, Literal

import msgspec

from accounts.local_times import find_zone
from accounts.models import CodeRequest, Language
from games.engine.reading import fold
from games.mail.account_commands import BlockPlayer, RequestCode, SetLanguage, SetName, SetTimeZone
from games.mail.mailbox_commands import (
    AccountCommand,
    CancelVacation,
    ComeBack,
    Invite,
    JoinGame,
    LeaveGame,
    Rematch,
    SetDigest,
    SetSleepHours,
    ShowGames,
    ShowHelp,
    ShowRules,
    ShowSearches,
    ShowStatus,
    StartMails,
    StopMails,
    StopSeeking,
    TakeVacation,
)
from games.mail.reading.periods import count_of, days_of, period_of
from games.mail.reading.sentences import Kind, Reading, join_words, split_sentence
from games.visibility.words import SHORT_CODE_LENGTH

Build = Callable[[Reading], AccountCommand | None]


def _code(reading: Reading) -> str:
    return str(next(iter(reading.values.get("code", ())), ""))


def _match(reading: Reading, kind: str) -> re.Match[str] | None:
    match = next(iter(reading.values.get(kind, ())), None)
    return None if isinstance(match, str) else match


def _short_code(command: Callable[[str], AccountCommand]) -> Build:
    def build(reading: Reading) -> AccountCommand | None:
        code = _code(reading)
        return command(code.upper()) if len(code) in (0, SHORT_CODE_LENGTH) else None

    return build


def _invite(reading: Reading) -> Invite | None:
    address, code = _match(reading, "address"), _code(reading)
    return Invite(address[1], code.upper()) if address and len(code) in (0, SHORT_CODE_LENGTH) else None


def _new_address(reading: Reading) -> RequestCode | None:
    address = _match(reading, "address")
    return RequestCode(CodeRequest.Purpose.ADDRESS, address[1]) if address else None


def _vacation(reading: Reading) -> TakeVacation | None:
    duration, match = _match(reading, "duration"), _match(reading, "period")
    period = period_of(match) if match else None
    if (
        (match and period is None)
        or not (duration or (period and period.last))
        or (duration and period and period.last)
    ):
        return None
    return TakeVacation(
        days_of(duration) if duration else None, period.first if period else None, period.last if period else None
    )


_WORDS: Final = re.compile(r"[^\s,،.:;!?؟]+")
_LAST_HOUR: Final = 23
_LAST_MINUTE: Final = 59
_MIDNIGHT: Final = (24, 0)
"""The end of a day."""
_LONGEST_DIGEST: Final = 48
"""Hours. The settings have the same limit."""
_FORENOON: Final = ("am", "in the morning", "صبح")
_AFTERNOON: Final = ("pm", "in the afternoon", "in the evening", "عصر", "بعد از ظهر")
_NIGHT: Final = ("at night", "شب")


def _clock(match: re.Match[str]) -> tuple[int, int]:
    """Return the hour of 24 and the minute. “At night” begins at six in the evening."""
    hour, half = int(match["hour"]), match["half"]
    if half in _NIGHT:
        half = "pm" if 6 <= hour < 12 else "am"
    if hour <= 12 and half in (*_FORENOON, *_AFTERNOON):
        hour = hour % 12 + (12 if half in _AFTERNOON else 0)
    return hour, int(match["minute"] or 0)


def _sleep(reading: Reading) -> SetSleepHours | None:
    clocks = [_clock(match) for match in reading.values.get("clock", ()) if not isinstance(match, str)]
    if len(clocks) != 2:
        return None
    falls, wakes = clocks[0], (0, 0) if clocks[1] == _MIDNIGHT else clocks[1]
    if max(falls[0], wakes[0]) > _LAST_HOUR or max(falls[1], wakes[1]) > _LAST_MINUTE:
        return None
    return SetSleepHours(time(*falls), time(*wakes))


def _daily(reading: Reading) -> SetDigest | None:
    match = _match(reading, "clock")
    if match is None:
        return SetDigest("daily")
    hour, minute = _clock(match)
    return SetDigest("daily", hour) if hour <= _LAST_HOUR and minute == 0 else None


def _hourly(reading: Reading) -> SetDigest | None:
    match = _match(reading, "every")
    hours = count_of(match["hours"]) if match else 0
    return SetDigest("hours", hours) if 1 <= hours <= _LONGEST_DIGEST else None


def _rules(reading: Reading) -> ShowRules:
    return ShowRules(str(next(iter(reading.values.get("title", ())), "")))


def _with_name(command: Callable[[str], AccountCommand | None]) -> Build:
    return lambda reading: command(str(reading.values["name"][0]))


def _new_name(name: str) -> SetName | None:
    """Return the command for a name with a capital letter, if letters have any: “call me crazy” is none."""
    return None if name.islower() else SetName(name)


def _zone(place: str) -> SetTimeZone | None:
    """Return the command if the place is known: “I live in hope” is none."""
    return SetTimeZone(place) if find_zone(place) else None


def _in_letters(reading: Reading, line: str) -> Reading:
    """Return a reading with its name in the letters of the sender."""
    if (name := next(iter(reading.values.get("name", ())), None)) is None:
        return reading
    words = _WORDS.findall(line)
    parts = (" ".join(words[at : at + str(name).count(" ") + 1]) for at in range(len(words)))
    spelling = next((part for part in parts if join_words(fold(part)) == name), name)
    return replace(reading, values={**reading.values, "name": (spelling,)})


def _always(command: AccountCommand) -> Build:
    return lambda _reading: command


_BUILDERS: Final[Mapping[str, Build]] = {
    "help": _always(ShowHelp()),
    "games": _always(ShowGames()),
    "searches": _always(ShowSearches()),
    "status": _always(ShowStatus()),
    "rules": _rules,
    "stop seeking": _always(StopSeeking()),
    "join": lambda reading: JoinGame(_code(reading)),
    "leave": _short_code(LeaveGame),
    "rematch": _short_code(Rematch),
    "invite": _invite,
    "vacation": _vacation,
    "cancel vacation": _always(CancelVacation()),
    "back": _always(ComeBack()),
    "sleep": _sleep,
    "emails daily": _daily,
    "emails every": _hourly,
    "emails at once": _always(SetDigest("at-once")),
    "stop": _always(StopMails()),
    "start": _always(StartMails()),
    "language en": _always(SetLanguage(Language.ENGLISH.value)),
    "language fa": _always(SetLanguage(Language.PERSIAN.value)),
    "name": _with_name(_new_name),
    "time zone": _with_name(_zone),
    "block": _with_name(BlockPlayer),
    "unblock": _with_name(partial(BlockPlayer, is_blocked=False)),
    "delete": _always(RequestCode(CodeRequest.Purpose.DELETION)),
    "data": _always(RequestCode(CodeRequest.Purpose.DATA)),
    "address": _new_address,
}


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of ``sentences.toml``."""

    command: str
    needs: tuple[str, ...]
    may: str = ""
    values: tuple[str, ...] = ()
    asks: Literal["request", "proposal", "any"] = "request"


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file ``sentences.toml``."""

    words: Mapping[str, str]
    """Lists of words that several sentences share."""
    sentences: tuple[_Row, ...]


_TABLE: Final = msgspec.toml.decode(Path(__file__).with_name("sentences.toml").read_bytes(), type=_Table)
_ROWS: Final[tuple[tuple[Kind, Build], ...]] = tuple(
    (
        Kind(
            tuple(need.format(**_TABLE.words) for need in row.needs),
            row.may.format(**_TABLE.words),
            row.values,
            row.asks,
        ),
        _BUILDERS[row.command],
    )
    for row in _TABLE.sentences
)
WORDS: Final = tuple(words for kind, _build in _ROWS for words in (*kind.needs, kind.may))
"""The words of sentences, for typing errors."""


def read_command_sentence(line: str, titles: Mapping[str, str]) -> AccountCommand | None:
    """Return the only command of a plain line. None if it has none, or if it may mean two."""
    sentence = split_sentence(fold(line))
    if sentence is None:
        return None
    readings = ((build, kind.read(sentence, titles)) for kind, build in _ROWS)
    commands = {command for build, reading in readings if reading and (command := build(_in_letters(reading, line)))}
    return commands.pop() if len(commands) == 1 else None
