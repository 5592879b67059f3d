"""Tests of what may be asked of the event stream: bad tokens are refused before they are looked up, and opening is
counted."""

import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from accounts import tokens
from accounts.models import Account
from config.server import event_stream
from config.server.rate_limits import TokenGuesses, secrets_policy
from tests.notifications.stream_events.reader import Reader
from tests.server.darbar import Darbar

HOME = "203.0.113.7"


class Clock:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def guesses(clock: Clock) -> TokenGuesses:
    return TokenGuesses(clock)


def used_up(guesses: TokenGuesses, address: str = HOME) -> None:
    assert [guesses.take(address, f"Bearer {number}") for number in range(secrets_policy().quota)] == [0] * 60


def test_an_address_has_so_many_bad_tokens_a_minute(guesses: TokenGuesses, clock: Clock) -> None:
    used_up(guesses)
    assert guesses.take(HOME, "Bearer x") == 1
    assert guesses.take("203.0.113.8", "Bearer x") == 0
    clock.now = 1.0
    assert [guesses.take(HOME, "Bearer x") for _ in range(2)] == [0, 1]
    clock.now = 61.0
    used_up(guesses)


def test_a_network_has_ten_times_as_many(guesses: TokenGuesses) -> None:
    for host in range(10):
        used_up(guesses, f"203.0.113.{host}")
    assert guesses.take("203.0.113.10", "Bearer x") == 1
    assert guesses.take("203.0.114.1", "Bearer x") == 0


def test_good_tokens_cost_nothing_and_are_let_in_whatever_their_neighbours_do(guesses: TokenGuesses) -> None:
    for number in range(200):
        assert guesses.take(HOME, f"Bearer good{number}") == 0
        guesses.settle(HOME, f"Bearer good{number}", is_bad=False)
    used_up(guesses)
    assert guesses.take(HOME, "Bearer unknown") == 1
    assert guesses.take(HOME, "Bearer good7") == 0
    guesses.settle(HOME, "Bearer good7", is_bad=True)
    assert guesses.take(HOME, "Bearer good7") == 1


def test_the_oldest_is_forgotten_first(guesses: TokenGuesses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.server.rate_limits.KEPT", 4)
    used_up(guesses)
    assert guesses.take(HOME, "Bearer x") == 1
    for host in range(4):
        guesses.take(f"198.51.{host}.1", "Bearer x")
    assert guesses.take(HOME, "Bearer x") == 0
    assert len(guesses._full_at) == 4


@pytest.mark.django_db(transaction=True)
def test_opening_streams_draws_on_the_accounts_allowance(port: int, maryam: Account, settings: object) -> None:
    settings.REQUESTS_PER_ACCOUNT = 2  # type: ignore[attr-defined]
    token_texts = [tokens.issue(maryam, "test", ["games:read"])[1] for _ in range(3)]
    streams = [Reader(port, token_text) for token_text in token_texts[:2]]
    assert [stream.status for stream in streams] == [200, 200]
    refused = httpx.get(
        f"http://127.0.0.1:{port}{event_stream.PATH}", headers={"Authorization": f"Bearer {token_texts[2]}"}, timeout=10
    )
    assert (refused.status_code, refused.json()["code"]) == (429, "rate-limited")
    assert int(refused.headers["Retry-After"]) > 0
    assert refused.headers["RateLimit-Policy"] == '"account";q=2;w=60'
    for stream in streams:
        stream.close()


def test_bad_tokens_at_a_running_server_are_refused_without_being_looked_up(running: Darbar) -> None:
    """400 from one address: at most 60 and those that came back meanwhile are looked up; the others cost nothing."""
    url = f"http://127.0.0.1:{running.stream_port}{event_stream.PATH}"
    began = time.monotonic()
    with httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.7.7"), timeout=60) as guesser:

        def guess(number: int) -> httpx.Response:
            return guesser.get(url, headers={"Authorization": f"Bearer darbar_{number:064}"})

        with ThreadPoolExecutor(8) as guessing:
            answers = list(guessing.map(guess, range(400)))
    statuses = [answer.status_code for answer in answers]
    assert set(statuses) == {401, 429}
    assert statuses.count(401) <= 60 + (time.monotonic() - began) + 1
    refused = answers[statuses.index(429)]
    assert (refused.json()["code"], int(refused.headers["Retry-After"])) == ("rate-limited", 1)
    assert httpx.get(url, headers={"Authorization": "Bearer darbar_x"}, timeout=60).status_code == 401, "from elsewhere"
