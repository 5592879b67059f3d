"""The facts of the classic game, and who may know of them. A fact that is hidden from a viewer is None there."""

from typing import Annotated, Self

from msgspec.structs import replace

from games.engine import Event, SeatNumber, Viewer, code
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


class Dealt(Event, frozen=True, tag="dealt"):
    """A seat got cards from the court."""

    seat: SeatNumber
    cards: Annotated[tuple[Card, ...], only("seat")]


class TurnBegan(Event, frozen=True, tag="turn-began"):
    """A seat is asked for its action; whatever was pending is over."""

    begins_line = True

    seat: SeatNumber


class Declared(Event, frozen=True, tag="declared"):
    """An action was chosen and paid for."""

    seat: SeatNumber
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


class Answered(Event, frozen=True, tag="answered"):
    """Somebody answered in a window that others have not answered yet."""

    in_open_window = True

    seat: SeatNumber | None
    answer: Reply | None
    character: Card
    waiting: str
    """The table's option: how much others may know of it."""

    def shown_to(self, viewer: Viewer) -> Self | None:
        """Return the answer to the one who gave it; others know of it what the table's option says."""
        if viewer == self.seat:
            return self
        if self.waiting == "hidden":
            return None
        return replace(self, answer=None, character=None, seat=self.seat if self.waiting == "public" else None)


class WindowClosed(Event, frozen=True, tag="window-closed"):
    """The window is over. Challenged or Blocked say what came of it."""

    closes_window = True

    kind: WindowKind


class Challenged(Event, frozen=True, tag="challenged"):
    """The claim was doubted; its owner is asked for a proof."""

    seat: SeatNumber
    against: SeatNumber
    character: Character


class ChallengeDropped(Event, frozen=True, tag="challenge-dropped"):
    """The challenger left before the proof: as if proved, unshown."""

    seat: SeatNumber


class Proved(Event, frozen=True, tag="proved"):
    """The claim was true: these cards were shown to all and went back to the court."""

    seat: SeatNumber
    cards: tuple[Character, ...]


class Replaced(Event, frozen=True, tag="replaced"):
    """As many cards were drawn for those shown, after the court was shuffled."""

    seat: SeatNumber
    cards: Annotated[tuple[Card, ...], only("seat")]


class Conceded(Event, frozen=True, tag="conceded"):
    """The challenged player would not or could not prove the claim."""

    seat: SeatNumber


class Refunded(Event, frozen=True, tag="refunded"):
    """A disproved action's cost went back to its owner."""

    seat: SeatNumber
    coins: int


class Blocked(Event, frozen=True, tag="blocked"):
    """The action was counteracted."""

    seat: SeatNumber
    character: Character


class BlockLapsed(Event, frozen=True, tag="block-lapsed"):
    """The blocker left before the block was settled: it is void."""

    closes_window = True

    seat: SeatNumber


class Stopped(Event, frozen=True, tag="stopped"):
    """The action has no effect."""

    closes_window = True

    seat: SeatNumber
    reason: Annotated[str, code("StopReason", ("blocked", "resigned"))]


class LossAsked(Event, frozen=True, tag="loss-asked"):
    """A player with two face-down cards is asked which to lose."""

    seat: SeatNumber
    reason: LossReason
    then: str
    """The step of the law that follows."""


class Lost(Event, frozen=True, tag="lost"):
    """An influence was turned face up."""

    seat: SeatNumber
    card: Character
    reason: LossReason


class WentOut(Event, frozen=True, tag="went-out"):
    """A player has no influence left; their coins went to the treasury (0 while a steal is pending)."""

    seat: SeatNumber
    coins: int


class PurseEmptied(Event, frozen=True, tag="purse-emptied"):
    """A steal's leavings: coins of a player who is out go to the treasury (Coup C15)."""

    seat: SeatNumber
    coins: int


class Gained(Event, frozen=True, tag="gained"):
    """Coins from the treasury."""

    seat: SeatNumber
    coins: int


class Stole(Event, frozen=True, tag="stole"):
    """Coins from another player."""

    seat: SeatNumber
    target: SeatNumber
    coins: int


class Drew(Event, frozen=True, tag="drew"):
    """Cards from the court, for an exchange; the player is asked which to keep."""

    seat: SeatNumber
    cards: Annotated[tuple[Card, ...], only("seat")]


class Kept(Event, frozen=True, tag="kept"):
    """The exchange is over: some cards were kept, the others went back to the court."""

    seat: SeatNumber
    kept: Annotated[tuple[Card, ...], only("seat")]
    returned: Annotated[tuple[Card, ...], only("seat")]


class Resigned(Event, frozen=True, tag="resigned"):
    """A player gave up: cards face up, coins to the treasury (0 while a steal is pending)."""

    seat: SeatNumber
    cards: tuple[Character, ...]
    coins: int
    still_waiting: int | None
    """The number of players still waited for in the open window; None where that is hidden."""
    waiting: str

    def shown_to(self, viewer: Viewer) -> Self:
        """Hide how many are still waited for, where the game's option says so."""
        return replace(self, still_waiting=None) if self.waiting == "hidden" else self


class AskedAnew(Event, frozen=True, tag="asked-anew"):
    """The answers to an open question changed, so it is asked under a new id."""

    seat: SeatNumber


class GameEnded(Event, frozen=True, tag="game-ended"):
    """One player is left. Everything is open."""

    begins_line = True
    closes_window = True

    winner: SeatNumber
    hands: tuple[tuple[Character, ...], ...]
    court: tuple[Character, ...]
    aside: tuple[Character, ...]
