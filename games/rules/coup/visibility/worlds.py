"""Other states that look the same to a viewer, for tests and for bots that think ahead."""

from msgspec.structs import replace

from games.engine import Chance, Viewer
from games.rules.coup.cards import Character
from games.rules.coup.game import legal_moves, questions
from games.rules.coup.moves import Block
from games.rules.coup.state import Answer, Card, State, court, in_order, open_seats, with_entry


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
            hands = with_entry(
                hands, seat, in_order([*pinned_cards, *(mixed.pop() for _ in hand[len(pinned_cards) :])])
            )  # type: ignore[arg-type]
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
