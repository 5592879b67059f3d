"""Phrases and violations, as logs and tests read them."""

import msgspec

from games.engine import Notation, Phrase, RuleViolation, SeatName, SeatNumber


def test_a_phrase_in_english_names_seats_by_their_number() -> None:
    phrase = Phrase(
        "%(thief)s takes %(count)s from %(others)s (%(move)s).",
        {
            "thief": SeatName(SeatNumber(1)),
            "count": 2,
            "others": (SeatName(SeatNumber(2)), SeatName(SeatNumber(3))),
            "move": Notation("steal 2"),
        },
    )
    assert str(phrase) == "seat 1 takes 2 from seat 2, seat 3 (steal 2)."
    assert msgspec.json.decode(msgspec.json.encode(phrase), type=Phrase) == phrase


def test_a_violation_says_its_code_and_its_sentence() -> None:
    assert str(RuleViolation("illegal", Phrase("It is not your turn."))) == "illegal: It is not your turn."
