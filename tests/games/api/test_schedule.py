"""Tables with clocks of their own, why an answer is due when it is, and vacations, by the API."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import Account
from games.announcements import notify
from games.models import Game
from games.tables import stand_ins
from games.terms import WEEKDAYS
from notifications.models import Notification, State
from tests.examples import for_each
from tests.games.api.conftest import client
from tests.third_game.table import create_fist, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["with_fist"]
V1 = "/api/v1"
USUAL = {
    "zone": "UTC",
    "closes_at": [],
    "days_off": [],
    "dates_off": [],
    "time_bank": None,
    "sleep": 12,
    "vacation": 30,
}


def opened(program: APIClient, **terms: Any) -> Any:
    return program.post(f"{V1}/games/", {"rules": "fist", "seat_count": 2, **terms}, format="json")


def pointers(answer: Any) -> list[str]:
    assert answer.status_code == 400, answer.content
    return [error["pointer"] for error in answer.json()["errors"]]


def ahead(days: int) -> str:
    return (timezone.now() + timedelta(days=days)).date().isoformat()


def test_a_table_says_what_it_agrees_on_about_time(maryam: Account) -> None:
    terms = {
        "zone": "Asia/Tehran",
        "closes_at": ["20:00", "08:30"],
        "days_off": ["thursday", "friday"],
        "dates_off": ["2027-03-21"],
        "sleep": 8,
        "vacation": 14,
    }
    table = opened(client(maryam), choice_limit="PT3H", schedule=terms).json()
    assert table["choice_limit"] == "PT3H"
    assert table["schedule"] == {**USUAL, **terms}
    assert opened(client(maryam)).json()["schedule"] == USUAL
    banked = opened(client(maryam), schedule={"time_bank": {"time": "P3D", "increment": "PT6H"}}).json()
    assert banked["schedule"] == {**USUAL, "time_bank": {"time": "P3D", "increment": "PT6H"}}
    assert [seat["time_bank"] for seat in banked["seats"]] == ["P3D"]


@for_each(
    "wrong, pointer",
    [
        ({"zone": "Mars/Base"}, "#/schedule/zone"),
        ({"closes_at": ["noon"]}, "#/schedule/closes_at/0"),
        ({"days_off": ["caturday"]}, "#/schedule/days_off/0"),
        ({"days_off": list(WEEKDAYS)}, "#/schedule/days_off"),
        ({"dates_off": ["21.3.2027"]}, "#/schedule/dates_off/0"),
        ({"sleep": 13}, "#/schedule/sleep"),
        ({"vacation": -1}, "#/schedule/vacation"),
        ({"time_bank": {"time": "P3D"}}, "#/schedule/time_bank/increment"),
        ({"time_bank": {"time": "P3D", "increment": "PT1H"}, "closes_at": ["20:00"]}, "#/schedule/time_bank"),
        ({"hour": 3}, "#/schedule/hour"),
    ],
    undone=True,
)
def test_terms_that_cannot_be_are_refused_by_name(maryam: Account, wrong: dict[str, Any], pointer: str) -> None:
    assert pointers(opened(client(maryam), schedule=wrong)) == [pointer]
    assert not Game.objects.exists()


def test_why_is_told_to_who_is_asked_and_others_see_the_latest_moment(maryam: Account, bahareh: Account) -> None:
    program = client(maryam)
    hour = (timezone.now() + timedelta(hours=3, minutes=30)).hour
    sleep = {"sleep_from": f"{(hour - 5) % 24:02}:00", "sleep_to": f"{(hour + 2) % 24:02}:00"}
    assert program.patch(f"{V1}/me/", sleep, format="json").json()["sleep_from"] == sleep["sleep_from"]
    table = opened(program).json()
    client(bahareh).post(f"{V1}/games/{table['id']}/join/", {}, format="json")
    (question,) = program.get(f"{V1}/questions/").json()["results"]
    assert [reason["code"] for reason in question["why"]] == ["turn", "sleep"]
    assert question["why"][0]["text"] == "You have 2 days for this turn."
    assert question["why"][1]["until"] == question["due_at"]
    assert question["why"][1]["text"].endswith(", because you sleep until then.")
    shown_table = client(bahareh).get(f"{V1}/games/{table['id']}/").json()
    assert shown_table["due_at"] == question["due_at"]
    assert "sleep_from" not in str(shown_table)


def test_who_answers_for_another_is_not_told_when_they_sleep(maryam: Account, bahareh: Account, kaveh: Account) -> None:
    now = timezone.now()
    maryam.sleep_from, maryam.sleep_to = ((now + timedelta(hours=hours)).time() for hours in (-3, 3))
    maryam.time_zone = "UTC"
    maryam.save()
    game = create_fist(maryam, bahareh, now=now)
    stand_ins.name_stand_in(game.id, maryam, kaveh, now + timedelta(days=3), now)
    (own_question,), (stand_in_question,) = (
        client(account).get(f"{V1}/questions/").json()["results"] for account in (maryam, kaveh)
    )
    assert own_question["due_at"] == stand_in_question["due_at"]
    assert (len(own_question["why"]), stand_in_question["why"]) == (2, [])
    notify.write_due(now)
    texts = {
        notification.account: repr(notification.content())
        for notification in Notification.objects.filter(state=State.READY, question="1.1")
    }
    assert ("because you sleep" in texts[maryam], "because you sleep" in texts[kaveh]) == (True, False)


def test_sleep_has_two_ends_and_is_no_longer_than_half_a_day(maryam: Account) -> None:
    for wrong in (
        {"sleep_from": "22:00"},
        {"sleep_from": "22:00", "sleep_to": None},
        {"sleep_from": "08:00", "sleep_to": "22:00"},
    ):
        answer = client(maryam).patch(f"{V1}/me/", wrong, format="json")
        assert pointers(answer) == ["#/sleep_from"]
    maryam.refresh_from_db()
    assert maryam.sleep_from is None


def test_a_vacation_is_announced_once_for_each_key_and_taken_back(maryam: Account, bahareh: Account) -> None:
    program = client(maryam)
    days = {"first": ahead(30), "last": ahead(33)}
    first, again = (
        program.post(f"{V1}/me/vacations/", days, format="json", HTTP_IDEMPOTENCY_KEY="k") for _ in range(2)
    )
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json() == {"id": first.json()["id"], **days}
    assert program.get(f"{V1}/me/vacations/").json()["results"] == [first.json()]
    where = first.headers["Location"]
    assert program.get(where).json() == first.json()
    assert client(bahareh).get(where).status_code == client(bahareh).delete(where).status_code == 404
    assert program.delete(where).status_code == 204
    assert program.get(where).status_code == 404
    assert program.get(f"{V1}/me/vacations/").json()["results"] == []


def test_a_vacation_that_cannot_be_is_refused_by_its_day(maryam: Account) -> None:
    program = client(maryam)
    for days, pointer in (
        ({"first": ahead(0), "last": ahead(2)}, "#/first"),
        ({"first": ahead(40), "last": ahead(30)}, "#/last"),
        ({"first": "soon", "last": ahead(30)}, "#/first"),
    ):
        assert pointers(program.post(f"{V1}/me/vacations/", days, format="json")) == [pointer]


def test_sleep_and_vacations_are_exported(maryam: Account) -> None:
    program = client(maryam)
    program.patch(f"{V1}/me/", {"sleep_from": "23:00", "sleep_to": "07:00"}, format="json")
    program.post(f"{V1}/me/vacations/", {"first": ahead(30), "last": ahead(30)}, format="json")
    paper = program.get(f"{V1}/me/export/").json()["account"]
    assert paper["sleep_from"].startswith("23:00")
    assert paper["vacations"][0]["first"] == ahead(30)
