"""Views of the table. No other part of a state leaves the server."""

from typing import Final

import msgspec

from games.engine import EVERYONE, Question, SeatNumber, Viewer
from games.rules.coup import state as s
from games.rules.coup.cards import Character
from games.rules.coup.game import question_of
from games.rules.coup.options import Options
from games.rules.coup.state import State

INFLUENCE: Final = 2
"""The number of cards at the start. A player who has lost as many is out (rules, section 4)."""
ALWAYS_PUBLIC = ("turn", "proof")
"""The kinds of questions whose seats are public with every value of ``waiting`` (rules, section 9)."""


class SeatView(msgspec.Struct, frozen=True, gc=False):
    """A player in the view."""

    seat: SeatNumber
    coins: int
    cards: int
    """The number of face-down cards."""
    hand: tuple[Character, ...] | None
    """The face-down cards, if the viewer may know them."""
    lost: tuple[Character, ...]
    """The face-up cards."""
    party: s.Party | None
    alive: bool
    """True if the player is in the game. They may have no card for a moment, before the deal or between two events."""


class ActionView(msgspec.Struct, frozen=True, gc=False):
    """The action of this turn."""

    seat: SeatNumber
    verb: s.ActionVerb
    target: SeatNumber | None


class ClaimView(msgspec.Struct, frozen=True, gc=False):
    """The claim in question, and its challenger."""

    seat: SeatNumber
    character: Character
    denies: bool
    challenger: SeatNumber | None


class View(msgspec.Struct, frozen=True, gc=False):
    """A game of Coup as one seat, a spectator, or after the end everyone may know it."""

    viewer: Viewer
    options: Options
    seats: tuple[SeatView, ...]
    treasury: int
    reserve: int
    court: int
    """The number of cards in the court."""
    turn: SeatNumber
    asking: s.QuestionKind
    """The kind of the open question. Its seats follow from public facts."""
    action: ActionView | None
    block: s.Block | None
    challenge: ClaimView | None
    bomb: s.Bomb | None
    waiting: int | None
    """The number of players who have not answered, as far as the option ``waiting`` reveals it."""
    waiting_for: tuple[SeatNumber, ...] | None
    """The seats that have not answered, as far as the option ``waiting`` reveals them."""
    question: Question | None
    """The viewer's own question."""
    answer: s.Answer | None
    """The viewer's own answer in a window that is still open."""
    drawn: tuple[Character, ...] | None
    """The cards that the viewer's own exchange has drawn."""
    examined: Character | None
    """The card being examined, for the two who know it."""
    winner: SeatNumber | None
    court_cards: tuple[Character, ...] | None
    """The court once the game is over."""


def view(state: State, viewer: Viewer) -> View:
    """Return the knowledge of a viewer about a state. This is the only way from a state to a viewer."""
    action, claim = state.action, state.claim
    waiting, waiting_for = waited_for(state)
    is_own_action = action is not None and viewer == action.seat
    examining = action is not None and viewer in (action.seat, action.target)
    return View(
        viewer=viewer,
        options=state.options,
        seats=seats_seen(state, viewer),
        treasury=state.treasury,
        reserve=state.reserve,
        court=s.court_size(state),
        turn=state.turn,
        asking=state.asking,
        action=ActionView(action.seat, action.verb, action.target) if action else None,
        block=state.block,
        challenge=ClaimView(claim.seat, claim.character, claim.denies, state.challenger) if claim else None,
        bomb=state.bomb,
        waiting=waiting,
        waiting_for=waiting_for,
        question=question_of(state, viewer),
        answer=next((answer for answer in state.answers if answer.seat == viewer), None) if state.answers else None,
        drawn=s.known_cards(state.drawn) if is_own_action and state.drawn else None,
        examined=state.shown if examining else None,
        winner=state.winner,
        court_cards=state.court,
    )


def seats_seen(state: State, viewer: Viewer) -> tuple[SeatView, ...]:
    """Return all players. A hand is included for its owner, and for all viewers after the end."""
    all_open = viewer == EVERYONE or state.winner is not None
    parties = state.parties or (None,) * len(state.hands)
    seats = zip(s.SEATS, state.coins, state.hands, state.lost, parties, strict=False)
    return tuple(
        [
            SeatView(
                seat=seat,
                coins=coins,
                cards=len(hand),
                hand=s.known_cards(hand) if all_open or seat == viewer else None,
                lost=lost,
                party=party,
                alive=len(lost) < INFLUENCE,
            )
            for seat, coins, hand, lost, party in seats
        ]
    )


def waited_for(state: State) -> tuple[int | None, tuple[SeatNumber, ...] | None]:
    """Return how many answers are missing and from which seats, as far as that is public."""
    if state.asking in ALWAYS_PUBLIC:
        return len(state.asked), state.asked
    if state.options.waiting == "hidden":
        return None, None
    if state.options.waiting == "number":
        return state.waiting, None
    return state.waiting, s.open_seats(state)
