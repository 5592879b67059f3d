"""Accounts for which a program plays say so, and stay so."""

import pytest
from django.utils import timezone

from accounts.models import Account
from games.models import Game
from notifications.models import Notification
from tests.accounts.people import Person, problem
from tests.third_game.table import create_fist, with_fist

__all__ = ["with_fist"]


def test_a_program_says_so_when_it_signs_up(maryam: Person) -> None:
    maryam.form["is_bot"] = True
    maryam.settle_by_api()
    me = maryam.get("me/").json()
    assert (me["is_bot"], me["preferences"]["mails"]) == (True, False)


def test_a_person_may_become_a_bot_and_a_bot_no_person(maryam: Person) -> None:
    maryam.settle()
    assert maryam.get("me/").json()["is_bot"] is False
    assert maryam.send("me/", {"is_bot": True}, "patch").json()["is_bot"] is True
    body = problem(maryam.send("me/", {"is_bot": False}, "patch"), 400, "malformed")
    assert (body["errors"][0]["pointer"], body["errors"][0]["code"]) == ("#/is_bot", "bot")
    assert maryam.get("me/").json()["is_bot"] is True
    assert maryam.send("me/", {"is_bot": True}, "patch").status_code == 200


@pytest.mark.parametrize("value", ["perhaps", None, 7])
def test_whether_an_account_is_a_bot_is_true_or_false(maryam: Person, value: object) -> None:
    maryam.settle()
    body = problem(maryam.send("me/", {"is_bot": value}, "patch"), 400, "malformed")
    assert body["errors"][0]["pointer"] == "#/is_bot"


def _notifications(account: Account, game: Game) -> list[str]:
    return sorted(
        Notification.objects.filter(account=account, topic=f"game:{game.id}").values_list("reason", flat=True)
    )


def _at_a_table_with(bot: Account) -> Game:
    kaveh = Account.objects.create_user(f"{timezone.now().timestamp()}@example.org", name="Kaveh")
    game = create_fist(bot, kaveh)
    assert "started" in _notifications(kaveh, game)
    return game


@pytest.mark.usefixtures("with_fist")
def test_bots_get_no_mails_unless_they_ask_for_them(maryam: Person) -> None:
    maryam.form["is_bot"] = True
    maryam.settle_by_api()
    bot = Account.objects.get()
    assert _notifications(bot, _at_a_table_with(bot)) == []
    Account.objects.exclude(pk=bot.pk).delete()
    answer = maryam.send("me/", {"preferences": {"mails": True}}, "patch")
    assert answer.json()["preferences"]["mails"] is True
    assert "question" in _notifications(bot, _at_a_table_with(bot))


@pytest.mark.usefixtures("with_fist")
def test_a_person_may_want_no_mails_about_tables(maryam: Person) -> None:
    maryam.settle()
    person = Account.objects.get()
    maryam.send("me/", {"preferences": {"mails": False}}, "patch")
    assert _notifications(person, _at_a_table_with(person)) == []


@pytest.mark.usefixtures("with_fist")
def test_a_bot_is_seen_at_its_seat(maryam: Person, kaveh: Person) -> None:
    maryam.form["is_bot"] = True
    maryam.settle_by_api()
    kaveh.settle()
    game = create_fist(*Account.objects.order_by("pk"))
    seats = kaveh.get(f"games/{game.id}/").json()["seats"]
    assert [(seat["name"], seat["bot_account"]) for seat in seats] == [("Maryam", True), ("Kaveh", False)]
