"""Requests that send a move: bodies, headers, senders, limits, and the stored rows."""

import json
import threading
import time
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given
from hypothesis import settings as counts
from hypothesis import strategies as st

from accounts import rate_limits, tokens
from accounts.models import Account, Token
from accounts.tokens import ALL, Scope
from config.core.database import time_limits
from games.api import moves
from games.api.shared import responses
from games.archive import game_audit
from games.models import Game, Move
from games.tables import stand_ins
from games.tables.joining import join_game
from games.tables.new_game import NewGame
from games.tables.starting import create_game
from tests.examples import for_each
from tests.long import SCALE
from tests.third_game.table import LATER, create_fist, fresh

pytestmark = pytest.mark.django_db
CLAIM = {"question": "1.1", "text": "claim 3"}
CLAIM_AS_JSON = {"question": "1.1", "move": {"type": "fist.claim", "number": 3}}
MOST_STATEMENTS = 4
MOST_STATEMENTS_WITH_OUTCOME = 22


@pytest.fixture(autouse=True)
def in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the server's clock to a time at which every question is open."""
    monkeypatch.setattr("django.utils.timezone.now", lambda: LATER)


@pytest.fixture
def token(maryam: Account) -> str:
    return token_of(maryam)


def token_of(account: Account) -> str:
    """Return a token that was used a moment ago, so that its use is not noted again."""
    row, token_text = tokens.issue(account, "test", list(ALL))
    Token.objects.filter(pk=row.pk).update(last_used_at=LATER)
    return token_text


def send(game: Game, token: str, body: Any = CLAIM, *, method: str = "POST", query: str = "", **headers: str) -> Any:
    content_type = headers.pop("Content_Type", "application/json")
    more_headers = {name.replace("_", "-"): value for name, value in headers.items()}
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    path = f"/api/v1/games/{game.id}/moves/{query}"
    return Client().generic(
        method, path, content, content_type, headers={"Authorization": f"Bearer {token}", **more_headers}
    )


def test_a_move_takes_few_statements(game: Game, token: str) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert send(game, token).status_code == 202
    assert len(queries) <= MOST_STATEMENTS


def test_the_outcome_of_a_move_takes_no_statements_of_its_own(game: Game, token: str) -> None:
    with CaptureQueriesContext(connection) as queries:
        answer = send(game, token, Prefer="wait=5")
    assert answer.json()["state"] == "applied"
    assert len(queries) <= MOST_STATEMENTS_WITH_OUTCOME


@pytest.mark.parametrize("text", ["claim 3", "resign yes", "claim 9"])
def test_the_outcome_is_the_same_when_it_is_read_later(game: Game, token: str, text: str) -> None:
    """An awaited outcome is taken from the game that was just stored, a later one is read from the database."""
    answer = send(game, token, {"question": "1.1", "text": text}, Prefer="wait=5")
    outcome = answer.json() if answer.status_code == 200 else answer.json()["move"]
    later = Client().get(answer.headers["Location"], headers={"Authorization": f"Bearer {token}"})
    assert outcome == later.json()


def test_a_persian_reader_gets_the_refusal_in_persian(game: Game, maryam: Account, token: str) -> None:
    Account.objects.filter(pk=maryam.pk).update(language="fa")
    answer = send(game, token, {"question": "9.9", "text": "claim 3"}, Prefer="wait=5")
    assert answer.headers["Content-Language"] == "fa"
    assert answer.json()["move"]["state"] == "rejected"


@for_each(
    "body, status",
    [
        (CLAIM, 202),
        (CLAIM_AS_JSON, 202),
        ({"question": "1.1", "text": "۳"}, 202),
        ({"question": "7.7", "text": "nonsense"}, 202),
        ({"question": "1.1", "text": "resign yes"}, 202),
        ({"question": " 1.1 ", "text": "claim 3"}, 202),
        ({"question": "1.1", "text": " claim 3 "}, 202),
        ({"question": "1.1", "text": "claim\n3"}, 202),
        ({"question": 1.1, "text": "claim 3"}, 400),
        ({"question": "1.1", "text": 3}, 400),
        ({"question": "", "text": "claim 3"}, 400),
        ({"question": "1.1", "text": None}, 400),
        ({"question": "1.1", "text": "claim\0003"}, 400),
        ({"question": "1.1", "text": "claim \ud800"}, 400),
        ({"question": "1.1", "move": None}, 400),
        ({"question": "1.1", "move": {}, "text": "claim 3"}, 400),
        ({"question": "1.1", "move": None, "text": "claim 3"}, 400),
        ({"question": "1.1", "move": {"type": "fist.claim", "number": 3}, "text": None}, 400),
        ({"text": "claim 3"}, 400),
        ([CLAIM], 400),
        (b"", 400),
        (b"claim 3", 400),
        (b'{"question": "1.1", "text": "\xff"}', 400),
        (b"\xef\xbb\xbf{}", 400),
    ],
    undone=True,
)
def test_a_body_is_stored_or_refused(game: Game, token: str, body: Any, status: int) -> None:
    assert send(game, token, body).status_code == status
    assert Move.objects.count() == (status == 202)


@pytest.mark.parametrize("depth", [18, 19, 800])
def test_a_document_that_nests_deeply_is_refused(game: Game, token: str, depth: int) -> None:
    deep: Any = 3
    for _ in range(depth):
        deep = [deep]
    body = {"question": "1.1", "move": {"type": "fist.claim", "number": deep}}
    assert send(game, token, body).status_code == 400


@for_each(
    "request_parts, status",
    [
        ({"query": "?wait=3"}, 400),
        ({"Content_Type": "application/json; charset=utf-8"}, 202),
        ({"Content_Type": "text/plain"}, 415),
        ({"method": "PUT"}, 405),
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
    undone=True,
)
def test_a_request_is_accepted_or_refused(game: Game, token: str, request_parts: dict[str, Any], status: int) -> None:
    assert send(game, token, **request_parts).status_code == status


def test_bearer_may_be_written_otherwise(game: Game, token: str) -> None:
    assert send(game, token, Authorization=f"bearer  {token}").status_code == 202


SENDERS = {
    "expired": (lambda game, account: Token.objects.update(expiry=LATER - timedelta(seconds=1)), 401),
    "about to expire": (lambda game, account: Token.objects.update(expiry=LATER), 202),
    "not used of late": (lambda game, account: Token.objects.update(last_used_at=LATER - timedelta(hours=2)), 202),
    "never used": (lambda game, account: Token.objects.update(last_used_at=None), 202),
    "may not play": (lambda game, account: Token.objects.update(scopes=[Scope.GAMES_READ]), 403),
    "revoked": (lambda game, account: Token.objects.all().delete(), 401),
    "suspended": (lambda game, account: Account.objects.filter(pk=account.pk).update(is_active=False), 401),
    "stood up": (lambda game, account: game.seats.filter(account=account).update(account=None), 403),
    "not started": (lambda game, account: Game.objects.update(state="open"), 409),
    "cancelled": (lambda game, account: Game.objects.update(state="cancelled"), 409),
    "over": (lambda game, account: Game.objects.update(state="over"), 202),
    "other rules": (lambda game, account: Game.objects.update(rules_version=2), 202),
    "private": (lambda game, account: Game.objects.update(private=True), 202),
}


@for_each("wait", [{}, {"Prefer": "wait=1"}])
@for_each("sender", SENDERS, undone=True)
def test_a_sender_may_play_or_is_told_why_not(
    game: Game, maryam: Account, token: str, sender: str, wait: dict[str, str]
) -> None:
    change, status = SENDERS[sender]
    change(game, maryam)
    answer = send(game, token, **wait)
    assert answer.status_code == status or (status, answer.status_code) == (202, 200)
    assert Move.objects.count() == (status == 202)


def test_a_move_in_json_for_rules_that_are_not_here_is_refused(game: Game, token: str) -> None:
    Game.objects.update(rules_version=2)
    assert send(game, token, CLAIM_AS_JSON).status_code == 409


def test_a_game_that_does_not_exist_is_not_found(token: str) -> None:
    assert send(Game(), token, CLAIM_AS_JSON).status_code == 404


def test_strangers_are_refused(game: Game, hidden: Game, kaveh: Account) -> None:
    token = token_of(kaveh)
    for headers in ({}, {"Prefer": "wait=1"}):
        assert send(game, token, **headers).status_code == 403
        assert send(hidden, token, **headers).status_code == 404
    assert not Move.objects.exists()


def test_a_stand_in_sends_a_move_for_the_players_seat(game: Game, maryam: Account, kaveh: Account) -> None:
    stand_ins.name_stand_in(game.id, maryam, kaveh, LATER + timedelta(days=1), LATER)
    assert send(game, token_of(kaveh)).status_code == 202
    move = Move.objects.get()
    assert (move.account, move.seat) == (kaveh, 1)


def test_a_stand_in_whose_time_is_over_sends_no_move(
    game: Game, maryam: Account, kaveh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_ins.name_stand_in(game.id, maryam, kaveh, LATER + timedelta(days=1), LATER)
    token = token_of(kaveh)
    monkeypatch.setattr("django.utils.timezone.now", lambda: LATER + timedelta(days=1, seconds=1))
    assert send(game, token).status_code == 403


def test_a_stand_in_cannot_resign(game: Game, maryam: Account, kaveh: Account) -> None:
    stand_ins.name_stand_in(game.id, maryam, kaveh, LATER + timedelta(days=1), LATER)
    for text in ("resign yes", "resign", "انصراف"):
        assert send(game, token_of(kaveh), {"question": "1.1", "text": text}).status_code == 403


def test_a_table_that_waits_for_players_takes_no_move(maryam: Account, token: str) -> None:
    waiting = create_game(maryam, NewGame(rules="fist", seat_count=3), "api", LATER)
    assert send(waiting, token).status_code == 409


def test_each_move_is_counted(game: Game, token: str) -> None:
    with override_settings(REQUESTS_PER_ACCOUNT=2):
        answers = [send(game, token) for _ in range(3)]
    assert [(answer.status_code, answer["RateLimit"]) for answer in answers] == [
        (202, '"account";r=1;t=30'),
        (202, '"account";r=0;t=60'),
        (429, '"account";r=0;t=30'),
    ]
    assert Move.objects.count() == 2


def test_a_move_counts_as_received_when_it_arrived_however_long_its_request_was_held_up(game: Game, token: str) -> None:
    environ: Any = {time_limits.RECEIVED: time.monotonic() - 90}
    path, headers = f"/api/v1/games/{game.id}/moves/", {"Authorization": f"Bearer {token}"}
    answer = Client().post(path, CLAIM, "application/json", headers=headers, **environ)
    assert answer.status_code == 202
    assert timedelta(seconds=90) <= LATER - Move.objects.get().received_at < timedelta(seconds=100)


def test_a_move_that_is_resolved_counts_in_whole_seconds(
    game: Game, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: LATER + timedelta(milliseconds=900))
    answer = send(game, token, Prefer="wait=5")
    assert answer.json()["received_at"] == f"{LATER:%Y-%m-%dT%H:%M:%S}Z"
    assert Move.objects.get().received_at == LATER


TEXTS = st.one_of(st.sampled_from(["claim 3", "resign yes", "۳", ""]), st.text(max_size=12))
JSON = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), TEXTS)
VALUES = st.one_of(JSON, st.lists(JSON, max_size=2), st.dictionaries(TEXTS, JSON, max_size=2))
MOVES = st.one_of(VALUES, st.fixed_dictionaries({"type": st.just("claim"), "number": VALUES | st.integers(1, 6)}))
BODIES = st.fixed_dictionaries(
    {}, optional={"question": st.just("1.1") | VALUES, "text": TEXTS | VALUES, "move": MOVES, "more": VALUES}
)


@pytest.mark.long
@counts(max_examples=40 * SCALE, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(body=BODIES)
def test_every_body_is_stored_or_refused(game: Game, token: str, body: Any) -> None:
    with transaction.atomic():
        assert send(game, token, body).status_code in (202, 400)
        transaction.set_rollback(True)


def test_a_move_is_read_by_the_rules_of_its_game(maryam: Account, bahareh: Account, token: str) -> None:
    fist = create_fist(maryam, bahareh)
    coup = create_game(maryam, NewGame(rules="coup", seat_count=2), "api", LATER)
    coup = join_game(coup.id, bahareh, coup.code, "api", LATER)
    for game, move, status in (
        (fist, {"type": "fist.claim", "number": 3}, 202),
        (coup, {"type": "coup.claim", "number": 3}, 400),
        (coup, {"type": "coup.income"}, 202),
        (fist, {"type": "fist.income"}, 400),
    ):
        assert send(game, token, {"question": "1.1", "move": move}).status_code == status


@pytest.mark.django_db(transaction=True)
def test_senders_who_wait_at_the_same_time_all_get_their_outcome(
    maryam: Account, bahareh: Account, sepideh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No request is refused because of a full queue or a lock, even on a busy machine.
    monkeypatch.setattr(responses, "_SLOTS", threading.BoundedSemaphore(9))
    monkeypatch.setattr(moves, "_LONGEST_LOCK_WAIT", timedelta(seconds=60))
    monkeypatch.setattr(responses, "LONGEST_WAIT", timedelta(seconds=60))
    games = [create_fist(maryam, bahareh, sepideh) for _ in range(3)]
    senders = [(game, token_of(account)) for game in games for account in (maryam, bahareh, sepideh)]
    states: list[tuple[int, str]] = []

    def send_move(game: Game, token: str) -> None:
        try:
            answer = send(game, token, Prefer="wait=60")
            states.append((answer.status_code, answer.json().get("code", answer.json().get("state"))))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=send_move, args=sender) for sender in senders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(90)
    assert sorted(states) == [(200, "applied")] * 3 + [(409, "question-closed")] * 6
    assert [game_audit.find_faults(fresh(game)) for game in games] == [[], [], []]


@pytest.mark.django_db(transaction=True)
def test_a_move_is_stored_while_its_game_is_locked(maryam: Account, bahareh: Account, lie_in_wait: Any) -> None:
    game = create_fist(maryam, bahareh)
    with lie_in_wait(game):
        assert send(game, token_of(maryam)).status_code == 202
    assert Move.objects.get().state == Move.State.RECEIVED


@pytest.mark.django_db(transaction=True)
def test_idle_limits_are_deleted_without_waiting_for_a_request_that_uses_one(maryam: Account) -> None:
    for key in ("locked", "idle"):
        rate_limits.take(key, rate_limits.account_policy(), LATER - timedelta(days=1))
    deleted: list[int] = []
    thread = threading.Thread(target=lambda: (deleted.append(rate_limits.delete_idle(LATER)), connections.close_all()))
    with transaction.atomic():
        rate_limits.take("locked", rate_limits.account_policy(), LATER)
        thread.start()
        thread.join(10)
        assert deleted
    with connection.cursor() as cursor:
        cursor.execute("SELECT key FROM accounts_allowance WHERE key IN ('locked', 'idle')")
        assert [*cursor] == [("locked",)]
