"""An exhaustive search of small worlds: every one of a few deals, every move and every draw, to a useful depth.

For each game, the test computes from the rules (section 9) the permitted knowledge of each viewer: their own cards,
moves and draws, public facts, and the part of an open window that ``waiting`` allows. If two games agree in a viewer's
knowledge, they must agree in everything the viewer observes: events, view, own question and offered answers.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product

import msgspec
import pytest

from games.engine import SPECTATOR, Chance
from games.rules.coup import RULES
from tests.games.rules.coup.table import Table, pack_of
from tests.long import LONG

pytestmark = pytest.mark.long

DEEPER = 1 if LONG else 0
WINDOWS = ("draft", "challenge", "block", "challenge-block")
PRIVATE = ("exchange", "show")


class EveryDraw(Chance):
    """Follows a path of draws and notes how wide each was; cards of one character are one branch."""

    def __init__(self, path: tuple[int, ...]) -> None:
        super().__init__()
        self.path = path
        self.widths: list[int] = []

    def _index(self, options) -> int:
        branches = [index for index, option in enumerate(options) if option not in options[:index]]
        place = len(self.widths)
        self.widths.append(len(branches))
        return branches[self.path[place] if place < len(self.path) else 0]


def every_outcome(decide) -> Iterator[tuple]:
    """The events of a decision for every way its draws may fall."""
    paths: list[tuple[int, ...]] = [()]
    while paths:
        chance = EveryDraw(paths.pop())
        events = decide(chance)
        path = (*chance.path, *(0 for _ in chance.widths[len(chance.path) :]))
        for place in range(len(chance.path), len(chance.widths)):
            paths.extend((*path[:place], branch) for branch in range(1, chance.widths[place]))
        yield events


class Window(msgspec.Struct, frozen=True):
    """An open window: the seats with a question, and the answers so far."""

    kind: str
    claimant: int
    pending: tuple[int, ...] = ()
    answers: tuple[tuple[int, str], ...] = ()

    def with_answer(self, seat: int, text: str) -> "Window":
        return msgspec.structs.replace(self, answers=(*self.answers, (seat, text)))

    def without(self, seat: int) -> "Window":
        return msgspec.structs.replace(
            self,
            pending=tuple(other for other in self.pending if other != seat),
            answers=tuple(answer for answer in self.answers if answer[0] != seat),
        )

    def closed(self, mode: str) -> bool:
        """C7: at the first challenge (or block in a block window), or when every seat with a question has answered."""
        texts = [text for _, text in self.answers]
        early = "challenge" in texts or (self.kind == "block" and any(text != "allow" for text in texts))
        return len(texts) == len(self.pending) or (mode == "first" and early)

    def counted(self) -> tuple[int, str] | None:
        """C7: the challenge, else the block, that counts; in ``first`` there is only one."""
        challenges = [answer for answer in self.answers if answer[1] == "challenge"]
        blocks = [answer for answer in self.answers if answer[1].startswith("block")]
        return min(challenges or blocks, key=lambda answer: (answer[0] < self.claimant, answer[0]), default=None)

    def whispers(self, waiting: str, viewer: int) -> object:
        """Return the part of the answers that a viewer may know while the window is open."""
        if waiting == "hidden":
            return None
        if waiting == "number":
            return len(self.answers)
        return tuple(sorted(seat for seat, _ in self.answers))


class Node(msgspec.Struct, frozen=True):
    """A game so far: its state, what each viewer was shown of it, what each may know of it, and the open window."""

    state: object
    observations: tuple[int, ...]
    knowledge: tuple[int, ...]
    window: Window | None


class Walk:
    """All games from some deals to a depth, and what each viewer observed for each thing they may know."""

    def __init__(self, seats: int, resigning: bool = False) -> None:
        self.viewers = (*range(1, seats + 1), SPECTATOR)
        self.resigning = resigning
        self.observed: list[dict[int, int]] = [{} for _ in self.viewers]
        self.nodes = 0

    def begin(self, table: Table) -> Node:
        """Start from a table. All players know their own cards."""
        observations = tuple(hash(table.encoded_events(viewer)) for viewer in self.viewers)
        node = Node(table.state, observations, tuple(self.viewers), opened(table.state))
        knowledge = tuple(hash((private(table.state, viewer), 0)) for viewer in self.viewers)
        return msgspec.structs.replace(node, knowledge=knowledge)

    def go(self, node: Node, depth: int) -> None:
        """Look at this node, then at everything that can follow."""
        self.look(node)
        if depth == 0 or RULES.outcome(node.state) is not None:
            return
        for question in RULES.questions(node.state):
            for move in RULES.legal_moves(node.state, question):
                self.follow(node, question, move, depth)
        if self.resigning:
            for seat in [seat.seat for seat in RULES.view(node.state, SPECTATOR).seats if seat.alive]:
                for events in every_outcome(lambda chance, seat=seat: RULES.resign(node.state, seat, chance)):
                    self.go(self.left(node, seat, events), depth - 1)

    def follow(self, node: Node, question, move, depth: int) -> None:
        """Every outcome of a move; draws in another order are the same outcome."""
        met = []
        for events in every_outcome(lambda chance: RULES.decide(node.state, question.seat, move, chance)):
            after = self.after(node, question, RULES.text(move), events)
            if after.state not in met:
                met.append(after.state)
                self.go(after, depth - 1)

    def look(self, node: Node) -> None:
        """Check that viewers with the same knowledge have observed the same. (After the end everything is public.)"""
        self.nodes += 1
        if RULES.outcome(node.state) is not None:
            return
        for place, viewer in enumerate(self.viewers):
            questions = [question for question in RULES.questions(node.state) if question.seat == viewer]
            offers = [RULES.text(move) for one in questions for move in RULES.legal_moves(node.state, one)]
            visible = msgspec.json.encode((RULES.view(node.state, viewer), questions, offers))
            observation = hash((node.observations[place], visible))
            assert self.observed[place].setdefault(node.knowledge[place], observation) == observation, visible

    def after(self, node: Node, question, text: str, events: Iterable) -> Node:
        """Return the game after a move, with the permitted knowledge of all viewers."""
        seat, kind, state = question.seat, question.kind, node.state
        shown_hand = state.hands[seat - 1] if text == "prove" and state.claim.denies else None
        if kind in WINDOWS:
            window = node.window.with_answer(seat, text)
            public = ("closed", window.counted()) if window.closed(state.options.answers) else None
        else:
            window, public = None, ((seat, kind) if kind in PRIVATE else (seat, text), shown_hand)
        open_window = window if window and not public else None
        return self.stepped(node, events, public, open_window, (seat, text))

    def left(self, node: Node, seat: int, events: Iterable) -> Node:
        """The game after a resignation: the cards are turned up, and a window may close by it."""
        window = node.window
        public: tuple = ("resigned", seat)
        if window:
            window = window.without(seat)
            ends = seat == window.claimant or not window.pending or window.closed(node.state.options.answers)
            if ends:
                public = (*public, window.counted() if seat != window.claimant else None)
                window = None
        return self.stepped(node, events, public, window, None)

    def stepped(self, node: Node, events: Iterable, public, window: Window | None, answer) -> Node:
        """Fold the events; add what each viewer was shown, and what each may know."""
        state, observations = node.state, list(node.observations)
        for event in events:
            state = RULES.evolve(state, event)
            for place, viewer in enumerate(self.viewers):
                show = RULES.show(event, viewer)
                if show is not None:
                    observations[place] = hash((observations[place], msgspec.json.encode(show)))
        return Node(
            state, tuple(observations), self.knowledge(node, state, public, window, answer), window or opened(state)
        )

    def knowledge(self, node: Node, state, public, window: Window | None, answer) -> tuple[int, ...]:
        """Return the permitted knowledge of each viewer after a step."""
        knowledge = []
        for place, viewer in enumerate(self.viewers):
            step: list[object] = [public]
            if window is not None:
                before = node.window.whispers(state.options.waiting, viewer)
                whisper = window.whispers(state.options.waiting, viewer)
                step.append(None if before == whisper else whisper)
            if answer is not None and answer[0] == viewer:
                step.append(answer)
            if any(step):
                step.append(private(state, viewer))
                knowledge.append(hash((node.knowledge[place], repr(step))))
            else:
                knowledge.append(node.knowledge[place])
        return tuple(knowledge)


def private(state, viewer: int) -> tuple:
    """Return the face-up cards, and the viewer's own cards: in hand, drawn, or shown to the viewer."""
    hand = state.hands[viewer - 1] if viewer > 0 else ()
    acting = state.action is not None and state.action.seat == viewer
    party = state.action is not None and viewer in (state.action.seat, state.action.target)
    return (state.lost, hand, state.drawn if acting else None, state.shown if party else None)


def opened(state) -> Window | None:
    """The window that has just been opened, if one was."""
    questions = RULES.questions(state)
    if not questions or questions[0].kind not in WINDOWS:
        return None
    claimant = state.claim.seat if state.claim else state.action.seat if state.action else 0
    return Window(questions[0].kind, claimant, tuple(question.seat for question in questions))


def walked(tables: Iterable[Table], depth: int, resigning: bool = False) -> Walk:
    """The walk over some tables of one size."""
    walk = None
    for table in tables:
        walk = walk or Walk(table.seats, resigning)
        walk.go(walk.begin(table), depth)
    return walk


HANDS = ("assassin duke", "captain contessa", "ambassador captain", "captain captain", "contessa duke")


def deals(*hands: Iterable[str]) -> Iterator[list[str]]:
    """Every way to give each seat one of its hands, as far as there are cards enough."""
    for deal in product(*hands):
        if not Counter(" ".join(deal).split()) - pack_of(len(deal)):
            yield list(deal)


def duels(opening: tuple[str, ...] = (), **options: object) -> Iterator[Table]:
    """Two players with every pair of the hands."""
    for hands in deals(HANDS, HANDS[:4]):
        deal = [hand.replace("ambassador", "inquisitor") if options.get("inquisitor") else hand for hand in hands]
        yield Table(2, deal, two_player_setup="dealt", **options).play(*opening)


def test_two_players_observe_nothing_but_what_they_may_know():
    walk = walked(duels(), 4 + DEEPER)
    assert walk.nodes > 20_000
    assert len(walk.observed[-1]) * 20 < walk.nodes, "the account tells too many games apart to show anything"


def test_two_players_with_the_means_to_kill():
    opening = ("1 income", "2 income", "1 income", "2 income")
    walk = walked(duels(opening), 3 + DEEPER)
    assert walk.nodes > 3_000


def test_two_players_with_every_expansion():
    opening = ("1 empire", "1 tax", "2 allow", "2 convert", "1 income", "2 income")
    walk = walked(duels(opening, inquisitor=True, reformation=True, anarchist=True), 3 + DEEPER)
    assert walk.nodes > 3_000


@pytest.mark.parametrize("waiting", ["hidden", "number", "public"])
def test_the_draft_is_observed_as_it_may_be_known(waiting):
    walk = walked([Table(2, waiting=waiting)], 3)
    assert walk.nodes > 3_000
    assert len(walk.observed[-1]) < 20


def trios(opening: tuple[str, ...] = (), **options: object) -> Iterator[Table]:
    """Three players with some hands of few cards."""
    for hands in deals(HANDS[:2], HANDS[1:3], HANDS[3:]):
        deal = [hand.replace("ambassador", "inquisitor") if options.get("inquisitor") else hand for hand in hands]
        yield Table(3, deal, **options).play(*opening)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("answers", ["first", "sealed"])
@pytest.mark.parametrize("waiting", ["hidden", "number", "public"])
def test_three_players_observe_of_a_window_what_the_table_allows(answers, waiting):
    walk = walked(trios(answers=answers, waiting=waiting), 4 + DEEPER)
    assert walk.nodes > 3_000


@pytest.mark.sampled(2)
@pytest.mark.parametrize("answers", ["first", "sealed"])
@pytest.mark.parametrize("waiting", ["hidden", "number", "public"])
def test_three_players_of_whom_anybody_may_resign_at_any_time(answers, waiting):
    for opening in (("1 steal 2",), ("1 foreign-aid",), ("1 tax",)):
        walk = walked(trios(opening, answers=answers, waiting=waiting), 3 + DEEPER, resigning=True)
        assert walk.nodes > 1_000


PREPARED = {
    "examine": (("1 examine 2",), {"inquisitor": True}),
    "bomb": (("1 tax", "all allow", "2 income", "3 income", "1 bomb 2"), {"anarchist": True}),
    "embezzle": (("1 empire", "1 convert", "2 embezzle"), {"reformation": True}),
    "draft": ((), {}),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("expansion", PREPARED)
def test_resignations_among_the_expansions(expansion):
    opening, options = PREPARED[expansion]
    tables = trios(opening, answers="sealed", waiting="hidden", **options) if opening else [Table(2, waiting="hidden")]
    walk = walked(tables, 3 + DEEPER, resigning=True)
    assert walk.nodes > 500
