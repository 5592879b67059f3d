"""The rows that closing windows is measured against: ``bench.timeouts`` writes them by SQL alone."""

from accounts.models import Account
from bench.timeouts import floor_a_second
from games.models import Event, OpenQuestion
from notifications.models import Notification
from tests.cast import bahareh, maryam
from tests.games.finished import begun

__all__ = ["bahareh", "maryam"]


def test_the_rows_of_a_closed_window_fit_the_tables_and_are_undone(maryam: Account, bahareh: Account) -> None:
    game = begun([maryam, bahareh])
    Notification.objects.all().delete()  # as of the copies that are measured, whose players were told nothing
    asked, told = [*OpenQuestion.objects.values()], Event.objects.count()
    assert asked
    assert floor_a_second([game.pk]) > 0
    assert ([*OpenQuestion.objects.values()], Event.objects.count()) == (asked, told)
