"""Parser of email about a game.

The first line of the sender's own text is the command. Plans may follow on the next lines, and a chat message below
them. A line is a move if it is the number, notation or label of an answer, if the game's grammar parses it, or if all
its words are known and name exactly one answer (``offered_moves``). If none of this is the case, its first sentence or
clause is tried. Other text is allowed only if it certainly changes nothing (``trailing_text``). All forms of an email,
such as plain text and HTML, must give the same command. A reply to a chat message is a chat message unless it is a
command or resembles a move.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product, takewhile
from typing import Any, Final

from games.engine.reading import fold
from games.engine.types import SeatNumber
from games.engine.validation import RuleViolation
from games.mail.commands import (
    WORDS,
    AskAgain,
    AskOnlyAimed,
    CancelPlan,
    Chat,
    ComeBack,
    Command,
    GivePlan,
    ListPlans,
    Move,
    NotUnderstood,
    Pause,
    PlayAgain,
    Resign,
    SeveralCommands,
    Vote,
    command_of,
    not_understood,
)
from games.mail.reading.courtesies import plain_line, says_nothing, without_courtesies
from games.mail.reading.reply_readers import read_invitation_line
from games.mail.reading.trailing_text import (
    DIRECTION_OVERRIDES,
    INVISIBLE_MARKS,
    SenderNames,
    find_unclear,
    find_unclear_clause,
    is_closing,
    sender_names,
)
from notifications.mail_parsing.lines import visible_text
from notifications.mail_parsing.parser import Content, Doubtful, SenderText, TooBig

TryLine = Callable[[str], Any]
"""A function that returns one line as a move or as a plan, or raises RuleViolation."""

IsAside = Callable[[Any, str], bool]
"""A function that returns whether a clause beside a move changes nothing."""

LONGEST_CHAT_MESSAGE: Final = 2000
_LONGEST_COMMAND: Final = 200
_MOST_LINES: Final = 300
_MOST_NAME_WORDS: Final = 20
_QUOTATION_MARKS: Final = '"“”„‟«»'
_AROUND_NAMES: Final = f"{_QUOTATION_MARKS} :،,"

_PLAN: Final = re.compile(r"(?:plan|پیش ?حرکت)(?:\s*[:：]\s*|\s+|$)(.*)")
_CANCEL: Final = re.compile(r"(?:cancel|لغو)\b")
_PLAN_NUMBER: Final = re.compile(r"(\d{1,9})[.:)]?\s+(.+)")
_CHAT_WORDS: Final = frozenset(
    fold(word)
    for word in (
        *("chat", "گفت‌وگو", "گفتگو", "گفت وگو", "گفت و گو"),
        *("write in the chat", "نوشتن در گفت‌وگو", "نوشتن در گفتگو"),
    )
)
_NUMBERED: Final = re.compile(r"([0-9۰-۹٠-٩]{1,4})\s*[.):،,\-–—]*\s+(\S.*)")
_SENTENCES: Final = re.compile(r"[.!]\s+")
_CLAUSES: Final = re.compile(r"[.!,،;؛]\s+|\s+-\s+|\s+and (?=(?:let's )?see (?:who|what)\b|(?:i )?hope\b)")
_EMPHASIS: Final = re.compile(r"([*_]{1,2})([^*_]+)\1")
_TAG: Final = re.compile(r"</?(?:a|b|blockquote|body|br|div|font|html|i|p|pre|span|table|td|tr)\b", re.I)
"""HTML that was sent as plain text. The text behind it on the same line may be the server's own."""


@dataclass(frozen=True)
class ChatWith:
    """The chat that an email answers."""

    seat: SeatNumber | None
    """The other player's seat. None for the chat with all."""


_PERHAPS_CHAT: Final = frozenset({"not-read", "too-long", "unclear-text"})
_GAME_COMMANDS_IN_CHAT: Final = re.compile(
    r"[?؟]|plans|پیش ?حرکت ?ها|(?:pause|وقفه)(?: \d{1,3}(?: days?| روز)?)?|resign(?: yes)?|انصراف(?: بله)?"
)
_ACCOUNT_COMMANDS_IN_CHAT: Final = frozenset(
    fold(phrase)
    for phrase in (
        *("stop", "unsubscribe", "help", "games", "status", "no more emails about this chat"),
        *("توقف", "لغو اشتراک", "راهنما", "بازی‌ها", "وضعیت", "قطع ایمیل‌های این گفت‌وگو"),
    )
)
"""Commands in a reply to a chat message. All other text there is a chat message.

Everyday sentences such as “I agree” and “I’m back” are no commands there. A command for the account has no punctuation:
“Stop.” is a message. Only a closing and the sender's name may stand below it.
"""


def is_account_command_in_chat(content: Content, own_names: Collection[str]) -> bool:
    """Return whether a reply to a chat message is a command for the account."""
    sender = sender_names(own_names)
    versions = content.versions if isinstance(content, SenderText) else ()
    return all(_is_account_command(_without_salutation(lines), sender) for lines in versions if lines)


def _is_account_command(lines: tuple[str, ...], sender: SenderNames) -> bool:
    command, below = visible_text(lines[0]), [line for line in lines[1:] if line.strip()]
    if fold(command) not in _ACCOUNT_COMMANDS_IN_CHAT or not "".join(command.replace("\u200c", "").split()).isalpha():
        return False
    return not below or (is_closing(below[0], sender) and not find_unclear(below, sender))


def _is_everyday(command: Command, line: str) -> bool:
    """Return whether a line is a fixed command that counts as a chat message in a reply to a chat message."""
    is_fixed = isinstance(command, (AskAgain, AskOnlyAimed, ComeBack, ListPlans, Pause, PlayAgain, Resign, Vote))
    return is_fixed and _GAME_COMMANDS_IN_CHAT.fullmatch(_folded(line)) is None


def read_command(
    content: Content,
    try_line: TryLine,
    names: Mapping[str, SeatNumber],
    seats: Collection[int],
    try_plan: TryLine,
    resembles_move: Callable[[str], bool],
    chat_with: ChatWith | None = None,
    is_aside: IsAside = lambda move, clause: False,
    own_names: Collection[str] = (),
) -> Command:
    """Return the command of an email about a game. Automatic email must not come here.

    ``try_line`` parses a move and ``try_plan`` a plan. ``names`` maps folded names of players to their seats, and
    ``seats`` are the seats that can be written to. With ``chat_with``, a first paragraph that is not a command is a
    chat message, unless it ``resembles_move``: it might tell the others which cards its sender holds. ``is_aside``
    returns whether a clause beside a move changes nothing. ``own_names`` are the sender's names.
    """
    sender = sender_names(own_names, names)
    reader = _LineReader(try_line, names, frozenset(seats), try_plan, resembles_move, is_aside, sender)

    def read_line(line: str, paragraph: str) -> Command:
        command = reader.read(line, paragraph)
        return not_understood("not-read", line) if chat_with and _is_everyday(command, line) else command

    def read_first(line: str, paragraph: str) -> Command:
        command = reader.read(line, paragraph)
        if chat_with and _is_everyday(command, line):
            return reader.message(chat_with.seat, paragraph, line)
        if _is_not_read(command):
            command = reader.clause_among_others(line, only_first=chat_with is not None) or command
        if chat_with is None or not isinstance(command, NotUnderstood) or command.reason not in _PERHAPS_CHAT:
            return command
        return command if resembles_move(line) else reader.message(chat_with.seat, paragraph, line)

    return _read_every_form(content, _Reading(read_line, read_first, sender, reader.adds_nothing))


def read_invitation_reply(content: Content, own_names: Collection[str] = ()) -> Command:
    """Return the reply to an invitation: yes or no, or the name that an invited player wants."""
    sender = sender_names(own_names)
    line = partial(read_invitation_line, sender=sender)
    return _read_every_form(content, _Reading(line, line, sender))


ReadLine = Callable[[str, str], Command]
"""A function that parses a line. The second argument is the paragraph that begins with the line."""


@dataclass(frozen=True)
class _Reading:
    """The functions that parse the lines of one kind of email."""

    line: ReadLine
    first_line: ReadLine
    sender: SenderNames
    adds_nothing: Callable[[Command, str], bool] = lambda command, clause: False
    """Return whether a clause beside a command changes nothing."""


def _read_every_form(content: Content, reading: _Reading) -> Command:
    """Return the command of an email, or NotUnderstood if its forms give different commands."""
    match content:
        case SenderText(versions):
            first, *others = (_read_lines(version, reading) for version in versions)
            for other in others:
                first = _merge_forms(first, other)
            return first
    return without_text(content)


def without_text(content: Content) -> NotUnderstood:
    """Return why an email without readable text of its sender was not understood."""
    match content:
        case Doubtful("winmail"):
            return not_understood("winmail")
        case Doubtful():
            return not_understood("doubtful")
        case TooBig():
            return not_understood("too-big")
    return not_understood("empty")


def _merge_forms(one: Command, other: Command) -> Command:
    match one, other:
        case NotUnderstood(), NotUnderstood():
            return other if one.reason == "empty" else one
        case Chat(), Chat() if one.seat == other.seat and _letters_and_digits(one.text) == _letters_and_digits(
            other.text
        ):
            return one
    if refusal := next((form for form in (one, other) if _shows_reading(form)), None):
        return refusal
    return one if one == other else not_understood("forms-differ")


def _shows_reading(command: Command) -> bool:
    return isinstance(command, NotUnderstood) and command.reading is not None


def _letters_and_digits(text: str) -> str:
    return "".join(character for character in text if character.isalnum())


def _read_lines(lines: tuple[str, ...], reading: _Reading) -> Command:
    """Return the command of the sender's lines. An empty line separates paragraphs."""
    if not lines:
        return not_understood("empty")
    if len(lines) > _MOST_LINES:
        return not_understood("too-long")
    lines = _without_salutation(tuple(" ".join(line.split()) if visible_text(line) else "" for line in lines))
    gap = next((index for index, line in enumerate(lines) if not line), len(lines))
    first = reading.first_line(lines[0], " ".join(lines[:gap]))
    if isinstance(first, NotUnderstood):
        return first
    plans = [*takewhile(_begins_plan, lines[1:])] if isinstance(first, Move | GivePlan) else []
    rest, chat = lines[1 + len(plans) :], None
    if isinstance(first, Move | GivePlan):
        rest, chat = _divide_at_chat(rest, reading.line)
    refusals = (_check_further_line(first, line, reading.line) for line in rest if line)
    if refusal := next(filter(None, refusals), None):
        return refusal
    if isinstance(first, AskAgain | ListPlans):  # The text below cannot change them.
        return first
    prose = lines[gap:] if isinstance(first, Chat) else rest
    if unclear := find_unclear(prose, reading.sender, partial(reading.adds_nothing, first)):
        return not_understood("unclear-text", unclear, reading=first)
    return _combine([first, *(reading.line(line, line) for line in plans)], chat)


def _divide_at_chat(lines: tuple[str, ...], reader: ReadLine) -> tuple[tuple[str, ...], Command | None]:
    """Return the lines without the chat message's paragraph, and the parsed chat message."""
    start = next((index for index, line in enumerate(lines) if _after_chat_word(line) is not None), None)
    if start is None:
        return lines, None
    end = next((index for index in range(start, len(lines)) if not lines[index]), len(lines))
    return lines[:start] + lines[end:], reader(lines[start], " ".join(lines[start:end]))


def _without_salutation(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Return the lines from the first one with a meaning, or all lines if none has a meaning."""
    first = next((index for index, line in enumerate(lines) if not says_nothing(line)), 0)
    return lines[first:]


def _begins_plan(line: str) -> bool:
    return _PLAN.fullmatch(_folded(line)) is not None


def _combine(commands: list[Command], chat: Command | None) -> Command:
    """Return a move or a plan with the plans and the chat message below it, or NotUnderstood if a part is unclear."""
    if refusal := next((part for part in (*commands, chat) if isinstance(part, NotUnderstood)), None):
        return refusal
    if len(commands) == 1 and chat is None:
        return commands[0]
    plans = tuple(part for part in commands if isinstance(part, GivePlan))
    move = commands[0] if isinstance(commands[0], Move) else None
    if len(plans) + (move is not None) < len(commands) or not isinstance(chat, Chat | None):
        return not_understood("two-commands")
    return SeveralCommands(move, plans, chat)


def _check_further_line(first: Command, line: str, read_line: ReadLine) -> NotUnderstood | None:
    """Return a NotUnderstood if a further line gives another command than the first line."""
    further = read_line(line, line)
    if further == first:
        return None
    if isinstance(further, NotUnderstood) and further.reason == "turned":
        return further
    if any(WORDS.tokens(word, {}) == ("resign",) for word in re.findall(r"\w+", fold(line))):
        return not_understood("resign-below", line, reading=first)
    if isinstance(further, NotUnderstood) and further.reason in ("not-read", "too-long", "unclear-text"):
        return None
    return not_understood("two-commands", line, reading=first)


class _LineReader:
    """Parser of the lines of an email about a game."""

    def __init__(
        self,
        try_line: TryLine,
        names: Mapping[str, SeatNumber],
        seats: frozenset[int],
        try_plan: TryLine,
        resembles_move: Callable[[str], bool],
        is_aside: IsAside,
        sender: SenderNames,
    ) -> None:
        self.sender = sender
        self.try_line = try_line
        self.is_aside = is_aside
        self.resembles_move = resembles_move
        self.try_plan = try_plan
        self.names = names
        self.seats = seats

    def read(self, line: str, paragraph: str) -> Command:
        """Return the command of a line. If it has none, try the line without courtesies."""
        command = self.read_exactly(line, paragraph)
        if not _is_not_read(command):
            return command
        bare = self.bare(line[:_LONGEST_COMMAND]) or line
        again = self.read_exactly(bare, bare)
        return command if _is_not_read(again) else again

    def bare(self, line: str) -> str:
        """Return a line without courtesies, unless that removes a player's name: a player may be called “Team”."""
        plain = plain_line(line)
        bare = without_courtesies(plain)
        before, after = _folded(plain), _folded(bare)
        return plain if any(name in before and name not in after for name in self.names) else bare

    def clause_among_others(self, line: str, *, only_first: bool) -> Command | None:
        """Return the command of one sentence or clause of a line, or NotUnderstood if the others may change it.

        This is a move, or a command that changes nothing by itself. With ``only_first``, the line has to begin with it.
        """
        bare = self.bare(line[:_LONGEST_COMMAND])
        refusal = harmless = None
        for text, between in product((line, bare), (_SENTENCES, _CLAUSES)):
            clauses = between.split(text)
            candidates = clauses[: 1 if only_first else None] if len(clauses) > 1 else []
            commands = [self.read_exactly(clause, clause) for clause in map(self.bare, candidates)]
            index, move = next(((at, move) for at, move in enumerate(commands) if isinstance(move, Move)), (0, None))
            if move is None:
                harmless = harmless or next(filter(_changes_nothing, commands), None)
                continue
            others = [*clauses[:index], *clauses[index + 1 :]]
            unclear = find_unclear_clause(others, self.sender, partial(self.adds_nothing, move))
            if not unclear:
                return move
            refusal = refusal or not_understood("unclear-text", unclear, reading=move)
        return refusal or harmless

    def adds_nothing(self, command: Command, clause: str) -> bool:
        """Return whether a clause repeats a command or has nothing to do with any command."""
        again = self.read(clause, clause)
        if isinstance(command, Move) and isinstance(again, Move):
            return bool(again.move == command.move)
        return again == command or (isinstance(command, Move) and self.is_aside(command.move, clause))

    def read_exactly(self, line: str, paragraph: str) -> Command:
        if emphasis := _EMPHASIS.fullmatch(line):
            line = paragraph = emphasis[2].strip()
        if DIRECTION_OVERRIDES.search(line):
            return not_understood("turned", line)
        folded = fold(line)
        if folded in ("?", "؟"):
            return AskAgain()
        if (chat_text := _after_chat_word(paragraph)) is not None:
            return self.chat(chat_text, line)
        if len(line) > _LONGEST_COMMAND:
            return not_understood("too-long", line)
        if (command := command_of(folded)) is not None:
            return command
        if plan_match := _PLAN.fullmatch(folded):
            return self.plan(plan_match[1], line)
        return self.move(line)

    def plan(self, text: str, line: str) -> Command:
        """Return the command behind the word ``plan``: to list the plans, to cancel some, or to set one."""
        if not text:
            return ListPlans()
        match WORDS.tokens(text, {}):
            case ("cancel", "all"):
                return CancelPlan(None)
            case ("cancel", number) if number.isdigit() and len(number) < 10:
                return CancelPlan(int(number))
        if _CANCEL.match(text):
            return not_understood("plan-number", line)
        replacement = _PLAN_NUMBER.fullmatch(text)
        instead, plan_text = (int(replacement[1]), replacement[2]) if replacement else (None, text)
        try:
            return GivePlan(instead, plan_text, self.try_plan(plan_text))
        except RuleViolation as violation:
            return not_understood("not-read", line, violation)

    def move(self, line: str) -> Command:
        try:
            return Move(line, self.try_line(line))
        except RuleViolation as violation:
            numbered = _NUMBERED.fullmatch(visible_text(line))
            if numbered is None:
                return not_understood("not-read", line, violation)
            return self.numbered_move(line, numbered, violation)

    def numbered_move(self, line: str, number_and_words: re.Match[str], violation: RuleViolation) -> Command:
        """Return the move of a number with words beside it, if both name the same answer."""
        try:
            move = self.try_line(number_and_words[2])
        except RuleViolation:
            return not_understood("not-read", line, violation)
        try:
            is_same = self.try_line(number_and_words[1]) == move
        except RuleViolation:
            is_same = False
        return Move(line, move) if is_same else not_understood("number-and-words", line)

    def chat(self, text: str, line: str) -> Command:
        """Return the chat message of ``<text>`` or ``<seat> <text>``. The number of an unknown seat is an error."""
        if DIRECTION_OVERRIDES.search(text):
            return not_understood("turned", line)
        words = INVISIBLE_MARKS.sub("", text).split()
        seat, word_count = self.find_addressed_seat(words)
        if word_count and seat is None:
            return not_understood("chat-seat", line)
        return self.message(seat, " ".join(words[word_count:]), line)

    def message(self, seat: SeatNumber | None, text: str, line: str) -> Command:
        """Return a chat message for one seat or for all."""
        if DIRECTION_OVERRIDES.search(text):
            return not_understood("turned", line)
        text = " ".join(INVISIBLE_MARKS.sub("", text).split())
        if "\ufffd" in text or _TAG.search(text):
            return not_understood("doubtful", line)
        if not _letters_and_digits(text):
            return not_understood("chat-empty", line)
        return Chat(seat, text) if len(text) <= LONGEST_CHAT_MESSAGE else not_understood("too-long", line)

    def find_addressed_seat(self, words: list[str]) -> tuple[SeatNumber | None, int]:
        """Return the seat that the first words name, and the number of these words. Longer names are tried first."""
        for count in range(min(len(words), _MOST_NAME_WORDS), 0, -1):
            name = fold(" ".join(words[:count])).strip(_AROUND_NAMES)
            if name in self.names:
                return self.names[name], count
        number = fold(words[0]).strip(f"{_AROUND_NAMES})") if words else ""
        if number.isascii() and number.isdigit():
            return (SeatNumber(int(number)) if number in map(str, self.seats) else None), 1
        return None, 0


def _changes_nothing(command: Command) -> bool:
    """Return whether a command only shows something or asks for confirmation."""
    return isinstance(command, AskAgain | ListPlans) or command == Resign(sure=False)


def _is_not_read(command: Command) -> bool:
    return isinstance(command, NotUnderstood) and command.reason == "not-read"


def _after_chat_word(paragraph: str) -> str | None:
    """Return the text behind the word for the chat, or None if a paragraph does not begin with that word."""
    head, colon, rest = re.sub("：", ":", paragraph, count=1).partition(":")
    if colon and _folded(head) in _CHAT_WORDS:
        return rest
    words = paragraph.split()
    word_count = next((count for count in (1, 2, 3, 4) if _folded(" ".join(words[:count])) in _CHAT_WORDS), None)
    return None if word_count is None else " ".join(words[word_count:])


def _folded(text: str) -> str:
    # Our emails show commands in quotation marks, and some readers copy them with the marks.
    return fold(DIRECTION_OVERRIDES.sub("", text[:_LONGEST_COMMAND])).strip(_QUOTATION_MARKS)
