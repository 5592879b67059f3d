"""Waiting times: what games have waited for, and why, worked out when they are over."""

import re
from datetime import date, time, timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.account_data import export_account
from accounts.models import Account
from games.archive import ratings, waiting_times
from games.archive.waiting_times import FEWEST, SETTLING, Sums
from games.models import Game, Move, OpenQuestion, WaitingTime
from games.operations import exporter
from games.play import questions, timeouts
from games.play.resolve import resolve
from games.play.submit import WrittenMove, store_move
from games.tables import stand_ins
from tests.games.operations.admin.conftest import browser, dariush
from tests.games.pages.at_home import Visitor
from tests.third_game.table import LATER, NOON, create_fist, fresh, lie, play, truth, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["dariush", "with_fist"]
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def game(maryam: Account, sepideh: Account, bahareh: Account) -> Game:
    """Return a game that is over. Maryam saw her turn after two hours and answered an hour later. Sepideh answered
    after an hour, and the clock for Bahareh, who sleeps for twelve hours. Sepideh then lied, and Maryam immediately
    challenged."""
    Account.objects.update(time_zone="UTC")
    game = create_fist(maryam, sepideh, bahareh)
    questions.note_seen(game.open_questions.all(), NOON + 2 * HOUR)
    play(game, 1, f"claim {truth(game, 1)}", NOON + 3 * HOUR)
    play(game, 2, "allow", NOON + 4 * HOUR)
    due = game.open_questions.get(seat=3).due_at
    assert due == NOON + 27 * HOUR
    timeouts.time_out_game(game.id, due + MINUTE)
    play(game, 2, f"claim {lie(game, 2)}", due + 2 * MINUTE)
    play(game, 1, "doubt", due + 3 * MINUTE)
    Account.objects.filter(pk=bahareh.pk).update(sleep_from=time(20), sleep_to=time(8))
    assert fresh(game).state == Game.State.OVER
    return fresh(game)


def test_waits_are_split_by_what_kept_whoever_answered_last(game: Game) -> None:
    sums = waiting_times.sums_of(game)
    none = timedelta()
    assert sums == {
        "turn": Sums(0, 2, 0, {"asleep": none, "not_seen": 2 * HOUR + MINUTE, "seen": HOUR, "planned": none}),
        "doubt": Sums(
            0, 2, 1, {"asleep": 12 * HOUR, "not_seen": 12 * HOUR + 2 * MINUTE, "seen": none, "planned": none}
        ),
    }


def test_a_game_is_counted_once_and_forgets_who_saw_what(game: Game) -> None:
    assert Move.objects.filter(seen_at=NOON + 2 * HOUR).count() == 1
    for _ in range(2):
        ratings.count_all(LATER + timedelta(days=3))
    row = WaitingTime.objects.get(kind="turn")
    assert (row.month.isoformat(), row.rules, row.people, row.games, row.waits) == ("2026-03-01", "fist", 3, 1, 2)
    assert (row.not_seen, row.seen) == (2 * HOUR + MINUTE, HOUR)
    assert not Move.objects.filter(seen_at__isnull=False).exists()


def test_old_months_are_deleted(game: Game) -> None:
    WaitingTime.objects.create(month="2024-02-01", rules="fist", people=3, kind="turn", games=50)
    ratings.count_all(LATER + timedelta(days=3))
    assert {row.month.year for row in WaitingTime.objects.all()} == {2026}


def test_only_bots_and_people_alone_with_bots_are_not_counted(maryam: Account) -> None:
    game = create_fist(maryam, bots=1)
    play(game, 1, "resign yes")
    Game.objects.filter(pk=game.pk).update(state=Game.State.OVER, ended_at=LATER)
    waiting_times.count(fresh(game), LATER)
    assert not WaitingTime.objects.exists()


def test_a_page_notes_when_its_reader_first_saw_a_question_and_nobody_elses(
    maryam: Account, sepideh: Account, dariush: Account
) -> None:
    games = [create_fist(maryam, sepideh, now=timezone.now()) for _ in range(2)]
    for other in (sepideh, dariush):
        Visitor(other).go(f"/games/{games[0].pk}/") if other is sepideh else Visitor(other).go("/")
    assert not OpenQuestion.objects.filter(seen_at__isnull=False).exists()
    Visitor(maryam).go(f"/games/{games[0].pk}/")
    seen_at = games[0].open_questions.get().seen_at
    assert seen_at is not None
    assert games[1].open_questions.get().seen_at is None
    Visitor(maryam).go("/")
    assert games[0].open_questions.get().seen_at == seen_at
    assert games[1].open_questions.get().seen_at is not None


def test_neither_a_stand_in_nor_their_data_tells_when_the_player_saw_a_question(
    maryam: Account, sepideh: Account, dariush: Account
) -> None:
    game = create_fist(maryam, sepideh)
    questions.note_seen(game.open_questions.all(), NOON + HOUR)
    stand_ins.name_stand_in(game.id, maryam, dariush, NOON + 48 * HOUR, NOON + HOUR)
    written_move = WrittenMove(game.open_questions.get().question, f"claim {truth(game, 1)}")
    store_move(fresh(game), dariush, written_move, Move.Via.API, NOON + 2 * HOUR)
    resolve(game.id, NOON + 2 * HOUR)
    (move,) = export_account(dariush, NOON + 3 * HOUR)["moves"]
    assert (move["state"], move["asked_at"], move["seen_at"]) == ("applied", NOON, None)


def last_month() -> date:
    """The first day of the last month that is over."""
    return ((timezone.now() - SETTLING).date().replace(day=1) - timedelta(days=1)).replace(day=1)


def store_sums(games: int) -> None:
    """Store the sums for a number of games of the last month."""
    WaitingTime.objects.all().delete()
    row: dict[str, Any] = {"month": last_month(), "rules": "coup", "people": 3, "games": games}
    for kind, hours in (("turn", 30), ("challenge", 50)):
        times = {"asleep": hours * HOUR, "seen": hours * HOUR / 2, "not_seen": hours * HOUR / 2}
        WaitingTime.objects.create(**row, kind=kind, waits=20, timed_out=5, **times)


def test_the_operator_sees_them_and_players_see_nothing(maryam: Account, dariush: Account) -> None:
    store_sums(FEWEST)
    page = browser(dariush).get("/admin/waiting/").content.decode()
    assert page.index("challenge") < page.index("turn")
    assert "Coup, people at the table: 3, games: 10" in page
    rows = [re.findall("<td>(.*?)</td>", row) for row in page.split("<tr>")]
    assert any(row[-3:] == ["10 hours", "62%", "25%"] for row in rows)
    assert any("8 hours 50%" in " ".join(row) for row in rows)
    assert "admin/waiting/" in browser(dariush).get("/admin/").content.decode()
    assert browser(maryam).get("/admin/waiting/", follow=True).status_code == 403


def test_of_fewer_games_nothing_is_shown(dariush: Account) -> None:
    store_sums(FEWEST - 1)
    assert "Nothing is shown until 10 games" in browser(dariush).get("/admin/waiting/").content.decode()
    assert [metric.samples for metric in exporter.waiting([])] == [[], []]


def test_prometheus_reads_those_of_last_month_and_an_end_of_a_game_now_changes_none() -> None:
    store_sums(FEWEST)
    spent, ended = exporter.waiting([])
    assert (spent.type, ended.type) == ("gauge", "gauge")
    for row in WaitingTime.objects.all():
        for month in (timezone.now().date().replace(day=1), last_month() - timedelta(days=1)):
            WaitingTime.objects.create(month=month, rules="coup", people=4, kind=row.kind, games=50, waits=9)
    assert [metric.samples for metric in exporter.waiting([])] == [spent.samples, ended.samples]
    labels = {"rules": "coup", "kind": "turn", "cause": "asleep"}
    assert [sample.value for sample in spent.samples if sample.labels == labels] == [30 * 3600]
    assert sorted(sample.value for sample in ended.samples) == [5, 5, 15, 15]
