"""A table of Coup for tests: the rules' contract, a scripted deal, and moves written as a person writes them."""

from collections import Counter
from collections.abc import Callable, Iterable

import msgspec
import pytest

from games.engine import SPECTATOR, RuleViolation, ScriptedChance, SeededChance, replay, show_all
from games.rules.coup import RULES
from tests.games.rules.coup.invariants import check_event, check_rest

CLASSIC = ("ambassador", "assassin", "captain", "contessa", "duke")


def pack_of(seats: int, inquisitor: bool = False) -> Counter[str]:
    """Return the number of cards of each character for a number of seats (section 1)."""
    copies = 3 if seats <= 6 else 4 if seats <= 8 else 5
    return Counter({("inquisitor" if inquisitor and name == "ambassador" else name): copies for name in CLASSIC})


class Table:
    """A game in progress. ``deal`` names the cards of the first seats. The other seats get the remaining cards.

    Later draws must be announced with ``will_draw`` immediately before the ``play`` that draws. A draw without an
    announcement, and an announcement without a draw, fail the test.
    """

    def __init__(self, seats: int = 3, deal: Iterable[str] = (), starter: int = 1, **options: object) -> None:
        self.options = RULES.options(starting_player=starter, **options)
        self.seats = seats
        drafting = seats == 2 and options.get("two_player_setup", "draft") == "draft"
        cards = [] if drafting else dealt(deal, pack_of(seats, bool(options.get("inquisitor"))), seats)
        self.chance = ScriptedChance(cards)
        self.log = list(RULES.setup(self.options, seats, self.chance))
        assert self.chance.script == []
        self.state = replay(RULES, self.log)
        self.steps: list = []
        self.earlier: list = []
        self._before: set[str] = set()
        check_rest(self.state)

    def will_draw(self, *cards: str) -> "Table":
        """Set the results of the next draws in order."""
        self.chance.script.extend(cards)
        return self

    def play(self, *lines: str) -> "Table":
        """Play lines of the form ``<seat> <text>``. ``all allow`` gives this answer for all seats whose question offers
        it, and ``rest allow`` only for questions that were open before the last move."""
        for line in lines:
            who, _, text = line.partition(" ")
            if who.isdigit():
                self._apply(int(who), text)
                continue
            ids = {question.id for question in self.questions() if text in self.offered(question.seat)}
            if who == "rest":
                ids &= self._before
            for question_id in sorted(ids, key=lambda one: int(one.split(".")[0])):
                if question_id in {question.id for question in self.questions()}:
                    self._apply(int(question_id.split(".")[0]), text)
        assert self.chance.script == [], "announced, and not drawn"
        return self

    def _apply(self, seat: int, text: str) -> None:
        question = self.question(seat)
        assert question is not None, f"seat {seat} is asked nothing; asked are {self.question_kinds()}"
        move = RULES.parse(self.state, question, text, {})
        assert move.question == question.id
        self.take(RULES.decide(self.state, seat, move, self.chance))

    def take(self, events: Iterable) -> "Table":
        """Fold events that the rules have given; ``steps`` then holds the state after each of them."""
        self._before = {question.id for question in self.questions()}
        self.earlier.append(self.state)
        self.steps = []
        for event in events:
            self.log.append(event)
            self.state = RULES.evolve(self.state, event)
            self.steps.append(self.state)
            check_event(self.state)
        check_rest(self.state)
        return self

    def resign(self, seat: int) -> "Table":
        """The seat gives up."""
        self.take(RULES.resign(self.state, seat, self.chance))
        assert self.chance.script == [], "announced, and not drawn"
        return self

    def clock(self, seat: int, seed: int = 0) -> str:
        """Let the clock answer for a seat. Return its move as text."""
        text = self.clock_choice(seat, seed)
        self.play(f"{seat} {text}")
        return text

    def clock_choice(self, seat: int, seed: int) -> str:
        """Return the clock's move for a seat with a given seed."""
        question = self.question(seat)
        return RULES.text(RULES.default_move(self.state, question, SeededChance(seed.to_bytes(32))))

    def clock_choices(self, seat: int) -> set[str]:
        """Return the clock's moves for a seat with many seeds."""
        return {self.clock_choice(seat, seed) for seed in range(40)}

    def refuses(self, line: str, code: str = "illegal") -> None:
        """A move written at an open question, which the rules refuse with this code."""
        who, _, text = line.partition(" ")
        question = self.question(int(who))
        with pytest.raises(RuleViolation) as caught:
            RULES.decide(self.state, int(who), RULES.parse(self.state, question, text, {}), self.chance)
        assert caught.value.code == code

    def too_late(self, line: str, code: str = "question-closed") -> None:
        """A move that could have been played at the seat's last question, and now comes too late."""
        who, _, text = line.partition(" ")
        seat = int(who)
        state, question = next(
            (old, question)
            for old in reversed(self.earlier)
            for question in RULES.questions(old)
            if question.seat == seat
        )
        move = RULES.parse(state, question, text, {})
        with pytest.raises(RuleViolation) as caught:
            RULES.decide(self.state, seat, move, self.chance)
        assert caught.value.code == code

    def questions(self) -> tuple:
        return RULES.questions(self.state)

    def question(self, seat: int):
        """The open question of a seat, or None."""
        return next((question for question in self.questions() if question.seat == seat), None)

    def question_kinds(self) -> dict[int, str]:
        """Return the open questions by seat."""
        return {question.seat: question.kind for question in self.questions()}

    def offered(self, seat: int) -> list[str]:
        """Return the offered answers of a seat in order. Without a question, the list is empty."""
        question = self.question(seat)
        return [] if question is None else [RULES.text(move) for move in RULES.legal_moves(self.state, question)]

    def targets(self, seat: int, verb: str) -> list[int]:
        """The seats against which an action is offered."""
        return sorted(int(text.split()[1]) for text in self.offered(seat) if text.startswith(f"{verb} "))

    def view(self, viewer: int = SPECTATOR):
        return RULES.view(self.state, viewer)

    def hand(self, seat: int) -> str:
        """A seat's face-down cards as it sees them itself, in alphabetical order."""
        return " ".join(sorted(self.view(seat).seats[seat - 1].hand))

    @property
    def coins(self) -> tuple[int, ...]:
        return tuple(seat.coins for seat in self.view().seats)

    @property
    def cards(self) -> tuple[int, ...]:
        """Return how many face-down cards each seat has."""
        return tuple(seat.cards for seat in self.view().seats)

    @property
    def lost(self) -> tuple[str, ...]:
        """The face-up cards in front of each seat, in the order in which they were lost."""
        return tuple(" ".join(seat.lost) for seat in self.view().seats)

    @property
    def parties(self) -> tuple[str | None, ...]:
        return tuple(seat.party for seat in self.view().seats)

    @property
    def challenger(self) -> int | None:
        """Return the seat that has challenged the present claim."""
        claim = self.view().challenge
        return claim.challenger if claim else None

    @property
    def blocker(self) -> int | None:
        """Return the seat that has blocked the action of this turn."""
        block = self.view().block
        return block.seat if block else None

    @property
    def alive(self) -> tuple[int, ...]:
        return tuple(seat.seat for seat in self.view().seats if seat.alive)

    @property
    def treasury(self) -> int:
        return self.view().treasury

    @property
    def reserve(self) -> int:
        return self.view().reserve

    @property
    def court(self) -> int:
        return self.view().court

    @property
    def turn(self) -> int | None:
        """Return whose turn question is open; None in the middle of a turn."""
        return next((seat for seat, kind in self.question_kinds().items() if kind == "turn"), None)

    @property
    def winner(self) -> int | None:
        outcome = RULES.outcome(self.state)
        return None if outcome is None else outcome.winners[0]

    @property
    def mark(self) -> int:
        """A place in the log, for ``visible_events`` and ``encoded_events``."""
        return len(self.log)

    def visible_events(self, viewer: int, since: int = 0) -> list:
        """Return the events since a mark that a viewer sees."""
        return show_all(RULES, self.log[since:], viewer)

    def encoded_events(self, viewer: int, since: int = 0) -> str:
        """Return these events as the JSON that leaves the server."""
        return msgspec.json.encode(self.visible_events(viewer, since)).decode()

    def encoded_view(self, viewer: int) -> bytes:
        """Return a viewer's view as the JSON that leaves the server."""
        return msgspec.json.encode(self.view(viewer))

    def when(self, holds: Callable) -> int:
        """The number (from 0) of the first event of the last batch after which the spectator's view fulfils this."""
        views = [RULES.view(state, SPECTATOR) for state in self.steps]
        return next(number for number, view in enumerate(views) if holds(view))


def dealt(deal: Iterable[str], pack: Counter[str], seats: int) -> list[str]:
    """Return a deal with the named cards first, followed by the most frequent remaining ones."""
    cards = " ".join(deal).split()
    rest = pack - Counter(cards)
    assert not Counter(cards) - pack, "more cards of one kind than there are"
    while len(cards) < 2 * seats:
        card = max(sorted(rest), key=lambda name: rest[name])
        cards.append(card)
        rest[card] -= 1
    return cards
