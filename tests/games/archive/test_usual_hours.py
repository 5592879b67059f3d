"""The hours at which players usually answer, learned from finished games for their own reminders."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from accounts.authentication.flows import update_account
from accounts.models import Account
from games.archive import usual_times
from games.archive.usual_times import FEWEST_DAYS, LATEST
from games.models import Game, Move
from games.terms import GameTerms
from notifications import preferences
from notifications.account_data import export_data
from notifications.models import Preferences
from tests.games.archive.test_usual_times import answered
from tests.games.pages.at_home import Visitor

pytestmark = pytest.mark.django_db
MIDNIGHT = datetime(2026, 11, 1, 20, 30, tzinfo=UTC)
"""Midnight in Tehran."""
DAY = timedelta(days=1)


def looked(account: Account, *hours: float, days: int = FEWEST_DAYS, **fields: Any) -> None:
    """Let an account answer at these hours of Tehran on a number of days."""
    Account.objects.filter(pk=account.pk).update(time_zone="Asia/Tehran")
    game = answered(account, *[0] * len(hours) * days, **fields)
    moments = [MIDNIGHT + day * DAY + timedelta(hours=hour) for day in range(days) for hour in hours]
    for move, at in zip(Move.objects.filter(game=game), moments, strict=True):
        Move.objects.filter(pk=move.pk).update(received_at=at)


def usual_hours_of(account: Account) -> list[int]:
    """Return the usual hours of an account."""
    usual_times.renew_hours([account.pk])
    return preferences.of(Account.objects.get(pk=account.pk)).usual_hours


def test_hours_are_those_of_the_days_on_which_somebody_answered_where_they_live(maryam: Account) -> None:
    looked(maryam, 8.2, 8.3, 21.9)
    looked(maryam, 15, days=2)
    assert usual_hours_of(maryam) == [8, 20]


def test_of_few_days_nothing_is_known_and_no_preferences_are_made(maryam: Account) -> None:
    looked(maryam, 8, 21, days=FEWEST_DAYS - 1)
    assert usual_hours_of(maryam) == []
    assert not Preferences.objects.exists()


@pytest.mark.parametrize(
    "other",
    [
        {"state": Game.State.RUNNING},
        {"terms": GameTerms(turn_limit=timedelta(minutes=30))},
        {"asked_at": None, "via": "timeout"},
        {"plan": '"allow"'},
    ],
)
def test_answers_of_the_clock_of_plans_and_of_other_games_do_not_count(maryam: Account, other: dict[str, Any]) -> None:
    looked(maryam, 8)
    looked(maryam, 14, **other)
    assert usual_hours_of(maryam) == [8]


def test_however_many_answers_in_fast_games_came_later_those_in_slow_ones_count(maryam: Account) -> None:
    looked(maryam, 8)
    fast = answered(maryam, *[0] * LATEST, terms=GameTerms(turn_limit=timedelta(minutes=30)))
    Move.objects.filter(game=fast).update(received_at=MIDNIGHT + 2 * FEWEST_DAYS * DAY)
    assert usual_hours_of(maryam) == [8]


def test_their_owner_reads_them_alone_and_may_switch_it_off(maryam: Account, sepideh: Account) -> None:
    looked(maryam, 8, 20)
    assert usual_hours_of(maryam) == [8, 20]
    visitor = Visitor(maryam, "en")
    assert visitor.go("/settings/emails/").text.count("You usually answer around 09:00, 21:00.") == 2
    assert "You usually answer" not in Visitor(sepideh, "en").go("/settings/emails/").text
    assert export_data(Account.objects.get(pk=maryam.pk))["preferences"]["usual_hours"] == [8, 20]
    visitor.send(learns_hours=None)
    preferences_row = Preferences.objects.get(account=maryam)
    assert (preferences_row.learns_hours, preferences_row.usual_hours) == (False, [])
    assert usual_hours_of(maryam) == []


def test_they_are_forgotten_with_a_change_of_the_time_zone_alone(maryam: Account) -> None:
    looked(maryam, 8)
    assert usual_hours_of(maryam) == [8]
    account = Account.objects.get(pk=maryam.pk)
    update_account(account, {"time_zone": "Asia/Tehran", "language": "en"})
    assert Preferences.objects.get(account=maryam).usual_hours == [8]
    update_account(account, {"time_zone": "Europe/Berlin"})
    assert Preferences.objects.get(account=maryam).usual_hours == []


def test_they_go_with_the_account(maryam: Account) -> None:
    looked(maryam, 8)
    assert usual_hours_of(maryam)
    maryam.delete()
    assert not Preferences.objects.exists()
