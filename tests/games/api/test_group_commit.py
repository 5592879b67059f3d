"""Moves that come while others are stored or resolved are stored or resolved together, in one transaction."""

import dataclasses
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from typing import Any, Final
from uuid import uuid4

import pytest
from django.db import DataError, OperationalError, connection, connections, transaction

from accounts.limits import rate_limits
from accounts.models import Account, Token
from accounts.tokens import tokens
from accounts.tokens.scopes import ALL
from games.api.play import batcher, outcomes
from games.api.play import group_commit as group_commits
from games.api.play.group_commit import Busy, GroupCommit
from games.api.play.move_store import Plain, StoreQueue, store, store_all
from games.archive import audit
from games.models import Game, Move
from games.play.sandbox import clock
from games.rules.registry import RULES
from tests.server.darbar import wait_until
from tests.third_game import fist
from tests.third_game.table import LATER, asked, create_fist, fresh, sent

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE = timedelta(seconds=10)
UNSTORABLE: Final = "\0"
"""A text that PostgreSQL cannot store; no request brings one as far as a statement."""


@pytest.fixture(autouse=True)
def in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server's clock stands within the time of every question."""
    monkeypatch.setattr("django.utils.timezone.now", lambda: LATER)


@pytest.fixture
def games(maryam: Account, bahareh: Account) -> list[Game]:
    """Four tables at which it is Maryam's turn."""
    return [create_fist(maryam, bahareh) for _ in range(4)]


def begun(
    group_commit: GroupCommit, game: Game, refused: list[Any], patience: timedelta = PATIENCE
) -> threading.Thread:
    """Somebody who has a game resolved, on a connection of their own."""

    def run() -> None:
        try:
            group_commit.resolve(game.id, patience)
        except OperationalError as error:
            refused.append(error)
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


@contextmanager
def turn_taken(group_commit: GroupCommit) -> Iterator[None]:
    """Somebody resolves so long."""
    group_commit._taken = True
    yield
    with group_commit._changed:
        group_commit._taken = False
        group_commit._changed.notify_all()


def transactions(games: list[Game]) -> list[int]:
    """Return which transactions wrote the last lines of these games."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT event.xmin::text::bigint FROM games_event AS event JOIN games_game AS game"
            " ON game.id = game_id WHERE game.id = ANY(%s) AND number = game.version",
            [[game.id for game in games]],
        )
        return [row[0] for row in cursor]


@pytest.mark.parametrize("patience", [PATIENCE, timedelta(milliseconds=20)])
def test_what_came_while_others_were_resolved_is_resolved_together(games: list[Game], patience: timedelta) -> None:
    group_commit, refused = GroupCommit(), list[Any]()
    moves = [sent(game, 1, "claim 3") for game in games]
    with turn_taken(group_commit):
        threads = [begun(group_commit, game, refused, patience) for game in games]
        wait_until(lambda: len(group_commit._brought) == len(games), "all are brought")
        time.sleep(0.1)
    for thread in threads:
        thread.join(30)
    assert refused == []
    assert {Move.objects.get(pk=move.pk).state for move in moves} == {Move.State.APPLIED}
    assert len(transactions(games)) == 1
    assert [audit.find_faults(fresh(game)) for game in games] == [[], [], [], []]


def test_a_game_that_somebody_holds_keeps_nobody_else_waiting(games: list[Game], lie_in_wait: Any) -> None:
    group_commit, refused = GroupCommit(), list[Any]()
    moves = [sent(game, 1, "claim 3") for game in games]
    with lie_in_wait(games[0]):
        with turn_taken(group_commit):
            threads = [begun(group_commit, game, refused, timedelta(seconds=2)) for game in games]
            wait_until(lambda: len(group_commit._brought) == len(games), "all are brought")
        for thread in threads:
            thread.join(30)
    assert [type(error) for error in refused] == [OperationalError]
    states = [Move.objects.get(pk=move.pk).state for move in moves]
    assert states == [Move.State.RECEIVED] + [Move.State.APPLIED] * 3


def test_who_does_not_get_the_turn_in_time_resolves_alone(games: list[Game]) -> None:
    group_commit, move = GroupCommit(), sent(games[0], 1, "claim 3")
    with turn_taken(group_commit):
        group_commit.resolve(games[0].id, timedelta(milliseconds=20))
    assert Move.objects.get(pk=move.pk).state == Move.State.APPLIED


def test_whoever_has_the_turn_waits_a_little_for_moves_that_are_on_their_way(games: list[Game]) -> None:
    group_commit, refused = GroupCommit(gathering=PATIENCE), list[Any]()
    moves = [sent(game, 1, "claim 3") for game in games]
    all_come = threading.Barrier(len(games))

    def come(game: Game, late: float) -> None:
        try:
            with group_commit.expected():
                all_come.wait(10)
                time.sleep(late)
                group_commit.resolve(game.id, PATIENCE)
        except OperationalError as error:
            refused.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=come, args=(game, 0.05 * at)) for at, game in enumerate(games)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert refused == []
    assert {Move.objects.get(pk=move.pk).state for move in moves} == {Move.State.APPLIED}
    assert len(transactions(games)) == 1


def test_nobody_waits_long_for_a_move_that_does_not_come(games: list[Game]) -> None:
    group_commit = GroupCommit()
    move = sent(games[0], 1, "claim 3")
    stays, goes = threading.Event(), threading.Event()

    def stay_away() -> None:
        with group_commit.expected():
            stays.set()
            goes.wait(30)

    other = threading.Thread(target=stay_away)
    other.start()
    assert stays.wait(10)
    began = time.monotonic()
    group_commit.resolve(games[0].id, PATIENCE)
    assert time.monotonic() - began < PATIENCE.total_seconds()
    move.refresh_from_db()
    assert move.state == Move.State.APPLIED
    goes.set()
    other.join(30)
    assert not group_commit._coming, "who has gone is not waited for"


def plain(game: Game, account: Account, text: str = "claim 3") -> Plain:
    """A move of somebody in a game, sent by a program of its own."""
    token, shown = tokens.issue(account, "test", list(ALL))
    Token.objects.filter(pk=token.pk).update(last_used_at=LATER)
    said = {"question": asked(game, 1), "text": text}
    return Plain(uuid4(), game.id, LATER, said, tokens.digest_of(shown), ["fist:1"])


def stored(group_commit: GroupCommit, moves: list[Plain], patience: timedelta = PATIENCE) -> list[Any]:
    """Return what came of moves that were brought while somebody resolved."""
    came: list[Any] = [None] * len(moves)

    def store(number: int) -> None:
        try:
            came[number] = group_commit.store(moves[number], patience)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=store, args=(number,)) for number in range(len(moves))]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(group_commits, "_STORING", PATIENCE)
        with turn_taken(group_commit):
            for thread in threads:
                thread.start()
            wait_until(lambda: len(group_commit._brought) == len(moves), "all are brought")
        for thread in threads:
            thread.join(30)
    return came


def states() -> list[str]:
    return sorted(Move.objects.values_list("state", flat=True))


def test_moves_that_are_waited_for_are_stored_and_resolved_together(games: list[Game], maryam: Account) -> None:
    moves = [plain(game, maryam) for game in games]
    came = stored(GroupCommit(), moves)
    assert [done.move.id for done, _ in came] == [move.id for move in moves]
    assert [locked.game.id for _, locked in came] == [game.id for game in games]
    assert states() == [Move.State.APPLIED] * 4
    assert len(transactions(games)) == 1
    assert [audit.find_faults(fresh(game)) for game in games] == [[], [], [], []]


@pytest.mark.parametrize("late", [-1, 1])
def test_a_move_that_is_stored_already_is_resolved_with_them_in_its_order(
    games: list[Game], maryam: Account, late: int
) -> None:
    other = sent(games[0], 1, "claim 4", LATER + timedelta(seconds=late))
    moves = [plain(game, maryam) for game in games]
    stored(GroupCommit(), moves)
    first, second = (other.id, moves[0].id) if late < 0 else (moves[0].id, other.id)
    assert [Move.objects.get(pk=each).code for each in (first, second)] == ["", "question-closed"]
    assert states() == [Move.State.APPLIED] * 4 + [Move.State.REJECTED]


def test_moves_of_one_account_are_counted_each_and_resolved_together(games: list[Game], maryam: Account) -> None:
    first, *others = [plain(game, maryam) for game in games]
    came = stored(GroupCommit(), [first, *(dataclasses.replace(each, digest=first.digest) for each in others)])
    assert {done.balance.left for done, _ in came} == {rate_limits.account_policy().quota - 4}
    assert states() == [Move.State.APPLIED] * 4
    assert len(transactions(games)) == 1


def test_of_one_account_all_are_stored_or_none(games: list[Game], maryam: Account, settings: Any) -> None:
    settings.REQUESTS_PER_ACCOUNT = 3
    first, *others = [plain(game, maryam) for game in games]
    moves = [first, *(dataclasses.replace(each, digest=first.digest) for each in others)]
    assert [*store_all(moves, LATER)] == []
    assert len([*store_all(moves[:2], LATER)]) == 2
    assert [*store_all(moves[2:], LATER)] == []
    assert store(moves[2], LATER) is not None
    assert store(moves[3], LATER) is None
    assert len(states()) == 3


def test_a_move_that_may_not_be_stored_keeps_no_other_from_it(games: list[Game], maryam: Account) -> None:
    moves = [plain(game, maryam) for game in games]
    came = stored(GroupCommit(), [dataclasses.replace(moves[0], digest="unknown"), *moves[1:]])
    assert came[0] == (None, None)
    assert states() == [Move.State.APPLIED] * 3
    assert fresh(games[0]).version == games[0].version


def test_who_may_not_play_there_has_nobodys_game_resolved(games: list[Game], maryam: Account) -> None:
    waiting = sent(games[0], 1, "claim 3")
    stored(GroupCommit(), [dataclasses.replace(plain(games[0], maryam), digest="unknown")])
    waiting.refresh_from_db()
    assert waiting.state == Move.State.RECEIVED


def test_a_move_for_a_game_that_somebody_holds_is_stored_and_left(
    games: list[Game], maryam: Account, lie_in_wait: Any
) -> None:
    with lie_in_wait(games[0]):
        came = stored(GroupCommit(), [plain(game, maryam) for game in games])
    assert [locked is None for _, locked in came] == [True, False, False, False]
    assert states() == [Move.State.APPLIED] * 3 + [Move.State.RECEIVED]


def test_a_move_that_cannot_be_resolved_keeps_no_other_from_it(
    games: list[Game], maryam: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(state: Any, seat: Any, move: Any, chance: Any) -> Any:
        if move.number == 6:
            raise KeyError("canary")
        return fist.decide(state, seat, move, chance)

    monkeypatch.setitem(RULES, "fist", fist.replace(fist.RULES, decide=broken))
    came = stored(GroupCommit(), [plain(games[0], maryam, "claim 6"), *(plain(game, maryam) for game in games[1:])])
    assert [locked is None for _, locked in came] == [True, False, False, False]
    assert states() == [Move.State.APPLIED] * 3 + [Move.State.RECEIVED]
    assert len(transactions(games[1:])) == 1


def test_who_does_not_get_the_turn_in_time_has_stored_nothing(games: list[Game], maryam: Account) -> None:
    group_commit = GroupCommit()
    with turn_taken(group_commit), pytest.raises(Busy):
        group_commit.store(plain(games[0], maryam), PATIENCE)
    assert group_commit._brought == [], "nobody else stores it"
    assert states() == []


def test_who_gets_no_turn_is_answered_all_the_same(games: list[Game], maryam: Account) -> None:
    move = plain(games[0], maryam)
    with turn_taken(outcomes.GROUP_COMMIT):
        done = outcomes.stored_and_awaited(move, timedelta(seconds=1))
    assert done is not None
    assert (done[0].move.id, done[1].move.state) == (move.id, Move.State.APPLIED)


def test_whoever_waits_does_so_once_for_the_turn_and_the_game_together(
    games: list[Game], maryam: Account, lie_in_wait: Any
) -> None:
    move, began = plain(games[0], maryam), time.monotonic()
    with turn_taken(outcomes.GROUP_COMMIT), lie_in_wait(games[0]):
        done = outcomes.stored_and_awaited(move, timedelta(seconds=2))
        waited = time.monotonic() - began
    assert done is not None
    assert done[1].move.state == Move.State.RECEIVED
    assert 1.9 < waited < 3.5


def test_who_did_not_hear_that_a_move_was_stored_stores_it_no_second_time(games: list[Game], maryam: Account) -> None:
    move = plain(games[0], maryam)
    stored(GroupCommit(), [move])
    again = store(move, LATER)
    assert again is not None
    assert outcomes.awaited(maryam, again.move, PATIENCE).move.state == Move.State.APPLIED
    assert states() == [Move.State.APPLIED]


def test_who_is_being_stored_waits_until_it_is_known_that_they_are(games: list[Game], maryam: Account) -> None:
    moves = [plain(game, maryam) for game in games[:2]]
    key = f"{rate_limits.OF_ACCOUNT}{Token.objects.get(digest=moves[0].digest).user_id}"
    rate_limits.take(key, rate_limits.account_policy(), LATER)
    came: list[Any] = []
    resolving = threading.Thread(target=lambda: came.append(stored(GroupCommit(), moves, timedelta())))
    with transaction.atomic():
        rate_limits.take(key, rate_limits.account_policy(), LATER)
        resolving.start()
        time.sleep(0.5)
        assert came == []
    resolving.join(30)
    assert [done is not None for done, _ in came[0]] == [True, True]
    assert len(states()) == 2


def queued(queue: StoreQueue, moves: list[Plain]) -> list[Any]:
    """Return what came of moves that were all brought while the first of them was being stored."""
    came: list[Any] = [None] * len(moves)
    key = f"{rate_limits.OF_ACCOUNT}{Token.objects.get(digest=moves[0].digest).user_id}"
    rate_limits.take(key, rate_limits.account_policy(), LATER)

    def store_one(number: int) -> None:
        try:
            came[number] = queue.store(moves[number])
        finally:
            connections.close_all()

    threads = [threading.Thread(target=store_one, args=(number,)) for number in range(len(moves))]
    with transaction.atomic():
        rate_limits.take(key, rate_limits.account_policy(), LATER)
        threads[0].start()
        wait_until(lambda: queue._taken and not queue._brought, "the first is being stored")
        for thread in threads[1:]:
            thread.start()
        wait_until(lambda: len(queue._brought) == len(moves) - 1, "the others wait")
    for thread in threads:
        thread.join(30)
    return came


def test_moves_that_come_while_one_is_stored_are_stored_by_one_statement(games: list[Game], maryam: Account) -> None:
    moves = [plain(game, maryam) for game in games]
    moves[1] = dataclasses.replace(moves[1], digest="unknown")
    came = queued(StoreQueue(PATIENCE), moves)
    assert [done and done.move.id for done in came] == [moves[0].id, None, moves[2].id, moves[3].id]
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM games_move GROUP BY xmin::text ORDER BY 1")
        assert [*cursor] == [(1,), (2,)]


def gathered(queue: StoreQueue, moves: list[Plain], *, expected: bool) -> list[Any]:
    """Return what came of moves that came one after the other (``expected``: and were on their way together)."""
    came: list[Any] = [None] * len(moves)
    all_come = threading.Barrier(len(moves))

    def come(number: int) -> None:
        try:
            with queue.expected() if expected else nullcontext():
                all_come.wait(10)
                time.sleep(0.05 * number)
                came[number] = queue.store(moves[number])
        finally:
            connections.close_all()

    threads = [threading.Thread(target=come, args=(number,)) for number in range(len(moves))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return came


@pytest.mark.parametrize("expected", [True, False])
def test_whoever_stores_waits_a_little_for_those_on_their_way_and_as_many_as_last_time(
    games: list[Game], maryam: Account, monkeypatch: pytest.MonkeyPatch, *, expected: bool
) -> None:
    monkeypatch.setattr(batcher, "_QUIET", PATIENCE)
    queue, moves = StoreQueue(PATIENCE, gathering=PATIENCE), [plain(game, maryam) for game in games]
    queue._last = 1 if expected else len(moves)
    began = time.monotonic()
    came = gathered(queue, moves, expected=expected)
    assert time.monotonic() - began < PATIENCE.total_seconds(), "it is known that nobody else comes"
    assert [done.move.id for done in came] == [move.id for move in moves]
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM games_move GROUP BY xmin::text")
        assert [*cursor] == [(4,)]


def test_nobody_waits_long_for_as_many_as_last_time_if_they_do_not_come(games: list[Game], maryam: Account) -> None:
    queue, move, began = StoreQueue(gathering=PATIENCE), plain(games[0], maryam), time.monotonic()
    queue._last = 4
    assert queue.store(move)
    assert time.monotonic() - began < PATIENCE.total_seconds()
    assert queue._last == 1, "the next waits for nobody"


def test_moves_whose_statement_fails_are_each_stored_alone(games: list[Game], maryam: Account) -> None:
    moves = [plain(game, maryam) for game in games]
    moves[2] = dataclasses.replace(moves[2], said={"question": "?", "text": UNSTORABLE})
    errors: list[type[BaseException] | None] = []
    excepthook, threading.excepthook = threading.excepthook, lambda failed: errors.append(failed.exc_type)
    try:
        came = queued(StoreQueue(PATIENCE), moves)
    finally:
        threading.excepthook = excepthook
    assert [done and done.move.id for done in came] == [moves[0].id, moves[1].id, None, moves[3].id]
    assert errors == [DataError]
    assert states() == [Move.State.RECEIVED] * 3


def test_a_statement_that_is_held_up_keeps_nobody_else_waiting(
    games: list[Game], maryam: Account, bahareh: Account
) -> None:
    queue, held = StoreQueue(timedelta(milliseconds=1)), plain(games[0], maryam)
    key = f"{rate_limits.OF_ACCOUNT}{maryam.pk}"
    rate_limits.take(key, rate_limits.account_policy(), LATER)
    came: list[Any] = []

    def store_held() -> None:
        came.append(queue.store(held))
        connections.close_all()

    storing = threading.Thread(target=store_held)
    with transaction.atomic():
        rate_limits.take(key, rate_limits.account_policy(), LATER)
        storing.start()
        wait_until(lambda: queue._taken and not queue._brought, "the first is being stored")
        assert queue.store(plain(games[0], bahareh))
        assert came == []
    storing.join(30)
    assert came[0].move.id == held.id


def test_moves_are_stored_while_the_time_of_one_of_their_games_is_put_forward(
    games: list[Game], maryam: Account
) -> None:
    moves = [plain(game, maryam) for game in games]
    storing = threading.Thread(target=store_in_a_transaction, args=(moves,))
    with transaction.atomic():
        clock.forward(games[0].id, timedelta(hours=1), LATER)
        storing.start()
        storing.join(10)
        assert not storing.is_alive(), "it waits for nobody"
    storing.join(30)
    assert states() == [Move.State.RECEIVED] * 4


def test_allowances_are_taken_in_one_order_whatever_comes_first(
    maryam: Account, bahareh: Account, sepideh: Account
) -> None:
    circle = ((maryam, bahareh), (bahareh, sepideh), (sepideh, maryam))
    moves = [plain(create_fist(first, second), first) for first, second in circle]
    keys = {each.digest: f"{rate_limits.OF_ACCOUNT}{each.user_id}" for each in Token.objects.all()}
    for key in keys.values():
        rate_limits.take(key, rate_limits.account_policy(), LATER)
    ordered = sorted(moves, key=lambda move: keys[move.digest])
    for order in (ordered, ordered[::-1]):
        storing = threading.Thread(target=store_in_a_transaction, args=(order,))
        with transaction.atomic():
            rate_limits.take(min(keys.values()), rate_limits.account_policy(), LATER)
            storing.start()
            time.sleep(0.3)
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT FROM accounts_allowance WHERE key = ANY(%s) FOR UPDATE NOWAIT", [[*keys.values()]]
                )
                assert cursor.rowcount == 3, "who waits for the first holds none of the others"
        storing.join(30)


def store_in_a_transaction(moves: list[Plain]) -> None:
    with transaction.atomic():
        [*store_all(moves, LATER)]
    connections.close_all()


def test_what_is_forgotten_of_allowances_waits_for_nobody_who_draws_on_one(games: list[Game]) -> None:
    held, other = f"held:{games[0].id}", f"other:{games[0].id}"
    for key in (held, other):
        rate_limits.take(key, rate_limits.account_policy(), LATER - timedelta(days=1))
    forgotten: list[int] = []
    forgetting = threading.Thread(
        target=lambda: (forgotten.append(rate_limits.delete_idle(LATER)), connections.close_all())
    )
    with transaction.atomic():
        rate_limits.take(held, rate_limits.account_policy(), LATER)
        forgetting.start()
        forgetting.join(10)
        assert forgotten
    with connection.cursor() as cursor:
        cursor.execute("SELECT key FROM accounts_allowance WHERE key = ANY(%s)", [[held, other]])
        assert [*cursor] == [(held,)]
