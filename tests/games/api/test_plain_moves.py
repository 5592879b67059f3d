"""A plain move is stored by one statement; its answer, and what is stored, is what REST framework would have made."""

import gc
import io
import json
import threading
import time
import weakref
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import pytest
from django.core.handlers.base import BaseHandler
from django.db import connection, transaction
from django.test import Client, RequestFactory, TestCase, override_settings
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given
from hypothesis import settings as counts
from hypothesis import strategies as st

from accounts.models import Account, IdempotencyKey, Token
from accounts.tokens import tokens
from accounts.tokens.scopes import ALL, Scope
from config.celery import TaskNotifier
from games.api.play import moves
from games.api.play.batcher import Batcher
from games.api.play.outcomes import GROUP_COMMIT
from games.away import stand_ins
from games.lobby.create import create_game
from games.lobby.join import join_game
from games.lobby.new_game import NewGame
from games.models import Game, Move
from tests.long import SCALE
from tests.third_game.table import LATER, create_fist, fresh

pytestmark = pytest.mark.django_db
PLAIN, GENERAL = "application/json", "application/json; charset=utf-8"
"""Two ways to write one content type. Only with the first is a move plain."""
LOOKING = 3
"""The statements by which these tests look at what was stored."""
CLAIM = {"question": "1.1", "text": "claim 3"}


class Asked(NamedTuple):
    """A request, and the program that makes it."""

    game: Game
    headers: dict[str, str]
    body: bytes
    query: str = ""
    content_type: str = PLAIN
    method: str = "POST"


class Outcome(NamedTuple):
    """Holds what comes of a request, without what is new in each."""

    status: int
    headers: dict[str, str]
    body: Any
    moves: list[dict[str, Any]]
    kept: list[Any]
    """Says when tokens were last used, and idempotency keys."""
    statements: int


@pytest.fixture(autouse=True)
def in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server's clock stands within the time of every question."""
    monkeypatch.setattr("django.utils.timezone.now", lambda: LATER)


@pytest.fixture
def shown(maryam: Account) -> str:
    """Maryam's token, which has been used of late."""
    return token_of(maryam)


def token_of(account: Account, *scopes: str, used: bool = True) -> str:
    token, text = tokens.issue(account, "test", list(scopes or ALL))
    Token.objects.filter(pk=token.pk).update(last_used_at=LATER if used else None)
    return text


def asked(game: Game, token: str, body: Any = CLAIM, **headers: str) -> Asked:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Asked(game, {"Authorization": f"Bearer {token}", **named}, json.dumps(body).encode())


def general(request: Asked) -> Asked:
    """The same request, handled by REST framework."""
    return request._replace(content_type=GENERAL) if request.content_type == PLAIN else request


def outcome(request: Asked) -> Outcome:
    """Return what comes of a request; nothing of it stays."""
    with transaction.atomic(), CaptureQueriesContext(connection) as queries:
        path = f"/api/v1/games/{request.game.id}/moves/{request.query}"
        answer = Client().generic(request.method, path, request.body, request.content_type, headers=request.headers)
        moves = [*Move.objects.order_by("received_at").values()]
        kept = [*Token.objects.values_list("last_used_at"), *IdempotencyKey.objects.values_list("key")]
        transaction.set_rollback(True)
    new = [str(each["id"]) for each in moves]
    body = answer.content.decode()
    for each in new:
        body = body.replace(each, "new")
    headers = {name: value.replace(new[-1], "new") if new else value for name, value in answer.headers.items()}
    for varies in ("Content-Length", "X-Request-ID"):
        headers.pop(varies)
    moves = [{**each, "id": None} for each in moves]
    return Outcome(answer.status_code, headers, json.loads(body), moves, kept, len(queries))


def on_both_ways(request: Asked) -> Outcome:
    """Return what comes of a request as it is, which is what REST framework makes of it."""
    short, long = outcome(request), outcome(general(request))
    assert short.headers == long.headers
    assert short[:-1] == long[:-1]
    return short


@pytest.mark.parametrize(
    "body",
    [
        CLAIM,
        {"question": "1.1", "move": {"type": "fist.claim", "number": 3}},
        {"question": "1.1", "text": "۳"},
        {"question": "7.7", "text": "nonsense"},
        {"question": "1.1", "text": "resign yes"},
    ],
    ids=str,
)
@pytest.mark.parametrize("headers", [{}, {"Accept": "*/*"}, {"Accept_Language": "fa"}, {"Prefer": "wait=5"}], ids=str)
def test_a_plain_move_takes_fewer_statements(game: Game, shown: str, body: Any, headers: dict[str, str]) -> None:
    on_both_ways(asked(game, shown, body))
    request = asked(game, shown, body, **headers)
    came = on_both_ways(request)
    assert came.status == (200 if "Prefer" in headers else 202)
    assert came.statements < outcome(general(request)).statements


def test_what_is_plain_is_stored_by_one_statement(game: Game, shown: str) -> None:
    request = asked(game, shown)
    outcome(request)
    assert outcome(request).statements - LOOKING == 1


class _Awaited(io.BytesIO):
    """A body that notes, when it is read, who waits for its move."""

    waiting: tuple[Batcher[Any], ...] = ()

    def read(self, size: int | None = -1, /) -> bytes:
        me = threading.get_ident()
        self.waiting = tuple(each for each in (moves._QUEUE, GROUP_COMMIT) if me in each._coming)
        return super().read(size)


@pytest.mark.parametrize(("headers", "batcher"), [({}, moves._QUEUE), ({"Prefer": "wait=5"}, GROUP_COMMIT)])
def test_a_move_that_comes_is_waited_for_where_it_is_to_be_stored(
    game: Game, shown: str, headers: dict[str, str], batcher: Batcher[Any]
) -> None:
    request = asked(game, shown, **headers)
    body = _Awaited(request.body)
    extra: Any = {"wsgi.input": body}
    path = f"/api/v1/games/{game.id}/moves/"
    Client().generic("POST", path, request.body, PLAIN, headers=request.headers, **extra)
    assert body.waiting == (batcher,)
    assert not batcher._coming
    assert Move.objects.count() == 1


@pytest.mark.parametrize(("headers", "messages"), [({}, 1), ({"Prefer": "wait=5"}, 0)], ids=str)
def test_a_task_is_sent_for_a_move_that_nobody_waits_for(
    game: Game, shown: str, monkeypatch: pytest.MonkeyPatch, headers: dict[str, str], messages: int
) -> None:
    sent = list[str]()
    monkeypatch.setattr(TaskNotifier, "send_task", lambda _, name, *__, **___: sent.append(name))
    request = asked(game, shown, **headers)
    for content_type in (PLAIN, GENERAL):
        with TestCase.captureOnCommitCallbacks(execute=True):
            Client().post(f"/api/v1/games/{game.id}/moves/", CLAIM, content_type, headers=request.headers)
        assert sent.count("games.tasks.resolve_moves") == messages
        sent.clear()


def test_who_reads_persian_is_told_in_persian(game: Game, maryam: Account, shown: str) -> None:
    Account.objects.filter(pk=maryam.pk).update(language="fa")
    came = on_both_ways(asked(game, shown, {"question": "9.9", "text": "claim 3"}, Prefer="wait=5"))
    assert came.headers["Content-Language"] == "fa"
    assert came.body["state"] == "rejected"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"question": " 1.1 ", "text": "claim 3"}, 202),
        ({"question": "1.1", "text": " claim 3 "}, 202),
        ({"question": 1.1, "text": "claim 3"}, 400),
        ({"question": "1.1", "text": 3}, 400),
        ({"question": "1.1", "text": "claim\n3"}, 202),
        ({"question": "", "text": "claim 3"}, 400),
        ({"question": "1" * 21, "text": "claim 3"}, 400),
        ({"question": "1.1", "text": "c" * 501}, 400),
        ({"question": "1.1", "text": ""}, 400),
        ({"question": "1.1", "text": None}, 400),
        ({"question": "1.1", "text": "claim\0003"}, 400),
        ({"question": "1.1", "text": "claim \ud800"}, 400),
        ({"question": "1.1", "move": None}, 400),
        ({"question": "1.1", "move": {}, "text": "claim 3"}, 400),
        ({"question": "1.1", "move": None, "text": "claim 3"}, 400),
        ({"question": "1.1", "move": {"type": "fist.claim", "number": 3}, "text": None}, 400),
        ({"question": "1.1", "move": {"type": "fist.steal"}}, 400),
        ({"question": "1.1", "move": {"type": "fist.claim", "number": "3"}}, 400),
        ({"question": "1.1", "move": [3]}, 400),
        ({"question": "1.1"}, 400),
        ({"text": "claim 3"}, 400),
        ({"question": "1.1", "text": "claim 3", "move": {"type": "fist.claim", "number": 3}}, 400),
        ({"question": "1.1", "text": "claim 3", "seat": 2}, 400),
        ([CLAIM], 400),
    ],
    ids=str,
)
def test_a_body_that_is_not_plain_is_left_to_rest_framework(game: Game, shown: str, body: Any, status: int) -> None:
    assert on_both_ways(asked(game, shown, body)).status == status


@pytest.mark.parametrize("body", [b"", b"claim 3", b'{"question": "1.1", "text": "\xff"}', b"\xef\xbb\xbf{}"], ids=str)
def test_what_is_no_document_is_refused(game: Game, shown: str, body: bytes) -> None:
    assert on_both_ways(asked(game, shown)._replace(body=body)).status == 400


@pytest.mark.parametrize("depth", [18, 19, 800])
def test_a_document_that_nests_deeply_is_refused(game: Game, shown: str, depth: int) -> None:
    deep: Any = 3
    for _ in range(depth):
        deep = [deep]
    body = {"question": "1.1", "move": {"type": "fist.claim", "number": deep}}
    assert on_both_ways(asked(game, shown, body)).status == 400


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"query": "?wait=3"}, 400),
        ({"content_type": "application/json; charset=utf-8"}, 202),
        ({"content_type": "text/plain"}, 415),
        ({"method": "PUT"}, 405),
    ],
    ids=str,
)
def test_an_unusual_request_is_left_to_rest_framework(
    game: Game, shown: str, changed: dict[str, str], status: int
) -> None:
    assert on_both_ways(asked(game, shown)._replace(**changed)).status == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Accept": "text/html"}, 406),
        ({"Accept": "text/html, */*;q=0.1"}, 202),
        ({"Idempotency_Key": "again"}, 202),
        ({"Authorization": "Basic bWU6bWU="}, 401),
        ({"Authorization": "Bearer"}, 401),
        ({"Authorization": "Bearer darbar_nobody"}, 401),
        ({"Authorization": "Bearer darbar_nobody else"}, 401),
        ({"Authorization": "Bearer another"}, 401),
        ({"Origin": "https://bot.example"}, 202),
    ],
    ids=str,
)
def test_an_unusual_header_is_left_to_rest_framework(
    game: Game, shown: str, headers: dict[str, str], status: int
) -> None:
    assert on_both_ways(asked(game, shown, **headers)).status == status


def test_bearer_may_be_written_otherwise(game: Game, shown: str) -> None:
    assert on_both_ways(asked(game, shown, Authorization=f"bearer  {shown}")).status == 202


@pytest.mark.parametrize(
    ("upset", "status"),
    [
        (lambda game, account: Token.objects.update(expiry=LATER - timedelta(seconds=1)), 401),
        (lambda game, account: Token.objects.update(expiry=LATER), 202),
        (lambda game, account: Token.objects.update(last_used_at=LATER - timedelta(hours=2)), 202),
        (lambda game, account: Token.objects.update(last_used_at=None), 202),
        (lambda game, account: Token.objects.update(scopes=[Scope.GAMES_READ]), 403),
        (lambda game, account: Token.objects.all().delete(), 401),
        (lambda game, account: Account.objects.filter(pk=account.pk).update(is_active=False), 401),
        (lambda game, account: game.seats.filter(account=account).update(account=None), 403),
        (lambda game, account: Game.objects.update(state="open"), 409),
        (lambda game, account: Game.objects.update(state="cancelled"), 409),
        (lambda game, account: Game.objects.update(state="over"), 202),
        (lambda game, account: Game.objects.update(rules_version=2), 202),
        (lambda game, account: Game.objects.update(private=True), 202),
    ],
    ids=[
        "expired", "about to expire", "not used of late", "never used", "may not play", "revoked", "suspended",
        "stood up", "not begun", "cancelled", "over", "other rules", "private",
    ],
)  # fmt: skip
def test_who_may_not_is_told_so(
    game: Game, maryam: Account, shown: str, upset: Callable[[Game, Account], Any], status: int
) -> None:
    upset(game, maryam)
    assert on_both_ways(asked(game, shown)).status == status
    waited = on_both_ways(asked(game, shown, Prefer="wait=1")).status
    assert waited == status or (status, waited) == (202, 200)


def test_a_move_in_json_for_rules_that_are_not_here_is_refused(game: Game, shown: str) -> None:
    Game.objects.update(rules_version=2)
    assert (
        on_both_ways(asked(game, shown, {"question": "1.1", "move": {"type": "fist.claim", "number": 3}})).status == 409
    )


def test_a_game_that_is_not_there_is_not_found(game: Game, shown: str) -> None:
    gone = fresh(game)
    Move.objects.filter(game=game).delete()
    gone.id = Game().id
    body = {"question": "1.1", "move": {"type": "fist.claim", "number": 3}}
    assert on_both_ways(asked(gone, shown, body)).status == 404


def test_strangers_are_refused(game: Game, hidden: Game, kaveh: Account) -> None:
    token = token_of(kaveh)
    for headers in ({}, {"Prefer": "wait=1"}):
        assert on_both_ways(asked(game, token, **headers)).status == 403
        assert on_both_ways(asked(hidden, token, **headers)).status == 404


def test_what_is_left_to_rest_framework_was_in_when_it_came_however_long_the_statement_took(
    game: Game, maryam: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, began, told = token_of(maryam, used=False), time.monotonic(), list[datetime]()

    def now() -> datetime:
        # The time that is stored has whole seconds: it begins near the end of one.
        told.append(LATER + timedelta(seconds=0.8 + time.monotonic() - began))
        return told[-1]

    monkeypatch.setattr("django.utils.timezone.now", now)
    monkeypatch.setattr(GROUP_COMMIT, "_taken", True)
    headers = {"Authorization": f"Bearer {token}", "Prefer": "wait=1"}
    answer = Client().post(f"/api/v1/games/{game.id}/moves/", CLAIM, "application/json", headers=headers)
    assert answer.status_code == 200
    assert told[-1] - told[0] > timedelta(seconds=0.25), "it waited to be stored with others"
    assert Move.objects.get().received_at == told[0].replace(microsecond=0)


def test_who_answers_for_another_is_left_to_rest_framework(game: Game, maryam: Account, kaveh: Account) -> None:
    stand_ins.name_stand_in(game.id, maryam, kaveh, LATER + timedelta(days=1), LATER)
    assert on_both_ways(asked(game, token_of(kaveh))).status == 202


def test_a_table_that_waits_for_players_takes_no_move(maryam: Account, shown: str) -> None:
    waiting = create_game(maryam, NewGame(rules="fist", seat_count=3), "api", LATER)
    assert on_both_ways(asked(waiting, shown)).status == 409


def test_both_ways_draw_on_one_allowance(game: Game, shown: str) -> None:
    with override_settings(REQUESTS_PER_ACCOUNT=2):
        left = []
        for content_type in (PLAIN, GENERAL, PLAIN):
            path, headers = f"/api/v1/games/{game.id}/moves/", {"Authorization": f"Bearer {shown}"}
            answer = Client().post(path, CLAIM, content_type=content_type, headers=headers)
            left.append((answer.status_code, answer["RateLimit"]))
    assert left == [(202, '"account";r=1;t=30'), (202, '"account";r=0;t=60'), (429, '"account";r=0;t=60')]
    assert Move.objects.count() == 2


TEXTS = st.one_of(st.sampled_from(["claim 3", "resign yes", "۳", ""]), st.text(max_size=12))
JSON = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), TEXTS)
VALUES = st.one_of(JSON, st.lists(JSON, max_size=2), st.dictionaries(TEXTS, JSON, max_size=2))
MOVES = st.one_of(VALUES, st.fixed_dictionaries({"type": st.just("claim"), "number": VALUES | st.integers(1, 6)}))
BODIES = st.fixed_dictionaries(
    {}, optional={"question": st.just("1.1") | VALUES, "text": TEXTS | VALUES, "move": MOVES, "more": VALUES}
)


@pytest.mark.long
@counts(max_examples=40 * SCALE, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=BODIES)
def test_whatever_a_body_holds_both_ways_say_the_same(game: Game, shown: str, body: Any) -> None:
    on_both_ways(asked(game, shown, body))


def test_a_second_game_of_other_rules_is_read_by_its_own(maryam: Account, bahareh: Account, shown: str) -> None:
    fist = create_fist(maryam, bahareh)
    coup = create_game(maryam, NewGame(rules="coup", seat_count=2), "api", LATER)
    coup = join_game(coup.id, bahareh, coup.code, "api", LATER)
    for game, move, status in (
        (fist, {"type": "fist.claim", "number": 3}, 202),
        (coup, {"type": "coup.claim", "number": 3}, 400),
        (coup, {"type": "coup.income"}, 202),
        (fist, {"type": "fist.income"}, 400),
    ):
        assert on_both_ways(asked(game, shown, {"question": "1.1", "move": move})).status == status


@pytest.mark.parametrize("prefer", ["", "wait=5"])
def test_a_request_is_forgotten_once_it_is_answered(maryam: Account, bahareh: Account, shown: str, prefer: str) -> None:
    """No cycle holds it until the collector looks, which takes longer than many moves."""
    game, server = create_fist(maryam, bahareh), BaseHandler()
    server.load_middleware()
    path, headers = f"/api/v1/games/{game.id}/moves/", {"Authorization": f"Bearer {shown}", "Prefer": prefer}
    request = RequestFactory().post(path, json.dumps(CLAIM), PLAIN, headers=headers)
    forgotten = weakref.ref(request)
    gc.disable()
    try:
        assert server.get_response(request).status_code == (200 if prefer else 202)
        del request
        assert forgotten() is None
    finally:
        gc.enable()
