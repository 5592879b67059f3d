"""Answers that are filled in with some cards of a hand: as a move, in the line of an email, and on a page."""

import pytest
from django.template.loader import render_to_string
from django.utils.translation import override

from games.engine import Move, Phrase, Slot
from games.engine.forms import AnswerForm, allows, fill, fillings
from games.rules.coup import RULES as COUP
from games.visibility.words import form_of, render_forms


class Discard(Move, frozen=True, tag="discard"):
    cards: tuple[str, ...]


CARDS = Slot(Phrase("Cards"), tuple((card, Phrase(card)) for card in ("fox", "owl", "hare")), least=1, most=2)
FORM = AnswerForm(Discard, Phrase("Discard"), (CARDS,))


@pytest.mark.parametrize(
    ("text", "cards"), [("owl", ("owl",)), ("hare fox", ("fox", "hare")), ("fox hare", ("fox", "hare"))]
)
def test_some_cards_of_a_list_are_a_move_in_whichever_order_they_are_written(text: str, cards: tuple[str, ...]) -> None:
    move = fill(FORM, text.split(), "7")
    assert move == Discard(cards, question="7")
    assert allows((FORM,), move)


@pytest.mark.parametrize("text", ["", "fox fox", "fox owl hare", "wolf", "fox wolf"])
def test_too_few_too_many_the_same_twice_or_others_are_no_move(text: str) -> None:
    assert fill(FORM, text.split()) is None


def test_every_choice_of_cards_is_one_answer() -> None:
    cards_list = {move.cards for move in fillings(FORM, "7")}
    assert cards_list == {("fox",), ("owl",), ("hare",), ("fox", "owl"), ("fox", "hare"), ("owl", "hare")}


def test_a_page_has_a_box_for_each_card() -> None:
    with override("en"):
        form = form_of(FORM.title, FORM.verb, FORM.slots, {})
        page = render_to_string("games/slots.html", {"form": form})
    assert page.count('type="checkbox" name="word"') == 3


class Pass(Move, frozen=True, tag="pass"):
    """Pass a card to a player, and claim that it shows an animal."""

    card: str
    to: int
    claims: tuple[str, ...]


def test_an_email_names_each_slot_of_a_form_with_its_choices_in_words() -> None:
    animals = (("toad", Phrase("Toad")), ("bat", Phrase("a bat")))
    slots = (
        Slot(Phrase("Card"), animals),
        Slot(Phrase("To"), (("2", Phrase("Bahareh")), ("3", Phrase("Kian")))),
        Slot(Phrase("Claims"), animals, 1, 2),
    )
    (form,) = render_forms(COUP, [AnswerForm(Pass, Phrase("Pass a card"), slots)], {})
    assert form.example == "pass bat 3 bat"
    assert form.slot_lines == (
        "Card: toad, bat (a bat)",
        "To: 2 (Bahareh), 3 (Kian)",
        "Claims: choose from 1 to 2. toad, bat (a bat)",
    )
