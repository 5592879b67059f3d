"""The golden games: whole games that a person can read and check against the rules, re-run line by line."""

import re
from pathlib import Path

import pytest

from games.engine import SPECTATOR
from games.rules.coup import RULES
from tests.games.rules.golden import Playthrough, files, played

FILES = files("coup")
MOVE = re.compile(r"\d+ \w", re.MULTILINE)
COINS = re.compile(r"Coins ([\d ]*\d)(?:, (treasury|reserve) (\d+))?")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_game_is_played_as_it_is_written(file: Path):
    text = file.read_text(encoding="utf-8")
    assert played(text) == text


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_coins_that_its_comments_count_are_there(file: Path):
    playthrough, counted = Playthrough(), 0
    for line in playthrough.lines(file.read_text(encoding="utf-8")):
        if line.startswith("#") and (match := COINS.search(line)):
            view = RULES.view(playthrough.state, SPECTATOR)
            assert " ".join(str(seat.coins) for seat in view.seats) == match[1], line
            if match[2]:
                assert getattr(view, match[2]) == int(match[3]), line
            counted += 1
    assert counted >= 4


def test_the_worked_example_is_the_first_of_them():
    text = next(file for file in FILES if file.stem == "worked_example").read_text(encoding="utf-8")
    assert len(COINS.findall(text)) == 9
    assert "outcome: open" in text


@pytest.mark.parametrize("option", ["reformation=true", "inquisitor=true", "anarchist=true"])
def test_there_is_one_for_each_expansion_and_one_with_everything_on_at_ten(option):
    texts = [file.read_text(encoding="utf-8") for file in FILES]
    assert any(option in text and text.count("=true") == 1 for text in texts)
    assert any(option in text and "seats: 10" in text for text in texts)


def test_the_golden_games_have_many_moves_beside_the_worked_example():
    moves = [
        line
        for file in FILES
        if file.stem != "worked_example"
        for line in file.read_text(encoding="utf-8").splitlines()
        if MOVE.match(line)
    ]
    assert len(moves) >= 40
