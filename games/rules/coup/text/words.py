"""The words of Coup: characters, options, notation, questions, and buttons."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from games.engine import Move, Phrase, Question, SeatName, SeatNumber, Sentence
from games.engine import gettext_noop as _
from games.engine.reading import read_words
from games.engine.validation import STARTER_WORDS
from games.rules.coup import moves as m
from games.rules.coup.asking import FORCED_COUP
from games.rules.coup.game import law_of
from games.rules.coup.state import Card, Character
from games.rules.coup.views import ClaimView, View

DOES: Final[Mapping[str, Sentence]] = {
    "income": Sentence(_("%(player)s takes income."), _("You take income.")),
    "foreign-aid": Sentence(_("%(player)s asks for foreign aid."), _("You ask for foreign aid.")),
    "coup": Sentence(
        _("%(player)s pays 7 coins for a coup against %(target)s."),
        _("You pay 7 coins for a coup against %(target)s."),
        _("%(player)s pays 7 coins for a coup against you."),
    ),
    "tax": Sentence(_("%(player)s claims the duke to collect tax."), _("You claim the duke to collect tax.")),
    "assassinate": Sentence(
        _("%(player)s pays 3 coins and claims the assassin against %(target)s."),
        _("You pay 3 coins and claim the assassin against %(target)s."),
        _("%(player)s pays 3 coins and claims the assassin against you."),
    ),
    "steal": Sentence(
        _("%(player)s claims the captain to steal from %(target)s."),
        _("You claim the captain to steal from %(target)s."),
        _("%(player)s claims the captain to steal from you."),
    ),
    "exchange": Sentence(
        _("%(player)s claims the %(claim)s to exchange cards."), _("You claim the %(claim)s to exchange cards.")
    ),
    "examine": Sentence(
        _("%(player)s claims the inquisitor to examine %(target)s."),
        _("You claim the inquisitor to examine %(target)s."),
        _("%(player)s claims the inquisitor to examine you."),
    ),
    "convert": Sentence(_("%(player)s pays 1 coin to change party."), _("You pay 1 coin to change party.")),
    "convert other": Sentence(
        _("%(player)s pays 2 coins to change the party of %(target)s."),
        _("You pay 2 coins to change the party of %(target)s."),
        _("%(player)s pays 2 coins to change your party."),
    ),
    "embezzle": Sentence(
        _("%(player)s claims to hold no duke, to embezzle the reserve."),
        _("You claim to hold no duke, to embezzle the reserve."),
    ),
    "bomb": Sentence(
        _("%(player)s pays 5 coins and sends the anarchist to %(target)s."),
        _("You pay 5 coins and send the anarchist to %(target)s."),
        _("%(player)s pays 5 coins and sends you the anarchist."),
    ),
}
"""The action of a turn while it is undecided, with its claim."""

DEFUSES: Final = Sentence(
    _("%(player)s claims the contessa to defuse the bomb."), _("You claim the contessa to defuse the bomb.")
)
HANDS_ON: Final = Sentence(
    _("%(player)s claims the contessa to hand the bomb on to %(target)s."),
    _("You claim the contessa to hand the bomb on to %(target)s."),
    _("%(player)s claims the contessa to hand the bomb on to you."),
)
BLOCKS: Final = Sentence(_("%(player)s blocks with the %(card)s."), _("You block with the %(card)s."))

ASKS: Final[Mapping[str, str]] = {
    "draft": _("Which of your five cards do you keep? The other four go out of the game."),
    "party": _("Which party do you start with?"),
    "turn": _("It’s your turn. What do you do?"),
    "loss": _("You lose an influence. Which card do you turn face up?"),
    "exchange": _("Which cards do you keep?"),
    "show": _("%(actor)s examines you. Which card do you show?"),
    "examine": _("%(target)s shows you the %(card)s. Do you hand it back?"),
    "bomb": _("You hold the bomb. What do you do with it?"),
}
FORCED: Final[Mapping[str, str]] = {
    "loss": _("You lose an influence: the %(card)s, as both your cards are the same."),
    "show": _("%(actor)s examines you. You show the %(card)s."),
    "exchange": _("You keep the %(card)s: all your cards are the same."),
}
"""Questions for which the player's own cards leave a single answer."""

ASKED_OF_ALL: Final[Mapping[str, str]] = {
    "challenge": _("Do you believe it?"),
    "challenge-block": _("Do you believe it?"),
    "block": _("Do you block it?"),
}
"""The kinds of questions about another player's action or claim."""
HANDS_BACK: Final = _("%(target)s shows you a card. Do you hand it back?")
MUST_COUP: Final = _("It’s your turn. With 10 coins or more you must launch a coup.")
CHALLENGE_OR_BLOCK: Final = _(
    "Do you believe it? If so, you can block right away: your block is played if nobody challenges."
)


def doing(view: View) -> Phrase | None:
    """Return the action of this turn with its target and its claim, for the viewer."""
    if view.action is None:
        return None
    verb, target = view.action.verb, view.action.target
    claims = law_of(view.options, len(view.seats)).actions[verb].claims
    values: dict[str, Any] = {"claim": CHARACTERS[claims]} if claims else {}
    sentence = DOES["convert other" if verb == "convert" and target else verb]
    return sentence.phrase(view.viewer, view.action.seat, target, **values)


def bomb_on_its_way(view: View) -> Phrase | None:
    """Return the claim of the bomb's holder: to defuse it, or to hand it on."""
    if view.bomb is None or view.asking == "bomb":
        return None
    sentence = HANDS_ON if view.bomb.receiver else DEFUSES
    return sentence.phrase(view.viewer, view.bomb.holder, view.bomb.receiver)


def blocking(view: View) -> Phrase | None:
    """Return the block of this turn's action."""
    if view.block is None:
        return None
    return BLOCKS.phrase(view.viewer, view.block.seat, card=CHARACTERS[view.block.character])


def asks_of_all(view: View, question: Question) -> Phrase:
    """Return the question about another player's action, directly after the sentence that tells it."""
    may_block_too = view.viewer is not None and _may_block_too(view, question)
    return Phrase(CHALLENGE_OR_BLOCK if may_block_too else ASKED_OF_ALL[question.kind])


def asks(view: View, question: Question) -> Phrase:
    """Return a question as a sentence to the player who is asked. A spectator's view gives it without hidden cards."""
    if question.kind in ASKED_OF_ALL:
        about = blocking(view) if question.kind == "challenge-block" else bomb_on_its_way(view) or doing(view)
        return Phrase("%(doing)s %(question)s", {"doing": about or "", "question": asks_of_all(view, question)})
    if view.challenge and view.challenge.challenger and question.kind == "proof":
        return _doubted(view, question, view.challenge, view.challenge.challenger)
    values: dict[str, Any] = {"actor": SeatName(view.action.seat)} if view.action else {}
    if (
        question.kind in FORCED
        and len(cards := {*(view.seats[question.seat - 1].hand or ()), *(view.drawn or ())}) == 1
    ):
        return Phrase(FORCED[question.kind], {**values, "card": CHARACTERS[cards.pop()]})
    if question.kind == "turn" and view.seats[question.seat - 1].coins >= FORCED_COUP:
        return Phrase(MUST_COUP)
    if view.action and view.action.target:
        values["target"] = SeatName(view.action.target)
    if question.kind == "examine" and view.examined is None:
        return Phrase(HANDS_BACK, values)
    if view.examined:
        values["card"] = CHARACTERS[view.examined]
    return Phrase(ASKS[question.kind], values)


def _doubted(view: View, question: Question, claim: ClaimView, challenger: SeatNumber) -> Phrase:
    """Return the possible answers to a challenge and, if the claim is false, which card that costs."""
    hand = view.seats[question.seat - 1].hand
    values: dict[str, Any] = {"challenger": SeatName(challenger), "card": CHARACTERS[claim.character]}
    if hand is None:
        return Phrase(NO_CARD_DOUBTED if claim.denies else CARD_DOUBTED, values)
    if (claim.character in hand) != claim.denies:
        return Phrase(DENIAL_DOUBTED if claim.denies else CLAIM_DOUBTED, values)
    doubted = Phrase(DENIAL_FALSE if claim.denies else CLAIM_FALSE, values)
    return Phrase("%(doubted)s %(loses)s", {"doubted": doubted, "loses": _loses(view, hand)})


def _loses(view: View, hand: tuple[Character, ...]) -> Phrase:
    """Return the sentence about the loss of a player who lied. It is a question if they have a choice."""
    if len(hand) > 1 and _costs_both(view):
        return Phrase(LOSES_BOTH)
    return Phrase(LOSES, {"lost": CHARACTERS[hand[0]]}) if len(set(hand)) == 1 else Phrase(WHICH_LOST)


def _costs_both(view: View) -> bool:
    """Return whether the claim that is challenged defends against a loss, which follows if it is false."""
    if view.bomb is not None:
        return True
    if view.block is None or view.action is None or view.block.seat != view.action.target:
        return False
    return law_of(view.options, len(view.seats)).actions[view.action.verb].costs_influence


CARD_DOUBTED: Final = _("%(challenger)s doesn’t believe that you hold the %(card)s.")
NO_CARD_DOUBTED: Final = _("%(challenger)s doesn’t believe that you hold no %(card)s.")
CLAIM_DOUBTED: Final = _("%(challenger)s doesn’t believe that you hold the %(card)s. Do you prove it?")
DENIAL_DOUBTED: Final = _("%(challenger)s doesn’t believe that you hold no %(card)s. Do you show your cards?")
CLAIM_FALSE: Final = _("%(challenger)s doesn’t believe that you hold the %(card)s, and is right.")
DENIAL_FALSE: Final = _("%(challenger)s doesn’t believe that you hold no %(card)s, and is right.")
LOSES: Final = _("You lose the %(lost)s.")
LOSES_BOTH: Final = _("You lose both cards.")
WHICH_LOST: Final = _("Which card do you lose?")


def _may_block_too(view: View, question: Question) -> bool:
    """Return whether this seat answers in the same prompt whether it blocks (Coup C6)."""
    aimed = question.kind == "challenge" and view.action is not None and view.action.target == question.seat
    if not aimed or not isinstance(view.options.prompts, msgspec.UnsetType):
        return False
    assert view.action is not None
    return bool(law_of(view.options, len(view.seats)).actions[view.action.verb].blocked_by)


LABELS: Final[Mapping[str, str]] = {
    "allow": _("Allow it"),
    "challenge": _("Challenge the claim"),
    "block": _("Block with the %(card)s"),
    "prove": _("Prove it"),
    "concede": _("Concede the challenge"),
    "concede card": _("Concede and lose the %(card)s"),
    "explode": _("Let it explode"),
    "explode card": _("Let it explode and lose the %(card)s"),
    "lose": _("Lose the %(card)s"),
    "keep": _("Keep %(cards)s"),
    "pick": _("Keep the %(card)s"),
    "empire": _("Start with the empire"),
    "resistance": _("Start with the resistance"),
    "show": _("Show the %(card)s"),
    "return": _("Hand it back"),
    "swap": _("Have it swapped"),
    "defuse": _("Defuse the bomb with the contessa"),
    "hand": _("Hand the bomb on to %(target)s with the contessa"),
    "income": _("Take income: 1 coin"),
    "foreign-aid": _("Take foreign aid: 2 coins"),
    "coup": _("Launch a coup against %(target)s"),
    "tax": _("Collect tax with the duke: 3 coins"),
    "assassinate": _("Assassinate %(target)s with the assassin"),
    "steal": _("Steal from %(target)s with the captain"),
    "exchange": _("Exchange cards with the court"),
    "examine": _("Examine a card of %(target)s with the inquisitor"),
    "convert": _("Change your own party for 1 coin"),
    "convert target": _("Change the party of %(target)s for 2 coins"),
    "embezzle": _("Embezzle the reserve, claiming to hold no duke"),
    "bomb": _("Send the anarchist to %(target)s"),
}
"""The labels of moves, by verb, or by verb and value."""


def label(move: Move) -> Phrase:
    """Return the label of a move, as on a button."""
    values = {place: value for place, value in spoken(move).items() if value}
    if target := getattr(move, "target", None):
        values["target"] = SeatName(target)
    verb = m.VERBS[type(move)]
    return Phrase(LABELS.get(" ".join((verb, *values))) or LABELS[verb], values)


CHARACTERS: Final[Mapping[str, str]] = {
    "duke": _("duke"),
    "assassin": _("assassin"),
    "captain": _("captain"),
    "ambassador": _("ambassador"),
    "contessa": _("contessa"),
    "inquisitor": _("inquisitor"),
}

PARTIES: Final[Mapping[str, str]] = {"empire": _("empire"), "resistance": _("resistance")}


def cards(hand: tuple[Card, ...]) -> tuple[Phrase, ...]:
    """Return known cards as a list of phrases."""
    return tuple(Phrase(CHARACTERS[card]) for card in hand if card)


def coins(number: int) -> Phrase:
    """Return a number of coins as a phrase."""
    return Phrase(_("1 coin") if number == 1 else _("%(coins)s coins"), {"coins": number})


def card_or_cards(value: Any) -> Any:
    """Return the words for one or more cards, or none if they are hidden."""
    return cards(value) if isinstance(value, tuple) else CHARACTERS.get(value)


SPOKEN: Final[Sequence[tuple[str, str, Callable[[Any], Any]]]] = (
    *((field, field, card_or_cards) for field in ("cards", "card", "returned")),
    ("kept", "cards", card_or_cards),
    ("drawn", "card", card_or_cards),
    ("character", "card", card_or_cards),
    ("characters", "cards", card_or_cards),
    ("coins", "coins", coins),
)
"""The fields of events and moves that sentences mention: the name in the sentence, and the words for the value."""


def spoken(source: Any) -> dict[str, Any]:
    """Return the fields of an event or a move as values of a sentence."""
    return {place: words(getattr(source, field)) for field, place, words in SPOKEN if hasattr(source, field)}


_SAID: Final[Mapping[str, str]] = {
    "inquisitor": _("The inquisitor replaces the ambassador"),
    "reformation": _("Reformation: parties, conversion and the reserve"),
    "anarchist": _("Anarchist: the bomb"),
    "two_player_setup": _("Cards for two players"),
    "two_player_setup.draft": _("by secret draft"),
    "two_player_setup.dealt": _("dealt like everyone else’s"),
    "answers": _("A challenge or block"),
    "answers.first": _("the first one is played right away"),
    "answers.sealed": _("is opened once everyone has answered"),
    "waiting": _("Who hasn’t answered yet"),
    "waiting.hidden": _("hidden"),
    "waiting.number": _("the number is shown: with quick plans it can reveal who plans ahead"),
    "waiting.public": _("the names are shown: with quick plans they reveal who plans ahead"),
}
OPTIONS: Final[Mapping[str, Phrase]] = STARTER_WORDS | {name: Phrase(label) for name, label in _SAID.items()}


EXPANSION_RULES: Final[Mapping[str, tuple[str, ...]]] = {
    "inquisitor": (
        _("Inquisitor: draw a card from the court and return one. Blocks stealing."),
        _("Inquisitor: or examine a card of another player, and hand it back or have it swapped."),
    ),
    "reformation": (
        _("You can’t harm a member of your party or block their foreign aid, unless everyone is in one party."),
        _("Convert: pay 1 coin to change your own party, 2 to change another’s; the coins go to the reserve."),
        _("Embezzle: claim to hold no duke and take the reserve."),
    ),
    "anarchist": (
        _("Anarchist: pay 5 coins and hand the bomb to another player."),
        _("The player with the bomb loses an influence, or claims the contessa to defuse it or hand it on."),
        _("A player who is caught without the contessa then loses both cards."),
        _(
            "The bomb never goes to the player who paid for it, or to one who has held it in this turn. If its holder "
            "resigns, it goes back to the middle."
        ),
    ),
}
"""The rules that an expansion adds, line by line, by its option."""
PERSIAN, SYNONYMS = read_words(Path(__file__).with_name("words.toml"))
