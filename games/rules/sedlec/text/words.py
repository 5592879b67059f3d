"""The words of the game, as phrases that are translated elsewhere."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from games.engine import Event, Phrase, Question, SeatName, SeatNumber, Words, gettext_noop
from games.engine.phrases import Value
from games.rules.sedlec.cards import HALVES, Card
from games.rules.sedlec.events import (
    CardTurned,
    Dug,
    GameEnded,
    Laid,
    Resigned,
    SedlecEvent,
    SetUp,
    Taken,
    TurnBegan,
)
from games.rules.sedlec.moves import Collect, Dig, Lay, SedlecMove, Take
from games.rules.sedlec.options import Options
from games.rules.sedlec.pyramid import Place, Pyramid, size, width
from games.rules.sedlec.scoring import Score
from games.rules.sedlec.views import Pile, Player, View

TITLE: Final = Phrase(gettext_noop("Skulls of Sedlec"))


def card_words(card: Card) -> Phrase:
    """A card, its kinds in the reader's language: understood in the notation too."""
    top, bottom = HALVES[card]
    return Phrase(gettext_noop("%(top)s/%(bottom)s"), {"top": top, "bottom": bottom})


def place_words(place: Place) -> Phrase:
    """Return where a card is laid."""
    if place == "left":
        return Phrase(gettext_noop("at the left end of the bottom row"))
    if place == "right":
        return Phrase(gettext_noop("at the right end of the bottom row"))
    return Phrase(
        gettext_noop("above cards %(first)s and %(second)s of row %(row)s"),
        {"row": int(place[3]), "first": int(place[5]), "second": int(place[5]) + 1},
    )


def score_words(score: Score) -> Phrase:
    """A score with what each kind adds to it."""
    return Phrase(
        gettext_noop(
            "%(total)s points (royals %(royal)s, peasants %(peasant)s, priests %(priest)s, "
            "lovers %(lover)s, sinners %(sinner)s)"
        ),
        {
            "total": score.total,
            "royal": score.royal,
            "peasant": score.peasant,
            "priest": score.priest,
            "lover": score.lover,
            "sinner": score.sinner,
        },
    )


def story(event: SedlecEvent) -> Phrase | None:
    """A shown event as a sentence."""
    tell = _STORIES.get(type(event))
    return None if tell is None else tell(event)


def _began(event: SetUp) -> Phrase:
    return Phrase(gettext_noop("The graveyard has %(piles)s piles of 3 cards, face down."), {"piles": len(event.piles)})


def _card_turned(event: CardTurned) -> Phrase:
    return Phrase(
        gettext_noop("On pile %(pile)s, %(card)s is turned up."), {"pile": event.pile, "card": card_words(event.card)}
    )


def _turn_began(event: TurnBegan) -> Phrase:
    sentence = gettext_noop("It is %(seat)s's turn.")
    if event.forfeited:
        sentence = gettext_noop("It is %(seat)s's turn; they have resigned, and chance plays for them.")
    return Phrase(sentence, {"seat": SeatName(event.seat)})


def _dug(event: Dug) -> Phrase:
    found = tuple(
        Phrase(gettext_noop("%(card)s on pile %(pile)s"), {"card": card_words(card), "pile": pile})
        for pile, card in zip(event.piles, event.cards, strict=True)
    )
    return Phrase(gettext_noop("%(seat)s digs up %(found)s."), {"seat": SeatName(event.seat), "found": found})


def _taken(event: Taken) -> Phrase:
    return Phrase(
        gettext_noop("%(seat)s takes %(card)s from pile %(pile)s."),
        {"seat": SeatName(event.seat), "card": card_words(event.card), "pile": event.pile},
    )


def _laid(event: Laid) -> Phrase:
    return Phrase(
        gettext_noop("%(seat)s lays %(card)s %(place)s."),
        {"seat": SeatName(event.seat), "card": card_words(event.card), "place": place_words(event.place)},
    )


def _resigned(event: Resigned) -> Phrase:
    return Phrase(
        gettext_noop("%(seat)s resigns and cannot win; chance plays on for them."), {"seat": SeatName(event.seat)}
    )


def _ended(event: GameEnded) -> Phrase:
    points = tuple(
        Phrase(gettext_noop("%(seat)s: %(score)s"), {"seat": SeatName(SeatNumber(seat)), "score": score_words(score)})
        for seat, score in enumerate(event.scores, start=1)
    )
    return Phrase(
        gettext_noop("The game is over. %(winners)s %(points)s."),
        {"winners": winners_words(event.winners), "points": points},
    )


def winners_words(winners: Iterable[SeatNumber]) -> Phrase:
    """Return who won, as a sentence."""
    seats = tuple(winners)
    if not seats:
        return Phrase(gettext_noop("Nobody wins."))
    sentence = gettext_noop("%(winners)s wins.") if len(seats) == 1 else gettext_noop("%(winners)s win together.")
    return Phrase(sentence, {"winners": tuple(SeatName(seat) for seat in seats)})


_STORIES: Final[Mapping[type[Event], Callable[[Any], Phrase]]] = {
    SetUp: _began,
    CardTurned: _card_turned,
    TurnBegan: _turn_began,
    Dug: _dug,
    Taken: _taken,
    Laid: _laid,
    Resigned: _resigned,
    GameEnded: _ended,
}

_ASKS: Final = {
    "turn": gettext_noop("It is your turn: dig up two piles, collect a face-up card, or lay a card of your hand."),
    "hand-full": gettext_noop("It is your turn. You hold two cards, so you must lay one of them."),
    "enough": gettext_noop("It is your turn. You have all the cards your pyramid needs: lay one of them."),
}


def asks(view: View, question: Question) -> Phrase:
    """A question as a sentence to the player it is put to."""
    if question.kind == "take":
        found = tuple(card_words(card) for pile in view.dug if (card := view.piles[pile - 1].face_up) is not None)
        return Phrase(gettext_noop("You have dug up %(cards)s. Which one do you take?"), {"cards": found})
    return Phrase(_ASKS[question.reason])


def label(move: SedlecMove) -> Phrase:
    """A move as a button says it."""
    match move:
        case Dig(piles=(pile,)):
            return Phrase(gettext_noop("Dig up pile %(pile)s"), {"pile": pile})
        case Dig(piles=piles):
            return Phrase(
                gettext_noop("Dig up piles %(pile)s and %(other_pile)s"), {"pile": piles[0], "other_pile": piles[1]}
            )
        case Collect(pile=pile):
            return Phrase(gettext_noop("Collect the card of pile %(pile)s"), {"pile": pile})
        case Take(pile=pile):
            return Phrase(gettext_noop("Take the card of pile %(pile)s"), {"pile": pile})
        case Lay(card=card, place=place):
            return Phrase(
                gettext_noop("Lay %(card)s %(place)s"), {"card": card_words(card), "place": place_words(place)}
            )


def summary(options: Options, seats: int) -> tuple[Phrase, ...]:
    """The summary card."""
    rows = {"cards": size(seats), "bottom": width(seats), "middle": width(seats) - 1, "upper": width(seats) - 2}
    return (
        Phrase(
            gettext_noop("Build a pyramid of %(cards)s cards: rows of %(bottom)s, %(middle)s and %(upper)s."), {**rows}
        ),
        Phrase(gettext_noop("On your turn do one thing: dig, collect or lay.")),
        Phrase(gettext_noop("Dig: turn up the top cards of two piles and take one of the two.")),
        Phrase(gettext_noop("Collect: take any card that lies face up in the graveyard.")),
        Phrase(
            gettext_noop("Lay: put a card at an end of the bottom row, or above the middle of two neighbouring cards.")
        ),
        Phrase(gettext_noop("You hold at most two cards; with two you must lay. Cards are never turned round.")),
        Phrase(gettext_noop("Royal: 1 point for each royal and peasant on any lower level.")),
        Phrase(gettext_noop("Peasant: 1 point.")),
        Phrase(gettext_noop("Priest: 2 points for each level with at least one priest.")),
        Phrase(gettext_noop("Lover: 6 points for each pair of adjacent lovers; each lover is in one pair at most.")),
        Phrase(gettext_noop("Sinner: 2 points if it is adjacent to a priest.")),
        Phrase(gettext_noop("When every pyramid is full the most points win; tied players compare their best kinds.")),
        _starter(options),
    )


def _starter(options: Options) -> Phrase:
    match options.starting_player:
        case "random":
            return Phrase(gettext_noop("Chance decides who begins."))
        case "previous_winner":
            return Phrase(gettext_noop("The winner of the game before begins."))
        case seat:
            return Phrase(gettext_noop("%(seat)s begins."), {"seat": SeatName(SeatNumber(seat))})


def table(view: View) -> tuple[Phrase, ...]:
    """The table as text: the piles, then each player's hand and pyramid from its top row down, then who is asked."""
    lines = [_pile(number, pile) for number, pile in enumerate(view.piles, start=1)]
    for player in view.players:
        lines += [_player(player), *_rows(player.pyramid)]
    lines.append(status(view))
    return tuple(lines)


def status(view: View) -> Phrase:
    """Return who must do what now, or who won."""
    if view.winners is not None:
        return winners_words(view.winners)
    if view.turn is None:
        return Phrase(gettext_noop("The game is about to begin."))
    sentence = gettext_noop("It is %(seat)s's turn.")
    if view.dug:
        sentence = gettext_noop("%(seat)s must take one of the cards just dug up.")
    return Phrase(sentence, {"seat": SeatName(view.turn)})


def _pile(number: int, pile: Pile) -> Phrase:
    values: dict[str, Value] = {"pile": number, "count": len(pile.face_down)}
    if pile.face_up is not None:
        values["card"] = card_words(pile.face_up)
        return Phrase(gettext_noop("Pile %(pile)s: %(card)s, and %(count)s face down"), values)
    return Phrase(gettext_noop("Pile %(pile)s: %(count)s face down"), values)


def _player(player: Player) -> Phrase:
    values: dict[str, Value] = {"seat": SeatName(player.seat), "score": score_words(player.score)}
    if not player.hand:
        return Phrase(gettext_noop("%(seat)s: %(score)s; hand: empty"), values)
    values["hand"] = tuple(card_words(card) for card in player.hand)
    return Phrase(gettext_noop("%(seat)s: %(score)s; hand: %(hand)s"), values)


def _rows(pyramid: Pyramid) -> list[Phrase]:
    gap = Phrase(gettext_noop("gap"))
    return [
        Phrase(
            gettext_noop("Row %(row)s: %(cards)s"),
            {"row": row + 1, "cards": tuple(gap if card is None else card_words(card) for card in pyramid[row])},
        )
        for row in reversed(range(len(pyramid)))
        if any(card is not None for card in pyramid[row])
    ]


OPTIONS: Final[Mapping[str, Phrase]] = {
    "starting_player": Phrase(gettext_noop("Who starts")),
    "starting_player.random": Phrase(gettext_noop("by lot")),
    "starting_player.previous_winner": Phrase(gettext_noop("the winner of the game before")),
}

WORDS: Final[Words[Options, View, SedlecEvent, SedlecMove]] = Words(
    title=TITLE,
    story=story,
    asks=asks,
    label=label,
    summary=summary,
    table=table,
    options=OPTIONS,
    status=lambda view: (status(view),),
)
