"""Clubs by pages: founding one, joining it by its link, playing in it, and what its roles see."""

from datetime import timedelta

import pytest
from django.db import connections
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Account
from games import clubs
from games.clubs import get_membership
from games.models import Club, ClubHandle, Game, Membership, Tournament
from games.refusals import Refusal
from games.tables.new_game import NewGame
from games.tables.starting import create_game
from tests.games.pages.at_home import Visitor
from tests.games.pages.test_every_page import sound
from tests.games.tournaments.tournament_cast import create_cup
from tests.third_game.table import NOON

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(maryam: Account, sepideh: Account) -> Club:
    """Maryam's club, in which Sepideh is a member."""
    own_club = clubs.create_club(maryam, "Thursday liars", "We meet on Thursdays.", timezone.now())
    clubs.join_club(sepideh, own_club.club.code, timezone.now())
    return own_club.club


def test_a_club_is_founded_and_joined_by_its_link_and_its_members_play_in_it(maryam: Account, sepideh: Account) -> None:
    owner, friend = Visitor(maryam), Visitor(sepideh)
    assert "/clubs/" in {link["href"] for link in owner.go("/").all("a")}
    owner.go("/clubs/")
    owner.send(name="Thursday liars", about="")
    club = Club.objects.get()
    assert owner.path == f"/clubs/{club.pk}/"
    assert f"/clubs/join/{club.code}/" in owner.page.text
    friend.go(f"/clubs/join/{club.code}/")
    assert "Thursday liars" in friend.page.text
    friend.send()
    assert friend.path == f"/clubs/{club.pk}/"
    assert club.code not in friend.page.text
    owner.go(f"/games/new/coup/?club={club.pk}")
    owner.send(seat_count="2")
    game = Game.objects.get()
    assert (game.club, game.private) == (club, True)
    sound(friend.go(f"/clubs/{club.pk}/"), "fa")
    friend.send(f"/games/{game.pk}/join/")
    game.refresh_from_db()
    assert game.state == "running"
    assert "Thursday liars" in friend.go(f"/games/{game.pk}/").text


def test_a_full_game_that_waits_for_its_deal_is_among_those_that_are_played(club: Club, maryam: Account) -> None:
    game = create_game(maryam, NewGame(rules="coup", seat_count=2, club=club.pk), "page", timezone.now())
    Game.objects.update(state=Game.State.STARTING)
    visitor = Visitor(maryam)
    assert visitor.go(f"/clubs/{club.pk}/").all("h2")[0]["id"] == "running"
    assert f"/games/{game.pk}/" in {link.get("href") for link in visitor.page.all("a")}


def test_the_leaderboard_is_not_worked_out_again_for_a_page_that_is_open(club: Club, maryam: Account) -> None:
    client, query_counts = Visitor(maryam).client, []
    for headers in ({}, {"X-Live": "club-games"}):
        with CaptureQueriesContext(connections["default"]) as captured:
            page = client.get(f"/clubs/{club.pk}/", headers=headers).content.decode()
        assert 'id="club-games"' in page
        query_counts.append(sum('FROM "games_result"' in query["sql"] for query in captured.captured_queries))
    assert query_counts[0] > query_counts[1]


def test_a_member_gives_their_name_in_the_chat_of_the_club(club: Club, maryam: Account, sepideh: Account) -> None:
    friend = Visitor(sepideh)
    assert "handle-field" not in friend.go(f"/clubs/{club.pk}/").text
    clubs.connect_chat(
        get_membership(maryam, club.pk), "telegram", "-100123", "123456789:AAHdqTcvCH1vGWJxfSe", timezone.now()
    )
    friend.go(f"/clubs/{club.pk}/")
    friend.send(f"/clubs/{club.pk}/channel/handle/", handle="@sepi_deh")
    friend.send(f"/clubs/{club.pk}/channel/handle/", handle="sepideh")
    assert [club_handle.handle for club_handle in ClubHandle.objects.filter(account=sepideh)] == ["@sepi_deh"]


@pytest.mark.parametrize("reader", ["owner", "member"])
def test_the_pages_of_a_club_are_sound_in_both_languages(
    club: Club, maryam: Account, sepideh: Account, reader: str
) -> None:
    account = maryam if reader == "owner" else sepideh
    visitor = Visitor(account)
    paths = ["/clubs/", f"/clubs/{club.pk}/", f"/clubs/{club.pk}/?leaders=all"]
    paths += [f"/clubs/{club.pk}/{part}/" for part in (("edit", "close") if reader == "owner" else ("leave",))]
    for path in paths:
        sound(visitor.go(path), account.language)


def test_a_visitor_with_the_link_sees_the_club_and_nobodys_name(club: Club) -> None:
    visitor = Visitor()
    sound(visitor.go(f"/clubs/join/{club.code}/"), "en")
    text = visitor.page.text
    assert "Thursday liars" in text
    assert "2 members" in text
    assert "Maryam" not in text
    assert any("next=%2Fclubs%2Fjoin%2F" in link["href"] for link in visitor.page.all("a") if "href" in link)
    Visitor().go("/clubs/join/nothing/", 404)


def test_a_guest_with_the_link_sees_the_club_and_is_told_to_make_an_account(club: Club) -> None:
    guest = Account.objects.create_user("g@guest.invalid", name="Guest 7", is_guest=True)
    visitor = Visitor(guest)
    visitor.go(f"/clubs/join/{club.code}/")
    assert "Thursday liars" in visitor.page.text
    assert any("signup" in link["href"] and club.code in link["href"] for link in visitor.page.all("a"))
    with pytest.raises(Refusal):
        clubs.join_club(guest, club.code, timezone.now())
    assert not Membership.objects.filter(account=guest).exists()


def test_a_club_is_to_others_as_one_that_does_not_exist(club: Club, bahareh: Account) -> None:
    stranger = Visitor(bahareh)
    for part in ("", "edit/", "leave/", "close/"):
        stranger.go(f"/clubs/{club.pk}/{part}", 404)


def test_the_owner_renames_the_club_gives_a_role_and_hands_it_over(
    club: Club, maryam: Account, sepideh: Account
) -> None:
    owner = Visitor(maryam)
    owner.go(f"/clubs/{club.pk}/edit/")
    owner.send("", name="Friday liars", about="")
    club.refresh_from_db()
    assert (club.name, club.about) == ("Friday liars", "")
    owner.go(f"/clubs/{club.pk}/edit/")
    owner.send("", 422, name="", about="")
    member = get_membership(sepideh, club.pk)
    here = f"/clubs/{club.pk}/members/{member.pk}/"
    for role in ("organizer", "member"):
        owner.go(f"/clubs/{club.pk}/")
        owner.send(here, do=role)
        member.refresh_from_db()
        assert member.role == role
    owner.go(f"/clubs/{club.pk}/")
    owner.send(here, 200, do="hand-over")
    assert "Hand over the club?" in owner.page.text
    member.refresh_from_db()
    assert member.role == "member"
    owner.send("", do="owner")
    member.refresh_from_db()
    assert member.role == "owner"
    assert "Make organizer" not in owner.go(f"/clubs/{club.pk}/").text


def test_the_owner_removes_a_member_and_hears_that_the_link_is_new(
    club: Club, maryam: Account, sepideh: Account
) -> None:
    owner = Visitor(maryam)
    owner.go(f"/clubs/{club.pk}/")
    owner.send(f"/clubs/{club.pk}/members/{get_membership(sepideh, club.pk).pk}/", do="remove")
    assert "The club has a new link" in owner.page.text
    assert club.code not in owner.page.text


def test_a_member_organizes_nothing_chooses_what_they_hear_and_leaves(club: Club, sepideh: Account) -> None:
    friend = Visitor(sepideh)
    friend.go(f"/clubs/{club.pk}/edit/")
    assert friend.path == f"/clubs/{club.pk}/"
    friend.send(f"/clubs/{club.pk}/notifications/", hears="no")
    assert not get_membership(sepideh, club.pk).hears
    friend.go(f"/clubs/{club.pk}/leave/")
    friend.send()
    assert not Membership.objects.filter(account=sepideh).exists()


def test_a_chat_is_connected_for_all_games_of_the_club_and_disconnected(club: Club, maryam: Account) -> None:
    owner = Visitor(maryam)
    here = f"/clubs/{club.pk}/edit/"
    owner.go(here)
    owner.send(f"/clubs/{club.pk}/channel/", app="discord", secret="https://discord.com/channels/1", address="")
    assert "webhook" in owner.page.text
    owner.go(here)
    owner.send(f"/clubs/{club.pk}/channel/", app="discord", secret="https://discord.com/api/webhooks/1/a", address="")
    assert "Each game of the club has a message in a chat on Discord." in owner.go(here).text
    owner.send(f"/clubs/{club.pk}/channel/remove/")
    assert "Each game of the club has" not in owner.go(here).text


def test_the_owner_closes_the_club_after_being_asked(club: Club, maryam: Account) -> None:
    owner = Visitor(maryam)
    owner.go(f"/clubs/{club.pk}/close/")
    assert Club.objects.exists()
    owner.send()
    assert not Club.objects.exists()
    assert [membership.club for membership in clubs.list_clubs(maryam)] == []


def test_a_club_shows_its_next_tournaments_and_how_many_games_ended_lately(club: Club, maryam: Account) -> None:
    later = create_cup(maryam, name="Autumn cup", club=club.pk, starts_at=NOON + timedelta(days=9))
    create_cup(maryam, name="Spring cup", club=club.pk, starts_at=NOON + timedelta(days=2))
    create_cup(maryam, name="Everyone’s cup", starts_at=NOON + timedelta(days=2))
    text = Visitor(maryam).go(f"/clubs/{club.pk}/").text
    assert text.index("Spring cup") < text.index("Autumn cup")
    assert "Everyone’s cup" not in text
    assert "in the last 30 days" not in text
    later.state = Tournament.State.OVER
    later.save()
    for days in (1, 31):
        game = create_game(maryam, NewGame(rules="coup", seat_count=2, club=club.pk), "page", timezone.now())
        ended_at = timezone.now() - timedelta(days=days)
        Game.objects.filter(pk=game.pk).update(state=Game.State.OVER, ended_at=ended_at)
    text = Visitor(maryam).go(f"/clubs/{club.pk}/").text
    assert "1 game has ended in the last 30 days." in text
    assert "Autumn cup" not in text
