"""Chat through the API: shapes, pages, repetitions, and what a stranger gets."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import Account
from games.models import ChatMessage, Game
from games.tables import chat
from games.tables.chat import send_message
from tests.examples import for_each
from tests.games.api.conftest import client
from tests.games.finished import play_again
from tests.third_game.table import LATER, NOON, create_fist, play

pytestmark = pytest.mark.django_db


def post(program: APIClient, game: Game, to: Any, text: Any, **headers: str) -> Any:
    return program.post(f"/api/v1/games/{game.id}/chat/", {"to": to, "text": text}, format="json", headers=headers)


def listed(program: APIClient, game: Game, **query: Any) -> Any:
    answer = program.get(f"/api/v1/games/{game.id}/chat/", query)
    assert answer.status_code == 200, answer.content
    return answer.json()


def texts(program: APIClient, game: Game, **query: Any) -> list[str | None]:
    return [chat_message["text"] for chat_message in listed(program, game, **query)["results"]]


def test_what_is_said_is_answered_with_its_address_and_heard_by_the_table(
    game: Game, maryam: Account, bahareh: Account
) -> None:
    answer = post(client(maryam), game, "all", "<b>Hello</b>")
    chat_message = answer.json()
    assert answer.status_code == 201
    assert {**chat_message, "id": "", "at": ""} == {"id": "", "at": "", "seat": 1, "to": "all", "text": "<b>Hello</b>"}
    assert listed(client(bahareh), game) == {"next": None, "results": [chat_message]}
    assert client(bahareh).get(answer.headers["Location"]).json() == chat_message


def test_a_private_message_is_shown_to_its_two_and_nobody_can_tell_that_there_is_one(
    game: Game, maryam: Account, bahareh: Account, sepideh: Account
) -> None:
    program = client(bahareh)
    before = program.get(f"/api/v1/games/{game.id}/chat/").content
    answer = post(client(maryam), game, 3, "Psst")
    assert answer.json()["to"] == 3
    assert texts(client(maryam), game) == texts(client(sepideh), game) == ["Psst"]
    assert program.get(f"/api/v1/games/{game.id}/chat/").content == before
    foreign = program.get(answer.headers["Location"])
    missing = program.get(f"/api/v1/games/{game.id}/chat/{game.id}/")
    assert (foreign.status_code, foreign.content) == (404, missing.content)
    after = program.get(f"/api/v1/games/{game.id}/chat/", {"after": answer.json()["id"]})
    unknown = program.get(f"/api/v1/games/{game.id}/chat/", {"after": str(game.id)})
    assert (after.status_code, after.content) == (400, unknown.content)


def test_the_chat_is_read_on_from_the_last_message_that_was_heard(
    game: Game, maryam: Account, bahareh: Account
) -> None:
    for number in range(5):
        send_message(game, maryam, None if number % 2 else 3, f"message {number}", NOON)
        send_message(game, bahareh, None, f"to all {number}", NOON)
    messages, address = [], f"/api/v1/games/{game.id}/chat/?limit=4"
    while address:
        page = client(maryam).get(address).json()
        messages += page["results"]
        address = page["next"]
    assert [chat_message["text"] for chat_message in messages] == [
        text for number in range(5) for text in (f"message {number}", f"to all {number}")
    ]
    assert listed(client(maryam), game, after=messages[-1]["id"]) == {"next": None, "results": []}


def test_a_repetition_under_one_key_says_it_once(game: Game, maryam: Account) -> None:
    first = post(client(maryam), game, "all", "Hello", **{"Idempotency-Key": "one"})
    again = post(client(maryam), game, "all", "Hello", **{"Idempotency-Key": "one"})
    other = post(client(maryam), game, "all", "Hi", **{"Idempotency-Key": "one"})
    assert (first.status_code, again.json()) == (201, first.json())
    assert (other.status_code, other.json()["code"]) == (422, "key-reused")
    assert ChatMessage.objects.count() == 1


@for_each(
    "to, text, pointer",
    [
        ("everybody", "Hello", "#/to"),
        (0, "Hello", "#/to"),
        (True, "Hello", "#/to"),
        ("2", "Hello", "#/to"),
        (None, "Hello", "#/to"),
        (9, "Hello", "#/to"),
        (1, "Hello", "#/to"),
        ("all", "", "#/text"),
        ("all", "\u202e", "#/text"),
        ("all", "m" * (chat.MAX_LENGTH + 1), "#/text"),
        ("all", "nul\x00", "#/text"),
        ("all", ["Hello"], "#/text"),
    ],
    undone=True,
)
def test_what_is_wrong_with_a_message_is_named(game: Game, maryam: Account, to: Any, text: Any, pointer: str) -> None:
    answer = post(client(maryam), game, to, text)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]
    assert not ChatMessage.objects.exists()


def test_who_says_too_much_is_told_when_to_go_on(game: Game, maryam: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat, "MOST_PER_HOUR", 2)
    program = client(maryam)
    answers = [post(program, game, "all", "Hello") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 429]
    assert ["RateLimit" in answer.headers for answer in answers] == [True, True, False], "Retry-After tells the wait"
    assert answers[2].json()["code"] == "rate-limited"
    assert 3590 <= int(answers[2].headers["Retry-After"]) <= 3600


def test_chat_asks_for_a_scope_of_its_own(game: Game, maryam: Account) -> None:
    playing, chatting = client(maryam, "games:read", "games:play"), client(maryam, "chat")
    assert post(playing, game, "all", "Hello").status_code == 403
    assert playing.get(f"/api/v1/games/{game.id}/chat/").status_code == 403
    assert post(chatting, game, "all", "Hello").status_code == 201
    assert texts(chatting, game) == ["Hello"]


def test_a_stranger_hears_nothing_of_a_public_table_neither_now_nor_after_the_end(
    game: Game, maryam: Account, kaveh: Account
) -> None:
    message = send_message(game, maryam, None, "Hello", NOON)
    program = client(kaveh)
    for _ in range(2):
        assert program.get(f"/api/v1/games/{game.id}/chat/").status_code == 403
        assert program.get(f"/api/v1/games/{game.id}/chat/{message.public_id}/").status_code == 404
        assert post(program, game, "all", "Me too").status_code == 403
        play(game, 2, "resign yes", question="")
    assert texts(client(maryam), game) == ["Hello"]


def test_a_table_says_what_may_be_sent_at_it(maryam: Account, bahareh: Account, kaveh: Account) -> None:
    program = client(maryam)
    opened = program.post("/api/v1/games/", {"rules": "fist", "seat_count": 2, "chat": "table"}, format="json")
    assert opened.json()["chat"] == "table"
    assert client(kaveh).get(f"/api/v1/games/{opened.json()['id']}/").json()["chat"] == "table"
    wrong = program.post("/api/v1/games/", {"rules": "fist", "seat_count": 2, "chat": "loud"}, format="json")
    assert [error["pointer"] for error in wrong.json()["errors"]] == ["#/chat"]
    for allowed, to_all, to_one in (("all", 201, 201), ("table", 201, 403), ("none", 403, 403)):
        game = create_fist(maryam, bahareh, chat=allowed)
        assert post(program, game, "all", "Hello").status_code == to_all
        assert post(program, game, 2, "Hello").status_code == to_one


def test_a_rematch_is_as_loud_as_the_game_before(maryam: Account, bahareh: Account) -> None:
    game = create_fist(maryam, bahareh, chat="none")
    play(game, 2, "resign yes", at=LATER, question="")
    assert play_again(game, bahareh, maryam).terms.chat == "none"
