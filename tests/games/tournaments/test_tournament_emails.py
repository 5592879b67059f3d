"""Emails to those who take part in a tournament, the choice to stop them, and the names in them."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.account_data import delete_account
from accounts.models import Account
from games import clubs
from games.announcements import notify
from games.clubs import get_membership
from games.models import Seat
from games.refusals import Refusal
from games.tournaments import entering, organizing, rounds
from notifications.email.message import stop_link
from notifications.models import Notification, State
from tests.games.tournaments.tournament_cast import LEAGUE, again, begun, create_cup, finish_round, people
from tests.third_game.table import LATER, NOON

pytestmark = pytest.mark.django_db
SOON = NOON + timedelta(minutes=1)


def emails_by_name(reason: str) -> dict[str, str]:
    """Return the email that each reader got for a reason, by name."""
    rows = Notification.objects.filter(reason=reason).exclude(state=State.DROPPED)
    return {row.account.name: f"{row.content().headline} {row.content().blocks}" for row in rows if row.account}


def test_another_date_is_told_once_to_everybody_who_has_entered_and_wants_to_hear(maryam: Account) -> None:
    players = people(3)
    cup, begun_by_then = create_cup(maryam, players), create_cup(maryam, players, name="Old cup")
    entering.set_notifications(players[2], cup.pk, hears=False)
    organizing.change(maryam, cup.pk, NOON, starts_at=NOON + timedelta(days=9))
    organizing.change(maryam, cup.pk, NOON, starts_at=NOON + timedelta(days=10))
    organizing.change(maryam, cup.pk, NOON, starts_at=NOON + timedelta(days=10))
    organizing.change(maryam, begun_by_then.pk, NOON, starts_at=NOON + timedelta(days=9))
    organizing.begin(maryam, begun_by_then.pk, NOON)
    notify.write_due(SOON)
    emails = emails_by_name("tournament-moved")
    assert set(emails) == {"Player 1", "Player 2"}
    assert emails["Player 1"].startswith("“Spring cup” has a new start time.")
    assert "It starts Wednesday 1 April" in emails["Player 1"]
    assert Notification.objects.filter(reason="tournament-moved").exclude(state=State.DROPPED).count() == 2
    rounds.sweep(NOON + timedelta(days=7))
    assert again(cup).state == "open"


def test_another_date_is_not_told_to_former_members_of_the_club(maryam: Account) -> None:
    players, club = people(3), clubs.create_club(maryam, "Liars", "", NOON).club
    for player in players:
        clubs.join_club(player, club.code, NOON)
    cup = create_cup(maryam, players, club=club.pk)
    last = get_membership(players[2], club.pk)
    clubs.remove_member(last, last.pk)
    organizing.change(maryam, cup.pk, NOON, starts_at=NOON + timedelta(days=9))
    notify.write_due(SOON)
    assert set(emails_by_name("tournament-moved")) == {"Player 1", "Player 2"}


def test_the_date_is_changed_some_times_a_day_only(maryam: Account) -> None:
    cup = create_cup(maryam)
    for days in range(1, 6):
        organizing.change(maryam, cup.pk, NOON, starts_at=NOON + timedelta(days=days))
    with pytest.raises(Refusal) as caught:
        organizing.change(maryam, cup.pk, NOON, starts_at=NOON + timedelta(days=9))
    assert (caught.value.code, again(cup).starts_at) == ("rate-limited", NOON + timedelta(days=5))


def test_a_round_is_told_to_those_at_tables_with_a_bye_and_sitting_it_out(maryam: Account) -> None:
    players = people(4)
    cup = create_cup(maryam, players, table_size=2)
    entering.set_rounds_to_sit_out(players[3], cup.pk, [1])
    organizing.begin(maryam, cup.pk, NOON)
    rounds.sweep(NOON)
    notify.write_due(SOON)
    emails = emails_by_name("tournament-round")
    assert len(emails) == 4
    assert all(email.startswith("Round 1 of “Spring cup” starts.") for email in emails.values())
    assert "You sit this round out." in emails["Player 4"]
    assert sum("You have a bye" in email for email in emails.values()) == 1
    assert sum("You play against Player" in email for email in emails.values()) == 2


def test_an_email_that_is_late_tells_nothing_of_a_round_that_has_ended_and_the_next_one_is_told_once(
    maryam: Account,
) -> None:
    cup = begun(maryam, people(3))
    finish_round(cup, LATER)
    notify.write_due(LATER + timedelta(minutes=1))
    rows = Notification.objects.filter(reason="tournament-round")
    assert (rows.count(), rows.exclude(state=State.DROPPED).count()) == (6, 3)
    assert all(
        email.startswith("Round 2 of “Spring cup” starts.") for email in emails_by_name("tournament-round").values()
    )


def test_the_end_tells_everybody_their_place_and_the_first_ones(maryam: Account) -> None:
    players = people(4)
    cup = begun(maryam, players, rounds=1)
    finish_round(cup, LATER)
    notify.write_due(LATER + timedelta(minutes=1))
    emails = emails_by_name("tournament-ended")
    assert "“Spring cup” is over." in emails["Player 1"]
    assert "You finished in place 1." in emails["Player 1"]
    assert "1. Player 1" in emails["Player 4"]
    assert len(emails) == 4


def test_the_end_of_a_season_tells_the_place_who_goes_up_and_down_and_the_next_season(maryam: Account) -> None:
    players = people(8)
    season = begun(maryam, players, **LEAGUE)
    Seat.objects.filter(account=players[6]).update(away=True)
    finish_round(season, LATER)
    notify.write_due(LATER + timedelta(minutes=1))
    emails = emails_by_name("tournament-ended")
    assert all(email.startswith("Season 1 of “Spring cup” is over.") for email in emails.values())
    assert "You finished in place 2 of division 1." in emails["Player 4"]
    assert "You go down to division 2, unless a place above becomes free." in emails["Player 4"]
    assert "You go up to division 1." in emails["Player 5"]
    assert "1. Player 5" in emails["Player 6"]
    assert "You go" not in emails["Player 6"]
    assert all("Season 2 starts" in email for email in emails.values())
    assert [name for name, email in emails.items() if "You’re not taking part yet." in email] == ["Player 7"]


def test_a_cancelled_tournament_is_told_and_a_withdrawn_player_hears_no_more(maryam: Account) -> None:
    players = people(4)
    cup = begun(maryam, players)
    entering.withdraw(players[0], cup.pk, NOON)
    organizing.cancel(maryam, cup.pk, NOON)
    notify.write_due(SOON)
    emails = emails_by_name("tournament-ended")
    assert set(emails) == {"Player 2", "Player 3", "Player 4"}
    assert "“Spring cup” has been cancelled." in emails["Player 2"]


def test_the_one_click_in_an_email_stops_those_of_the_tournament(maryam: Account) -> None:
    players = people(3)
    cup = begun(maryam, players)
    notify.write_due(SOON)
    own_notification = Notification.objects.get(reason="tournament-round", account=players[0])
    link = stop_link(own_notification)
    assert "Stop these emails? You still take part." in Client().get(link).content.decode()
    Client().post(link, {"List-Unsubscribe": "One-Click"})
    assert not cup.entries.get(account=players[0]).hears
    finish_round(cup, LATER)
    assert (
        not Notification.objects.filter(reason="tournament-round", account=players[0])
        .exclude(pk=own_notification.pk)
        .exists()
    )


def test_the_emails_lose_the_name_of_a_player_who_leaves_the_server(maryam: Account) -> None:
    players = people(3)
    begun(maryam, players)
    notify.write_due(SOON)
    Notification.objects.update(state=State.SENT)
    assert "Player 1" in emails_by_name("tournament-round")["Player 2"]
    delete_account(players[0], NOON)
    assert "Player 1" not in emails_by_name("tournament-round")["Player 2"]
