"""Leagues: divisions, who goes up and down, and the next season."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Account
from games import clubs
from games.account_data import delete_data
from games.announcements import tournament_emails
from games.clubs import get_membership
from games.models import Seat, Tournament
from games.refusals import Refusal
from games.tournaments import entering, organizing, progress
from games.tournaments import rounds as sweep
from games.tournaments.entering import list_tournaments
from games.tournaments.progress import round_views, standings
from games.tournaments.rounds import next_season
from tests.games.tournaments.tournament_cast import (
    DAY,
    LEAGUE,
    again,
    begun,
    create_cup,
    finish_round,
    games_of,
    people,
)
from tests.third_game.table import NOON

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def divisions(season: Tournament) -> list[list[str]]:
    """The names in each division, in the order of the standings."""
    names_by_division: dict[int, list[str]] = {}
    for standing in standings(season):
        name = standing.entry.account.name if standing.entry.account else ""
        names_by_division.setdefault(standing.entry.division or 0, []).append(name.removeprefix("Player "))
    return list(names_by_division.values())


def movements(season: Tournament) -> dict[int, str]:
    """The numbers of those who change the division."""
    return {entry.number: entry.movement for entry in season.entries.exclude(movement="")}


def over(host: Account, players: list[Account], **fields: Any) -> tuple[Tournament, Tournament]:
    """A season that is over after one round, and the next one, which is open."""
    season = finish_round(begun(host, players, **{**LEAGUE, **fields}), NOON + HOUR)
    following = next_season(season)
    assert following is not None
    return season, following


def begin(season: Tournament) -> Tournament:
    """The season in its first round."""
    sweep.sweep(season.starts_at)
    sweep.sweep(season.starts_at)
    return again(season)


def test_the_last_of_a_division_changes_places_with_the_first_of_the_next(maryam: Account) -> None:
    season, following = over(maryam, people(8), about="Slow", options={"inquisitor": True}, speed="slow", most=9)
    for term in ("name", "about", "host", "rules", "options", "speed", "table_size", "most", "round_length"):
        assert getattr(following, term) == getattr(season, term)
    assert divisions(season) == [["1", "2", "3", "4"], ["5", "6", "7", "8"]]
    assert [(standing.entry.place, standing.standing.points) for standing in standings(season)] == 2 * [
        (1, 100),
        *3 * [(2, 33)],
    ]
    assert (season.state, movements(season)) == ("over", {4: "down", 5: "up"})
    assert (following.state, following.season, following.starts_at) == ("open", 2, NOON + HOUR + 7 * DAY)
    assert divisions(following) == [["1", "2", "3", "5"], ["4", "6", "7", "8"]]
    sweep.sweep(following.starts_at)
    sweep.sweep(following.starts_at)
    running = again(following)
    assert [{seat.account.name for seat in game.seats.all() if seat.account} for game in games_of(running)] == [
        {f"Player {number}" for number in "1235"},
        {f"Player {number}" for number in "4678"},
    ]
    running = finish_round(running, NOON + 9 * DAY)
    assert progress.find_faults(season) == progress.find_faults(running) == []
    assert [tournament.season for tournament in list_tournaments(None, league=season.pk)] == [3, 2, 1]


def test_who_skips_or_has_left_makes_room_and_newcomers_are_last(maryam: Account, bahareh: Account) -> None:
    players = people(8)
    season = begun(maryam, players, **LEAGUE)
    entering.withdraw(players[4], season.pk, NOON)
    season = finish_round(season, NOON + HOUR)
    assert movements(season) == {4: "down", 6: "up"}
    following = next_season(season)
    assert following is not None
    entering.withdraw(players[0], following.pk, NOON + HOUR)
    for account in (bahareh, players[4]):
        entering.enter(account, following.pk, NOON + HOUR)
    assert divisions(begin(following)) == [["2", "3", "6", "4"], ["7", "8", "Bahareh", "5"]]


def test_who_has_left_does_not_go_up_where_too_few_are_left(maryam: Account) -> None:
    players = people(8)
    season = begun(maryam, players, **{**LEAGUE, "promoted": 2})
    for player in players[4:7]:
        entering.withdraw(player, season.pk, NOON)
    assert movements(finish_round(season, NOON + HOUR)) == {3: "down", 4: "down", 8: "up"}


def test_who_is_absent_in_their_last_game_keeps_their_place_but_has_to_enter(maryam: Account) -> None:
    players = people(8)
    season = begun(maryam, players, **LEAGUE)
    Seat.objects.filter(account__in=players[1:3]).update(away=True)
    season = finish_round(season, NOON + HOUR)
    following = next_season(season)
    assert following is not None
    assert divisions(season)[0] == ["1", "4", "2", "3"]
    assert [sorted(division) for division in divisions(following)] == [["1", "4", "5", "6"], ["7", "8"]]
    entering.enter(players[1], following.pk, NOON + HOUR)
    assert [sorted(division) for division in divisions(following)] == [["1", "2", "4", "5"], ["6", "7", "8"]]


def test_the_rounds_of_all_divisions_are_drawn_again_from_one_seed(maryam: Account) -> None:
    season = begun(maryam, people(9), **{**LEAGUE, "table_size": 2})
    for hour in range(5):
        assert season.state == "running"
        season = finish_round(season, NOON + hour * HOUR)
    assert (season.state, [len(division) for division in divisions(season)]) == ("over", [4, 5])
    rounds = round_views(season)[::-1]
    assert [(len(round_.tables), len(round_.byes)) for round_ in rounds] == [(4, 1), (4, 1), (4, 1), (2, 1), (2, 1)]
    assert progress.find_faults(season) == []


def test_nobody_sits_out_a_round_that_their_division_does_not_have(maryam: Account) -> None:
    players = people(8)
    season = begun(maryam, players, **{**LEAGUE, "division_size": 3, "table_size": 2})
    for player in (players[0], players[7]):
        entering.set_rounds_to_sit_out(player, season.pk, [2])
    season = finish_round(season, NOON + HOUR)
    assert [len(division) for division in divisions(season)] == [3, 3, 2]
    assert [rest.account for rest in round_views(season)[0].rests] == [players[0]]


def test_a_club_of_six_is_one_division_and_former_members_are_not_in_the_next_season(maryam: Account) -> None:
    club = clubs.create_club(maryam, "Liars", "", NOON).club
    players = people(6)
    for player in players:
        clubs.join_club(player, club.code, NOON)
    season = begun(maryam, players, **{**LEAGUE, "division_size": 6, "table_size": 3}, club=club.pk)
    last = get_membership(players[5], club.pk)
    clubs.remove_member(last, last.pk)
    for hour in range(30):
        season = finish_round(season, NOON + hour * HOUR)
    assert (season.state, len(divisions(season)), movements(season)) == ("over", 1, {})
    following = next_season(season)
    assert following is not None
    assert (following.club, [sorted(division) for division in divisions(following)]) == (
        club,
        [["1", "2", "3", "4", "5"]],
    )
    last = get_membership(players[0], club.pk)
    clubs.remove_member(last, last.pk)
    Account.objects.filter(pk=players[1].pk).update(is_active=False)
    running = begin(following)
    assert {entry.account for entry in running.entries.all()} == {*players[2:5]}, "nobody who has left has a place"


def test_whoever_wants_no_more_emails_of_a_season_gets_none_of_the_next_which_waits_for_its_date(
    maryam: Account,
) -> None:
    players = people(8)
    season, following = over(maryam, players)
    tournament_emails.choose(players[0].pk, f"{tournament_emails.TOPIC}{season.pk}", enabled=False)
    assert not following.entries.get(account=players[0]).hears
    with pytest.raises(Refusal, match="A later season"):
        organizing.begin(maryam, following.pk, NOON)
    assert following.entries.filter(hears=True).count() == 7


def test_a_league_of_a_club_is_nobodys_when_its_host_has_left_the_club(maryam: Account, bahareh: Account) -> None:
    club = clubs.create_club(maryam, "Liars", "", NOON).club
    players = people(4)
    for player in (*players, bahareh):
        clubs.join_club(player, club.code, NOON)
    owner, host = get_membership(maryam, club.pk), get_membership(bahareh, club.pk)
    clubs.appoint(owner, host.pk, "organizer", NOON)
    season = begun(bahareh, players, **LEAGUE, club=club.pk)
    host = get_membership(bahareh, club.pk)
    clubs.remove_member(host, host.pk)
    following = next_season(finish_round(season, NOON + HOUR))
    assert following is not None
    assert following.host is None


def test_a_league_ends_with_a_season_that_is_cancelled_and_with_a_host_who_leaves(maryam: Account) -> None:
    players = people(4)
    _, following = over(maryam, players)
    organizing.cancel(maryam, following.pk, NOON + DAY)
    assert next_season(again(following)) is None
    season = begun(maryam, players, **LEAGUE)
    delete_data(maryam, NOON)
    maryam.delete()
    season = finish_round(season, NOON + DAY)
    assert (season.state, next_season(season)) == ("over", None)


def test_a_season_of_too_few_is_cancelled(maryam: Account) -> None:
    players = people(3)
    _, following = over(maryam, players)
    entering.withdraw(players[0], following.pk, NOON + DAY)
    sweep.sweep(following.starts_at)
    assert again(following).state == "cancelled"


def test_divisions_are_shown_before_a_season_begins_and_stored_when_it_does(maryam: Account) -> None:
    season = create_cup(maryam, people(6), **LEAGUE)
    assert divisions(season) == [["1", "2", "3", "4"], ["5", "6"]]
    assert set(season.entries.values_list("division", flat=True)) == {None}
    organizing.begin(maryam, season.pk, NOON)
    assert list(season.entries.values_list("division", flat=True)) == [1, 1, 1, 1, 2, 2]
    season.entries.filter(number=2).update(division=2)
    assert progress.find_faults(again(season)) == ["entry 2 belongs into division 1, its row says 2"]
