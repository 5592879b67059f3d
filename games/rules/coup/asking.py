"""The moves that answer each question of the classic game, and the default move (rules, section 8)."""

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations
from typing import Final

from games.engine import Chance, Move, SeatNumber
from games.rules.coup import moves as m
from games.rules.coup.flow import WINDOWS
from games.rules.coup.law import Law, QuestionLaw
from games.rules.coup.state import SEATS, Card, Character, State, known_cards, nearest, others

FORCED_COUP: Final = 10
"""A player who has this many coins at the start of a turn can only launch a coup."""


Offer = tuple[Move | None, tuple[Move, ...], bool, Callable[[State, SeatNumber | None], bool] | None]
"""An action as a turn may offer it: the move without a target, or a move against each seat from seat 1; whether some
seats are protected from it; and the ``possible`` function of its law."""


def distinct(hand: tuple[Card, ...]) -> list[Character]:
    """Return the different characters of a hand. Two cards of one character are one choice."""
    return sorted(set(known_cards(hand)))


def turn_moves(law: Law, state: State, seat: SeatNumber, question: str) -> tuple[Move, ...]:
    """Return every action that can be paid for and could do something (Coup C3). The moves of one action stand side by
    side.
    """
    able = others(state, seat)
    exposed = law.protection.exposed(state, seat, able)
    moves: list[Move] = []
    for alone, against, protects, possible in offers(law, min(state.coins[seat - 1], FORCED_COUP), question):
        if alone:
            if not possible or possible(state, None):
                moves.append(alone)
        else:
            for target in exposed if protects else able:
                if not possible or possible(state, target):
                    moves.append(against[target - 1])
    return tuple(moves)


@lru_cache(maxsize=2048)
def offers(law: Law, coins: int, question: str) -> tuple[Offer, ...]:
    """Return all actions that a player with this number of coins could choose, without looking at the other seats.

    They depend on the law alone, so they can be cached for all games.
    """
    choices: list[Offer] = []
    for action in (law.actions["coup"],) if coins >= FORCED_COUP else law.actions.values():
        make: type = action.move
        protects, possible = action.verb in law.protection.actions, action.possible
        if action.target != "one" and action.cost <= coins:
            choices.append((make(question=question), (), protects, possible))
        if action.target != "none" and action.price(SEATS[0]) <= coins:
            against = tuple([make(seat, question=question) for seat in SEATS])
            choices.append((None, against, protects, possible))
    return tuple(choices)


def window_moves(law: Law, state: State, seat: SeatNumber, question: str) -> tuple[Move, ...]:
    """Return the answers in a reaction: allow, challenge a claim, or block (Coup C6)."""
    blocks = law.actions[state.action.verb].blocked_by if state.action and seat in state.blockers else ()
    return window_answers(state.claim is not None, blocks, question)


@lru_cache(maxsize=4096)
def window_answers(claimed: bool, blocks: tuple[Character, ...], question: str) -> tuple[Move, ...]:
    """Return the answers to a reaction, with or without a claim, that these characters may block."""
    challenge = (m.Challenge(question=question),) if claimed else ()
    return (m.Allow(question=question), *challenge, *[m.Block(character, question=question) for character in blocks])


def proof_moves(law: Law, state: State, seat: SeatNumber, question: str) -> tuple[Move, ...]:
    """Return the proof, if it is possible, and a concession for each card that may be lost (Coup C11)."""
    claim = state.claim
    assert claim is not None
    hand = state.hands[seat - 1]
    moves: list[Move] = []
    if (claim.character in hand) != claim.denies:
        moves.append(m.Prove(question=question))
    if claim.costs_both or len(hand) == 1:
        return (*moves, m.Concede(question=question))
    return (*moves, *[m.Concede(card, question=question) for card in distinct(hand)])


def each_card(make: Callable[..., Move]) -> Callable[[Law, State, SeatNumber, str], tuple[Move, ...]]:
    """Return a function for questions that are answered with any face-down card (Coup C12)."""

    def moves(law: Law, state: State, seat: SeatNumber, question: str) -> tuple[Move, ...]:
        return tuple([make(card, question=question) for card in distinct(state.hands[seat - 1])])

    return moves


def exchange_moves(law: Law, state: State, seat: SeatNumber, question: str) -> tuple[Move, ...]:
    """Return every choice of cards that leaves as many as the player held before."""
    cards = sorted(known_cards((*state.hands[seat - 1], *state.drawn)))
    choices = dict.fromkeys(combinations(cards, len(state.hands[seat - 1])))
    return tuple(m.Keep(characters, question=question) for characters in choices)


def income_or_coup(law: Law, state: State, seat: SeatNumber, moves: tuple[Move, ...], chance: Chance) -> Move:
    """Return income, or with 10 coins a coup against the next player clockwise who may be a target."""
    coups = {move.target: move for move in moves if isinstance(move, m.Coup)}
    if state.coins[seat - 1] < FORCED_COUP:
        return next(move for move in moves if isinstance(move, m.Income))
    return coups[nearest(coups, after=seat)]


def first(law: Law, state: State, seat: SeatNumber, moves: tuple[Move, ...], chance: Chance) -> Move:
    """Return the first move of the list: silence means allow (Coup C7)."""
    return moves[0]


def by_lot(law: Law, state: State, seat: SeatNumber, moves: tuple[Move, ...], chance: Chance) -> Move:
    """Return a random move. All are equally likely (Coup C18)."""
    return chance.choose(moves)


def proof_or_any(law: Law, state: State, seat: SeatNumber, moves: tuple[Move, ...], chance: Chance) -> Move:
    """Return the proof if it is possible, else the concession of a random card."""
    if isinstance(moves[0], m.Prove):
        return moves[0]
    return by_card(law, state, seat, moves, chance)


def by_card(law: Law, state: State, seat: SeatNumber, moves: tuple[Move, ...], chance: Chance) -> Move:
    """Return a random card's move. Each card (not each character) is equally likely."""
    move_of = {getattr(move, "character", None): move for move in moves}
    return move_of.get(chance.choose(state.hands[seat - 1])) or moves[0]


def own_cards(law: Law, state: State, seat: SeatNumber, moves: tuple[Move, ...], chance: Chance) -> Move:
    """Return the move that keeps the player's own cards."""
    return next(move for move in moves if isinstance(move, m.Keep) and move.characters == state.hands[seat - 1])


WINDOW: Final = QuestionLaw(window_moves, first, "reaction")

QUESTIONS: Final = {
    "turn": QuestionLaw(turn_moves, income_or_coup, "turn"),
    **dict.fromkeys(WINDOWS, WINDOW),
    "proof": QuestionLaw(proof_moves, proof_or_any),
    "loss": QuestionLaw(each_card(m.Lose), by_card),
    "exchange": QuestionLaw(exchange_moves, own_cards),
}
