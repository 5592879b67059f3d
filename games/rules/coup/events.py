"""The events of the classic game, and their visibility. A fact that is hidden from a viewer is None there."""

from typing import Annotated, Any, Self

from msgspec.structs import replace

from games.engine import Event, SeatEvent, SeatNumber, Viewer, code
from games.engine.visibility import only
from games.rules.coup import state as s
from games.rules.coup.state import Character, Options


class SetUp(Event, frozen=True, tag="set-up"):
    """The first event, with everything that the fold needs."""

    rules: str
    version: int
    options: Options
    seats: int
    pack: tuple[Character, ...]
    coins: tuple[int, ...]
    treasury: int
    starter: SeatNumber

    def after(self, state: s.State | None) -> s.State:
        return s.State(
            options=self.options,
            pack=self.pack,
            starter=self.starter,
            coins=self.coins,
            treasury=self.treasury,
            hands=((),) * self.seats,
            lost=((),) * self.seats,
            counts=(0,) * self.seats,
        )


class CardsCame(SeatEvent, frozen=True):
    """A base class: a player gets cards of the court."""

    cards: Annotated[tuple[s.Card, ...], only("seat")]

    def after(self, state: s.State) -> s.State:
        return replace(state, hands=s.hand_after(state, self.seat, (), self.cards))


class CoinsCame(SeatEvent, frozen=True):
    """A base class: the treasury pays coins to a player."""

    coins: int

    def after(self, state: s.State) -> s.State:
        return replace(state, coins=s.paid(state, self.seat, self.coins), treasury=state.treasury - self.coins)


class CoinsWent(SeatEvent, frozen=True):
    """A base class: the coins of a player who is out go to the treasury."""

    coins: int

    def after(self, state: s.State) -> s.State:
        return replace(state, coins=s.paid(state, self.seat, -self.coins), treasury=state.treasury + self.coins)


class Dealt(CardsCame, frozen=True, tag="dealt"):
    """The seat gets cards from the court."""


class TurnBegan(SeatEvent, frozen=True, tag="turn-began"):
    """A turn starts. The player on this seat is asked for an action. Everything that was pending is over."""

    begins_line = True

    def after(self, state: s.State) -> s.State:
        seats = (self.seat,)
        return replace(  # one `replace` with all changes, because this is the most frequent event
            state,
            turn=self.seat,
            asking="turn",
            reason="turn",
            asked=seats,
            answers=(),
            waiting=1,
            counts=s.counted(state, seats),
            action=None,
            claim=None,
            block=None,
            challenger=None,
        )


class Declared(SeatEvent, frozen=True, tag="declared"):
    """A player chooses an action and pays for it."""

    action: s.ActionVerb
    target: SeatNumber | None
    cost: int
    claim: Character | None
    pays_reserve: bool = False

    def after(self, state: s.State) -> s.State:
        to_reserve = self.cost if self.pays_reserve else 0
        return replace(
            state,
            action=s.Action(self.seat, self.action, self.target, self.cost),
            coins=s.paid(state, self.seat, -self.cost) if self.cost else state.coins,
            reserve=state.reserve + to_reserve,
            treasury=state.treasury + self.cost - to_reserve,
            asking="",
            reason="",
            asked=(),
            answers=(),
            waiting=0,
            blockers=(),
        )


class WindowOpened(Event, frozen=True, tag="window-opened"):
    """Seats are asked whether they challenge (a claim) or block (the action)."""

    kind: s.WindowKind
    reason: s.QuestionReason
    asked: tuple[SeatNumber, ...]
    claim: s.Claim | None
    blockers: tuple[SeatNumber, ...]
    """The asked seats that may block."""

    def after(self, state: s.State) -> s.State:
        return replace(
            state,
            asking=self.kind,
            reason=self.reason,
            asked=self.asked,
            answers=(),
            waiting=len(self.asked),
            counts=s.counted(state, self.asked),
            claim=self.claim,
            blockers=self.blockers,
            challenger=None,
        )


def shown_answer(event: Any, viewer: Viewer, **hidden: None) -> Any:
    """Return an answer in full to its own player. The option ``waiting`` decides what the other players see."""
    if viewer == event.seat:
        return event
    if event.waiting == "hidden":
        return None
    return replace(event, seat=event.seat if event.waiting == "public" else None, **hidden)


class Answered(Event, frozen=True, tag="answered"):
    """A player answered in a reaction to which other players have not answered yet."""

    in_open_window = True

    seat: SeatNumber | None
    answer: s.Reply | None
    character: s.Card
    waiting: str
    """The option ``waiting`` of the table: how much the others may know of the answer."""

    def shown_to(self, viewer: Viewer) -> Any:
        """Return the answer for its own player. Others see of it what the table's option allows."""
        return shown_answer(self, viewer, answer=None, character=None)

    def after(self, state: s.State) -> s.State:
        return s.with_answer(state, s.Answer(self.seat, self.answer, self.character) if self.seat else None)


class WindowClosed(Event, frozen=True, tag="window-closed"):
    """The reaction is closed. The next events tell its outcome."""

    closes_window = True

    kind: s.WindowKind

    def after(self, state: s.State) -> s.State:
        return s.nothing_asked(state)


class Challenged(SeatEvent, frozen=True, tag="challenged"):
    """A player challenges the claim. Its owner is asked for a proof."""

    against: SeatNumber
    character: Character

    def after(self, state: s.State) -> s.State:
        return s.ask(replace(state, challenger=self.seat), "proof", (self.against,), self.character)


class ChallengeDropped(SeatEvent, frozen=True, tag="challenge-dropped"):
    """The challenger left before the proof. The claim counts as proved, without cards being shown."""

    def after(self, state: s.State) -> s.State:
        return s.nothing_asked(replace(state, challenger=None))


class Proved(SeatEvent, frozen=True, tag="proved"):
    """The claim was true. These cards were shown to all and return to the court."""

    cards: tuple[Character, ...]

    @property
    def shown_cards(self) -> tuple[str, ...]:
        return self.cards

    def after(self, state: s.State) -> s.State:
        return s.nothing_asked(replace(state, hands=s.hand_after(state, self.seat, self.cards)))


class Replaced(CardsCame, frozen=True, tag="replaced"):
    """The player drew new cards for those that were shown, after the court was shuffled."""


class Conceded(SeatEvent, frozen=True, tag="conceded"):
    """The challenged player would not or could not prove the claim."""

    def after(self, state: s.State) -> s.State:
        return s.nothing_asked(state)


class Refunded(CoinsCame, frozen=True, tag="refunded"):
    """A disproved action's cost went back to its owner."""


class Blocked(SeatEvent, frozen=True, tag="blocked"):
    """A player blocks the action."""

    character: Character

    def after(self, state: s.State) -> s.State:
        return replace(state, block=s.Block(self.seat, self.character))


class BlockLapsed(SeatEvent, frozen=True, tag="block-lapsed"):
    """The blocker left before the block was settled. The block is void."""

    closes_window = True

    def after(self, state: s.State) -> s.State:
        """Return the state without the block. A loss that is being chosen stays owed (Coup C29)."""
        if state.asking == "loss" and state.asked:
            return replace(state, block=None, then="resolve")
        return s.nothing_asked(replace(state, block=None, claim=None, challenger=None))


class Stopped(SeatEvent, frozen=True, tag="stopped"):
    """The action has no effect."""

    closes_window = True

    reason: Annotated[str, code("StopReason", ("blocked", "resigned"))]

    def after(self, state: s.State) -> s.State:
        """Close everything that the action left open, except a loss that is being chosen (Coup C29)."""
        if state.asking == "loss" and state.asked:
            return replace(state, then="end", drawn=(), shown=None)
        return s.nothing_asked(replace(state, drawn=(), shown=None, claim=None, challenger=None))


class LossAsked(SeatEvent, frozen=True, tag="loss-asked"):
    """A player with two face-down cards is asked which one to lose."""

    reason: s.LossReason
    then: str
    """The step of the law that follows."""

    def after(self, state: s.State) -> s.State:
        return s.ask(replace(state, then=self.then), "loss", (self.seat,), self.reason)


class Lost(SeatEvent, frozen=True, tag="lost"):
    """An influence is turned face up."""

    card: Character
    reason: s.LossReason

    @property
    def shown_cards(self) -> tuple[str, ...]:
        return (self.card,)

    def after(self, state: s.State) -> s.State:
        lost = s.with_entry(state.lost, self.seat, (*state.lost[self.seat - 1], self.card))
        return s.nothing_asked(replace(state, hands=s.hand_after(state, self.seat, (self.card,)), lost=lost))


class WentOut(CoinsWent, frozen=True, tag="went-out"):
    """A player has no influence left. Their coins go to the treasury (0 while a steal is pending)."""

    puts_out = True


class PurseEmptied(CoinsWent, frozen=True, tag="purse-emptied"):
    """The coins that a steal left to a player who is out go to the treasury (Coup C15)."""


class Gained(CoinsCame, frozen=True, tag="gained"):
    """Coins from the treasury."""


class Stole(SeatEvent, frozen=True, tag="stole"):
    """Coins from another player."""

    target: SeatNumber
    coins: int

    def after(self, state: s.State) -> s.State:
        coins = s.paid(state, self.target, -self.coins)
        return replace(state, coins=s.with_entry(coins, self.seat, coins[self.seat - 1] + self.coins))


class Drew(SeatEvent, frozen=True, tag="drew"):
    """Cards from the court, for an exchange; the player is asked which to keep."""

    cards: Annotated[tuple[s.Card, ...], only("seat")]

    def after(self, state: s.State) -> s.State:
        return s.ask(replace(state, drawn=self.cards), "exchange", (self.seat,), "exchange")


class Kept(SeatEvent, frozen=True, tag="kept"):
    """The exchange is over: some cards were kept, the others went back to the court."""

    kept: Annotated[tuple[s.Card, ...], only("seat")]
    returned: Annotated[tuple[s.Card, ...], only("seat")]

    def after(self, state: s.State) -> s.State:
        hands = s.with_entry(state.hands, self.seat, s.in_order(self.kept))
        return s.nothing_asked(replace(state, drawn=(), hands=hands))


class Resigned(SeatEvent, frozen=True, tag="resigned"):
    """A player resigns. Their cards are turned up and their coins go to the treasury (0 while a steal is pending)."""

    puts_out = True

    cards: tuple[Character, ...]
    coins: int
    still_waiting: int | None
    """The number of players who still have to answer in the open reaction. None if it is hidden."""
    waiting: str

    @property
    def shown_cards(self) -> tuple[str, ...]:
        return self.cards

    def shown_to(self, viewer: Viewer) -> Self:
        """Hide how many answers are missing, if the option ``waiting`` says so."""
        return replace(self, still_waiting=None) if self.waiting == "hidden" else self

    def after(self, state: s.State) -> s.State:
        """Turn the player's cards up, close the questions to them and withdraw their hidden answers (Coup C17)."""
        seat = self.seat
        is_own_action = state.action is not None and state.action.seat == seat
        return replace(
            state,
            hands=s.with_entry(state.hands, seat, ()),
            lost=s.with_entry(state.lost, seat, (*state.lost[seat - 1], *self.cards)),
            coins=s.paid(state, seat, -self.coins),
            treasury=state.treasury + self.coins,
            asked=tuple(other for other in state.asked if other != seat),
            blockers=tuple(other for other in state.blockers if other != seat),
            answers=tuple(answer for answer in state.answers if answer.seat != seat),
            waiting=state.waiting if self.still_waiting is None else self.still_waiting,
            drawn=() if is_own_action else state.drawn,
        )


class AskedAnew(SeatEvent, frozen=True, tag="asked-anew"):
    """The answers to an open question changed, so it is asked under a new id."""

    def after(self, state: s.State) -> s.State:
        return s.ask(state, state.asking, (self.seat,), state.reason)


class GameEnded(Event, frozen=True, tag="game-ended"):
    """The game is over: only one player is left. All cards are open."""

    begins_line = True
    tells_winners = True
    closes_window = True

    winner: SeatNumber
    hands: tuple[tuple[Character, ...], ...]
    court: tuple[Character, ...]
    aside: tuple[Character, ...]

    def after(self, state: s.State) -> s.State:
        over = dict.fromkeys(("shown", "action", "claim", "block", "challenger", "bomb"))
        opened = {"winner": self.winner, "hands": self.hands, "court": self.court, "aside": self.aside}
        return s.nothing_asked(replace(state, drawn=(), **over, **opened))
