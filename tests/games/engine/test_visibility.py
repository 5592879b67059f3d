"""Events say themselves who may know of their fields; the gate follows."""

from typing import Annotated, Self

from msgspec import Struct
from msgspec.structs import replace

from games.engine import EVERYONE, SPECTATOR, Event, SeatNumber, Viewer
from games.engine.visibility import EACH_OWN, HIDDEN, only, show_by_marks, view_by_marks


class Dealt(Event, frozen=True, tag="dealt"):
    hands: Annotated[tuple[tuple[str | None, ...] | None, ...], EACH_OWN]
    piles: Annotated[tuple[tuple[str | None, ...], ...], HIDDEN]
    top: str


class CardGiven(Event, frozen=True, tag="given"):
    seat: SeatNumber
    to: SeatNumber
    card: Annotated[str | None, only("seat", "to")]


class Whispered(Event, frozen=True, tag="whispered"):
    only_for = "seat"
    seat: SeatNumber


class Counted(Event, frozen=True, tag="counted"):
    count: int | None
    open: bool

    def shown_to(self, viewer: Viewer) -> Self:
        return self if self.open else replace(self, count=None)


class Stranger(Event, frozen=True, tag="stranger"):
    pass


show = show_by_marks(Dealt | CardGiven | Whispered | Counted)
DEALT = Dealt(hands=(("duke", "captain"), ("contessa",)), piles=(("duke",), ()), top="tax")


def test_of_a_tuple_with_an_entry_for_each_seat_each_sees_their_own() -> None:
    assert show(DEALT, Viewer(SeatNumber(1))).hands == (("duke", "captain"), (None,))
    assert show(DEALT, Viewer(SeatNumber(2))).hands == ((None, None), ("contessa",))
    assert show(DEALT, SPECTATOR).hands == ((None, None), (None,))


def test_what_is_hidden_keeps_its_length_and_what_is_not_marked_is_public() -> None:
    assert show(DEALT, Viewer(SeatNumber(1))).piles == ((None,), ())
    assert show(DEALT, SPECTATOR).top == "tax"


def test_a_field_may_be_for_several_seats() -> None:
    event = CardGiven(seat=SeatNumber(2), to=SeatNumber(3), card="duke")
    assert [show(event, Viewer(SeatNumber(seat))).card for seat in (1, 2, 3)] == [None, "duke", "duke"]


def test_an_event_may_be_for_one_seat_alone() -> None:
    whispered = Whispered(seat=SeatNumber(2))
    assert [show(whispered, Viewer(SeatNumber(seat))) for seat in (0, 1, 2)] == [None, None, whispered]


def test_an_event_may_say_itself_what_it_shows() -> None:
    assert show(Counted(count=3, open=False), SPECTATOR).count is None
    assert show(Counted(count=3, open=True), SPECTATOR).count == 3


class State(Struct, frozen=True):
    turn: SeatNumber
    hands: Annotated[tuple[tuple[str | None, ...], ...], EACH_OWN]
    drawn: Annotated[str | None, only("turn")]
    coins: int = 0


def test_a_state_that_is_marked_is_its_own_view_with_less_in_it() -> None:
    view = view_by_marks(State)
    state = State(SeatNumber(1), (("duke", "captain"), ("contessa",)), "duke", 3)
    assert view(state, Viewer(SeatNumber(1))) == State(SeatNumber(1), (("duke", "captain"), (None,)), "duke", 3)
    assert view(state, Viewer(SeatNumber(2))) == State(SeatNumber(1), ((None, None), ("contessa",)), None, 3)
    assert view(state, SPECTATOR) == State(SeatNumber(1), ((None, None), (None,)), None, 3)
    assert view(state, EVERYONE) is state


def test_everything_is_open_once_everyone_looks_and_a_stranger_is_hidden() -> None:
    assert show(DEALT, EVERYONE) is DEALT
    assert show(Stranger(), Viewer(SeatNumber(1))) is None
    assert show(Stranger(), SPECTATOR) is None
