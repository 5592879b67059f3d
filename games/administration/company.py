"""The page with pairs of accounts that may belong to one person, or that move ratings to each
other, with the reasons.
"""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import Account
from config.core import clock
from games import moderation
from games.phrases import isolated, number, period


@require_safe
@never_cache
def page(request: HttpRequest, reader: Account, site: Mapping[str, Any]) -> HttpResponse:
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
