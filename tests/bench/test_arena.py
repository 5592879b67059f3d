"""Tests of the arena: a new run continues the former one, and the tables show their numbers of games."""

import json
import sys
from collections.abc import Sequence
from math import log10
from pathlib import Path
from typing import Any

import pytest

from bench.arena import __main__ as arena
from bench.arena import tables
from bench.arena.archetypes import ARCHETYPES
from bench.arena.matches import MIXTURE, Game, Match, Tally, matches
from bench.arena.outside import OutsideBot
from bench.arena.ratings import MIDDLE, Result, ratings
from games.engine import Chance, Event, Question
from games.rules.coup.state import State
from tests.examples import for_each


@for_each("rival", [*ARCHETYPES, MIXTURE])
def test_every_archetype_plays_to_the_end(rival: str) -> None:
    tally = Tally()
    Game(Match("easy", rival, 3, "classic"), 0, tally).play()
    assert (tally.games, tally.won in (0, 1)) == (1, True)
    assert tally.memory > 0


def test_the_arena_ends_when_every_match_has_the_games_that_were_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "results.json"
    command = f"arena --games 2 --sizes 3 --sets classic --levels easy --rivals random mixture --results {path}"
    monkeypatch.setattr("sys.argv", command.split())
    results = arena.run(arena.arguments())
    assert [tally.games for tally in results.values()] == [2, 2]
    monkeypatch.setattr("sys.argv", command.replace("--games 2", "--games 1").split())
    assert [tally.games for tally in arena.run(arena.arguments()).values()] == [2, 2], "there are as many already"
    assert all(tally.answers > 0 for tally in results.values())


def test_the_arena_keeps_its_results_and_goes_on_with_what_has_the_fewest_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "results.json"
    command = f"arena --hours 0.0002 --sizes 3 --sets classic --levels easy --rivals random saver --results {path}"
    monkeypatch.setattr("sys.argv", command.split())
    first = arena.run(arena.arguments())
    again = arena.run(arena.arguments())
    assert sum(tally.games for tally in again.values()) > sum(tally.games for tally in first.values())
    counts = [tally.games for tally in again.values()]
    assert max(counts) - min(counts) <= 1


def test_the_tables_of_this_version_of_the_bots_stand_between_the_marks(tmp_path: Path) -> None:
    path = tmp_path / "bots.md"
    path.write_text(f"before\n{tables.BEGIN}old\n{tables.END}after\n")
    match = Match("strong", "honest", 4, "classic")
    of_another_version = Tally(games=7, won=7.0)
    tables.write(
        {
            match.key: Tally(games=40, won=30.0, answers=2, thought=0.1, memory=2_300_000),
            Match("easy", "saver", 4, "classic").key: Tally(games=3, won=1.0),
            f"{match} / 99": of_another_version,
        },
        path,
    )
    text = path.read_text()
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "| honest | 75 (60 to 86; 40) |" in text
    assert "old" not in text
    assert "43 games were played" in text
    assert "50.0 ms, 2.3 MB" in text
    assert "saver" not in text, "three games say nothing"


def test_higher_levels_meet_lower_ones() -> None:
    met = {(match.level, match.rival) for match in matches([4], ["classic"])}
    assert ("master", "strong") in met
    assert ("strong", "master") not in met


def test_who_wins_as_many_games_as_a_normal_bot_would_is_rated_as_one() -> None:
    rated = ratings([Result("mine", "normal", rivals=3, games=400, won=100.0)])
    assert rated["mine"].value == pytest.approx(MIDDLE)
    assert (rated["normal"].value, rated["normal"].width) == (MIDDLE, 0)


def test_a_rating_of_400_more_is_ten_games_won_to_one_whoever_stands_between() -> None:
    chain = [Result("mine", "theirs", rivals=1, games=11_000, won=10_000.0)]
    chain += [Result("theirs", "normal", rivals=1, games=11_000, won=10_000.0)]
    rated = ratings(chain)
    assert rated["theirs"].value == pytest.approx(MIDDLE + 400, abs=1)
    assert rated["mine"].value == pytest.approx(MIDDLE + 800, abs=2)
    assert rated["mine"].width > rated["theirs"].width, "two errors add up"


def test_the_width_of_a_rating_follows_from_the_number_of_games_and_grows_where_results_contradict_each_other() -> None:
    rating = ratings([Result("mine", "normal", 1, 400, 300.0)])["mine"]
    assert rating.value == pytest.approx(MIDDLE + 400 * log10(3), abs=1)
    assert rating.width == pytest.approx(1.96 * 173.7 / (400 * 0.75 * 0.25) ** 0.5, abs=0.5)
    circle = [Result("a", "b", 1, 100, 90.0), Result("b", "normal", 1, 100, 90.0), Result("normal", "a", 1, 100, 90.0)]
    agreed = [*circle[:2], Result("normal", "a", 1, 100, 1.0)]
    assert ratings(circle)["a"].value == pytest.approx(MIDDLE, abs=1)
    assert ratings(circle)["a"].width > 3 * ratings(agreed)["a"].width


def test_who_won_all_games_is_rated_above_who_won_most() -> None:
    rated = ratings([Result("all", "normal", 3, 24, 24.0), Result("most", "normal", 3, 24, 22.0)])
    assert MIDDLE < rated["most"].value < rated["all"].value < MIDDLE + 1500


def test_the_tables_rate_a_normal_bot_as_the_level_that_it_is() -> None:
    cells = {
        ("master", "normal bot", "4", "classic"): Tally(400, 250.0),
        ("normal", "saver", "4", "classic"): Tally(40, 20),
    }
    lines = tables.rated(cells).splitlines()[-3:]
    assert [line.split(" | ")[0] for line in lines] == ["| master", "| normal", "| saver"]
    assert lines[1] == "| normal | 1500 |"


FIRST_MOVE = """
import json, sys
with open(sys.argv[1], "a") as heard:
    for line in sys.stdin:
        heard.write(line)
        print(json.loads(line)["question"]["moves"][0]["text"], flush=True)
"""


@pytest.mark.slow
def test_a_program_from_outside_plays_and_is_told_only_what_its_seat_may_know(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, heard_file, results = tmp_path / "bot.py", tmp_path / "heard", tmp_path / "results.json"
    program.write_text(FIRST_MOVE)
    command = ["arena", *f"--games 2 --sizes 3 --sets classic --rivals easy saver --results {results} --levels".split()]
    monkeypatch.setattr("sys.argv", [*command, "--outside", f"mine={sys.executable} {program} {heard_file}"])
    options = arena.arguments()
    played = arena.run(options)
    assert [tally.games for tally in played.values()] == [2, 2]
    assert options.outside[0].process.returncode is not None, "it was ended"
    lines = [json.loads(line) for line in heard_file.read_text().splitlines()]
    assert {line["game"] for line in lines} == {1, 2, 3, 4}
    assert all(line["view"]["viewer"] == line["seat"] for line in lines)
    deals = [event for line in lines for event in line["events"] if event["type"] == "dealt"]
    assert len(deals) == 3 * 4, "each event is told once"
    first = {line["game"]: line for line in reversed(lines)}.values()
    for line in first:
        dealt_cards = {event["seat"]: event["cards"] for event in line["events"] if event["type"] == "dealt"}
        assert None not in dealt_cards.pop(line["seat"])
        assert all(set(cards) == {None} for cards in dealt_cards.values())
    assert "| rivals | mine |" in tables.tables({Match("mine", "saver", 3, "classic").key: Tally(games=40, won=30.0)})


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        (
            "print('steal the crown')",
            r"mine \(.*\) answered 'steal the crown' to a question \(turn of seat 1.*income, ",
        ),
        ("import time; time.sleep(60)", "gave no answer in 0.3 seconds"),
        ("raise SystemExit(7)", "ended with status 7"),
    ],
)
@pytest.mark.slow
def test_a_program_from_outside_that_fails_ends_the_arena_with_what_was_wrong(program: str, sentence: str) -> None:
    with OutsideBot("mine", f'{sys.executable} -c "{program}"', seconds=0.3 if "sleep" in program else 20) as bot:
        game = Game(Match("mine", "saver", 3, "classic"), 0, Tally(), {"mine": bot.play})
        with pytest.raises(SystemExit, match=sentence):
            game.play()
    assert bot.process.returncode is not None


def test_programs_from_outside_and_levels_meet_each_other() -> None:
    met = {(match.level, match.rival) for match in matches([4], ["classic"], ["mine", "yours"])}
    assert {("mine", "yours"), ("yours", "mine"), ("mine", "master"), ("easy", "mine")} <= met
    assert ("mine", "mine") not in met
    noted = []

    def play(state: State, question: Question, moves: Sequence[Any], chance: Chance, log: Sequence[Event]) -> Any:
        noted.append(question.seat)
        return moves[0]

    Game(Match("easy", "mine", 3, "classic"), 0, Tally(), {"mine": play}).play()
    assert {*noted} == {2, 3}


@pytest.mark.slow
def test_an_arena_without_players_and_programs_that_are_not_there_are_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["arena", "--levels"])
    with pytest.raises(SystemExit):
        arena.arguments()
    assert "no bot plays: name --levels, or a bot with --outside" in capsys.readouterr().err
    with (
        pytest.raises(SystemExit, match="mine: 'no-such-program' cannot be started"),
        OutsideBot("mine", "no-such-program"),
    ):
        pass
    for text in ("mine", "=python3 bot.py", "master=python3 bot.py", "mine="):
        with pytest.raises(arena.argparse.ArgumentTypeError, match="is not NAME=COMMAND"):
            arena.outside_bot(text)
