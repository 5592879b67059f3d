"""Every field of a record is changed once: ``verify.py`` prints FALSE, or names the fields that it cannot check."""

import copy
import json
import re
import runpy
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from accounts.models import Account
from games.archive import records, time_stamps
from games.engine import chain
from games.engine.record import dump
from games.models import Bot
from games.play import bots
from games.tables import starting
from games.tables.joining import join_game
from games.tables.new_game import NewGame
from games.tables.starting import create_game, reveal_seed
from tests.games.archive.authority import serve_authority
from tests.games.finished import play_out
from tests.games.tables.beacon import KEY, serve_beacon
from tests.games.tables.test_starting import SEED, committed
from tests.games.unseen import world
from tests.third_game.table import NOON, fresh

TRUE: Final = 0
FALSE: Final = 1
UNPROVEN: Final = 3
ROOT: Final = Path(__file__).parents[3]


class Proof(NamedTuple):
    """A record with everything that a player may have kept of its game."""

    record: Any
    folder: Path
    verify: dict[str, Any]
    deal_head: str
    names: list[str]
    certificate: str

    def verifier_arguments(self) -> list[str]:
        """Return all arguments: with them every line is TRUE."""
        heads = self.verify["heads"](self.record)
        names = [argument for name in self.names for argument in ("--name", name)]
        return [
            *("--head", heads[-1], "--head", heads[len(heads) // 2], "--deal-head", self.deal_head),
            *("--commitment", self.record["commitment"], "--authorities", self.certificate, *names),
        ]

    def check(self, record: Any, *arguments: str) -> int:
        file = self.folder / "record.json"
        file.write_text(json.dumps(record, ensure_ascii=False))
        return int(self.verify["main"]([str(file), *arguments]))

    def sealed(self, record: Any) -> Any:
        """Return the record with new heads, which anyone who knows the seed can compute."""
        heads = self.verify["deal_heads"](record)
        for line in record["events"]:
            if line["event"]["type"] == "table.deal-listed":
                line["event"]["head"] = heads[0]
            if line["event"]["type"] == "table.beacon-awaited":
                line["event"]["head"] = heads[1]
        record["head"] = self.verify["heads"](record)[-1]
        return record


@pytest.fixture(scope="module")
def proof(django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory) -> Proof:
    """A game with all protections. The program takes the beacon of the test for drand's."""
    tmp_path = tmp_path_factory.mktemp("proof")
    program = tmp_path / "verify.py"
    source = (ROOT / "games/static/games/verify.py").read_text()
    program.write_text(re.sub(r"QUICKNET = \(.*?\n\)", f'QUICKNET = "{KEY}"', source, count=1, flags=re.DOTALL))
    with (
        serve_beacon() as served,
        serve_authority(tmp_path) as authority,
        override_settings(
            OUTGOING_LOOPBACK=True, BEACON_KEY=KEY, BEACON_URL=(served.url,), TIMESTAMP_URL=(authority.url,)
        ),
        django_db_blocker.unblock(),
        world(),
    ):
        maryam, bahareh = (
            Account.objects.create_user(f"{name.lower()}@example.org", name=name) for name in ("Maryam", "Bahareh")
        )
        game = create_game(maryam, NewGame(rules="coup", seat_count=3, bots=(Bot(),)), "api", NOON)
        game = join_game(game.id, bahareh, "", "api", NOON, committed())
        reveal_seed(game.id, bahareh, SEED, game.deal_head, "api", NOON)
        starting.sweep(NOON + timedelta(seconds=chain.LEAD + 10))
        game = fresh(game)
        bots.play(game.id, NOON + timedelta(minutes=1))
        time_stamps.stamp_heads(NOON + timedelta(days=1))
        game = play_out(fresh(game))
        verify = runpy.run_path(str(program), run_name="verify")
        record = json.loads(dump(records.export_record(game)))
        names = [seat["name"] for seat in record["seats"]]
        proof = Proof(record, tmp_path, verify, game.deal_head, names, str(authority.certificate))
    return proof


def fields(record: Any) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield the name of each kind of field, with the place of the last value of it."""
    places: dict[str, tuple[Any, ...]] = {}
    for path in _places(record, ()):
        name = ".".join("#" if isinstance(step, int) else step for step in path)
        if path[0] == "events" and len(path) > 2 and path[2] == "event":
            name = f"{name} of {record['events'][path[1]]['event']['type']}"
        places[name] = path
    yield from places.items()


def _places(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield from _places(item, (*path, key))
    if path and not isinstance(value, dict | list):
        yield path


def changed(record: Any, path: tuple[Any, ...]) -> Any:
    """Return the record with another value at this place, which still could be one."""
    forged = copy.deepcopy(record)
    inside = forged
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = _other(inside[path[-1]])
    return forged


def _other(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str() if value:
            return ("0" if value[0] != "0" else "1") + value[1:]
        case str():
            return "x"
    return 1


def test_a_record_is_true_only_with_everything_that_was_kept(proof: Proof, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [*proof.verifier_arguments(), "--engine", str(ROOT)]
    assert proof.check(proof.record, *arguments) == TRUE
    assert {line.split(":")[0] for line in capsys.readouterr().out.splitlines()} == {
        "TRUE",
        "The record says of its deal",
    }
    left_out = {
        ("--head",): "and who won: no head that you gave binds them",
        ("--deal-head",): "the deal: give --deal-head",
        ("--name",): "the names: ",
        ("--authorities",): "the signature needs a certificate",
        ("--engine",): "the rules: ",
    }
    for (option,), sentence in left_out.items():
        pairs = list(zip(arguments[::2], arguments[1::2], strict=True))
        fewer = [argument for pair in pairs if pair[0] != option for argument in pair]
        assert proof.check(proof.record, *fewer) == UNPROVEN, option
        splitlines = capsys.readouterr().out.splitlines()
        assert any(line.startswith("NOT CHECKED") and sentence in line for line in splitlines), (option, splitlines)


PARTS: Final = 5
"""The parts into which the fields are divided, because ``make test`` changes the fields of the first one only."""


def fields_of_part(record: Any, part: int) -> list[tuple[str, tuple[Any, ...]]]:
    """Return the fields of a part. Names decide, because each process has another record with other positions."""
    return [(name, path) for name, path in fields(record) if zlib.crc32(name.encode()) % PARTS == part]


def test_a_record_has_many_fields(proof: Proof) -> None:
    assert len(list(fields(proof.record))) > 80


@pytest.mark.sampled(1)
@pytest.mark.parametrize("part", range(PARTS))
def test_each_changed_field_is_found_by_whoever_has_kept_everything(proof: Proof, part: int) -> None:
    arguments = proof.verifier_arguments()
    for name, path in fields_of_part(proof.record, part):
        assert proof.check(changed(proof.record, path), *arguments) == FALSE, name


@pytest.mark.sampled(1)
@pytest.mark.parametrize("part", range(PARTS))
def test_no_changed_field_is_called_true_where_the_heads_are_made_anew(
    proof: Proof, part: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """A player has kept the head of the deal and one from the middle. The operator changes later lines."""
    heads = proof.verify["heads"](proof.record)
    half = len(heads) // 2
    arguments = ("--head", heads[half - 1], "--deal-head", proof.deal_head)
    checked = 0
    for name, path in fields_of_part(proof.record, part):
        forged = changed(proof.record, path)
        try:
            proof.sealed(forged)
        except (ValueError, KeyError, TypeError, IndexError, AttributeError):
            continue  # there is no head for this record
        status = proof.check(forged, *arguments)
        text = capsys.readouterr().out
        checked += 1
        assert status in (FALSE, UNPROVEN), name
        if status == UNPROVEN:
            assert f"NOT CHECKED: events {half + 1} to {len(heads)}, and who won: " in text, name
            assert "NOT CHECKED: the names: " in text
    assert checked


def another_winner(record: Any) -> None:
    winners = record["events"][-1]["event"]["winners"]
    winners[0] = winners[0] % len(record["seats"]) + 1


def another_time(record: Any) -> None:
    record["events"][-1]["at"] = "2029-01-01T00:00:00Z"


def another_name(record: Any) -> None:
    record["seats"][0]["name"] = "Nobody"


@pytest.mark.parametrize("change", [another_winner, another_time, another_name])
def test_what_comes_after_the_last_head_is_not_checked(
    proof: Proof, change: Callable[[Any], None], capsys: pytest.CaptureFixture[str]
) -> None:
    heads = proof.verify["heads"](proof.record)
    forged = copy.deepcopy(proof.record)
    change(forged)
    assert proof.check(proof.sealed(forged), "--head", heads[-2], "--deal-head", proof.deal_head) == UNPROVEN
    text = capsys.readouterr().out
    assert f"TRUE: events 1 to {len(heads) - 1}: " in text
    assert f"NOT CHECKED: events {len(heads)} to {len(heads)}, and who won" in text


@pytest.mark.slow
def test_without_the_libraries_a_forged_stamp_and_a_forged_signature_are_not_checked(proof: Proof) -> None:
    forged = copy.deepcopy(proof.record)
    forged["time_stamps"][0]["response"] = "3003020100"
    published = next(line["event"] for line in forged["events"] if line["event"]["type"] == "table.beacon-published")
    published["signature"] = published["signature"][:-1] + "0"
    for line in forged["events"]:
        line["draws"] = []  # the draws would betray another signature; here there are none to check
    (proof.folder / "record.json").write_text(json.dumps(proof.sealed(forged), ensure_ascii=False))
    heads = proof.verify["heads"](forged)
    stamped = heads.index(heads[-1])
    forged["time_stamps"][0]["head"] = heads[stamped]
    (proof.folder / "record.json").write_text(json.dumps(forged, ensure_ascii=False))
    command = [sys.executable, "-S", proof.folder / "verify.py", proof.folder / "record.json"]
    ended = subprocess.run(
        [*command, "--head", heads[-1], "--deal-head", proof.deal_head], capture_output=True, text=True, check=False
    )
    assert ended.returncode == UNPROVEN, ended.stdout + ended.stderr
    assert "NOT CHECKED: the time stamp" in ended.stdout
    assert "NOT CHECKED: the deal: the signature of the beacon needs the library pyblst" in ended.stdout
