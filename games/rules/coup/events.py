"""The facts of the classic game. A fact that may be hidden from a viewer is None there."""

from games.engine import Event, Seat
from games.rules.coup.cards import Character
from games.rules.coup.options import Options
from games.rules.coup.state import Card, Claim


class SetUp(Event, frozen=True, tag="set-up"):
    """The first event: everything the fold needs to know."""

    rules: str
    version: int
    options: Options
    seats: int
    pack: tuple[Character, ...]
    coins: tuple[int, ...]
    treasury: int
    starter: Seat


class Dealt(Event, frozen=True, tag="dealt"):
    """A seat got cards from the court."""

    seat: Seat
    cards: tuple[Card, ...]


class TurnBegan(Event, frozen=True, tag="turn-began"):
    """A seat is asked for its action; whatever was pending is over."""

    seat: Seat


class Declared(Event, frozen=True, tag="declared"):
    """An action was chosen and paid for."""

    seat: Seat
    action: str
    target: Seat | None
    cost: int
    claim: Character | None
    pays_reserve: bool = False


class WindowOpened(Event, frozen=True, tag="window-opened"):
    """Seats are asked whether they challenge (a claim) or block (the action)."""

    kind: str
    reason: str
    asked: tuple[Seat, ...]
    claim: Claim | None
    blockers: tuple[Seat, ...]
    """Who of them may block."""


class Answered(Event, frozen=True, tag="answered"):
    """Somebody answered in a window that others have not answered yet."""

    in_open_window = True

    seat: Seat | None
    answer: str | None
    character: Card
    waiting: str
    """How much others may know of it: the table's option."""


class WindowClosed(Event, frozen=True, tag="window-closed"):
    """The window is over. Challenged or Blocked say what came of it."""

    closes_window = True

    kind: str


class Challenged(Event, frozen=True, tag="challenged"):
    """The claim was doubted; its owner is asked for a proof."""

    seat: Seat
    against: Seat
    character: Character


class ChallengeDropped(Event, frozen=True, tag="challenge-dropped"):
    """The challenger left before the proof: as if proved, unshown."""

    seat: Seat


class Proved(Event, frozen=True, tag="proved"):
    """The claim was true: these cards were shown to all and went back to the court."""

    seat: Seat
    cards: tuple[Character, ...]


class Replaced(Event, frozen=True, tag="replaced"):
    """As many cards were drawn for those shown, after the court was shuffled."""

    seat: Seat
    cards: tuple[Card, ...]


class Conceded(Event, frozen=True, tag="conceded"):
    """The challenged player would not or could not prove the claim."""

    seat: Seat


class Refunded(Event, frozen=True, tag="refunded"):
    """A disproved action's cost went back to its owner."""

    seat: Seat
    coins: int


class Blocked(Event, frozen=True, tag="blocked"):
    """The action was counteracted."""

    seat: Seat
    character: Character


class BlockLapsed(Event, frozen=True, tag="block-lapsed"):
    """The blocker left before the block was settled: it is void."""

    closes_window = True

    seat: Seat


class Stopped(Event, frozen=True, tag="stopped"):
    """The action has no effect: ``blocked`` or ``resigned``."""

    closes_window = True

    seat: Seat
    reason: str


class LossAsked(Event, frozen=True, tag="loss-asked"):
    """A player with two face-down cards is asked which to lose."""

    seat: Seat
    reason: str
    then: str
    """The step of the law that follows."""


class Lost(Event, frozen=True, tag="lost"):
    """An influence was turned face up."""

    seat: Seat
    card: Character
    reason: str


class WentOut(Event, frozen=True, tag="went-out"):
    """A player has no influence left; their coins went to the treasury (0 while a steal is pending)."""

    seat: Seat
    coins: int


class PurseEmptied(Event, frozen=True, tag="purse-emptied"):
    """What a steal left to a player who is out went to the treasury (Coup C15)."""

    seat: Seat
    coins: int


class Gained(Event, frozen=True, tag="gained"):
    """Coins from the treasury."""

    seat: Seat
    coins: int


class Stole(Event, frozen=True, tag="stole"):
    """Coins from another player."""

    seat: Seat
    target: Seat
    coins: int


class Drew(Event, frozen=True, tag="drew"):
    """Cards from the court, for an exchange; the player is asked which to keep."""

    seat: Seat
    cards: tuple[Card, ...]


class Kept(Event, frozen=True, tag="kept"):
    """The exchange is over: some cards were kept, the others went back to the court."""

    seat: Seat
    kept: tuple[Card, ...]
    returned: tuple[Card, ...]


class Resigned(Event, frozen=True, tag="resigned"):
    """A player gave up: cards face up, coins to the treasury (0 while a steal is pending)."""

    seat: Seat
    cards: tuple[Character, ...]
    coins: int
    still_waiting: int | None
    """How many are still waited for in the open window; None where that is hidden."""
    waiting: str


class AskedAnew(Event, frozen=True, tag="asked-anew"):
    """The answers to an open question changed, so it is asked under a new id."""

    seat: Seat


class GameEnded(Event, frozen=True, tag="game-ended"):
    """One player is left. Everything is open."""

    closes_window = True

    winner: Seat
    hands: tuple[tuple[Character, ...], ...]
    court: tuple[Character, ...]
    aside: tuple[Character, ...]
