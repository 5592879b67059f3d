"""A hundred and fifty forged records of at least forty kinds: found with the heads, and never called true without."""

import json
import random
import runpy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from accounts.models import Account
from games.archive import records
from games.engine.record import Record, dump, heads
from games.models import Game
from games.play.resolve import resolve
from tests.forging import AGAINST_THE_RULES, CRAFTED, IMPOSSIBLE, MISWRITTEN, crafted, forgeries, miswritten
from tests.games.finished import begun, play_out
from tests.games.unseen import world
from tests.third_game.table import fresh

UNPROVEN: Final = 3
UNBOUND: Final = {"_nothing_in_a_name"}
"""Forgeries that change nothing that a head binds."""
verify: dict[str, Any] = runpy.run_path("games/static/games/verify.py", run_name="verify")
Forge = Callable[[dict[str, Any]], None]


def _line(forged: dict[str, Any], luck: random.Random) -> dict[str, Any]:
    """Return one of the later lines."""
    lines = forged["events"]
    return luck.choice(lines[len(lines) // 2 : -1])


def _at_another_time(forged: dict[str, Any], luck: random.Random) -> None:
    _line(forged, luck)["at"] = f"2029-0{luck.randint(1, 9)}-01T00:00:00.000001Z"


def _all_later(forged: dict[str, Any], luck: random.Random) -> None:
    begin = luck.randrange(len(forged["events"]) // 2, len(forged["events"]) - 1)
    for line in forged["events"][begin:]:
        line["at"] = f"{line['at'][:2]}{luck.choice('789')}{line['at'][3:]}"


def _by_another_way(forged: dict[str, Any], luck: random.Random) -> None:
    move = luck.choice(forged["moves"][len(forged["moves"]) // 2 :])
    move["via"] = {"api": "mail"}.get(move["via"], "api")
    for line in forged["events"]:
        if line["move"] == move["id"]:
            line["via"] = move["via"]


def _received_at_another_time(forged: dict[str, Any], luck: random.Random) -> None:
    luck.choice(forged["moves"][len(forged["moves"]) // 2 :])["received_at"] = "2029-01-01T00:00:00.000001Z"


def _another_question(forged: dict[str, Any], luck: random.Random) -> None:
    luck.choice(forged["moves"][len(forged["moves"]) // 2 :])["question"] = f"1.{luck.randint(500, 900)}"


def _without_a_late_line(forged: dict[str, Any], luck: random.Random) -> None:
    at = next(
        at
        for at in range(len(forged["events"]) - 2, 0, -1)
        if not forged["events"][at]["draws"] and forged["events"][at]["move"] == forged["events"][at - 1]["move"]
    )
    del forged["events"][at]
    for number, line in enumerate(forged["events"], start=1):
        line["number"] = number


REWRITTEN: Final = (
    _at_another_time,
    _all_later,
    _by_another_way,
    _received_at_another_time,
    _another_question,
    _without_a_late_line,
)
"""Changes by a server that recomputes the chain of its log. Only an older head reveals them."""
PARTS: Final = 5
"""The parts into which the forged records are divided, because ``make test`` checks those of the first one only."""


@pytest.fixture
def two(db: None, maryam: Account, sepideh: Account, bahareh: Account) -> tuple[Record, Record]:
    """Two ways in which one game could have gone on from its middle."""
    game = begun([maryam, sepideh, bahareh])
    for _ in range(4):
        _default(game)
    copies = []
    for seed in (1, 2):
        with world():
            copies.append(records.export_record(play_out(game, seed)))
    return copies[0], copies[1]


def _default(game: Game) -> None:
    """Answer an open question with the first offered answer."""
    row = game.open_questions.order_by("seat")[0]
    game.moves.create(seat=row.seat, question=row.question, text="1", via="api", received_at=row.asked_at)
    resolve(game.pk, row.asked_at)
    assert fresh(game).state == Game.State.RUNNING


def forged_records(record: Record, other: Record) -> Iterator[tuple[str, str, bool]]:
    """Yield the kind and the text of each forged record, and whether it is consistent in itself."""
    for forge in (*CRAFTED, *AGAINST_THE_RULES, *IMPOSSIBLE):
        if forge.__name__ not in UNBOUND:
            yield forge.__name__, json.dumps(crafted(record, forge), ensure_ascii=False), False
    for how in MISWRITTEN:
        yield how, miswritten(record, how), False
    for number in range(40):
        luck = random.Random(number)
        forge = REWRITTEN[number % len(REWRITTEN)]
        rewritten = crafted(record, lambda forged, forge=forge, luck=luck: forge(forged, luck))  # type: ignore[misc]
        yield forge.__name__, json.dumps(rewritten, ensure_ascii=False), True
    for number, forged in enumerate(forgeries(record, 70, seed=11)):
        yield f"any {number % 3}", json.dumps(forged, ensure_ascii=False), False
    yield "another game from the middle on", dump(other).decode(), True


@pytest.mark.sampled(1)
@pytest.mark.parametrize("part", range(PARTS))
def test_each_forged_record_is_found_with_the_heads_and_unproven_at_most_without(
    two: tuple[Record, Record], tmp_path: Path, part: int
) -> None:
    record, other = two
    arguments = [argument for head in heads(record) for argument in ("--head", head)]
    path, forged = tmp_path / "record.json", list(forged_records(record, other))
    assert len(forged) >= 150
    assert len({kind for kind, _, _ in forged}) >= 40
    for kind, text, consistent in forged[part::PARTS]:
        path.write_text(text)
        assert verify["main"]([str(path), *arguments]) == 1, kind
        without = verify["main"]([str(path)])
        assert without == UNPROVEN if consistent else without in (1, UNPROVEN), kind


def test_another_game_from_the_middle_on_fits_the_heads_of_the_first_half_only(
    two: tuple[Record, Record], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = (heads(record) for record in two)
    shared = [head for head in one if head in other]
    assert 0 < len(shared) < min(len(one), len(other))
    path = tmp_path / "record.json"
    path.write_bytes(dump(two[1]))
    assert verify["main"]([str(path), "--head", shared[-1]]) == UNPROVEN
    text = capsys.readouterr().out
    assert f"TRUE: events 1 to {len(shared)}: " in text
    assert f"NOT CHECKED: events {len(shared) + 1} to {len(other)}, and who won: " in text
    assert verify["main"]([str(path), "--head", one[len(shared)]]) == 1
