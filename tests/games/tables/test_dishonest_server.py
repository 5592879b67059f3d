"""A server that cheats: what a program that promised a seed refuses, and what ``verify.py`` finds afterwards."""

import copy
import json
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from darbar_client import DealRefused, Promises

from accounts.models import Account
from games.api.shared.serializers import GAMES
from games.archive import game_audit, records
from games.engine import chain
from games.engine.chain import deal_head
from games.engine.record import dump
from games.models import Game
from games.refusals import Refusal
from games.tables import starting
from games.tables.joining import join_game, leave_game, vacate
from games.tables.new_game import NewGame, Seeding
from games.tables.starting import PATIENCE, create_game, reveal_seed
from tests.games.finished import play_out
from tests.third_game.table import NOON, fresh

pytestmark = pytest.mark.django_db
UNPROVEN: Final = 3
verify: dict[str, Any] = runpy.run_path(
    str(Path(__file__).parents[3] / "games/static/games/verify.py"), run_name="verify"
)


@pytest.fixture
def promises(tmp_path: Path) -> Promises:
    return Promises(tmp_path / "promises.json")


@pytest.fixture
def table(maryam: Account, bahareh: Account, promises: Promises) -> Game:
    """A table of three at which Bahareh has promised a seed and one seat is free."""
    game = create_game(maryam, NewGame(rules="coup", seat_count=3), "api", NOON)
    return join_game(game.id, bahareh, "", "api", NOON, Seeding(commitment=promises.make()))


@pytest.fixture
def full(table: Game, dariush: Account) -> Game:
    return fresh(join_game(table.id, dariush, "", "api", NOON))


def list_of_deal(game: Game, seat: int = 2) -> Any:
    """The game as the API shows it to the player on this seat."""
    row = fresh(game)
    row.own_seat = seat
    return json.loads(json.dumps(GAMES.to_representation(row), default=str))


def changed_answer(game: Any, change: Callable[[Any], None]) -> Any:
    """Return the game with a different list of the deal and its matching head."""
    lie = copy.deepcopy(game)
    listed = json.loads(lie["deal_list"])
    change(listed)
    lie["deal_list"] = chain.canonical(listed).decode()
    lie["deal_head"] = deal_head(lie["deal_list"])
    return lie


def checked(record: Any, tmp_path: Path, *arguments: str) -> int:
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record))
    return int(verify["main"]([str(file), *arguments]))


def record_of(game: Game) -> Any:
    return json.loads(dump(records.export_record(play_out(fresh(game)))))


def deal_line(output: str) -> str:
    """Return the line about the deal."""
    return next(line for line in output.splitlines() if ": the deal" in line)


def test_an_honest_list_is_kept_and_then_the_seed_is_revealed_and_proves_the_deal(
    full: Game, bahareh: Account, promises: Promises, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = promises.checked(list_of_deal(full))
    assert body is not None
    assert body["head"] == full.deal_head
    assert promises.checked(list_of_deal(full)) == body, "the second look"
    reveal_seed(full.id, bahareh, body["seed"], body["head"], "api", NOON)
    assert promises.checked(list_of_deal(full)) is None, "there is nothing left to reveal"
    record = record_of(full)
    (head,) = Promises(tmp_path / "promises.json").heads(str(full.id))
    checked(record, tmp_path, "--deal-head", head, "--head", record["head"])
    assert deal_line(capsys.readouterr().out).startswith("TRUE: the deal")
    checked(record, tmp_path, "--head", record["head"])
    text = deal_line(capsys.readouterr().out)
    assert text.startswith("NOT CHECKED: the deal: give --deal-head")
    assert "the email that asked for your seed names it" in text


def test_a_server_that_asks_before_the_table_is_full_gets_nothing(
    table: Game, bahareh: Account, promises: Promises
) -> None:
    early = list_of_deal(table)
    assert promises.checked(early) is None, "the table is open"
    early["state"] = "starting"
    with pytest.raises(DealRefused):
        promises.checked(early)
    with pytest.raises(Refusal):
        reveal_seed(table.id, bahareh, "5e" * 32, "", "api", NOON)


def leave_out(listed: Any) -> None:
    del listed["seats"][2]


def swap_promise(listed: Any) -> None:
    listed["seats"][1]["seed_commitment"] = "ab" * 32


def swap_seats(listed: Any) -> None:
    one, two = listed["seats"][:2]
    one["seed_commitment"], two["seed_commitment"] = two["seed_commitment"], one["seed_commitment"]
    one["seed"], two["seed"] = two["seed"], one["seed"]


def open_seat(listed: Any) -> None:
    listed["seats"][0]["seed"] = ""


def other_game(listed: Any) -> None:
    listed["game"] = "6f1f5f8e-0000-4000-8000-000000000000"


def other_seed(listed: Any) -> None:
    listed["commitment"] = "ab" * 32


def later_round(listed: Any) -> None:
    listed["round"] = 7


LIES: Final = (leave_out, swap_promise, swap_seats, open_seat, other_game, other_seed, later_round)


@pytest.mark.parametrize("lie", LIES)
def test_a_list_that_is_not_whole_is_refused(full: Game, promises: Promises, lie: Callable[[Any], None]) -> None:
    with pytest.raises(DealRefused):
        promises.checked(changed_answer(list_of_deal(full), lie))


def test_a_list_whose_head_is_another_is_refused(full: Game, promises: Promises) -> None:
    with pytest.raises(DealRefused, match="the head is not that of the list"):
        promises.checked({**list_of_deal(full), "deal_head": "ab" * 32})


def test_a_list_that_changes_after_it_was_kept_is_refused(full: Game, promises: Promises, tmp_path: Path) -> None:
    assert promises.checked(list_of_deal(full)) is not None

    def other_operator_seed(listed: Any) -> None:
        listed["seats"][2]["seed"] = "07" * 32

    for keeper in (promises, Promises(tmp_path / "promises.json")):
        with pytest.raises(DealRefused, match="has changed"):
            keeper.checked(changed_answer(list_of_deal(full), other_operator_seed))


def test_a_promise_of_one_game_is_not_revealed_in_another(full: Game, promises: Promises) -> None:
    promises.checked(list_of_deal(full))
    elsewhere = {**list_of_deal(full), "id": "6f1f5f8e-0000-4000-8000-000000000000"}
    with pytest.raises(DealRefused, match="promised in another game"):
        promises.checked(changed_answer(elsewhere, other_game))


def test_nobody_joins_or_leaves_once_the_list_is_fixed(full: Game, sepideh: Account, bahareh: Account) -> None:
    for act in (
        lambda: join_game(full.id, sepideh, "", "api", NOON, Seeding(seed="07" * 32)),
        lambda: leave_game(full.id, bahareh, "api", NOON),
    ):
        with pytest.raises(Refusal):
            act()
    assert fresh(full).deal_list == full.deal_list


def test_two_lists_for_two_people_are_found_by_the_one_whose_list_was_not_played(
    full: Game, bahareh: Account, promises: Promises, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = promises.checked(list_of_deal(full))
    assert body is not None
    reveal_seed(full.id, bahareh, body["seed"], body["head"], "api", NOON)
    record = record_of(full)

    def other_operator_seed(listed: Any) -> None:
        listed["seats"][2]["seed"] = "07" * 32

    shown_to_maryam = changed_answer(list_of_deal(full), other_operator_seed)["deal_head"]
    assert checked(record, tmp_path, "--deal-head", shown_to_maryam) == 1
    assert "you were shown another list of the deal" in capsys.readouterr().out


def sealed(record: Any) -> Any:
    """The record with the heads that its own operator can make: of the list of the deal and of the log."""
    heads = verify["deal_heads"](record)
    for line in record["events"]:
        if line["event"]["type"] == "table.deal-listed":
            line["event"]["head"] = heads[0]
    for number, line in enumerate(record["events"], start=1):
        line["number"] = number
    record["head"] = verify["heads"](record)[-1]
    return record


def with_late_joiner(record: Any) -> None:
    """The operator joins after the seed of Bahareh was revealed."""
    joined = [line for line in record["events"] if line["event"]["type"] == "table.joined"][-1]
    record["events"].remove(joined)
    at = next(number for number, line in enumerate(record["events"]) if line["event"]["type"] == "table.seed-revealed")
    record["events"].insert(at + 1, joined)


def with_early_reveal(record: Any) -> None:
    """The seed was revealed before the list was fixed."""
    revealed = next(line for line in record["events"] if line["event"]["type"] == "table.seed-revealed")
    record["events"].remove(revealed)
    at = next(number for number, line in enumerate(record["events"]) if line["event"]["type"] == "table.deal-listed")
    record["events"].insert(at, revealed)


def without_list(record: Any) -> None:
    record["events"] = [line for line in record["events"] if line["event"]["type"] != "table.deal-listed"]


def with_list_twice(record: Any) -> None:
    at = next(number for number, line in enumerate(record["events"]) if line["event"]["type"] == "table.deal-listed")
    record["events"].insert(at, copy.deepcopy(record["events"][at]))


def with_another_seed(record: Any) -> None:
    """The operator changes the seed of the last seat, which was in the list that Bahareh kept."""
    joined = [line["event"] for line in record["events"] if line["event"]["type"] == "table.joined"][-1]
    joined["seed"] = record["seats"][2]["seed"] = "07" * 32


FORGED: Final = (with_late_joiner, with_early_reveal, without_list, with_list_twice, with_another_seed)


@pytest.mark.parametrize("forge", FORGED)
def test_a_record_of_a_deal_that_was_not_fixed_in_the_kept_list_is_false(
    full: Game, bahareh: Account, promises: Promises, tmp_path: Path, forge: Callable[[Any], None]
) -> None:
    body = promises.checked(list_of_deal(full))
    assert body is not None
    reveal_seed(full.id, bahareh, body["seed"], body["head"], "api", NOON)
    record = record_of(full)
    forge(record)
    assert checked(sealed(record), tmp_path, "--deal-head", body["head"]) == 1


def test_a_seed_that_was_not_revealed_proves_nothing_about_the_deal(
    full: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    starting.sweep(NOON + PATIENCE)
    record = record_of(full)
    assert record["trust"].startswith("The promised seeds of these seats were not revealed: 2.")
    assert checked(record, tmp_path, "--deal-head", full.deal_head, "--head", record["head"]) == UNPROVEN
    assert deal_line(capsys.readouterr().out).startswith(
        "NOT CHECKED: the deal: promised seeds were not revealed, by seats 2"
    )
    record["terms"]["unprotected"] = "cancel"
    record["events"][0]["event"]["terms"]["unprotected"] = "cancel"
    assert checked(sealed(record), tmp_path) == 1
    assert "the game was to be cancelled, as the promised seed of seat 2 was not revealed" in capsys.readouterr().out


def test_a_player_who_leaves_the_server_to_keep_their_seed_back_is_named(
    maryam: Account, bahareh: Account, dariush: Account
) -> None:
    game = create_game(
        maryam, NewGame(rules="coup", seat_count=3, unprotected="cancel", seed_commitment="ab" * 32), "api", NOON
    )
    seed = "5e" * 32
    join_game(game.id, bahareh, "", "api", NOON, Seeding(commitment=chain.seed_commitment(seed)))
    game = join_game(game.id, dariush, "", "api", NOON)
    vacate(maryam, NOON)
    game = reveal_seed(game.id, bahareh, seed, game.deal_head, "api", NOON)
    assert game.state == Game.State.CANCELLED
    assert game_audit.find_faults(fresh(game)) == []


@pytest.mark.parametrize("change", [{"deal_list": ""}, {"deal_list": "{}"}])
def test_the_check_of_the_server_finds_another_list(full: Game, change: dict[str, str]) -> None:
    Game.objects.filter(pk=full.pk).update(**change)
    assert "the list of the deal is not that of the log" in game_audit.find_faults(fresh(full))
