"""Phrases become text in the reader's language, digits, calendar and direction."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.utils.translation import override

from accounts.local_times import format_moment
from games.engine import MoveText, Notation, Phrase, SeatName, SeatNumber
from games.phrases import player, render_phrase
from games.rules.registry import RULES

NAMES = {SeatNumber(1): "Maryam", SeatNumber(2): "سپیده", SeatNumber(3): ""}
AFTERNOON = datetime(2026, 3, 22, 12, 5, tzinfo=UTC)
TEHRAN = ZoneInfo("Asia/Tehran")


def test_names_numbers_and_phrases_are_put_in_their_places() -> None:
    phrase = Phrase(
        "%(who)s takes %(coins)s coins as %(claim)s.", {"who": SeatName(SeatNumber(1)), "coins": 3, "claim": "duke"}
    )
    assert render_phrase(phrase, NAMES) == "Maryam takes 3 coins as duke."


def test_a_list_is_joined_and_each_item_spoken() -> None:
    values = (Notation("steal 2"), SeatName(SeatNumber(1)), Phrase("card %(n)s", {"n": 2}))
    assert render_phrase(Phrase("%(all)s.", {"all": values}), NAMES) == "steal 2, Maryam, card 2."


def test_the_moves_that_a_refusal_lists_are_written_in_the_readers_words() -> None:
    moves = (MoveText("steal 2"), MoveText("lay royal/peasant on 1.2"), MoveText("plan"))
    phrase = Phrase("“%(written)s”: %(moves)s", {"written": Notation("steal 12"), "moves": moves})
    with override("fa"):
        text = render_phrase(phrase, NAMES)
    assert text == "“\u2066steal 12\u2069”: باج‌گیری ۲، چیدمان اشراف‌زاده/رعیت روی ۱.۲، \u2066plan\u2069"
    assert render_phrase(phrase, NAMES) == "“steal 12”: steal 2, lay royal/peasant on 1.2, plan"


def test_no_two_games_have_different_words_for_the_same() -> None:
    translations: dict[str, str] = {}
    for rules in RULES.values():
        for word, translation in rules.words.notation["fa"].items():
            assert translations.setdefault(word, translation) == translation, word


def test_a_list_of_lists_shows_where_each_ends() -> None:
    phrase = Phrase("hand: %(cards)s", {"cards": (Phrase("duke"), Phrase("captain"))})
    parts = (Phrase("%(n)s coins", {"n": 2}), phrase, Phrase("out"))
    assert render_phrase(Phrase("%(parts)s", {"parts": parts}), NAMES) == "2 coins; hand: duke, captain; out"


def test_numbers_and_commas_are_persian_for_persian_readers() -> None:
    phrase = Phrase("%(n)s: %(all)s", {"n": 140, "all": (Phrase("%(n)s", {"n": 2}), Phrase("%(n)s", {"n": 3}))})
    with override("fa"):
        assert render_phrase(phrase, NAMES) == "۱۴۰: ۲، ۳"


def test_notation_and_foreign_names_are_isolated_in_a_persian_sentence() -> None:
    phrase = Phrase(
        "%(a)s %(b)s %(move)s", {"a": SeatName(SeatNumber(1)), "b": SeatName(SeatNumber(2)), "move": Notation("lay 2")}
    )
    with override("fa"):
        assert render_phrase(phrase, NAMES) == "\u2066Maryam\u2069 سپیده \u2066lay 2\u2069"


def test_a_persian_name_is_isolated_in_an_english_sentence() -> None:
    assert render_phrase(Phrase("%(who)s wins.", {"who": SeatName(SeatNumber(2))}), NAMES) == "\u2067سپیده\u2069 wins."


def test_a_name_of_two_scripts_is_isolated_in_both_languages() -> None:
    """D5: a name of mixed scripts leaves the numbers beside it in their places."""
    names = {SeatNumber(1): "علی Bob", SeatNumber(2): "Ali علی"}
    phrase = Phrase("%(a)s: %(n)s, %(b)s", {"a": SeatName(SeatNumber(1)), "b": SeatName(SeatNumber(2)), "n": 3})
    assert render_phrase(phrase, names) == "\u2067علی Bob\u2069: 3, \u2066Ali علی\u2069"
    with override("fa"):
        assert render_phrase(phrase, names) == "\u2067علی Bob\u2069: ۳, \u2066Ali علی\u2069"


def test_what_somebody_wrote_cannot_bring_marks_of_its_own() -> None:
    text = "a\u202egnid\u2069\n\u200fb"
    assert render_phrase(Phrase("“%(written)s”", {"written": Notation(text)}), NAMES) == "“agnidb”"


def test_a_name_with_percent_signs_is_only_a_name() -> None:
    assert (
        render_phrase(Phrase("%(who)s wins.", {"who": SeatName(SeatNumber(1))}), {SeatNumber(1): "%(who)s 100%"})
        == "%(who)s 100% wins."
    )


def test_a_player_without_a_name_is_called_after_the_seat() -> None:
    assert player(SeatNumber(3), NAMES) == "seat 3"
    with override("fa"):
        assert player(SeatNumber(4), NAMES) == "صندلی ۴"


def test_an_empty_value_is_not_the_header_of_a_catalogue() -> None:
    with override("fa"):
        assert render_phrase(Phrase("%(claim)s", {"claim": ""}), NAMES) == ""


@pytest.mark.parametrize(
    ("language", "zone", "text"),
    [
        ("en", TEHRAN, "Sunday 22 March, 15:35"),
        ("en", ZoneInfo("UTC"), "Sunday 22 March, 12:05 UTC"),
        ("fa", TEHRAN, "یکشنبه ۲ فروردین، ساعت ۱۵:۳۵"),
        ("fa", ZoneInfo("Pacific/Auckland"), "دوشنبه ۳ فروردین، ساعت ۰۱:۰۵"),
    ],
)
def test_a_time_is_told_in_the_readers_zone_calendar_and_digits(language: str, zone: ZoneInfo, text: str) -> None:
    with override(language), time_machine.travel(AFTERNOON):
        assert format_moment(AFTERNOON, zone) == text


def test_a_time_of_another_year_names_it() -> None:
    with time_machine.travel(AFTERNOON + timedelta(days=700)):
        with override("en"):
            assert format_moment(AFTERNOON, TEHRAN) == "Sunday 22 March 2026, 15:35"
        with override("fa"):
            assert format_moment(AFTERNOON, TEHRAN) == "یکشنبه ۲ فروردین ۱۴۰۵، ساعت ۱۵:۳۵"
