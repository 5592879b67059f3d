"""Parser of searches for players: a title, then numbers of players, a speed, expansions and bots in any order."""

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from games.mail.mailbox.commands import SeekPlayers
from games.mail.mailbox.titles import read_options
from games.mail.mailbox.words_of_commands import IN_WORDS, Titles, count_of, title_at
from games.terms.speeds import SPEEDS

_PERSIAN_SPEEDS: Final[Mapping[str, str]] = {
    "هم زمان": "live", "همزمان": "live", "شبانه": "evening", "روزانه": "daily", "اهسته": "slow",
}  # fmt: skip
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
_SPEED: Final = re.compile(rf"(?:(?:at )?(?:speed )?)(?P<speed>{_SPEED_WORDS})(?!\w)")
_OPTION: Final = re.compile(r"(?P<wish>(?:without|with|no|بدون|بی|با) )?(?:the )?(?P<option>\w+)")
_WITHOUT: Final = ("without ", "no ", "بدون ", "بی ")


def read_seek(match: re.Match[str], titles: Titles) -> SeekPlayers | None:
    """Return the search that a line asks for. None if a part is not understood or stated twice."""
    rest = match["rest"] or match["rest_fa"]
    title = title_at(rest, titles)
    return _read_parts(titles[title], rest.removeprefix(title)) if title else None


def _read_parts(rules: str, rest: str) -> SeekPlayers | None:
    names = read_options(rules)
    conditions: dict[str, Any] = {}
    options: dict[str, bool] = {}
    while rest := rest[_match_end(_BETWEEN, rest) :].strip(" ."):
        for pattern in (_BOTS, _NUMBERS, _SPEED):
            if part := pattern.match(rest):
                values = _values(part)
                break
        else:
            part, values = _OPTION.match(rest), {}
            if part is None or part["option"] not in names or names[part["option"]] in options:
                return None
            options[names[part["option"]]] = (part["wish"] or "") not in _WITHOUT
        if conditions.keys() & values.keys():
            return None
        conditions |= values
        rest = rest[part.end() :]
    return SeekPlayers(rules, **conditions, options=tuple(sorted(options.items())))


def _values(part: re.Match[str]) -> dict[str, Any]:
    if part.re is _BOTS:
        return {"fill_after": count_of(part["after"]) * _UNITS[part["unit"]]}
    if part.re is _SPEED:
        return {"speed": _PERSIAN_SPEEDS.get(part["speed"], part["speed"])}
    least = count_of(part["least"])
    return {"least": least, "most": count_of(part["most"]) if part["most"] else least}


def _match_end(pattern: re.Pattern[str], text: str) -> int:
    match = pattern.match(text)
    return match.end() if match else 0
