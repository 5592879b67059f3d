"""Two worlds that other accounts cannot distinguish: the usual hours of a player are known in one of them only.

Only the player's own reminders come at other times. A stand-in gets reminders as if no hours were known.
"""

import random
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection

from accounts.models import Account
from games.archive import ratings
from games.models import AnswerTimes, Game, Heartbeat, WaitingTime
from games.play import timeouts
from games.tables import stand_ins
from notifications.models import Notification, Preferences
from tests.games.play.test_plans_unseen import OWNER, Eyes, answer, random_answer
from tests.games.seated import NOON, begin, hear
from tests.games.unseen import world
from tests.third_game.table import fresh

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
HOURS_A_MOVE = 16
"""After so long the next one answers who is asked: early reminders have come then, and others not yet."""
MOVES = 8


def played(game: Game, eyes: Eyes, owner: Account, stand_in: Account) -> datetime | None:
    """Let people answer every few hours, with reminders. The owner names a stand-in during her first question. Return
    the time of her reminder before that.
    """
    luck, at, next_reminder = random.Random(5), NOON, None
    for number in range(MOVES):
        for hour in range(HOURS_A_MOVE):
            at += HOUR
            Heartbeat.objects.update(at=at)
            timeouts.sweep(at)
            if number == hour == 1:
                next_reminder = game.open_questions.get(seat=OWNER).remind_at
                stand_ins.name_stand_in(game.pk, owner, stand_in, NOON + timedelta(days=50), at)
        answer(game, *random_answer(game, luck, ends=number > MOVES - 3), at)
        eyes.look(at)
    return next_reminder


def reminded(account: Account) -> list[Any]:
    """Return the reminders of an account with their times."""
    notifications = Notification.objects.filter(account=account, reason="reminder").order_by("created_at")
    return list(notifications.values_list("created_at", "question"))


def test_nobody_else_can_tell_whether_somebodys_usual_hours_are_known(
    maryam: Account, sepideh: Account, bahareh: Account, dariush: Account
) -> None:
    kaveh = Account.objects.create_user("kaveh@example.org", name="Kaveh")
    hear([kaveh])
    Preferences.objects.create(account=bahareh)
    game = begin([maryam, sepideh, bahareh], number=3)
    observations, own_reminders = [], []
    for hours in ([], [8, 20]):
        with world(), connection.cursor() as cursor:
            cursor.execute("SELECT setval('games_standin_id_seq', 7)")
            Preferences.objects.filter(account=bahareh).update(usual_hours=hours)
            eyes = Eyes(game, [maryam, sepideh, kaveh], dariush)
            own_reminders.append(played(game, eyes, bahareh, kaveh))
            assert fresh(game).state == Game.State.OVER
            ratings.count_all(NOON + timedelta(days=30))
            counted = [
                list(AnswerTimes.objects.values("account", "half_within", "most_within")),
                list(WaitingTime.objects.order_by("kind").values("kind", "waits", "asleep", "not_seen", "seen")),
            ]
            observations.append([*eyes.settle(NOON + timedelta(days=30)), reminded(kaveh), reminded(maryam), counted])
    for here, there in zip(*observations, strict=True):
        assert here == there
    assert len(observations[0][-3]) > 0, "the stand-in is reminded"
    assert own_reminders[0] != own_reminders[1], "her own reminders come at other times without a stand-in"
