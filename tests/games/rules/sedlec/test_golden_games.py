"""The golden games: whole games that a person can read and score, re-run line by line."""

from pathlib import Path

import pytest

from tests.games.rules.golden import files, played

FILES = files("sedlec")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_game_is_played_as_it_is_written(file: Path):
    text = file.read_text(encoding="utf-8")
    assert played(text) == text


def test_there_is_a_golden_game_for_each_number_of_players_and_it_ends():
    texts = [file.read_text(encoding="utf-8") for file in FILES]
    for seats in (2, 3):
        assert any(
            f"seats: {seats}\n" in text and "outcome: " in text and "outcome: open" not in text for text in texts
        )


def test_a_golden_game_whose_draws_are_left_over_is_refused():
    with pytest.raises(ValueError, match="draws left over"):
        played(FILES[0].read_text(encoding="utf-8") + "chance: 4\n")


def test_a_golden_game_in_which_a_seat_moves_that_is_not_asked_is_refused():
    text = FILES[0].read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="is not asked"):
        played(text.replace("setup\n", "setup\n2 collect 1\n", 1).replace("starting_player=previous_winner", ""))
