"""Static files, and the files that browsers and search engines request of every site.

Static files, collected under names with a digest, compressed, and cached by browsers forever. ``config.server.prepare``
collects them into ``STATIC_FOLDER``. If the folder is empty, as in a test or with ``manage.py runserver``, they are
served from the folders of the packages and cached for a minute.

The files that browsers and search engines request of every site: web app manifest, robots.txt, offline page. They are
apart from ``static_files``, which is imported before Django's apps are ready.
"""

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from csp.constants import HEADER
from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, get_language_bidi, override
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

from accounts.models import Language

_INLINE: Final = re.compile(rb"<(script|style)>(.*?)</\1>", re.DOTALL)
_UNUSED: Final = ("rest_framework/",)
"""Files of libraries that no page uses."""
_SOURCES: Final = "sources.json"
"""The list of the files that were collected, with their sizes and times."""


def collect() -> None:
    """Collect the static files if any of them has changed since the last time.

    Older files stay, because open pages may still request them.
    """
    root = settings.STATIC_FOLDER
    sources = {
        "/".join(filter(None, (getattr(source, "prefix", ""), path))): (source, path)
        for finder in finders.get_finders()
        for path, source in finder.list(None)
    }
    files = {name: file for name, file in sources.items() if not name.startswith(_UNUSED)}
    fingerprints = json.dumps(
        [[name, *_fingerprint(Path(source.path(path)))] for name, (source, path) in files.items()]
    )
    last_fingerprints = root / _SOURCES
    if last_fingerprints.exists() and last_fingerprints.read_text() == fingerprints:
        return
    target = _collected()
    for name, (source, path) in files.items():
        target.delete(name)
        with source.open(path) as content:
            target.save(name, content)
    for _name, _path, result in target.post_process(files):
        if isinstance(result, Exception):
            raise result
    last_fingerprints.write_text(fingerprints)


def _fingerprint(file: Path) -> tuple[int, int]:
    status = file.stat()
    return status.st_size, status.st_mtime_ns


def are_collected() -> bool:
    """Return True if the static files have been collected completely at least once."""
    return Path(settings.STATIC_FOLDER, CompressedManifestStaticFilesStorage.manifest_name).exists()


def storage() -> StaticFilesStorage:
    """Return the storage of static files. It is chosen at its first use, after the files were collected."""
    return _collected() if are_collected() else StaticFilesStorage()


def _collected() -> "_Collected":
    return _Collected(location=settings.STATIC_FOLDER, base_url=settings.STATIC_URL)


class _Collected(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise has no types
    """Compresses only the files that pages link to, and no source maps, which halves the work."""

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Compress these files, and yield their names with those of the compressed files."""
        linked = [name for name in set(self.hashed_files.values()).intersection(paths) if not name.endswith(".map")]
        yield from super().compress_files(linked)


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # whitenoise has no types
    """Serves static files.

    HTML pages among them contain their script, so that people can save and use them without a network. The policy of
    such a page allows only that script.
    """

    def __init__(self, get_response: Any) -> None:
        super().__init__(get_response)
        if are_collected():
            self.add_files(settings.STATIC_FOLDER, prefix=self.static_prefix)
        else:  # finding all files now would take 50 ms in the first request of each test
            self.autorefresh = self.use_finders = True

    def add_cache_headers(self, headers: Any, path: str, url: str) -> None:

        super().add_cache_headers(headers, path, url)
        if path.endswith(".html"):
            headers[HEADER] = _policy_of(Path(path).read_bytes())


def _policy_of(page: bytes) -> str:
    sources: dict[bytes, list[str]] = {b"script": [], b"style": []}
    for kind, text in _INLINE.findall(page):
        sources[kind].append(f"'sha256-{base64.b64encode(hashlib.sha256(text).digest()).decode()}'")
    scripts, styles = (" ".join(sources[kind]) or "'none'" for kind in (b"script", b"style"))
    return f"default-src 'none'; script-src {scripts}; style-src {styles}; base-uri 'none'; frame-ancestors 'none'"


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
