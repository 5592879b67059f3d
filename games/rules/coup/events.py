"""The facts of the classic game, and who may know of them. A fact that is hidden from a viewer is None there."""

from typing import Annotated, Any, Self

from msgspec.structs import replace

from games.engine import Event, SeatEvent, SeatNumber, Viewer, code
from games.engine.visibility import only
from games.rules.coup.cards import Character
from games.rules.coup.options import Options
from games.rules.coup.state import ActionVerb, Card, Claim, LossReason, QuestionReason, Reply, WindowKind


class SetUp(Event, frozen=True, tag="set-up"):
    """The first event: everything the fold needs to know."""

    rules: str
    version: int
    options: Options
    seats: int
    pack: tuple[Character, ...]
    coins: tuple[int, ...]
    treasury: int
    starter: SeatNumber


class Dealt(SeatEvent, frozen=True, tag="dealt"):
    """A seat got cards from the court."""

    cards: Annotated[tuple[Card, ...], only("seat")]


class TurnBegan(SeatEvent, frozen=True, tag="turn-began"):
    """A seat is asked for its action; whatever was pending is over."""

    begins_line = True


class Declared(SeatEvent, frozen=True, tag="declared"):
    """An action was chosen and paid for."""

    action: ActionVerb
    target: SeatNumber | None
    cost: int
    claim: Character | None
    pays_reserve: bool = False


class WindowOpened(Event, frozen=True, tag="window-opened"):
    """Seats are asked whether they challenge (a claim) or block (the action)."""

    kind: WindowKind
    reason: QuestionReason
    asked: tuple[SeatNumber, ...]
    claim: Claim | None
    blockers: tuple[SeatNumber, ...]
    """The seats of them that may block."""


def shown_answer(event: Any, viewer: Viewer, **hidden: None) -> Any:
    """Return an answer to the one who gave it; others know that it was given, and by whom, as the option says."""
    if viewer == event.seat:
        return event
    if event.waiting == "hidden":
        return None
    return replace(event, seat=event.seat if event.waiting == "public" else None, **hidden)


class Answered(Event, frozen=True, tag="answered"):
    """Somebody answered in a window that others have not answered yet."""

    in_open_window = True

    seat: SeatNumber | None
    answer: Reply | None
    character: Card
    waiting: str
    """The table's option: how much others may know of it."""

    def shown_to(self, viewer: Viewer) -> Any:
        """Return the answer to the one who gave it; others know of it what the table's option says."""
        return shown_answer(self, viewer, answer=None, character=None)


class WindowClosed(Event, frozen=True, tag="window-closed"):
    """The window is over. The next events tell its outcome."""

    closes_window = True

    kind: WindowKind


class Challenged(SeatEvent, frozen=True, tag="challenged"):
    """The claim was doubted; its owner is asked for a proof."""

    against: SeatNumber
    character: Character


class ChallengeDropped(SeatEvent, frozen=True, tag="challenge-dropped"):
    """The challenger left before the proof: as if proved, unshown."""


class Proved(SeatEvent, frozen=True, tag="proved"):
    """The claim was true: these cards were shown to all and went back to the court."""

    cards: tuple[Character, ...]


class Replaced(SeatEvent, frozen=True, tag="replaced"):
    """As many cards were drawn for those shown, after the court was shuffled."""

    cards: Annotated[tuple[Card, ...], only("seat")]


class Conceded(SeatEvent, frozen=True, tag="conceded"):
    """The challenged player would not or could not prove the claim."""


class Refunded(SeatEvent, frozen=True, tag="refunded"):
    """A disproved action's cost went back to its owner."""

    coins: int


class Blocked(SeatEvent, frozen=True, tag="blocked"):
    """The action was counteracted."""

    character: Character


class BlockLapsed(SeatEvent, frozen=True, tag="block-lapsed"):
    """The blocker left before the block was settled: it is void."""

    closes_window = True


class Stopped(SeatEvent, frozen=True, tag="stopped"):
    """The action has no effect."""

    closes_window = True

    reason: Annotated[str, code("StopReason", ("blocked", "resigned"))]


class LossAsked(SeatEvent, frozen=True, tag="loss-asked"):
    """A player with two face-down cards is asked which to lose."""

    reason: LossReason
    then: str
    """The step of the law that follows."""


class Lost(SeatEvent, frozen=True, tag="lost"):
    """An influence was turned face up."""

    card: Character
    reason: LossReason


class WentOut(SeatEvent, frozen=True, tag="went-out"):
    """A player has no influence left; their coins went to the treasury (0 while a steal is pending)."""

    coins: int


class PurseEmptied(SeatEvent, frozen=True, tag="purse-emptied"):
    """A steal's leavings: coins of a player who is out go to the treasury (Coup C15)."""

    coins: int


class Gained(SeatEvent, frozen=True, tag="gained"):
    """Coins from the treasury."""

    coins: int


class Stole(SeatEvent, frozen=True, tag="stole"):
    """Coins from another player."""

    target: SeatNumber
    coins: int


class Drew(SeatEvent, frozen=True, tag="drew"):
    """Cards from the court, for an exchange; the player is asked which to keep."""

    cards: Annotated[tuple[Card, ...], only("seat")]


class Kept(SeatEvent, frozen=True, tag="kept"):
    """The exchange is over: some cards were kept, the others went back to the court."""

    kept: Annotated[tuple[Card, ...], only("seat")]
    returned: Annotated[tuple[Card, ...], only("seat")]


class Resigned(SeatEvent, frozen=True, tag="resigned"):
    """A player gave up: cards face up, coins to the treasury (0 while a steal is pending)."""

    cards: tuple[Character, ...]
    coins: int
    still_waiting: int | None
    """The number of players still waited for in the open window; None where that is hidden."""
    waiting: str

    def shown_to(self, viewer: Viewer) -> Self:
        """Hide how many are still waited for, where the game's option says so."""
        return replace(self, still_waiting=None) if self.waiting == "hidden" else self


class AskedAnew(SeatEvent, frozen=True, tag="asked-anew"):
    """The answers to an open question changed, so it is asked under a new id."""


class GameEnded(Event, frozen=True, tag="game-ended"):
    """One player is left. Everything is open."""

    begins_line = True
    closes_window = True

    winner: SeatNumber
    hands: tuple[tuple[Character, ...], ...]
    court: tuple[Character, ...]
    aside: tuple[Character, ...]
