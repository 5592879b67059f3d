"""The story of Coup: what happened, told to its reader, and never the same fact twice.

An action that nobody objected to is one sentence with what it brought; so is a challenge with its answer. What is told
of each event alone, and which events are told together, stands in the tables of this module.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from games.engine import Event, Phrase, SeatNumber, Told
from games.engine import gettext_noop as _
from games.rules.coup import events as e
from games.rules.coup.expansions import anarchist, draft, inquisitor, reformation
from games.rules.coup.text import sentences as say
from games.rules.coup.text.characters import CHARACTERS, PARTIES, cards, coins

EFFECTS: Final = (e.Gained, e.Stole, reformation.Converted, reformation.Embezzled)
"""The events that are told together with their action, where nothing came in between."""

QUIET: Final = (e.WindowOpened, e.WindowClosed, e.Answered, e.AskedAnew, e.LossAsked)
"""The events that change nothing on the table."""

LED_TO: Final[Mapping[str, type[Event]]] = {"challenge": e.Challenged, "block": e.Blocked}
"""The event that follows from an answer that counts, and is told in its place."""

CAUSES: Final[Mapping[str, type[Event]]] = {"coup": e.Declared, "challenge": e.Challenged, "bomb": anarchist.Exploded}
"""The causes of a loss: where one was told in the same turn, the loss needs no reason."""


class Turn:
    """The events of one line of the story, and how far they have been told."""

    def __init__(self, events: Sequence[Event], reader: SeatNumber | None) -> None:
        self.events = events
        self.reader = reader
        self.told_already: set[int] = set()
        """The indexes of the events that are told together with an earlier one."""

    def sentences(self) -> Iterator[tuple[int, Phrase]]:
        """Each sentence, with the index of the first event that it tells of."""
        for index, event in enumerate(self.events):
            tell = TELLERS.get(type(event))
            phrase = None if tell is None or index in self.told_already else tell(self, index, event)
            if phrase is not None and phrase.text:
                yield index, phrase

    def together(self, index: int, *kinds: type[Event]) -> Any:
        """The next event at which something happens, if it is of these kinds: then it is not told by itself."""
        later = ((other, self.events[other]) for other in range(index + 1, len(self.events)))
        other, following = next(((n, event) for n, event in later if not isinstance(event, QUIET)), (0, None))
        if not isinstance(following, kinds):
            return None
        self.told_already.add(other)
        return following

    def before(self, index: int, kind: type[Event]) -> bool:
        """Return whether such an event stands before this one."""
        return any(isinstance(event, kind) for event in self.events[:index])

    def after(self, index: int, kind: type[Event], seat: SeatNumber) -> bool:
        """Return whether such an event of this seat follows."""
        return any(isinstance(event, kind) and getattr(event, "seat", None) == seat for event in self.events[index:])


def declared(turn: Turn, index: int, event: e.Declared) -> Phrase:
    """An action, with what it brought where nothing came in between."""
    action = "convert other" if event.action == "convert" and event.target else event.action
    values: dict[str, Any] = {"claim": CHARACTERS[event.claim]} if event.claim else {}
    if event.action == "exchange" and (drew := turn.together(index, e.Drew)):
        known = cards(drew.cards)
        told = say.EXCHANGED if known else say.EXCHANGED_UNSEEN
        return told.phrase(turn.reader, event.seat, cards=known, **values)
    effect = turn.together(index, *EFFECTS)
    if effect is None:
        return say.TRIED[action].phrase(turn.reader, event.seat, event.target, **values)
    if isinstance(effect, reformation.Converted):
        values["party"] = PARTIES[effect.party]
    else:
        values["coins"] = coins(effect.coins)
    return say.DONE[action].phrase(turn.reader, event.seat, event.target, **values)


def answered(turn: Turn, index: int, event: e.Answered) -> Phrase | None:
    """One's own answer in a window; another's where nothing came of it, once it may be known."""
    if event.seat is None or event.answer is None:
        return None
    led_to = LED_TO.get(event.answer)
    if led_to is not None and turn.after(index, led_to, event.seat):
        return None
    card = CHARACTERS[event.character] if event.character else ""
    return say.ANSWERS[event.answer].phrase(turn.reader, event.seat, card=card)


def challenged(turn: Turn, index: int, event: e.Challenged) -> Phrase:
    """A challenge and what came of it."""
    answer = turn.together(index, e.Proved, e.Conceded)
    if isinstance(answer, e.Proved):
        return say.CHALLENGED_AND_PROVED.phrase(turn.reader, event.seat, event.against, cards=cards(answer.cards))
    told = say.CHALLENGED if answer is None else say.CHALLENGED_AND_CONCEDED
    return told.phrase(turn.reader, event.seat, event.against)


def stopped(turn: Turn, index: int, event: e.Stopped) -> Phrase | None:
    """Return why nothing came of the action, where that has not been told."""
    if event.reason == "blocked":
        return None if turn.before(index, e.Blocked) else say.STOPPED.phrase(turn.reader, event.seat)
    return say.FORSAKEN.phrase(turn.reader, event.seat)


def lost(turn: Turn, index: int, event: e.Lost) -> Phrase:
    """A lost card, and for what where several things may have cost it."""
    told = say.LOST[event.reason]
    cause = CAUSES.get(event.reason)
    if cause is not None and turn.before(index, cause):
        told = say.LOST_BRIEFLY
    return told.phrase(turn.reader, event.seat, card=CHARACTERS[event.card])


def went_out(turn: Turn, index: int, event: e.WentOut) -> Phrase:
    """Return who is out, and where their coins went."""
    told = say.OUT_WITH_COINS if event.coins else say.OUT
    return told.phrase(turn.reader, event.seat, coins=coins(event.coins))


def resigned(turn: Turn, index: int, event: e.Resigned) -> Phrase:
    """Return who gave up, their cards, and where their coins went."""
    told = say.RESIGNED_WITH_COINS if event.coins else say.RESIGNED
    return told.phrase(turn.reader, event.seat, cards=cards(event.cards), coins=coins(event.coins))


def bomb_claimed(turn: Turn, index: int, event: anarchist.BombClaimed) -> Phrase:
    """Defusing, or handing on."""
    told = say.BOMB_PASSED if event.receiver else say.BOMB_CLAIMED
    return told.phrase(turn.reader, event.seat, event.receiver)


def bomb_handed(turn: Turn, index: int, event: anarchist.BombHanded) -> Phrase | None:
    """The way of the bomb, where it has not been told."""
    known = turn.before(index, e.Declared) or turn.before(index, anarchist.BombClaimed)
    return None if known else say.BOMB_HANDED.phrase(turn.reader, event.seat, event.target)


Teller = Callable[[Turn, int, Any], Phrase | None]


def by_fields(told: Told, unseen: Told | None = None) -> Teller:
    """Tell of an event what its fields say. From whom a card of it is hidden is told ``unseen``, or nothing."""

    def tell(turn: Turn, index: int, event: Any) -> Phrase | None:
        values = {place: words(getattr(event, field)) for field, place, words in SPOKEN if hasattr(event, field)}
        known = {place: said for place, said in values.items() if said}
        sentence = told if known == values else unseen
        target = getattr(event, "target", None) or getattr(event, "to", None)
        return sentence.phrase(turn.reader, event.seat, target, **known) if sentence else None

    return tell


def card_or_cards(known: Any) -> Any:
    """The words of a card or of several; none where they are hidden."""
    return cards(known) if isinstance(known, tuple) else CHARACTERS.get(known)


SPOKEN: Final[Sequence[tuple[str, str, Callable[[Any], Any]]]] = (
    *((field, field, card_or_cards) for field in ("cards", "card", "returned")),
    ("kept", "cards", card_or_cards),
    ("drawn", "card", card_or_cards),
    ("character", "card", card_or_cards),
    ("coins", "coins", coins),
)
"""The fields of events that sentences speak of: the name of each in the sentence, and its words."""

TELLERS: Final[Mapping[type[Event], Teller]] = {
    e.SetUp: lambda turn, index, event: say.BEGAN.phrase(turn.reader, event.starter),
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
    e.WentOut: went_out,
    e.PurseEmptied: by_fields(say.RETURNED),
    e.Gained: by_fields(say.GAINED),
    e.Stole: by_fields(say.STOLE),
    e.Drew: by_fields(say.DREW, say.DREW_UNSEEN),
    e.Kept: by_fields(say.KEPT),
    e.Resigned: resigned,
    e.GameEnded: lambda turn, index, event: say.WON.phrase(turn.reader, event.winner),
    draft.DraftOpened: lambda turn, index, event: Phrase(_("Both players secretly choose one of five cards to keep.")),
    draft.Picked: by_fields(say.KEPT_OF_FIVE),
    reformation.PartiesChosen: lambda turn, index, event: say.PARTY_CHOSEN.phrase(
        turn.reader, event.seat, party=PARTIES[event.parties[event.seat - 1]]
    ),
    reformation.Converted: lambda turn, index, event: say.CONVERTED.phrase(
        turn.reader, event.target, party=PARTIES[event.party]
    ),
    reformation.Embezzled: by_fields(say.EMBEZZLED),
    inquisitor.Shown: by_fields(say.SHOWN, say.SHOWN_UNSEEN),
    inquisitor.HandedBack: by_fields(say.HANDED_BACK),
    inquisitor.Swapped: by_fields(say.SWAPPED, say.SWAPPED_UNSEEN),
    anarchist.BombHanded: bomb_handed,
    anarchist.BombClaimed: bomb_claimed,
    anarchist.Exploded: by_fields(say.EXPLODED),
    anarchist.BombReturned: lambda turn, index, event: Phrase(_("The anarchist is back in the middle.")),
}
"""A sentence for each event that there is something to tell of."""


def story(events: Sequence[Event], reader: SeatNumber | None) -> Iterator[tuple[int, Phrase]]:
    """Shown events in sentences for the player on the seat ``reader``, each with the index of the event it begins with.

    What belongs together is told together within a turn, so events that are given alone are told alone.
    """
    starts = [0, *(index for index, event in enumerate(events) if index and event.begins_line)]
    for start, end in zip(starts, [*starts[1:], len(events)], strict=True):
        for index, phrase in Turn(events[start:end], reader).sentences():
            yield start + index, phrase
