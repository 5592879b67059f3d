"""The arena: bot accounts play game after game there, only with other bots."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Account
from games import account_data
from games.archive import pairs, player_stats, ratings
from games.archive.profile import rating_lines
from games.models import ArenaStats, Game, PlayerStats, Result, Seek
from games.play.timeouts import time_out_game
from games.refusals import Refusal
from games.tables import arena, matching, pausing, seeks, stand_ins
from games.tables.arena import LIFETIME, LOOK_EVERY, MOST_AT_ONCE
from games.tables.matching import start_match
from games.tables.rematch import accept_rematch
from games.tables.seeks import NewSeek, create_seek
from notifications.models import Notification
from tests.third_game.table import NOON, open_question, play, truth, with_fist

__all__ = ["with_fist"]
pytestmark = pytest.mark.django_db
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
MakeBot = Callable[..., Account]


@pytest.fixture
def make_bot(db: None) -> MakeBot:
    """Return a bot account that belongs to an account."""

    def make(name: str, email: str = "", **details: Any) -> Account:
        return Account.objects.create_user(email or f"{name}@example.org", name=name, is_bot=True, **details)

    return make


def enter(bot: Account, at: Any = NOON, **fields: Any) -> Seek:
    usual = {"rules": "fist", "least": 2, "most": 2, "speed": "live", "games_at_once": 1}
    return create_seek(bot, NewSeek(**{**usual, **fields}), at)


def running(*bots: Account) -> list[Game]:
    """The games in which exactly these people's bots play now, the oldest first."""
    games = Game.objects.filter(state=Game.State.RUNNING).order_by("created_at")
    return [game for game in games if {seat.account for seat in game.seats.filter(bot=False)} == {*bots}]


def finish(game: Game, at: Any) -> None:
    """Play a game of two to its end, which seat 1 wins."""
    play(game, 1, f"claim {truth(game, 1)}", at)
    play(game, 2, "doubt", at)


def fall_silent(bot: Account, game: Game, at: Any) -> None:
    """Let the first question of a bot in a game time out. The other bot answers immediately."""
    seat = game.seats.get(account=bot).number
    if not game.open_questions.filter(seat=seat).exists():
        play(game, 3 - seat, f"claim {truth(game, 3 - seat)}", at)
    assert open_question(game, seat)
    time_out_game(game.pk, at + 6 * MINUTE)


def refusal_of(attempt: Callable[[], object]) -> Refusal:
    with pytest.raises(Refusal) as caught:
        attempt()
    return caught.value


def refused(code: str, bot: Account, at: Any = NOON, **fields: Any) -> Refusal:
    refusal = refusal_of(lambda: enter(bot, at, **fields))
    assert refusal.code == code
    return refusal


def test_bots_play_game_after_game_until_they_are_withdrawn(make_bot: MakeBot) -> None:
    maryam, bahareh = make_bot("maryam"), make_bot("bahareh")
    own_seek = enter(maryam)
    enter(bahareh)
    matching.sweep(NOON)
    (first,) = running(maryam, bahareh)
    assert (first.arena, first.private, first.bot_count, first.terms.turn_limit) == (True, False, 0, 5 * MINUTE)
    assert first.terms.misses == 1
    matching.sweep(NOON + LOOK_EVERY)
    assert running(maryam, bahareh) == [first]
    finish(first, NOON + MINUTE)
    matching.sweep(NOON + MINUTE + LOOK_EVERY)
    (second,) = running(maryam, bahareh)
    assert second != first
    seeks.withdraw(maryam, own_seek.pk, NOON + 2 * MINUTE)
    finish(second, NOON + 3 * MINUTE)
    matching.sweep(NOON + 4 * MINUTE)
    assert Game.objects.count() == 2
    assert [seek.state for seek in seeks.list_seeks(bahareh)] == [Seek.State.OPEN]


def test_a_bot_meets_no_person(make_bot: MakeBot, maryam: Account, bahareh: Account) -> None:
    enter(make_bot("sepideh"))
    new_seek = NewSeek(rules="fist", least=2, most=2, speed="live")
    create_seek(maryam, new_seek, NOON)
    matching.sweep(NOON + MINUTE)
    assert not Game.objects.exists()
    create_seek(bahareh, new_seek, NOON + MINUTE)
    matching.sweep(NOON + 2 * MINUTE)
    (game,) = running(maryam, bahareh)
    assert not game.arena


def test_a_person_who_becomes_a_bot_is_matched_with_people_no_more(maryam: Account, bahareh: Account) -> None:
    new_seek = NewSeek(rules="fist", least=2, most=2, speed="live")
    for account in (maryam, bahareh):
        create_seek(account, new_seek, NOON)
    (match,) = matching._find_matches("fist", "live", NOON + MINUTE)
    Account.objects.filter(pk=maryam.pk).update(is_bot=True)
    assert not start_match(match, NOON + MINUTE)
    matching.sweep(NOON + MINUTE)
    assert not Game.objects.exists()


def test_a_bot_plays_as_many_games_at_once_as_it_wants(make_bot: MakeBot) -> None:
    maryam, bahareh = make_bot("maryam"), make_bot("bahareh")
    enter(maryam, games_at_once=2)
    enter(bahareh, games_at_once=3)
    for looks in range(5):
        matching.sweep(NOON + looks * LOOK_EVERY)
    assert len(running(maryam, bahareh)) == 2


def test_bots_of_one_mailbox_never_meet_but_play_with_darbar_bots_if_they_like(make_bot: MakeBot) -> None:
    one, other = make_bot("one", "maryam+1@example.org"), make_bot("two", "Maryam+2@example.org")
    enter(one, fill_after=2 * MINUTE)
    enter(other)
    matching.sweep(NOON + 2 * MINUTE - LOOK_EVERY)
    assert not Game.objects.exists()
    matching.sweep(NOON + 2 * MINUTE)
    (game,) = running(one)
    assert [(seat.level, seat.bot) for seat in game.seats.filter(bot=True)] == [("normal", True)]
    bahareh = make_bot("bahareh")
    enter(bahareh, NOON + 2 * MINUTE)
    matching.sweep(NOON + 3 * MINUTE)
    assert len(running(other, bahareh)) == 1


def test_darbar_bots_help_again_only_after_the_same_wait(make_bot: MakeBot) -> None:
    maryam = make_bot("maryam")
    enter(maryam, fill_after=2 * MINUTE)
    matching.sweep(NOON + 2 * MINUTE)
    (game,) = running(maryam)
    ended_at = NOON + 2 * HOUR
    Game.objects.filter(pk=game.pk).update(state=Game.State.OVER, ended_at=ended_at)
    matching.sweep(ended_at + MINUTE)
    assert not running(maryam)
    matching.sweep(ended_at + 2 * MINUTE)
    assert len(running(maryam)) == 1


def test_the_server_bounds_how_many_games_begin_in_an_hour(make_bot: MakeBot, settings: Any) -> None:
    settings.ARENA_GAMES_PER_HOUR = 2
    maryam, bahareh = make_bot("maryam"), make_bot("bahareh")
    for bot in (maryam, bahareh):
        enter(bot, games_at_once=5)
    for looks in range(5):
        matching.sweep(NOON + looks * LOOK_EVERY)
    assert len(running(maryam, bahareh)) == 2
    matching.sweep(NOON + HOUR)
    assert len(running(maryam, bahareh)) == 3


def test_a_game_that_two_workers_found_begins_once(make_bot: MakeBot) -> None:
    maryam, bahareh = make_bot("maryam"), make_bot("bahareh")
    for bot in (maryam, bahareh):
        enter(bot)
    matches = [*matching._find_arena_matches("fist", NOON), *matching._find_arena_matches("fist", NOON)]
    assert len(matches) == 2
    matching._start(matches, NOON)
    assert len(running(maryam, bahareh)) == 1


def test_a_game_that_cannot_begin_keeps_no_other_from_its_place(make_bot: MakeBot, settings: Any) -> None:
    settings.ARENA_GAMES_PER_HOUR = 1
    maryam, bahareh, kaveh, dariush = (make_bot(name) for name in ("maryam", "bahareh", "kaveh", "dariush"))
    for minutes, bot in enumerate((maryam, bahareh, kaveh, dariush)):
        enter(bot, NOON + minutes * MINUTE)
    first, second = matching._find_arena_matches("fist", NOON + 4 * MINUTE)
    seeks.withdraw(maryam, first.wishes[0].seek, NOON + 4 * MINUTE)
    matching._start([first, second], NOON + 4 * MINUTE)
    assert len(running(kaveh, dariush)) == Game.objects.count() == 1


def test_nobody_else_comes_into_the_arena_and_nobody_holds_others_there(make_bot: MakeBot, sepideh: Account) -> None:
    maryam, bahareh = make_bot("maryam"), make_bot("bahareh")
    for bot in (maryam, bahareh):
        enter(bot)
    matching.sweep(NOON)
    (game,) = running(maryam, bahareh)
    for code, attempt in (
        ("conflict", lambda: pausing.propose(game.pk, maryam, None, "api", NOON)),
        ("forbidden", lambda: stand_ins.name_stand_in(game.pk, maryam, sepideh, NOON + HOUR, NOON)),
        ("conflict", lambda: accept_rematch(game.pk, maryam, {}, "api", NOON)),
    ):
        assert refusal_of(attempt).code == code
    finish(game, NOON + MINUTE)
    assert refusal_of(lambda: accept_rematch(game.pk, maryam, {}, "api", NOON + HOUR)).code == "forbidden"


def test_a_bot_that_is_late_too_often_is_taken_out_and_told_and_may_come_back_after_an_hour(make_bot: MakeBot) -> None:
    maryam, bahareh = make_bot("maryam"), make_bot("bahareh")
    searches = {bot: enter(bot, games_at_once=3) for bot in (maryam, bahareh)}
    Notification.objects.all().delete()
    for looks in range(3):
        matching.sweep(NOON + looks * LOOK_EVERY)
    games = running(maryam, bahareh)
    for game in games[:2]:
        fall_silent(maryam, game, NOON + 2 * MINUTE)
    matching.sweep(NOON + 9 * MINUTE)
    assert arena.open_seeks().count() == 2
    fall_silent(maryam, games[2], NOON + 4 * MINUTE)
    matching.sweep(NOON + 11 * MINUTE)
    assert {bot: seeks.get_seek(bot, seek.pk).state for bot, seek in searches.items()} == {
        maryam: "removed",
        bahareh: "open",
    }
    assert not Notification.objects.filter(reason="arena-left", account=bahareh).exists()
    (notification,) = Notification.objects.filter(reason="arena-left")
    assert notification.content().headline == "Your bot was taken out of the arena of Fist."
    assert "three questions time out within an hour" in str(notification.content().blocks)
    wait = refused("rate-limited", maryam, NOON + 12 * MINUTE).wait
    assert 0 < wait <= 60 * 60
    enter(maryam, NOON + 12 * MINUTE + timedelta(seconds=wait))


def test_a_bot_has_to_enter_again_after_ninety_days(make_bot: MakeBot) -> None:
    own_seek = enter(make_bot("maryam", language="fa"))
    matching.sweep(NOON + LIFETIME)
    own_seek.refresh_from_db()
    assert own_seek.state == Seek.State.LAPSED
    (notification,) = Notification.objects.filter(reason="arena-left")
    assert "۹۰ روز" in str(notification.content().blocks)


@pytest.mark.parametrize(
    ("terms", "code", "field"),
    [
        ({"games_at_once": 0}, "malformed", "games_at_once"),
        ({"games_at_once": MOST_AT_ONCE + 1}, "malformed", "games_at_once"),
        ({"speed": "daily"}, "malformed", "speed"),
        ({"rules": "chess"}, "malformed", "rules"),
        ({"games_at_once": None}, "forbidden", ""),
    ],
)
def test_what_a_bot_cannot_want_is_named(make_bot: MakeBot, terms: dict[str, Any], code: str, field: str) -> None:
    assert refused(code, make_bot("maryam"), **terms).field == field
    assert not Seek.objects.exists()


def test_the_arena_is_for_bots_once_for_each_game(make_bot: MakeBot, maryam: Account) -> None:
    assert "bot accounts" in str(refused("forbidden", maryam).phrase)
    bot = make_bot("bahareh")
    enter(bot)
    refused("conflict", bot)
    enter(bot, rules="coup")


def test_a_server_may_have_no_arena(make_bot: MakeBot, settings: Any) -> None:
    maryam, bahareh = make_bot("maryam"), make_bot("bahareh")
    enter(maryam)
    settings.ARENA_GAMES_PER_HOUR = 0
    refused("forbidden", bahareh)
    settings.ARENA_GAMES_PER_HOUR = 1
    enter(bahareh)
    settings.ARENA_GAMES_PER_HOUR = 0
    matching.sweep(NOON + MINUTE)
    assert not Game.objects.exists()


def test_games_of_the_arena_are_rated_apart_and_feed_nobody(make_bot: MakeBot) -> None:
    maryam, bahareh = make_bot("maryam"), make_bot("bahareh")
    for bot in (maryam, bahareh):
        enter(bot)
    for hours in range(pairs.LEAST_GAMES):
        matching.sweep(NOON + hours * HOUR)
        (game,) = running(maryam, bahareh)
        finish(game, NOON + hours * HOUR + MINUTE)
    ratings.count_all(NOON + DAY)
    stats = {arena_stats.account: arena_stats for arena_stats in ArenaStats.objects.all()}
    assert {bot: stat.games for bot, stat in stats.items()} == dict.fromkeys((maryam, bahareh), pairs.LEAST_GAMES)
    assert sum(stat.wins for stat in stats.values()) == pairs.LEAST_GAMES
    assert not PlayerStats.objects.exists()
    last = Result.objects.filter(account=maryam).latest("pk")
    assert last.rating == player_stats.points(stats[maryam])
    assert rating_lines(list(Result.objects.filter(account=maryam))) == []
    assert not list(pairs.only_each_other(NOON - DAY))
    before = list(ArenaStats.objects.order_by("account").values("account", "games", "wins", "mean", "doubt"))
    ratings.count_again()
    assert list(ArenaStats.objects.order_by("account").values("account", "games", "wins", "mean", "doubt")) == before


def test_the_arena_is_in_the_export_of_a_bot_and_goes_with_it(make_bot: MakeBot) -> None:
    maryam, bahareh = make_bot("maryam"), make_bot("bahareh")
    for bot in (maryam, bahareh):
        enter(bot)
    matching.sweep(NOON)
    finish(*running(maryam, bahareh), NOON + MINUTE)
    ratings.count_all(NOON + HOUR)
    data = account_data.export_data(maryam)
    assert [seek["games_at_once"] for seek in data["seeks"]] == [1]
    assert [(stat["rules"], stat["games"]) for stat in data["arena_stats"]] == [("fist", 1)]
    maryam.delete()
    assert [arena_stats.account for arena_stats in ArenaStats.objects.all()] == [bahareh]
