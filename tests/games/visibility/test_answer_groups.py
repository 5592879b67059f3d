"""The answers to a question as a page offers them: what differs in one thing alone stands in one row."""

from collections.abc import Iterator

import pytest
from django.utils.translation import override

from games.engine import EVERYONE, SeatNumber
from games.phrases import render_phrase
from games.rules.coup import RULES as COUP
from games.rules.sedlec import RULES as SEDLEC
from games.visibility.words import Group, group_answers
from tests.games.rules.coup import random_play as coup_play
from tests.games.rules.coup.table import Table
from tests.games.rules.sedlec import random_play as sedlec_play
from tests.third_game import fist

NAMES = {SeatNumber(1): "Maryam", SeatNumber(2): "سپیده", SeatNumber(3): "Bahareh", SeatNumber(4): "Kaveh"}


def groups(table: Table) -> list[Group]:
    """The answers to the question that is open."""
    (question,) = COUP.questions(table.state)
    return list(group_answers(COUP, table.state, question, NAMES))


def test_moves_against_different_players_are_one_row_and_the_others_stand_alone() -> None:
    answer_groups = groups(Table(4))
    steal = next(group for group in answer_groups if "Steal" in group.heading)
    assert steal.heading == "Steal from … with the captain"
    assert [choice.short.strip("\u2066\u2067\u2069") for choice in steal.choices] == ["سپیده", "Bahareh", "Kaveh"]
    assert [choice.notation for choice in steal.choices] == ["steal 2", "steal 3", "steal 4"]
    assert [choice.places for choice in steal.choices] == ["seat-2", "seat-3", "seat-4"]
    alone = [group.choices[0].label for group in answer_groups if not group.heading]
    assert "Take income: 1 coin" in alone


def test_rows_speak_persian_to_a_persian_reader() -> None:
    with override("fa"):
        headings = [group.heading for group in groups(Table(4)) if group.heading]
    assert headings
    assert not [heading for heading in headings if "Steal" in heading]


def test_piles_of_sedlec_are_places_of_its_picture() -> None:
    state = next(state for _, state in sedlec_play.RandomGame(1, 3).steps() if SEDLEC.questions(state))
    (question,) = SEDLEC.questions(state)
    answer_groups = group_answers(SEDLEC, state, question, NAMES)
    dig = next(choice for group in answer_groups for choice in group.choices if choice.notation == "dig 1 2")
    assert dig.places == "pile-1 pile-2"
    assert 'data-place="pile-1"' in str(SEDLEC.picture(SEDLEC.view(state, EVERYONE), Speaker()))


def test_cards_of_the_own_hand_are_places_of_the_picture() -> None:
    table = Table(3, ["duke captain", "duke"]).play("1 income", "2 tax", "1 challenge", "rest allow")
    table.will_draw("contessa").play("2 prove")
    (question,) = table.questions()
    answer_groups = group_answers(COUP, table.state, question, NAMES)
    assert [choice.places for group in answer_groups for choice in group.choices] == ["hand-captain", "hand-duke"]
    own_picture, other_picture = (str(COUP.picture(COUP.view(table.state, seat), Speaker())) for seat in (1, 3))
    for card in ("captain", "duke"):
        assert f'data-place="hand-{card}"' in own_picture
        assert f'data-place="hand-{card}"' not in other_picture


class Speaker:
    """A reader of English."""

    right_to_left = False
    asked_beside = False
    seat = None

    def say(self, phrase: object) -> str:
        """The phrase with seats as numbers."""
        return str(phrase)


def positions() -> Iterator[tuple[object, object]]:
    """Rules and a position of them, many times."""
    for game in coup_play.games(6):
        yield from ((COUP, game.state) for _ in game.batches())
    for seed in range(4):
        yield from ((SEDLEC, state) for _, state in sedlec_play.RandomGame(seed).steps())
    yield fist.RULES, fist.evolve(None, fist.Dealt(options=fist.Options(), numbers=(1, 2)))


def test_every_answer_stands_once_in_every_position_with_its_own_label() -> None:
    names = {SeatNumber(seat): f"Player {seat}" for seat in range(1, 11)}
    for rules, state in positions():
        for question in rules.questions(state):
            moves = rules.legal_moves(state, question)
            choices = [choice for group in group_answers(rules, state, question, names) for choice in group.choices]
            assert sorted(choice.number for choice in choices) == list(range(1, len(moves) + 1))
            for choice in choices:
                move = moves[choice.number - 1]
                assert choice.notation == rules.text(move)
                assert choice.label == render_phrase(rules.words.label(move), names)
                assert choice.short in choice.label


@pytest.mark.parametrize("seats", [2, 3])
def test_a_row_of_players_begins_with_two_of_them(seats: int) -> None:
    table = Table(seats, ["duke"], two_player_setup="dealt")
    assert any(group.heading for group in groups(table)) == (seats == 3)
