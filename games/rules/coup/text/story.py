"""The story of Coup: sentences about the events of a game for one reader. No fact is told twice.

An action without a challenge or a block is one sentence with its effect, and so is a challenge with its result. The
tables of this module list the sentence of each event, and the events that share a sentence.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from games.engine import Event, Phrase, Sentence
from games.engine import gettext_noop as _
from games.engine.story import Line, line_by_line
from games.rules.coup import events as e
from games.rules.coup.expansions import anarchist, draft, inquisitor, reformation
from games.rules.coup.text.words import CHARACTERS, PARTIES, cards, coins, spoken

DROPPED: Final = Sentence(_("%(player)s’s challenge was dropped."), _("Your challenge was dropped."))
LAPSED: Final = Sentence(_("%(player)s’s block lapsed."), _("Your block lapsed."))
HANDED_BACK: Final = Sentence(_("%(player)s got the card back."), _("You got the card back."))
EXPLODED: Final = Sentence(_("The bomb exploded in %(player)s’s hands."), _("The bomb exploded in your hands."))
PROVED: Final = Sentence(_("%(player)s showed the %(cards)s."), _("You showed the %(cards)s."))
CONCEDED: Final = Sentence(_("%(player)s conceded the challenge."), _("You conceded the challenge."))
RETURNED: Final = Sentence(
    _("%(player)s returned %(coins)s to the treasury."), _("You returned %(coins)s to the treasury.")
)
OUT: Final = Sentence(_("%(player)s is out of the game."), _("You’re out of the game."))
OUT_WITH_COINS: Final = Sentence(
    _("%(player)s is out of the game; their %(coins)s went to the treasury."),
    _("You’re out of the game; your %(coins)s went to the treasury."),
)
RESIGNED: Final = Sentence(_("%(player)s resigned and showed %(cards)s."), _("You resigned and showed %(cards)s."))
RESIGNED_WITH_COINS: Final = Sentence(
    _("%(player)s resigned and showed %(cards)s; their %(coins)s went to the treasury."),
    _("You resigned and showed %(cards)s; your %(coins)s went to the treasury."),
)
DREW: Final = Sentence(_("%(player)s drew %(cards)s from the court."), _("You drew %(cards)s from the court."))
DREW_UNSEEN: Final = Sentence(_("%(player)s drew from the court."), _("You drew from the court."))
KEPT: Final = Sentence(
    _("%(player)s kept %(cards)s and returned %(returned)s."), _("You kept %(cards)s and returned %(returned)s.")
)
BOMB_CLAIMED: Final = Sentence(
    _("%(player)s claimed the contessa to defuse the bomb."), _("You claimed the contessa to defuse the bomb.")
)
BOMB_PASSED: Final = Sentence(
    _("%(player)s claimed the contessa to hand the bomb on to %(target)s."),
    _("You claimed the contessa to hand the bomb on to %(target)s."),
    _("%(player)s claimed the contessa to hand the bomb on to you."),
)
SHOWN: Final = Sentence(
    _("%(player)s showed %(target)s the %(card)s."),
    _("You showed %(target)s the %(card)s."),
    _("%(player)s showed you the %(card)s."),
)
SHOWN_UNSEEN: Final = Sentence(
    _("%(player)s showed %(target)s a card."), _("You showed %(target)s a card."), _("%(player)s showed you a card.")
)
SWAPPED: Final = Sentence(
    _("%(player)s had to swap it and drew the %(card)s."), _("You had to swap it and drew the %(card)s.")
)
SWAPPED_UNSEEN: Final = Sentence(
    _("%(player)s had to swap it with the court."), _("You had to swap it with the court.")
)
DEALT: Final = Sentence(_("%(player)s was dealt %(cards)s."), _("Your cards: %(cards)s."))
REPLACED: Final = Sentence(_("%(player)s drew %(cards)s instead."), _("You drew %(cards)s instead."))
REFUNDED: Final = Sentence(_("%(player)s got %(coins)s back."), _("You got %(coins)s back."))
BLOCKED: Final = Sentence(_("%(player)s blocked with the %(card)s."), _("You blocked with the %(card)s."))
GAINED: Final = Sentence(_("%(player)s took %(coins)s."), _("You took %(coins)s."))
STOLE: Final = Sentence(
    _("%(player)s took %(coins)s from %(target)s."),
    _("You took %(coins)s from %(target)s."),
    _("%(player)s took %(coins)s from you."),
)
EMBEZZLED: Final = Sentence(_("%(player)s took %(coins)s from the reserve."), _("You took %(coins)s from the reserve."))
KEPT_OF_FIVE: Final = Sentence(_("%(player)s kept the %(card)s."), _("You kept the %(card)s."))

TRIED: Final[Mapping[str, Sentence]] = {
    "income": Sentence(_("%(player)s took income."), _("You took income.")),
    "foreign-aid": Sentence(_("%(player)s asked for foreign aid."), _("You asked for foreign aid.")),
    "coup": Sentence(
        _("%(player)s paid 7 coins for a coup against %(target)s."),
        _("You paid 7 coins for a coup against %(target)s."),
        _("%(player)s paid 7 coins for a coup against you."),
    ),
    "tax": Sentence(_("%(player)s claimed the duke to collect tax."), _("You claimed the duke to collect tax.")),
    "assassinate": Sentence(
        _("%(player)s paid 3 coins and claimed the assassin against %(target)s."),
        _("You paid 3 coins and claimed the assassin against %(target)s."),
        _("%(player)s paid 3 coins and claimed the assassin against you."),
    ),
    "steal": Sentence(
        _("%(player)s claimed the captain to steal from %(target)s."),
        _("You claimed the captain to steal from %(target)s."),
        _("%(player)s claimed the captain to steal from you."),
    ),
    "exchange": Sentence(
        _("%(player)s claimed the %(claim)s to exchange cards."), _("You claimed the %(claim)s to exchange cards.")
    ),
    "examine": Sentence(
        _("%(player)s claimed the inquisitor to examine %(target)s."),
        _("You claimed the inquisitor to examine %(target)s."),
        _("%(player)s claimed the inquisitor to examine you."),
    ),
    "convert": Sentence(_("%(player)s paid 1 coin to change party."), _("You paid 1 coin to change party.")),
    "convert other": Sentence(
        _("%(player)s paid 2 coins to change the party of %(target)s."),
        _("You paid 2 coins to change the party of %(target)s."),
        _("%(player)s paid 2 coins to change your party."),
    ),
    "embezzle": Sentence(
        _("%(player)s claimed to hold no duke, to embezzle the reserve."),
        _("You claimed to hold no duke, to embezzle the reserve."),
    ),
    "bomb": Sentence(
        _("%(player)s paid 5 coins and sent the anarchist to %(target)s."),
        _("You paid 5 coins and sent the anarchist to %(target)s."),
        _("%(player)s paid 5 coins and sent you the anarchist."),
    ),
}
"""Sentences about an action that was declared, whether or not it succeeds."""
DONE: Final[Mapping[str, Sentence]] = {
    "income": Sentence(_("%(player)s took income: %(coins)s."), _("You took income: %(coins)s.")),
    "foreign-aid": Sentence(_("%(player)s took foreign aid: %(coins)s."), _("You took foreign aid: %(coins)s.")),
    "tax": Sentence(
        _("%(player)s collected tax with the duke: %(coins)s."), _("You collected tax with the duke: %(coins)s.")
    ),
    "steal": Sentence(
        _("%(player)s stole %(coins)s from %(target)s with the captain."),
        _("You stole %(coins)s from %(target)s with the captain."),
        _("%(player)s stole %(coins)s from you with the captain."),
    ),
    "convert": Sentence(
        _("%(player)s paid 1 coin and joined the %(party)s."), _("You paid 1 coin and joined the %(party)s.")
    ),
    "convert other": Sentence(
        _("%(player)s paid 2 coins and moved %(target)s to the %(party)s."),
        _("You paid 2 coins and moved %(target)s to the %(party)s."),
        _("%(player)s paid 2 coins and moved you to the %(party)s."),
    ),
    "embezzle": Sentence(
        _("%(player)s took %(coins)s from the reserve, claiming to hold no duke."),
        _("You took %(coins)s from the reserve, claiming to hold no duke."),
    ),
}
"""Sentences about an action that took effect without a challenge or a block."""
ANSWERS: Final[Mapping[str, Sentence]] = {
    "allow": Sentence("", _("You allowed it.")),
    "block": Sentence(_("%(player)s wanted to block with the %(card)s."), _("You wanted to block with the %(card)s.")),
    "challenge": Sentence(_("%(player)s wanted to challenge."), _("You wanted to challenge.")),
}
"""Sentences about an answer in a reaction. Other players see only those about answers without effect, after the end."""
CHALLENGED: Final = Sentence(
    _("%(player)s challenged %(target)s."), _("You challenged %(target)s."), _("%(player)s challenged you.")
)
CHALLENGED_AND_PROVED: Final = Sentence(
    _("%(player)s challenged %(target)s, who showed the %(cards)s."),
    _("You challenged %(target)s, who showed the %(cards)s."),
    _("%(player)s challenged you, and you showed the %(cards)s."),
)
CHALLENGED_AND_CONCEDED: Final = Sentence(
    _("%(player)s challenged %(target)s, who conceded."),
    _("You challenged %(target)s, who conceded."),
    _("%(player)s challenged you, and you conceded."),
)
LOST: Final[Mapping[str, Sentence]] = {
    "coup": Sentence(_("%(player)s lost the %(card)s to the coup."), _("You lost the %(card)s to the coup.")),
    "assassination": Sentence(
        _("%(player)s lost the %(card)s to the assassin."), _("You lost the %(card)s to the assassin.")
    ),
    "challenge": Sentence(
        _("%(player)s lost the %(card)s in the challenge."), _("You lost the %(card)s in the challenge.")
    ),
    "bomb": Sentence(_("%(player)s lost the %(card)s to the bomb."), _("You lost the %(card)s to the bomb.")),
}
LOST_BRIEFLY: Final = Sentence(_("%(player)s lost the %(card)s."), _("You lost the %(card)s."))
"""The sentence about a loss whose cause was mentioned in the same turn."""
EXCHANGED: Final = Sentence(
    _("%(player)s exchanged cards with the %(claim)s, drawing %(cards)s."),
    _("You exchanged cards with the %(claim)s, drawing %(cards)s."),
)
EXCHANGED_UNSEEN: Final = Sentence(
    _("%(player)s exchanged cards with the %(claim)s."), _("You exchanged cards with the %(claim)s.")
)
BEGAN: Final = Sentence(_("The game started. %(player)s goes first."), _("The game started. You go first."))
STOPPED: Final = Sentence(_("%(player)s’s action was blocked."), _("Your action was blocked."))
FORSAKEN: Final = Sentence(
    _("%(player)s resigned, so their action had no effect."), _("You resigned, so your action had no effect.")
)
CONVERTED: Final = Sentence(_("%(player)s now belongs to the %(party)s."), _("You now belong to the %(party)s."))
WON: Final = Sentence(_("%(player)s won the game."), _("You won the game!"))
PARTY_CHOSEN: Final = Sentence(
    _("%(player)s started with the %(party)s; the others alternate clockwise."),
    _("You started with the %(party)s; the others alternate clockwise."),
)
BOMB_HANDED: Final = Sentence(
    _("%(player)s handed the bomb to %(target)s."),
    _("You handed the bomb to %(target)s."),
    _("%(player)s handed you the bomb."),
)

EFFECTS: Final = (e.Gained, e.Stole, reformation.Converted, reformation.Embezzled)
"""The events that share a sentence with their action if nothing came between."""

QUIET: Final = (e.WindowOpened, e.WindowClosed, e.Answered, e.AskedAnew, e.LossAsked)
"""The events that change nothing on the table."""

LED_TO: Final[Mapping[str, type[Event]]] = {"challenge": e.Challenged, "block": e.Blocked}
"""The event that an effective answer leads to. The story mentions it instead of the answer."""

CAUSES: Final[Mapping[str, type[Event]]] = {"coup": e.Declared, "challenge": e.Challenged, "bomb": anarchist.Exploded}
"""The causes of a loss. If the cause was mentioned in the same turn, the loss needs no reason."""


def declared(line: Line, index: int, event: e.Declared) -> Phrase:
    """Tell an action, together with its result if nothing came between."""
    action = "convert other" if event.action == "convert" and event.target else event.action
    values: dict[str, Any] = {"claim": CHARACTERS[event.claim]} if event.claim else {}
    if event.action == "exchange" and (drew := line.together(index, e.Drew)):
        known_cards = cards(drew.cards)
        sentence = EXCHANGED if known_cards else EXCHANGED_UNSEEN
        return sentence.phrase(line.reader, event.seat, cards=known_cards, **values)
    effect = line.together(index, *EFFECTS)
    if effect is None:
        return TRIED[action].phrase(line.reader, event.seat, event.target, **values)
    if isinstance(effect, reformation.Converted):
        values["party"] = PARTIES[effect.party]
    else:
        values["coins"] = coins(effect.coins)
    return DONE[action].phrase(line.reader, event.seat, event.target, **values)


def answered(line: Line, index: int, event: e.Answered) -> Phrase | None:
    """Tell the reader's own answer in a reaction, or another player's answer that had no effect and is no longer
    hidden.
    """
    if event.seat is None or event.answer is None:
        return None
    led_to = LED_TO.get(event.answer)
    if led_to is not None and line.after(index, led_to, event.seat):
        return None
    card = CHARACTERS[event.character] if event.character else ""
    return ANSWERS[event.answer].phrase(line.reader, event.seat, card=card)


def challenged(line: Line, index: int, event: e.Challenged) -> Phrase:
    """Tell a challenge and its result."""
    answer = line.together(index, e.Proved, e.Conceded)
    if isinstance(answer, e.Proved):
        return CHALLENGED_AND_PROVED.phrase(line.reader, event.seat, event.against, cards=cards(answer.cards))
    sentence = CHALLENGED if answer is None else CHALLENGED_AND_CONCEDED
    return sentence.phrase(line.reader, event.seat, event.against)


def stopped(line: Line, index: int, event: e.Stopped) -> Phrase | None:
    """Tell why an action had no effect, if the story has not told it yet."""
    if event.reason == "blocked":
        return None if line.before(index, e.Blocked) else STOPPED.phrase(line.reader, event.seat)
    return FORSAKEN.phrase(line.reader, event.seat)


def lost(line: Line, index: int, event: e.Lost) -> Phrase:
    """Tell the loss of a card, with the reason if several are possible."""
    sentence = LOST[event.reason]
    cause = CAUSES.get(event.reason)
    if cause is not None and line.before(index, cause):
        sentence = LOST_BRIEFLY
    return sentence.phrase(line.reader, event.seat, card=CHARACTERS[event.card])


def bomb_handed(line: Line, index: int, event: anarchist.BombHanded) -> Phrase | None:
    """Tell the way of the bomb, if the story has not told it yet."""
    is_claimed = line.before(index, e.Declared) or line.before(index, anarchist.BombClaimed)
    return None if is_claimed else BOMB_HANDED.phrase(line.reader, event.seat, event.target)


DONE_TO: Final = ("target", "to", "receiver")
"""The fields of events with the seat that is affected."""


Teller = Callable[[Line, int, Any], Phrase | None]


def by_fields(full: Sentence, unseen: Sentence | None = None) -> Teller:
    """Return a function that tells an event with the values of its fields. A reader who may not know a card gets the
    sentence ``unseen``, if there is one.
    """

    def tell(line: Line, index: int, event: Any) -> Phrase | None:
        values = spoken(event)
        visible = {place: value for place, value in values.items() if value}
        sentence = full if visible == values else unseen
        target = next((getattr(event, field) for field in DONE_TO if hasattr(event, field)), None)
        return sentence.phrase(line.reader, event.seat, target, **visible) if sentence else None

    return tell


def either(field: str, if_true: Sentence, otherwise: Sentence) -> Teller:
    """Return a function that tells an event with one of two sentences, depending on whether the field has a value."""
    return lambda line, index, event: by_fields(if_true if getattr(event, field) else otherwise)(line, index, event)


def tell(line: Line, index: int, event: Event) -> Phrase | None:
    """Return the sentence about an event, or None if it has none."""
    teller = TELLERS.get(type(event))
    return teller and teller(line, index, event)


TELLERS: Final[Mapping[type[Event], Teller]] = {
    e.SetUp: lambda line, index, event: BEGAN.phrase(line.reader, event.starter),
    e.Dealt: by_fields(DEALT),
    e.Declared: declared,
    e.Answered: answered,
    e.Challenged: challenged,
    e.ChallengeDropped: by_fields(DROPPED),
    e.Proved: by_fields(PROVED),
    e.Replaced: by_fields(REPLACED),
    e.Conceded: by_fields(CONCEDED),
    e.Refunded: by_fields(REFUNDED),
    e.Blocked: by_fields(BLOCKED),
    e.BlockLapsed: by_fields(LAPSED),
    e.Stopped: stopped,
    e.Lost: lost,
    e.WentOut: either("coins", OUT_WITH_COINS, OUT),
    e.PurseEmptied: by_fields(RETURNED),
    e.Gained: by_fields(GAINED),
    e.Stole: by_fields(STOLE),
    e.Drew: by_fields(DREW, DREW_UNSEEN),
    e.Kept: by_fields(KEPT),
    e.Resigned: either("coins", RESIGNED_WITH_COINS, RESIGNED),
    e.GameEnded: lambda line, index, event: WON.phrase(line.reader, event.winner),
    draft.DraftOpened: lambda line, index, event: Phrase(_("Both players secretly choose one of five cards to keep.")),
    draft.Picked: by_fields(KEPT_OF_FIVE),
    reformation.PartiesChosen: lambda line, index, event: PARTY_CHOSEN.phrase(
        line.reader, event.seat, party=PARTIES[event.parties[event.seat - 1]]
    ),
    reformation.Converted: lambda line, index, event: CONVERTED.phrase(
        line.reader, event.target, party=PARTIES[event.party]
    ),
    reformation.Embezzled: by_fields(EMBEZZLED),
    inquisitor.Shown: by_fields(SHOWN, SHOWN_UNSEEN),
    inquisitor.HandedBack: by_fields(HANDED_BACK),
    inquisitor.Swapped: by_fields(SWAPPED, SWAPPED_UNSEEN),
    anarchist.BombHanded: bomb_handed,
    anarchist.BombClaimed: either("receiver", BOMB_PASSED, BOMB_CLAIMED),
    anarchist.Exploded: by_fields(EXPLODED),
    anarchist.BombReturned: lambda line, index, event: Phrase(_("The anarchist is back in the middle.")),
}
"""The functions that tell each kind of event that is worth mentioning."""


story: Final = line_by_line(tell, QUIET)
