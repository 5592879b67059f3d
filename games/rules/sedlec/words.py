"""The words of the game: notation (``words.toml``), phrases, reasons for refusals, and the turning point."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import asdict

from games.engine import Phrase, Question, SeatName, SeatNumber, Sentence, Words
from games.engine import gettext_noop as _
from games.engine.hindsight import turning_point_by
from games.engine.phrases import Value, because
from games.engine.reading import read_words
from games.engine.story import Line, line_by_line
from games.engine.validation import STARTER_WORDS
from games.rules.sedlec.events import CardTurned, Dug, GameEnded, Laid, Resigned, SedlecEvent, SetUp, Taken
from games.rules.sedlec.game import Collect, Dig, Lay, SedlecMove, Take, outcome
from games.rules.sedlec.pyramid import HALVES, Card, Place, Pyramid, Score, score, size, width
from games.rules.sedlec.state import Options, State, closed_piles, open_piles, why_lay
from games.rules.sedlec.views import Pile, Player, View

TITLE: Final = Phrase(_("Skulls of Sedlec"))


def card_words(card: Card) -> Phrase:
    """Return a card's kinds in the reader's language. The notation understands these words as well."""
    top, bottom = HALVES[card]
    return Phrase(_("%(top)s/%(bottom)s"), {"top": top, "bottom": bottom})


def place_words(place: Place) -> Phrase:
    """Return the words for a place of the pyramid."""
    if place == "left":
        return Phrase(_("at the left end of the bottom row"))
    if place == "right":
        return Phrase(_("at the right end of the bottom row"))
    return Phrase(
        _("above cards %(first)s and %(second)s of row %(row)s"),
        {"row": int(place[3]), "first": int(place[5]), "second": int(place[5]) + 1},
    )


def score_words(score: Score) -> Phrase:
    """Return a score with the points of each kind."""
    sentence = _(
        "%(total)s points (royals %(royal)s, peasants %(peasant)s, priests %(priest)s, "
        "lovers %(lover)s, sinners %(sinner)s)"
    )
    return Phrase(sentence, asdict(score))


BEGAN: Final = _("The graveyard has %(piles)s piles of 3 cards, face down.")

TURNED_UP: Final = _("Turned up: %(found)s.")

DUG: Final = Sentence(_("%(player)s dug up %(found)s."), _("You dug up %(found)s."))

DUG_AND_TAKEN: Final = Sentence(
    _("%(player)s dug up %(found)s, and took %(card)s."), _("You dug up %(found)s, and took %(card)s.")
)

TOOK: Final = Sentence(_("%(player)s took %(card)s from pile %(pile)s."), _("You took %(card)s from pile %(pile)s."))

LAID: Final = Sentence(_("%(player)s laid %(card)s %(place)s."), _("You laid %(card)s %(place)s."))

RESIGNED: Final = Sentence(
    _("%(player)s resigned and can’t win. The server plays at random for them."),
    _("You resigned and can’t win. The server plays at random for you."),
)

POINTS: Final = Sentence(_("%(player)s: %(score)s"), _("you: %(score)s"))


def tell(line: Line, index: int, event: SedlecEvent) -> Phrase | None:
    """Return the sentence about an event, or None if it has none. A dig is told together with its card."""
    reader = line.reader
    match event:
        case SetUp(piles=piles):
            return Phrase(BEGAN, {"piles": len(piles)})
        case CardTurned(pile=pile, card=card):
            return Phrase(TURNED_UP, {"found": (_card_dug(pile, card),)})
        case Dug(seat=seat, piles=piles, cards=cards):
            cards_dug = tuple(map(_card_dug, piles, cards))
            if taking := line.together(index, Taken):
                return DUG_AND_TAKEN.phrase(reader, seat, found=cards_dug, card=card_words(taking.card))
            return DUG.phrase(reader, seat, found=cards_dug)
        case Taken(seat=seat, card=card, pile=pile):
            return TOOK.phrase(reader, seat, card=card_words(card), pile=pile)
        case Laid(seat=seat, card=card, place=place):
            return LAID.phrase(reader, seat, card=card_words(card), place=place_words(place))
        case Resigned(seat=seat):
            return RESIGNED.phrase(reader, seat)
        case GameEnded():
            return _ended(event, reader)
    return None


def _card_dug(pile: int, card: Card) -> Phrase:
    return Phrase(_("%(card)s on pile %(pile)s"), {"card": card_words(card), "pile": pile})


def _ended(event: GameEnded, reader: SeatNumber | None) -> Phrase:
    points = tuple(
        POINTS.phrase(reader, seat, score=score_words(score)) for seat, score in enumerate(event.scores, start=1)
    )
    sentence = _("%(winners)s %(points)s.")
    return Phrase(sentence, {"winners": winners_words(event.winners, reader), "points": points})


def winners_words(winners: Iterable[SeatNumber], reader: SeatNumber | None = None) -> Phrase:
    """Return the sentence about the winners."""
    seats = tuple(winners)
    if seats == (reader,):
        return Phrase(_("You win!"))
    if not seats:
        return Phrase(_("Nobody wins."))
    if reader in seats:
        others = tuple(SeatName(seat) for seat in seats if seat != reader)
        return Phrase(_("You win together with %(others)s."), {"others": others})
    sentence = _("%(winners)s wins.") if len(seats) == 1 else _("%(winners)s win together.")
    return Phrase(sentence, {"winners": tuple(SeatName(seat) for seat in seats)})


_ASKS: Final = {
    "turn": _("It’s your turn: dig up two piles, collect a face-up card, or lay a card from your hand."),
    "hand-full": _("It’s your turn. You hold two cards, so you must lay one of them."),
    "enough": _("It’s your turn. You have all the cards your pyramid needs: lay one of them."),
}


def asks(view: View, question: Question) -> Phrase:
    """Return a question as a sentence to the player who is asked."""
    if question.kind == "take":
        cards = tuple(card_words(card) for pile in view.dug if (card := view.piles[pile - 1].face_up) is not None)
        return Phrase(_("You’ve dug up %(cards)s. Which one do you take?"), {"cards": cards})
    return Phrase(_ASKS[question.reason])


def label(move: SedlecMove) -> Phrase:
    """Return the label of a move, as on a button."""
    match move:
        case Dig(piles=(pile,)):
            return Phrase(_("Dig up pile %(pile)s"), {"pile": pile})
        case Dig(piles=piles):
            return Phrase(_("Dig up piles %(pile)s and %(other_pile)s"), {"pile": piles[0], "other_pile": piles[1]})
        case Collect(pile=pile):
            return Phrase(_("Collect the card from pile %(pile)s"), {"pile": pile})
        case Take(pile=pile):
            return Phrase(_("Take the card from pile %(pile)s"), {"pile": pile})
        case Lay(card=card, place=place):
            return Phrase(_("Lay %(card)s %(place)s"), {"card": card_words(card), "place": place_words(place)})


def summary(options: Options, seats: int) -> tuple[Phrase, ...]:
    """Return the lines of the summary card."""
    rows = {"cards": size(seats), "bottom": width(seats), "middle": width(seats) - 1, "upper": width(seats) - 2}
    return (
        Phrase(_("Build a pyramid of %(cards)s cards: rows of %(bottom)s, %(middle)s and %(upper)s."), {**rows}),
        Phrase(_("On your turn do one thing: dig, collect or lay.")),
        Phrase(_("Dig: turn up the top cards of two piles and take one of the two.")),
        Phrase(_("Collect: take any card that lies face up in the graveyard.")),
        Phrase(_("Lay: put a card at an end of the bottom row, or above the middle of two neighbouring cards.")),
        Phrase(_("You hold at most two cards; with two you must lay. Cards are never turned round.")),
        Phrase(_("Royal: 1 point for each royal and peasant on any lower level.")),
        Phrase(_("Peasant: 1 point.")),
        Phrase(_("Priest: 2 points for each level with at least one priest.")),
        Phrase(_("Lover: 6 points for each pair of adjacent lovers; each lover is in one pair at most.")),
        Phrase(_("Sinner: 2 points if it is adjacent to a priest.")),
        Phrase(_("When every pyramid is full the most points win; tied players compare their best kinds.")),
        _starter(options),
    )


def _starter(options: Options) -> Phrase:
    match options.starting_player:
        case "random":
            return Phrase(_("Chance decides who starts."))
        case "previous_winner":
            return Phrase(_("The winner of the last game starts."))
        case seat:
            return Phrase(_("%(seat)s starts."), {"seat": SeatName(SeatNumber(seat))})


def table(view: View) -> tuple[Phrase, ...]:
    """Return the table as text: the piles, then each player's hand and pyramid from its top row down."""
    lines = [_pile(number, pile) for number, pile in enumerate(view.piles, start=1)]
    for player in view.players:
        lines += [_player(player), *_rows(player.pyramid)]
    return tuple(lines)


TURN: Final = Sentence(_("%(player)s moves next."), _("It’s your turn."))

TAKING: Final = Sentence(
    _("%(player)s must take one of the cards just dug up."), _("Take one of the cards that you dug up.")
)


def status(view: View, reader: SeatNumber | None) -> Phrase:
    """Return the sentence about the open question, or about the winners."""
    if view.winners is not None:
        return winners_words(view.winners, reader)
    if view.turn is None:
        return Phrase(_("The game is about to start."))
    return (TAKING if view.dug else TURN).phrase(reader, view.turn)


def _pile(number: int, pile: Pile) -> Phrase:
    values: dict[str, Value] = {"pile": number, "count": len(pile.face_down)}
    if pile.face_up is not None:
        values["card"] = card_words(pile.face_up)
        return Phrase(_("Pile %(pile)s: %(card)s, and %(count)s face down"), values)
    return Phrase(_("Pile %(pile)s: %(count)s face down"), values)


def _player(player: Player) -> Phrase:
    values: dict[str, Value] = {"seat": SeatName(player.seat), "score": score_words(player.score)}
    if not player.hand:
        return Phrase(_("%(seat)s: %(score)s; hand: empty"), values)
    values["hand"] = tuple(card_words(card) for card in player.hand)
    return Phrase(_("%(seat)s: %(score)s; hand: %(hand)s"), values)


def _rows(pyramid: Pyramid) -> list[Phrase]:
    gap = Phrase(_("gap"))
    return [
        Phrase(
            _("Row %(row)s: %(cards)s"),
            {"row": row + 1, "cards": tuple(gap if card is None else card_words(card) for card in pyramid[row])},
        )
        for row in reversed(range(len(pyramid)))
        if any(card is not None for card in pyramid[row])
    ]


PERSIAN, SYNONYMS = read_words(Path(__file__).with_name("words.toml"))

NEXT: Final = "next-turn"

PERSIAN_PLANS: Final = {NEXT: "نوبت بعد"}
"""The Persian word for the word that only plans use."""


WORDS: Final[Words[Options, View, SedlecEvent, SedlecMove]] = Words(
    title=TITLE,
    story=line_by_line(tell),
    asks=asks,
    label=label,
    summary=summary,
    table=table,
    options=STARTER_WORDS,
    notation={"fa": {**PERSIAN, **PERSIAN_PLANS}},
    status=lambda view, reader: (status(view, reader),),
)


MUST_LAY: Final = {
    "hand-full": _("You hold two cards, so you must lay one of them."),
    "enough": _("You have all the cards your pyramid needs, so you must lay one of them."),
}


def why_illegal(state: State, question: Question, words: Sequence[str]) -> Phrase | None:
    """Return the reason why these words of the notation are not a legal answer, or None without a special reason."""
    return next(_reasons(state, words[0], words[1:]), None)


def _reasons(state: State, verb: str, rest: Sequence[str]) -> Iterator[Phrase]:
    piles = [int(word) for word in rest if word.isdigit()]
    if (verb == "take") != bool(state.dug):
        yield because("turn", TAKE_FIRST if state.dug else DIG_FIRST)
    must_lay = None if state.dug else why_lay(state, state.turn)
    if must_lay and verb != "lay":
        yield because("S4" if must_lay == "enough" else "turn", MUST_LAY[must_lay])
    match verb:
        case "lay":
            yield from _of_laying(state, rest)
        case "take":
            yield because("turn", _("Take one of the cards that you’ve just dug up."))
        case "collect":
            yield from (because("turn", NOT_OPEN, pile=pile) for pile in piles if pile not in open_piles(state))
        case "dig":
            yield from (because("turn", NOT_CLOSED, pile=pile) for pile in piles if pile not in closed_piles(state))
            yield because("turn", _("Dig up two different piles, or the only one that is face down."))
    yield because("turn", _("“%(written)s” isn’t possible here."))


TAKE_FIRST: Final = _("You’ve dug up cards: take one of them first.")

DIG_FIRST: Final = _("You take a card only after you’ve dug.")

NOT_OPEN: Final = _("Pile %(pile)s has no face-up card.")

NOT_CLOSED: Final = _("Pile %(pile)s has no face-down card on top.")


def _of_laying(state: State, rest: Sequence[str]) -> Iterator[Phrase]:
    """Yield a reason if the player does not hold the card, or if there is no room for it."""
    hand = state.hands[state.turn - 1]
    for card in rest:
        if card in HALVES and card not in hand:
            yield because("laying", _("You don’t hold %(card)s."), card=card_words(Card(card)))
    yield because("laying", _("There’s no free place for it there in your pyramid."))


_AHEAD: Final = _("From here on %(winner)s had the most points.")


def points(state: State) -> list[int]:
    """Return the points of each seat. A seat that gave up, and cannot win, has -1."""
    forfeited = state.forfeited
    return [-1 if seat in forfeited else score(pyramid).total for seat, pyramid in enumerate(state.pyramids, start=1)]


turning_point: Final = turning_point_by(outcome, points, lambda standing: _AHEAD)
