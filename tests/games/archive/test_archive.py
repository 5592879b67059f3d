"""A finished game as a document: whole, open, checked by others, and taken in again."""

import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from msgspec.structs import replace

from accounts.models import Account
from games.archive import game_audit, records
from games.engine import EVERYONE, SPECTATOR, RuleViolation
from games.engine.record import dump, heads, load, state_after, undecided
from games.event_log import log_store
from games.models import ArchivedLog, Bot, Event, Game
from games.play import bots
from games.refusals import Refusal
from games.rules.registry import RULES
from games.tables.new_game import NewGame
from games.tables.starting import create_game
from tests.forging import AGAINST_THE_RULES, CRAFTED, IMPOSSIBLE, MISWRITTEN, crafted, forgeries, miswritten
from tests.games.finished import elsewhere, finished
from tests.long import SCALE
from tests.record_schema import FILE
from tests.record_schema import schema_text as schema_as_written
from tests.third_game.table import LATER, NOON, fresh, play

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[3]
VERIFY = ROOT / "games/static/games/verify.py"


@pytest.fixture
def people(maryam: Account, sepideh: Account, bahareh: Account) -> list[Account]:
    return [maryam, sepideh, bahareh]


@pytest.fixture(params=["coup", "sedlec"])
def game(request: pytest.FixtureRequest, people: list[Account]) -> Game:
    return finished(people, request.param)


def verified(path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, VERIFY, path, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_a_record_is_true_to_its_log_and_the_engine_agrees(game: Game, tmp_path: Path) -> None:
    assert game_audit.find_faults(game) == []
    record = records.export_record(game)
    assert load(dump(record)) == record
    assert heads(record)[-1] == record.head == bytes(game.public_head).hex()
    path = tmp_path / "record.json"
    path.write_bytes(dump(record))
    alone = verified(path)
    assert (alone.returncode, "TRUE" in alone.stdout) == (3, False), alone
    with_engine = verified(path, "--engine", str(ROOT), "--head", record.head)
    assert f"TRUE: the rules: events 1 to {len(record.events)} follow from the moves" in with_engine.stdout, with_engine


def visible_state(game: Game) -> list[Any]:
    """All that is read of a game's log: whole, as each viewer is shown it from any line, and played back."""
    viewers = (EVERYONE, SPECTATOR, *range(1, game.seat_count + 1))
    visible_pages = [
        log_store.read_shown(game, viewer, after) for viewer in viewers for after in range(0, game.version + 1, 3)
    ]
    steps = [
        records.step(game, number, viewer) for viewer in viewers for number in (1, game.version // 2, game.version)
    ]
    return [game_audit.find_faults(game), records.export_record(game), log_store.read(game, 3), visible_pages, steps]


def test_the_log_of_a_game_that_was_over_long_ago_is_archived_and_reads_the_same(game: Game) -> None:
    game, before = fresh(game), visible_state(fresh(game))
    assert game.ended_at is not None
    due = game.ended_at + settings.ARCHIVE_GAMES_AFTER
    assert records.archive_all(due) == 0, "not yet"
    assert records.archive_all(due + timedelta(seconds=1)) == 1
    assert not Event.objects.filter(game_id=game.pk).exists()
    assert visible_state(game) == before
    assert before[0] == []
    assert records.archive_all(due + timedelta(days=1)) == 0, "once"
    assert len(ArchivedLog.objects.get(pk=game.pk).lines) < 100 * game.version
    for statement in ("UPDATE games_archivedlog SET lines = ''", "DELETE FROM games_archivedlog"):
        with pytest.raises(DatabaseError, match="only grows"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)


def test_a_record_has_the_shape_that_is_published(game: Game) -> None:
    assert FILE.read_text() == schema_as_written(), "run python -m tests.record_schema"
    schema = json.loads(FILE.read_text())
    record = json.loads(dump(records.export_record(game)))
    jsonschema.validate(record, schema, jsonschema.Draft202012Validator)
    record["events"][3]["event"]["type"] = "conjured"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(record, schema, jsonschema.Draft202012Validator)


def test_the_operator_writes_and_takes_in_records(game: Game, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    call_command("record", str(game.id))
    path = tmp_path / "record.json"
    path.write_text(capsys.readouterr().out)
    record = elsewhere(load(path.read_bytes()))
    with pytest.raises(CommandError, match="no head of its log"):
        call_command("record", take=path, head=["ab" * 32])
    with pytest.raises(CommandError, match="not its commitment"):
        call_command("record", take=path, commitment="ab" * 32)
    call_command("record", take=path, head=[heads(record)[4]], commitment=record.commitment)
    assert f"bind 5 of its {len(record.events)} events" in capsys.readouterr().out
    assert records.export_record(Game.objects.get(pk=record.game)) == record
    with pytest.raises(CommandError, match="already has this game"):
        call_command("record", take=path)
    path.write_text("{}")
    with pytest.raises(CommandError, match="the record of a game"):
        call_command("record", take=path)


def test_a_game_that_is_not_over_has_no_record(maryam: Account, bahareh: Account) -> None:
    running = records.Game(state=Game.State.RUNNING)
    with pytest.raises(Refusal, match="over yet"):
        records.export_record(running)


def test_a_record_is_taken_in_again_and_gives_the_same_record(game: Game) -> None:
    record = records.export_record(game)
    with pytest.raises(Refusal, match="already has this game"):
        records.import_record(record)
    moved = elsewhere(record)
    restored = records.import_record(moved)
    assert records.export_record(Game.objects.get(pk=restored.pk)) == moved
    assert [seat.account for seat in restored.seats.all()] == [None] * 3


def test_a_forged_record_is_not_taken_in(game: Game) -> None:
    record = elsewhere(records.export_record(game))
    forged_records = [crafted(record, forge) for forge in (*CRAFTED, *AGAINST_THE_RULES, *IMPOSSIBLE)]
    for forged in (*forged_records, *forgeries(record, 20 * SCALE, seed=7)):
        try:
            reading = load(json.dumps(forged, ensure_ascii=False).encode())
        except RuleViolation:
            continue
        with pytest.raises((Refusal, log_store.UnknownRules)):
            records.import_record(reading)
    assert not Game.objects.filter(pk=record.game).exists()


def test_what_is_written_in_two_ways_is_not_taken_in(game: Game) -> None:
    record = records.export_record(game)
    for how in MISWRITTEN:
        with pytest.raises(RuleViolation, match="the record of a game"):
            load(miswritten(record, how).encode())


def test_a_log_in_which_nobody_lives_is_not_taken_in(people: list[Account]) -> None:
    record = elsewhere(records.export_record(finished(people, "coup")))

    def deal_nothing(forged: dict[str, Any]) -> None:
        for line in forged["events"]:
            if line["event"]["type"] == "dealt":
                line["event"]["cards"] = []

    with pytest.raises(Refusal, match="are not what the rules decide"):
        records.import_record(load(json.dumps(crafted(record, deal_nothing), ensure_ascii=False).encode()))


def test_a_record_is_replayed_to_its_end(game: Game) -> None:
    record = records.export_record(game)
    assert state_after(RULES[record.rules], record, len(record.events)) == log_store.position(game).state


def test_every_answer_of_a_bot_follows_from_what_its_seat_could_see(maryam: Account) -> None:
    game = create_game(maryam, NewGame(rules="coup", seat_count=3, bots=(Bot(), Bot())), "api", NOON)
    play(game, 1, "resign yes", question="")
    while bots.play(game.id, LATER) and fresh(game).state != Game.State.OVER:
        continue
    record = records.export_record(fresh(game))
    rules = RULES[record.rules]
    assert {move.bot_version for move in record.moves if move.via == "bot"} == {rules.bot_version}
    assert list(undecided(rules, record)) == []
    peeked = replace(rules, bot_move=lambda knowledge, question, moves, chance: moves[-1])
    assert any("what its seat could see" in fault for fault in undecided(peeked, record))
    later = replace(rules, bot_version=rules.bot_version + 1, bot_move=peeked.bot_move)
    assert list(undecided(later, record)) == []
