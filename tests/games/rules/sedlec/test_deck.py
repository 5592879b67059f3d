"""The deck: its default, its file, and the error for a file that is not a deck (S1)."""

from collections import Counter
from itertools import combinations_with_replacement

import pytest

from games.engine import ScriptedChance, replay
from games.rules.sedlec import RULES
from games.rules.sedlec.game import setup
from games.rules.sedlec.pyramid import DECK, HALVES, KINDS, DeckError, read_deck
from tests.examples import for_each
from tests.games.rules.sedlec.table import Table


def listing(*cards: object) -> str:
    """A deck's file."""
    return f"cards = {list(cards)!r}"


def test_s1_the_default_deck_holds_every_pair_of_kinds_once_and_three_of_them_twice():
    pairs = Counter(tuple(sorted(HALVES[card])) for card in DECK)
    twice = {("peasant", "royal"), ("peasant", "sinner"), ("lover", "priest")}
    assert pairs == {
        tuple(sorted(pair)): 1 + (tuple(sorted(pair)) in twice) for pair in combinations_with_replacement(KINDS, 2)
    }


def test_s1_the_default_deck_has_8_peasants_and_7_of_every_other_kind():
    kinds = Counter(kind for card in DECK for kind in HALVES[card])
    assert kinds == {"royal": 7, "peasant": 8, "priest": 7, "lover": 7, "sinner": 7}


def test_s1_the_default_deck_is_written_top_over_bottom_as_the_rules_list_it():
    listed = """
        royal/royal peasant/peasant priest/priest lover/lover sinner/sinner
        royal/peasant peasant/royal royal/priest lover/royal royal/sinner priest/peasant peasant/lover peasant/sinner
        sinner/peasant priest/lover lover/priest sinner/priest lover/sinner
    """
    assert tuple(listed.split()) == DECK


def test_s1_an_operator_may_list_other_cards_of_the_five_kinds():
    assert read_deck(listing(*["lover/lover"] * 18)) == ("lover/lover",) * 18


@for_each(
    "text, sentence",
    [
        (listing(*DECK[:17]), "has 17 cards, but 18 are needed"),
        (listing(*DECK, "royal/royal"), "has 19 cards, but 18 are needed"),
        (listing(*DECK[:3], "royal/knight", *DECK[4:]), "Card 4 of the deck .* is 'royal/knight', but a card is"),
        (listing("royal", *DECK[1:]), "Card 1 of the deck .* is 'royal'"),
        (listing("royal/royal/royal", *DECK[1:]), "Card 1"),
        (listing(*DECK[:17], 7), "Card 18 of the deck .* is 7"),
        (listing(*DECK[:17], ["royal/royal"]), "Card 18"),
        ("cards = 18", 'needs a list named "cards"'),
        ("kards = []", 'needs a list named "cards"'),
        ("cards = [", "cannot be read as TOML"),
    ],
)
def test_s1_a_deck_that_is_not_18_cards_of_two_known_kinds_is_refused_by_a_sentence_that_names_what_is_wrong(
    text, sentence
):
    with pytest.raises(DeckError, match=sentence):
        read_deck(text)


def test_s1_the_deck_used_is_written_into_the_first_event_so_that_old_games_replay():
    deck = tuple(reversed(DECK))
    log = setup(RULES.options(), 2, ScriptedChance([*DECK, 1, 1]), deck)
    assert log[0].deck == deck
    assert replay(RULES, log).deck == deck


def test_s1_the_deck_in_the_first_event_does_not_tell_how_the_cards_were_shuffled():
    one, other = Table(), Table(deal="lover/sinner sinner/priest")
    assert one.log[0].piles != other.log[0].piles
    assert one.log[0].deck == other.log[0].deck == DECK
