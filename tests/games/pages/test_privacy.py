"""The privacy page: anybody finds it, and its lengths of time are those by which the server deletes."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils.translation import override

from accounts import guests
from accounts.authentication import codes, sessions
from games.phrases import period
from games.tables import invitations, seeks
from games.visibility import table
from notifications import outbox, received_mail, stream_events
from tests.games.pages.at_home import Visitor

pytestmark = pytest.mark.django_db
CONSTANTS = [
    (guests, "KEPT"),
    (codes, "KEPT"),
    (sessions, "DEVICE_KEPT"),
    (received_mail, "KEPT"),
    (invitations, "ADDRESS_RETENTION"),
    (seeks, "RETENTION"),
    (stream_events, "KEPT"),
    (outbox, "KEPT"),
    (table, "PRESENCE_KEPT"),
]
"""The constants that say how long something is kept."""


@pytest.mark.parametrize("language", ["en", "fa"])
def test_the_privacy_page_says_how_long_things_are_kept(
    monkeypatch: pytest.MonkeyPatch, settings: Any, language: str
) -> None:
    lengths = [timedelta(days=number) for number in range(40, 51)]
    for (module, name), length in zip(CONSTANTS, lengths, strict=False):
        monkeypatch.setattr(module, name, length)
    settings.KEEP_EMAILS, settings.SESSION_COOKIE_AGE = lengths[-2], int(lengths[-1].total_seconds())
    settings.KEEP_SIGHTINGS = timedelta(days=51)
    page = Visitor(language=language).go("/privacy/")
    with override(language):
        assert [length for length in (*lengths, timedelta(days=51)) if page.text.count(period(length)) != 1] == []


@pytest.mark.parametrize("path", ["/", "/signup/", "/login/", "/rules/", "/nothing/"])
def test_every_page_links_to_the_privacy_page(path: str) -> None:
    page = Visitor().go(path, 404 if path == "/nothing/" else 200)
    links = [link["href"] for link in page.all("a") if link["href"] == "/privacy/"]
    assert len(links) == (2 if path == "/signup/" else 1)
