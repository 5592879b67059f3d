"""The log only grows, and everything beside it follows from it."""

from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import Account
from games.archive import game_audit
from games.engine import SeededChance, chain
from games.event_log import log_store
from games.event_log.log_store import Line, UnknownRules
from games.event_log.table_events import DeadlinesMoved, Started
from games.models import Game, Move, OpenQuestion, Snapshot, commitment_of
from games.play import resolve
from games.terms import GameTerms
from tests.examples import for_each
from tests.games import seated
from tests.games.finished import finished
from tests.third_game import fist
from tests.third_game.table import LATER, create_fist, fresh, lie, play, sent, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["with_fist"]

HOUR = timedelta(hours=1)


@pytest.fixture
def game(maryam: Account, bahareh: Account) -> Game:
    game = create_fist(maryam, bahareh)
    play(game, 1, f"claim {lie(game, 1)}")
    play(game, 2, "allow")
    return fresh(game)


def asked_seat(game: Game) -> int:
    """The one seat that is asked."""
    return game.open_questions.get().seat


def own_seeds(game: Game) -> list[bytes]:
    """Return the players' contributions to the game's chance, in seat order."""
    return [bytes.fromhex(seat.seed) for seat in game.seats.all() if seat.seed]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games_event SET body = '{}'",
        "UPDATE games_event SET at = now() WHERE number = 1",
        "DELETE FROM games_event",
        "DELETE FROM games_event WHERE number > 1",
        "TRUNCATE games_event",
    ],
)
def test_the_database_refuses_to_change_the_log(game: Game, statement: str) -> None:
    with (
        pytest.raises(DatabaseError, match="the event log only grows"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)
    assert len(log_store.read(game)) == game.version


def test_a_number_is_given_once(game: Game) -> None:
    last = log_store.read(game)[-1]
    with pytest.raises(IntegrityError), transaction.atomic():
        log_store.append({game.id: [Line(last.number, Started(seat_count=2), LATER, "api")]})


def test_a_game_of_another_version_is_refused_by_name(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    Game.objects.filter(pk=game.pk).update(rules_version=7)
    with pytest.raises(UnknownRules, match="'fist' in version 7"):
        log_store.read(fresh(game))


def test_every_draw_follows_from_the_seed(game: Game) -> None:
    assert game.commitment == commitment_of(game.id, bytes(game.seed))
    (line,) = [line for line in log_store.read(game) if line.draws]
    chance = SeededChance(bytes(game.seed), str(game.id), own_seeds(game))
    for bound, index in line.draws:
        assert chance.choose(range(bound)) == index
    assert game.draws == len(line.draws) == 2


def test_a_snapshot_can_be_thrown_away(game: Game) -> None:
    before = log_store.position(game)
    Snapshot.objects.all().delete()
    assert log_store.position(game) == before
    Snapshot.objects.create(game=game, version=game.version, table=b"\xc1", state=b"\xc1")
    assert log_store.position(game) == before


def test_a_snapshot_that_lags_is_brought_up_to_date_by_the_lines_behind_it(
    game: Game, caplog: pytest.LogCaptureFixture
) -> None:
    whole = log_store.position(game)
    log_store.append_to_all([game], DeadlinesMoved(seconds=9), LATER, "server")
    with CaptureQueriesContext(connection) as queries:
        assert log_store.position(game).version == whole.version + 1
    assert caplog.text == ""
    assert len(queries) == 2


def test_a_game_that_has_gone_on_since_its_row_was_read_is_read_without_a_warning(
    game: Game, caplog: pytest.LogCaptureFixture
) -> None:
    read_before = fresh(game)
    play(game, asked_seat(game), "claim 3")
    assert Snapshot.objects.get(game=game).version > read_before.version
    assert log_store.position(read_before) == log_store.position(fresh(game))
    assert caplog.text == ""


@pytest.fixture
def ahead(game: Game) -> Game:
    """Return a game that was restored to a state before its last move, with the snapshot from after it."""
    rows = [Game, OpenQuestion, Move]
    before = {model: [*model.objects.filter(**{"pk" if model is Game else "game": game.pk})] for model in rows}
    line_count = len(log_store.read(game))
    play(game, asked_seat(game), "resign yes", question="")
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE games_event DISABLE TRIGGER games_event_only_grows")
        cursor.execute("DELETE FROM games_event WHERE game_id = %s AND number > %s", [game.pk, line_count])
        cursor.execute("ALTER TABLE games_event ENABLE TRIGGER games_event_only_grows")
    Move.objects.filter(game=game).delete()
    OpenQuestion.objects.filter(game=game).delete()
    for model in rows:
        for row in before[model]:
            row.save(force_insert=model is not Game)
    return fresh(game)


def test_a_snapshot_ahead_of_its_log_is_made_anew_and_the_game_goes_on(
    ahead: Game, caplog: pytest.LogCaptureFixture
) -> None:
    assert Snapshot.objects.get(game=ahead).version > ahead.version
    assert play(ahead, asked_seat(ahead), "claim 3").state == Move.State.APPLIED
    assert f"the snapshot of game {ahead.pk} does not follow from its log" in caplog.text
    assert game_audit.find_faults(fresh(ahead)) == []


def other_head(snapshot: Snapshot) -> None:
    snapshot.head = bytes(32)


def other_law(snapshot: Snapshot) -> None:
    snapshot.law = bytes(32)


def earlier(snapshot: Snapshot) -> None:
    snapshot.version -= 1


@pytest.mark.parametrize("change", [other_head, other_law, earlier])
def test_a_snapshot_of_another_log_or_other_rules_is_made_anew(game: Game, change: Callable[[Snapshot], None]) -> None:
    whole, snapshot = log_store.position(game), Snapshot.objects.get(game=game)
    foreign = log_store.Position(whole.version, whole.table, fist.replace(whole.state, numbers=(6, 6)))
    snapshot.state = log_store.closed(foreign)[1]
    snapshot.save()
    assert log_store.position(game) == foreign
    change(snapshot)
    snapshot.save()
    assert log_store.position(game) == whole
    assert play(game, asked_seat(game), "claim 3").state == Move.State.APPLIED
    assert game_audit.find_faults(fresh(game)) == []


@pytest.mark.parametrize("column", [{"options": {"other": 1}}, {"rules": "other"}, {"rules_version": 2}])
def test_a_snapshot_is_bound_to_rules_version_and_options(game: Game, column: dict[str, Any]) -> None:
    law = log_store.law_of(game)
    for name, value in column.items():
        setattr(game, name, value)
    assert log_store.law_of(game) != law


def test_verify_agrees_with_games_as_they_were_played(game: Game) -> None:
    output = StringIO()
    call_command("verify", stdout=output)
    call_command("verify", str(game.id), stdout=output)
    assert output.getvalue() == "1 games follow from their logs.\n" * 2
    play(game, 1, "resign yes", question="")
    assert game_audit.find_faults(fresh(game)) == []


def tampered(statement: str, *values: object) -> Callable[[Game], None]:
    """An operator who switches the trigger off and changes the log."""

    def change(game: Game) -> None:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE games_event DISABLE TRIGGER games_event_only_grows")
            cursor.execute(f"{statement} AND game_id = %s", [*values, game.id])
            cursor.execute("ALTER TABLE games_event ENABLE TRIGGER games_event_only_grows")

    return change


def changed(**values: object) -> Callable[[Game], object]:
    """An operator who changes the row of a game."""
    return lambda game: Game.objects.filter(pk=game.pk).update(**values)


def earlier_head(game: Game) -> bytes:
    """The head that was published when the game had just begun."""
    lines = log_store.read(game)
    contents = log_store.contents_of(log_store.rules_of(game), lines, game.moves.all())
    return chain.heads(bytes(game.seed), game.commitment, contents)[0]


@for_each(
    "change, fault",
    [
        (
            tampered(
                "UPDATE games_event SET body = regexp_replace(body, '\"number\":.', '\"number\":9')"
                " WHERE body LIKE '%%claimed%%'"
            ),
            "are not what the rules decide",
        ),
        (
            tampered("UPDATE games_event SET draws = '[[6, 0], [6, 0], [6, 0]]' WHERE draws IS NOT NULL"),
            "do not follow from the seed",
        ),
        (tampered("DELETE FROM games_event WHERE number = 3"), "have gaps"),
        (tampered("UPDATE games_event SET number = 99 WHERE number = 1"), "have gaps"),
        (tampered("UPDATE games_event SET body = 'x' WHERE number = 2"), "cannot be read"),
        (tampered("UPDATE games_event SET body = body || ' ' WHERE number = 3"), "event 3 is not written as"),
        (tampered("UPDATE games_event SET at = at + interval '1 microsecond' WHERE number = 4"), "head was made of"),
        (tampered("UPDATE games_event SET via = 'mail' WHERE number = 2"), "head was made of"),
        (lambda game: Game.objects.filter(pk=game.pk).update(public_head=bytes(32)), "published head"),
        (lambda game: game.seats.filter(number=2).update(seed="00" * 32), "seats that are taken"),
        (lambda game: Snapshot.objects.filter(game=game).update(state=b"x"), "the snapshot is not"),
        (lambda game: Snapshot.objects.all().delete(), "no snapshot"),
        (lambda game: OpenQuestion.objects.filter(game=game).delete(), "open questions"),
        (lambda game: game.seats.filter(number=2).delete(), "seats that are taken"),
        (lambda game: Game.objects.filter(pk=game.pk).update(draws=9), "its row says 9"),
        (lambda game: Game.objects.filter(pk=game.pk).update(seed=bytes(32)), "does not fit the commitment"),
        (lambda game: Game.objects.filter(pk=game.pk).update(state="over"), "its row over"),
        (lambda game: Move.objects.filter(game=game).delete(), "is missing"),
        (lambda game: Move.objects.filter(game=game).update(last_event=1), "did not lead to the events"),
        (lambda game: Move.objects.filter(game=game).update(seat=1), "head was made of"),
        (lambda game: Move.objects.filter(game=game).update(received_at=LATER + HOUR), "head was made of"),
        (changed(options={}), "options of the row are not complete"),
        (changed(options={"highest": 9}), "are not what the rules decide"),
        (changed(terms=GameTerms(turn_limit=HOUR)), "the terms are not those"),
        (changed(rules_version=7), "the log cannot be read"),
        (changed(commitment="ab" * 32), "commitment of the row"),
        (changed(head=bytes(32)), "head was made of"),
        (lambda game: changed(public_head=earlier_head(game))(game), "published head"),
        (changed(version=1), "its row says 1"),
        (changed(seat_count=9), "seats of the table"),
        (changed(bot_count=1), "seats of the table"),
        (changed(created_at=LATER), "created_at"),
        (changed(started_at=LATER), "started_at"),
        (changed(ended_at=LATER), "ended_at"),
        (changed(paused_until=LATER), "the pause"),
        (changed(counted=True), "the results"),
        (lambda game: game.seats.filter(number=2).update(bot=True), "seats that are taken"),
        (lambda game: game.seats.filter(number=2).update(away=True), "who answers for whom"),
        (lambda game: game.seats.filter(number=2).update(time_bank=HOUR), "time banks"),
        (lambda game: OpenQuestion.objects.filter(game=game).update(seat=9), "open questions"),
        (lambda game: Snapshot.objects.filter(game=game).update(table=b"{}"), "the snapshot is not"),
        (tampered("DELETE FROM games_event WHERE number > 4"), "its row says"),
        (tampered("UPDATE games_event SET seat = 1 WHERE seat = 2"), "head was made of"),
        (tampered("UPDATE games_event SET shown = '{9,9,9}' WHERE number = 4"), "event 4 does not count"),
        (changed(shown=[9, 9, 9]), "the row does not count"),
    ],
    undone=True,
)
def test_verify_finds_what_was_tampered_with(game: Game, change: Callable[[Game], object], fault: str) -> None:
    change(game)
    output = StringIO()
    with pytest.raises(CommandError, match="1 of 1 games do not follow"):
        call_command("verify", stderr=output)
    assert fault in output.getvalue()


def test_verify_decides_nothing_on_what_a_false_decision_left(maryam: Account, sepideh: Account) -> None:
    game = finished([maryam, sepideh], "coup")
    dealt = "UPDATE games_event SET body = regexp_replace(body, '\\[.*\\]', '[]') WHERE body LIKE '%%dealt%%'"
    tampered(dealt)(game)
    faults = game_audit.find_faults(fresh(game))
    assert len([fault for fault in faults if "decide" in fault]) == 1, faults


def test_a_transaction_that_breaks_leaves_everything_as_it_was(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the power is gone")

    move = sent(game, 2, "claim 1")
    with monkeypatch.context() as patch:
        patch.setattr(log_store, "keep", broken)
        resolve.resolve(game.id, LATER)
    move.refresh_from_db()
    assert (move.state, move.attempts) == (Move.State.RECEIVED, 1)
    assert game_audit.find_faults(fresh(game)) == []
    resolve.retry_stalled(game.id, LATER)
    move.refresh_from_db()
    assert move.state == Move.State.APPLIED
    assert game_audit.find_faults(fresh(game)) == []


def test_draws_are_counted_on_from_one_decision_to_the_next(
    maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    game = seated.begin([maryam, sepideh, bahareh])
    seated.play(game, "1 tax", "2 challenge", "1 prove", "2 lose captain", "2 exchange", "1 allow", "3 allow")
    game = fresh(game)
    draws = [draw for line in log_store.read(game) for draw in line.draws]
    assert game.draws == len(draws) == 9
    seeded = SeededChance(bytes(game.seed), str(game.id), own_seeds(game), 6)
    assert [seeded.choose(range(bound)) for bound, _ in draws[6:]] == [index for _, index in draws[6:]]
