"""The questions of Coup and its buttons, and what is being done while they are asked."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from games.engine import Move, Phrase, Question, SeatName, SeatNumber, Told, gettext_noop
from games.rules.coup import moves as m
from games.rules.coup.asking import FORCED_COUP
from games.rules.coup.cards import Character
from games.rules.coup.expansions.book import law_of
from games.rules.coup.text.characters import CHARACTERS, cards
from games.rules.coup.visibility.views import ClaimView, View

DOES: Final[Mapping[str, Told]] = {
    "income": Told(gettext_noop("%(player)s takes income."), gettext_noop("You take income.")),
    "foreign-aid": Told(gettext_noop("%(player)s asks for foreign aid."), gettext_noop("You ask for foreign aid.")),
    "coup": Told(
        gettext_noop("%(player)s pays 7 coins for a coup against %(target)s."),
        gettext_noop("You pay 7 coins for a coup against %(target)s."),
        gettext_noop("%(player)s pays 7 coins for a coup against you."),
    ),
    "tax": Told(
        gettext_noop("%(player)s claims the duke to collect tax."), gettext_noop("You claim the duke to collect tax.")
    ),
    "assassinate": Told(
        gettext_noop("%(player)s pays 3 coins and claims the assassin against %(target)s."),
        gettext_noop("You pay 3 coins and claim the assassin against %(target)s."),
        gettext_noop("%(player)s pays 3 coins and claims the assassin against you."),
    ),
    "steal": Told(
        gettext_noop("%(player)s claims the captain to steal from %(target)s."),
        gettext_noop("You claim the captain to steal from %(target)s."),
        gettext_noop("%(player)s claims the captain to steal from you."),
    ),
    "exchange": Told(
        gettext_noop("%(player)s claims the %(claim)s to exchange cards."),
        gettext_noop("You claim the %(claim)s to exchange cards."),
    ),
    "examine": Told(
        gettext_noop("%(player)s claims the inquisitor to examine %(target)s."),
        gettext_noop("You claim the inquisitor to examine %(target)s."),
        gettext_noop("%(player)s claims the inquisitor to examine you."),
    ),
    "convert": Told(
        gettext_noop("%(player)s pays 1 coin to change party."), gettext_noop("You pay 1 coin to change party.")
    ),
    "convert other": Told(
        gettext_noop("%(player)s pays 2 coins to change the party of %(target)s."),
        gettext_noop("You pay 2 coins to change the party of %(target)s."),
        gettext_noop("%(player)s pays 2 coins to change your party."),
    ),
    "embezzle": Told(
        gettext_noop("%(player)s claims to hold no duke, to embezzle the reserve."),
        gettext_noop("You claim to hold no duke, to embezzle the reserve."),
    ),
    "bomb": Told(
        gettext_noop("%(player)s pays 5 coins and sends the anarchist to %(target)s."),
        gettext_noop("You pay 5 coins and send the anarchist to %(target)s."),
        gettext_noop("%(player)s pays 5 coins and sends you the anarchist."),
    ),
}
"""The action of a turn while it is being done, with its claim."""

DEFUSES: Final = Told(
    gettext_noop("%(player)s claims the contessa to defuse the bomb."),
    gettext_noop("You claim the contessa to defuse the bomb."),
)
HANDS_ON: Final = Told(
    gettext_noop("%(player)s claims the contessa to hand the bomb on to %(target)s."),
    gettext_noop("You claim the contessa to hand the bomb on to %(target)s."),
    gettext_noop("%(player)s claims the contessa to hand the bomb on to you."),
)
BLOCKS: Final = Told(gettext_noop("%(player)s blocks as %(card)s."), gettext_noop("You block as %(card)s."))

CONVERT_OTHER: Final = gettext_noop("Change the party of %(target)s for 2 coins")

ASKS: Final[Mapping[str, str]] = {
    "draft": gettext_noop("Which of your five cards do you keep? The other four go out of the game."),
    "party": gettext_noop("Which party do you begin with?"),
    "turn": gettext_noop("It is your turn. What do you do?"),
    "loss": gettext_noop("You lose an influence. Which card do you turn face up?"),
    "exchange": gettext_noop("Which cards do you keep?"),
    "show": gettext_noop("%(actor)s examines you. Which card do you show?"),
    "examine": gettext_noop("%(target)s shows you the %(card)s. Do you hand it back?"),
    "bomb": gettext_noop("You hold the bomb. What do you do with it?"),
}
FORCED: Final[Mapping[str, str]] = {
    "loss": gettext_noop("You lose an influence: the %(card)s, as both your cards are alike."),
    "show": gettext_noop("%(actor)s examines you. You show the %(card)s."),
    "exchange": gettext_noop("You keep the %(card)s: all your cards are alike."),
}
"""Questions that the player's own cards leave one answer to."""

ASKED_OF_ALL: Final[Mapping[str, str]] = {
    "challenge": gettext_noop("Do you believe it?"),
    "challenge-block": gettext_noop("Do you believe it?"),
    "block": gettext_noop("Do you block it?"),
}
"""The questions about what somebody does."""
MUST_COUP: Final = gettext_noop("It is your turn. With 10 coins or more you must launch a coup.")
CHALLENGE_OR_BLOCK: Final = gettext_noop(
    "Do you believe it? If so, you may block right away: your block is played if nobody challenges."
)


def doing(view: View) -> Phrase | None:
    """The action of this turn, whom it is aimed at and what it claims, for the viewer."""
    if view.action is None:
        return None
    verb, target = view.action.verb, view.action.target
    claims = law_of(view.options, len(view.seats)).actions[verb].claims
    values: dict[str, Any] = {"claim": CHARACTERS[claims]} if claims else {}
    told = DOES["convert other" if verb == "convert" and target else verb]
    return told.phrase(view.viewer, view.action.seat, target, **values)


def bomb_on_its_way(view: View) -> Phrase | None:
    """The claim of whoever holds the bomb: to defuse it, or to hand it on."""
    if view.bomb is None or view.asking == "bomb":
        return None
    told = HANDS_ON if view.bomb.receiver else DEFUSES
    return told.phrase(view.viewer, view.bomb.holder, view.bomb.receiver)


def blocking(view: View) -> Phrase | None:
    """The block of this turn's action."""
    if view.block is None:
        return None
    return BLOCKS.phrase(view.viewer, view.block.seat, card=CHARACTERS[view.block.character])


def asks_of_all(view: View, question: Question) -> Phrase:
    """A question about what somebody does, where that has just been said."""
    return Phrase(CHALLENGE_OR_BLOCK if _may_block_too(view, question) else ASKED_OF_ALL[question.kind])


def asks(view: View, question: Question) -> Phrase:
    """A question as a sentence to the player it is put to."""
    if question.kind in ASKED_OF_ALL:
        about = blocking(view) if question.kind == "challenge-block" else bomb_on_its_way(view) or doing(view)
        return Phrase("%(doing)s %(question)s", {"doing": about or "", "question": asks_of_all(view, question)})
    if view.challenge and view.challenge.challenger and question.kind == "proof":
        return _doubted(view, question, view.challenge, view.challenge.challenger)
    values: dict[str, Any] = {"actor": SeatName(view.action.seat)} if view.action else {}
    if question.kind in FORCED and len(held := {*(view.seats[question.seat - 1].hand or ()), *(view.drawn or ())}) == 1:
        return Phrase(FORCED[question.kind], {**values, "card": CHARACTERS[held.pop()]})
    if question.kind == "turn" and view.seats[question.seat - 1].coins >= FORCED_COUP:
        return Phrase(MUST_COUP)
    if view.action and view.action.target:
        values["target"] = SeatName(view.action.target)
    if view.examined:
        values["card"] = CHARACTERS[view.examined]
    return Phrase(ASKS[question.kind], values)


def _doubted(view: View, question: Question, claim: ClaimView, challenger: SeatNumber) -> Phrase:
    """Return how a claim can be answered for that is challenged; where it is false, which card that costs."""
    hand = view.seats[question.seat - 1].hand or ()
    values: dict[str, Any] = {"challenger": SeatName(challenger), "card": CHARACTERS[claim.character]}
    if (claim.character in hand) != claim.denies:
        return Phrase(DENIAL_DOUBTED if claim.denies else CLAIM_DOUBTED, values)
    doubted = Phrase(DENIAL_FALSE if claim.denies else CLAIM_FALSE, values)
    return Phrase("%(doubted)s %(loses)s", {"doubted": doubted, "loses": _loses(view, hand)})


def _loses(view: View, hand: tuple[Character, ...]) -> Phrase:
    """Return what whoever is caught loses: what they may choose is asked, what follows by itself is said."""
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


CLAIM_DOUBTED: Final = gettext_noop("%(challenger)s does not believe that you hold the %(card)s. Do you prove it?")
DENIAL_DOUBTED: Final = gettext_noop(
    "%(challenger)s does not believe that you hold no %(card)s. Do you show your cards?"
)
CLAIM_FALSE: Final = gettext_noop("%(challenger)s does not believe that you hold the %(card)s, and is right.")
DENIAL_FALSE: Final = gettext_noop("%(challenger)s does not believe that you hold no %(card)s, and is right.")
LOSES: Final = gettext_noop("You lose the %(lost)s.")
LOSES_BOTH: Final = gettext_noop("You lose both cards.")
WHICH_LOST: Final = gettext_noop("Which card do you lose?")


def _may_block_too(view: View, question: Question) -> bool:
    """Return whether this seat answers in the same prompt whether it blocks (Coup C6)."""
    aimed = question.kind == "challenge" and view.action is not None and view.action.target == question.seat
    if not aimed or not isinstance(view.options.prompts, msgspec.UnsetType):
        return False
    assert view.action is not None
    return bool(law_of(view.options, len(view.seats)).actions[view.action.verb].blocked_by)


LABELS: Final[Mapping[str, str]] = {
    "allow": gettext_noop("Allow it"),
    "challenge": gettext_noop("Challenge the claim"),
    "block": gettext_noop("Block as %(card)s"),
    "prove": gettext_noop("Prove it"),
    "lose": gettext_noop("Lose the %(card)s"),
    "keep": gettext_noop("Keep %(cards)s"),
    "pick": gettext_noop("Keep the %(card)s"),
    "empire": gettext_noop("Begin with the empire"),
    "resistance": gettext_noop("Begin with the resistance"),
    "show": gettext_noop("Show the %(card)s"),
    "return": gettext_noop("Hand it back"),
    "swap": gettext_noop("Have it swapped"),
    "defuse": gettext_noop("Defuse the bomb, as contessa"),
    "hand": gettext_noop("Hand the bomb on to %(target)s, as contessa"),
    "income": gettext_noop("Take income: 1 coin"),
    "foreign-aid": gettext_noop("Take foreign aid: 2 coins"),
    "coup": gettext_noop("Launch a coup against %(target)s"),
    "tax": gettext_noop("Collect tax as duke: 3 coins"),
    "assassinate": gettext_noop("Assassinate %(target)s, as assassin"),
    "steal": gettext_noop("Steal from %(target)s, as captain"),
    "exchange": gettext_noop("Exchange cards with the court"),
    "examine": gettext_noop("Examine a card of %(target)s, as inquisitor"),
    "convert": gettext_noop("Change your own party for 1 coin"),
    "embezzle": gettext_noop("Embezzle the reserve, claiming to hold no duke"),
    "bomb": gettext_noop("Send the anarchist to %(target)s"),
}


def label(move: Move) -> Phrase:
    """A move as a button says it."""
    verb = str(move.__struct_config__.tag)
    values: dict[str, Any] = {}
    if target := getattr(move, "target", None):
        values["target"] = SeatName(target)
    if character := getattr(move, "character", None):
        values["card"] = CHARACTERS[character]
    if isinstance(move, m.Keep):
        values["cards"] = cards(move.characters)
    if isinstance(move, m.Convert) and move.target:
        return Phrase(CONVERT_OTHER, values)
    if isinstance(move, m.Concede):
        named = gettext_noop("Concede and lose the %(card)s")
        return Phrase(named if move.character else gettext_noop("Concede the challenge"), values)
    if isinstance(move, m.Explode):
        named = gettext_noop("Let it explode and lose the %(card)s")
        return Phrase(named if move.character else gettext_noop("Let it explode"), values)
    return Phrase(LABELS[verb], values)
