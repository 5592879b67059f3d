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
from games.rules.coup.text import sentences as say
from games.rules.coup.text.characters import CHARACTERS, PARTIES, cards, coins, spoken

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
        sentence = say.EXCHANGED if known_cards else say.EXCHANGED_UNSEEN
        return sentence.phrase(line.reader, event.seat, cards=known_cards, **values)
    effect = line.together(index, *EFFECTS)
    if effect is None:
        return say.TRIED[action].phrase(line.reader, event.seat, event.target, **values)
    if isinstance(effect, reformation.Converted):
        values["party"] = PARTIES[effect.party]
    else:
        values["coins"] = coins(effect.coins)
    return say.DONE[action].phrase(line.reader, event.seat, event.target, **values)


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
    return say.ANSWERS[event.answer].phrase(line.reader, event.seat, card=card)


def challenged(line: Line, index: int, event: e.Challenged) -> Phrase:
    """Tell a challenge and its result."""
    answer = line.together(index, e.Proved, e.Conceded)
    if isinstance(answer, e.Proved):
        return say.CHALLENGED_AND_PROVED.phrase(line.reader, event.seat, event.against, cards=cards(answer.cards))
    sentence = say.CHALLENGED if answer is None else say.CHALLENGED_AND_CONCEDED
    return sentence.phrase(line.reader, event.seat, event.against)


def stopped(line: Line, index: int, event: e.Stopped) -> Phrase | None:
    """Tell why an action had no effect, if the story has not told it yet."""
    if event.reason == "blocked":
        return None if line.before(index, e.Blocked) else say.STOPPED.phrase(line.reader, event.seat)
    return say.FORSAKEN.phrase(line.reader, event.seat)


def lost(line: Line, index: int, event: e.Lost) -> Phrase:
    """Tell the loss of a card, with the reason if several are possible."""
    sentence = say.LOST[event.reason]
    cause = CAUSES.get(event.reason)
    if cause is not None and line.before(index, cause):
        sentence = say.LOST_BRIEFLY
    return sentence.phrase(line.reader, event.seat, card=CHARACTERS[event.card])


def bomb_handed(line: Line, index: int, event: anarchist.BombHanded) -> Phrase | None:
    """Tell the way of the bomb, if the story has not told it yet."""
    is_claimed = line.before(index, e.Declared) or line.before(index, anarchist.BombClaimed)
    return None if is_claimed else say.BOMB_HANDED.phrase(line.reader, event.seat, event.target)


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


TELLERS: Final[Mapping[type[Event], Teller]] = {
    e.SetUp: lambda line, index, event: say.BEGAN.phrase(line.reader, event.starter),
    e.Dealt: by_fields(say.DEALT),
    e.Declared: declared,
    e.Answered: answered,
    e.Challenged: challenged,
    e.ChallengeDropped: by_fields(say.DROPPED),
    e.Proved: by_fields(say.PROVED),
    e.Replaced: by_fields(say.REPLACED),
    e.Conceded: by_fields(say.CONCEDED),
    e.Refunded: by_fields(say.REFUNDED),
    e.Blocked: by_fields(say.BLOCKED),
    e.BlockLapsed: by_fields(say.LAPSED),
    e.Stopped: stopped,
    e.Lost: lost,
    e.WentOut: either("coins", say.OUT_WITH_COINS, say.OUT),
    e.PurseEmptied: by_fields(say.RETURNED),
    e.Gained: by_fields(say.GAINED),
    e.Stole: by_fields(say.STOLE),
    e.Drew: by_fields(say.DREW, say.DREW_UNSEEN),
    e.Kept: by_fields(say.KEPT),
    e.Resigned: either("coins", say.RESIGNED_WITH_COINS, say.RESIGNED),
    e.GameEnded: lambda line, index, event: say.WON.phrase(line.reader, event.winner),
    draft.DraftOpened: lambda line, index, event: Phrase(_("Both players secretly choose one of five cards to keep.")),
    draft.Picked: by_fields(say.KEPT_OF_FIVE),
    reformation.PartiesChosen: lambda line, index, event: say.PARTY_CHOSEN.phrase(
        line.reader, event.seat, party=PARTIES[event.parties[event.seat - 1]]
    ),
    reformation.Converted: lambda line, index, event: say.CONVERTED.phrase(
        line.reader, event.target, party=PARTIES[event.party]
    ),
    reformation.Embezzled: by_fields(say.EMBEZZLED),
    inquisitor.Shown: by_fields(say.SHOWN, say.SHOWN_UNSEEN),
    inquisitor.HandedBack: by_fields(say.HANDED_BACK),
    inquisitor.Swapped: by_fields(say.SWAPPED, say.SWAPPED_UNSEEN),
    anarchist.BombHanded: bomb_handed,
    anarchist.BombClaimed: either("receiver", say.BOMB_PASSED, say.BOMB_CLAIMED),
    anarchist.Exploded: by_fields(say.EXPLODED),
    anarchist.BombReturned: lambda line, index, event: Phrase(_("The anarchist is back in the middle.")),
}
"""The functions that tell each kind of event that is worth mentioning."""


def tell(line: Line, index: int, event: Event) -> Phrase | None:
    """Return the sentence about an event, or None if it has none."""
    teller = TELLERS.get(type(event))
    return teller and teller(line, index, event)


story: Final = line_by_line(tell, QUIET)
