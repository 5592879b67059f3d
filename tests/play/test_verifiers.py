"""The two verifiers that need nothing of ours: the program and the page, on true records and on forged ones."""

import json
import runpy
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from accounts.models import Account
from games.engine.record import Record, dump
from games.play import archive
from tests.browser import Visit
from tests.forging import forgeries
from tests.long import SCALE
from tests.play.finished import finished
from tests.vectors import FILE, written

FOLDER = Path(__file__).parent.parent.parent / "games/static/games"
VECTORS: list[dict[str, Any]] = json.loads(FILE.read_text())
verify = runpy.run_path(str(FOLDER / "verify.py"), run_name="verify")


@pytest.fixture(params=["coup", "sedlec"])
def record(request: pytest.FixtureRequest, db: None, maryam: Account, sepideh: Account, bahareh: Account) -> Record:
    return archive.written(finished([maryam, sepideh, bahareh], request.param))


@pytest.fixture
def page(visit: Visit) -> Page:
    """The page as it is opened from a disk, without any server."""
    kaveh = visit(f"file://{FOLDER}", offline=True)
    kaveh.go("/verify.html")
    return kaveh.page


def test_the_known_answers_are_those_of_the_engine() -> None:
    assert FILE.read_text() == written()
    assert len(VECTORS) == 100


def test_the_program_gives_the_known_answers() -> None:
    for known in VECTORS:
        match known["of"]:
            case "commitment":
                answer = verify["commitment"](known["game"], known["seed"])
            case "draw":
                players, number = known["players"], known["number"]
                answer = verify["draw"](known["seed"], known["game"], players, number, known["bound"])
            case _:
                line = known["line"]
                answer = verify["leaf"](known["seed"], line["number"], verify["canonical"](line))
        assert answer == known["answer"], known


def test_the_page_gives_the_known_answers(page: Page) -> None:
    answers = page.evaluate(
        """vectors => Promise.all(vectors.map(known => ({
            commitment: () => commitment(known.game, known.seed),
            draw: () => draw(known.seed, known.game, known.players, known.number, known.bound),
            leaf: () => leaf(known.seed, known.line.number, canonical(known.line)),
        })[known.of]()))""",
        VECTORS,
    )
    assert answers == [known["answer"] for known in VECTORS]


def test_the_verifiers_are_short_enough_to_be_read() -> None:
    for name in ("verify.py", "verify.html"):
        assert len((FOLDER / name).read_text().splitlines()) < 200


def test_forged_records_are_refused_by_the_program(record: Record, tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    for forged in forgeries(record, 25 * SCALE, seed=3):
        path.write_text(json.dumps(forged))
        assert verify["main"]([str(path)]) == 1, forged


def test_forged_records_are_refused_by_the_page(record: Record, page: Page) -> None:
    forged = [json.dumps(each) for each in forgeries(record, 25 * SCALE, seed=5)]
    said = page.evaluate("texts => Promise.all(texts.map(async text => (await check(text)).found.length))", forged)
    assert [text for text, faults in zip(forged, said, strict=True) if not faults] == []


def test_a_person_chooses_a_record_and_reads_that_it_is_true(record: Record, page: Page, tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_bytes(dump(record))
    page.set_input_files("#file", path)
    page.get_by_text("every draw follows from the seeds.").wait_for()
    assert page.locator("#head").inner_text() == record.head
    forged = tmp_path / "forged.json"
    forged.write_bytes(dump(record).replace(b'"via": "api"', b'"via": "mail"', 1))
    page.set_input_files("#file", forged)
    page.get_by_text("This record is false.").wait_for()
    assert "the log is not the one that its head was made of" in page.locator("#faults").inner_text()
