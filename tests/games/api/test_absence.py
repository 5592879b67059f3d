"""Returning players and stand-ins in the API: their rights, their view, and the end of a stand-in."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from accounts import blocks
from accounts.models import Account
from games import account_data
from games.archive import game_audit
from games.models import Game, Move, StandIn
from games.play.resolve import resolve
from games.tables import chat, joining, stand_ins
from notifications.models import Notification
from tests.games.api.conftest import client
from tests.third_game.table import create_fist, fresh, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["with_fist"]

WEEK = timedelta(days=7)


@pytest.fixture
def table(maryam: Account, bahareh: Account) -> Game:
    """A private table at which Maryam is asked first."""
    return create_fist(maryam, bahareh, private=True, now=timezone.now())


def path(game: Game, rest: str = "stand-in/") -> str:
    return f"/api/v1/games/{game.id}/{rest}"


def naming(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "until": (timezone.now() + WEEK).isoformat(), **more}


def name(game: Game, owner: Account, stand_in: Account) -> Any:
    return client(owner).post(path(game), naming(stand_in.name), format="json")


def test_a_stand_in_answers_with_their_own_account_and_sees_that_hand_alone_until_the_game_is_over(
    table: Game, maryam: Account, bahareh: Account, kaveh: Account
) -> None:
    assert client(kaveh).get(path(table, "")).status_code == 404
    assert name(table, maryam, kaveh).status_code == 201
    view = client(maryam).get(path(table, "view/"))
    assert client(kaveh).get(path(table, "view/")).json() == view.json()
    (question,) = client(kaveh).get("/api/v1/questions/").json()["results"]
    assert client(maryam).get("/api/v1/questions/").json()["results"][0]["id"] == question["id"]
    moved = client(kaveh).post(path(table, "moves/"), {"question": question["id"], "text": "claim 3"}, format="json")
    assert moved.status_code == 202
    resolve(table.id, timezone.now())
    assert client(kaveh).get(moved["Location"]).json()["state"] == "applied"
    assert client(maryam).get(moved["Location"]).status_code == 404
    assert Move.objects.get(game=table, state="applied").account == kaveh
    doubt = {"question": table.open_questions.get().question, "text": "doubt"}
    client(bahareh).post(path(table, "moves/"), doubt, format="json")
    resolve(table.id, timezone.now())
    assert [client(account).get(path(table, "")).status_code for account in (bahareh, kaveh)] == [200, 404]
    assert fresh(table).state == "over"
    assert game_audit.find_faults(fresh(table)) == []


def test_a_stand_in_sees_no_code_no_chat_and_no_other_game(
    table: Game, game: Game, maryam: Account, bahareh: Account, kaveh: Account
) -> None:
    chat.send_message(table, bahareh, None, "Good evening.", timezone.now())
    chat.send_message(table, bahareh, 1, "Let us spare each other.", timezone.now())
    name(table, maryam, kaveh)
    body = client(kaveh).get(path(table, "")).json()
    assert (body["code"], body["seat"]) == (None, None)
    assert client(kaveh).get(path(table, "chat/")).status_code == 403
    for rest in ("chat/", "plans/", "resign/", "leave/"):
        data = {"to": "all", "text": "Hello"} if rest == "chat/" else {"plan": {"type": "fist.allow-others"}}
        body = data if rest in ("chat/", "plans/") else {}
        assert client(kaveh).post(path(table, rest), body, format="json").status_code in (403, 404), rest
    assert [question["game"] for question in client(kaveh).get("/api/v1/questions/").json()["results"]] == [
        str(table.id)
    ]
    assert client(kaveh).get(path(game, "view/")).json() != client(maryam).get(path(game, "view/")).json()


def test_everybody_at_the_table_sees_who_may_answer_for_whom(
    table: Game, maryam: Account, bahareh: Account, kaveh: Account
) -> None:
    name(table, maryam, kaveh)
    seats = client(bahareh).get(path(table, "")).json()["seats"]
    assert [seat["stand_in"] for seat in seats] == ["Kaveh", None]
    (event,) = [
        event
        for event in client(bahareh).get(path(table, "events/")).json()["results"]
        if event["event"]["type"] == "table.stand-in-named"
    ]
    assert "Kaveh" not in str(event)
    assert client(bahareh).get(path(table)).status_code == 404, "until when is the business of these two"
    assert client(kaveh).get(path(table)).json()["player"] == "Maryam"


@pytest.mark.parametrize("by", ["maryam", "kaveh"])
def test_a_stand_in_is_ended_by_either_of_the_two(table: Game, maryam: Account, kaveh: Account, by: str) -> None:
    name(table, maryam, kaveh)
    assert client({"maryam": maryam, "kaveh": kaveh}[by]).delete(path(table)).status_code == 204
    assert client(kaveh).get(path(table, "")).status_code == 404
    assert client(kaveh).get("/api/v1/questions/").json()["results"] == []
    assert client(maryam).delete(path(table)).status_code == 404
    left = Notification.objects.filter(reason="stand-in-left")
    assert not any(notification.content().marker for notification in left), "nothing is asked"
    names = {notification.account.name for notification in left}
    assert names == {"Maryam", "Kaveh"} - {by.capitalize()}
    assert game_audit.find_faults(fresh(table)) == []


def test_a_stand_in_ends_at_its_time_and_no_later_answer_counts(table: Game, maryam: Account, kaveh: Account) -> None:
    name(table, maryam, kaveh)
    question = table.open_questions.get().question
    StandIn.objects.update(until=timezone.now() - timedelta(seconds=1))
    answer = client(kaveh).post(path(table, "moves/"), {"question": question, "text": "claim 3"}, format="json")
    assert answer.status_code == 404
    stand_ins.sweep(timezone.now())
    assert client(kaveh).get(path(table, "")).status_code == 404
    assert StandIn.objects.get().ended_at is not None
    assert Notification.objects.filter(reason="stand-in-left").count() == 2
    assert game_audit.find_faults(fresh(table)) == []


def test_the_stand_in_gets_the_question_by_a_mail_of_their_own(
    table: Game, maryam: Account, bahareh: Account, kaveh: Account
) -> None:
    name(table, maryam, kaveh)
    assert [notification.account for notification in Notification.objects.filter(reason="again")] == [kaveh]
    question = table.open_questions.get().question
    client(maryam).post(path(table, "moves/"), {"question": question, "text": "claim 3"}, format="json")
    resolve(table.id, timezone.now())
    open_question = table.open_questions.get()
    client(bahareh).post(path(table, "moves/"), {"question": open_question.question, "text": "allow"}, format="json")
    resolve(table.id, timezone.now())
    client(bahareh).post(
        path(table, "moves/"), {"question": table.open_questions.get().question, "text": "claim 3"}, format="json"
    )
    resolve(table.id, timezone.now())
    now = {
        (notification.account.name, notification.question)
        for notification in Notification.objects.filter(reason="question")
    }
    assert {("Maryam", "1.2"), ("Kaveh", "1.2")} <= now


@pytest.mark.parametrize(
    ("who", "until", "field"),
    [
        ("Nobody at all", WEEK, "name"),
        ("Maryam", WEEK, "name"),
        ("Bahareh", WEEK, "name"),
        ("Kaveh", timedelta(days=61), "until"),
        ("Kaveh", timedelta(seconds=-1), "until"),
    ],
)
def test_who_cannot_be_a_stand_in_is_refused(
    table: Game, maryam: Account, kaveh: Account, who: str, until: timedelta, field: str
) -> None:
    data = {"name": who, "until": (timezone.now() + until).isoformat()}
    answer = client(maryam).post(path(table), data, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert answer.json()["errors"][0]["pointer"] == f"#/{field}"
    assert not StandIn.objects.exists()


def test_who_is_kept_apart_from_somebody_there_answers_for_nobody_and_it_is_not_said_why(
    table: Game, maryam: Account, bahareh: Account, kaveh: Account
) -> None:
    blocks.block(bahareh, kaveh, timezone.now())
    answer = name(table, maryam, kaveh)
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["detail"] == "This player can’t be your stand-in in this game."


def test_whoever_has_known_a_hand_answers_for_no_other(
    table: Game, maryam: Account, bahareh: Account, kaveh: Account
) -> None:
    name(table, maryam, kaveh)
    client(maryam).delete(path(table))
    assert name(table, bahareh, kaveh).status_code == 400
    assert name(table, maryam, kaveh).status_code == 201


def test_coming_back_is_taken_from_whoever_sits_there(table: Game, maryam: Account, kaveh: Account, game: Game) -> None:
    table.seats.filter(number=1).update(missed=2)
    assert client(maryam).post(path(table, "back/"), {}, format="json").status_code == 200
    assert table.seats.get(number=1).missed == 0
    assert client(kaveh).post(path(table, "back/"), {}, format="json").status_code == 404
    assert client(kaveh).post(path(game, "back/"), {}, format="json").status_code == 403


@pytest.mark.parametrize(("field", "value"), [("misses", 0), ("misses", 21), ("absence", "wait")])
def test_terms_that_cannot_be_are_refused(maryam: Account, field: str, value: Any) -> None:
    data = {"rules": "coup", "seat_count": 2, "bots": [{}], field: value}
    answer = client(maryam).post("/api/v1/games/", data, format="json")
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, f"#/{field}")


def test_a_table_says_on_what_terms_it_was_opened(maryam: Account) -> None:
    data = {"rules": "coup", "seat_count": 2, "bots": [{}], "misses": 5, "absence": "forfeit"}
    opened = client(maryam).post("/api/v1/games/", data, format="json").json()
    assert (opened["misses"], opened["absence"]) == (5, "forfeit")
    again = (
        client(maryam).post("/api/v1/games/", {"rules": "coup", "seat_count": 2, "bots": [{}]}, format="json").json()
    )
    assert (again["misses"], again["absence"]) == (3, "bot")
    assert [seat["away"] for seat in again["seats"]] == [False, False]


@pytest.mark.parametrize("who", ["maryam", "kaveh"])
def test_a_stand_in_ends_with_the_account_of_either(table: Game, maryam: Account, kaveh: Account, who: str) -> None:
    name(table, maryam, kaveh)
    with transaction.atomic():
        joining.vacate({"maryam": maryam, "kaveh": kaveh}[who], timezone.now())
    assert StandIn.objects.get().ended_at is not None
    assert client(kaveh).get(path(table, "")).status_code == 404
    assert game_audit.find_faults(fresh(table)) == []


def test_the_export_says_who_answered_for_whom(table: Game, maryam: Account, kaveh: Account) -> None:
    name(table, maryam, kaveh)
    question = table.open_questions.get().question
    client(kaveh).post(path(table, "moves/"), {"question": question, "text": "claim 3"}, format="json")
    resolve(table.id, timezone.now())
    (own_export,), (stand_in_export,) = (account_data.export_data(account)["stand_ins"] for account in (maryam, kaveh))
    assert (own_export["with"], stand_in_export["with"]) == ("Kaveh", "Maryam")
    assert [answer["question"] for answer in own_export["answers"]] == [question]
