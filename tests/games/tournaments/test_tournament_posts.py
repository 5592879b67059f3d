"""Messages about the tournament of a club in the club's chat: one for each event, with what its page shows."""

import json
from datetime import datetime, timedelta
from itertools import product
from typing import Any, Final

import pytest
from django.db.models import QuerySet

from accounts.models import Account
from games import clubs
from games.announcements.tournament_emails import Event
from games.clubs import get_membership
from games.models import ClubChannel, Membership, TableChannel, Tournament
from games.tournaments import club_posts, entering, organizing, rounds
from notifications import deliver, tasks
from notifications.models import BACK_OFF, Notification, State
from notifications.set_aside import SetAside
from tests.games.announcements.test_table_channels import chat, place
from tests.games.seated import begin, play
from tests.games.tournaments.tournament_cast import LEAGUE, again, create_cup, finish_round, people, set_in
from tests.games.unseen import RANDOM, world
from tests.notifications.outgoing.receiver import Posted, Receiver
from tests.slow_posting import post_slowly
from tests.third_game.table import LATER, NOON, fresh
from tests.third_game.table import play as resign

pytestmark = pytest.mark.django_db
__all__ = ["chat"]
HOUR: Final = timedelta(hours=1)


def founded(owner: Account, *others: Account) -> Membership:
    """The place of the owner of a club with these people."""
    own_club = clubs.create_club(owner, "Liars", "", NOON)
    for other in others:
        clubs.join_club(other, own_club.club.code, NOON)
    return get_membership(owner, own_club.club.pk)


def connected(membership: Membership, chat: Receiver, app: str = "discord") -> ClubChannel:
    return clubs.connect_chat(membership, app, **place(app, chat), now=NOON)


def opened(membership: Membership, *entrants: Account, **fields: Any) -> Tournament:
    return create_cup(membership.account, entrants, club=membership.club_id, **fields)


def begun(cup: Tournament) -> Tournament:
    assert cup.host is not None
    organizing.begin(cup.host, cup.pk, NOON)
    rounds.sweep(NOON)
    return again(cup)


def post_due(now: datetime) -> int:
    """Post all that is due: of each chat and tournament one message at a time is."""
    return sum(iter(lambda: deliver.dispatch_messages_due(now), 0))


def waiting_posts() -> QuerySet[Notification]:
    """Return the messages that wait for their chat."""
    return Notification.objects.filter(channel="club-chats", state=State.READY).order_by("place")


def text_of_post(posted: Posted) -> str:
    content = json.loads(posted.body)
    return str(content.get("content") or content.get("text") or content["body"])


def test_the_chat_hears_of_the_opening_each_round_the_standings_and_the_winner(chat: Receiver, maryam: Account) -> None:
    players = people(5)
    own_founded = founded(maryam, *players)
    connected(own_founded, chat)
    cup = opened(own_founded, *players, table_size=2)
    entering.set_rounds_to_sit_out(players[4], cup.pk, [1])
    cup = begun(cup)
    finish_round(cup, NOON + HOUR)
    cup = finish_round(again(cup), NOON + 2 * HOUR)
    assert post_due(NOON + 2 * HOUR) == 5
    assert not waiting_posts().exists()
    first, draw, standings, _second_draw, end = map(text_of_post, chat.taken)
    address = f"http://localhost:8000/tournaments/{cup.pk}/"
    assert all(text_of_post(message).endswith(f"\n{address}") for message in chat.taken)
    assert first.startswith("A new tournament of the club: Spring cup.\nCoup. It starts ")
    assert draw.startswith("Round 1 of Spring cup starts.\nTable 1: Player ")
    games = {str(game) for game in cup.drawn_rounds.get(number=1).pairings.values_list("game", flat=True) if game}
    assert sum(f"\nhttp://localhost:8000/games/{game}/\n" in draw for game in games) == len(games) == 2
    assert "Sitting out: Player 5" in draw
    assert standings.startswith("Standings of Spring cup after round 1:\n1\\. Player 1: 100\n")
    assert end.startswith("Spring cup is over.\n1\\. Player 1: 200\n")


@pytest.mark.parametrize("app", ["discord", "slack", "telegram", "matrix"])
def test_each_message_is_new_in_every_app_and_keeps_its_key_when_it_is_tried_again(
    app: str, chat: Receiver, maryam: Account
) -> None:
    own_founded = founded(maryam)
    connected(own_founded, chat, app)
    opened(own_founded)
    chat.answers = [503, 200]
    post_due(NOON)
    assert post_due(NOON + BACK_OFF / 2) == 0
    assert post_due(NOON + BACK_OFF) == 1
    first, second = chat.taken
    assert (first.method, first.path, first.body) == (second.method, second.path, second.body)
    content = json.loads(first.body)
    match app:
        case "discord":
            assert (first.method, first.path) == ("POST", "/api/webhooks/42/wnD3-v_9xQz1?wait=true")
            assert content["allowed_mentions"] == {"parse": []}
        case "slack":
            assert (first.path, content["mrkdwn"]) == ("/services/T0/B0/Xq9z1", False)
        case "telegram":
            assert (first.path.split("/")[-1], content["chat_id"]) == ("sendMessage", "-1001234567890")
        case "matrix":
            assert (first.method, content["msgtype"]) == ("PUT", "m.text")


def test_a_chat_that_refuses_is_given_up_for_this_message_and_later_ones_wait_their_turn(
    chat: Receiver, maryam: Account, caplog: pytest.LogCaptureFixture
) -> None:
    own_founded = founded(maryam)
    connected(own_founded, chat)
    first = opened(own_founded)
    organizing.change(maryam, first.pk, NOON, starts_at=NOON + timedelta(days=10))
    chat.answers = [503]
    assert post_due(NOON) == 1, "the second message waits behind the first"
    second = opened(own_founded)
    assert post_due(NOON) == 1, "the message about the other tournament does not wait"
    assert [post.topic for post in waiting_posts()] == [f"tournament:{first.pk}"] * 2
    chat.answers = [404]
    assert post_due(NOON + HOUR) == 2
    assert not waiting_posts().exists()
    assert "wnD3" not in caplog.text
    assert "given up: the server did not accept it: status 404" in caplog.text
    assert SetAside.objects.get().about == f"tournament:{first.pk}" != f"tournament:{second.pk}"


def test_a_message_whose_pause_is_over_when_others_have_been_posted_is_tried_again_at_once(
    chat: Receiver, maryam: Account, sepideh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    for owner in (maryam, sepideh):
        own_founded = founded(owner)
        connected(own_founded, chat)
        opened(own_founded)
    chat.answers = [503]
    post_slowly(monkeypatch, NOON, deliver)
    tasks.dispatch_messages()
    first, other, again = map(text_of_post, chat.taken)
    assert first == again != other
    assert not waiting_posts().exists()


def test_nothing_waits_for_a_club_without_a_chat_or_once_the_chat_is_taken_away(
    chat: Receiver, maryam: Account
) -> None:
    own_founded = founded(maryam)
    opened(own_founded)
    create_cup(maryam)
    assert not waiting_posts().exists()
    connected(own_founded, chat)
    opened(own_founded)
    assert waiting_posts().exists()
    clubs.disconnect_chat(own_founded)
    post_due(NOON)
    assert not chat.taken
    assert not waiting_posts().exists()


def test_another_date_and_a_cancelled_tournament_are_told(chat: Receiver, maryam: Account) -> None:
    own_founded = founded(maryam)
    connected(own_founded, chat)
    cup = opened(own_founded)
    organizing.change(maryam, cup.pk, NOON, starts_at=NOON + timedelta(days=10))
    organizing.cancel(maryam, cup.pk, NOON)
    post_due(NOON)
    _, moved, cancelled = map(text_of_post, chat.taken)
    assert moved.startswith("Spring cup has a new start time.\nCoup. It starts Wednesday 1 April")
    assert cancelled.startswith("Spring cup has been cancelled.\n")


def test_tables_that_have_no_room_are_left_to_the_page(
    chat: Receiver, maryam: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = people(6)
    own_founded = founded(maryam, *players)
    connected(own_founded, chat)
    begun(opened(own_founded, *players, table_size=2))
    monkeypatch.setattr(club_posts, "ROOM", 150)
    post_due(NOON)
    draw = text_of_post(chat.taken[1])
    assert "Table 1: " in draw
    assert "Table 2: " not in draw
    assert "\nThe other tables are on the page.\nThe round ends" in draw


def test_a_game_that_is_watched_with_a_delay_shows_nothing_in_the_chat_before_it_is_over(
    chat: Receiver, maryam: Account
) -> None:
    players = people(3)
    own_founded = founded(maryam, *players)
    connected(own_founded, chat)
    cup = begun(opened(own_founded, *players, table_size=3, spectator_delay=HOUR))
    post_due(NOON)
    before = [text_of_post(message) for message in chat.taken]
    assert len(before) == 2
    (game,) = {pairing.game for pairing in cup.drawn_rounds.get().pairings.all()}
    assert game is not None
    resign(fresh(game), game.seats.get(account=players[2]).number, "resign yes", NOON + HOUR, question="")
    rounds.sweep(LATER)
    assert post_due(LATER) == 0
    assert not TableChannel.objects.exists()
    finish_round(cup, LATER)
    assert post_due(LATER) == 2
    assert "after round 1:\n1\\. Player 1: 100\n" in text_of_post(chat.taken[2])


HANDS: Final = (
    ["contessa", "duke", "captain", "contessa", "assassin", "duke"],
    ["duke", "duke", "duke", "captain", "captain", "captain"],
)


def test_two_worlds_that_differ_in_hands_or_by_an_answer_in_an_open_window_read_alike_and_order_nothing(
    chat: Receiver, maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    own_founded = founded(maryam, sepideh, bahareh)
    channel = connected(own_founded, chat)
    cup = opened(own_founded, maryam, sepideh, bahareh)
    post_due(NOON)
    reading = []
    for hands, moves in product(HANDS, (["1 tax"], ["1 tax", "2 allow"])):
        with world():
            game = begin([maryam, sepideh, bahareh], hands)
            set_in(cup, game)
            play(game, *moves)
            rounds.sweep(NOON + HOUR)
            assert not waiting_posts().exists()
            posts = [club_posts.write_post(again(cup), event, channel.language, 1) for event in Event]
            reading.append([RANDOM.sub("ID", post) for post in posts])
    assert reading[1:] == reading[:1] * 3
    assert "Table 1: Maryam, " in "".join(reading[0])


def test_the_chat_hears_of_the_divisions_of_a_season_and_of_the_next_one(
    maryam: Account, sepideh: Account, bahareh: Account, dariush: Account, chat: Receiver, monkeypatch: Any
) -> None:
    six = [maryam, sepideh, bahareh, dariush, *people(2)]
    own_founded = founded(*six)
    connected(own_founded, chat)
    season = begun(opened(own_founded, *six, **{**LEAGUE, "division_size": 3, "table_size": 3}))
    finish_round(season, LATER)
    post_due(LATER)
    first, _, end, following = [text_of_post(message) for message in chat.taken]
    assert first.startswith("Season 1 of Spring cup is open.\nCoup. It starts ")
    assert "leave it" not in first
    assert end.split("\n")[:-1] == [
        *("Season 1 of Spring cup is over.", "Division 1", "1\\. Maryam: 100", "2\\. \u2067سپیده\u2069: 25"),
        *("2\\. Bahareh: 25, goes down", "Division 2", "1\\. Dariush: 100, goes up", "2\\. Player 1: 25"),
        "2\\. Player 2: 25",
    ]
    assert following.startswith("Season 2 of Spring cup is open.\nEveryone who played last season takes part")
    assert "\nIf you were absent at the end of your last game, enter it yourself." in following
    channel = ClubChannel.objects.get()
    ended = again(season), Event.ENDED, channel.language
    monkeypatch.setattr(club_posts, "FIRST", 1)
    lines = club_posts.write_post(*ended).split("\n")[1:-1]
    assert lines == [
        "Division 1",
        "1. Maryam: 100",
        "2. Bahareh: 25, goes down",
        "Division 2",
        "1. Dariush: 100, goes up",
    ]
    monkeypatch.setattr(club_posts, "ROOM", 60)
    assert club_posts.write_post(*ended).split("\n")[-2] == "The other divisions are on the page."
    organizing.cancel(maryam, Tournament.objects.get(season=2).pk, LATER)
    post_due(LATER)
    assert "\nThe league ends with it." in text_of_post(chat.taken[-1])
