"""The texts of the game: stories, questions, buttons, the summary card, and the table as text."""

from collections.abc import Sequence

from games.engine import SPECTATOR, Event, Phrase, SeatNumber, SeededChance
from games.rules.sedlec import RULES
from tests.games.rules.sedlec.table import Table, position, rows

WORDS = RULES.words


def told_phrases(events: Sequence[Event], reader: SeatNumber | None = None) -> tuple[Phrase, ...]:
    """The sentences of the story."""
    return tuple(phrase for _, phrase in WORDS.story(events, reader))


def story(events: Sequence[Event], reader: SeatNumber | None = None) -> list[str]:
    """The story in English."""
    return [str(phrase) for phrase in told_phrases(events, reader)]


def test_the_events_of_a_game_are_told():
    table = Table(deal="royal/royal lover/lover", pile=1).play(
        "1 collect 1", "2 dig 1 2", "2 take 2", "1 lay royal/royal left"
    )
    card = table.log[5].cards[1]
    assert story(table.log) == [
        "The graveyard has 6 piles of 3 cards, face down.",
        "Turned up: royal/royal on pile 1.",
        "seat 1 took royal/royal from pile 1.",
        f"seat 2 dug up lover/lover on pile 1, {card} on pile 2, and took {card}.",
        "seat 1 laid royal/royal at the left end of the bottom row.",
    ]
    assert story(table.log, SeatNumber(2))[2:4] == [
        "seat 1 took royal/royal from pile 1.",
        f"You dug up lover/lover on pile 1, {card} on pile 2, and took {card}.",
    ]


def test_giving_up_and_the_end_are_told():
    table = Table(2)
    for seat in (1, 2):
        table.happen(RULES.resign(table.state, seat, SeededChance(bytes(32))))
    stories = story(table.log)
    assert "seat 1 resigned and can’t win. The server plays at random for them." in stories
    assert stories[-1].startswith("Nobody wins. seat 1: 0 points (royals 0,")


def test_winners_are_told_alone_and_together():
    full = rows(
        "priest/priest royal/sinner", "peasant/lover lover/sinner royal/royal", " ".join(["peasant/sinner"] * 4)
    )
    almost = ((*full[0],), full[1], (full[2][0], None))
    shared = position(hands=["royal/sinner"], pyramids=[almost, full]).play("1 lay royal/sinner on 2.2")
    assert "seat 1, seat 2 win together." in story(shared.log)[-1]
    assert story(shared.log, SeatNumber(2))[-1].startswith("You win together with seat 1. seat 1: 2")
    assert ", you: 2" in story(shared.log, SeatNumber(2))[-1]
    alone = position(hands=["royal/royal"], pyramids=[almost, full]).play("1 lay royal/royal on 2.2")
    assert "seat 1 wins." in story(alone.log)[-1]
    assert "You win!" in story(alone.log, SeatNumber(1))[-1]
    assert [status(alone, reader) for reader in (None, 1, 2)] == ["seat 1 wins.", "You win!", "seat 1 wins."]


def status(table: Table, reader: int | None) -> str:
    """Return the status of the game for the player on a seat."""
    (text,) = WORDS.status(RULES.view(table.state, reader or SPECTATOR), reader)
    return str(text)


def test_the_status_speaks_to_the_player_whose_turn_it_is():
    table = Table(deal="royal/royal", pile=6)
    assert [status(table, reader) for reader in (None, 1, 2)] == [
        "seat 1 moves next.",
        "It’s your turn.",
        "seat 1 moves next.",
    ]
    table.play("1 dig 1 2")
    assert status(table, 1) == "Take one of the cards that you dug up."
    assert status(table, 2) == "seat 1 must take one of the cards just dug up."


def asks(table: Table) -> str:
    """Return the open question."""
    (question,) = RULES.questions(table.state)
    return str(WORDS.asks(RULES.view(table.state, question.seat), question))


def test_a_question_says_what_is_asked():
    assert asks(Table()).startswith("It’s your turn: dig up two piles, collect")
    assert "you must lay" in asks(position(hands=["lover/lover royal/royal"]))
    assert "all the cards your pyramid needs" in asks(
        position(
            hands=["lover/lover"],
            pyramids=[rows("- royal/royal", "royal/royal royal/royal royal/royal", " ".join(["royal/royal"] * 4))],
        )
    )
    dug = Table(deal="royal/royal", pile=6).play("1 dig 1 2")
    assert asks(dug) == f"You’ve dug up royal/royal, {dug.state.face_up[1]}. Which one do you take?"


def test_buttons_say_each_move():
    table = Table(pile=6)
    labels = [str(WORDS.label(move)) for move in RULES.legal_moves(table.state, table.question(1))]
    assert labels[0] == "Dig up piles 1 and 2"
    assert labels[-1] == "Collect the card from pile 6"
    table.play("1 dig 1 2")
    assert str(WORDS.label(RULES.legal_moves(table.state, table.question(1))[0])) == "Take the card from pile 1"
    laying = position(hands=["lover/priest"], pyramids=[rows("royal/royal royal/royal")], face_down=["royal/priest"])
    labels = [str(WORDS.label(move)) for move in RULES.legal_moves(laying.state, laying.question(1))]
    assert labels == [
        "Dig up pile 1",
        "Lay lover/priest at the left end of the bottom row",
        "Lay lover/priest at the right end of the bottom row",
        "Lay lover/priest above cards 1 and 2 of row 1",
    ]


def test_the_summary_card_tells_the_shape_of_the_pyramid_and_who_begins():
    two = [str(line) for line in WORDS.summary(RULES.options(), 2)]
    three = [str(line) for line in WORDS.summary(RULES.options(starting_player=3), 3)]
    assert two[0] == "Build a pyramid of 9 cards: rows of 4, 3 and 2."
    assert three[0] == "Build a pyramid of 6 cards: rows of 3, 2 and 1."
    assert two[-1] == "Chance decides who starts."
    assert three[-1] == "seat 3 starts."
    winner = WORDS.summary(RULES.options(starting_player="previous_winner"), 2)
    assert str(winner[-1]) == "The winner of the last game starts."


def test_the_table_as_text_shows_piles_hands_and_pyramids_from_the_top_row_down():
    table = position(
        3,
        hands=["lover/priest", "sinner/sinner royal/priest"],
        pyramids=[rows("priest/priest -", "royal/royal peasant/peasant lover/lover")],
        face_up=["lover/sinner"],
        face_down=["royal/sinner", "peasant/sinner priest/peasant"],
    )
    lines = [str(line) for line in WORDS.table(RULES.view(table.state, 2))]
    assert lines == [
        "Pile 1: lover/sinner, and 1 face down",
        "Pile 2: 2 face down",
        "Pile 3: 0 face down",
        "Pile 4: 0 face down",
        "Pile 5: 0 face down",
        "Pile 6: 0 face down",
        "seat 1: 14 points (royals 2, peasants 2, priests 4, lovers 6, sinners 0); hand: lover/priest",
        "Row 2: priest/priest, gap",
        "Row 1: royal/royal, peasant/peasant, lover/lover",
        "seat 2: 0 points (royals 0, peasants 0, priests 0, lovers 0, sinners 0); hand: sinner/sinner, royal/priest",
        "seat 3: 0 points (royals 0, peasants 0, priests 0, lovers 0, sinners 0); hand: empty",
    ]
