"""Preferences for emails and their times, read and changed at ``me/``."""

from datetime import time

import pytest

from notifications.channels import registry
from notifications.kinds import KINDS
from notifications.models import Preferences
from tests.accounts.people import Person, problem

USUAL = {
    "mails": True,
    "digest": "at-once",
    "digest_every": 6,
    "digest_at": 8,
    "quiet_from": None,
    "quiet_to": None,
    "reminders": ["alone", "50%", "80%", "PT1H"],
    "learns_hours": True,
    "receipts": True,
    "only_aimed": False,
    "news": False,
    "channels": {kind: registry.usual() for kind in KINDS},
    "addresses": dict.fromkeys(registry.addressed()),
    "secrets": dict.fromkeys(registry.secret()),
    "muted": [],
}


def test_who_never_said_anything_gets_everything_at_once_and_the_usual_reminders(maryam: Person) -> None:
    maryam.settle()
    assert maryam.get("me/").json()["preferences"] == USUAL
    assert not Preferences.objects.exists()


def test_what_is_changed_stays_and_what_is_not_named_stays_too(maryam: Person) -> None:
    maryam.settle()
    changes = {"digest": "daily", "digest_at": 7, "reminders": ["PT2H", "alone", "90%", "PT2H"], "muted": ["game:7"]}
    first = maryam.send("me/", {"preferences": changes}, "patch")
    assert first.json()["preferences"] == {**USUAL, **changes, "reminders": ["PT2H", "alone", "90%"]}
    quiet = {"quiet_from": "22:30", "quiet_to": "07:00"}
    second = maryam.send("me/", {"time_zone": "Europe/Berlin", "preferences": quiet}, "patch")
    assert second.json()["preferences"] == {**first.json()["preferences"], **quiet}
    assert maryam.get("me/").json() == second.json()
    assert Preferences.objects.get().quiet_from == time(22, 30)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("digest", "weekly"),
        ("digest_every", 0),
        ("digest_at", 24),
        ("quiet_from", "noon"),
        ("reminders", ["100%"]),
        ("reminders", ["0%"]),
        ("reminders", ["P1Y"]),
        ("reminders", ["PT1S"]),
        ("reminders", [f"{step}%" for step in range(10, 20)]),
        ("receipts", "perhaps"),
        ("channels", {"question": ["pigeon"]}),
        ("channels", {"chess": ["mail"]}),
        ("colour", "red"),
    ],
)
def test_a_wrong_wish_is_refused_by_its_name(maryam: Person, field: str, value: object) -> None:
    maryam.settle()
    quiet = {"quiet_to": "07:00"} if field == "quiet_from" else {}
    body = problem(maryam.send("me/", {"preferences": {field: value, **quiet}}, "patch"), 400, "malformed")
    assert body["errors"][0]["pointer"].startswith(f"#/preferences/{field}")
    assert maryam.get("me/").json()["preferences"] == USUAL


def test_quiet_hours_that_do_not_end_are_refused(maryam: Person) -> None:
    maryam.settle()
    for quiet in ({"quiet_from": "22:00"}, {"quiet_from": "22:00", "quiet_to": None}):
        body = problem(maryam.send("me/", {"preferences": quiet}, "patch"), 400, "malformed")
        assert body["errors"][0]["code"] == "quiet-hours"


def test_a_refused_name_changes_no_preferences(maryam: Person, kaveh: Person) -> None:
    maryam.settle()
    kaveh.settle()
    problem(maryam.send("me/", {"name": "Kaveh", "preferences": {"digest": "daily"}}, "patch"), 400, "malformed")
    assert maryam.get("me/").json()["preferences"] == USUAL
