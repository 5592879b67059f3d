"""The words of the game."""

from typing import Any, Final

from games.engine import MoveText, Phrase, Question, SeatName, SeatNumber, Sentence, Words, gettext_noop, one_by_one
from games.engine.phrases import Value
from games.engine.rules import label_as_written

from .game import KINDS, TOO_MANY, Believe, CardGiven, Doubt, Guessed, Look, Looked, Lost, Passed, State

GIVEN: Final = Sentence(
    gettext_noop("%(player)s gave a card to %(target)s: “%(claim)s”."),
    gettext_noop("You gave a card to %(target)s: “%(claim)s”."),
    gettext_noop("%(player)s gave you a card: “%(claim)s”."),
)
LOOKED: Final = Sentence(gettext_noop("%(player)s looked at the card."), gettext_noop("You looked: it is %(card)s."))
GUESSED: Final = gettext_noop("%(player)s: “%(guess)s”. It was %(card)s, and %(loser)s keeps it.")
LABELS: Final = {
    Believe: Phrase(gettext_noop("It is true")),
    Doubt: Phrase(gettext_noop("It is false")),
    Look: Phrase(gettext_noop("Look at the card and pass it on")),
}
LOST: Final = Sentence(gettext_noop("%(player)s has lost."), gettext_noop("You have lost."))


def tell(event: Any, reader: SeatNumber | None) -> Phrase | None:
    """Return the sentence about an event."""
    match event:
        case CardGiven(seat=seat, to=to, claim=claim) | Passed(seat=seat, to=to, claim=claim):
            return GIVEN.phrase(reader, seat, to, claim=MoveText(claim))
        case Looked(seat=seat, card=card):
            return LOOKED.phrase(reader if card else None, seat, card=MoveText(card or ""))
        case Guessed(seat=seat, believed=believed, card=card, loser=loser):
            guess = MoveText("true" if believed else "false")
            values: dict[str, Value] = {"player": SeatName(seat), "guess": guess, "loser": SeatName(loser)}
            return Phrase(GUESSED, {**values, "card": MoveText(card)})
        case Lost(seat=seat):
            return LOST.phrase(reader, seat)
    return None


def asks(view: State, question: Question) -> Phrase:
    """Return the question as a sentence."""
    match question.reason:
        case "guess":
            sentence = gettext_noop("%(player)s says: “%(claim)s”. True or false?")
            return Phrase(sentence, {"player": SeatName(view.giver), "claim": MoveText(view.claim)})
        case "pass" if view.card:  # Spectators do not see the card.
            sentence = gettext_noop("It is %(card)s. To whom do you pass it on, and what do you say?")
            return Phrase(sentence, {"card": MoveText(view.card)})
    return Phrase(gettext_noop("Give a card to a player, and say what it is. It may be a lie."))


def label(move: Any) -> Phrase:
    """Return the label of a move, as on a button."""
    return LABELS.get(type(move)) or label_as_written(move)


def summary(options: Any, seats: int) -> tuple[Phrase, ...]:
    """Return the lines of the summary card."""
    return (
        Phrase(gettext_noop("Give a card face down, and say which of 8 kinds it is.")),
        Phrase(gettext_noop("Say whether that is true, or look at the card and pass it on.")),
        Phrase(gettext_noop("Who is wrong keeps the card face up, and is next.")),
        Phrase(gettext_noop("Who has %(count)s of one kind, or no card left to give, loses."), {"count": TOO_MANY}),
    )


def table(view: State) -> tuple[Phrase, ...]:
    """Return the table as text."""
    has = gettext_noop("%(player)s has %(count)s cards. Face up: %(pile)s.")
    return tuple(
        Phrase(
            has,
            {
                "player": SeatName(SeatNumber(seat)),
                "count": len(hand),
                "pile": tuple(map(MoveText, pile)) or Phrase("–"),
            },
        )
        for seat, (hand, pile) in enumerate(zip(view.hands, view.piles, strict=True), 1)
    )


PERSIAN: Final = ("خفاش", "سوسک", "مگس", "موش", "عقرب", "عنکبوت", "سن", "وزغ")
WORDS: Final[Words[Any, State, Any, Any]] = Words(
    title=Phrase(gettext_noop("Cockroach Poker")),
    story=one_by_one(tell),
    asks=asks,
    label=label,
    summary=summary,
    table=table,
    fields={"hands": Phrase(gettext_noop("Hand")), "piles": Phrase(gettext_noop("Face up"))},
    notation={
        "fa": {"give": "دادن", "pass": "رد", "look": "دیدن", "true": "راست", "false": "دروغ"}
        | dict(zip(KINDS, PERSIAN, strict=True))
    },
)
