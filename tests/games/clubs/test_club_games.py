"""The games of a club: who sees and joins them, who hears of them, what its chat shows, and who leads."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts import blocks
from accounts.account_data import export_account
from accounts.models import Account
from games import clubs
from games.account_data import delete_data
from games.announcements import club_emails, notify, table_channels
from games.clubs import add_to_club
from games.models import Bot, ClubHandle, Game, Result, Seat, TableChannel
from games.refusals import Refusal
from games.tables.joining import join_game, leave_game, remove_from_club
from games.tables.new_game import NewGame
from games.tables.starting import create_game
from games.visibility.access import access_to_game, visible
from notifications import deliver
from notifications.email.message import stop_link
from notifications.models import Notification, State
from tests.games.clubs.club_cast import Cast
from tests.games.clubs.test_clubs import WEBHOOK, code_of
from tests.games.finished import play_again
from tests.games.seated import begin, play
from tests.games.tournaments.tournament_cast import create_cup
from tests.notifications.outgoing.receiver import Receiver, receiving
from tests.third_game.table import NOON

pytestmark = pytest.mark.django_db


@pytest.fixture
def chat(settings: Any) -> Iterator[Receiver]:
    """A server on this machine that stands for Discord's."""
    settings.OUTGOING_LOOPBACK = True
    with receiving() as receiver:
        yield receiver


def opened(cast: Cast, host: str = "member", **fields: Any) -> Game:
    """Return a game that an account has created in the club."""
    return create_game(
        getattr(cast, host), NewGame(rules="coup", seat_count=3, club=cast.club.pk, **fields), "api", NOON
    )


def test_a_game_of_a_club_is_private_and_there_for_its_members_only(cast: Cast) -> None:
    game = opened(cast)
    assert (game.private, game.club) == (True, cast.club)
    assert [game in visible(viewer) for viewer in (cast.owner, cast.organizer, cast.stranger, None)] == [
        True,
        True,
        False,
        False,
    ]
    join_game(game.pk, cast.owner, "", "api", NOON)
    assert code_of(lambda: join_game(game.pk, cast.stranger, "", "api", NOON)) == "not-found"
    join_game(game.pk, cast.stranger, game.code, "api", NOON)


def test_a_club_is_locked_before_a_game_is_stored_so_that_its_chat_and_its_members_stay(cast: Cast) -> None:
    with CaptureQueriesContext(connections["default"]) as captured:
        opened(cast)
    sqls = [query["sql"] for query in captured.captured_queries]
    locks = [at for at, sql in enumerate(sqls) if "games_club" in sql and sql.endswith("FOR NO KEY UPDATE")]
    inserts = [at for at, sql in enumerate(sqls) if sql.startswith('INSERT INTO "games_game"')]
    assert locks[0] < inserts[0]


def test_nobody_creates_a_game_in_a_club_of_others(cast: Cast) -> None:
    with pytest.raises(Refusal) as caught:
        opened(cast, "stranger")
    assert (caught.value.code, caught.value.field) == ("malformed", "club")


def test_who_leaves_a_club_sees_its_games_no_more_but_those_that_they_play(cast: Cast) -> None:
    unplayed, played = opened(cast), opened(cast, "organizer")
    clubs.remove_member(cast.place("organizer"), cast.place("organizer").pk)
    assert code_of(lambda: access_to_game(cast.organizer, unplayed.pk)) == "not-found"
    assert access_to_game(cast.organizer, played.pk).seat == 1


def test_who_is_removed_leaves_the_open_games_of_the_club_and_no_other_game(cast: Cast) -> None:
    hosted, joined = opened(cast), opened(cast, "owner")
    elsewhere = create_game(cast.member, NewGame(rules="coup", seat_count=3), "api", NOON)
    begun = create_game(cast.owner, NewGame(rules="coup", seat_count=2, club=cast.club.pk), "api", NOON)
    for game in (joined, begun):
        join_game(game.pk, cast.member, "", "api", NOON)
    remove_from_club(cast.place("owner"), cast.place("member").pk, NOON)
    assert {seat.game for seat in Seat.objects.filter(account=cast.member)} == {elsewhere, begun}
    hosted.refresh_from_db()
    assert hosted.state == Game.State.CANCELLED
    assert code_of(lambda: access_to_game(cast.member, joined.pk)) == "not-found"
    assert code_of(lambda: join_game(joined.pk, cast.member, joined.code, "api", NOON)) == "not-found"


def test_people_who_keep_apart_share_no_table_of_a_club_and_are_not_told_why(cast: Cast) -> None:
    blocks.block(cast.member, cast.owner, NOON)
    game = opened(cast)
    assert code_of(lambda: join_game(game.pk, cast.owner, "", "api", NOON)) == "forbidden"
    notify.write_due(NOON + timedelta(minutes=1))
    notifications = Notification.objects.filter(reason="club-game").exclude(state=State.DROPPED)
    assert {notification.account for notification in notifications} == {cast.organizer}


def test_a_club_that_is_closed_leaves_its_games_to_those_who_play_them(cast: Cast) -> None:
    game = opened(cast)
    clubs.close_club(cast.place("owner"))
    game.refresh_from_db()
    assert (game.private, game.club) == (True, None)
    assert access_to_game(cast.member, game.pk).seat == 1
    assert code_of(lambda: access_to_game(cast.owner, game.pk)) == "not-found"


def test_members_who_want_to_hear_are_told_of_a_new_game_and_the_others_and_its_host_are_not(cast: Cast) -> None:
    clubs.set_notifications(cast.place("owner"), hears=False)
    opened(cast)
    notify.write_due(NOON + timedelta(minutes=1))
    (notification,) = Notification.objects.filter(reason="club-game")
    assert notification.account == cast.organizer
    content = notification.content()
    assert "Thursday liars" in content.headline
    assert "Bahareh" in content.headline
    assert f"/clubs/{cast.club.pk}/" in str(content.blocks)


def test_the_one_click_in_an_email_about_a_new_game_stops_those_of_all_games_of_the_club(cast: Cast) -> None:
    clubs.set_notifications(cast.place("organizer"), hears=False)
    opened(cast)
    notify.write_due(NOON + timedelta(minutes=1))
    (notification,) = Notification.objects.filter(reason="club-game")
    link = stop_link(notification)
    assert "Stop these emails? You stay in the club." in Client().get(link).content.decode()
    page = Client().post(link, {"List-Unsubscribe": "One-Click"}).content.decode()
    assert "Emails about new games in this club are off." in page
    assert not cast.place("owner").hears
    opened(cast)
    assert Notification.objects.filter(reason="club-game").count() == 1
    Client().post(link, {"again": "yes"})
    assert cast.place("owner").hears


def test_the_emails_about_a_new_game_lose_the_name_of_a_host_who_leaves_the_server(cast: Cast) -> None:
    game = opened(cast)
    notify.write_due(NOON + timedelta(minutes=1))
    notifications = Notification.objects.filter(reason="club-game")
    notifications.update(state=State.SENT)
    join_game(game.pk, cast.owner, "", "api", NOON)
    leave_game(game.pk, cast.member, "api", NOON)
    clubs.remove_member(cast.place("member"), cast.place("member").pk)
    assert "Bahareh" in notifications[0].content().headline
    delete_data(cast.member, NOON)
    assert [notification.content().headline for notification in notifications] == ["", ""]


def test_nobody_is_told_of_a_game_that_began_or_that_they_joined_before_the_email_was_written(cast: Cast) -> None:
    game = opened(cast)
    join_game(game.pk, cast.owner, "", "api", NOON)
    clubs.remove_member(cast.place("organizer"), cast.place("organizer").pk)
    notify.write_due(NOON + timedelta(minutes=1))
    assert {notification.state for notification in Notification.objects.filter(reason="club-game")} == {State.DROPPED}


def test_members_are_told_of_a_few_games_a_day_only(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(club_emails, "MOST_IN_DAY", 1)
    opened(cast, bots=[Bot(), Bot()])
    opened(cast)
    opened(cast)
    assert Notification.objects.filter(reason="club-game").count() == 2


def test_each_game_of_a_club_posts_to_its_chat_but_one_that_has_a_chat_of_its_own(cast: Cast, chat: Receiver) -> None:
    before, game_with_chat = opened(cast), opened(cast)
    table_channels.connect(
        game_with_chat, cast.member, "discord", "", f"http://localhost:{chat.port}/api/webhooks/1/own", NOON
    )
    clubs.connect_chat(
        cast.place("organizer"), "discord", "", f"http://localhost:{chat.port}/api/webhooks/42/club", NOON
    )
    after = opened(cast)
    chat.answers, chat.body = [200] * 9, b'{"id": "1"}'
    table_channels.order_due(NOON)
    deliver.dispatch_messages_due(NOON)
    assert sorted(posted.path.split("/")[-1] for posted in chat.taken) == ["club?wait=true"] * 2 + ["own?wait=true"]
    clubs.disconnect_chat(cast.place("organizer"))
    assert [channel.game for channel in TableChannel.objects.all()] == [game_with_chat]
    assert {before, after} == {*Game.objects.exclude(pk=game_with_chat.pk)}


def test_the_organizer_who_connected_a_dead_chat_is_told_once_and_not_the_hosts_of_games(
    cast: Cast, chat: Receiver
) -> None:
    clubs.connect_chat(
        cast.place("organizer"), "discord", "", f"http://localhost:{chat.port}/api/webhooks/42/club", NOON
    )
    opened(cast)
    create_cup(cast.owner, [], club=cast.club.pk)
    table_channels.order_due(NOON)
    chat.answers = [404] * 2
    assert deliver.dispatch_messages_due(NOON) == 2
    notification = Notification.objects.get(reason="failed")
    assert (notification.account, notification.content().language) == (cast.organizer, "fa")
    assert "Discord" in notification.content().headline
    assert cast.club.name in str(notification.content().blocks)


def test_a_game_that_is_watched_with_a_delay_does_not_post_to_the_chat_of_its_club(cast: Cast) -> None:
    before, after = opened(cast), opened(cast)
    Game.objects.update(spectator_delay=timedelta(hours=1))
    clubs.connect_chat(cast.place("organizer"), "discord", "", WEBHOOK, NOON)
    add_to_club(Game.objects.get(pk=after.pk), NOON)
    assert not TableChannel.objects.exists()
    table_channels.connect(before, cast.member, "discord", "", WEBHOOK, NOON)
    assert [channel.game for channel in TableChannel.objects.all()] == [before]


def test_a_handle_in_the_chat_of_a_club_serves_all_its_games_and_goes_with_the_member(cast: Cast) -> None:
    channel = clubs.connect_chat(cast.place("organizer"), "discord", "", WEBHOOK, NOON)
    table_channels.give_handle(channel, cast.member, "204255221017214977")
    game = opened(cast)
    in_game = TableChannel.objects.select_related("game").get(pk=game.pk)
    assert table_channels.handle_of_player(in_game, cast.member.pk) == "204255221017214977"
    assert table_channels.handle_of_player(in_game, cast.owner.pk) == ""
    table_channels.give_handle(in_game, cast.member, "304255221017214977")
    assert table_channels.handle_of_player(in_game, cast.member.pk) == "304255221017214977"
    assert export_account(cast.member, NOON)["club_handles"] == [{"club": cast.club.pk, "handle": "204255221017214977"}]
    table_channels.connect(game, cast.member, "discord", "", f"{WEBHOOK}2", NOON)
    assert table_channels.handle_of_player(TableChannel.objects.get(pk=game.pk), cast.member.pk) == ""
    clubs.remove_member(cast.place("member"), cast.place("member").pk)
    assert not ClubHandle.objects.exists()


def test_the_chat_of_a_club_is_not_its_hosts_to_take_along(cast: Cast) -> None:
    clubs.connect_chat(cast.place("organizer"), "discord", "", WEBHOOK, NOON)
    game = opened(cast)
    assert not clubs.channels_of_host(cast.member).exists()
    table_channels.connect(game, cast.member, "discord", "", WEBHOOK, NOON)
    assert clubs.channels_of_host(cast.member).exists()


def test_a_rematch_stays_in_the_club_while_its_player_does(cast: Cast) -> None:
    game = begin([cast.member, cast.owner])
    Game.objects.filter(pk=game.pk).update(club=cast.club, private=True, host=cast.member)
    play(game, "1 resign yes")
    assert play_again(game, cast.owner, cast.member).club == cast.club


def result(game: Game, account: Account | None, seat: int, place: int) -> Result:
    return Result.objects.create(
        game=game, seat=seat, account=account, bot=account is None, won=place == 1, place=place, team=seat,
        asked=0, in_time=0,
    )  # fmt: skip


def ended(cast: Cast, *places: tuple[Account | None, int], days_ago: int = 0) -> None:
    """A game of the club in which these finished so; None is a bot."""
    game = opened(cast)
    Game.objects.filter(pk=game.pk).update(state="over", ended_at=NOON - timedelta(days=days_ago))
    for seat, (account, place) in enumerate(places, start=1):
        result(game, account, seat, place)


def test_the_leaderboard_counts_the_people_behind_each_member(cast: Cast) -> None:
    ended(cast, (cast.owner, 1), (cast.member, 2), (cast.organizer, 3), (None, 4))
    ended(cast, (cast.member, 1), (cast.organizer, 2), (cast.stranger, 2))
    ended(cast, (cast.organizer, 1), (None, 2))
    board = clubs.leaders(cast.club.pk, NOON)
    assert [(place.place, place.account, place.points, place.games, place.wins) for place in board] == [
        (1, cast.member, 6, 2, 1),
        (2, cast.owner, 4, 1, 1),
        (3, cast.organizer, 1, 2, 0),
    ]


def test_a_bot_account_is_nobody_to_the_leaderboard_and_who_left_the_server_is_somebody(cast: Cast) -> None:
    robot = Account.objects.create_user("robot@example.org", name="Robot", is_bot=True)
    ended(cast, (cast.owner, 1), (robot, 2))
    ended(cast, (cast.member, 1), (cast.stranger, 2))
    Result.objects.filter(account=cast.stranger).update(account=None)
    assert [(leader.account, leader.points) for leader in clubs.leaders(cast.club.pk, NOON)] == [(cast.member, 2)]


def test_equals_share_a_place_and_old_games_count_for_all_time_only(cast: Cast) -> None:
    ended(cast, (cast.owner, 1), (cast.member, 1), days_ago=5)
    ended(cast, (cast.organizer, 1), (cast.member, 2), days_ago=200)
    assert [(leader.place, leader.account) for leader in clubs.leaders(cast.club.pk, NOON, 90)] == [
        (1, cast.member),
        (1, cast.owner),
    ]
    assert len(clubs.leaders(cast.club.pk, NOON)) == 3
