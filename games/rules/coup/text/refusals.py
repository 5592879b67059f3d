"""The reason why a move is not legal, with the number of its ruling.

A reason uses only public facts and the cards of the player who asks.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from games.engine import MoveText, Phrase, Question, SeatName, SeatNumber
from games.engine import gettext_noop as _
from games.engine.phrases import because
from games.rules.coup.asking import FORCED_COUP
from games.rules.coup.game import law_and_questions
from games.rules.coup.law import ActionLaw
from games.rules.coup.state import State, others
from games.rules.coup.text.words import CHARACTERS, PARTIES


def why_illegal(state: State, question: Question, words: Sequence[str]) -> Phrase | None:
    """Return the reason why these words of the notation are no legal answer, with ``written`` for the move itself."""
    return next(_reasons(state, question, words[0], words[1:]), None)


def _reasons(state: State, question: Question, verb: str, rest: Sequence[str]) -> Iterator[Phrase]:
    law = law_and_questions(state)[1]
    if verb in law.actions:
        if question.kind != "turn":
            yield because("C5", _("“%(move)s” is for your own turn."), move=MoveText(verb))
        else:
            yield from _of_action(state, question.seat, law.actions[verb], _seat(rest))
    elif verb in ("examine", "embezzle", "convert", "bomb", "exchange"):
        yield because("C1", _("This game is played without “%(move)s”."), move=MoveText(verb))
    elif question.kind == "turn":
        yield because("C5", _("It’s your turn: nobody has done anything to answer with “%(move)s”."),
                       move=MoveText(verb))  # fmt: skip
    elif (explain := ANSWERS.get(verb)) is not None:
        yield from explain(state, question, rest)
    yield because(SECTIONS.get(question.kind, "§3"), _("“%(written)s” isn’t possible here."))


def _of_action(state: State, seat: SeatNumber, action: ActionLaw, target: SeatNumber | None) -> Iterator[Phrase]:
    """Yield the reasons why an action is not possible in the player's turn."""
    coins = state.coins[seat - 1]
    price = action.price(target if action.target != "none" else None)
    move = MoveText(action.verb)
    if coins >= FORCED_COUP and action.verb != "coup":
        yield because("§2", _("You have %(coins)s coins. With 10 or more you must launch a coup."), coins=coins)
    if coins < price:
        sentence = _("“%(move)s” costs %(price)s coins, and you have %(coins)s.")
        yield because("§2", sentence, move=move, price=price, coins=coins)
    if action.target != "none" and target is not None:
        yield from _of_target(state, seat, action, target)
    if action.possible is not None and target is None and action.target == "none":
        yield because("C3", _("The reserve is empty: there’s nothing to embezzle."))
    if action.target == "one" and target is None:
        yield because("§2", _("Name the player it’s aimed at: “%(move)s 2”."), move=move)


def _of_target(state: State, seat: SeatNumber, action: ActionLaw, target: SeatNumber) -> Iterator[Phrase]:
    move = MoveText(action.verb)
    if not 1 <= target <= len(state.hands):
        yield because("§2", _("There’s no seat %(seat)s in this game."), seat=target)
        return
    if target == seat:
        yield because("§2", _("You can’t aim “%(move)s” at yourself."), move=move)
    able = others(state, seat)
    if target not in able:
        yield because("§2", _("%(target)s is out of the game."), target=SeatName(target))
    law = law_and_questions(state)[1]
    if action.verb in law.protection.actions and target not in law.protection.exposed(state, seat, able):
        party = PARTIES[state.parties[seat - 1]]
        sentence = _("You can’t aim “%(move)s” at %(target)s: you’re both in the %(party)s.")
        yield because("C19", sentence, move=move, target=SeatName(target), party=party)
    if action.possible is not None and not action.possible(state, target):
        yield because("C3", _("%(target)s has no coins to steal."), target=SeatName(target))


def _challenge(state: State, question: Question, rest: Sequence[str]) -> Iterator[Phrase]:
    if state.claim is None:
        yield because("C5", _("Nobody claims a character here, so there’s nothing to challenge."))


def _block(state: State, question: Question, rest: Sequence[str]) -> Iterator[Phrase]:
    action = state.action
    if action is None or question.kind not in ("challenge", "block"):
        yield because("C9", _("There’s nothing to block here."))
        return
    law = law_and_questions(state)[1].actions[action.verb]
    if not law.blocked_by:
        yield because("C9", _("“%(move)s” can’t be blocked."), move=MoveText(action.verb))
    elif question.seat not in state.blockers and law.blockers == "target" and action.target:
        yield because("C9", _("Only %(target)s can block this."), target=SeatName(action.target))
    elif question.seat not in state.blockers:
        yield because("C19", _("You can’t block the foreign aid of a player of your own party."))
    else:
        cards = tuple(Phrase(CHARACTERS[card]) for card in law.blocked_by)
        yield because("C9", _("It can be blocked with: %(cards)s."), cards=cards)


def _prove(state: State, question: Question, rest: Sequence[str]) -> Iterator[Phrase]:
    if state.claim is None:
        yield because("C11", _("You aren’t asked to prove anything here."))
    else:
        false = _("You hold the %(card)s, so you can’t prove that you don’t.")
        sentence = false if state.claim.denies else _("You don’t hold the %(card)s, so you can’t prove it.")
        yield because("C11", sentence, card=CHARACTERS[state.claim.character])


def _of_card(state: State, question: Question, rest: Sequence[str]) -> Iterator[Phrase]:
    """Yield a reason if the player does not hold the named cards."""
    hand: list[Any] = [*state.hands[question.seat - 1], *(state.drawn or ())]
    for card in (word for word in rest if word in CHARACTERS):
        if card not in hand:
            yield because("C12", _("You don’t hold the %(card)s."), card=CHARACTERS[card])
        else:
            hand.remove(card)


def _hand(state: State, question: Question, rest: Sequence[str]) -> Iterator[Phrase]:
    receiver = _seat(rest)
    if state.bomb and receiver in state.bomb.held:
        sentence = _("%(target)s has paid for the bomb or held it in this turn.")
        yield because("C22", sentence, target=SeatName(receiver))


ANSWERS: Final[dict[str, Callable[[State, Question, Sequence[str]], Iterator[Phrase]]]] = {
    "challenge": _challenge,
    "block": _block,
    "prove": _prove,
    **dict.fromkeys(("concede", "lose", "keep", "pick", "show", "explode"), _of_card),
    "hand": _hand,
}
"""The reasons by the verb of the answer."""


SECTIONS: Final = {
    "turn": "§2", "loss": "§4", "party": "§5", "show": "§6", "examine": "§6", "bomb": "§7", "draft": "C2"
}  # fmt: skip
"""The section of the rules about the possible answers, by kind of question."""


def _seat(words: Sequence[str]) -> SeatNumber | None:
    """Return the first seat that the words name."""
    numbers = (word.removeprefix("seat ") for word in words)
    return next((SeatNumber(int(number)) for number in numbers if number.isdigit()), None)
