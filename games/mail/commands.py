"""The commands that an email about a game may give, and the reasons for which its sender is asked again.

Commands that consist only of fixed words are listed here too.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from games.engine.phrases import Phrase, gettext_noop
from games.engine.reading import Vocabulary
from games.engine.types import SeatNumber
from games.engine.validation import RuleViolation

Reason = Literal[
    "doubtful", "empty", "forms-differ", "not-read", "number-and-words", "plan-number", "resign-below", "chat-empty",
    "chat-seat", "too-big", "too-long", "turned", "two-commands", "unclear-text", "winmail",
]  # fmt: skip
"""The reason why an email was not understood, for programs. ``NotUnderstood.phrase`` is the text for people."""

_SENTENCES: Final[Mapping[Reason, str]] = {
    "doubtful": gettext_noop("We couldn’t be sure what your email says."),
    "empty": gettext_noop("Your email had no text of your own."),
    "forms-differ": gettext_noop("Your email says one thing as plain text and another as formatted text."),
    "not-read": gettext_noop("We couldn’t read the first line of your email."),
    "number-and-words": gettext_noop("The number in your email and the words beside it name different answers."),
    "plan-number": gettext_noop("Say which plan to cancel: “plan cancel 2” for one, “plan cancel all” for all."),
    "resign-below": gettext_noop("Your email mentions resigning below its first line."),
    "chat-empty": gettext_noop("Your email doesn’t say what to write in the chat."),
    "chat-seat": gettext_noop("There’s no seat with that number in this game."),
    "too-big": gettext_noop("Your email is too big."),
    "too-long": gettext_noop("Your email is too long."),
    "turned": gettext_noop("This line is displayed in a different order from how it’s written. Please type it again."),
    "two-commands": gettext_noop("Your email asks for more than one thing. Send one at a time."),
    "unclear-text": gettext_noop("Your email has text that could cancel or change your answer."),
    "winmail": gettext_noop(
        "Outlook put your text into a file that only Outlook can read (winmail.dat). In Outlook, choose plain text or "
        "HTML as the format of your email, and send it again."
    ),
}


_LONGEST_QUOTE: Final = 200
"""The length to which a line is quoted in the reply."""


@dataclass(frozen=True, slots=True)
class Move:
    """The answer to a question."""

    text: str = field(compare=False)
    """The line as its sender wrote it."""
    move: Any
    """The move that the game's grammar parsed."""


@dataclass(frozen=True, slots=True)
class AskAgain:
    """``?``: ask the question again."""


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat message, to one seat or to all."""

    seat: SeatNumber | None
    text: str


@dataclass(frozen=True, slots=True)
class ListPlans:
    """``plans``: list the sender's plans and show how plans are written."""


@dataclass(frozen=True, slots=True)
class GivePlan:
    """A plan. With a number it replaces the plan of that number."""

    number: int | None
    text: str = field(compare=False)
    """The plan as its sender wrote it."""
    plan: Any
    """The plan that the game's grammar parsed."""


@dataclass(frozen=True, slots=True)
class SeveralCommands:
    """A move with plans below it, or plans alone, each on its own line. The chat message is sent after them."""

    move: Move | None
    plans: tuple[GivePlan, ...]
    chat: Chat | None = None


@dataclass(frozen=True, slots=True)
class CancelPlan:
    """Cancel the plan of this number, or all plans if the number is None."""

    number: int | None


@dataclass(frozen=True, slots=True)
class AskOnlyAimed:
    """``ask less``: ask only questions that concern the sender. ``ask all``: ask all questions again."""

    enabled: bool


@dataclass(frozen=True, slots=True)
class ComeBack:
    """``back``: the sender plays again in place of the bot."""


@dataclass(frozen=True, slots=True)
class Resign:
    """``resign`` asks for confirmation. ``resign yes`` resigns."""

    sure: bool


@dataclass(frozen=True, slots=True)
class PlayAgain:
    """``rematch``: offer a rematch to the players of a finished game, or accept the offer."""


@dataclass(frozen=True, slots=True)
class Pause:
    """``pause``, ``pause 3`` (days): propose a pause of the game."""

    days: int | None = None
    """The length of the pause. None stands for the longest pause that the game allows."""


@dataclass(frozen=True, slots=True)
class Vote:
    """A vote on a pause that is proposed or running, or an answer to the offer of a rematch."""

    answer: Literal["agree", "decline", "resume"]


@dataclass(frozen=True, slots=True)
class InvitationReply:
    """The answer to an invitation."""

    answer: Literal["join", "no", "never"]
    name: str = ""
    """The name that the sender asks for, or a blank text."""
    words: str = ""
    """The sender's lucky words, which are mixed into the shuffle, or a blank text."""


@dataclass(frozen=True, slots=True)
class ChooseName:
    """The name that a player who joined by an invitation wants to have."""

    name: str


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """An email that changes nothing. Its sender is asked again."""

    reason: Reason
    phrase: Phrase
    line: str = ""
    """The line that was not understood, cut to a readable length. Blank if no single line is the reason."""
    violation: RuleViolation | None = field(default=None, compare=False)
    """The error of the game's grammar for that line."""
    reading: "Command | None" = field(default=None, compare=False)
    """The command that would have been carried out without that line."""


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
    """Return a ``NotUnderstood`` with the grammar's message, or with the usual sentence for the reason."""
    return NotUnderstood(
        reason, violation.phrase if violation else Phrase(_SENTENCES[reason]), line[:_LONGEST_QUOTE], violation, reading
    )


# The words of commands, and the labels of the links in emails.
WORDS: Final = Vocabulary(
    {word: word for word in ("chat", "resign", "yes")}
    | {"گفت‌وگو": "chat", "گفتگو": "chat", "انصراف": "resign", "بله": "yes"}
    | {word: word for word in ("pause", "agree", "decline", "resume", "days")}
    | {"day": "days", "روز": "days", "وقفه": "pause", "موافقم": "agree", "مخالفم": "decline", "ادامه": "resume"}
    | {"rematch": "rematch", "play again": "rematch", "دوباره": "rematch", "بازی دوباره": "rematch"}
    | dict.fromkeys(("ask less", "پرسش کمتر", "کمتر بپرس", "کمتر بپرسید"), "ask-less")
    | dict.fromkeys(("ask all", "همهٔ پرسش‌ها", "همه‌ی پرسش‌ها", "همه پرسش‌ها", "همه را بپرس", "همه را بپرسید"), "ask-all")
    | dict.fromkeys(("back", "i'm back", "i’m back", "im back", "i am back", "برگشتم", "بازگشت"), "back")
    | dict.fromkeys(("ask me again", "answer on a page", "answer by email", "open the game"), "again")
    | dict.fromkeys(("answer this question by email", "پاسخ به این پرسش با ایمیل", "رفتن به بازی"), "again")
    | dict.fromkeys(("پرسیدن دوباره", "پاسخ در صفحهٔ وب", "پاسخ در صفحه وب", "پاسخ با ایمیل"), "again")
    | dict.fromkeys(("plan ahead", "گذاشتن پیش‌حرکت"), "plans")
    | dict.fromkeys(("write in the chat", "نوشتن در گفت‌وگو"), "write")
    | dict.fromkeys(("only ask me when it concerns me", "فقط پرسش‌های مربوط به من"), "ask-less")
    | dict.fromkeys(("ask me everything again", "پرسیدن دوبارهٔ همه‌چیز", "پرسیدن دوباره همه چیز"), "ask-all")
    | dict.fromkeys(("offer a rematch", "accept the rematch"), "rematch")
    | dict.fromkeys(("پیشنهاد بازی دوباره", "قبول بازی دوباره"), "rematch")
    | dict.fromkeys(("no rematch", "رد بازی دوباره", "بازی دوباره نمی‌خواهم"), "decline")
    | dict.fromkeys(("i agree",), "agree")
    | dict.fromkeys(("i don't agree", "i don’t agree", "i do not agree"), "decline")
    | dict.fromkeys(("go on with the game", "ادامهٔ بازی", "ادامه بازی"), "resume")
    | {
        "plans": "plans",
        "پیش‌حرکت‌ها": "plans",
        "پیش‌حرکتها": "plans",
        "cancel": "cancel",
        "لغو": "cancel",
        "all": "all",
        "همه": "all",
    }
)
_COMMANDS_BY_WORDS: Final[Mapping[tuple[str, ...], Command]] = {
    ("back",): ComeBack(),
    ("ask-less",): AskOnlyAimed(enabled=True),
    ("ask-all",): AskOnlyAimed(enabled=False),
    ("resign",): Resign(sure=False),
    ("resign", "yes"): Resign(sure=True),
    ("pause",): Pause(),
    ("agree",): Vote("agree"),
    ("decline",): Vote("decline"),
    ("resume",): Vote("resume"),
    ("plans",): ListPlans(),
    ("rematch",): PlayAgain(),
    ("again",): AskAgain(),
    ("write",): not_understood("chat-empty"),
}


_AROUND_SENTENCES: Final = re.compile(r"^[\s.!]+|(?:,? please)?[\s.!?؟:]*$")
_GAME: Final = r"(?: (?:from |of |out of )?(?:the|this|our) game)?"
_SENTENCES_OF_COMMANDS: Final[tuple[tuple[re.Pattern[str], Command], ...]] = tuple(
    (re.compile(pattern), command)
    for pattern, command in (
        (
            r"(?:(?:can|could|would|will) you )?(?:(?:send|ask|show|give)(?: me| us)? (?:the|that|this|my) "
            r"(?:question|e-?mail|options|choices) (?:once more|again)"
            r"|(?:repeat|resend) (?:the|that|this|my) (?:question|e-?mail|options|choices))"
            r"|what (?:was|is) the question|what are my (?:options|choices)|what can i (?:play|answer)(?: here| now)?"
            r"|(?:پرسش|سوال|ایمیل|گزینه ?ها)(?: را| رو)? (?:دوباره|یک بار دیگر|یه بار دیگه)"
            r" (?:بفرست(?:ید|ین)?|بپرس(?:ید|ین)?)|(?:پرسش|سوال|گزینه ?ها) (?:چی|چه) بود|چه حرکت ?هایی می ?توانم بکنم",
            AskAgain(),
        ),
        (
            r"(?:which|what)(?: are my)? plans(?: do i have| are set)?|do i have (?:any )?plans"
            r"|(?:show|list|send)(?: me)?(?: all)?(?: my| the)? plans|my plans"
            r"|(?:چه )?پیش ?حرکت ?ها(?:ی من|یم|یی دارم)",
            ListPlans(),
        ),
        (
            rf"(?:i'm afraid |sorry )?i (?:hereby )?(?:resign|quit){_GAME}"
            rf"|(?:i'm afraid |sorry )?i (?:have|need|want|wish|would like) to (?:resign|quit|drop out){_GAME}"
            rf"|(?:i'm|i am) (?:resigning|quitting|dropping out){_GAME}"
            r"|(?:من )?(?:از (?:این )?بازی )?انصراف می ?(?:دهم|دم)"
            r"|(?:من )?می ?خوا(?:ه?)م (?:از (?:این )?بازی )?انصراف (?:بدهم|بدم)|(?:من )?کناره ?گیری می ?کنم",
            Resign(sure=False),
        ),
        (
            rf"(?:(?:(?:can|could|may|shall) we |let's )?pause{_GAME}|(?:i'd like|i want|i need|i propose) a pause)"
            r"(?: (?:for|of) (?P<days>\d{1,2}) days?)?",
            Pause(),
        ),
        (
            r"(?:یک |یه )?وقفه(?: ?ی)?(?: (?P<days>\d{1,2}) روزه?)?(?: می ?خوا(?:ه?)م| پیشنهاد می ?کنم)",
            Pause(),
        ),
        (r"i agree (?:to|with) (?:the|this|your|a) pause|با وقفه موافقم", Vote("agree")),
        (r"i (?:don't|do not) agree (?:to|with) (?:the|this|your|a) pause|با وقفه مخالفم", Vote("decline")),
        (r"(?:i'm|i am) back (?:again|now|home|from (?:my )?(?:holiday|vacation|trip))", ComeBack()),
    )
)
"""Sentences with the meaning of a fixed command. A group has the days of a pause."""


def command_of(line: str) -> Command | None:
    """Return the command that consists only of words of the vocabulary or is one of the known sentences, or None."""
    match words := WORDS.tokens(line.rstrip(" :"), {}):
        case ("pause", days) | ("pause", days, "days") if days.isdigit():
            return Pause(int(days))
    command = None if words is None else _COMMANDS_BY_WORDS.get(tuple(words))
    return command or _command_of_sentence(line)


def _command_of_sentence(line: str) -> Command | None:
    text = _AROUND_SENTENCES.sub("", line)
    for pattern, command in _SENTENCES_OF_COMMANDS:
        if match := pattern.fullmatch(text):
            days = match.groupdict().get("days")
            return Pause(int(days)) if days else command
    return None


def command_text(command: Command) -> str:
    """Return the English words of a command without a text of its own, or a blank text."""
    if isinstance(command, Pause) and command.days is not None:
        return f"pause {command.days}"
    return next((" ".join(words) for words, value in _COMMANDS_BY_WORDS.items() if value == command), "")
