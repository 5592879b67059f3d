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

CAUSES: Final[Mapping[str, type[Event]]] = {
    "coup": e.Declared,
    "challenge": e.Challenged,
    "bomb": anarchist.Exploded,
}
"""The causes of a loss: where one was told in the same turn, the loss needs no reason."""

PLAIN: Final[Mapping[type[Event], Told]] = {
    e.ChallengeDropped: Told(_("The challenge of %(player)s was dropped."), _("Your challenge was dropped.")),
    e.Conceded: say.CONCEDED,
    e.BlockLapsed: Told(_("The block of %(player)s lapsed."), _("Your block lapsed.")),
    inquisitor.HandedBack: Told(_("%(player)s got the card back."), _("You got the card back.")),
    anarchist.Exploded: Told(_("The bomb exploded at %(player)s."), _("The bomb exploded at you.")),
}
"""The events of which nothing but their player is told."""


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


def dealt(turn: Turn, index: int, event: e.Dealt) -> Phrase | None:
    """One's own cards."""
    known = cards(event.cards)
    return say.DEALT.phrase(turn.reader, event.seat, cards=known) if known else None


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


def replaced(turn: Turn, index: int, event: e.Replaced) -> Phrase | None:
    """The replacement, for its owner."""
    known = cards(event.cards)
    return say.REPLACED.phrase(turn.reader, event.seat, cards=known) if known else None


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


def purse_emptied(turn: Turn, index: int, event: e.PurseEmptied) -> Phrase | None:
    """The coins that a steal left to a player who is out."""
    return say.RETURNED.phrase(turn.reader, event.seat, coins=coins(event.coins)) if event.coins else None


def drew(turn: Turn, index: int, event: e.Drew) -> Phrase:
    """Return what an exchange drew, for its owner; for others that it drew."""
    known = cards(event.cards)
    return (say.DREW if known else say.DREW_UNSEEN).phrase(turn.reader, event.seat, cards=known)


def kept(turn: Turn, index: int, event: e.Kept) -> Phrase | None:
    """Return what an exchange kept, for its owner."""
    known = cards(event.kept)
    return say.KEPT.phrase(turn.reader, event.seat, cards=known, returned=cards(event.returned)) if known else None


def resigned(turn: Turn, index: int, event: e.Resigned) -> Phrase:
    """Return who gave up, their cards, and where their coins went."""
    told = say.RESIGNED_WITH_COINS if event.coins else say.RESIGNED
    return told.phrase(turn.reader, event.seat, cards=cards(event.cards), coins=coins(event.coins))


def picked(turn: Turn, index: int, event: draft.Picked) -> Phrase | None:
    """The card kept of five, for its owner."""
    if event.seat is None or not event.card:
        return None
    return say.KEPT_OF_FIVE.phrase(turn.reader, event.seat, card=CHARACTERS[event.card])


def shown(turn: Turn, index: int, event: inquisitor.Shown) -> Phrase:
    """The examined card, for the two who see it."""
    card = CHARACTERS[event.card] if event.card else ""
    return (say.SHOWN if card else say.SHOWN_UNSEEN).phrase(turn.reader, event.seat, event.to, card=card)


def swapped(turn: Turn, index: int, event: inquisitor.Swapped) -> Phrase:
    """A forced swap; its owner learns the new card."""
    card = CHARACTERS[event.drawn] if event.drawn else ""
    return (say.SWAPPED if card else say.SWAPPED_UNSEEN).phrase(turn.reader, event.seat, card=card)


def bomb_claimed(turn: Turn, index: int, event: anarchist.BombClaimed) -> Phrase:
    """Defusing, or handing on."""
    told = say.BOMB_PASSED if event.receiver else say.BOMB_CLAIMED
    return told.phrase(turn.reader, event.seat, event.receiver)


def bomb_handed(turn: Turn, index: int, event: anarchist.BombHanded) -> Phrase | None:
    """The way of the bomb, where it has not been told."""
    known = turn.before(index, e.Declared) or turn.before(index, anarchist.BombClaimed)
    return None if known else say.BOMB_HANDED.phrase(turn.reader, event.seat, event.target)


def plain(turn: Turn, index: int, event: Any) -> Phrase:
    """An event of which nothing but its player is told."""
    return PLAIN[type(event)].phrase(turn.reader, event.seat)


def _coins(told: Told) -> "Teller":
    return lambda turn, index, event: told.phrase(
        turn.reader, event.seat, getattr(event, "target", None), coins=coins(event.coins)
    )


Teller = Callable[[Turn, int, Any], Phrase | None]

TELLERS: Final[Mapping[type[Event], Teller]] = {
    e.SetUp: lambda turn, index, event: say.BEGAN.phrase(turn.reader, event.starter),
    e.Dealt: dealt,
    e.Declared: declared,
    e.Answered: answered,
    e.Challenged: challenged,
    e.Proved: lambda turn, index, event: say.PROVED.phrase(turn.reader, event.seat, cards=cards(event.cards)),
    e.Replaced: replaced,
    e.Refunded: _coins(say.REFUNDED),
    e.Blocked: lambda turn, index, event: say.BLOCKED.phrase(turn.reader, event.seat, card=CHARACTERS[event.character]),
    e.Stopped: stopped,
    e.Lost: lost,
    e.WentOut: went_out,
    e.PurseEmptied: purse_emptied,
    e.Gained: _coins(say.GAINED),
    e.Stole: _coins(say.STOLE),
    e.Drew: drew,
    e.Kept: kept,
    e.Resigned: resigned,
    e.GameEnded: lambda turn, index, event: say.WON.phrase(turn.reader, event.winner),
    draft.DraftOpened: lambda turn, index, event: Phrase(_("Both players secretly choose one of five cards to keep.")),
    draft.Picked: picked,
    reformation.PartiesChosen: lambda turn, index, event: say.PARTY_CHOSEN.phrase(
        turn.reader, event.seat, party=PARTIES[event.parties[event.seat - 1]]
    ),
    reformation.Converted: lambda turn, index, event: say.CONVERTED.phrase(
        turn.reader, event.target, party=PARTIES[event.party]
    ),
    reformation.Embezzled: _coins(say.EMBEZZLED),
    inquisitor.Shown: shown,
    inquisitor.Swapped: swapped,
    anarchist.BombHanded: bomb_handed,
    anarchist.BombClaimed: bomb_claimed,
    anarchist.BombReturned: lambda turn, index, event: Phrase(_("The anarchist is back in the middle.")),
    **dict.fromkeys(PLAIN, plain),
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
