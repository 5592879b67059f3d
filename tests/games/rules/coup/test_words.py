"""The texts of the game: story, questions and summary contain only visible facts."""

from collections.abc import Sequence

import pytest

from games.engine import SPECTATOR, Event, SeatNumber, SeededChance
from games.engine.rules import replay
from games.rules.coup import RULES
from games.rules.coup.events import Lost
from tests.examples import for_each
from tests.games.rules.coup.random_play import games, option_sets
from tests.games.rules.coup.table import Table

DEAL = ["duke assassin", "contessa captain", "duke captain"]


def stories(table: Table, viewer: int, since: int = 0) -> list[str]:
    """Return the story for a viewer since a mark."""
    return story(table.visible_events(viewer, since), SeatNumber(viewer) if viewer > 0 else None)


def story(events: Sequence[Event], reader: SeatNumber | None = None) -> list[str]:
    """The story of these events."""
    return [str(phrase) for _, phrase in RULES.words.story(events, reader)]


def test_the_table_is_told_without_the_others_cards():
    one, other = Table(3, DEAL), Table(3, [DEAL[0], "duke ambassador", "contessa contessa"])
    for viewer in (1, SPECTATOR):
        lines = [[str(line) for line in RULES.words.table(table.view(viewer))] for table in (one, other)]
        assert lines[0] == lines[1]


def test_nobody_is_called_out_between_two_events_who_plays_on():
    table = Table(2, DEAL[:2], two_player_setup="dealt")
    assert not any(
        "out" in str(line) for line in RULES.words.table(RULES.view(replay(RULES, table.log[:1]), SPECTATOR))
    )
    for game in games(30, first=40):
        lasting, living = set(), []
        for _, steps in game.batches():
            living += [{seat.seat for seat in RULES.view(state, SPECTATOR).seats if seat.alive} for _, state in steps]
        for alive in reversed(living):
            assert lasting <= alive
            lasting = alive


@for_each("seats, options", option_sets()[::7])
def test_the_summary_card_speaks_of_the_characters_that_play(seats, options):
    summary = "\n".join(str(line) for line in RULES.words.summary(RULES.options(**options), seats)).casefold()
    for word in ("duke", "assassin", "captain", "contessa", "income", "coup"):
        assert word in summary
    assert ("inquisitor" in summary) == options["inquisitor"]
    assert ("ambassador" in summary) != options["inquisitor"]
    assert ("embezzle" in summary) == options["reformation"]
    assert ("bomb" in summary or "anarchist" in summary) == options["anarchist"]
    assert ("if its holder resigns" in summary) == options["anarchist"]


def test_a_table_of_more_than_six_says_that_it_will_be_long():
    def lines(seats: int) -> set[str]:
        return {str(line) for line in RULES.words.summary(RULES.options(), seats)}

    assert any("long" in line for line in lines(7) - lines(6))
    assert not any("long" in line for line in lines(6))


def test_a_challenge_and_what_it_cost_are_told_to_each_reader():
    table = Table(3, DEAL).play("1 tax", "2 challenge").will_draw("duke").play("1 prove", "2 lose captain")
    assert stories(table, 3)[2:] == [
        "seat 1 claimed the duke to collect tax.",
        "seat 2 challenged seat 1, who showed the duke.",
        "seat 2 lost the captain.",
        "seat 1 took 3 coins.",
    ]
    assert stories(table, 2)[2:] == [
        "seat 1 claimed the duke to collect tax.",
        "You challenged seat 1, who showed the duke.",
        "You lost the captain.",
        "seat 1 took 3 coins.",
    ]
    assert stories(table, 1)[2:] == [
        "You claimed the duke to collect tax.",
        "seat 2 challenged you, and you showed the duke.",
        "You drew duke instead.",
        "seat 2 lost the captain.",
        "You took 3 coins.",
    ]


def test_an_action_that_nobody_objects_to_is_one_sentence_with_what_it_brought():
    table = Table(3, DEAL).play("1 steal 2", "all allow")
    assert stories(table, SPECTATOR)[1:] == ["seat 1 stole 2 coins from seat 2 with the captain."]
    assert stories(table, 2)[2:] == ["seat 1 stole 2 coins from you with the captain.", "You allowed it."]
    assert stories(table, 1)[2:] == ["You stole 2 coins from seat 2 with the captain."]


def test_a_loss_has_its_reason_where_that_has_not_just_been_told():
    table = Table(3, DEAL).play("1 tax", "2 challenge").will_draw("duke").play("1 prove", "2 lose captain")
    loss = next(event for event in table.log if isinstance(event, Lost))
    assert story([loss]) == ["seat 2 lost the captain in the challenge."]
    assert story([loss], SeatNumber(2)) == ["You lost the captain in the challenge."]


def test_the_words_say_where_the_coins_of_a_player_who_goes_out_are():
    table = Table(3, DEAL)
    resigned = RULES.resign(table.state, SeatNumber(1), SeededChance(bytes(32)))
    assert "seat 1 resigned and showed assassin, duke; their 2 coins went to the treasury." in story(resigned)
    assert "You resigned and showed assassin, duke; your 2 coins went to the treasury." in story(
        resigned, SeatNumber(1)
    )


def test_a_story_tells_a_drawn_card_to_its_owner_alone():
    table = Table(3, DEAL).play("1 exchange")
    mark = table.mark
    table.will_draw("contessa", "ambassador").play("all allow")
    assert "contessa" in " ".join(stories(table, 1, mark))
    assert "contessa" not in " ".join(stories(table, 2, mark))
    assert "contessa" not in " ".join(stories(table, SPECTATOR, mark))


CAUGHT = "seat 2 doesn’t believe that you hold the duke, and is right."


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("duke captain", "seat 2 doesn’t believe that you hold the duke. Do you prove it?"),
        ("captain contessa", f"{CAUGHT} Which card do you lose?"),
        ("captain captain", f"{CAUGHT} You lose the captain."),
    ],
)
def test_who_is_challenged_is_asked_only_what_their_cards_leave_open(hand, expected):
    table = Table(3, [hand]).play("1 tax", "2 challenge", "rest allow")
    assert str(RULES.words.asks(table.view(1), table.question(1))) == expected


def test_who_is_caught_defending_against_an_assassin_is_told_that_both_cards_go():
    table = Table(2, ["assassin duke", "captain duke"], two_player_setup="dealt")
    table.play("1 income", "2 income", "1 income", "2 income", "1 assassinate 2", "2 block contessa", "1 challenge")
    text = str(RULES.words.asks(table.view(2), table.question(2)))
    assert text == "seat 1 doesn’t believe that you hold the contessa, and is right. You lose both cards."


def test_what_leaves_no_choice_is_said_and_not_asked():
    """D10: a forced answer is information, not a question."""
    alone = 0
    for game in games(40):
        for _ in game.batches():
            for question in RULES.questions(game.state):
                if len(RULES.legal_moves(game.state, question)) == 1:
                    alone += 1
                    text = str(RULES.words.asks(RULES.view(game.state, question.seat), question))
                    assert not text.endswith("?"), text
    assert alone > 20
