"""Static files: collected once under names with a digest, compressed, and kept by browsers for good.

``config.processes.prepare`` collects them into ``STATIC_FOLDER``. A process that finds none there, such as a test or
``manage.py runserver``, serves them from where the packages keep them, for a minute at a time.
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
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

_INLINE: Final = re.compile(rb"<(script|style)>(.*?)</\1>", re.DOTALL)
_UNUSED: Final = ("rest_framework/", "drf_spectacular_sidecar/redoc/")
"""Files of libraries that no page of ours asks for."""
_SOURCES: Final = "sources.json"
"""Tells of which files the collected ones were made."""


def collect() -> None:
    """Collect the static files, unless none has changed since they were collected last.

    Those of before stay: pages that browsers have open ask for them.
    """
    root = settings.STATIC_FOLDER
    found = {
        "/".join(filter(None, (getattr(source, "prefix", ""), path))): (source, path)
        for finder in finders.get_finders()
        for path, source in finder.list(None)
    }
    files = {name: file for name, file in found.items() if not name.startswith(_UNUSED)}
    sources = json.dumps([[name, *_fingerprint(Path(source.path(path)))] for name, (source, path) in files.items()])
    known = root / _SOURCES
    if known.exists() and known.read_text() == sources:
        return
    target = _collected()
    for name, (source, path) in files.items():
        target.delete(name)
        with source.open(path) as content:
            target.save(name, content)
    for _name, _made, outcome in target.post_process(files):
        if isinstance(outcome, Exception):
            raise outcome
    known.write_text(sources)


def _fingerprint(file: Path) -> tuple[int, int]:
    status = file.stat()
    return status.st_size, status.st_mtime_ns


def are_collected() -> bool:
    """Return whether the static files have been collected whole, at least once."""
    return Path(settings.STATIC_FOLDER, CompressedManifestStaticFilesStorage.manifest_name).exists()


def storage() -> StaticFilesStorage:
    """Return what names the static files, as a process finds them when it first asks: the runner reads the settings
    before they are collected."""
    return _collected() if are_collected() else StaticFilesStorage()


def _collected() -> "_Collected":
    return _Collected(location=settings.STATIC_FOLDER, base_url=settings.STATIC_URL)


class _Collected(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise has no types
    """Compresses files under the names that pages link, and no maps of sources: half of the work."""

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Compress those of the files; gives each with the name of the compressed one."""
        linked = [name for name in set(self.hashed_files.values()).intersection(paths) if not name.endswith(".map")]
        yield from super().compress_files(linked)


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # whitenoise has no types
    """Serves the static files.

    A page among them holds its own script, so that people can keep it and use it without a network. Its policy allows
    that script alone.
    """

    def __init__(self, get_response: Any) -> None:
        super().__init__(get_response)
        if are_collected():
            self.add_files(settings.STATIC_FOLDER, prefix=self.static_prefix)
        else:  # to look for all of them now would take each test's first request 50 ms
            self.autorefresh = self.use_finders = True

    def add_cache_headers(self, headers: Any, path: str, url: str) -> None:
        """Add the headers that depend on the file."""
        super().add_cache_headers(headers, path, url)
        if path.endswith(".html"):
            headers[HEADER] = _policy_of(Path(path).read_bytes())


def _policy_of(page: bytes) -> str:
    sources: dict[bytes, list[str]] = {b"script": [], b"style": []}
    for kind, text in _INLINE.findall(page):
        sources[kind].append(f"'sha256-{base64.b64encode(hashlib.sha256(text).digest()).decode()}'")
    scripts, styles = (" ".join(sources[kind]) or "'none'" for kind in (b"script", b"style"))
    return f"default-src 'none'; script-src {scripts}; style-src {styles}; base-uri 'none'; frame-ancestors 'none'"
