"""Coup in hindsight: counts of claims and challenges, guesses about hidden cards, and the turning point.

The turning point is the lost card after which the winner had more influence than all others.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from games.engine import Event, Phrase, Question, SeatName, SeatNumber, evolve
from games.engine import gettext_noop as _
from games.engine.hindsight import Claims, Statistics, Tally, turning_point_by
from games.engine.rules import Consequence, Guess
from games.rules.coup import events as e
from games.rules.coup.flow import WINDOWS
from games.rules.coup.game import LAW, outcome
from games.rules.coup.state import Claim, State, living
from games.rules.coup.text.words import CHARACTERS


def statistics(events: Iterable[Event]) -> Statistics:
    """Return the bluffs of a finished game from its open log.

    A claim is a lie if the player's face-down cards did not bear it out at the moment of the claim. A conceded claim
    counts as fallen, even if it could have been proved.
    """
    tally = Tally()
    state: Any = None
    for event in events:
        count(tally, state, event)
        state = evolve(state, event)
    return tally.statistics()


def claims(events: Iterable[Event]) -> tuple[Claims, ...]:
    """Return the claims that the players made, from public events. ``lies`` is 0, because it is not known."""
    tally = Tally()
    for event in events:
        count(tally, None, event)
    return tally.statistics().claims


def count(tally: Tally, state: State | None, event: Event) -> None:
    """Count one event that happens in this state. Pass None as the state if hands must not be looked at."""
    match event:
        case e.WindowOpened(claim=Claim() as claim):
            lies = state is not None and (claim.character in state.hands[claim.seat - 1]) == claim.denies
            tally.claimed(claim.seat, claim.character, claim.denies, lies)
        case e.Challenged(seat=seat):
            tally.challenged(seat)
        case e.Conceded():
            tally.fell()
        case e.Proved():
            tally.proved()


HELD = _("The chance that %(player)s held the %(claim)s was %(percent)s%%.")
HELD_NONE = _("The chance that %(player)s held no %(claim)s was %(percent)s%%.")


def guesses(state: State, question: Question) -> tuple[Guess, ...]:
    """Return the statements about hidden cards that mattered for an answer. The state is that of the seat."""
    claim = state.claim
    if question.kind not in WINDOWS or claim is None or claim.seat == question.seat:
        return ()
    return (Guess(lambda percent: _sentence(claim, percent), lambda world: _is_true(claim, world)),)


def _sentence(claim: Claim, percent: int) -> Phrase:
    values: dict[str, Any] = {
        "player": SeatName(claim.seat), "claim": CHARACTERS[claim.character], "percent": percent,
    }  # fmt: skip
    return Phrase(HELD_NONE if claim.denies else HELD, values)


def _is_true(claim: Claim, world: State) -> bool:
    return (claim.character in world.hands[claim.seat - 1]) != claim.denies


WIN = _("You’d win before your next turn in %(better)s of 100 such games, instead of %(chosen)s.")
OWN_LOSS = _("You’d lose an influence before your next turn in %(better)s of 100 such games, instead of %(chosen)s.")
LOSS = _(
    "%(player)s would lose an influence before your next turn in %(better)s of 100 such games, instead of %(chosen)s."
)
RICH = _("You could pay for a coup on your next turn in %(better)s of 100 such games, instead of %(chosen)s.")


def consequences(state: State, question: Question) -> tuple[Consequence, ...]:
    """Return the consequences of an answer: the end of the game, lost influences, and the coins for a coup."""
    seat = question.seat

    def has_lost(loser: SeatNumber) -> Callable[[State], bool]:
        cards = len(state.hands[loser - 1])
        return lambda later: len(later.hands[loser - 1]) < cards and (loser == seat or bool(later.hands[seat - 1]))

    def sentence(text: str, **values: Any) -> Callable[[int, int], Phrase]:
        return lambda better, actual: Phrase(text, {"better": better, "chosen": actual, **values})

    return (
        Consequence(sentence(WIN), lambda later: later.winner == seat),
        Consequence(sentence(OWN_LOSS), has_lost(seat), is_good=False),
        Consequence(
            sentence(RICH),
            lambda later: later.coins[seat - 1] >= LAW.actions["coup"].cost and bool(later.hands[seat - 1]),
        ),
        *(
            Consequence(sentence(LOSS, player=SeatName(other)), has_lost(other))
            for other in living(state)
            if other != seat
        ),
    )


AT_START: Final = 2
"""The number of cards at the start. Only lost cards are subtracted: an exchange or a proof changes nothing."""
_AHEAD: Final = _("From here on %(winner)s had more influence than anyone else.")
_LAST: Final = _("Nobody was ahead until the last card fell: then %(winner)s had won.")


def influence(state: State) -> list[int]:
    """Return how much influence each seat has."""
    return [AT_START - len(lost) for lost in state.lost]


def why(left: Sequence[int]) -> str:
    """Return the sentence about the effect of the lost card."""
    return _LAST if sum(cards > 0 for cards in left) == 1 else _AHEAD


turning_point: Final = turning_point_by(outcome, influence, why)
