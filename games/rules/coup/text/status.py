"""Texts about a position: the status, the table, the summary card, and the consequences of moves."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from games.engine import Move, Phrase, SeatName, SeatNumber, Sentence
from games.engine import gettext_noop as _
from games.rules.coup import moves as m
from games.rules.coup.game import law_of
from games.rules.coup.law import ActionLaw
from games.rules.coup.state import CONTESSA, Character, Options, copies
from games.rules.coup.text.words import (
    ASKED_OF_ALL,
    CHARACTERS,
    EXPANSION_RULES,
    LABELS,
    PARTIES,
    asks,
    asks_of_all,
    blocking,
    bomb_on_its_way,
    coins,
    doing,
)
from games.rules.coup.views import SeatView, View

CLAIMS_ASKED: Final = ("proof", "loss")
"""The questions during which an earlier challenge is still worth mentioning."""
SEVERAL_ASKED: Final = ("draft", "challenge", "block", "challenge-block")
"""The kinds of questions that can go to several seats at the same time."""
WON: Final = Sentence(_("%(player)s has won the game."), _("You’ve won the game."))
TURN: Final = Sentence(_("%(player)s moves next."), _("It’s your turn."))
DRAFT: Final = _("The game starts with a draft.")
DOUBTS: Final = Sentence(
    _("%(player)s challenges %(target)s."), _("You challenge %(target)s."), _("%(player)s challenges you.")
)
EXAMINES: Final = Sentence(
    _("%(player)s looks at a card of %(target)s."),
    _("You look at a card of %(target)s."),
    _("%(player)s looks at one of your cards."),
)


def sentences(view: View, reader: SeatNumber | None) -> tuple[Phrase, ...]:
    """Return the whole status: the action, the reactions to it, the question, and the missing answers."""
    candidates = (headline(view, reader), *under_way(view), asked_for(view), still_missing(view), missing(view))
    return tuple(sentence for sentence in candidates if sentence is not None)


def headline(view: View, reader: SeatNumber | None) -> Phrase:
    """Return the winner, the present action, or whose turn it is."""
    if view.winner is not None:
        return WON.phrase(reader, view.winner)
    if (action := doing(view)) is not None:
        return action
    if not view.turn:
        drafting = view.asking == "draft"
        return Phrase(DRAFT if drafting else _("The game is about to start."))
    return TURN.phrase(view.viewer, view.turn)


def under_way(view: View) -> Iterator[Phrase]:
    """Yield the reactions to the action so far: the way of the bomb, the block, the challenge."""
    if view.winner is not None:
        return
    yield from (sentence for sentence in (bomb_on_its_way(view), blocking(view)) if sentence is not None)
    if view.challenge and (doubter := challenger(view)):
        yield DOUBTS.phrase(view.viewer, doubter, view.challenge.seat)


def challenger(view: View) -> SeatNumber | None:
    """Return the sentence about the challenger, as long as it matters."""
    return view.challenge.challenger if view.challenge and view.asking in CLAIMS_ASKED else None


def asked_for(view: View) -> Phrase | None:
    """Return the sentence about the open question: the viewer's own, their answer, or the public part of it."""
    if view.question is not None:
        about_it = view.question.kind in ASKED_OF_ALL
        return asks_of_all(view, view.question) if about_it else asks(view, view.question)
    if view.answer is not None and view.answer.answer:
        card = CHARACTERS[view.answer.character] if view.answer.character else ""
        label = Phrase(LABELS[view.answer.answer], {"card": card})
        return Phrase(_("Your answer: %(answer)s."), {"answer": label})
    ask = ASKED.get(view.asking)
    return ask(view) if ask else None


def still_missing(view: View) -> Phrase | None:
    """Return how many answers are still missing, if several seats are asked and the number is public."""
    if view.waiting is None or view.asking not in SEVERAL_ASKED:
        return None
    return Phrase(_("Answers still to come: %(count)s."), {"count": view.waiting})


def missing(view: View) -> Phrase | None:
    """Return whose answers are still missing, if several seats are asked and that is public."""
    if not view.waiting_for or view.asking not in SEVERAL_ASKED:
        return None
    players = tuple(SeatName(seat) for seat in view.waiting_for)
    return Phrase(_("Waiting for: %(players)s."), {"players": players})


def _window(view: View) -> Phrase:
    law = law_of(view.options, len(view.seats))
    if view.bomb is None and view.action and law.actions[view.action.verb].blocked_by:
        return Phrase(_("Does anyone challenge or block it?"))
    return Phrase(_("Does anyone challenge it?"))


def _proof(view: View) -> Phrase:
    return _of(_("%(player)s has to prove it or concede."), view.challenge.seat if view.challenge else None)


def _loss(view: View) -> Phrase:
    if view.waiting_for:
        return _of(_("%(player)s has to lose an influence."), view.waiting_for[0])
    return Phrase(_("An influence is about to be lost."))


def _examine(view: View) -> Phrase:
    return EXAMINES.phrase(view.viewer, _actor(view) or SeatNumber(0), _target(view))


def _of(sentence: str, seat: SeatNumber | None) -> Phrase:
    return Phrase(sentence, {"player": SeatName(seat or SeatNumber(0))})


def _actor(view: View) -> SeatNumber | None:
    return view.action.seat if view.action else None


def _target(view: View) -> SeatNumber | None:
    return view.action.target if view.action else None


ASKED: Final[Mapping[str, Callable[[View], Phrase]]] = {
    "draft": lambda view: Phrase(_("Both players secretly choose one of five cards to keep.")),
    "party": lambda view: _of(_("%(player)s chooses a party."), view.turn),
    "challenge": _window,
    "block": lambda view: Phrase(_("Does anyone block it?")),
    "challenge-block": lambda view: Phrase(_("Does anyone challenge the block?")),
    "proof": _proof,
    "loss": _loss,
    "exchange": lambda view: _of(_("%(player)s chooses which cards to keep."), _actor(view)),
    "show": lambda view: _of(_("%(player)s chooses a card to show."), _target(view)),
    "examine": _examine,
    "bomb": lambda view: _of(_("%(player)s holds the bomb."), view.bomb.holder if view.bomb else None),
}
"""The public sentence about each kind of question, except the question for an action."""


_COST_ON_LABEL: Final = ("convert",)


def meanings(view: View, move: Move) -> tuple[Phrase, ...]:
    """Return the consequences of a move as sentences, the most important first."""
    return tuple(_sentences(view, move))


def _sentences(view: View, move: Move) -> Iterator[Phrase]:
    law = law_of(view.options, len(view.seats))
    verb = str(move.__struct_config__.tag)
    if verb in law.actions:
        yield from _of_action(view, law.actions[verb])
    elif isinstance(move, m.Block):
        yield _claim(view, move.character)
    elif isinstance(move, m.Defuse | m.Hand):
        yield _claim(view, CONTESSA)
    elif isinstance(move, m.Challenge):
        yield Phrase(_("If you’re wrong, you lose an influence."))
        if view.challenge:
            yield _copies_in_sight(view, view.challenge.character)


def _of_action(view: View, action: ActionLaw) -> Iterator[Phrase]:
    if action.claims:
        yield _claim(view, action.claims, action.denies)
    if action.cost and action.verb not in _COST_ON_LABEL:
        yield Phrase(_("It costs %(coins)s coins."), {"coins": action.cost})
    if action.blocked_by:
        blockers: Any = tuple(Phrase(CHARACTERS[card]) for card in action.blocked_by)
        yield Phrase(_("Blocked by: %(cards)s."), {"cards": blockers})


def _claim(view: View, card: Character, denies: bool = False) -> Phrase:
    """Return whether a claim of the viewer would be true."""
    holds = card in _hand(view)
    if denies:
        sentence = _("A bluff: you hold a %(card)s.") if holds else _("True: you hold no %(card)s.")
    else:
        sentence = _("You hold the %(card)s.") if holds else _("A bluff.")
    return Phrase(sentence, {"card": CHARACTERS[card]})


def _copies_in_sight(view: View, card: Character) -> Phrase:
    """Return how many cards of a character the viewer sees, out of how many."""
    lost = sum(seat.lost.count(card) for seat in view.seats)
    visible, total = lost + _hand(view).count(card), copies(len(view.seats))
    sentence = _("You see %(seen)s of the %(every)s %(card)s cards.")
    return Phrase(sentence, {"every": total, "card": CHARACTERS[card], "seen": visible})


def _hand(view: View) -> tuple[Character, ...]:
    return next((seat.hand or () for seat in view.seats if seat.seat == view.viewer), ())


CLASSIC: Final = (
    _("You hold two face-down cards: your influence. The last player with influence wins."),
    _("Take one action on your turn. You can claim any character, whether you hold it or not."),
    _("Income: take 1 coin. Foreign aid: take 2 coins; a duke blocks it."),
    _("Coup: pay 7 coins, the target loses a card. With 10 coins or more you must launch a coup."),
    _("Duke: tax, take 3 coins. Blocks foreign aid."),
    _("Assassin: pay 3 coins, the target loses a card; only the target can block it, with the contessa."),
    _("Contessa: blocks an assassination."),
)
STEAL: Final = _(
    "Captain: steal 2 coins; only the victim can block it, with the captain or the %(other)s. Blocks stealing."
)
AMBASSADOR: Final = _("Ambassador: draw two cards from the court and return two. Blocks stealing.")
CHALLENGE: Final = (
    _(
        "Anyone can challenge a claim. The player who was wrong loses an influence. A proved card goes back, and its "
        "owner draws a new one."
    ),
    _("If you’re caught bluffing, you get your coins back. If you’re blocked, you don’t."),
    _("A player who resigns shows their cards. Their action, block or challenge has no effect."),
)
TWO: Final = _("Two players: the starting player has 1 coin.")
DRAFT_LINE: Final = _("Two players: each secretly keeps one of five cards; the second card is dealt.")
LONG: Final = _("More than 6 players: a long game, for experts and special occasions.")


def summary(options: Options, seats: int) -> tuple[Phrase, ...]:
    """Return the lines of the summary card."""
    other = CHARACTERS["inquisitor" if options.inquisitor else "ambassador"]
    expansions = {option: rules for option, rules in EXPANSION_RULES.items() if getattr(options, option)}
    exchange = expansions.pop("inquisitor", (AMBASSADOR,))
    pack = _("The pack has %(copies)s cards of each character.")
    two = (TWO, DRAFT_LINE) if options.two_player_setup == "draft" else (TWO,)
    return (
        *map(Phrase, CLASSIC),
        Phrase(STEAL, {"other": other}),
        *map(Phrase, exchange),
        *map(Phrase, CHALLENGE),
        *(Phrase(rule) for rules in expansions.values() for rule in rules),
        Phrase(pack, {"copies": copies(seats)}),
        *map(Phrase, two if seats == 2 else ()),
        *map(Phrase, (LONG,) if seats > 6 else ()),
    )


def table(view: View) -> tuple[Phrase, ...]:
    """Return the table as text: the middle, then each player."""
    middle = _("Treasury %(treasury)s, court %(court)s cards.")
    if view.options.reformation:
        middle = _("Treasury %(treasury)s, reserve %(reserve)s, court %(court)s cards.")
    numbers: dict[str, Any] = {"treasury": view.treasury, "reserve": view.reserve, "court": view.court}
    return (Phrase(middle, numbers), *hands(view))


def hands(view: View) -> tuple[Phrase, ...]:
    """Return the cards of each player, as far as the viewer may know them."""
    return tuple(player(seat) for seat in view.seats)


def player(seat: SeatView) -> Phrase:
    """Return the line of a player: coins, face-down cards (by name if they are visible), face-up cards, party."""
    cards = tuple(Phrase(CHARACTERS[card]) for card in seat.hand or ())
    lost = tuple(Phrase(CHARACTERS[card]) for card in seat.lost)
    parts = [coins(seat.coins)]
    if cards:
        parts.append(Phrase(_("hand: %(cards)s"), {"cards": cards}))
    elif seat.alive:
        face_down = _("%(count)s face-down cards") if seat.cards > 1 else _("1 face-down card")
        parts.append(Phrase(face_down, {"count": seat.cards}))
    if lost:
        parts.append(Phrase(_("lost %(cards)s"), {"cards": lost}))
    if seat.party and seat.alive:
        parts.append(Phrase(PARTIES[seat.party]))
    if not seat.alive:
        parts.append(Phrase(_("out")))
    return Phrase(_("%(player)s: %(parts)s"), {"player": SeatName(seat.seat), "parts": tuple(parts)})
