"""Tests of the event stream for pages: a session opens it for pages of this server only."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from accounts.models import Account
from config.server import event_stream
from notifications.endpoints import Kind
from notifications.stream_events import NewStreamEvent, emit, id_before
from tests.notifications.stream_events.reader import PATH, Event, Reader

pytestmark = pytest.mark.django_db(transaction=True)


class PageReader(Reader):
    """The stream of a page, which sends cookies."""

    def __init__(self, port: int, key: str, path: str = PATH, **headers: str) -> None:
        all_headers = {"Cookie": f"{settings.SESSION_COOKIE_NAME}={key}", **headers}
        self.wire = socket.create_connection(("127.0.0.1", port), 15)
        header_lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in all_headers.items())
        self.wire.sendall(f"GET {path} HTTP/1.1\r\nHost: h\r\n{header_lines}\r\n".encode())
        self._lines = self.wire.makefile("rb")
        self.comments, self.last = 0, ""
        self.status = int(self._lines.readline().split()[1])
        self.headers: dict[str, str] = {}
        while line := self._lines.readline().decode().strip():
            name, _, value = line.partition(": ")
            self.headers[name.lower()] = value


@contextmanager
def opened(port: int, key: str, path: str = PATH, **headers: str) -> Iterator[PageReader]:
    reader = PageReader(port, key, path, **headers)
    try:
        yield reader
    finally:
        reader.close()


@pytest.fixture
def browser(maryam: Account) -> Client:
    """Maryam's browser, in which she is signed in."""
    client = Client()
    client.force_login(maryam)
    return client


def key_of(client: Client) -> str:
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def tell(account: Account, number: int) -> None:
    emit([NewStreamEvent(account.pk, Kind.EVENT, {"game": "g", "number": number})], timezone.now())


def first(reader: PageReader) -> Event:
    event = reader.next()
    assert event
    return event


def test_a_page_of_this_server_hears_what_happens_to_who_is_signed_in(
    port: int, browser: Client, maryam: Account, sepideh: Account
) -> None:
    with opened(port, key_of(browser), Origin=settings.PUBLIC_URL) as reader:
        assert reader.headers["access-control-allow-origin"] == settings.PUBLIC_URL
        assert reader.headers["access-control-allow-credentials"] == "true"
        assert first(reader).kind == "ready"
        tell(sepideh, 1)
        tell(maryam, 2)
        assert first(reader).data["number"] == 2


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "http://localhost:1"},
        {"Origin": "https://localhost:8000"},
        {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_a_page_of_another_site_hears_nothing_with_somebodys_session(
    port: int, browser: Client, headers: dict[str, str]
) -> None:
    with opened(port, key_of(browser), **headers) as reader:
        assert reader.status == 401
        assert "access-control-allow-credentials" not in reader.headers


@pytest.mark.parametrize("headers", [{}, {"Sec_Fetch_Site": "same-origin"}, {"Origin": "http://127.0.0.1:8000"}])
def test_a_page_hears_it_behind_a_proxy_and_by_another_name_of_this_machine(
    port: int, browser: Client, headers: dict[str, str], settings: Any
) -> None:
    settings.PUBLIC_URL = "http://localhost:8000"
    with opened(port, key_of(browser), **headers) as reader:
        assert first(reader).kind == "ready"


@pytest.mark.parametrize("key", ["", "none", "x" * 5000, '"', "a;b"])
def test_a_session_that_is_none_opens_nothing(port: int, key: str) -> None:
    with opened(port, key) as reader:
        assert reader.status in (401, 431)


def test_a_page_of_this_server_can_read_why_it_hears_nothing(port: int) -> None:
    with opened(port, "over", Origin=settings.PUBLIC_URL) as reader:
        assert reader.status == 401
        assert reader.headers["access-control-allow-origin"] == settings.PUBLIC_URL
        assert reader.headers["access-control-allow-credentials"] == "true"


def test_a_stream_ends_with_its_session(
    port: int, browser: Client, maryam: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_stream, "TOKEN_CHECK_INTERVAL", 0.2)
    second = Client()
    second.force_login(maryam)
    with opened(port, key_of(browser)) as reader, opened(port, key_of(second)) as other:
        assert [first(stream).kind for stream in (reader, other)] == ["ready", "ready"]
        browser.logout()
        assert reader.next() is None
        tell(maryam, 1)
        assert first(other).data["number"] == 1
        maryam.set_password("seven goats on a roof")
        maryam.save()
        assert other.next() is None


def test_a_page_opens_the_stream_where_it_leaves_off(port: int, browser: Client, maryam: Account) -> None:
    with opened(port, key_of(browser)) as reader:
        first(reader)
        tell(maryam, 1)
        first(reader)
    time = timezone.now()
    tell(maryam, 2)
    address = f"{PATH}?last-event-id={id_before(maryam.pk, time)}"
    with opened(port, key_of(browser), address) as reader:
        assert first(reader).data["number"] == 2
