"""Tests of the stream of open games: public tables appear, change and disappear."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from accounts import tokens
from accounts.models import Account
from accounts.tokens import ALL
from config.server import open_games as open_games_stream
from config.server.open_games import PATH
from games.models import Game
from games.tables.joining import join_game, leave_game
from games.tables.new_game import NewGame
from games.tables.starting import create_game
from tests.notifications.stream_events.reader import Event, Reader
from tests.third_game.table import NOON

Open = Callable[..., Reader]


@pytest.fixture
def open_games(port: int, maryam: Account, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Open the stream of open games, with a filter."""
    monkeypatch.setattr(open_games_stream, "PERIOD", 0.2)
    readers: list[Reader] = []
    token = tokens.issue(maryam, "test", list(ALL))[1]

    def opened(query: str = "") -> Reader:
        readers.append(Reader(port, token, path=f"{PATH}{query}"))
        return readers[-1]

    yield opened
    for reader in readers:
        reader.close()


def create(host: Account, **terms: Any) -> Game:
    return create_game(host, NewGame(**{"rules": "coup", "seat_count": 3, **terms}), "api", NOON)


def events_of(reader: Reader, many: int) -> set[tuple[str, str]]:
    return {(event.kind, event.data["game"]) for event in reader.take(many)}


def test_what_there_is_is_told_and_then_what_comes_changes_and_goes(
    open_games: Open, maryam: Account, bahareh: Account
) -> None:
    first = create(maryam)
    reader = open_games()
    begun = reader.next()
    assert begun == Event(str(first.id), "open-game", begun.data if begun else {})
    assert (begun.data["rules"], begun.data["seat_count"], begun.data["free"]) == ("coup", 3, 2)
    second = create(bahareh, bots=())
    assert events_of(reader, 1) == {("open-game", str(second.id))}
    join_game(second.id, maryam, "", "api", NOON)
    changed = reader.next()
    assert changed
    assert (changed.kind, changed.data["game"], changed.data["free"]) == ("open-game", str(second.id), 1)
    leave_game(first.id, maryam, "api", NOON)
    assert events_of(reader, 1) == {("closed-game", str(first.id))}


def test_a_private_game_is_told_to_nobody(open_games: Open, maryam: Account, bahareh: Account) -> None:
    create(bahareh, private=True)
    create(maryam, private=True)
    public = create(bahareh)
    reader = open_games()
    assert events_of(reader, 1) == {("open-game", str(public.id))}
    assert reader.is_silent(1.0)


def test_a_filter_lets_some_through(open_games: Open, maryam: Account) -> None:
    games = [create(maryam, rules="sedlec", seat_count=2), create(maryam), create(maryam, seat_count=4)]
    assert events_of(open_games("?rules=sedlec"), 1) == {("open-game", str(games[0].id))}
    assert events_of(open_games("?rules=coup&seat_count=4"), 1) == {("open-game", str(games[2].id))}


@pytest.mark.parametrize(
    ("query", "sentence"),
    [("?colour=red", "colour"), ("?rules=chess", "rules: "), ("?seat_count=many", "seat_count: ")],
)
def test_what_is_no_filter_is_refused_by_name(port: int, query: str, sentence: str) -> None:
    answer = httpx.get(f"http://127.0.0.1:{port}{PATH}{query}", timeout=10)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert sentence in answer.json()["detail"]
