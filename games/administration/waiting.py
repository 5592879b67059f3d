"""The page with the waiting times of games, without players or games."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.core import clock
from games.archive import waiting_times
from games.archive.waiting_times import Sums
from games.phrases import number, percent, period, render_phrase
from games.rules.registry import RULES

_LATEST: Final = timedelta(days=365)
"""The number of months that are shown."""
_CAUSES: Final = {
    "asleep": gettext_noop("in their sleep hours"),
    "not_seen": gettext_noop("hadn’t seen the question on a page"),
    "seen": gettext_noop("had seen it and not answered"),
    "planned": gettext_noop("a plan was waiting"),
}


@dataclass(frozen=True)
class Line:
    """A row of the table: a kind of question, or a cause of waiting."""

    label: str
    a_game: str
    """The average time in each game."""
    share: str
    """The share of the total waiting time."""
    timed_out: str = ""
    """The share of these waits that ended with a timeout."""


@dataclass(frozen=True)
class Table:
    """The waiting times of games with one title and number of people."""

    title: str
    people: str
    games: str
    kinds: list[Line]
    causes: list[Line]


@require_safe
@never_cache
def page(request: HttpRequest, site: Mapping[str, Any]) -> HttpResponse:
    """Return the page. ``site`` is the context of all pages of the admin."""
    since = (clock.now() - _LATEST).date()
    tables = [_table(*table, kinds) for table, kinds in waiting_times.sums_by_table(since).items()]
    context = {**site, "title": _("What games wait for"), "tables": tables, "fewest": number(waiting_times.FEWEST)}
    return render(request, "games/administration/waiting.html", context)


def _table(rules: str, people: int, kinds: Mapping[str, Sums]) -> Table:
    games = waiting_times.games_of(kinds.values())
    whole = sum((sums.time for sums in kinds.values()), timedelta())
    by_cause = {cause: sum((sums.spent[cause] for sums in kinds.values()), timedelta()) for cause in _CAUSES}
    title = render_phrase(RULES[rules].words.title, {}) if rules in RULES else rules
    return Table(
        title=title,
        people=number(people),
        games=number(games),
        kinds=[
            _line(kind, sums.time, games, whole, percent(sums.timed_out / sums.waits) if sums.waits else "")
            for kind, sums in kinds.items()
        ],
        causes=[_line(_(_CAUSES[cause]), time, games, whole) for cause, time in by_cause.items()],
    )


def _line(label: str, time: timedelta, games: int, whole: timedelta, timed_out: str = "") -> Line:
    share = percent(time / whole) if whole else ""
    return Line(label, period(time / games) if time else "–", share, timed_out)
