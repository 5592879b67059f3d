"""Tournaments from the first entry to the final standings: rounds, absence, withdrawal, and the seed at the end."""

from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.management import CommandError, call_command

from accounts.account_data import export_account
from accounts.models import Account
from games import clubs, tasks
from games.account_data import delete_data
from games.archive import ratings
from games.clubs import get_membership
from games.models import Game, Pairing, Tournament, TournamentEntry
from games.refusals import Refusal
from games.tournaments import entering, organizing, progress, rounds
from games.tournaments.progress import format_of, round_views, standings
from games.visibility import access
from tests.examples import for_each
from tests.games.tournaments.tournament_cast import (
    DAY,
    LEAGUE,
    again,
    begun,
    create_cup,
    finish,
    finish_round,
    games_of,
    people,
)
from tests.third_game.table import NOON, fresh, play

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def refused(call: Callable[[], object]) -> tuple[str, str]:
    """The code and the field of a refusal."""
    with pytest.raises(Refusal) as caught:
        call()
    return caught.value.code, caught.value.field


def test_eight_play_two_rounds_of_a_swiss_tournament_to_the_end(maryam: Account) -> None:
    cup = begun(maryam, people(8))
    assert cup.state == "running"
    games = games_of(cup)
    assert [(game.seat_count, game.state, game.host, game.private) for game in games] == [
        (4, "running", None, False)
    ] * 2
    cup = finish_round(cup, NOON + HOUR)
    assert (cup.state, [view.row.number for view in round_views(cup)]) == ("running", [2, 1])
    assert [standing.standing.points for standing in standings(cup)] == [100, 100, 33, 33, 33, 33, 33, 33]
    cup = finish_round(cup, NOON + 2 * HOUR)
    assert (cup.state, cup.ended_at) == ("over", NOON + 2 * HOUR)
    final = standings(cup)
    assert [row.entry.place for row in final] == [row.standing.place for row in final]
    assert final[0].entry.account is not None
    assert (final[0].entry.account.name, final[0].standing.points) == ("Player 1", 200)
    assert Game.objects.count() == 4


FORMATS: dict[str, dict[str, Any]] = {
    "swiss": {},
    "knock-out": {"rounds": None, "advance": 2},
    "round-robin": {"rounds": None, "table_size": 3},
}


@pytest.mark.parametrize("format", FORMATS)
def test_the_rounds_are_drawn_again_from_the_seed_that_the_commitment_binds(maryam: Account, format: str) -> None:
    players = people(7)
    cup = begun(maryam, players, format=format, **FORMATS[format])
    if format != "knock-out":
        entering.set_rounds_to_sit_out(players[2], cup.pk, [2])
    cup = finish_round(cup, NOON + HOUR)
    assert cup.drawn_rounds.count() == 2
    assert progress.find_faults(cup) == []
    first, second = Pairing.objects.filter(round__tournament=cup, round__number=2, table=1)[:2]
    first.seat, second.seat = second.seat, first.seat
    Pairing.objects.bulk_update([first, second], ["seat"])
    assert progress.find_faults(cup) == ["round 2 is not as it was drawn"]


def test_verify_names_another_seed_and_another_place(maryam: Account) -> None:
    cup = finish_round(begun(maryam, people(3), rounds=1), NOON + HOUR)
    output, faults = StringIO(), StringIO()
    call_command("verify", stdout=output)
    assert output.getvalue() == "1 games follow from their logs.\n1 tournaments follow from their seeds.\n"
    Tournament.objects.update(commitment="0" * 64)
    TournamentEntry.objects.filter(number=1).update(place=3)
    with pytest.raises(CommandError, match="1 of 1 tournaments do not follow"):
        call_command("verify", stderr=faults)
    assert faults.getvalue() == (
        f"{cup.pk}: the seed does not fit the commitment\n{cup.pk}: entry 1 finished in place 1, its row says 3\n"
    )


def test_a_round_ends_at_its_time_and_a_game_that_goes_on_is_a_draw(maryam: Account) -> None:
    cup = begun(maryam, people(8))
    first, second = games_of(cup)
    finish(first, NOON + HOUR)
    ratings.count_all(NOON + HOUR)
    rounds.sweep(NOON + HOUR)
    assert Pairing.objects.exclude(place=None).count() == 4
    rounds.sweep(NOON + 14 * DAY - HOUR)
    assert [view.row.number for view in round_views(cup)] == [1]
    rounds.sweep(NOON + 14 * DAY)
    assert [view.row.number for view in round_views(cup)] == [2, 1]
    assert sorted(standing.standing.points for standing in standings(cup)) == [33, 33, 33, 50, 50, 50, 50, 100]
    assert fresh(second).state == "running"
    finish(second, NOON + 15 * DAY)
    ratings.count_all(NOON + 15 * DAY)
    rounds.sweep(NOON + 15 * DAY)
    assert sorted(standing.standing.points for standing in standings(cup)) == [33, 33, 33, 50, 50, 50, 50, 100]


def test_a_sweep_that_comes_again_draws_nothing_twice(maryam: Account) -> None:
    cup = begun(maryam, people(8))
    for _ in range(3):
        rounds.sweep(NOON)
    assert (cup.drawn_rounds.count(), Game.objects.count()) == (1, 2)
    assert not any(queryset.exists() for queryset in rounds.waiting(NOON))


def test_the_tick_finds_what_there_is_to_do(maryam: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    cup = create_cup(maryam, people(8))
    monkeypatch.setattr("config.core.clock.now", lambda: NOON + 7 * DAY)
    for _ in range(2):
        tasks.tick()
    assert again(cup).state == "running"


def test_a_tournament_begins_at_its_time_and_is_cancelled_where_it_has_too_few(maryam: Account) -> None:
    enough, too_few = create_cup(maryam, people(3)), create_cup(maryam, [maryam])
    rounds.sweep(NOON + 7 * DAY - HOUR)
    assert {again(enough).state, again(too_few).state} == {"open"}
    for _ in range(2):
        rounds.sweep(NOON + 7 * DAY)
    assert (again(enough).state, again(too_few).state) == ("running", "cancelled")
    assert again(too_few).ended_at == NOON + 7 * DAY


def test_what_goes_wrong_in_one_tournament_stops_no_other(maryam: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    players = people(3)
    cups = [create_cup(maryam, players), create_cup(maryam, players)]
    close = rounds.close_entries

    def fail_for_one(tournament: Tournament, now: Any) -> None:
        if tournament.pk == min(cup.pk for cup in cups):
            raise ValueError
        close(tournament, now)

    monkeypatch.setattr(rounds, "close_entries", fail_for_one)
    rounds.sweep(NOON + 7 * DAY)
    assert sorted(again(cup).state for cup in cups) == ["open", "starting"]


def test_with_a_public_beacon_the_draw_waits_for_its_number(
    maryam: Account, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BEACON_URL = ["https://beacon.example"]
    signatures: list[str | None] = [None]
    monkeypatch.setattr(rounds, "fetch_signature", lambda round: signatures[0])
    cup = create_cup(maryam, people(4))
    organizing.begin(maryam, cup.pk, NOON)
    rounds.sweep(NOON + HOUR)
    assert (again(cup).state, Game.objects.count()) == ("starting", 0)
    signatures[0] = "ab" * 48
    rounds.sweep(NOON + 2 * HOUR)
    cup = again(cup)
    assert (cup.state, cup.beacon_signature, Game.objects.count()) == ("running", "ab" * 48, 1)
    assert format_of(cup, []).lots.beacon


def test_a_beacon_that_stays_silent_for_a_day_is_done_without(
    maryam: Account, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BEACON_URL = ["https://beacon.example"]
    monkeypatch.setattr(rounds, "fetch_signature", lambda round: None)
    cup = create_cup(maryam, people(4))
    organizing.begin(maryam, cup.pk, NOON)
    rounds.sweep(NOON + DAY + HOUR)
    assert (again(cup).state, again(cup).beacon_round) == ("running", None)


def test_a_round_that_was_announced_is_sat_out_for_half_a_win(maryam: Account) -> None:
    players = people(5)
    cup = create_cup(maryam, players)
    entering.set_rounds_to_sit_out(players[4], cup.pk, [1])
    organizing.begin(maryam, cup.pk, NOON)
    rounds.sweep(NOON)
    (round_view,) = round_views(again(cup))
    assert [rest.account for rest in round_view.rests] == [players[4]]
    assert refused(lambda: entering.set_rounds_to_sit_out(players[4], cup.pk, [1, 3])) == ("malformed", "sits_out")
    assert entering.set_rounds_to_sit_out(players[4], cup.pk, []).sits_out == [1]
    cup = finish_round(cup, NOON + HOUR)
    assert {standing.entry.account: standing.standing.points for standing in standings(cup)}[players[4]] == 50
    assert len(round_views(cup)[0].rests) == 0


def test_a_round_that_everybody_sits_out_passes(maryam: Account) -> None:
    players = people(3)
    cup = create_cup(maryam, players)
    for player in players:
        entering.set_rounds_to_sit_out(player, cup.pk, [1])
    organizing.begin(maryam, cup.pk, NOON)
    for _ in range(3):
        rounds.sweep(NOON)
    assert [view.row.number for view in round_views(cup)] == [2, 1]


def test_nobody_sits_out_a_round_of_a_knock_out(maryam: Account) -> None:
    (player,) = people(1)
    cup = create_cup(maryam, [player], format="knock-out", rounds=None, advance=2)
    assert refused(lambda: entering.set_rounds_to_sit_out(player, cup.pk, [1]))[0] == "conflict"


def test_who_withdraws_is_drawn_no_more_and_keeps_their_points(maryam: Account) -> None:
    players = people(8)
    cup = begun(maryam, players)
    entering.withdraw(players[0], cup.pk, NOON + HOUR)
    entering.withdraw(players[0], cup.pk, NOON + HOUR)
    cup = finish_round(cup, NOON + 2 * HOUR)
    seated = {pairing.entry.account for table in round_views(cup)[0].tables for pairing in table.pairings}
    assert seated == {*players[1:]}
    assert {standing.entry.account: standing.standing.points for standing in standings(cup)}[players[0]] == 100


def test_a_tournament_of_which_all_but_one_withdraw_is_over(maryam: Account) -> None:
    players = people(3)
    cup = begun(maryam, players)
    for player in players[1:]:
        entering.withdraw(player, cup.pk, NOON)
    assert finish_round(cup, NOON + HOUR).state == "over"


def test_who_is_absent_at_the_end_of_two_games_in_a_row_is_withdrawn(maryam: Account) -> None:
    players = people(3)
    cup = begun(maryam, players, rounds=4)
    for number in range(2):
        at = NOON + (number + 1) * HOUR
        (game,) = games_of(cup)
        game.seats.filter(account=players[0]).update(away=True)
        cup = finish_round(cup, at)
    entry = cup.entries.get(account=players[0])
    assert (entry.absences, entry.withdrawn_at) == (2, NOON + 2 * HOUR)
    assert len(round_views(cup)[0].tables[0].pairings) == 2


def test_who_is_absent_comes_after_those_who_were_there_also_where_their_bot_won(maryam: Account) -> None:
    cup = begun(maryam, people(4), table_size=2)
    for game in games_of(cup):
        first = min(game.seats.all(), key=lambda seat: seat.account_id)
        game.seats.filter(pk=first.pk).update(away=True)
    (round, *_) = round_views(finish_round(cup, NOON + HOUR))[-1:]
    for table in round.tables:
        placed = sorted((pairing.place, pairing.entry.absences) for pairing in table.pairings)
        assert placed == [(1, 0), (2, 1)]


@pytest.mark.parametrize(("delay", "places", "absences"), [(None, [1, 1, 3, 3], 1), (HOUR, [1, 1, 1, 1], 0)])
def test_who_is_absent_when_a_round_ends_at_its_time_comes_after_those_who_draw_unless_it_must_not_show_yet(
    maryam: Account, delay: timedelta | None, places: list[int], absences: int
) -> None:
    players = people(4)
    cup = begun(maryam, players, spectator_delay=delay)
    (game,) = games_of(cup)
    game.seats.filter(account=players[0]).update(away=True)
    delete_data(players[1], NOON)
    rounds.sweep(NOON + 14 * DAY)
    pairings = Pairing.objects.filter(round__tournament=cup, round__number=1)
    assert sorted(pairing.place or 0 for pairing in pairings) == places
    assert {entry.account: entry.absences for entry in cup.entries.all()}[players[0]] == absences


def test_for_whoever_leaves_the_server_a_bot_plays_on_and_they_are_last(maryam: Account) -> None:
    players = people(4)
    cup = begun(maryam, players)
    (game,) = games_of(cup)
    assert export_account(players[0], NOON)["tournaments"][0]["number"] == 1
    delete_data(players[0], NOON)
    players[0].delete()
    finish(game, NOON + HOUR, lambda account: 0 if account is None else account.pk)
    ratings.count_all(NOON + HOUR)
    rounds.sweep(NOON + HOUR)
    entry = TournamentEntry.objects.get(tournament=cup, account=None)
    placed = standings(again(cup))
    assert (entry.withdrawn_at, placed[-1].entry, placed[-1].standing.points) == (NOON, entry, 0)


def test_a_knock_out_ends_with_its_final(maryam: Account) -> None:
    cup = begun(maryam, people(9), format="knock-out", rounds=None, advance=1, table_size=3)
    cup = finish_round(cup, NOON + HOUR)
    (final,) = games_of(cup)
    assert final.seat_count == 3
    cup = finish_round(cup, NOON + 2 * HOUR)
    assert (cup.state, cup.entries.get(place=1).number) == ("over", 1)


def test_in_a_round_robin_of_duels_everybody_meets_everybody(maryam: Account) -> None:
    cup = begun(maryam, people(4), format="round-robin", rounds=None, table_size=2)
    for number in range(3):
        cup = finish_round(cup, NOON + (number + 1) * HOUR)
    assert cup.state == "over"
    assert [standing.standing.points for standing in standings(cup)] == [300, 200, 100, 0]


def test_a_cancelled_tournament_creates_no_more_games_and_those_go_on(maryam: Account) -> None:
    cup = begun(maryam, people(4))
    organizing.cancel(maryam, cup.pk, NOON)
    (game,) = Game.objects.all()
    finish(game, NOON + HOUR)
    ratings.count_all(NOON + HOUR)
    assert not any(queryset.exists() for queryset in rounds.waiting(NOON + 100 * DAY))
    assert refused(lambda: organizing.cancel(maryam, cup.pk, NOON))[0] == "conflict"


def test_the_open_tournament_of_a_host_who_leaves_the_server_is_cancelled(maryam: Account) -> None:
    players = people(3)
    cup, running = create_cup(maryam, players), begun(maryam, players)
    delete_data(maryam, NOON)
    assert (again(cup).state, again(running).state) == ("cancelled", "running")


WRONG = {
    "a name of dots": ({"name": "…"}, "name"),
    "a link": ({"about": "www.a.b"}, "about"),
    "an unknown format": ({"format": "ladder"}, "format"),
    "an unknown speed": ({"speed": "warp"}, "speed"),
    "an unknown game": ({"rules": "chess"}, "rules"),
    "no rounds": ({"rounds": None}, "rounds"),
    "too many rounds": ({"rounds": 16}, "rounds"),
    "rounds of a knock-out": ({"format": "knock-out", "advance": 1}, "rounds"),
    "nobody goes out": ({"format": "knock-out", "rounds": None, "advance": 4}, "advance"),
    "a table of one": ({"table_size": 1}, "table_size"),
    "a table of many": ({"table_size": 11}, "table_size"),
    "a past start": ({"starts_at": NOON}, "starts_at"),
    "a start in years": ({"starts_at": NOON + 181 * DAY}, "starts_at"),
    "a round of minutes": ({"round_length": timedelta(minutes=59)}, "round_length"),
    "two players": ({"most": 2}, "most"),
    "a league without divisions": ({**LEAGUE, "division_size": None}, "division_size"),
    "divisions smaller than a table": ({**LEAGUE, "division_size": 3}, "division_size"),
    "large divisions": ({**LEAGUE, "division_size": 17}, "division_size"),
    "more than half go up": ({**LEAGUE, "promoted": 3}, "promoted"),
    "no break between seasons": ({**LEAGUE, "season_break": None}, "season_break"),
    "a break of minutes": ({**LEAGUE, "season_break": timedelta(minutes=59)}, "season_break"),
    "a break of a Swiss tournament": ({"season_break": DAY}, "season_break"),
    "divisions of a Swiss tournament": ({"division_size": 4}, "division_size"),
    "a large round robin": ({"format": "round-robin", "rounds": None, "most": 25}, "most"),
    "an unknown option": ({"options": {"jester": True}}, "options"),
    "a short delay": ({"spectator_delay": timedelta(minutes=1)}, "spectator_delay"),
}


@for_each("description", WRONG, undone=True)
def test_what_a_tournament_cannot_be_is_refused_and_named(maryam: Account, description: str) -> None:
    expected, field = WRONG[description]
    assert refused(lambda: create_cup(maryam, **expected)) == ("malformed", field)
    assert not Tournament.objects.exists()


def test_there_are_limits_of_tournaments_hosted_and_entered_and_of_entries(
    maryam: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, three, four = people(4)
    cup = create_cup(maryam, [one, two, three], most=3)
    assert refused(lambda: entering.enter(four, cup.pk, NOON))[0] == "limit-reached"
    monkeypatch.setattr(entering, "MOST_ENTERED", 1)
    other = create_cup(maryam)
    assert refused(lambda: entering.enter(one, other.pk, NOON))[0] == "limit-reached"
    for _ in range(3):
        create_cup(maryam)
    assert refused(lambda: create_cup(maryam))[0] == "limit-reached"
    Tournament.objects.update(ended_at=NOON)
    assert refused(lambda: create_cup(maryam))[0] == "rate-limited"


def test_an_entry_is_made_once_and_leaves_no_trace_before_the_draw(maryam: Account) -> None:
    (player,) = people(1)
    cup = create_cup(maryam, [player])
    assert entering.enter(player, cup.pk, NOON) == cup.entries.get()
    entering.withdraw(player, cup.pk, NOON)
    assert not cup.entries.exists()
    assert refused(lambda: entering.withdraw(player, cup.pk, NOON))[0] == "not-found"


def test_who_has_not_confirmed_an_address_is_told_to(maryam: Account) -> None:
    cup = create_cup(maryam)
    (player,) = people(1)
    EmailAddress.objects.create(user=player, email=player.email, verified=False)
    assert refused(lambda: entering.enter(player, cup.pk, NOON))[0] == "forbidden"
    assert not cup.entries.exists()


def test_nobody_enters_what_has_begun_and_bots_and_guests_enter_nothing(maryam: Account) -> None:
    cup = begun(maryam, people(3))
    assert refused(lambda: entering.enter(maryam, cup.pk, NOON))[0] == "conflict"
    for kind in ({"is_bot": True}, {"is_guest": True}):
        name = next(iter(kind))
        account = Account.objects.create_user(f"{name}@example.org", name=name, **kind)
        assert refused(lambda account=account: entering.enter(account, cup.pk, NOON))[0] == "forbidden"
        assert refused(lambda account=account: create_cup(account))[0] == "forbidden"


def test_nobody_enters_whose_address_is_not_confirmed(maryam: Account, bahareh: Account) -> None:
    EmailAddress.objects.create(user=bahareh, email=bahareh.email, verified=False, primary=True)
    cup = create_cup(maryam)
    assert refused(lambda: entering.enter(bahareh, cup.pk, NOON))[0] == "forbidden"


def test_with_a_delay_of_spectators_nothing_of_a_game_shows_before_everybody_may_see_its_end(maryam: Account) -> None:
    cup = begun(maryam, people(8), spectator_delay=DAY)
    first, second = games_of(cup)
    before = (round_views(cup)[0].tables, standings(cup))
    play(fresh(first), 1, "resign yes", NOON + HOUR, question="")
    ratings.count_all(NOON + 2 * HOUR)
    rounds.sweep(NOON + 2 * HOUR)
    assert (round_views(cup)[0].tables, standings(cup)) == before
    assert access.access_to_game(maryam, first.pk).game.is_held_back
    finish(second, NOON + 3 * HOUR)
    ratings.count_all(NOON + 3 * HOUR)
    rounds.sweep(NOON + 3 * HOUR)
    is_over = {table.number: table.is_over for table in round_views(cup)[0].tables}
    assert is_over == {1: False, 2: True}
    assert not access.access_to_game(maryam, second.pk).game.is_held_back
    rounds.sweep(NOON + 14 * DAY)
    assert sorted(standing.standing.points for standing in standings(cup)) == [33, 33, 33, 50, 50, 50, 50, 100]


ACTS: dict[str, tuple[Callable[[Account, Tournament], object], str]] = {
    "see it": (lambda account, cup: entering.get_tournament(account, cup.pk), "member organizer host"),
    "enter": (lambda account, cup: entering.enter(account, cup.pk, NOON), "member organizer host"),
    "change it": (lambda account, cup: organizing.change(account, cup.pk, NOON, name="Cup"), "organizer host"),
    "begin": (lambda account, cup: organizing.begin(account, cup.pk, NOON), "organizer host"),
    "cancel": (lambda account, cup: organizing.cancel(account, cup.pk, NOON), "organizer host"),
}


@pytest.mark.parametrize("act", ACTS)
def test_in_a_club_each_role_may_do_what_the_table_says(
    maryam: Account, sepideh: Account, bahareh: Account, act: str
) -> None:
    club = clubs.create_club(maryam, "Liars", "", NOON).club
    players = people(4)
    for player in (sepideh, bahareh, *players[:3]):
        clubs.join_club(player, club.code, NOON)
    clubs.appoint(get_membership(maryam, club.pk), get_membership(sepideh, club.pk).pk, "organizer", NOON)
    cup = create_cup(maryam, players[:3], club=club.pk)
    roles = {"host": maryam, "organizer": sepideh, "member": bahareh, "stranger": players[3]}
    do, allowed = ACTS[act]
    for role, account in roles.items():
        fresh_cup = create_cup(maryam, players[:3], club=club.pk) if act in ("begin", "cancel") else cup
        if role in allowed.split():
            do(account, fresh_cup)
        else:
            assert refused(lambda account=account, cup=fresh_cup: do(account, cup))[0] == (
                "not-found" if role == "stranger" else "forbidden"
            )


def test_a_tournament_of_a_club_is_private_and_only_its_organizers_hold_one(maryam: Account, bahareh: Account) -> None:
    club = clubs.create_club(maryam, "Liars", "", NOON).club
    players = people(4)
    for player in (bahareh, *players):
        clubs.join_club(player, club.code, NOON)
    assert refused(lambda: create_cup(bahareh, club=club.pk))[0] == "forbidden"
    cup = begun(maryam, players, club=club.pk)
    (game,) = games_of(cup)
    assert (game.private, game.club) == (True, club)
    clubs.remove_member(get_membership(players[3], club.pk), get_membership(players[3], club.pk).pk)
    cup = finish_round(cup, NOON + HOUR)
    assert len(round_views(cup)[0].tables[0].pairings) == 3
    clubs.close_club(get_membership(maryam, club.pk))
    assert not Tournament.objects.exists()
    assert Game.objects.count() == 2


def test_the_host_changes_the_name_and_date_of_a_tournament_until_it_starts(maryam: Account, bahareh: Account) -> None:
    cup = create_cup(maryam, people(3))
    assert refused(lambda: organizing.change(bahareh, cup.pk, NOON, name="Mine"))[0] == "forbidden"
    changed = organizing.change(maryam, cup.pk, NOON, name="Summer cup", about="Slow", starts_at=NOON + DAY)
    assert (changed.name, changed.about, changed.look_at) == ("Summer cup", "Slow", NOON + DAY)
    organizing.begin(maryam, cup.pk, NOON)
    assert organizing.change(maryam, cup.pk, NOON, name="Autumn cup").name == "Autumn cup"
    assert refused(lambda: organizing.change(maryam, cup.pk, NOON, starts_at=NOON + 2 * DAY))[0] == "conflict"
    assert refused(lambda: organizing.begin(maryam, cup.pk, NOON))[0] == "conflict"
    few = create_cup(maryam)
    assert refused(lambda: organizing.begin(maryam, few.pk, NOON))[0] == "conflict"
