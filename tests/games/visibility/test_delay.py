"""The delay of spectators: what those who look on see of a running game, and when."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

import pytest
import time_machine

from accounts import blocks
from accounts.models import Account
from games.announcements import stream_events
from games.event_log import log_store
from games.models import Game
from games.refusals import Refusal
from games.tables import chat, pausing, stand_ins
from games.tables.joining import replace_with_bot, take_over_seat
from games.tables.new_game import NewGame
from games.tables.starting import create_game
from games.visibility import access
from games.visibility.access import access_to_game, games_of_followed
from tests.cast import program
from tests.games.finished import play_again
from tests.games.pages.at_home import Visitor
from tests.games.seated import NOON, absent, agree, begin, play
from tests.games.unseen import RANDOM, world

pytestmark = pytest.mark.django_db
HOURS: Final = timedelta(hours=1)
AT: Final = NOON + 3 * HOURS
TOKEN: Final = re.compile(r'name="csrfmiddlewaretoken" value="\w+"|data-csrf="\w+"|nonce="[^"]+"')


@pytest.fixture
def game(maryam: Account, sepideh: Account) -> Game:
    """A game with a delay of two hours, in which a bot sits on the last seat."""
    game = begin([maryam, sepideh, None], number=7)
    Game.objects.filter(pk=game.pk).update(spectator_delay=2 * HOURS)
    return Game.objects.get(pk=game.pk)


def held_back(game: Game, at: Any) -> Game:
    """The game as those who look on see it at a time."""
    row = Game.objects.prefetch_related("seats").get(pk=game.pk)
    access.hold_back([row], at)
    return row


def test_spectators_see_the_game_as_it_stood_before_the_delay(game: Game) -> None:
    before = game.version
    play(game, "1 income", at=NOON + HOURS)
    game.refresh_from_db()
    middle = game.version
    play(game, "2 income", at=NOON + 2 * HOURS)
    game.refresh_from_db()
    versions = [held_back(game, NOON + hours * HOURS).version for hours in (2, 3, 4, 5)]
    assert versions == [before, middle, game.version, game.version]
    row = held_back(game, NOON + 3 * HOURS)
    assert log_store.position(row).version == middle
    assert (row.due_at, bytes(row.public_head)) == (None, b"")


def test_a_deal_that_is_too_young_is_not_shown(game: Game) -> None:
    row = held_back(game, NOON + HOURS)
    assert (row.version, log_store.position(row).state) == (0, None)


def page(visitor: Visitor, path: str) -> str:
    """A page as the server sends it, without its token against forged forms."""
    visitor.go(path)
    return TOKEN.sub("", visitor.answer.content.decode())


def visible_texts(account: Account | None, game: Game) -> list[str]:
    """Return everything about a game that an account can get from pages and the API."""
    visitor, here = Visitor(account), f"/games/{game.pk}/"
    lists = ("/games/?state=all", "/games/?state=running", "/feeds/en/results.atom", "/players/Maryam/")
    parts = [page(visitor, path) for path in (here, f"{here}?story=whole", f"{here}replay/", *lists)]
    if account is not None:
        parts += [page(visitor, path) for path in (f"{here}report/", "/games/?state=all&whose=followed")]
        client, api = program(account), f"/api/v1/games/{game.pk}/"
        for path in (
            api,
            *(f"{api}{part}" for part in ("view/", "events/", "events/export/", "picture.svg", "pause/", "record/")),
            *(f"{api}{part}" for part in ("chat/", "stand-in/", "channel/", "statistics/", "transcript/", "replay/1/")),
            "/api/v1/games/",
            "/api/v1/games/export/",
            "/api/v1/games/?followed=true",
            f"/api/v1/views/?games={game.pk}",
        ):
            answer = client.get(path)
            parts.append(f"{path} {answer.status_code} {answer.content.decode()}")
    return [RANDOM.sub("x", part) for part in parts]


def _arrange(game: Game, now: Any) -> None:
    """Agree to a pause, name a stand-in and write in the chat: information beside the game itself."""
    people = [seat.account for seat in game.seats.all()]
    pausing.propose(game.pk, people[0], HOURS, "api", now)
    for person in people[1:]:
        pausing.agree(game.pk, person, "api", now)
    stand_in = Account.objects.create_user("daryush@example.org", name="Daryush")
    stand_ins.name_stand_in(game.pk, people[1], stand_in, now + 9 * HOURS, now)
    chat.send_message(game, people[0], None, "Who has the duke?", now)


WITHIN: Final[dict[str, Callable[[Game, Any], object]]] = {
    "nothing": lambda game, now: None,
    "an answer in the window": lambda game, now: play(game, "3 pass", at=now),
    "the end of the window, and a turn": lambda game, now: play(game, "3 pass", "2 pass", "2 income", at=now),
    "somebody resigns": lambda game, now: play(game, "3 resign yes", at=now),
    "arrangements": _arrange,
    "a bot sits in": lambda game, now: absent(game, 2, now),
}


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "names",
    [
        ("nothing", "an answer in the window", "arrangements"),
        ("nothing", "the end of the window, and a turn", "somebody resigns", "a bot sits in"),
    ],
    ids=["an answer, arrangements", "other things"],
)
def test_two_worlds_that_differ_in_what_happened_within_the_delay_look_alike(
    maryam: Account,
    sepideh: Account,
    bahareh: Account,
    kaveh: Account,
    monkeypatch: pytest.MonkeyPatch,
    names: tuple[str, ...],
) -> None:
    game = begin([maryam, sepideh, bahareh], number=7)
    Game.objects.filter(pk=game.pk).update(spectator_delay=2 * HOURS)
    play(game, "1 foreign-aid", at=NOON + HOURS / 2)
    worlds: dict[str, list[list[str]]] = {}
    pages: set[str] = set()
    for name in names:
        with world(), time_machine.travel(AT, tick=False):
            monkeypatch.setattr("config.core.clock.now", lambda: AT)
            WITHIN[name](Game.objects.get(pk=game.pk), AT - HOURS / 2)
            worlds[name] = [visible_texts(account, game) for account in (kaveh, None)]
            pages.add(RANDOM.sub("x", page(Visitor(maryam), f"/games/{game.pk}/")))
    for name, world_pages in worlds.items():
        assert world_pages == worlds["nothing"], name
    # The players at the table do not learn of an answer in the window, either.
    assert len(pages) == len(worlds) - ("an answer in the window" in names)
    assert "Maryam" in worlds["nothing"][0][0]


def test_two_worlds_that_differ_in_who_took_a_seat_within_the_delay_look_alike(
    game: Game, sepideh: Account, bahareh: Account, kaveh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    agree(game, absence="invite")
    daryush = Account.objects.create_user("daryush@example.org", name="Daryush")
    blocks.follow(kaveh, daryush, NOON)
    blocks.follow(bahareh, sepideh, NOON)
    play(game, "1 income", at=NOON + HOURS / 2)
    worlds: list[list[list[str]]] = []
    for is_taken in (False, True):
        with world(), time_machine.travel(AT, tick=False):
            monkeypatch.setattr("config.core.clock.now", lambda: AT)
            if is_taken:
                absent(game, 2, AT - HOURS / 2)
                take_over_seat(game.pk, 2, daryush, "api", AT - HOURS / 4)
            worlds.append([visible_texts(account, game) for account in (kaveh, bahareh, None)])
    assert worlds[0] == worlds[1]
    assert sepideh.name in worlds[0][2][0]


def test_whoever_came_and_went_within_the_delay_is_not_found_by_those_who_follow_them(
    game: Game, bahareh: Account, kaveh: Account
) -> None:
    agree(game, absence="invite")
    Game.objects.filter(pk=game.pk).update(spectator_delay=2 * HOURS)
    play(game, "1 income")
    daryush = Account.objects.create_user("daryush@example.org", name="Daryush")
    for newcomer in (bahareh, daryush):
        absent(game, 2, AT)
        take_over_seat(game.pk, 2, newcomer, "api", AT)
    for account in (bahareh, daryush):
        blocks.follow(kaveh, account, NOON)
    with time_machine.travel(AT + HOURS, tick=False):
        assert not games_of_followed(kaveh).exists()


def test_a_seat_that_a_bot_has_taken_within_the_delay_is_not_yet_a_bots(game: Game, sepideh: Account) -> None:
    replace_with_bot(game.pk, sepideh, AT)
    seat = held_back(game, AT + HOURS).seats.all()[1]
    assert (seat.bot, seat.name, seat.account) == (False, "", None)
    assert held_back(game, AT + 2 * HOURS).seats.all()[1].bot


def test_games_without_a_delay_need_no_statement_and_others_one_for_all(
    game: Game, maryam: Account, django_assert_num_queries: Any
) -> None:
    others = [begin([maryam, None, None]) for _ in range(2)]
    rows = list(Game.objects.prefetch_related("seats__account").filter(pk__in=[other.pk for other in others]))
    with django_assert_num_queries(0):
        access.hold_back(rows, AT)
    Game.objects.update(spectator_delay=HOURS)
    rows = list(Game.objects.prefetch_related("seats__account"))
    with django_assert_num_queries(1):
        access.hold_back(rows, AT)


def test_when_the_game_is_over_everybody_sees_everything(game: Game, kaveh: Account) -> None:
    play(game, "1 resign yes", "2 resign yes")
    seen_now = access_to_game(kaveh, game.pk)
    assert (seen_now.game.state, seen_now.game.is_held_back) == (Game.State.OVER, False)


def test_the_event_stream_tells_nobody_who_looks_on(game: Game, kaveh: Account) -> None:
    assert not stream_events.follow(game, kaveh.pk, NOON)
    game.spectator_delay = None
    assert stream_events.follow(game, kaveh.pk, NOON)


@pytest.mark.parametrize("wrong", [timedelta(minutes=9), timedelta(days=8)])
def test_a_delay_has_bounds(maryam: Account, wrong: timedelta) -> None:
    with pytest.raises(Refusal) as caught:
        create_game(maryam, NewGame(rules="coup", seat_count=3, spectator_delay=wrong), "api", NOON)
    assert (caught.value.code, caught.value.field) == ("malformed", "spectator_delay")


def test_a_host_chooses_the_delay_on_the_page_and_a_rematch_keeps_it(maryam: Account, game: Game) -> None:
    host = Visitor(maryam)
    host.go("/games/new/coup/")
    host.send(who="anybody", spectator_delay="PT8H")
    game_row = Game.objects.get(host=maryam)
    assert game_row.spectator_delay == 8 * HOURS
    assert "with a delay of 8 hours" in host.go(f"/games/{game_row.pk}/").text
    game_fields = program(maryam).get(f"/api/v1/games/{game_row.pk}/").json()
    assert game_fields["spectator_delay"] == "PT8H"
    play(game, "1 resign yes", "2 resign yes")
    assert play_again(game, *[seat.account for seat in game.seats.all() if seat.account]).spectator_delay == 2 * HOURS
