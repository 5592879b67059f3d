"""The questions that the mails of the corpus answer, as the games themselves put them."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final

from games.engine import AnyRules, Event, Question, ScriptedChance, SeatNumber, SeededChance, replay
from games.engine.reading import fold
from games.mail.commands import (
    AskAgain,
    CancelPlan,
    Chat,
    Command,
    GivePlan,
    InvitationReply,
    ListPlans,
    Move,
    NotUnderstood,
    Resign,
)
from games.mail.reading.command_reader import read_command, read_invitation_reply
from games.mail.reading.offered_moves import OfferedMoves, resembles_move
from games.rules.registry import RULES
from notifications.mail_parsing.parser import Automatic, Content, Doubtful, TooBig, read
from tests.games.mail.letters import DOMAIN, PLAYER, SERVER, TOKEN

NAMES: Final[Mapping[SeatNumber, str]] = {
    SeatNumber(1): "Maryam",
    SeatNumber(2): "Sepideh",
    SeatNumber(3): "بهاره",
    SeatNumber(4): "Kaveh",
}
DEAL: Final = ["contessa", "duke", "captain", "contessa", "assassin", "duke", "ambassador", "captain"]


@dataclass(frozen=True)
class QuestionCase:
    """A question that was sent to a player by email."""

    rules: AnyRules
    seats: int
    log: tuple[Event, ...]

    @cached_property
    def state(self) -> Any:
        """The state in which it is asked."""
        return replay(self.rules, self.log)

    @cached_property
    def question(self) -> Question:
        """The first question that is open."""
        return self.rules.questions(self.state)[0]

    def try_line(self, line: str) -> Any:
        """The move that a line means here, or RuleViolation."""
        return self.offered.read(line)

    @cached_property
    def offered(self) -> OfferedMoves:
        """The answers that are offered."""
        names = {seat: name for seat, name in NAMES.items() if seat <= self.seats}
        return OfferedMoves(self.rules, self.state, self.question, names)

    def try_plan(self, line: str) -> Any:
        """The plan that a line means to who is asked here, or RuleViolation."""
        seat, names = self.question.seat, {fold(name): seat for seat, name in NAMES.items() if seat <= self.seats}
        return self.rules.plans.parse(self.rules.view(self.state, seat), seat, line, names)

    def read(self, content: Content) -> Command:
        """Return the command of an email that answers this question."""
        names = {fold(name): seat for seat, name in NAMES.items() if seat <= self.seats}
        resembles = partial(resembles_move, self.rules, names)
        return read_command(
            content,
            self.try_line,
            names,
            range(1, self.seats + 1),
            self.try_plan,
            resembles,
            None,
            self.offered.is_aside,
        )


def _window(turn: QuestionCase) -> QuestionCase:
    events = turn.rules.decide(turn.state, SeatNumber(1), turn.try_line("steal 2"), ScriptedChance())
    return QuestionCase(turn.rules, turn.seats, (*turn.log, *events))


COUP: Final = RULES["coup"]
SEDLEC: Final = RULES["sedlec"]
TURN: Final = QuestionCase(COUP, 4, COUP.setup(COUP.options(starting_player=1), 4, ScriptedChance(DEAL)))
WINDOW: Final = _window(TURN)
GRAVEYARD: Final = QuestionCase(SEDLEC, 2, SEDLEC.setup(SEDLEC.options(starting_player=1), 2, SeededChance(bytes(32))))
ASKED: Final[Mapping[str, QuestionCase]] = {"turn": TURN, "window": WINDOW, "graveyard": GRAVEYARD}

READERS: Final[Mapping[str, Callable[[Content], Command]]] = {
    **{name: case.read for name, case in ASKED.items()},
    "invitation": read_invitation_reply,
}
"""The reader of the answer to each of our emails, by the email's name."""


def command_text(understood: Command) -> str:
    """A command as the corpus' index writes it."""
    match understood:
        case Move(move=move):
            return f"move {text_of(move)}"
        case AskAgain():
            return "?"
        case Chat(seat, text):
            return f"chat {seat or 'all'}: {text}"
        case ListPlans():
            return "plans"
        case GivePlan(number, text):
            return f"plan {number or 'new'}: {text}"
        case CancelPlan(number):
            return f"plan cancel {number or 'all'}"
        case Resign(sure):
            return "resign yes" if sure else "resign"
        case InvitationReply(answer, name):
            return f"{answer} {name}".strip()
        case NotUnderstood(reason):
            return f"refused {reason}"


def text_of(move: Any) -> str:
    """Return a move of any game in its canonical notation."""
    return str((COUP if isinstance(move, COUP.move_type) else SEDLEC).text(move))


ADDRESSES: Final = re.compile(
    rf"(?P<token>[a-z]-[a-z0-9]+(?:[.-][a-z0-9]+)*-[a-z2-7]{{26}})@{re.escape(DOMAIN)}", re.ASCII
)
"""The patterns of our addresses at ``DOMAIN``, as in ``notifications.reply_addresses``."""


def outcome(raw: bytes, question: str) -> str:
    """Return the outcome of an email to the table, in the words of the corpus' index."""
    reply = read(raw, ADDRESSES, server=SERVER)
    if isinstance(reply.content, Automatic):
        return f"automatic {reply.content.reason}"
    if TOKEN not in reply.tokens:
        return "no such token"
    if not isinstance(reply.content, Doubtful | TooBig) and not reply.agrees_with([PLAYER]):
        return f"automatic {reply.perhaps_automatic}" if reply.perhaps_automatic else "stranger"
    return command_text(READERS[question](reply.content))
