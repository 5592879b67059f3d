"""The contract between a game and everything above it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Generic, Protocol, TypeVar

import msgspec

from games.engine.answers.forms import AnswerForm, any_answer, fillable, forms_of, no_forms
from games.engine.answers.plans import PlanRules
from games.engine.chance import Chance
from games.engine.hindsight import Claims, Statistics, TurningPoint, no_turning_point
from games.engine.lesson import Lesson
from games.engine.options import NoOptions, read_options
from games.engine.phrases import MoveText, Phrase, gettext_noop
from games.engine.reading import parse_by_words
from games.engine.types import EVERYONE, Event, Knowledge, Move, Outcome, Pace, Question, SeatNumber, Viewer, evolve
from games.engine.visibility import show_by_marks, view_by_marks

Options = TypeVar("Options", bound=msgspec.Struct)
State = TypeVar("State", bound=msgspec.Struct)
View = TypeVar("View", bound=msgspec.Struct)
E = TypeVar("E", bound=Event)
M = TypeVar("M", bound=Move)

Names = Mapping[str, SeatNumber]
"""Players' names, folded by ``games.engine.reading.fold``, and the seats they stand for."""


def derived(*_: Any, **__: Any) -> Any:
    """Stands where a game leaves a part to the engine; never called, as ``Rules`` puts the part in its place."""
    raise NotImplementedError


def any_move(knowledge: Any, question: Question, moves: Sequence[M], chance: Chance) -> M:
    """A bot that answers any of the moves of the list, all equally likely."""
    return chance.choose(moves)


class Reader(Protocol):
    """The person a picture is drawn for: their language and its direction, and the players' names."""

    right_to_left: bool
    asked_beside: bool
    """True where the reader's question stands beside the picture, so that it need not stand in it too."""
    seat: SeatNumber | None
    """The seat whose player is called "you"; None for a stand-in and for somebody who does not play."""

    def say(self, phrase: Phrase) -> str:
        """The phrase in the reader's language, with names for seats."""
        ...


def no_moves(state: Any, question: Question) -> tuple[Any, ...]:
    """Return the list of moves of a game whose answers are all filled in."""
    return ()


def winners_of(state: Any) -> Outcome | None:
    """The outcome of a game whose state has the ``winners``, once there are any, and nothing else to say of its end."""
    return None if state.winners is None else Outcome(state.winners)


YOUR_TURN: Final = Phrase(gettext_noop("It is your turn. What do you do?"))


def asks_plainly(view: Any, question: Question) -> Phrase:
    """The question of a game that asks everything in the same way."""
    return YOUR_TURN


def label_as_written(move: Move) -> Phrase:
    """The label of a move that is its notation, in the words of the reader's language."""
    return Phrase("%(move)s", {"move": MoveText(str(move))})


def no_meanings(view: Any, move: Any) -> tuple[Phrase, ...]:
    """Return what a game says of its moves beside their labels that says nothing."""
    return ()


def no_picture(view: Any, reader: Reader) -> str | None:
    """The picture of a game that brings none."""
    return None


def no_hands(view: Any) -> tuple[Phrase, ...]:
    """Return what each player held at the end of a game in which nobody holds anything that others do not see."""
    return ()


def no_status(view: Any, reader: SeatNumber | None) -> tuple[Phrase, ...]:
    """Return what a game says of how it stands that leaves this to its table and its questions."""
    return ()


def same_world(state: Any, viewer: Viewer, chance: Chance) -> Any:
    """Another state that ``viewer`` cannot tell apart, for a game that hides nothing in its state."""
    return state


def even_worlds(rules: Any, events: Sequence[Any], seat: SeatNumber, chance: Chance, count: int) -> Sequence[Any]:
    """The worlds of a game that does not say which are likely: its ``worlds`` of what the seat was shown."""
    shown = replay(rules, events)
    return [rules.worlds(shown, seat, chance) for _ in range(count)]


def bots_step(rules: Any, state: Any, chance: Chance, habits: Any) -> Any:
    """The step of a roll-out in a game that brings no quicker player: its bot answers for one of those asked, knowing
    its view alone.
    """
    question = chance.choose(rules.questions(state))
    moves = rules.legal_moves(state, question)
    move = rules.bot_move(know(rules, state, question.seat, tuple), question, moves, chance)
    return play(rules, state, question.seat, move, chance)[1]


def no_habits(events: Sequence[Any], seat: SeatNumber) -> None:
    """Return the habits of the players of a game that learns none."""


def fond_of_nothing(style: str, knowledge: Any, move: Any) -> float:
    """The fondness of a game whose bots have no styles."""
    return 0.0


def all_heat(view: Any) -> float:
    """Return the part of a level's heat with which a bot draws among moves: all of it."""
    return 1.0


class Guess(msgspec.Struct, frozen=True):
    """Something about hidden cards that mattered where a seat decided, such as that a claim was true."""

    says: Callable[[int], Phrase]
    """``says(percent)``: how likely it was, as a sentence."""
    holds: Callable[[Any], bool]
    """``holds(world)``: whether it is so in a world that the seat may be in."""


def no_guesses(state: Any, question: Question) -> tuple[Guess, ...]:
    """The guesses of a game that names none."""
    return ()


class Search(msgspec.Struct, frozen=True):
    """The parts of a game that its bots' search uses (``games.engine.thinking.search``), and the analysis."""

    worlds: Callable[[Any, Sequence[Any], SeatNumber, Chance, int], Sequence[Any]] = even_worlds
    """``worlds(rules, events, seat, chance, count)``: states that a seat may be in after the events that it was shown,
    the likelier the more often."""
    step: Callable[[Any, Any, Chance, Any], Any] = bots_step
    """``step(rules, state, chance, habits)``: the state after one or more of those asked have answered in a roll-out,
    each by what their seat may know. Where a ``horizon`` counts turns it goes no further than to the next one."""
    analysed_step: Callable[[Any, Any, Chance, Any], Any] | None = None
    """The step of a roll-out in an analysis, of players who are less predictable; None: the same as ``step``."""
    habits: Callable[[Sequence[Any], SeatNumber], Any] = no_habits
    """``habits(events, seat)``: how the others differ in roll-outs, by the events that a seat was shown."""
    share: Callable[[Any, SeatNumber], float] | None = None
    """The part of the game that a seat has as it stands, from 0 to 1; None plays every roll-out to the end."""
    heat: Callable[[Any], float] = all_heat
    """``heat(view)``: the part of its level's heat with which a bot draws. Among many players shares are small, and so
    are the differences between good and bad moves."""
    fondness: Callable[[str, Knowledge[Any, Any], Any], float] = fond_of_nothing
    """``fondness(style, knowledge, move)``: by how much of the game a bot of this style thinks a move better than
    it is (``games.engine.thinking.levels``)."""
    leaves: tuple[str, ...] = ()
    """The kinds of questions about which it never searches: the bot's own move is as good."""
    effort: float = 0.2
    """The part of a level's roll-outs it makes: less for a game whose roll-outs take long."""
    horizon: int = 0
    """After so many turns a roll-out is broken off and the shares are taken."""
    guesses: Callable[[Any, Question], tuple[Guess, ...]] = no_guesses
    """``guesses(state, question)``: what an analysis says the likelihood of, from the state as the seat that was asked
    was shown it (``games.engine.thinking.analysis``)."""
    unanalysed: tuple[str, ...] = ()
    """The kinds of questions of which an analysis says nothing, as there is nothing yet to know."""


def no_bluffs(events: Any) -> Statistics:
    """The statistics of a game in which nobody claims anything."""
    return Statistics()


def no_claims(events: Any) -> tuple[Claims, ...]:
    """The claims of a game in which nobody claims anything."""
    return ()


def no_reason(state: Any, question: Question, words: Sequence[str]) -> Phrase | None:
    """The reason that a game gives which gives none."""
    return None


def no_facts() -> Mapping[str, Any]:
    """The facts of a game that tells none."""
    return {}


Story = Callable[[Sequence[Any], SeatNumber | None], Iterable[tuple[int, Phrase]]]
"""``story(events, reader)``: shown events in sentences for the player on the seat ``reader`` (None: for somebody who
does not play), in order, each with the index of the first event that it tells of."""


def one_by_one(tell: Callable[[Any, SeatNumber | None], Phrase | None]) -> Story:
    """The story of a game that tells each event by itself: ``tell(event, reader)``, None where there is nothing."""

    def story(events: Sequence[Any], reader: SeatNumber | None) -> Iterator[tuple[int, Phrase]]:
        for index, event in enumerate(events):
            phrase = tell(event, reader)
            if phrase is not None:
                yield index, phrase

    return story


class Words(msgspec.Struct, Generic[Options, View, E, M], frozen=True):
    """The words of a game. Every function gives phrases, which the caller translates."""

    title: Phrase
    story: Story
    """The story. Events of one line of the story may be told together (``Event.begins_line``); an event that is
    given alone is told alone. ``one_by_one`` makes a story of a function that tells each event by itself."""
    summary: Callable[[Options, int], tuple[Phrase, ...]]
    """The summary card for these options and so many seats, a line each."""
    table: Callable[[View], tuple[Phrase, ...]]
    """The table as text, a line each: what the picture shows."""
    asks: Callable[[View, Question], Phrase] = asks_plainly
    """A question as a sentence to the player it is put to."""
    label: Callable[[M], Phrase] = label_as_written
    """A move as a button says it."""
    options: Mapping[str, Phrase] = {}
    """The words of a form for an option, by its name, and for one of its values, by ``name.value``."""
    notation: Mapping[str, Mapping[str, str]] = {}
    """The words of its notation in other languages: for each language, its word for each word of the notation."""
    meanings: Callable[[View, M], tuple[Phrase, ...]] = no_meanings
    """The meaning of a move for the player who may choose it, from their own view, the most important sentence first:
    whether it is a bluff, what it costs, what may follow."""
    hands: Callable[[View], tuple[Phrase, ...]] = no_hands
    """The cards that each player held when the game was over, a line each."""
    status: Callable[[View, SeatNumber | None], tuple[Phrase, ...]] = no_status
    """The state of the game in a few sentences, told to the player on a seat, or to somebody who does not play: what
    is being done, and who is waited for."""


class Rules(msgspec.Struct, Generic[Options, State, View, E, M], frozen=True, kw_only=True):
    """A game: a set of pure functions and the types they speak.

    Nothing in here knows a clock, a database or a source of randomness; the same calls give the same
    results for ever. ``version`` names the rules as they are played; a game in progress is only
    resolved by the version it began with.
    """

    name: str
    version: int
    players: range
    """The player counts it can be played with."""
    option_type: type[Options] = NoOptions  # type: ignore[assignment]
    state_type: type[State]
    view_type: type[View] = derived  # type: ignore[assignment]
    """The state's type, where a view is a state with less in it."""
    event_type: Any
    """The union of the game's events, tagged by ``type``."""
    move_type: Any
    """The union of the game's moves, tagged by ``type``."""

    options: Callable[..., Options] = derived
    """``options(**chosen)``: validated, with defaults. RuleViolation ``malformed`` names a wrong one. It follows from
    ``option_type``."""
    setup: Callable[[Options, int, Chance], tuple[E, ...]]
    """``setup(options, seats, chance)``: the events that begin a game. RuleViolation ``illegal`` for a wrong count."""
    evolve: Callable[[State | None, E], State] = evolve
    """``evolve(None, first)`` and ``evolve(state, event)``: the fold. Total; takes shown events too. It follows from
    ``after`` of each event."""
    questions: Callable[[State], tuple[Question, ...]]
    legal_moves: Callable[[State, Question], tuple[M, ...]] = no_moves
    """The moves that answer a question, in the order in which they are numbered from 1; none where all answers are
    filled in."""
    forms: Callable[[View, Question], tuple[AnswerForm, ...]] = no_forms
    """``forms(view, question)``: answers that are filled in, so that they need not be listed, by the view of
    who is asked."""
    decide: Callable[[State, SeatNumber, M, Chance], tuple[E, ...]]
    """The events that follow from a move, or RuleViolation."""
    default_move: Callable[[State, Question, Chance], M] = derived
    """The move that the clock plays; any legal move by lot where a game names none."""
    resign: Callable[[State, SeatNumber, Chance], tuple[E, ...]]
    """The events that follow when a seat resigns. RuleViolation ``not-asked`` if it is out or the game is over."""
    parse: Callable[[State, Question, str, Names], M] = derived
    """``parse(state, question, text, names)``: notation as people write it; else RuleViolation. It follows from
    ``text`` and ``words.notation``."""
    text: Callable[[M], str] = str
    """A move in its one canonical notation: its tag and its fields in their order."""
    show: Callable[[E, Viewer], E | None] = derived
    """THE ONLY GATE for secrets: what a viewer may know of an event; None where they may not know of it. It follows
    from the marks of fields (``games.engine.visibility``)."""
    view: Callable[[State, Viewer], View] = derived
    """The part of a state that a viewer may know. It follows from the marks of the state's fields."""
    outcome: Callable[[State], Outcome | None] = winners_of
    words: Words[Options, View, E, M]

    why_illegal: Callable[[State, Question, Sequence[str]], Phrase | None] = no_reason
    """``why_illegal(state, question, words)``: the reason why a move is not legal, of the words of its notation (a
    player as ``seat 2``). The phrase bears the number of its ruling."""
    play: Callable[[State, SeatNumber, M, Chance], tuple[tuple[E, ...], State]] | None = None
    """``decide``, and the state to which its events lead, for a game that works it out on the way."""
    bot_move: Callable[[Knowledge[View, E], Question, Sequence[M], Chance], M] = derived
    """``bot_move(knowledge, question, moves, chance)``: what a bot answers, knowing what its seat can see and was
    shown, and nothing else."""
    bot_version: int = 1
    """The version of its bots, raised whenever ``bot_move`` or a search may answer otherwise: the record of a game
    names it."""
    picture: Callable[[View, Reader], str | None] = no_picture
    """``picture(view, reader)``: a view as SVG, in the reader's words."""
    picture_style: str = ""
    """The stylesheet that every picture holds, for pages that show pictures as a part of themselves."""
    worlds: Callable[[State, Viewer, Chance], State] = same_world
    """Another state that this viewer cannot tell apart, for tests and for bots that think ahead. It takes a state that
    was folded from shown events too, and fills in what is hidden there. Without it no bot thinks ahead."""
    search: Search = Search()
    """The way its bots think ahead."""
    plans: PlanRules[View, M, Any] | None = None
    """Its plans; None for a game that has none."""
    statistics: Callable[[Iterable[E]], Statistics] = no_bluffs
    """The bluffs of a game that is over, from its whole log."""
    claims: Callable[[Iterable[E]], tuple[Claims, ...]] = no_claims
    """The claims of each player so far, from the events as they are shown to everybody."""
    turning_point: Callable[[Iterable[E]], TurningPoint | None] = no_turning_point
    """The event after which the winner of a game that is over was ahead for good, from its whole log."""
    highlights: tuple[type[Event], ...] = ()
    """The events to which a replay jumps, such as challenges and losses; each has a line in the story."""
    momentary: tuple[type[Event], ...] = ()
    """The events that show for a moment what no view keeps, such as cards that are proved and put back."""
    figures: Mapping[str, Callable[[Reader], str]] = msgspec.field(default_factory=dict)
    """The figures of its rules page by name, each as SVG in a reader's words. One with the name of an option shows
    that option where a game is created."""
    paces: Mapping[str, Pace] = msgspec.field(default_factory=lambda: {"turn": "turn"})
    """The time each kind of question gives for thought; a kind that is not named is a window. A question to several
    at once has to be one: the others must not learn from the clocks when somebody answered."""
    reasons: tuple[str, ...] = ()
    """Every reason of its questions, for programs that read the description of the API; empty where none are named."""
    vocabulary: Mapping[str, tuple[str, ...]] = {}
    """Every way in which people write the words of its notation, with the words that each may mean: for mail, which
    reads more than ``parse``. Without it only notations, labels and numbers are read."""
    lesson: Lesson | None = None
    """A scripted game that teaches the first moves; None for a game that has none."""
    facts: Callable[[], Mapping[str, Any]] = no_facts
    """The numbers that its rules page tells (costs, numbers of cards), so that it cannot contradict the law."""

    def __post_init__(self) -> None:
        """Put the parts in place that follow from the others."""
        made: dict[str, Callable[[], Any]] = {
            "options": lambda: read_options(self.option_type),
            "default_move": lambda: self._any_default,
            "bot_move": lambda: self._any_of_a_bot,
            "parse": lambda: parse_by_words(self),
            "show": lambda: show_by_marks(self.event_type),
            "view_type": lambda: self.state_type,
            "view": lambda: view_by_marks(self.state_type),
        }
        for name, make in made.items():
            if getattr(self, name) is derived:
                msgspec.structs.force_setattr(self, name, make())

    def _any_default(self, state: State, question: Question, chance: Chance) -> M:
        return any_answer(self.legal_moves(state, question), forms_of(self, state, question), question, chance)

    def _any_of_a_bot(self, knowledge: Knowledge[View, E], question: Question, moves: Sequence[M], chance: Chance) -> M:
        return any_answer(moves, fillable(self.forms(knowledge.view, question)), question, chance)


AnyRules = Rules[Any, Any, Any, Any, Any]


def replay(rules: AnyRules, events: Iterable[Event], state: Any = None) -> Any:
    """The state after ``events``, folded onto ``state`` (None: from the beginning of the game)."""
    for event in events:
        state = rules.evolve(state, event)
    return state


def play(rules: AnyRules, state: Any, seat: SeatNumber, move: Move, chance: Chance) -> tuple[Sequence[Event], Any]:
    """Return what follows from a move, and the state after it; or RuleViolation. What simulations go on with."""
    if rules.play is not None:
        return rules.play(state, seat, move, chance)
    events = rules.decide(state, seat, move, chance)
    return events, replay(rules, events, state)


def show_all(rules: AnyRules, events: Iterable[Event], viewer: Viewer) -> list[Event]:
    """The events as ``viewer`` may know them, in order, without those they may not know of."""
    if viewer == EVERYONE:
        return list(events)
    return [shown for event in events if (shown := rules.show(event, viewer)) is not None]


def know(rules: AnyRules, state: Any, seat: SeatNumber, log: Callable[[], Iterable[Event]]) -> Knowledge[Any, Any]:
    """Everything that a bot on this seat may know of a state; ``log()`` gives the events that led to it."""
    return Knowledge(rules.view(state, seat), lambda: show_all(rules, log(), seat))
