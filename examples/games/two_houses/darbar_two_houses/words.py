"""The words of the game."""

from typing import Any, Final

from games.engine import Move, Phrase, Question, SeatName, SeatNumber, Sentence, Words, gettext_noop, one_by_one

from .game import Arrived, Bid, Opened, Options, Resigned, Sealed, View, Won, side_of

HOUSES: Final = (gettext_noop("the first house"), gettext_noop("the second house"))
ARRIVED: Final = gettext_noop("A caravan worth %(worth)s came.")
SEALED: Final = gettext_noop("You sealed a bid of %(coins)s.")
OPENED: Final = gettext_noop("The bids were opened: %(bids)s. The caravan, worth %(worth)s, went to %(house)s.")
TIED: Final = gettext_noop("The bids were opened: %(bids)s. Both houses bid the same, so worth %(worth)s waits.")
EACH: Final = gettext_noop("%(player)s %(coins)s")
RESIGNED: Final = Sentence(gettext_noop("%(player)s resigned."), gettext_noop("You resigned."))
WON: Final = gettext_noop("The game is won by %(players)s.")


def tell(event: Any, reader: SeatNumber | None) -> Phrase | None:
    """Return the sentence about an event."""
    match event:
        case Arrived(worth=worth):
            return Phrase(ARRIVED, {"worth": worth})
        case Sealed(seat=seat, coins=coins) if seat == reader and coins is not None:
            return Phrase(SEALED, {"coins": coins})
        case Opened(bids=bids, side=side, worth=worth):
            bid_phrases = tuple(
                Phrase(EACH, {"player": SeatName(SeatNumber(n)), "coins": c}) for n, c in enumerate(bids, 1)
            )
            to = {} if side is None else {"house": HOUSES[side]}
            return Phrase(OPENED if to else TIED, {"bids": bid_phrases, "worth": worth, **to})
        case Resigned(seat=seat):
            return RESIGNED.phrase(reader, seat)
        case Won(winners=winners):
            return Phrase(WON, {"players": tuple(map(SeatName, winners))})
    return None


def asks(view: View, question: Question) -> Phrase:
    """Return the question as a sentence."""
    sentence = gettext_noop("A caravan worth %(worth)s waits. How much of your %(coins)s coins do you bid?")
    return Phrase(sentence, {"worth": view.worth, "coins": view.coins[question.seat - 1]})


def label(move: Move) -> Phrase:
    """Return the label of a move, as on a button."""
    return Phrase(gettext_noop("Bid %(coins)s"), {"coins": move.coins if isinstance(move, Bid) else 0})


def summary(options: Options, seats: int) -> tuple[Phrase, ...]:
    """Return the lines of the summary card."""
    coins = gettext_noop("Everybody has %(coins)s coins for %(caravans)s caravans, worth 1 to 9 points each.")
    teams = gettext_noop("Neighbours are rivals: seats 1 and 3 are a house, and seats 2 and 4.")
    return (
        Phrase(coins, {"coins": options.coins, "caravans": options.caravans}),
        *([Phrase(teams)] if seats > 2 else []),
        Phrase(gettext_noop("All seal a bid at once. The house that bids more together gets the caravan.")),
        Phrase(gettext_noop("All bids are paid. If both houses bid the same, the caravan waits for the next one.")),
        Phrase(gettext_noop("The house with most points wins.")),
    )


def table(view: View) -> tuple[Phrase, ...]:
    """Return the table as text."""
    standing = gettext_noop("The houses have %(first)s and %(second)s points. The caravan is worth %(worth)s.")
    has = gettext_noop("%(player)s (%(house)s): %(coins)s coins")
    players = (
        Phrase(has, {"player": SeatName(SeatNumber(seat)), "house": HOUSES[side_of(seat)], "coins": coins})
        for seat, coins in enumerate(view.coins, 1)
    )
    return Phrase(standing, {"first": view.points[0], "second": view.points[1], "worth": view.worth}), *players


WORDS: Final[Words[Options, View, Any, Move]] = Words(
    title=Phrase(gettext_noop("Two Houses")),
    story=one_by_one(tell),
    asks=asks,
    label=label,
    summary=summary,
    table=table,
    options={"coins": Phrase(gettext_noop("Coins of each player")), "caravans": Phrase(gettext_noop("Caravans"))},
    notation={"fa": {"bid": "پیشنهاد"}},
)
