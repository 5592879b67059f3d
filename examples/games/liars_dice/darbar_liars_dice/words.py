"""The words of the game."""

from typing import Any, Final

from games.engine import Move, Phrase, Question, SeatName, SeatNumber, Sentence, Words, gettext_noop, one_by_one
from games.engine.phrases import Value

from .game import Bid, Called, Dice, Options, Raised, Resigned, Rolled, View, Won

ROLLED: Final = gettext_noop("Everybody rolled: %(dice)s dice lie under the cups.")
BID: Final = Sentence(
    gettext_noop("%(player)s bid %(count)s dice of face %(face)s."),
    gettext_noop("You bid %(count)s dice of face %(face)s."),
)
CALLED: Final = Sentence(
    gettext_noop("%(player)s called %(target)s a liar. There were %(found)s, and %(loser)s lost a die."),
    gettext_noop("You called %(target)s a liar. There were %(found)s, and %(loser)s lost a die."),
    gettext_noop("%(player)s called you a liar. There were %(found)s, and %(loser)s lost a die."),
)
RESIGNED: Final = Sentence(gettext_noop("%(player)s resigned."), gettext_noop("You resigned."))
WON: Final = Sentence(gettext_noop("%(player)s wins."), gettext_noop("You win!"))


def tell(event: Any, reader: SeatNumber | None) -> Phrase | None:
    """Return the sentence about an event."""
    match event:
        case Rolled(dice=dice):
            return Phrase(ROLLED, {"dice": sum(map(len, dice))})
        case Raised(seat=seat, count=count, face=face):
            return BID.phrase(reader, seat, count=count, face=face)
        case Called(seat=seat, against=against, found=results, loser=loser):
            return CALLED.phrase(reader, seat, against, found=results, loser=SeatName(loser))
        case Resigned(seat=seat):
            return RESIGNED.phrase(reader, seat)
        case Won(winners=(seat, *_)):
            return WON.phrase(reader, seat)
    return None


def asks(view: View, question: Question) -> Phrase:
    """Return the question as a sentence."""
    if view.bid is None:
        return Phrase(gettext_noop("You begin. How many dice of which face are there?"))
    values: dict[str, Value] = {"player": SeatName(view.bid.seat), "count": view.bid.count, "face": view.bid.face}
    sentence = gettext_noop("%(player)s bid %(count)s dice of face %(face)s. Do you bid more, or is it a lie?")
    return Phrase(sentence, values)


def label(move: Move) -> Phrase:
    """Return the label of a move, as on a button."""
    if isinstance(move, Bid):
        return Phrase(gettext_noop("Bid %(count)s of face %(face)s"), {"count": move.count, "face": move.face})
    return Phrase(gettext_noop("Call it a lie"))


def summary(options: Options, seats: int) -> tuple[Phrase, ...]:
    """Return the lines of the summary card."""
    wild = gettext_noop("Ones count as every face, unless the bid is on ones.")
    plain = gettext_noop("Ones count as ones.")
    return (
        Phrase(gettext_noop("Everybody rolls %(dice)s dice and sees only their own."), {"dice": options.dice}),
        Phrase(
            gettext_noop("Bid how many dice of one face there are under all cups; each bid is higher than the last.")
        ),
        Phrase(gettext_noop("A bid names at most 3 dice more than the one before.")),
        Phrase(gettext_noop("Or call it a lie: if there are enough, you lose a die; if not, the bidder does.")),
        Phrase(wild if options.wild_ones else plain),
        Phrase(gettext_noop("The last player with dice wins.")),
    )


def table(view: View) -> tuple[Phrase, ...]:
    """Return the table as text."""
    return tuple(
        Phrase(
            gettext_noop("%(player)s: %(count)s dice (%(dice)s)"),
            {"player": SeatName(SeatNumber(seat)), "count": len(hand), "dice": dice_words(hand)},
        )
        for seat, hand in enumerate(view.dice, 1)
    )


def dice_words(hand: Dice) -> Value:
    """Return the dice under a cup, with question marks for hidden dice."""
    return tuple(Phrase("?") if die is None else Phrase("%(die)s", {"die": die}) for die in hand) or Phrase("–")


WORDS: Final[Words[Options, View, Any, Move]] = Words(
    title=Phrase(gettext_noop("Liar's Dice")),
    story=one_by_one(tell),
    asks=asks,
    label=label,
    summary=summary,
    table=table,
    options={"dice": Phrase(gettext_noop("Dice of each player")), "wild_ones": Phrase(gettext_noop("Wild ones"))},
    notation={"fa": {"bid": "ادعا", "liar": "دروغ"}},
)
