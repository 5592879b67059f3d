"""Commands about the sender's account and other people: sign-up, name, language, time zone, blocks, reports, codes.

Names and reasons keep the letters of the sender. Everything before them is read in folded form.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from games.engine.reading import fold
from games.mail.reading.trailing_text import may_be_name


@dataclass(frozen=True, slots=True)
class SignUp:
    """``sign up``, ``sign up as Zari``: make an account for the sender's address."""

    language: str
    """The language of the command."""
    name: str = ""
    """The name that the sender asks for, or a blank text."""


@dataclass(frozen=True, slots=True)
class SetName:
    """``name Zari``: take another name."""

    name: str


@dataclass(frozen=True, slots=True)
class SetLanguage:
    """``language Persian``: get pages and emails in another language."""

    language: str


@dataclass(frozen=True, slots=True)
class SetTimeZone:
    """``time zone Tehran``: set the time zone by its name, or by a city in it."""

    place: str
    """In the letters of the sender."""


@dataclass(frozen=True, slots=True)
class BlockPlayer:
    """``block Zari``, ``unblock Zari``."""

    name: str
    is_blocked: bool = True


@dataclass(frozen=True, slots=True)
class ReportPlayer:
    """``report Zari: she insults everyone``: report a player of one's latest game with them to the moderators."""

    name: str
    reason: str


AccountChange = SetName | SetLanguage | SetTimeZone | BlockPlayer | ReportPlayer
"""Changes that need no code."""


@dataclass(frozen=True, slots=True)
class RequestCode:
    """``my data``, ``delete my account``, ``new address zari@example.org``: needs a code by email."""

    purpose: str
    address: str = ""
    """The new address in canonical form, for a change of the address."""


AnyAccountCommand = SignUp | AccountChange | RequestCode
Build = Callable[[re.Match[str], str], AnyAccountCommand | None]
"""A function that builds a command from a match and from the argument in the letters of the sender."""


def read_account_line(line: str) -> AnyAccountCommand | None:
    """Return the command of a plain line, or None."""
    folded = fold(line)
    for pattern, build in _COMMANDS:
        if match := pattern.fullmatch(folded):
            return build(match, _original_end(line, match.groupdict().get("rest") or ""))
    return None


def _original_end(line: str, folded: str) -> str:
    """Return the end of a line whose folded form is ``folded``."""
    return next((end for end in _ends(line) if fold(end) == folded), folded) if folded else ""


def _ends(line: str) -> Iterator[str]:
    words = line.split()
    return (" ".join(words[start:]) for start in range(len(words)))


def _without_stop(text: str) -> str:
    return text.rstrip(" .۔")


def _report(_match: re.Match[str], argument: str) -> ReportPlayer | None:
    name, reason = re.split(":| for | because ", argument, maxsplit=1)
    return ReportPlayer(name.strip(), reason.strip()) if name.strip() and reason.strip() else None


def _name(_match: re.Match[str], argument: str) -> SetName | None:
    name = _without_stop(argument)
    return SetName(name) if may_be_name(name) else None


def _sign_up(language: str, _match: re.Match[str], argument: str) -> SignUp | None:
    name = _without_stop(argument)
    return SignUp(language, name) if may_be_name(name) else None


_NAME: Final = "[^:,،;؛]+"
_COMMANDS: Final[tuple[tuple[re.Pattern[str], Build], ...]] = tuple(
    (re.compile(pattern), build)
    for pattern, build in (
        (
            rf"(?:(?:i(?:'d| would) like to|i want to) )?(?:sign(?: me)? up|register(?: me)?)"
            rf"(?: as (?P<rest>{_NAME}))?",
            partial(_sign_up, "en"),
        ),
        (
            rf"(?:ثبت ?نام|عضویت)(?: (?:با نام|به نام|به اسم) (?P<rest>{_NAME}))?",
            partial(_sign_up, "fa"),
        ),
        (
            r"(?:(?:change )?(?:my )?name(?: is| to)?+:?|نام(?: من)?+:?) (?P<rest>[^:,،;؛?؟]+)",
            _name,
        ),
        (
            r"(?:(?:change )?(?:my )?time ?zone(?: is| to)?+:?|منطقه(?: ?ی)? زمانی(?: من)?+:?|به وقت) "
            r"(?P<rest>[^:,،;؛?؟]+)",
            lambda _match, argument: SetTimeZone(_without_stop(argument).removesuffix(" است")),
        ),
        (rf"(?:block|مسدود کردن) (?P<rest>{_NAME})", lambda _match, argument: BlockPlayer(_without_stop(argument))),
        (
            rf"(?:unblock|رفع مسدودی) (?P<rest>{_NAME})",
            lambda _match, argument: BlockPlayer(_without_stop(argument), is_blocked=False),
        ),
        (
            r"(?:(?:i want|i need|i'd like|i would like|i have) to )?(?:report|گزارش) "
            r"(?P<rest>[^:]+?(?::| for | because ).+)",
            _report,
        ),
    )
)
WORDS: Final = tuple(pattern.pattern for pattern, _build in _COMMANDS)
"""The patterns, whose words are known for typing errors."""
