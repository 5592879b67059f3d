"""The arena: it goes on where it was stopped, and its tables say how many games stand behind them."""

from pathlib import Path

import pytest

from bench.arena import __main__ as arena
from bench.arena import tables
from bench.arena.archetypes import ARCHETYPES
from bench.arena.matches import MIXTURE, Game, Match, Tally, matches


@pytest.mark.parametrize("rival", [*ARCHETYPES, MIXTURE])
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
    assert sum(each.games for each in again.values()) > sum(each.games for each in first.values())
    counts = [each.games for each in again.values()]
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
    written = path.read_text()
    assert written.startswith("before\n")
    assert written.endswith("after\n")
    assert "| honest | 75 (60 to 86; 40) |" in written
    assert "old" not in written
    assert "43 games were played" in written
    assert "50.0 ms, 2.3 MB" in written
    assert "saver" not in written, "three games say nothing"


def test_higher_levels_meet_lower_ones() -> None:
    met = {(match.level, match.rival) for match in matches([4], ["classic"])}
    assert ("master", "strong") in met
    assert ("strong", "master") not in met
