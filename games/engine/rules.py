"""The contract between a game and everything above it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Generic, TypeVar

import msgspec

from games.engine import board
from games.engine.chance import Chance
from games.engine.drawing import Reader
from games.engine.forms import AnswerForm, any_answer, fillable, forms_of, no_forms
from games.engine.hindsight import Claims, Statistics, TurningPoint, no_turning_point
from games.engine.lesson import Lesson
from games.engine.open_questions import CheckedDecide, open_questions_of
from games.engine.phrases import MoveText, Notation, Phrase, SeatName, gettext_noop
from games.engine.plans import PlanRules
from games.engine.reading import parse_by_words
from games.engine.types import EVERYONE, Event, Knowledge, Move, Outcome, Pace, Question, SeatNumber, Viewer, evolve
from games.engine.validation import NoOptions, read_options
from games.engine.visibility import show_by_marks, view_by_marks

Options = TypeVar("Options", bound=msgspec.Struct)
State = TypeVar("State", bound=msgspec.Struct)
View = TypeVar("View", bound=msgspec.Struct)
E = TypeVar("E", bound=Event)
M = TypeVar("M", bound=Move)

Names = Mapping[str, SeatNumber]
"""Seats by player name. The names are folded by ``games.engine.reading.fold``."""


def derived(*_: Any, **__: Any) -> Any:
    """Mark a part that the engine derives from the others. ``Rules.__post_init__`` replaces it."""
    raise NotImplementedError


def any_move(knowledge: Any, question: Question, moves: Sequence[M], chance: Chance) -> M:
    """Return a random legal move. All moves are equally likely."""
    return chance.choose(moves)


def no_moves(state: Any, question: Question) -> tuple[Any, ...]:
    """Return no moves: the ``legal_moves`` of a game that offers forms only."""
    return ()


def winners_of(state: Any) -> Outcome | None:
    """Return the outcome of a state with a ``winners`` field, or None while that field is None."""
    return None if state.winners is None else Outcome(state.winners)


YOUR_TURN: Final = Phrase(gettext_noop("It’s your turn. What do you do?"))


def asks_plainly(view: Any, question: Question) -> Phrase:
    """Return the same sentence for every question."""
    return YOUR_TURN


def label_as_written(move: Move) -> Phrase:
    """Return the notation of a move as its label, in the words of the reader's language."""
    return Phrase("%(move)s", {"move": MoveText(str(move))})


def no_meanings(view: Any, move: Any) -> tuple[Phrase, ...]:
    return ()


def no_risks(view: Any, question: Question) -> tuple[Phrase, ...]:
    return ()


def no_picture(view: Any, reader: Reader) -> str | None:
    """Return no picture: the ``picture`` of a game that is played with words alone."""
    return None


def no_hands(view: Any) -> tuple[Phrase, ...]:
    return ()


def no_status(view: Any, reader: SeatNumber | None) -> tuple[Phrase, ...]:
    return ()


def same_world(state: Any, viewer: Viewer, chance: Chance) -> Any:
    """Return the state itself: the ``worlds`` of a game whose state hides nothing."""
    return state


def even_worlds(rules: Any, events: Sequence[Any], seat: SeatNumber, chance: Chance, count: int) -> Sequence[Any]:
    """Return ``count`` possible states, all equally likely, for what the seat has been shown."""
    state = replay(rules, events)
    return [rules.worlds(state, seat, chance) for _ in range(count)]


def bots_step(rules: Any, state: Any, chance: Chance, habits: Any) -> Any:
    """Return the state after the game's own bot has answered for one of the seats with a question.

    This is the default step of a roll-out. The bot knows only the view of its seat.
    """
    question = chance.choose(rules.questions(state))
    moves = rules.legal_moves(state, question)
    move = rules.bot_move(know(rules, state, question.seat, tuple), question, moves, chance)
    return play(rules, state, question.seat, move, chance)[1]


def no_habits(events: Sequence[Any], seat: SeatNumber) -> None:
    return None


def fond_of_nothing(style: str, knowledge: Any, move: Any) -> float:
    return 0.0


def no_horizon(state: Any) -> int:
    return 0


def all_heat(view: Any) -> float:
    return 1.0


class Guess(msgspec.Struct, frozen=True):
    """A statement about hidden cards that mattered for a decision, such as "the claim was true"."""

    phrase: Callable[[int], Phrase]
    """``phrase(percent)`` returns a sentence with the probability of the statement."""
    holds: Callable[[Any], bool]
    """``holds(world)`` returns True if the statement is true in a possible state."""


def no_guesses(state: Any, question: Question) -> tuple[Guess, ...]:
    return ()


class Consequence(msgspec.Struct, frozen=True):
    """Something that may have happened when it is a seat's turn again, such as the loss of a card."""

    phrase: Callable[[int, int], Phrase]
    """``phrase(better, chosen)`` returns a sentence with the numbers of 100 games in which it happens, after the better
    move and after the chosen one."""
    holds: Callable[[Any], bool]
    """``holds(state)`` returns True if it has happened in a state at the seat's next turn."""
    is_good: bool = True
    """True if the seat wants it to happen."""


def no_consequences(state: Any, question: Question) -> tuple[Consequence, ...]:
    return ()


class Search(msgspec.Struct, frozen=True):
    """The functions and parameters that the search of the bots and the analysis use.

    See ``games.engine.search`` and ``games.engine.analysis``.
    """

    worlds: Callable[[Any, Sequence[Any], SeatNumber, Chance, int], Sequence[Any]] = even_worlds
    """``worlds(rules, events, seat, chance, count)`` returns states that are possible for a seat after the events it
    was shown. A more likely state is returned more often."""
    step: Callable[[Any, Any, Chance, Any], Any] = bots_step
    """``step(rules, state, chance, habits)`` returns the state after one or more seats have answered in a roll-out,
    each with the knowledge of its own seat. If there is a ``horizon``, a step stops at the next turn at the latest."""
    habits: Callable[[Sequence[Any], SeatNumber], Any] = no_habits
    """``habits(events, seat)`` returns what a seat has learned about the other players, for use in roll-outs."""
    share: Callable[[Any, SeatNumber], float] | None = None
    """The estimated share of the game that a seat has in a state, from 0 to 1. If None, every roll-out is played to
    its end."""
    heat: Callable[[Any], float] = all_heat
    """``heat(view)`` returns a factor for the randomness of a bot's level. With many players the shares are small, and
    so are the differences between good and bad moves."""
    fondness: Callable[[str, Knowledge[Any, Any], Any], float] = fond_of_nothing
    """``fondness(style, knowledge, move)`` returns the share of the game by which a bot of this style overrates a move
    (``games.engine.search``)."""
    leaves: tuple[str, ...] = ()
    """Kinds of questions that are answered without a search, because the simple bot answers them as well."""
    effort: float = 0.2
    """The part of a level's roll-outs that are made. Smaller for games with slow roll-outs."""
    horizon: Callable[[Any], int] = no_horizon
    """``horizon(state)`` returns the number of turns after which a roll-out from this state stops and the shares are
    used. 0 means no limit."""
    guesses: Callable[[Any, Question], tuple[Guess, ...]] = no_guesses
    """``guesses(state, question)`` returns the statements whose probability an analysis shows. The state is the one
    that the seat with the question was shown."""
    consequences: Callable[[Any, Question], tuple[Consequence, ...]] = no_consequences
    """``consequences(state, question)`` returns what may follow from an answer. An analysis gives the reason for a
    better move by the consequence that it changes most. The state is the one that the seat was shown."""
    unanalysed: tuple[str, ...] = ()
    """Kinds of questions that an analysis skips, because the players know nothing yet."""


def no_bluffs(events: Any) -> Statistics:
    return Statistics()


def no_claims(events: Any) -> tuple[Claims, ...]:
    return ()


def no_reason(state: Any, question: Question, words: Sequence[str]) -> Phrase | None:
    return None


def no_facts() -> Mapping[str, Any]:
    return {}


Story = Callable[[Sequence[Any], SeatNumber | None], Iterable[tuple[int, Phrase]]]
"""``story(events, reader)`` yields sentences about shown events, in order, for the player on the seat ``reader`` or, if
``reader`` is None, for a spectator. Each sentence comes with the index of its first event."""


def one_by_one(tell: Callable[[Any, SeatNumber | None], Phrase | None]) -> Story:
    """Return a story that tells each event by itself. ``tell(event, reader)`` returns None to leave one out."""

    def story(events: Sequence[Any], reader: SeatNumber | None) -> Iterator[tuple[int, Phrase]]:
        for index, event in enumerate(events):
            phrase = tell(event, reader)
            if phrase is not None:
                yield index, phrase

    return story


def event_by_fields(event: Event, reader: SeatNumber | None) -> Phrase:
    """Return an event as its tag and its fields, for a game whose words are not written yet."""
    fields = {name: value for name in event.__struct_fields__ if (value := getattr(event, name)) is not None}
    seat, _ = fields.pop("seat", None), fields.pop("schema")
    texts = (value if isinstance(value, str) else msgspec.json.encode(value).decode() for value in fields.values())
    facts = map(" ".join, zip(fields, texts, strict=True))
    text = Notation(", ".join([str(event.__struct_config__.tag), *facts]) + ".")
    if seat is None:
        return Phrase("%(event)s", {"event": text})
    return Phrase("%(player)s: %(event)s", {"player": SeatName(seat), "event": text})


UNTOLD: Final = one_by_one(event_by_fields)
"""The story of a game whose words are not written yet."""


def no_summary(options: Any, seats: int) -> tuple[Phrase, ...]:
    return ()


class Coaching(msgspec.Struct, Generic[View], frozen=True):
    """Texts for a player who plays the game for the first time."""

    goal: Phrase
    """The way to win, in one sentence."""
    risks: Callable[[View, Question], tuple[Phrase, ...]] = no_risks
    """Sentences about the risk of the answers to a question. They use the player's own view."""
    explanations: tuple[tuple[Phrase, Phrase], ...] = ()
    """Words of the game, each with a sentence that explains it."""


class Words(msgspec.Struct, Generic[Options, View, E, M], frozen=True):
    """The texts of a game. Every function returns phrases, which the caller translates."""

    title: Phrase = Phrase("")
    """Defaults to the name of the game."""
    story: Story = UNTOLD
    """Sentences about events. Events on one line of the story may share a sentence (``Event.begins_line``), but an
    event that is passed alone has its own. See ``one_by_one``."""
    summary: Callable[[Options, int], tuple[Phrase, ...]] = no_summary
    """The lines of the summary card, for these options and this number of seats."""
    table: Callable[[View], tuple[Phrase, ...]] = no_hands
    """The lines of the table as text. They say what the picture shows."""
    asks: Callable[[View, Question], Phrase] = asks_plainly
    """The sentence that puts a question to its player."""
    label: Callable[[M], Phrase] = label_as_written
    """The text of a button for a move."""
    options: Mapping[str, Phrase] = {}
    """Labels for a form: of an option by its name, and of one of its values by ``name.value``."""
    fields: Mapping[str, Phrase] = {}
    """Words of the default board (``games.engine.board``): of a field of the view by its name, and of one of its values
    by ``name.value``. If it names any field, only the fields that it names are drawn as cards."""
    notation: Mapping[str, Mapping[str, str]] = {}
    """The words of the notation in other languages: for each language, the translation of each word."""
    meanings: Callable[[View, M], tuple[Phrase, ...]] = no_meanings
    """The consequences of a move for the player who may choose it, most important first: whether it is a bluff, its
    cost, possible reactions. Uses the player's own view."""
    coaching: Coaching[View] | None = None
    """The help in a player's first game."""
    hands: Callable[[View], tuple[Phrase, ...]] = no_hands
    """The cards that each player held at the end of the game, one line for each player."""
    status: Callable[[View, SeatNumber | None], tuple[Phrase, ...]] = no_status
    """A few sentences for a player or a spectator about the position and the missing answers."""


class Rules(msgspec.Struct, Generic[Options, State, View, E, M], frozen=True, kw_only=True):
    """A game: a set of pure functions and the types that they use.

    No function reads a clock, a database or a source of randomness, so the same arguments always return the same
    result. A running game is only resolved by the ``version`` of the rules with which it began.
    """

    name: str
    version: int
    players: range
    """The possible numbers of players."""
    option_type: type[Options] = NoOptions  # type: ignore[assignment]
    state_type: type[State]
    view_type: type[View] = derived  # type: ignore[assignment]
    """Defaults to the state's type: a view is then a state with its hidden fields emptied."""
    event_type: Any
    """The union of the game's events, tagged by ``type``."""
    move_type: Any
    """The union of the game's moves, tagged by ``type``."""

    options: Callable[..., Options] = derived
    """``options(**chosen)`` validates options and adds the defaults. Raises RuleViolation(malformed), which names the
    wrong option. Derived from ``option_type``."""
    setup: Callable[[Options, int, Chance], tuple[E, ...]]
    """``setup(options, seats, chance)`` returns the events that begin a game. Raises RuleViolation(illegal) for a wrong
    number of seats."""
    evolve: Callable[[State | None, E], State] = evolve
    """``evolve(state, event)`` returns the next state; ``state`` is None for the first event. Accepts every event, also
    one with hidden fields. Derived from the method ``after`` of each event."""
    questions: Callable[[State], tuple[Question, ...]] = open_questions_of
    """The open questions. Derived from the field ``open`` of the state (``games.engine.open_questions``)."""
    legal_moves: Callable[[State, Question], tuple[M, ...]] = no_moves
    """The moves that answer a question. Their numbers, from 1, follow this order. Empty if the question offers forms
    only."""
    forms: Callable[[View, Question], tuple[AnswerForm, ...]] = no_forms
    """``forms(view, question)`` returns answers with slots to fill in, for moves that are too many to list. The view is
    that of the seat with the question."""
    decide: Callable[[State, SeatNumber, M, Chance], tuple[E, ...]]
    """The events that follow from a move. Raises RuleViolation. If ``questions`` is derived, it gets legal moves."""
    default_move: Callable[[State, Question, Chance], M] = derived
    """The move that is played when a deadline passes. Defaults to a random legal move."""
    resign: Callable[[State, SeatNumber, Chance], tuple[E, ...]]
    """The events that follow when a seat resigns. Raises RuleViolation(illegal) if it is out or the game is over."""
    parse: Callable[[State, Question, str, Names], M] = derived
    """``parse(state, question, text, names)`` reads a move as people write it. Raises RuleViolation. Derived from
    ``text`` and ``words.notation``."""
    text: Callable[[M], str] = str
    """The canonical notation of a move: its tag and its fields in their order."""
    show: Callable[[E, Viewer], E | None] = derived
    """THE ONLY FILTER for secrets. Returns an event with only what the viewer may know, or None if the viewer may not
    know of the event at all. Derived from the marks on fields (``games.engine.visibility``)."""
    view: Callable[[State, Viewer], View] = derived
    """The part of a state that a viewer may know. Derived from the marks on the state's fields."""
    outcome: Callable[[State], Outcome | None] = winners_of
    words: Words[Options, View, E, M] = Words()

    why_illegal: Callable[[State, Question, Sequence[str]], Phrase | None] = no_reason
    """``why_illegal(state, question, words)`` explains why a move is not legal. ``words`` are those of its notation,
    with players as ``seat 2``. The phrase carries the number of its ruling. It must not depend on hidden cards."""
    play: Callable[[State, SeatNumber, M, Chance], tuple[tuple[E, ...], State]] | None = None
    """``decide`` that also returns the state after its events, for a game that computes both at the same time."""
    bot_move: Callable[[Knowledge[View, E], Question, Sequence[M], Chance], M] = derived
    """``bot_move(knowledge, question, moves, chance)`` returns the answer of a bot that knows what its seat was shown
    and nothing else."""
    bot_version: int = 1
    """The version of the bots, which records of games contain. Raise it when ``bot_move`` or the search changes."""
    picture: Callable[[View, Reader], str | None] = derived
    """``picture(view, reader)`` draws a view as SVG, with texts in the reader's language. Defaults to the board of
    ``games.engine.board``. A game without pictures has ``no_picture``."""
    picture_style: str = ""
    """The stylesheet of every picture, for pages that embed pictures."""
    picture_symbols: str = ""
    """The symbols of all pictures, as in their ``<defs>``. Pages load them once, as a file. A symbol has no class and
    uses no other symbol. If this is empty, each embedded picture contains its symbols."""
    worlds: Callable[[State, Viewer, Chance], State] = same_world
    """Return another state that looks the same to this viewer, for tests and for bots that think ahead. If the state
    was folded from shown events, the hidden fields are filled in. Bots of a game without it cannot think ahead."""
    search: Search = Search()
    """The parameters with which bots of the game think ahead."""
    plans: PlanRules[View, M, Any] | None = None
    """The plans of the game, or None if it has no plans."""
    statistics: Callable[[Iterable[E]], Statistics] = no_bluffs
    """The bluffs of a finished game, from its whole log."""
    claims: Callable[[Iterable[E]], tuple[Claims, ...]] = no_claims
    """The claims of each player so far, from the public events."""
    turning_point: Callable[[Iterable[E]], TurningPoint | None] = no_turning_point
    """The event from which the winner of a finished game stayed ahead, from its whole log."""
    highlights: tuple[type[Event], ...] = ()
    """The events to which a replay jumps, such as challenges and losses. Each has a line in the story."""
    momentary: tuple[type[Event], ...] = ()
    """The events that briefly show something that no view keeps, such as a card that is proved and put back."""
    figures: Mapping[str, Callable[[Reader], str]] = msgspec.field(default_factory=dict)
    """The figures of the rules page by name, each as SVG. A figure with the name of an option is also shown beside that
    option in the form for a new game."""
    paces: Mapping[str, Pace] = msgspec.field(default_factory=lambda: {"turn": "turn"})
    """The pace of each kind of question; the default is ``reaction``. A question that goes to several seats must be a
    reaction: otherwise the others could learn from the clocks when a player answered."""
    reasons: tuple[str, ...] = ()
    """All reasons of the game's questions, for the description of the API."""
    vocabulary: Mapping[str, tuple[str, ...]] = {}
    """All ways to write the words of the notation, each with its possible meanings. Email replies are read with it,
    which are freer than ``parse``. Without it, only notation, labels and numbers are understood."""
    lesson: Lesson | None = None
    """A scripted game that teaches the first moves, if there is one."""
    facts: Callable[[], Mapping[str, Any]] = no_facts
    """The numbers on the rules page, such as costs and numbers of cards. The page takes them from the rules."""

    def __post_init__(self) -> None:
        """Replace each part that is ``derived``."""
        parts: dict[str, Callable[[], Any]] = {
            "options": lambda: read_options(self.option_type),
            "default_move": lambda: self._any_default,
            "bot_move": lambda: self._any_of_a_bot,
            "parse": lambda: parse_by_words(self),
            "show": lambda: show_by_marks(self.event_type),
            "view_type": lambda: self.state_type,
            "view": lambda: view_by_marks(self.state_type),
        }
        for name, make in parts.items():
            if getattr(self, name) is derived:
                msgspec.structs.force_setattr(self, name, make())
        if not self.words.title.text:
            title = Phrase("%(name)s", {"name": Notation(self.name.capitalize())})
            msgspec.structs.force_setattr(self, "words", msgspec.structs.replace(self.words, title=title))
        # Rules that were made of others with `replace` have their own moves, and draw their own words.
        if self.questions is open_questions_of:
            decide = self.decide.decide if isinstance(self.decide, CheckedDecide) else self.decide
            msgspec.structs.force_setattr(self, "decide", CheckedDecide(self, decide))
        if self.picture is derived or isinstance(self.picture, board.DefaultPicture):
            msgspec.structs.force_setattr(self, "picture", board.DefaultPicture(self))
            msgspec.structs.force_setattr(self, "picture_style", board.STYLE)

    def _any_default(self, state: State, question: Question, chance: Chance) -> M:
        return any_answer(self.legal_moves(state, question), forms_of(self, state, question), question, chance)

    def _any_of_a_bot(self, knowledge: Knowledge[View, E], question: Question, moves: Sequence[M], chance: Chance) -> M:
        return any_answer(moves, fillable(self.forms(knowledge.view, question)), question, chance)


AnyRules = Rules[Any, Any, Any, Any, Any]


def replay(rules: AnyRules, events: Iterable[Event], state: Any = None) -> Any:
    """Return the state after ``events``, starting with ``state``, or with a new game if that is None."""
    for event in events:
        state = rules.evolve(state, event)
    return state


def play(rules: AnyRules, state: Any, seat: SeatNumber, move: Move, chance: Chance) -> tuple[Sequence[Event], Any]:
    """Return the events of a move and the state after them. Raises RuleViolation. Used by simulations."""
    if rules.play is not None:
        return rules.play(state, seat, move, chance)
    events = rules.decide(state, seat, move, chance)
    return events, replay(rules, events, state)


def show_all(rules: AnyRules, events: Iterable[Event], viewer: Viewer) -> list[Event]:
    """Return the events that ``viewer`` may know, in order, with their hidden fields emptied."""
    if viewer == EVERYONE:
        return list(events)
    return [visible for event in events if (visible := rules.show(event, viewer)) is not None]


def know(rules: AnyRules, state: Any, seat: SeatNumber, log: Callable[[], Iterable[Event]]) -> Knowledge[Any, Any]:
    """Return the knowledge of a bot on this seat. ``log()`` returns the events that led to the state."""
    return Knowledge(rules.view(state, seat), lambda: show_all(rules, log(), seat))
