"""The pages with figures: signs of health, waiting times, and accounts that may belong together."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import Account
from config.core import clock
from games import moderation
from games.archive import waiting_times
from games.archive.waiting_times import Sums
from games.operations import health
from games.phrases import isolated, number, percent, period, render_phrase
from games.rules.registry import RULES


@require_safe
@never_cache
def company_page(request: HttpRequest, reader: Account, site: Mapping[str, Any]) -> HttpResponse:
    """Return the page. ``site`` is the context of all pages of the admin."""
    pairs = moderation.pairs_to_review(reader, clock.now())
    context = {
        **site,
        "title": _("Accounts that may belong together"),
        "pairs": [
            {"accounts": (pair.first, pair.second), "reasons": [_in_words(pair, reason) for reason in pair.reasons]}
            for pair in pairs
        ],
        "kept": period(settings.KEEP_SIGHTINGS) if settings.KEEP_SIGHTINGS else "",
        "back": period(moderation.LOOKED_BACK),
        "is_full": len(pairs) == moderation.MOST,
        "most": moderation.MOST,
    }
    return render(request, "games/administration/company.html", context)


def _in_words(pair: moderation.AccountPair, reason: moderation.PairSign) -> str:
    values = {"count": number(reason.count)}
    match reason.sign:
        case "mailbox":
            return _("Their email addresses belong to one mailbox.")
        case "browser":
            return _("Both have logged in from the same browser.")
        case "network":
            sentence = ngettext(
                "Both were used from one network.", "Both were used from %(count)s networks.", reason.count
            )
            return sentence % values
        case "only-each-other":
            return _("Each has played against people %(count)s times, always against the other.") % values
    winner, loser = (pair.first, pair.second) if reason.winner == pair.first.pk else (pair.second, pair.first)
    values |= {"winner": isolated(winner.name), "loser": isolated(loser.name)}
    values |= {"won": number(reason.won), "lost": number(reason.lost)}
    return (
        _(
            "Over %(count)s games, the rating of %(winner)s rose by %(won)s points, and that of %(loser)s fell by "
            "%(lost)s."
        )
        % values
    )


_REFRESH_SECONDS: Final = "15"
"""The interval in seconds at which the page reloads."""


@require_safe
@never_cache
def health_page(request: HttpRequest, site: Mapping[str, Any]) -> HttpResponse:
    """Return all signs with their values and bounds, the red ones first. ``site`` is the context of all pages of the
    admin.
    """
    now = clock.now()
    signs = sorted(health.signs(now, health.uptime()), key=lambda sign: not sign.red)
    context = {
        **site,
        "title": _("Health of the server"),
        "signs": [
            (sign, _(sign.title), _format_value(sign, sign.value), _format_value(sign, sign.bound)) for sign in signs
        ],
        "now": now,
    }
    response = render(request, "games/administration/health.html", context)
    response.headers["Refresh"] = _REFRESH_SECONDS
    return response


def red_titles() -> list[str]:
    """Return the titles of all signs that are red now."""
    return [_(sign.title) for sign in health.signs(clock.now(), health.uptime()) if sign.red]


def _format_value(sign: health.Sign, value: float | None) -> str:
    if value is None:
        return "–"
    if sign.counted:
        return number(int(value))
    return _("%(seconds)s s") % {"seconds": number(int(value))} if value < 120 else period(timedelta(seconds=value))


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
def waiting_page(request: HttpRequest, site: Mapping[str, Any]) -> HttpResponse:
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
