"""The commands that an email to the server's own address may give, and the words that name games in them.

A search for players has a title, then numbers of players, a speed, expansions and bots in any order.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, time, timedelta
from functools import lru_cache
from typing import Any, Final, Literal

from django.utils.translation import gettext as _
from django.utils.translation import override, pgettext

from accounts.models import Language
from games.engine import Phrase, gettext_noop
from games.engine.reading import fold
from games.mail.account_commands import AccountChange, RequestCode, SignUp
from games.mail.reading.periods import IN_WORDS, MonthDay, count_of
from games.mail.reading.sentences import asks, is_wanted, join_words, merge, phrases, polite_phrase
from games.phrases import render_phrase
from games.rules.registry import RULES
from games.tables.seeks import SearchedGame
from games.terms import SPEEDS, USUAL


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
    """``new`` with a title, ``new ... 4``, ``new ... with 1 bot``, ``new ... 4 with inquisitor, slow, private``."""

    rules: str
    seat_count: int
    bots: tuple[str, ...] = ()
    """The level of each bot."""
    addresses: tuple[str, ...] = ()
    """The invited addresses in lower case."""
    note: str = ""
    """The sender's note in the invitations."""
    speed: str | None = None
    """The usual speed if it is None."""
    options: tuple[tuple[str, bool], ...] = ()
    """The expansions that the sender names."""
    private: bool | None = None
    """True for a private game. None for the usual: private if addresses are invited."""


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
class JoinGame:
    """``join VED4``, or with the whole code of a private game."""

    code: str
    """In lower case."""


@dataclass(frozen=True, slots=True)
class LeaveGame:
    """``leave``, ``leave VED4``: leave a table before its game begins."""

    code: str = ""
    """The game's short code in capitals. Blank for the only game that fits."""


@dataclass(frozen=True, slots=True)
class Rematch:
    """``rematch``, ``rematch VED4``: offer a rematch to the players of a finished game, or accept the offer."""

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

    days: int | None
    """The number of days. None if the last day is given."""
    first: date | MonthDay | None = None
    """The first day. None for the first day on which a vacation may begin."""
    last: date | MonthDay | None = None


@dataclass(frozen=True, slots=True)
class CancelVacation:
    """``cancel my vacation``: cancel the vacations that have not begun."""


@dataclass(frozen=True, slots=True)
class ComeBack:
    """``I'm back``: play again in the games in which a bot plays for the account."""


@dataclass(frozen=True, slots=True)
class SetSleepHours:
    """``sleep 23-7``, ``sleep off``: set the sleep hours in the sender's time zone. Both are None for no sleep
    hours.
    """

    falls: time | None
    wakes: time | None


@dataclass(frozen=True, slots=True)
class SetDigest:
    """Change how often emails are sent: ``emails daily``, ``emails daily at 8``, ``emails every 6 hours``, ``emails at
    once``.
    """

    digest: Literal["at-once", "hours", "daily"]
    number: int | None = None
    """The hours between two emails, or the local hour of the daily email. None keeps the present number."""


@dataclass(frozen=True, slots=True)
class StopMails:
    """``stop``: send no emails about games."""


@dataclass(frozen=True, slots=True)
class StopThese:
    """Send no further emails like the answered one. The label of the link that does so is read as this command."""


@dataclass(frozen=True, slots=True)
class StartMails:
    """``start``: send emails about games again, also those that were turned off for single games."""


@dataclass(frozen=True, slots=True)
class ShowSearches:
    """``searches``: list the open searches for players, each with the command that joins it."""


Lookup = ShowHelp | ShowGames | ShowSearches | ShowStatus | ShowRules
"""Commands that change nothing."""
Seeking = SeekPlayers | StopSeeking
Settings = SetSleepHours | SetDigest | StopMails | StopThese | StartMails
Absence = TakeVacation | CancelVacation | ComeBack
Change = CreateGame | JoinGame | Seeking | LeaveGame | Rematch | Invite | Absence | Settings | AccountChange


AccountCommand = Lookup | Change | Confirm | SignUp | RequestCode


@dataclass(frozen=True, slots=True)
class Unclear:
    """A command with text beside it that may cancel or change it."""

    command: AccountCommand
    line: str
    """The line with the command."""
    text: str


Titles = Mapping[str, str]
"""The names of rules by their folded titles and by themselves."""

_SHORTEST_TITLE: Final = 4


def title_in(text: str, titles: Titles) -> tuple[str, str, str]:
    """Return the first title in a text, and the texts before and behind it. All are blank if there is none."""
    match = _title_pattern(tuple(titles)).search(text)
    return (match[0], text[: match.start()], text[match.end() :]) if match else ("", "", "")


@lru_cache(maxsize=16)
def _title_pattern(titles: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(titles, key=len, reverse=True)
    return re.compile(rf"(?<![\w@.-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w@])")


def read_titles() -> dict[str, str]:
    """Return the names of rules by their titles in all languages, and by the first words of these.

    In Persian, a title also has the ending of a noun before an adjective: «کودتای سریع».
    """
    titles = {name: name for name in RULES}
    for language in Language.values:
        with override(language):
            titles |= {fold(render_phrase(rules.words.title, {})): name for name, rules in RULES.items()}
    short: dict[str, set[str]] = {}
    for title, name in titles.items():
        first = title.split()[0]
        stem = first.removesuffix("ی")
        forms = (first,) if first.isascii() else (first, stem, f"{stem}ی")
        for form in forms if len(first) >= _SHORTEST_TITLE else ():
            short.setdefault(form, set()).add(name)
    return {form: names.pop() for form, names in short.items() if len(names) == 1} | titles


def first_word(label: Phrase) -> str:
    """Return the folded first word of the label of an expansion, in the active language."""
    return fold(render_phrase(label, {})).split()[0].strip(":،,")


def read_options(rules: str) -> dict[str, str]:
    """Return the expansions of a game by their names and by the first words of their labels, without articles."""
    law = RULES[rules]
    flags = {
        name: label for name, label in law.words.options.items() if isinstance(getattr(law.options(), name, None), bool)
    }
    names = {name: name for name in flags}
    for language in Language.values:
        with override(language):
            names |= {first_word(label): name for name, label in flags.items()}
    return {word: name for word, name in names.items() if word != "the"}


_PERSIAN_SPEEDS: Final[Mapping[str, str]] = {
    "زنده": "live", "هم زمان": "live", "همزمان": "live", "یکشبه": "evening", "یک شبه": "evening", "شبانه": "evening",
    "روزانه": "daily", "اهسته": "slow",
}  # fmt: skip
_BOTS_AFTER: Final = {
    1440: gettext_noop("bots after %(number)s days"),
    60: gettext_noop("bots after %(number)s hours"),
    1: gettext_noop("bots after %(number)s minutes"),
}
"""The words of a command for the time until bots come, by the minutes of the unit."""
_SPEED_WORDS: Final = "|".join((*SPEEDS, *_PERSIAN_SPEEDS))
_UNITS: Final[Mapping[str, timedelta]] = {
    "m": timedelta(minutes=1), "دقیقه": timedelta(minutes=1), "h": timedelta(hours=1), "ساعت": timedelta(hours=1),
    "d": timedelta(days=1), "روز": timedelta(days=1),
}  # fmt: skip
_BETWEEN: Final = re.compile(r"(?:\s|[,،؛;+&]|(?:and|و)(?!\w))*")
_BOTS: Final = re.compile(
    rf"(?:with |با )?(?:bots?|ربات(?: ?ها)?) (?:after|پس از|بعد از) (?P<after>\d{{1,4}}|(?:{IN_WORDS})(?!\w)) ?"
    r"(?P<unit>m(?=inutes?\b|in\b|\b)|h(?=ours?\b|\b)|d(?=ays?\b|\b)|دقیقه|ساعت|روز)\w*"
)
_NUMBERS: Final = re.compile(
    rf"(?:for )?(?P<least>\d{{1,3}}|(?:{IN_WORDS})(?!\w))(?: ?(?:-|–|to|تا) ?(?P<most>\d{{1,3}}|(?:{IN_WORDS})(?!\w)))?"
    r"(?: ?(?:players|people|seats|نفره|نفر|بازیکن)(?!\w))?(?!\w)"
)
SPEED: Final = re.compile(rf"(?:(?:at )?(?:speed )?)(?P<speed>{_SPEED_WORDS})(?!\w)")
OPTION: Final = re.compile(r"(?P<wish>(?:without|with|no|بدون|بی|با) )?(?:the )?(?P<option>\w+)")
WITHOUT: Final = ("without ", "no ", "بدون ", "بی ")


_SEEK: Final = phrases(
    "seek|seeking|looking for|look for|find|search for|searching for|دنبال"
    "|دنبال *گرد|*گرد|پیدا *کن|جست و جوی|جستجوی|جستوجوی"
)
_PLAYERS: Final = phrases(
    "players|people|someone|somebody|opponents|others|some|play|هم بازی+|بازیکن+|حریف|چند نفر|چند تا|بازی"
    "|بازی *کن|game|هستم|هستیم"
)
_SEEKING: Final = merge(_SEEK, _PLAYERS)
_ALONE: Final = phrases("seek|هم بازی").all
"""Words that ask for players without another word."""
_PEOPLE: Final = phrases("players|people|someone|somebody|opponents|others|هم بازی+|بازیکن+|حریف|چند نفر").all


def read_seek(folded: str, titles: Titles) -> SeekPlayers | None:
    """Return the search that a line asks for. None if a part is not understood or stated twice."""
    text, is_question = asks(join_words(folded))
    title, before, after = title_in(text, titles)
    return _read_parts(titles[title], f"{before} {after}", is_question=is_question) if title else None


def _read_parts(rules: str, rest: str, *, is_question: bool) -> SeekPlayers | None:
    names = read_options(rules)
    conditions: dict[str, Any] = {}
    options: dict[str, bool] = {}
    words: set[str] = set()
    while rest := rest[_match_end(_BETWEEN, rest) :].strip(" .:"):
        values: dict[str, Any] = {}
        phrase, length = polite_phrase(rest, _SEEKING)
        if part := _BOTS.match(rest) or SPEED.match(rest):  # a Persian speed begins with a number
            values = _values(part)
        elif phrase:
            words.add(phrase)
            rest = rest[length:]
            continue
        elif part := _NUMBERS.match(rest):
            values = _values(part)
        else:
            part = OPTION.match(rest)
            if part is None or part["option"] not in names or names[part["option"]] in options:
                return None
            options[names[part["option"]]] = (part["wish"] or "") not in WITHOUT
        if conditions.keys() & values.keys():
            return None
        conditions |= values
        rest = rest[part.end() :]
    if words.isdisjoint(_ALONE) and (words.isdisjoint(_SEEK.all) or words.isdisjoint(_PEOPLE)):
        return None
    if not is_wanted(frozenset(words), _SEEKING, "request", is_question=is_question):
        return None
    return SeekPlayers(rules, **conditions, options=tuple(sorted(options.items())))


def _values(part: re.Match[str]) -> dict[str, Any]:
    if part.re is _BOTS:
        return {"fill_after": count_of(part["after"]) * _UNITS[part["unit"]]}
    if part.re is SPEED:
        return {"speed": speed_of(part)}
    least = count_of(part["least"])
    return {"least": least, "most": count_of(part["most"]) if part["most"] else least}


def speed_of(part: re.Match[str]) -> str:
    """Return the name of the speed that ``SPEED`` has matched."""
    return _PERSIAN_SPEEDS.get(part["speed"], part["speed"])


def _match_end(pattern: re.Pattern[str], text: str) -> int:
    match = pattern.match(text)
    return match.end() if match else 0


def seek_line(game: SearchedGame) -> str:
    """Return the command that searches for a game, in the active language. ``read_seek`` reads it.

    Options that are not expansions have no words in a command, and are left out.
    """
    rules = RULES[game.rules]
    names = read_options(game.rules)
    numbers = str(game.least)
    if game.most != game.least:
        numbers = _("%(least)s to %(most)s") % {"least": game.least, "most": game.most}
    speeds = {
        "live": pgettext("command in an email", "live"),
        "evening": pgettext("command in an email", "evening"),
        "daily": pgettext("command in an email", "daily"),
        "slow": pgettext("command in an email", "slow"),
    }
    parts = [numbers, speeds[game.speed]]
    for name, value in sorted(game.options.items()):
        if name in names and isinstance(value, bool):
            word = first_word(rules.words.options[name])
            expansion = {"expansion": word if names.get(word) == name else name}
            parts.append((_("with %(expansion)s") if value else _("without %(expansion)s")) % expansion)
    if game.fill_after is not None:
        minutes = int(game.fill_after.total_seconds() // 60)
        for size, sentence in _BOTS_AFTER.items():
            if minutes % size == 0:
                parts.append(_(sentence) % {"number": minutes // size})
                break
    title = render_phrase(rules.words.title, {}).casefold()
    return _("seek %(title)s %(conditions)s") % {"title": title, "conditions": " ".join(parts)}
