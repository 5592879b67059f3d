"""Closing an account: games continue, no row names the person, and they can take their data along."""

import base64
import json
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from accounts import blocks, tokens
from accounts.models import Account, Block, Report
from accounts.tokens import ALL
from games.announcements.notify import write_due
from games.mail import tasks as mail_tasks
from games.mail.intake import receive
from games.models import ChatMessage, Game, Move, OpenQuestion
from games.moderation import report_message, report_player
from games.play import bots
from games.tables.chat import send_message
from games.tables.joining import join_game
from games.tables.new_game import NewGame
from games.tables.starting import create_game
from notifications.content import Code
from notifications.deliver import deliver_due
from notifications.models import Notification, State
from tests.accounts.people import PASSWORD, problem
from tests.games.seated import NOON, begin, play, seat_address

NAME, ADDRESS = "Zarathustra", "zarathustra@example.org"


@pytest.fixture
def leaver(db: None) -> Account:
    """The account that is closed."""
    return Account.objects.create_user(ADDRESS, PASSWORD, name=NAME)


@pytest.fixture
def bahareh(db: None) -> Account:
    """An account that stays."""
    return Account.objects.create_user("bahareh@example.org", PASSWORD, name="Bahareh")


@pytest.fixture
def kaveh(db: None) -> Account:
    return Account.objects.create_user("kaveh@example.org", PASSWORD, name="Kaveh")


def program(account: Account, *scopes: str) -> APIClient:
    """A program with a token of this account."""
    _, token_text = tokens.issue(account, "test", list(scopes or ALL))
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token_text}")
    return client


def leave(account: Account, **proof: str) -> Any:
    return program(account).post("/api/v1/me/deletion/", proof or {"password": PASSWORD}, format="json")


def everything() -> Iterator[tuple[str, str]]:
    """Return every row of every table as text, including binary and base64 values."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            for row in cursor.fetchall():
                for value in row:
                    text = bytes(value).decode("latin-1") if isinstance(value, memoryview | bytes) else str(value)
                    yield table, text
                    for piece in re.findall(r"[A-Za-z0-9+/]{24,}", text):
                        yield table, base64.b64decode(piece[: len(piece) // 4 * 4]).decode("latin-1")


def traces() -> set[str]:
    """Return the tables that contain the name or the address of the closed account."""
    words = (NAME.casefold(), ADDRESS.partition("@")[0])
    return {table for table, text in everything() if any(word in text.casefold() for word in words)}


def a_life(leaver: Account, bahareh: Account, kaveh: Account) -> Game:
    """Let an account play, chat, send and receive mail, and be blocked and reported."""
    game = begin([leaver, bahareh, kaveh])
    write_due(NOON)
    message = send_message(game, leaver, None, "I have the duke", NOON)
    send_message(game, bahareh, 1, "I doubt it", NOON)
    play(game, "1 tax", at=NOON)
    mail = f"From: {NAME} <{ADDRESS}>\nTo: x@localhost\nMessage-ID: <1@example.org>\n\nchat hello\n"
    receive(mail.encode(), ADDRESS, [seat_address(game, 1)], NOON)
    mail_tasks.read_due(NOON)
    play(game, "2 allow", "3 allow", f"2 steal {NAME}", at=NOON)
    for moment in (NOON, NOON + timedelta(hours=2)):
        write_due(moment)
        deliver_due(moment)
    blocks.block(bahareh, leaver, NOON)
    blocks.mute(leaver, kaveh, NOON)
    report_message(game, bahareh, message.public_id, "A lie.", NOON)
    report_player(game, kaveh, 1, Report.Kind.NAME, "A prophet's.", NOON)
    Client().force_login(leaver, "allauth.account.auth_backends.AuthenticationBackend")
    content = ContentType.objects.get_for_model(Account)
    LogEntry.objects.create(user=kaveh, content_type=content, object_id=leaver.pk, object_repr=NAME, action_flag=2)
    again = {"email": ADDRESS, "name": "Mina", "password": "eleven cats in a boat"}
    assert APIClient().post("/api/v1/accounts/", again, format="json").status_code == 202
    return game


def test_no_table_keeps_the_name_or_the_address_of_who_has_gone(
    leaver: Account, bahareh: Account, kaveh: Account
) -> None:
    game = a_life(leaver, bahareh, kaveh)
    assert {
        "games_move",
        "notifications_notification",
        "notifications_rawmail",
        "accounts_report",
        "accounts_coderequest",
    } <= traces()
    assert leave(leaver).status_code == 204
    assert traces() == set()
    assert Game.objects.get(pk=game.pk).names()[2] == "Bahareh"


def test_what_was_reported_stays_as_it_was_seen(leaver: Account, bahareh: Account, kaveh: Account) -> None:
    a_life(leaver, bahareh, kaveh)
    leave(leaver)
    report = Report.objects.get(kind="message")
    assert (report.accused, report.reporter, report.evidence["text"]) == (None, bahareh, "I have the duke")
    assert not ChatMessage.objects.filter(text="I have the duke").exists()
    assert ChatMessage.objects.get(text="I doubt it").author == bahareh


def test_a_bot_takes_the_seat_and_the_game_goes_on(leaver: Account, bahareh: Account, kaveh: Account) -> None:
    game = begin([leaver, bahareh, kaveh])
    leave(leaver)
    seat = game.seats.get(number=1)
    assert (seat.account, seat.bot, seat.player) == (None, True, "Jazari")
    assert OpenQuestion.objects.get(game=game).bot
    bots.play(game.id, timezone.now())
    assert Move.objects.filter(game=game, seat=1, via="bot").exists()
    events = program(bahareh).get(f"/api/v1/games/{game.id}/events/").json()["results"]
    (handed,) = [line for line in events if line["event"]["type"] == "table.bot-takeover"]
    assert handed["text"] == "A player has left the server; Jazari, a bot, took the seat."
    assert NAME not in json.dumps(program(bahareh).get(f"/api/v1/games/{game.id}/").json())


def test_an_answer_in_a_window_is_left_to_the_bots_when_the_others_have_answered(
    leaver: Account, bahareh: Account, kaveh: Account
) -> None:
    game = begin([bahareh, leaver, kaveh])
    play(game, "1 tax")
    due = OpenQuestion.objects.get(game=game, seat=3).due_at
    leave(leaver)
    assert OpenQuestion.objects.get(game=game, seat=2).due_at == due


def test_from_an_open_table_one_gets_up(leaver: Account, bahareh: Account) -> None:
    game = create_game(leaver, NewGame(rules="coup", seat_count=3), "api", NOON)
    join_game(game.id, bahareh, "", "api", NOON)
    leave(leaver)
    game.refresh_from_db()
    assert (game.host, [seat.account for seat in game.seats.all()]) == (bahareh, [bahareh])


def test_a_game_that_is_over_keeps_its_seats_without_the_name(leaver: Account, bahareh: Account) -> None:
    game = begin([leaver, bahareh])
    play(game, "1 resign yes")
    leave(leaver)
    assert dict(Game.objects.get(pk=game.pk).names()) == {1: "", 2: "Bahareh"}
    assert not game.seats.get(number=1).bot


def test_with_the_account_go_its_tokens_sessions_and_notifications(
    leaver: Account, bahareh: Account, kaveh: Account
) -> None:
    a_life(leaver, bahareh, kaveh)
    browser = Client()
    browser.force_login(leaver, "allauth.account.auth_backends.AuthenticationBackend")
    api = program(leaver)
    leave(leaver)
    assert api.get("/api/v1/me/").status_code == 401
    assert "_auth_user_id" not in browser.session
    assert not Notification.objects.filter(account=None).exists()
    assert not Block.objects.exists()
    assert Notification.objects.filter(account=bahareh, state=State.SENT).exists()


@pytest.mark.parametrize(
    ("proof", "pointer"),
    [
        ({"password": "wrong"}, "#/password"),
        ({"code": "abcd-efgh"}, "#/code"),
        ({}, "#"),
        ({"password": PASSWORD, "code": "abcd-efgh"}, "#"),
    ],
)
def test_without_proof_nothing_is_deleted(leaver: Account, proof: dict[str, str], pointer: str) -> None:
    answer = program(leaver).post("/api/v1/me/deletion/", proof, format="json")
    assert problem(answer, 400, "malformed")["errors"][0]["pointer"] == pointer
    assert Account.objects.filter(pk=leaver.pk).exists()


def test_proofs_cannot_be_guessed_without_end(leaver: Account) -> None:
    for _try in range(10):
        assert leave(leaver, password="wrong").status_code == 400
    problem(leave(leaver), 429, "rate-limited")


def test_who_has_no_password_gets_a_code_by_mail(db: None, bahareh: Account) -> None:
    account = Account.objects.create_user(ADDRESS, name=NAME, language="fa")
    api = program(account)
    assert api.post("/api/v1/me/deletion/code/").json() == {"email": ADDRESS}
    notification = Notification.objects.get(account=account).content()
    (code,) = [block.text for block in notification.blocks if isinstance(block, Code)]
    assert notification.headline == "این کدی است که حساب شما را حذف می‌کند."
    assert program(bahareh).post("/api/v1/me/deletion/", {"code": code}, format="json").status_code == 400
    assert api.post("/api/v1/me/deletion/", {"code": code.upper()}, format="json").status_code == 204
    assert not Account.objects.filter(pk=account.pk).exists()


def test_only_a_token_for_the_account_may_do_it(leaver: Account) -> None:
    playing = program(leaver, "games:read", "games:play", "chat")
    for path in ("me/deletion/", "me/deletion/code/"):
        problem(playing.post(f"/api/v1/{path}", {"password": PASSWORD}, format="json"), 403, "forbidden")
    problem(playing.get("/api/v1/me/export/"), 403, "forbidden")
    problem(APIClient().get("/api/v1/me/export/"), 401, "unauthenticated")


def test_the_export_holds_everything_of_ones_own_and_nothing_of_others(
    leaver: Account, bahareh: Account, kaveh: Account
) -> None:
    game = a_life(leaver, bahareh, kaveh)
    send_message(game, bahareh, 3, "Between us", NOON)
    answer = program(leaver).get("/api/v1/me/export/")
    exported = answer.json()
    assert answer.headers["Content-Disposition"] == 'attachment; filename="darbar.json"'
    assert (exported["account"]["email"], exported["account"]["name"]) == (ADDRESS, NAME)
    assert exported["tokens"][0]["name"] == "test"
    assert [seat["game"] for seat in exported["seats"]] == [str(game.id)]
    assert [chat_message["text"] for chat_message in exported["chat_messages"]] == [
        "I have the duke",
        "I doubt it",
        "hello",
    ]
    assert [mute["name"] for mute in exported["mutes"]] == ["Kaveh"]
    assert exported["notifications"]
    for foreign in ("Between us", "bahareh@example.org", "kaveh@example.org", "prophet"):
        assert foreign not in answer.content.decode(), foreign
    assert leaver.password not in answer.content.decode()
