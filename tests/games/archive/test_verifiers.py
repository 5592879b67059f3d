"""The two verifiers that need nothing of ours: the program and the page, on true records and on forged ones."""

import json
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page
from pytest_django import DjangoDbBlocker

from accounts.models import Account
from games.archive import records
from games.engine.record import Record, dump
from games.tables.joining import replace_with_bot
from tests.browser import Visit
from tests.forging import AGAINST_THE_RULES, CRAFTED, MISWRITTEN, crafted, forgeries, miswritten
from tests.games.finished import begun, finished, play_out
from tests.games.unseen import world
from tests.long import SCALE
from tests.third_game.table import NOON
from tests.vectors import FILE, vectors_text

FOLDER = Path(__file__).parents[3] / "games/static/games"
NAMES: Final = ("Maryam", "سپیده", "Bahareh")
UNPROVEN: Final = 3
"""The exit status for a consistent record without a head from before the end."""
VECTORS: list[dict[str, Any]] = json.loads(FILE.read_text())
verify = runpy.run_path(str(FOLDER / "verify.py"), run_name="verify")


@pytest.fixture(scope="module", params=["coup", "sedlec"])
def record(request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Record:
    """A record that all the tests of this module read; of its game nothing stays."""
    with django_db_blocker.unblock(), world():
        people = [Account.objects.create_user(f"{name}@example.org", name=name) for name in NAMES]
        return records.export_record(finished(people, request.param))


@pytest.fixture
def page(visit: Visit) -> Page:
    """Open the page from the disk, without a server."""
    kaveh = visit(f"file://{FOLDER}", offline=True)
    kaveh.go("/verify.html")
    return kaveh.page


def test_the_known_answers_are_those_of_the_engine() -> None:
    assert FILE.read_text() == vectors_text()
    assert len(VECTORS) == 100


def test_the_program_gives_the_known_answers() -> None:
    for vector in VECTORS:
        match vector["of"]:
            case "commitment":
                answer = verify["commitment"](vector["game"], vector["seed"])
            case "draw":
                players, number = vector["players"], vector["number"]
                answer = verify["draw"](vector["seed"], vector["game"], players, number, vector["bound"])
            case _:
                line = vector["line"]
                answer = verify["leaf"](vector["seed"], line["number"], verify["canonical"](line))
        assert answer == vector["answer"], vector


def test_the_page_gives_the_known_answers(page: Page) -> None:
    answers = page.evaluate(
        """vectors => Promise.all(vectors.map(known => ({
            commitment: () => commitment(known.game, known.seed),
            draw: () => draw(known.seed, known.game, known.players, known.number, known.bound),
            leaf: () => leaf(known.seed, known.line.number, canonical(known.line)),
        })[known.of]()))""",
        VECTORS,
    )
    assert answers == [vector["answer"] for vector in VECTORS]


def test_the_verifiers_are_short_enough_to_be_read() -> None:
    for name in ("verify.py", "verify.html"):
        assert len((FOLDER / name).read_text().splitlines()) <= 500


def test_forged_records_are_refused_by_the_program(record: Record, tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    for forged in forgeries(record, 25 * SCALE, seed=3):
        path.write_text(json.dumps(forged, ensure_ascii=False))
        assert verify["main"]([str(path)]) == 1, forged


def test_forged_records_are_refused_by_the_page(record: Record, page: Page) -> None:
    forged = [json.dumps(forgery, ensure_ascii=False) for forgery in forgeries(record, 25 * SCALE, seed=5)]
    assert [text for text, faults in zip(forged, found_by(page, forged), strict=True) if not faults] == []


def test_what_is_forged_with_the_seed_at_hand_is_refused_by_the_program(record: Record, tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    for forge in CRAFTED:
        path.write_text(json.dumps(crafted(record, forge), ensure_ascii=False))
        assert verify["main"]([str(path)]) == 1, forge
    for forge in AGAINST_THE_RULES:
        path.write_text(json.dumps(crafted(record, forge), ensure_ascii=False))
        assert verify["main"]([str(path), "--engine", str(FOLDER.parent.parent.parent)]) == 1, forge


def test_what_is_forged_with_the_seed_at_hand_is_refused_by_the_page(record: Record, page: Page) -> None:
    forged = [json.dumps(crafted(record, forge), ensure_ascii=False) for forge in CRAFTED]
    assert all(found_by(page, forged))


def test_what_is_written_in_two_ways_is_refused_by_both(record: Record, page: Page, tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    for how in MISWRITTEN:
        path.write_text(miswritten(record, how))
        assert verify["main"]([str(path)]) == 1, how
    assert all(found_by(page, [miswritten(record, how) for how in MISWRITTEN]))


def found_by(page: Page, texts: list[str]) -> list[list[str]]:
    """Return the errors that the page shows for each of these records."""
    return page.evaluate("texts => Promise.all(texts.map(async text => (await check(text)).problems))", texts)


def test_a_head_from_a_mail_is_found_in_the_log_it_binds_and_in_no_other(
    record: Record, page: Page, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    path = tmp_path / "record.json"
    path.write_bytes(dump(record))
    *_, before, last = verify["heads"](json.loads(dump(record)))
    assert verify["main"]([str(path), "--head", before.upper(), "--head", last]) == UNPROVEN
    assert f"TRUE: events 1 to {len(record.events)}: " in (text := capsys.readouterr().out)
    assert ", and who won: no head" not in text
    assert verify["main"]([str(path), "--head", before, "--head", "ab" * 32]) == 1
    assert f"the head {'ab' * 32} is not of this log" in capsys.readouterr().out
    assert verify["main"]([str(path), "--commitment", record.commitment]) == UNPROVEN
    assert "TRUE: the server's seed: " in (text := capsys.readouterr().out)
    assert f"NOT CHECKED: events 1 to {len(record.events)}, and who won: " in text
    assert verify["main"]([str(path), "--commitment", "ab" * 32]) == 1
    page.set_input_files("#file", path)
    page.get_by_text(f"NOT CHECKED: events 1 to {len(record.events)}, and who won").wait_for()
    page.fill("#known", f"{before.upper()}\n{record.commitment}")
    page.locator("#known").blur()
    page.get_by_text(f"TRUE: events 1 to {len(record.events) - 1}: ").wait_for()
    page.get_by_text(f"NOT CHECKED: events {len(record.events)} to {len(record.events)}, and who won").wait_for()
    page.fill("#known", f"{before.upper()}\n{'ab' * 32}")
    page.locator("#known").blur()
    page.get_by_text(f"{'ab' * 32} is no head of this log or of its deal").wait_for()
    assert page.locator("#faults li").count() == 1


def test_a_record_is_true_where_a_bot_took_a_seat_over(
    page: Page, maryam: Account, sepideh: Account, bahareh: Account, tmp_path: Path
) -> None:
    game = begun([maryam, sepideh, bahareh])
    replace_with_bot(game.id, bahareh, NOON)
    path = tmp_path / "record.json"
    path.write_bytes(dump(records.export_record(play_out(game))))
    assert verify["main"]([str(path)]) == UNPROVEN
    assert found_by(page, [path.read_text()]) == [[]]


def test_a_record_without_anything_from_outside_is_never_called_true(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    path = tmp_path / "record.json"
    path.write_bytes(dump(record))
    assert verify["main"]([str(path)]) == UNPROVEN
    assert "NOT CHECKED: the server's seed" in (text := capsys.readouterr().out)
    assert "TRUE" not in text


def test_a_whole_other_log_by_the_operator_is_found_with_a_head_and_unproven_without(
    record: Record, page: Page, tmp_path: Path
) -> None:
    middle = record.events[-1].number // 2
    head = verify["heads"](json.loads(dump(record)))[middle - 1]
    forged = crafted(record, _later_by_a_day)
    path = tmp_path / "record.json"
    path.write_text(json.dumps(forged, ensure_ascii=False))
    assert verify["main"]([str(path)]) == UNPROVEN
    assert verify["main"]([str(path), "--head", head]) == 1
    assert page.evaluate(
        "([text, head]) => check(text, [head]).then(({ problems }) => problems)", [path.read_text(), head]
    )


def _later_by_a_day(forged: dict[str, Any]) -> None:
    """Rewrite the times of the whole log, as nothing but the server's word binds them."""
    for line in forged["events"]:
        line["at"] = f"{line['at'][:2]}9{line['at'][3:]}"


@pytest.mark.slow
def test_an_engine_that_cannot_be_loaded_is_named_in_a_sentence(record: Record, tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_bytes(dump(record))
    command = [sys.executable, "-S", FOLDER / "verify.py", path, "--engine", FOLDER.parents[2]]
    completed = subprocess.run(command, capture_output=True, text=True, check=False)
    assert completed.returncode == 2
    assert "needs the Python of its own .venv" in completed.stderr
    assert "Traceback" not in completed.stderr


def test_a_person_chooses_a_record_and_reads_that_it_is_consistent(record: Record, page: Page, tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_bytes(dump(record))
    page.set_input_files("#file", path)
    page.get_by_text("This record is consistent.").wait_for()
    assert page.locator("#head").inner_text() == record.head
    forged = tmp_path / "forged.json"
    forged.write_bytes(dump(record).replace(b'"via": "api"', b'"via": "mail"', 1))
    page.set_input_files("#file", forged)
    page.get_by_text("FALSE: this record is not what it says.").wait_for()
    assert "the log is not the one that its head was made of" in page.locator("#faults").inner_text()
