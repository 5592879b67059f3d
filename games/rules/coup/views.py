"""The visibility of facts in Coup: views of the table, and other states with the same view.

No other part of a state leaves the server. The other states are for tests and for bots that think ahead.
"""

from typing import Final

import msgspec
from msgspec.structs import replace

from games.engine import EVERYONE, Chance, Question, SeatNumber, Viewer
from games.rules.coup import state as s
from games.rules.coup.game import legal_moves, question_of, questions
from games.rules.coup.moves import Block
from games.rules.coup.state import Answer, Card, Character, Options, State, court, in_order, open_seats, with_entry

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


def worlds(state: State, viewer: Viewer, chance: Chance) -> State:
    """Return ``state`` with new random values for every card and every answer that is hidden from ``viewer``.

    The cards of other hands, of another player's exchange and of the court change places. An examined card stays where
    the examiner saw it. Answers in an open reaction are replaced by other legal ones, by other seats if it is hidden
    who has answered.
    """
    if state.winner is not None:
        return state
    return other_answers(other_cards(state, viewer, chance), viewer, chance)


def other_cards(state: State, viewer: Viewer, chance: Chance) -> State:
    """Deal the hidden cards again. (In the draft all hands are the same by rule.)"""
    if state.asking == "draft":
        return state
    action = state.action
    is_own_action = action is not None and action.seat == viewer
    pinned: dict[int, Character] = {}
    if state.shown and action and action.target and viewer in (action.seat, action.target):
        pinned[action.target] = state.shown
    hidden: list[Character] = list(court(state))
    for seat, hand in enumerate(state.hands, 1):
        if seat != viewer:
            hidden.extend(card for card in hand if card)
            if seat in pinned:
                hidden.remove(pinned[seat])
    if not is_own_action:
        hidden.extend(card for card in state.drawn if card)
    aside = other_drafts(state, viewer, hidden, chance)
    mixed = list(chance.take(hidden, len(hidden)))
    hands: tuple[tuple[Card, ...], ...] = state.hands
    for seat, hand in enumerate(state.hands, 1):
        if seat != viewer:
            pinned_cards = [pinned[seat]] if seat in pinned else []
            cards = in_order([*pinned_cards, *(mixed.pop() for _ in hand[len(pinned_cards) :])])
            hands = with_entry(hands, SeatNumber(seat), cards)
    drawn_cards = state.drawn if is_own_action else tuple(mixed.pop() for _ in state.drawn)
    shown_card = state.shown
    if shown_card and action and action.target and action.target not in pinned:
        shown_card = hands[action.target - 1][0]
    return replace(state, hands=hands, drawn=drawn_cards, shown=shown_card, aside=aside)


def other_drafts(state: State, viewer: Viewer, hidden: list[Character], chance: Chance) -> tuple[Card, ...]:
    """Return the cards that the others may have put out of the game. The hands that result from it are added to
    ``hidden``.
    """
    characters = sorted(set(state.pack))
    per_seat = len(characters) - 1
    aside: list[Card] = []
    for seat in range(1, len(state.aside) // per_seat + 1):
        own_cards = state.aside[(seat - 1) * per_seat : seat * per_seat]
        if seat != viewer:
            hidden.extend(card for card in own_cards if card)
            outs = [[card for card in characters if card != character] for character in characters]
            out = chance.choose([out for out in outs if all(card in hidden for card in out)])
            for card in out:
                hidden.remove(card)
            own_cards = tuple(out)
        aside.extend(own_cards)
    return tuple(aside)


def other_answers(state: State, viewer: Viewer, chance: Chance) -> State:
    """Return other legal answers, by other seats if it is hidden who has answered."""
    if not state.asking or len(state.asked) < 2:
        return state
    own_answers = [answer for answer in state.answers if answer.seat == viewer]
    other_answers_now = [answer for answer in state.answers if answer.seat != viewer]
    able = [seat for seat in state.asked if seat != viewer]
    if state.options.waiting == "public":
        seats = [answer.seat for answer in other_answers_now]
    else:
        hidden = state.options.waiting == "hidden"
        most = len(able) - (0 if viewer in open_seats(state) else 1)
        count = chance.choose(range(most + 1)) if hidden else len(other_answers_now)
        seats = list(chance.take(able, count))
    asked_again = replace(state, answers=())
    answers = [*own_answers, *(random_answer(asked_again, seat, chance) for seat in seats)]
    return replace(state, answers=tuple(answers), waiting=len(state.asked) - len(answers))


def random_answer(state: State, seat: int, chance: Chance) -> Answer:
    """Return a random legal answer that leaves the reaction open."""
    question = next(question for question in questions(state) if question.seat == seat)
    moves = [
        move
        for move in legal_moves(state, question)
        if state.options.answers == "sealed"
        or not (move.__struct_config__.tag == "challenge" or (isinstance(move, Block) and state.asking == "block"))
    ]
    move = chance.choose(moves)
    return Answer(question.seat, str(move.__struct_config__.tag), getattr(move, "character", None))
