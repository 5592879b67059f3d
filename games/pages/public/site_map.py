"""The site map: the pages that search engines may list."""

from collections.abc import Iterator
from itertools import islice
from typing import Final
from xml.sax.saxutils import escape

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from games.archive import player_stats
from games.rules.registry import RULES

_MOST: Final = 5000
"""The maximum number of listed pages. The protocol allows ten times as many."""
_HOUR: Final = 60 * 60


@require_safe
@gzip_page
@cache_control(public=True, max_age=_HOUR)
def site_map(request: HttpRequest) -> HttpResponse:
    """Return the addresses of the public pages in the format of sitemaps.org."""
    entries = "".join(
        f"<url><loc>{escape(settings.PUBLIC_URL + path)}</loc></url>\n" for path in islice(_paths(), _MOST)
    )
    document = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</urlset>\n'
    )
    return HttpResponse(document, content_type="application/xml")


def _paths() -> Iterator[str]:
    """Yield the public pages and the public profiles. Games and lists of games name players, so they are left out."""
    yield from (reverse(f"pages:{name}") for name in ("home", "rules", "leaders", "privacy"))
    yield from (reverse("pages:rules-of", args=[name]) for name in RULES)
    yield from (reverse("pages:lesson", args=[name]) for name, rules in RULES.items() if rules.lesson is not None)
    players = player_stats.public_players().order_by("pk").values_list("name", flat=True)
    yield from (reverse("pages:player", args=[name]) for name in players[:_MOST])
