"""Blocking, muting and reporting: their effects, and that the other account does not notice."""

from datetime import timedelta
from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts import blocks
from accounts.models import Account, Block, Mute, Report
from games import moderation
from games.models import Game
from games.tables.chat import send_message
from tests.games.api.conftest import client
from tests.third_game.table import NOON, create_fist

pytestmark = pytest.mark.django_db


def send(program: APIClient, path: str, body: Any) -> Any:
    return program.post(f"/api/v1/{path}", body, format="json")


@pytest.mark.parametrize("list_name", ["blocks", "mutes"])
def test_somebody_is_put_on_a_list_by_name_and_taken_off_it(list_name: str, maryam: Account, sepideh: Account) -> None:
    program = client(maryam)
    first = send(program, f"me/people/{list_name}/", {"name": " سپيده "})
    again = send(program, f"me/people/{list_name}/", {"name": "سپیده"})
    assert (first.status_code, again.json()) == (201, first.json())
    assert first.json()["name"] == "سپیده"
    assert program.get(f"/api/v1/me/people/{list_name}/").json()["results"] == [first.json()]
    assert program.delete(f"/api/v1/me/people/{list_name}/{first.json()['id']}/").status_code == 204
    assert program.get(f"/api/v1/me/people/{list_name}/").json()["results"] == []


@pytest.mark.parametrize("list_name", ["blocks", "mutes"])
def test_a_list_is_its_owners_alone(list_name: str, maryam: Account, sepideh: Account, kaveh: Account) -> None:
    row = send(client(maryam), f"me/people/{list_name}/", {"name": "سپیده"}).json()
    for other in (sepideh, kaveh):
        program = client(other)
        assert program.get(f"/api/v1/me/people/{list_name}/").json()["results"] == []
        foreign = program.delete(f"/api/v1/me/people/{list_name}/{row['id']}/")
        missing = program.delete(f"/api/v1/me/people/{list_name}/5b0c7a54-2f0e-4d0b-9a3e-6b1f0e1c9d42/")
        assert (foreign.status_code, foreign.content) == (404, missing.content)
    assert APIClient().get(f"/api/v1/me/people/{list_name}/").status_code == 401
    assert client(maryam, "games:play", "chat").get(f"/api/v1/me/people/{list_name}/").status_code == 403
    assert (Block.objects.count(), Mute.objects.count()) in ((1, 0), (0, 1))


@pytest.mark.parametrize("name", ["Nobody", "Maryam", "", "x" * 41, 7, None, "\u202e"])
def test_a_name_that_is_nobodys_or_ones_own_is_refused(name: Any, maryam: Account) -> None:
    answer = send(client(maryam), "me/people/blocks/", {"name": name})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, "#/name")


@pytest.mark.parametrize("who", ["blocks", "is blocked"])
def test_at_a_public_table_those_are_kept_apart_who_block_each_other_and_are_not_told_who_does(
    who: str, maryam: Account, bahareh: Account, kaveh: Account
) -> None:
    game = create_fist(maryam, bahareh, seat_count=3)
    blocks.block(*((kaveh, bahareh) if who == "blocks" else (bahareh, kaveh)), NOON)
    answer = send(client(kaveh), f"games/{game.id}/join/", {})
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert answer.json()["detail"] == "You can’t join this game. Please choose another."
    assert not game.seats.filter(account=kaveh).exists()


def test_whoever_has_the_code_of_a_private_table_joins_it(maryam: Account, bahareh: Account) -> None:
    blocks.block(maryam, bahareh, NOON)
    game = create_fist(maryam, seat_count=3, private=True)
    assert send(client(bahareh), f"games/{game.id}/join/", {"code": game.code}).status_code == 200


def test_who_is_blocked_writes_as_always_and_the_other_is_given_nothing(
    game: Game, maryam: Account, bahareh: Account
) -> None:
    before = client(bahareh).get(f"/api/v1/games/{game.id}/chat/").content
    blocks.block(bahareh, maryam, NOON)
    sent = send(client(maryam), f"games/{game.id}/chat/", {"to": 2, "text": "Hello"})
    assert sent.status_code == 201
    assert client(maryam).get(f"/api/v1/games/{game.id}/chat/").json()["results"] == [sent.json()]
    assert client(bahareh).get(f"/api/v1/games/{game.id}/chat/").content == before


def report(program: APIClient, game: Game, **data: Any) -> Any:
    return send(program, "reports/", {"game": str(game.id), "reason": "It is an insult.", **data})


def test_a_report_keeps_what_its_reporter_saw_when_the_rest_is_gone(
    game: Game, maryam: Account, bahareh: Account
) -> None:
    chat_message = send_message(game, maryam, 2, "something bad", NOON)
    answer = report(client(bahareh), game, kind="message", message=str(chat_message.public_id))
    assert (answer.status_code, answer.json()["state"]) == (201, "open")
    assert client(bahareh).get(answer.headers["Location"]).json() == answer.json()
    maryam.delete()
    row = Report.objects.get()
    assert (row.accused, row.reporter, row.evidence["text"]) == (None, bahareh, "something bad")


def test_the_same_again_is_the_first_report(game: Game, maryam: Account, bahareh: Account) -> None:
    program = client(bahareh)
    answers = [report(program, game, kind="name", seat=1).json() for _ in range(2)]
    assert answers[0] == answers[1]
    assert report(program, game, kind="conduct", seat=1).json()["id"] != answers[0]["id"]
    assert Report.objects.count() == 2


def test_only_what_one_can_see_is_reported(
    game: Game, hidden: Game, maryam: Account, bahareh: Account, sepideh: Account, kaveh: Account
) -> None:
    secret = str(send_message(game, maryam, 2, "Psst", NOON).public_id)
    public = str(send_message(game, maryam, None, "Hello", NOON).public_id)
    assert report(client(sepideh), game, kind="message", message=secret).status_code == 404
    assert report(client(kaveh), game, kind="message", message=public).status_code == 404
    assert report(client(kaveh), hidden, kind="name", seat=1).status_code == 404
    assert report(client(kaveh), game, kind="name", seat=1).status_code == 201
    assert report(client(maryam), game, kind="message", message=public).status_code == 400
    assert Report.objects.count() == 1


@pytest.mark.parametrize(
    ("data", "pointer"),
    [
        ({"kind": "message"}, "#/message"),
        ({"kind": "name"}, "#/seat"),
        ({"kind": "name", "seat": 9}, "#/seat"),
        ({"kind": "smell", "seat": 1}, "#/kind"),
        ({"kind": "name", "seat": 1, "reason": " "}, "#/reason"),
        ({"kind": "name", "seat": 1, "reason": "x" * (moderation.MAX_LENGTH + 1)}, "#/reason"),
        ({"kind": "name", "seat": 1, "accused": "Maryam"}, "#/accused"),
    ],
)
def test_what_is_wrong_with_a_report_is_named(game: Game, bahareh: Account, data: dict[str, Any], pointer: str) -> None:
    answer = report(client(bahareh), game, **data)
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, pointer)


def test_reports_are_their_reporters_alone_and_not_without_end(
    game: Game, maryam: Account, bahareh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = report(client(bahareh), game, kind="name", seat=1)
    program = client(maryam)
    assert program.get("/api/v1/reports/").json()["results"] == []
    assert program.get(answer.headers["Location"]).status_code == 404
    monkeypatch.setattr(moderation, "DAILY_LIMIT", 1)
    answer = report(client(bahareh), game, kind="conduct", seat=1)
    assert (answer.status_code, answer.json()["code"]) == (429, "rate-limited")
    Report.objects.update(made_at=NOON - timedelta(days=400))
    assert report(client(bahareh), game, kind="conduct", seat=1).status_code == 201
