"""Decides moves, resignations and the set-up."""

from functools import reduce
from typing import Final

from games.engine import Chance, Outcome, SeatNumber, evolve, places_by
from games.engine.validation import check_in_game, check_seat_count, choose_starter, find_question, not_possible
from games.rules.sedlec.cards import DECK, Card
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
from games.rules.sedlec.moves import Dig, Lay, SedlecMove, default_moves, is_legal
from games.rules.sedlec.options import Options
from games.rules.sedlec.scoring import score, winners
from games.rules.sedlec.state import PILES, State, next_seat, one_more, questions

NAME: Final = "sedlec"
VERSION: Final = 1
PLAYERS: Final = range(2, 4)


def setup(options: Options, seats: int, chance: Chance, deck: tuple[Card, ...] = DECK) -> tuple[SedlecEvent, ...]:
    """Deal six piles of three cards, turn up one top card and choose the starter.

    Chance draws the cards in the order in which they are dealt (pile 1 from its top card down, then pile 2 and so on),
    then the pile (Sedlec S2), then the starting player (S3).
    """
    check_seat_count(PLAYERS, seats, "setup")
    shuffled = chance.take(deck, len(deck))
    high = len(deck) // len(PILES)
    piles = tuple(shuffled[first : first + high] for first in range(0, len(deck), high))
    pile = chance.choose(PILES)
    return (
        SetUp(rules=NAME, version=VERSION, seats=seats, options=options, deck=deck, piles=piles),
        CardTurned(pile=pile, card=piles[pile - 1][0]),
        TurnBegan(seat=choose_starter(options, seats, chance, "S3")),
    )


def decide(state: State, seat: SeatNumber, move: SedlecMove, chance: Chance) -> tuple[SedlecEvent, ...]:
    """Return the events that follow from ``move``, up to the next question or the end. Raises RuleViolation."""
    find_question(questions(state), state.asked, seat, move.question)
    if not is_legal(state, move):
        raise not_possible("turn")
    return tuple(_played(state, move, chance))


def resign(state: State, seat: SeatNumber, chance: Chance) -> tuple[SedlecEvent, ...]:
    """Give up a seat. It is continued by default moves (Sedlec S8) and cannot win (S10)."""
    check_in_game(state.winners is None and 1 <= seat <= len(state.hands) and seat not in state.forfeited)
    resigned = Resigned(seat=seat)
    state = evolve(state, resigned)
    if len(state.forfeited) == len(state.hands):
        return resigned, _ended(state)
    if state.turn == seat:
        return resigned, *_played_on(state, chance)
    return (resigned,)


def outcome(state: State) -> Outcome | None:
    """Return the outcome, or None while the game is running."""
    if state.winners is None:
        return None
    points = [score(pyramid) for pyramid in state.pyramids]
    worths = [(seat not in state.forfeited, score.total, score.subtotals) for seat, score in enumerate(points, start=1)]
    return Outcome(state.winners, places_by(worths) if state.winners else (), tuple(point.total for point in points))


def _played(state: State, move: SedlecMove, chance: Chance) -> list[SedlecEvent]:
    """Return the events of a legal move, up to the next question or the end."""
    events = _effects(state, move)
    if len(events) == 1 and isinstance(events[0], Dug):
        goes_on = state.turn in state.forfeited
    else:
        laid = one_more(state.laid, state.turn) if isinstance(move, Lay) else state.laid
        seat = next_seat(state, laid)
        if seat is None:
            return [*events, _ended(reduce(evolve, events, state))]
        goes_on = seat in state.forfeited
        events.append(TurnBegan(seat=seat, forfeited=goes_on))
    if goes_on:
        events += _played_on(reduce(evolve, events, state), chance)
    return events


def _played_on(state: State, chance: Chance) -> list[SedlecEvent]:
    """Return the events of default moves while the seat in turn is forfeited (Sedlec S8)."""
    return _played(state, chance.choose(default_moves(state)), chance)


def _effects(state: State, move: SedlecMove) -> list[SedlecEvent]:
    """Return the events by which the seat in turn makes its move."""
    seat = state.turn
    if isinstance(move, Lay):
        return [Laid(seat=seat, card=move.card, place=move.place)]
    if isinstance(move, Dig):
        piles = move.piles
        cards = tuple([_card(state.face_down[pile - 1][0]) for pile in piles])
        dug = Dug(seat=seat, piles=piles, cards=cards)
        return [dug, Taken(seat=seat, pile=piles[0], card=cards[0])] if len(piles) == 1 else [dug]  # Sedlec S9
    return [Taken(seat=seat, pile=move.pile, card=_card(state.face_up[move.pile - 1]))]


def _card(card: Card | None) -> Card:
    """Return a card that must be known. A state with hidden cards cannot be played on."""
    if card is None:
        raise ValueError("this card is hidden: only the full state can be played on")
    return card


def _ended(state: State) -> GameEnded:
    """Count the points. A forfeited seat takes no part in winning or in the tie-break (Sedlec S10)."""
    scores = tuple(score(pyramid) for pyramid in state.pyramids)
    ranked = [(SeatNumber(seat), points) for seat, points in enumerate(scores, start=1)]
    return GameEnded(winners=winners(pair for pair in ranked if pair[0] not in state.forfeited), scores=scores)
