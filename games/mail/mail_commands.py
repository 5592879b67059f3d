"""The commands that a mail may give, and the reasons why one is asked back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from games.engine.errors import RuleViolation
from games.engine.phrases import Phrase, gettext_noop
from games.engine.types import SeatNumber

Reason = Literal[
    "doubtful", "empty", "forms-differ", "not-read", "number-and-words", "plan-number", "resign-below", "chat-empty",
    "chat-seat", "too-big", "too-long", "turned", "two-commands", "unclear-text",
]  # fmt: skip
"""The reason for a question back, for programs; ``Refused.phrase`` says it to people."""

_SENTENCES: Final[Mapping[Reason, str]] = {
    "doubtful": gettext_noop("Your email could not be read for certain."),
    "empty": gettext_noop("There was no text of your own in your email."),
    "forms-differ": gettext_noop("Your email says one thing as plain text and another as formatted text."),
    "not-read": gettext_noop("The first line of your email could not be read."),
    "number-and-words": gettext_noop("The number in your email and the words beside it name different answers."),
    "plan-number": gettext_noop("Say which plan to cancel: “plan cancel 2” for one, “plan cancel all” for all."),
    "resign-below": gettext_noop("Your email mentions resigning below its first line."),
    "chat-empty": gettext_noop("Your email does not say what to write in the chat."),
    "chat-seat": gettext_noop("There is no seat of that number in this game."),
    "too-big": gettext_noop("Your email is too big."),
    "too-long": gettext_noop("Your email is too long."),
    "turned": gettext_noop("This line is shown in another order than it is written. Please type it again."),
    "two-commands": gettext_noop("Your email asks for more than one thing. Send one at a time."),
    "unclear-text": gettext_noop("Your email has text that may take your answer back or change it."),
}


_LONGEST_QUOTE: Final = 200
"""The length of a line as it is shown to whoever wrote it."""


@dataclass(frozen=True, slots=True)
class Move:
    """An answer to what is asked."""

    text: str = field(compare=False)
    """The line as it was written."""
    move: Any
    """The move that the grammar read."""


@dataclass(frozen=True, slots=True)
class AskAgain:
    """``?``: ask me again."""


@dataclass(frozen=True, slots=True)
class Chat:
    """Something to be said: to one seat, or to all."""

    seat: SeatNumber | None
    text: str


@dataclass(frozen=True, slots=True)
class ListPlans:
    """``plans``: which of mine stand, and how they are written?"""


@dataclass(frozen=True, slots=True)
class GivePlan:
    """A plan, perhaps in the place of the one of this number."""

    number: int | None
    text: str = field(compare=False)
    """The plan as it was written."""
    plan: Any
    """The plan that the grammar read."""


@dataclass(frozen=True, slots=True)
class SeveralCommands:
    """A move and plans, a line each, or plans alone. The chat message is sent once these are done."""

    move: Move | None
    plans: tuple[GivePlan, ...]
    chat: Chat | None = None


@dataclass(frozen=True, slots=True)
class CancelPlan:
    """Take the plan of this number back; without one, all."""

    number: int | None


@dataclass(frozen=True, slots=True)
class AskOnlyAimed:
    """``ask less``: ask me only what concerns me, from now on; ``ask all``: everything again."""

    wanted: bool


@dataclass(frozen=True, slots=True)
class ComeBack:
    """``back``: I answer for myself again."""


@dataclass(frozen=True, slots=True)
class Resign:
    """``resign`` asks whether it is meant; with ``sure`` it is."""

    sure: bool


@dataclass(frozen=True, slots=True)
class PlayAgain:
    """``rematch``: the same people once more."""


@dataclass(frozen=True, slots=True)
class Pause:
    """``pause``, ``pause 3`` (days): ask everybody for a pause of the game."""

    days: int | None = None
    """None is as long as may be."""


@dataclass(frozen=True, slots=True)
class Vote:
    """A vote on a pause that was proposed, or that is on."""

    answer: Literal["agree", "decline", "resume"]


@dataclass(frozen=True, slots=True)
class InvitationReply:
    """The answer to an invitation."""

    answer: Literal["join", "no", "never"]
    name: str = ""
    """The name that the writer asks for; blank where they do not say."""
    words: str = ""
    """Lucky words of theirs, which are mixed into the shuffle; blank where they give none."""


@dataclass(frozen=True, slots=True)
class ChooseName:
    """The name that somebody who came by an invitation wants to have."""

    name: str


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """Nothing is done; the writer is asked again."""

    reason: Reason
    phrase: Phrase
    line: str = ""
    """The line that it is about, or its beginning; empty where it is about no line."""
    violation: RuleViolation | None = field(default=None, compare=False)
    """The grammar's verdict on that line."""
    reading: "Command | None" = field(default=None, compare=False)
    """The command that would have been done without that line."""


Command = (
    Move
    | AskAgain
    | AskOnlyAimed
    | ComeBack
    | Chat
    | ListPlans
    | GivePlan
    | SeveralCommands
    | CancelPlan
    | Resign
    | PlayAgain
    | Pause
    | Vote
    | InvitationReply
    | ChooseName
    | NotUnderstood
)


def not_understood(
    reason: Reason, line: str = "", violation: RuleViolation | None = None, reading: "Command | None" = None
) -> NotUnderstood:
    """Return a refusal, in the grammar's words if it has any."""
    return NotUnderstood(
        reason, violation.phrase if violation else Phrase(_SENTENCES[reason]), line[:_LONGEST_QUOTE], violation, reading
    )
