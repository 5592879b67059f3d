"""The words of Coup: the story, the questions, the buttons."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from games.engine import Event, Move, Phrase, Question, SeatName, SeatNumber, gettext_noop
from games.rules.coup import events as e
from games.rules.coup import moves as m
from games.rules.coup.expansions import anarchist, draft, inquisitor, reformation
from games.rules.coup.expansions.book import law_of
from games.rules.coup.state import Card
from games.rules.coup.visibility.views import View

CHARACTERS: Final[Mapping[str, str]] = {
    "duke": gettext_noop("duke"),
    "assassin": gettext_noop("assassin"),
    "captain": gettext_noop("captain"),
    "ambassador": gettext_noop("ambassador"),
    "contessa": gettext_noop("contessa"),
    "inquisitor": gettext_noop("inquisitor"),
}

PARTIES: Final[Mapping[str, str]] = {
    "empire": gettext_noop("empire"),
    "resistance": gettext_noop("resistance"),
}

ACTIONS: Final[Mapping[str, tuple[str, str]]] = {
    "income": (gettext_noop("%(player)s takes income."), gettext_noop("Take income: 1 coin")),
    "foreign-aid": (gettext_noop("%(player)s asks for foreign aid."), gettext_noop("Take foreign aid: 2 coins")),
    "coup": (
        gettext_noop("%(player)s pays 7 coins for a coup against %(target)s."),
        gettext_noop("Launch a coup against %(target)s"),
    ),
    "tax": (gettext_noop("%(player)s collects tax as %(claim)s."), gettext_noop("Collect tax as duke: 3 coins")),
    "assassinate": (
        gettext_noop("%(player)s pays 3 coins and sends an assassin after %(target)s, as %(claim)s."),
        gettext_noop("Assassinate %(target)s, as assassin"),
    ),
    "steal": (
        gettext_noop("%(player)s steals from %(target)s as %(claim)s."),
        gettext_noop("Steal from %(target)s, as captain"),
    ),
    "exchange": (
        gettext_noop("%(player)s exchanges cards with the court as %(claim)s."),
        gettext_noop("Exchange cards with the court"),
    ),
    "examine": (
        gettext_noop("%(player)s examines %(target)s as %(claim)s."),
        gettext_noop("Examine a card of %(target)s, as inquisitor"),
    ),
    "convert": (
        gettext_noop("%(player)s pays for a change of party."),
        gettext_noop("Change your own party for 1 coin"),
    ),
    "embezzle": (
        gettext_noop("%(player)s embezzles the reserve, claiming to hold no duke."),
        gettext_noop("Embezzle the reserve, claiming to hold no duke"),
    ),
    "bomb": (
        gettext_noop("%(player)s pays 5 coins and sends the anarchist to %(target)s."),
        gettext_noop("Send the anarchist to %(target)s"),
    ),
}
"""For each action the sentence of the story and the words on the button."""

LOSSES: Final[Mapping[str, str]] = {
    "coup": gettext_noop("%(player)s loses the %(card)s to the coup."),
    "assassination": gettext_noop("%(player)s loses the %(card)s to the assassin."),
    "challenge": gettext_noop("%(player)s loses the %(card)s for the challenge."),
    "bomb": gettext_noop("%(player)s loses the %(card)s to the bomb."),
}

CONVERT_OTHER: Final = gettext_noop("Change the party of %(target)s for 2 coins")


def cards(given: tuple[Card, ...]) -> tuple[Phrase, ...]:
    """Known cards as a list of phrases."""
    return tuple(Phrase(CHARACTERS[card]) for card in given if card)


def coins(number: int) -> Phrase:
    """Return so many coins as a phrase."""
    return Phrase(gettext_noop("1 coin") if number == 1 else gettext_noop("%(coins)s coins"), {"coins": number})


def phrase(sentence: str, seat: SeatNumber | None = None, **values: Any) -> Phrase:
    """A sentence about a player."""
    player = {} if seat is None else {"player": SeatName(seat)}
    return Phrase(sentence, {**player, **values})


def declared(event: e.Declared) -> Phrase:
    """An action, whom it is aimed at and what it claims."""
    values: dict[str, Any] = {}
    if event.target:
        values["target"] = SeatName(event.target)
    if event.claim:
        values["claim"] = CHARACTERS[event.claim]
    return phrase(ACTIONS[event.action][0], event.seat, **values)


def dealt(event: e.Dealt) -> Phrase | None:
    """One's own cards."""
    known = cards(event.cards)
    return phrase(gettext_noop("%(player)s is dealt: %(cards)s."), event.seat, cards=known) if known else None


def answered(event: e.Answered) -> Phrase | None:
    """One's own answer, and that others answered as far as it is shown."""
    if event.answer == "allow":
        return phrase(gettext_noop("%(player)s allows it."), event.seat)
    if event.answer == "block" and event.character:
        character = CHARACTERS[event.character]
        return phrase(gettext_noop("%(player)s would block as %(card)s."), event.seat, card=character)
    if event.answer == "challenge":
        return phrase(gettext_noop("%(player)s doubts it."), event.seat)
    return somebody_answered(event.seat)


def somebody_answered(seat: SeatNumber | None) -> Phrase:
    """An answer whose content is hidden."""
    if seat is None:
        return Phrase(gettext_noop("Somebody has answered."))
    return phrase(gettext_noop("%(player)s has answered."), seat)


def challenged(event: e.Challenged) -> Phrase:
    """Return who doubts whom."""
    sentence = gettext_noop("%(player)s challenges %(target)s.")
    return phrase(sentence, event.seat, target=SeatName(event.against))


def proved(event: e.Proved) -> Phrase:
    """The cards shown."""
    sentence = gettext_noop("%(player)s shows %(cards)s: the challenge fails, and the court is shuffled.")
    return phrase(sentence, event.seat, cards=cards(event.cards))


def replaced(event: e.Replaced) -> Phrase | None:
    """The replacement, for its owner."""
    known = cards(event.cards)
    return phrase(gettext_noop("%(player)s draws %(cards)s instead."), event.seat, cards=known) if known else None


def stopped(event: e.Stopped) -> Phrase:
    """Return why nothing came of the action."""
    if event.reason == "blocked":
        return phrase(gettext_noop("The action of %(player)s is blocked."), event.seat)
    return phrase(gettext_noop("Nothing comes of the action of %(player)s, who has resigned."), event.seat)


def drew(event: e.Drew) -> Phrase:
    """Return what an exchange drew, for its owner; for others that it drew."""
    known = cards(event.cards)
    if known:
        return phrase(gettext_noop("%(player)s draws %(cards)s from the court."), event.seat, cards=known)
    return phrase(gettext_noop("%(player)s draws from the court."), event.seat)


def kept(event: e.Kept) -> Phrase:
    """Return what an exchange kept, for its owner; for others that it is over."""
    known = cards(event.kept)
    if known:
        sentence = gettext_noop("%(player)s keeps %(cards)s and returns %(returned)s.")
        return phrase(sentence, event.seat, cards=known, returned=cards(event.returned))
    return phrase(gettext_noop("%(player)s has exchanged."), event.seat)


def resigned(event: e.Resigned) -> Phrase:
    """Return who gave up, and their cards."""
    return phrase(gettext_noop("%(player)s resigns and shows %(cards)s."), event.seat, cards=cards(event.cards))


def picked(event: draft.Picked) -> Phrase:
    """One's own pick, and that the other has picked as far as it is shown."""
    if event.card and event.seat:
        return phrase(gettext_noop("%(player)s keeps the %(card)s."), event.seat, card=CHARACTERS[event.card])
    return somebody_answered(event.seat)


def parties_chosen(event: reformation.PartiesChosen) -> Phrase:
    """The starter's party; the others alternate."""
    party = PARTIES[event.parties[event.seat - 1]]
    sentence = gettext_noop("%(player)s begins on the side of the %(party)s; the others alternate clockwise.")
    return phrase(sentence, event.seat, party=party)


def converted(event: reformation.Converted) -> Phrase:
    """Return whose party card was turned."""
    sentence = gettext_noop("%(target)s now belongs to the %(party)s.")
    return Phrase(sentence, {"target": SeatName(event.target), "party": PARTIES[event.party]})


def shown(event: inquisitor.Shown) -> Phrase:
    """The examined card, for the two who see it."""
    to = SeatName(event.to)
    if event.card:
        sentence = gettext_noop("%(player)s shows %(to)s the %(card)s.")
        return phrase(sentence, event.seat, to=to, card=CHARACTERS[event.card])
    return phrase(gettext_noop("%(player)s shows %(to)s a card."), event.seat, to=to)


def swapped(event: inquisitor.Swapped) -> Phrase:
    """A forced swap; its owner learns the new card."""
    if event.drawn:
        sentence = gettext_noop("%(player)s has to swap it and draws the %(card)s.")
        return phrase(sentence, event.seat, card=CHARACTERS[event.drawn])
    return phrase(gettext_noop("%(player)s has to swap it with the court."), event.seat)


def bomb_claimed(event: anarchist.BombClaimed) -> Phrase:
    """Defusing, or handing on."""
    if event.receiver is None:
        return phrase(gettext_noop("%(player)s defuses the bomb as contessa."), event.seat)
    sentence = gettext_noop("%(player)s hands the bomb on to %(target)s, as contessa.")
    return phrase(sentence, event.seat, target=SeatName(event.receiver))


def went_out(event: e.WentOut) -> Phrase:
    """Return who is out."""
    return phrase(gettext_noop("%(player)s is out of the game."), event.seat)


Teller = Callable[[Any], Phrase | None]

TELLERS: Final[Mapping[type[Event], Teller]] = {
    e.SetUp: lambda event: phrase(gettext_noop("The game begins. %(player)s starts."), event.starter),
    e.Dealt: dealt,
    e.TurnBegan: lambda event: phrase(gettext_noop("It is the turn of %(player)s."), event.seat),
    e.Declared: declared,
    e.Answered: answered,
    e.Challenged: challenged,
    e.ChallengeDropped: lambda event: phrase(gettext_noop("The challenge of %(player)s is dropped."), event.seat),
    e.Proved: proved,
    e.Replaced: replaced,
    e.Conceded: lambda event: phrase(gettext_noop("%(player)s concedes the challenge."), event.seat),
    e.Refunded: lambda event: phrase(
        gettext_noop("%(player)s gets %(coins)s back."), event.seat, coins=coins(event.coins)
    ),
    e.Blocked: lambda event: phrase(
        gettext_noop("%(player)s blocks as %(card)s."), event.seat, card=CHARACTERS[event.character]
    ),
    e.BlockLapsed: lambda event: phrase(gettext_noop("The block of %(player)s is void."), event.seat),
    e.Stopped: stopped,
    e.LossAsked: lambda event: phrase(gettext_noop("%(player)s has to lose an influence."), event.seat),
    e.Lost: lambda event: phrase(LOSSES[event.reason], event.seat, card=CHARACTERS[event.card]),
    e.WentOut: went_out,
    e.Gained: lambda event: phrase(gettext_noop("%(player)s takes %(coins)s."), event.seat, coins=coins(event.coins)),
    e.Stole: lambda event: phrase(
        gettext_noop("%(player)s takes %(coins)s from %(target)s."),
        event.seat,
        coins=coins(event.coins),
        target=SeatName(event.target),
    ),
    e.Drew: drew,
    e.Kept: kept,
    e.Resigned: resigned,
    e.GameEnded: lambda event: phrase(gettext_noop("%(player)s has won the game."), event.winner),
    draft.DraftOpened: lambda event: Phrase(gettext_noop("Both players secretly choose one of five cards to keep.")),
    draft.Picked: picked,
    reformation.PartyAsked: lambda event: phrase(gettext_noop("%(player)s chooses a party."), event.seat),
    reformation.PartiesChosen: parties_chosen,
    reformation.Converted: converted,
    reformation.Embezzled: lambda event: phrase(
        gettext_noop("%(player)s takes %(coins)s from the reserve."), event.seat, coins=coins(event.coins)
    ),
    inquisitor.ShowAsked: lambda event: phrase(gettext_noop("%(player)s chooses a card to show."), event.seat),
    inquisitor.Shown: shown,
    inquisitor.HandedBack: lambda event: phrase(gettext_noop("%(player)s gets the card back."), event.seat),
    inquisitor.Swapped: swapped,
    anarchist.BombHanded: lambda event: phrase(
        gettext_noop("%(player)s hands the bomb to %(target)s."), event.seat, target=SeatName(event.target)
    ),
    anarchist.BombClaimed: bomb_claimed,
    anarchist.Exploded: lambda event: phrase(gettext_noop("The bomb explodes at %(player)s."), event.seat),
    anarchist.BombReturned: lambda event: Phrase(gettext_noop("The anarchist is back in the middle.")),
}
"""A sentence for each event that there is something to tell of."""


def story(event: Event) -> Phrase | None:
    """A shown event as a sentence."""
    tell = TELLERS.get(type(event))
    return tell(event) if tell else None


ASKS: Final[Mapping[str, str]] = {
    "draft": gettext_noop("Which of your five cards do you keep? The other four go out of the game."),
    "party": gettext_noop("Which party do you begin with?"),
    "turn": gettext_noop("It is your turn. What do you do?"),
    "block": gettext_noop("Do you block the action of %(actor)s?"),
    "loss": gettext_noop("You lose an influence. Which card do you turn face up?"),
    "exchange": gettext_noop("Which cards do you keep?"),
    "show": gettext_noop("%(actor)s examines you. Which card do you show?"),
    "examine": gettext_noop("%(target)s shows you the %(card)s. Do you hand it back?"),
    "bomb": gettext_noop("You hold the bomb. What do you do with it?"),
}


def asks(view: View, question: Question) -> Phrase:
    """A question as a sentence to the player it is put to."""
    claim, action = view.challenge, view.action
    if claim and question.kind in ("challenge", "challenge-block", "proof"):
        values: dict[str, Any] = {"player": SeatName(claim.seat), "card": CHARACTERS[claim.character]}
        if claim.challenger:
            values["challenger"] = SeatName(claim.challenger)
        if question.kind == "challenge" and _may_block_too(view, question.seat):
            return Phrase(CLAIM_TO_BLOCK, values)
        return Phrase(claim_question(question.kind, claim.denies), values)
    values = {"actor": SeatName(action.seat)} if action else {}
    if action and action.target:
        values["target"] = SeatName(action.target)
    if view.examined:
        values["card"] = CHARACTERS[view.examined]
    return Phrase(ASKS[question.kind], values)


CLAIM_TO_BLOCK: Final = gettext_noop(
    "%(player)s claims the %(card)s. Do you believe it? If so, you may block at once: it counts if nobody challenges."
)


def _may_block_too(view: View, seat: SeatNumber) -> bool:
    """Return whether this seat answers in the same prompt whether it blocks (Coup C6)."""
    if view.action is None or view.action.target != seat or not isinstance(view.options.prompts, msgspec.UnsetType):
        return False
    return bool(law_of(view.options, len(view.seats)).actions[view.action.verb].blocked_by)


def claim_question(kind: str, denies: bool) -> str:
    """Return how a claim is asked about."""
    if kind == "proof" and denies:
        return gettext_noop("%(challenger)s does not believe that you hold no %(card)s. Do you show your cards?")
    if kind == "proof":
        return gettext_noop("%(challenger)s does not believe that you hold the %(card)s. Do you prove it?")
    if denies:
        return gettext_noop("%(player)s claims to hold no %(card)s. Do you believe it?")
    if kind == "challenge-block":
        return gettext_noop("%(player)s blocks, claiming the %(card)s. Do you believe it?")
    return gettext_noop("%(player)s claims the %(card)s. Do you believe it?")


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
    **{verb: label for verb, (_, label) in ACTIONS.items()},
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
