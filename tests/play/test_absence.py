"""Players who do not answer: what is counted, what follows from it, and coming back; all on the virtual clock."""

from datetime import datetime, timedelta

import pytest

from accounts.models import Account
from games import log_store
from games.models import Game, Heartbeat, Move
from games.models import Seat as Place
from games.play import absence, audit, clock, house, table
from games.play.table_events import TableEvent
from tests.play.seated import NOON, play
from tests.third_game.table import fresh

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
Cast = tuple[Account, Account, Account]
_OPENING = {"table.opened", "table.joined", "table.started"}


@pytest.fixture
def cast(maryam: Account, sepideh: Account, bahareh: Account) -> Cast:
    return maryam, sepideh, bahareh


def opened(cast: Cast, rules: str = "coup", **terms: object) -> Game:
    """A table of these three at which seat 1 begins; two misses in a row are enough."""
    chosen = table.Opening(rules=rules, seats=3, options={"starting_player": 1}, **{"misses": 2, **terms})
    game = table.open_table(cast[0], chosen, "api", NOON)
    for account in cast[1:]:
        game = table.join(game.id, account, "", "api", NOON)
    return fresh(game)


class Time:
    """The time at a table; it goes on from deadline to deadline."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.now = NOON

    def pass_by(self) -> datetime:
        """Let the time of all people who are asked pass by, and the house play then."""
        self.now = max(row.due_at for row in self.game.open_questions.filter(house=False)) + clock.GRACE
        Heartbeat.objects.update_or_create(defaults={"at": self.now})
        clock.sweep(self.now)
        house.sweep(self.now)
        return self.now

    def play(self, *lines: str) -> None:
        """Moves, each answered an hour after the one before."""
        for line in lines:
            self.now += timedelta(hours=1)
            play(self.game, line, at=self.now)

    def miss(self, seat: int) -> None:
        """Have everybody but this seat answer, until it has missed one more question."""
        before = clocked(self.game, seat)
        while clocked(self.game, seat) == before:
            others = self.game.open_questions.filter(house=False).exclude(seat=seat)
            if (row := others.first()) is None:
                self.pass_by()
            else:
                self.play(f"{row.seat} {'income' if row.kind == 'turn' else 'allow'}")


def clocked(game: Game, seat: int) -> int:
    return Move.objects.filter(game=game, seat=seat, via="clock").count()


def told(game: Game) -> list[tuple[str, int]]:
    """The table's events of the game so far, each with its seat."""
    events = (line.event for line in log_store.read(fresh(game)) if isinstance(line.event, TableEvent))
    return [
        (each.__struct_config__.tag, getattr(each, "seat", 0))
        for each in events
        if each.__struct_config__.tag not in _OPENING
    ]


def place(game: Game, seat: int) -> Place:
    return game.places.get(number=seat)


def test_the_first_miss_of_a_game_is_not_counted(cast: Cast) -> None:
    game = opened(cast)
    time = Time(game)
    time.miss(1)
    assert (place(game, 1).missed, place(game, 1).spared) == (0, True)
    time.miss(1)
    time.miss(1)
    assert (place(game, 1).missed, place(game, 1).away) == (2, False)
    assert told(game) == []


def test_after_too_many_misses_a_house_player_sits_in_once_the_player_is_asked_again(cast: Cast) -> None:
    game = opened(cast)
    time = Time(game)
    for _ in range(3):
        time.miss(1)
    time.play("2 income", "3 income")
    assert told(game) == [("table.stood-in", 1)]
    assert game.open_questions.get().house
    house.sweep(time.now)
    assert Move.objects.filter(game=game, seat=1).latest("received_at").via == "house"
    assert audit.faults(fresh(game)) == []


def test_who_comes_back_is_asked_themselves_with_all_the_time_there_is(cast: Cast) -> None:
    game = opened(cast)
    time = Time(game)
    away(time, 1)
    absence.come_back(game.id, cast[0], time.now)
    row = game.open_questions.get()
    assert (row.house, row.due_at) == (False, time.now + 2 * DAY)
    assert told(game) == [("table.stood-in", 1), ("table.came-back", 1)]
    assert (place(game, 1).missed, place(game, 1).away) == (0, False)
    time.play("1 income")
    assert audit.faults(fresh(game)) == []


def test_an_answer_of_ones_own_brings_one_back(cast: Cast) -> None:
    game = opened(cast)
    time = Time(game)
    away(time, 1)
    time.play("1 income")
    assert told(game)[-1] == ("table.came-back", 1)
    assert not place(game, 1).away


def away(time: Time, seat: int) -> None:
    """Have this seat, whose first turn it is, miss as many questions as are too many, and be asked again."""
    for _ in range(time.game.misses + 1):
        time.miss(seat)
    while seat not in time.game.open_questions.values_list("seat", flat=True):
        row = time.game.open_questions.filter(house=False).first()
        time.play(f"{row.seat} {'income' if row.kind == 'turn' else 'allow'}")
    assert time.game.places.get(number=seat).by_house or time.game.absence == "forfeit"
