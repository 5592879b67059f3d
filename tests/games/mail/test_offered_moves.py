"""Shown moves are accepted: an offered answer as people write it is understood as that answer, and nothing
else is."""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache, partial
from itertools import islice
from types import MappingProxyType
from typing import Any

import pytest
from django.utils.translation import override
from persiantools import digits

from games.engine import AnyRules, Question, RuleViolation, SeatNumber
from games.engine.phrases import Phrase
from games.mail.commands import Move
from games.mail.reading.answer_words import AnswerWords
from games.mail.reading.command_reader import read_command
from games.mail.reading.offered_moves import OfferedMoves, resembles_move
from games.phrases import localized, render_phrase
from games.rules.coup.text.words import SYNONYMS as COUP_WORDS
from games.rules.sedlec.words import SYNONYMS as SEDLEC_WORDS
from notifications.mail_parsing.parser import SenderText
from tests.examples import for_each, read_examples
from tests.games.mail.tables import COUP, NAMES, SEDLEC, TURN, WINDOW, QuestionCase, command_text
from tests.games.rules.coup.random_play import RandomGame as CoupGame
from tests.games.rules.coup.random_play import option_sets
from tests.games.rules.sedlec.random_play import RandomGame as SedlecGame
from tests.long import LONG

EXAMPLES = read_examples(__file__)

MANY = MappingProxyType(
    dict(NAMES)
    | {SeatNumber(seat): name for seat, name in enumerate(("دارا", "Anna Lena", "O'Neil", "Ümit", "آرش", "Zoë"), 5)}
)

ALIKE = 4 if LONG else 1
"""The number of positions that are taken whose answers have the same verbs."""


def coup_positions(number: int) -> Iterator[tuple[AnyRules, Any, Question]]:
    """The positions of a random game of Coup."""
    sets = option_sets()
    seats, options = sets[number * 169 % len(sets)]
    game = CoupGame(number, seats, options)
    for _ in islice(game.batches(), 400):
        for question in COUP.questions(game.state):
            yield COUP, game.state, question


def sedlec_positions(number: int) -> Iterator[tuple[AnyRules, Any, Question]]:
    """The positions of a random game of Skulls of Sedlec."""
    for _, state in SedlecGame(number).steps():
        if state is not None:
            for question in SEDLEC.questions(state):
                yield SEDLEC, state, question


@cache
def kinds() -> list[tuple[OfferedMoves, AnyRules]]:
    """Positions of both games: a few with each set of verbs among their answers."""
    groups: defaultdict[object, dict[object, tuple[OfferedMoves, AnyRules]]] = defaultdict(dict)
    for number in range(24):
        for positions in (coup_positions, sedlec_positions):
            for rules, state, question in positions(number):
                moves = rules.legal_moves(state, question)
                texts = tuple(rules.text(move) for move in moves)
                group = groups[frozenset(text.split()[0] for text in texts)]
                if len(texts) > 1 and len(group) < ALIKE:
                    group.setdefault(texts, (OfferedMoves(rules, state, question, MANY), rules))
    return [kind for group in groups.values() for kind in group.values()]


def label(rules: AnyRules, move: Any, language: str) -> str:
    """A label as a mail shows it."""
    with override(language):
        return render_phrase(rules.words.label(move), MANY)


def reading(offered: OfferedMoves, *lines: str) -> object:
    """Return the command of an email with these lines: a move, or the reason why there is none."""
    resembles = partial(resembles_move, offered.rules, offered.names)
    command = read_command(SenderText((lines,)), offered.read, offered.names, MANY, offered.read, resembles)
    return command.move if isinstance(command, Move) else command


def wrong(ways: Any) -> list[str]:
    """Yield texts of an offered answer that are not read as that answer."""
    faults = []
    for offered, rules in kinds():
        for number, move in enumerate(offered.moves, 1):
            for text in ways(rules, number, move):
                lines = text if isinstance(text, tuple) else (text,)
                if (move_read := reading(offered, *lines)) != move:
                    faults.append(f"{lines} for {rules.text(move)}: {move_read}")
    return faults


def test_there_are_positions_of_every_kind_of_question() -> None:
    verbs = {rules.text(move).split()[0] for offered, rules in kinds() for move in offered.moves}
    tags = {Rules.__struct_config__.tag for rules in (COUP, SEDLEC) for Rules in rules.move_type.__args__}
    assert verbs == tags


@pytest.mark.parametrize("language", ["en", "fa"])
def test_the_notation_of_every_language_is_read_as_the_move_it_stands_for(language: str) -> None:
    for offered, rules in kinds():
        for move in offered.moves:
            with override(language):
                localized_text = localized(rules, rules.text(move))
            assert offered.read(localized_text) == move
            assert rules.parse(offered.state, offered.question, localized_text, offered.names) == move
            assert language == "en" or not re.search("[a-z]", localized_text)


@pytest.mark.parametrize("language", ["en", "fa"])
def test_every_label_is_read(language: str) -> None:
    def ways(rules: AnyRules, number: int, move: Any) -> list[str]:
        label_text, notation = label(rules, move, language), rules.text(move)
        return [
            label_text,
            label_text.upper(),
            f"{label_text}.",
            f"“{label_text}”",
            f"«{label_text}»",
            f"{number}. {label_text}",
            f"{digits.en_to_fa(str(number))}. {label_text}",
            f"{number}. {notation} - {label_text}",
            f"{notation} – {label_text}",
            f"{number} {notation} {label_text}",
        ]

    assert wrong(ways) == []


def test_numbers_are_read_however_they_are_written() -> None:
    def ways(rules: AnyRules, number: int, move: Any) -> list[str]:
        wide = "".join(chr(ord(digit) + 0xFEE0) for digit in str(number))
        persian = digits.en_to_fa(str(number))
        plain = [f"{number}", f"{number})", f"({number})", f"{number}!", f"#{number}", f"No. {number}", f"[{number}]"]
        texts = [f"answer {number}", f"Option {number}, please", f"شمارهٔ {persian}", f"گزینه {persian} لطفاً"]
        return [*plain, wide, persian, *texts, f"«{persian}»", f"👍 {number}"]

    assert wrong(ways) == []


def test_notation_is_read_with_courtesies_round_it() -> None:
    def ways(rules: AnyRules, number: int, move: Any) -> list[object]:
        text = rules.text(move)
        return [
            f"Hi Darbar, {text}",
            f"Hello! {text}, please.",
            f"I'd like to {text}. Thanks!",
            f"My answer: {text}",
            f"{text}!!!",
            f"{text} 🙏",
            f"'{text}'",
            f"{text} :-)",
            f"سلام، {text} لطفاً",
            text.upper().replace("I", "İ"),
            text.replace("-", "–"),
            text.replace("-", "\u2011"),
            ("Hi Darbar,", "", text, "", "Thanks,", "Maryam"),
            ("سلام دربار،", text, "با تشکر"),
            ("Classification: Internal", "", text),
            ("[EXTERNAL]", text),
            ("طبقه‌بندی: عادی", "با سلام و احترام", "", text),
        ]

    assert wrong(ways) == []


def test_a_number_beside_the_words_of_another_answer_is_asked_back() -> None:
    for offered, rules in kinds():
        for number, move in enumerate(offered.moves, 1):
            other = number % len(offered.moves) + 1
            for text in (rules.text(move), label(rules, move, "en"), label(rules, move, "fa")):
                assert reading(offered, f"{other}. {text}") not in offered.moves, text


SAME = {("collect", "take"), ("take", "collect"), ("keep", "pick"), ("pick", "keep"), ("exchange", "swap"),
        ("lose", "concede"), ("explode", "explode")}  # fmt: skip
"""Verbs of one question that people use for those of another."""


def test_a_move_that_is_not_offered_is_never_taken_for_one_that_is() -> None:
    offered_anywhere = {(rules.name, rules.text(move)): move for offered, rules in kinds() for move in offered.moves}
    misread = []
    for place, (offered, rules) in enumerate(kinds()):
        texts = {rules.text(move) for move in offered.moves}
        for number, ((game, text), move) in enumerate(offered_anywhere.items()):
            if game == rules.name and text not in texts and (number + place) % (8 if LONG else 24) == 0:
                for line in (text, f"I {text}", label(rules, move, "en"), label(rules, move, "fa")):
                    understood = ask(offered, line)
                    verb, *rest = text.split()
                    words = understood.split()[1:]
                    if words and ((verb, words[0]) not in SAME or (rest and rest != words[1:])):
                        misread.append(f"{line}: {understood}")
    assert misread == []


@for_each("line, meaning", EXAMPLES["turn"])
def test_a_turn_in_the_words_of_players(line: str, meaning: str | None) -> None:
    understood = command_text(one_line(TURN, line))
    assert understood == f"move {meaning}" if meaning else not understood.startswith("move")


@for_each("line, meaning", EXAMPLES["reactions"])
def test_a_reaction_in_the_words_of_players(line: str, meaning: str | None) -> None:
    understood = command_text(one_line(WINDOW, line))
    assert understood == f"move {meaning}" if meaning else not understood.startswith("move")


def test_a_name_is_never_taken_for_a_courtesy() -> None:
    offered = OfferedMoves(TURN.rules, TURN.state, TURN.question, {SeatNumber(1): "Maryam", SeatNumber(2): "Please"})
    assert offered.rules.text(offered.read("Steal from please")) == "steal 2"
    denied = OfferedMoves(TURN.rules, TURN.state, TURN.question, {SeatNumber(2): "Not Me"})
    with pytest.raises(RuleViolation):
        denied.read("do not steal from Not Me")


def test_every_synonym_means_words_of_the_notation() -> None:
    for words in (COUP_WORDS, SEDLEC_WORDS):
        canonical = {word for meaning in words.values() for word in meaning}
        assert canonical <= words.keys()


def ask(offered: OfferedMoves, line: str) -> str:
    """Return the notation of the move that a line is read as, or a blank text."""
    understood = reading(offered, line)
    return f"move {offered.rules.text(understood)}" if understood in offered.moves else ""


def one_line(case: QuestionCase, line: str) -> Any:
    """Return the command of an email with one line."""
    return case.read(SenderText(((line,),)))


def test_two_readings_are_said_to_be_two() -> None:
    with pytest.raises(RuleViolation) as refused:
        TURN.try_line("rob, please")
    assert isinstance(refused.value.phrase, Phrase)


@pytest.mark.parametrize("name", ["Haha", "Team", "Cheers"])
def test_a_player_who_is_called_like_a_courtesy_is_named(name: str) -> None:
    offer = OfferedMoves(COUP, TURN.state, TURN.question, {**NAMES, SeatNumber(2): name})
    offer.moves = [move for move in offer.moves if COUP.text(move) in ("income", "steal 4")]
    offer.words = AnswerWords(COUP, TURN.state, TURN.question, offer.moves)
    assert ask(offer, f"I steal from {name}") == ask(offer, f"Hi all, I steal from {name}. Bye") == ""
    assert ask(offer, "Hi all, I steal from Kaveh. Bye") == "move steal 4"
