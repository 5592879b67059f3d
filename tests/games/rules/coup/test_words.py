"""What the game says to people: a sentence for everything that happens, and never more than was shown."""

import pytest

from games.engine import EVERYONE, SPECTATOR
from games.engine.rules import replay
from games.rules.coup import RULES
from tests.games.rules.coup.random_play import games, option_sets
from tests.games.rules.coup.table import Table

DEAL = ["duke assassin", "contessa captain", "duke captain"]


def stories(table: Table, viewer: int, since: int = 0) -> str:
    """What a viewer is told since a mark."""
    return "\n".join(str(story) for event in table.seen(viewer, since) if (story := RULES.words.story(event)))


def test_every_shown_event_and_question_and_move_and_view_can_be_said():
    for game in games(40, first=700):
        for _, steps in game.batches():
            for event, _ in steps:
                for viewer in (1, SPECTATOR, EVERYONE):
                    shown = RULES.show(event, viewer)
                    story = RULES.words.story(shown) if shown is not None else None
                    assert story is None or str(story)
            for question in RULES.questions(game.state)[:1]:
                assert str(RULES.words.asks(RULES.view(game.state, question.seat), question))
                for move in RULES.legal_moves(game.state, question):
                    assert str(RULES.words.label(move))
        assert all(str(line) for line in RULES.words.table(RULES.view(game.state, SPECTATOR)))


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
        lasting, seen = set(), []
        for _, steps in game.batches():
            seen += [{seat.seat for seat in RULES.view(state, SPECTATOR).seats if seat.alive} for _, state in steps]
        for alive in reversed(seen):
            assert lasting <= alive
            lasting = alive


@pytest.mark.parametrize(("seats", "options"), option_sets()[::7])
def test_the_summary_card_speaks_of_the_characters_that_play(seats, options):
    summary = "\n".join(str(line) for line in RULES.words.summary(RULES.options(**options), seats)).casefold()
    for word in ("duke", "assassin", "captain", "contessa", "income", "coup"):
        assert word in summary
    assert ("inquisitor" in summary) == options["inquisitor"]
    assert ("ambassador" in summary) != options["inquisitor"]
    assert ("embezzle" in summary) == options["reformation"]
    assert ("bomb" in summary or "anarchist" in summary) == options["anarchist"]


def test_a_table_of_more_than_six_says_that_it_will_be_long():
    def lines(seats: int) -> set[str]:
        return {str(line) for line in RULES.words.summary(RULES.options(), seats)}

    assert any("long" in line for line in lines(7) - lines(6))
    assert not any("long" in line for line in lines(6))


def test_losses_are_told_with_their_reason():
    table = Table(3, DEAL).play("1 tax", "2 challenge").will_draw("duke").play("1 prove", "2 lose captain")
    assert "captain for the challenge" in stories(table, SPECTATOR)
    table.play("2 income", "3 income", "1 income", "2 income", "3 income", "1 income", "2 income", "3 income")
    table.play("1 coup 3", "3 lose duke")
    assert "duke to the coup" in stories(table, SPECTATOR)


def test_a_story_tells_a_drawn_card_to_its_owner_alone():
    table = Table(3, DEAL).play("1 exchange")
    mark = table.mark
    table.will_draw("contessa", "ambassador").play("all allow")
    assert "contessa" in stories(table, 1, mark)
    assert "contessa" not in stories(table, 2, mark)
    assert "contessa" not in stories(table, SPECTATOR, mark)
