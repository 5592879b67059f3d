"""Reminders that came early, before an hour at which their reader usually answers, and do not come again."""

from datetime import timedelta

import pytest

from accounts.models import Account
from games.models import Game, Heartbeat
from games.play import timeouts
from games.play.locked_game import lock_game
from games.tables import stand_ins, vacations
from notifications.models import Notification, Preferences
from tests.games.seated import NOON, begin, hear

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def game(maryam: Account, bahareh: Account) -> Game:
    """Maryam has 48 hours. She is reminded after 22, at 13:30 of hers, and not after half of them; then after 38.4."""
    Preferences.objects.create(account=maryam, reminders=["50%", "80%"], usual_hours=[14, 19])
    return begin([maryam, bahareh, None])


def sweep(*hours: int) -> None:
    for hour in hours:
        Heartbeat.objects.update(at=NOON + hour * HOUR)
        timeouts.sweep(NOON + hour * HOUR)


def reminded(account: Account) -> list[float]:
    """Return the hours after which an account was reminded."""
    notifications = Notification.objects.filter(account=account, reason="reminder").order_by("created_at")
    return [(at - NOON) / HOUR for at in notifications.values_list("created_at", flat=True)]


def test_a_reminder_that_came_early_comes_once(game: Game, maryam: Account) -> None:
    sweep(21, 22, 24, 27, 39, 47)
    assert reminded(maryam) == [22, 39]


def test_who_has_the_hours_forgotten_is_not_reminded_again_at_the_own_time_of_what_was_sent(
    game: Game, maryam: Account
) -> None:
    Preferences.objects.filter(account=maryam).update(usual_hours=[])
    sweep(22, 24, 27, 39)
    assert reminded(maryam) == [22, 39]


def test_a_pause_that_moves_the_own_time_of_a_reminder_past_it_does_not_repeat_it(game: Game, maryam: Account) -> None:
    with lock_game(game.pk, NOON + 5 * HOUR) as locked:
        assert locked is not None
        locked.postpone(3 * HOUR)
    sweep(25, 26, 27, 41)
    assert reminded(maryam) == [25, 41]


def test_a_vacation_that_moves_the_deadline_has_all_reminders_come_again(maryam: Account, bahareh: Account) -> None:
    Preferences.objects.create(account=maryam, reminders=["5%", "10%"])
    game = begin([maryam, bahareh, None])
    sweep(3, 5)
    assert game.open_questions.get(seat=1).remind_at is None
    first = (NOON + timedelta(days=2)).date()
    vacations.announce(maryam, first, first + timedelta(days=9), NOON + 6 * HOUR)
    assert game.open_questions.get(seat=1).remind_at == NOON + 14.4 * HOUR


def test_a_stand_in_is_reminded_at_the_own_time_of_what_their_player_had_early(game: Game, maryam: Account) -> None:
    kaveh = Account.objects.create_user("kaveh@example.org", name="Kaveh")
    hear([kaveh])
    sweep(22)
    stand_ins.name_stand_in(game.pk, maryam, kaveh, NOON + timedelta(days=50), NOON + 23 * HOUR)
    sweep(24, 27, 39)
    assert reminded(maryam) == [22, 39]
    assert reminded(kaveh) == [24, 39]
