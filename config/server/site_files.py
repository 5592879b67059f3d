"""The files that browsers and search engines request of every site: web app manifest, robots.txt, offline page.

They are apart from ``static_files``, which is imported before Django's apps are ready.
"""

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, get_language_bidi, override
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from accounts.models import Language

_ROBOTS: Final = """\
User-agent: *
Disallow: /answer/
Disallow: /api/
Disallow: /clubs/
Disallow: /games/new/
Disallow: /invitation/
Disallow: /join/
Disallow: /oauth/
Disallow: /settings/
Disallow: /tournaments/
Disallow: /*?
Sitemap: %(site)s/sitemap.xml
"""
# Links in emails and pages that need a log-in are not for search engines. Public games may be fetched, so that links to
# them have a preview, but these pages and their list ask not to be indexed, because they contain names of players.
_ICON_SIZES: Final = (192, 512)


def public_url(request: HttpRequest) -> dict[str, str]:
    """Return the address of the site for templates, as ``public_url``."""
    return {"public_url": settings.PUBLIC_URL}


@require_safe
@vary_on_headers("Accept-Language", "Cookie")
def manifest(request: HttpRequest) -> HttpResponse:
    """Return the manifest by which the site can be installed as an app, in the reader's language."""
    icons = [
        {"src": static(f"darbar/icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"}
        for size in _ICON_SIZES
    ]
    document = {
        "id": "/",
        "name": _("Darbar"),
        "short_name": _("Darbar"),
        "description": _("Slow games of bluff, by email, in the browser or in an app."),
        "lang": get_language(),
        "dir": "rtl" if get_language_bidi() else "ltr",
        "start_url": reverse("pages:home"),
        "scope": "/",
        "display": "standalone",
        "background_color": "#f6f0e4",
        "theme_color": "#7a1f2b",
        "icons": [*icons, {"src": static("darbar/mark.svg"), "sizes": "any", "type": "image/svg+xml"}],
    }
    return JsonResponse(document, content_type="application/manifest+json", json_dumps_params={"ensure_ascii": False})


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Return the pages that search engines may not fetch."""
    return HttpResponse(_ROBOTS % {"site": settings.PUBLIC_URL}, content_type="text/plain")


@require_safe
@gzip_page
def offline(request: HttpRequest) -> HttpResponse:
    """Return the page that a browser stores for times without a connection. It contains no personal data."""
    language = request.GET.get("language", "")
    with override(language if language in Language.values else get_language()):
        return render(request, "offline.html")
