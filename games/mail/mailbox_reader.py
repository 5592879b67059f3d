"""The reader of emails to the server's own address.

Parser of a sentence that asks for a new game: “new chess for 4, slow, private, with ali@example.org and 1 bot”. The
title and the parts are in any order: the number of players, bots, addresses of invited people, a speed, expansions, and
whether the game is private. Words such as “new”, “start” or “I’d like to play” say that a game is wanted. A part that
is unknown or stated twice makes the whole sentence unreadable.

Parser of email to the server's own address: commands for an account, which belong to no game. Replies to other emails
are sent there too, if the mail program ignores Reply-To, as Delta Chat does.
"""

import re
import uuid
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from django.conf import settings

from config.core.email_spellings import ascii_domain
from games import links
from games.engine.reading import Vocabulary, fold
from games.engine.types import NORMAL
from games.mail.account_commands import WORDS as ACCOUNT_WORDS
from games.mail.account_commands import BlockPlayer, read_account_line
from games.mail.mailbox_commands import (
    OPTION,
    SPEED,
    WITHOUT,
    AccountCommand,
    Confirm,
    CreateGame,
    Invite,
    LeaveGame,
    Lookup,
    Rematch,
    SetSleepHours,
    ShowHelp,
    StartMails,
    StopMails,
    StopThese,
    Titles,
    Unclear,
    read_options,
    read_seek,
    read_titles,
    speed_of,
    title_in,
)
from games.mail.mailbox_sentences import WORDS as SENTENCE_WORDS
from games.mail.mailbox_sentences import read_command_sentence
from games.mail.reading.courtesies import plain_line, says_nothing, without_courtesies
from games.mail.reading.periods import ADDRESS, COUNTS, IN_WORDS, count_of
from games.mail.reading.sentences import (
    MAY_I,
    WISHES,
    asks,
    is_statement,
    is_wanted,
    join_words,
    merge,
    phrases,
    polite_phrase,
)
from games.mail.reading.trailing_text import (
    DIRECTION_OVERRIDES,
    SenderNames,
    find_unclear,
    find_unclear_clause,
    sender_names,
)
from notifications import reply_addresses
from notifications.mail_parsing.parser import Content, Empty, Reply, SenderText
from notifications.models import Notification

_SEATS_IN_WORDS: Final = "|".join(word for word in COUNTS if word not in ("a", "an", "یه"))
_SEATS: Final = re.compile(
    rf"(?:(?P<for>for|برای)|(?P<with>with|با) )? ?(?:(?P<number>\d{{1,2}})|(?P<word>{_SEATS_IN_WORDS}))"
    r"(?P<people> ?(?:(?P<players>players|seats|نفره|بازیکن)|people|of us|نفر))?(?![\w@.])"
)
_BOTS: Final = re.compile(
    rf"(?P<count>\d{{1,2}}|(?:{IN_WORDS})(?!\w))? ?(?:darbar |تا )?"
    r"(?:(?P<level>easy|normal|strong|master) )?(?:(?P<many>bots)|bot|ربات)"
    r"(?: (?P<level_fa>اسان|معمولی|قوی|استاد))?(?!\w)"
)
_PERSIAN_LEVELS: Final = {"اسان": "easy", "معمولی": "normal", "قوی": "strong", "استاد": "master"}
_PRIVATE: Final = re.compile(r"(?:it is |make it |an? )?(?:(?P<private>private|خصوصی)|public|عمومی)(?: game)?(?!\w)")
_BETWEEN: Final = re.compile(r"(?:\s|[,،;؛+&]|(?:and|و)(?!\w))*")
_WITH: Final = re.compile(r"(?:with|against|versus|با|مقابل) ")
_CREATE: Final = phrases(
    "start|starting|create|make|set up|launch|arrange|organise|organize|open|*ساز|درست *کن|شروع *کن|باز *کن|راه *انداز"
    "|ایجاد *کن"
)
_NEW: Final = phrases("new|تازه|تازهی|جدید")
_PLAY: Final = phrases("play|try|do|have|get|going|round|دست|یه دست|بازی *کن|*زن")
_GAME: Final = phrases("game|table|the game|my game|our game|بازی|میز")
_ALL: Final = merge(_CREATE, _NEW, _PLAY, _GAME)
_WANTED: Final = WISHES | MAY_I | {word for word in _PLAY.all if word.endswith("یم")}
_EXISTING: Final = ("in", "into", "the game", "my game", "our game")
"""Words for a game that exists: “Let me in a game”, “Start my game”."""
_ONE: Final = ("یه ", "یک ")
WORDS: Final = (_SEATS.pattern, _BOTS.pattern, _PRIVATE.pattern, _WITH.pattern, *_CREATE.all, *_NEW.all, *_PLAY.all)
"""Patterns whose words are known for typing errors."""


def read_new_game(folded: str, titles: Titles) -> CreateGame | None:
    """Return a game for the given number of players, or for the sender and all who are named. Both must agree."""
    text, is_question = asks(join_words(folded))
    title, before, after = title_in(text, titles)
    if not title:
        return None
    parts = _Parts(titles[title])
    if not parts.read(f"{before} {after.lstrip(' ,،:')}"):
        return None
    is_wanted_now = is_wanted(frozenset(parts.words), _ALL, "proposal", is_question=is_question)
    return parts.game() if is_wanted_now and parts.is_for_new_game(text.startswith(_ONE)) else None


@dataclass
class _Parts:
    """The parts of a command that have been read."""

    rules: str
    seats: int | None = None
    bots: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)
    speed: str | None = None
    options: dict[str, bool] = field(default_factory=dict)
    private: bool | None = None
    words: list[str] = field(default_factory=list)
    """The phrases beside the parts."""
    has_bare_number: bool = False
    """True if the number of players has no “players” beside it: “chess 4”, “chess for 4”."""

    has_unclear_number: bool = False
    """True for “with 3 people”, who may be three or four with the sender."""

    def read(self, text: str) -> bool:
        """Read all parts of a text. Return False if a part is unknown or stated twice."""
        while text := text[_end(_BETWEEN, text) :].rstrip(" ."):
            length = self._read_part(text)
            if not length:
                return False
            text = text[length:]
        return True

    def _read_part(self, text: str) -> int:
        """Read the first part of a text, and return its length, or 0."""
        start = _end(_WITH, text)
        for reader in (self._read_bots, self._read_address):
            if length := reader(text[start:]):
                return start + length
        for reader in (self._read_speed, self._read_privacy, self._read_seats, self._read_option, self._read_word):
            if length := reader(text):
                return length
        return 0

    def _read_bots(self, text: str) -> int:
        part = _BOTS.match(text)
        if part is None or (part["many"] and not part["count"]):
            return 0
        level = part["level"] or _PERSIAN_LEVELS.get(part["level_fa"] or "", NORMAL)
        self.bots += [level] * count_of(part["count"] or "a")
        return part.end()

    def _read_address(self, text: str) -> int:
        part = ADDRESS.match(text)
        if part is None or _end(_BETWEEN, text[part.end() :]) == 0 < len(text) - part.end():
            return 0
        if part[1] not in self.addresses:
            self.addresses.append(part[1])
        return part.end()

    def _read_speed(self, text: str) -> int:
        part = SPEED.match(text)
        if part is None or self.speed:
            return 0
        self.speed = speed_of(part)
        return part.end()

    def _read_privacy(self, text: str) -> int:
        part = _PRIVATE.match(text)
        if part is None or self.private is not None:
            return 0
        self.private = bool(part["private"])
        return part.end()

    def _read_seats(self, text: str) -> int:
        """Read the number of players. A number in words needs “for” or “players”."""
        part = _SEATS.match(text)
        if part is None or self.seats is not None or not (part["number"] or part["for"] or part["people"]):
            return 0
        if part["with"] and not part["players"]:
            self.has_unclear_number = True
        self.seats = count_of(part["number"] or part["word"])
        self.has_bare_number = not part["people"]
        return part.end()

    def _read_option(self, text: str) -> int:
        names, part = read_options(self.rules), OPTION.match(text)
        if part is None or part["option"] not in names or names[part["option"]] in self.options:
            return 0
        self.options[names[part["option"]]] = (part["wish"] or "") not in WITHOUT
        return part.end()

    def _read_word(self, text: str) -> int:
        phrase, length = polite_phrase(text, _ALL)
        if phrase in _EXISTING or is_statement(self.words, phrase):
            return 0
        self.words.append(phrase)
        return length

    def is_for_new_game(self, is_one_game: bool) -> bool:
        """Return whether the words ask for a new game. The title may be a move of another game."""
        words = frozenset(self.words)
        if words & _NEW.all or words & _CREATE.all:
            return True
        is_game = not words.isdisjoint(_GAME.all)
        is_play = is_game or is_one_game or not words.isdisjoint(_PLAY.all)
        return is_play and (is_game or not self.has_bare_number) and (is_one_game or bool(words & _WANTED))

    def game(self) -> CreateGame | None:
        """Return the game, or None if the number of players is missing or too small for all who are named."""
        least = 1 + len(self.bots) + len(self.addresses)
        seats = self.seats if self.seats is not None else least
        if self.has_unclear_number or least > seats or (self.seats is None and least == 1):
            return None
        return CreateGame(
            self.rules,
            seats,
            tuple(self.bots),
            tuple(self.addresses),
            speed=self.speed,
            options=tuple(sorted(self.options.items())),
            private=self.private,
        )


def _end(pattern: re.Pattern[str], text: str) -> int:
    match = pattern.match(text)
    return match.end() if match else 0


_MOST_LINES: Final = 300
_LONGEST: Final = 500

_CLAUSES: Final = re.compile(r"[.!,،;؛]\s+|(?<=[?؟])\s+|\s+-\s+")
_WITH_NOTE: Final = re.compile(r"(?P<command>[^:：@]*@[^:：]*)[:：]\s+(?P<note>\S.*)")
"""An invitation with a note by its sender. The text before the first colon has an address."""

Build = Callable[[re.Match[str], Titles], AccountCommand | None]


def read_account_command(
    content: Content, titles: Titles, own_names: Collection[str] = ()
) -> AccountCommand | Unclear | None:
    """Return the command of an email. None if it has no command, or if its lines or its forms differ."""
    if not isinstance(content, SenderText):
        return None
    sender = sender_names(own_names)
    commands = {_read_lines(version, titles, sender) for version in content.versions if version}
    if unclear := next((command for command in commands if isinstance(command, Unclear)), None):
        return unclear
    return commands.pop() if len(commands) == 1 else None


def read_command_in_reply(
    content: Content, titles: Titles, own_names: Collection[str] = ()
) -> AccountCommand | Unclear | None:
    """Return the command for the account in a reply to another email, or None if the reply may be meant for that email.

    “Yes” and “rematch” also have a meaning there, and to block is a move. Below a question of the account, such as
    “help”, there may be a move.
    """
    command = read_account_command(content, titles, own_names)
    meaning = command.command if isinstance(command, Unclear) else command
    if isinstance(meaning, Confirm | Rematch | BlockPlayer) or (
        isinstance(command, Unclear) and isinstance(meaning, Lookup)
    ):
        return None
    return command


def is_stop(reply: Reply) -> bool:
    """Return whether the sender of an email wants no emails."""
    return isinstance(read_account_command(reply.content, {}), StopMails)


def content_or_subject(reply: Reply) -> Content:
    """Return the content of an email, or its subject if that is all that the sender wrote."""
    if isinstance(reply.content, Empty) and reply.subject:
        return SenderText(((reply.subject,),))
    return reply.content


def first_line(content: Content) -> str:
    """Return the first line with a meaning, or a blank text."""
    lines = content.versions[0] if isinstance(content, SenderText) and content.versions else ()
    return next((line.strip() for line in lines if not says_nothing(line)), "")


def read_command_line(line: str, titles: Titles) -> AccountCommand | None:
    """Return the command of one line, or None."""
    if len(line) > _LONGEST or DIRECTION_OVERRIDES.search(line):
        return None
    if noted := _WITH_NOTE.fullmatch(line):
        command = read_command_line(noted["command"].rstrip(), titles)
        if isinstance(command, CreateGame | Invite):
            return replace(command, note=noted["note"])
    plain = plain_line(line)
    bare = without_courtesies(plain)
    for form in dict.fromkeys((plain, bare)):
        if command := _read_form(form, titles):
            return command
    return read_account_line(bare)


def nearest_command_line(line: str, titles: Titles) -> str:
    """Return the command that a line with typing errors seems to mean, or a blank text. It may only be suggested."""
    if DIRECTION_OVERRIDES.search(line) or read_command_line(line, titles):
        return ""
    corrected = _WORDS.corrected(fold(plain_line(line[:_LONGEST])), titles)
    command = read_command_line(corrected, titles)
    return "" if command is None or isinstance(command, Confirm) else corrected


def _read_lines(lines: Sequence[str], titles: Titles, sender: SenderNames) -> AccountCommand | Unclear | None:
    """Return the command of the first line with a meaning. Only small talk may follow it."""
    start = next((index for index, line in enumerate(lines[:_MOST_LINES]) if not says_nothing(line)), None)
    if start is None:
        return None
    beside: list[str] = []
    command = read_command_line(lines[start], titles)
    if command is None and (parts := _command_among_clauses(lines[start], titles)):
        command, beside = parts
    rest = lines[start + 1 : _MOST_LINES]
    if command is None or {read_command_line(line, titles) for line in rest} - {command, None}:
        return None

    def repeats(clause: str) -> bool:
        return read_command_line(clause, titles) == command

    unclear = find_unclear_clause(beside, sender, repeats) or find_unclear(rest, sender, repeats)
    return Unclear(command, lines[start], unclear) if unclear else command


def _command_among_clauses(line: str, titles: Titles) -> tuple[AccountCommand, list[str]] | None:
    """Return the only command among the clauses of a line, and the other clauses."""
    clauses = _CLAUSES.split(line[:_LONGEST])
    commands = {clause: command for clause in clauses if (command := read_command_line(clause, titles))}
    if len(commands) != 1 or isinstance(command := next(iter(commands.values())), Confirm):
        return None
    return command, [clause for clause in clauses if clause not in commands]


def _read_form(line: str, titles: Titles) -> AccountCommand | None:
    folded = fold(line)
    for pattern, build in _COMMANDS:
        if match := pattern.fullmatch(folded):
            return build(match, titles)
    return read_new_game(folded, titles) or read_seek(folded, titles) or read_command_sentence(line, titles)


_COMMANDS: Final[tuple[tuple[re.Pattern[str], Build], ...]] = tuple(
    (re.compile(pattern), build)
    for pattern, build in (
        (r"[?؟]", lambda _match, _titles: ShowHelp()),
        (r"yes|yep|confirm|بله|اره|تایید", lambda _match, _titles: Confirm()),
        (r"leave|ترک|ترک میز|ترک بازی|leave (?:the |my )?(?:game|table)", lambda _match, _titles: LeaveGame()),
        (r"sleep (?:off|none|no)|خواب (?:هیچ|خاموش)", lambda _match, _titles: SetSleepHours(None, None)),
        (r"stop|stop all|توقف", lambda _match, _titles: StopMails()),
        (
            r"no more e-?mails? (?:from this game|about this chat|about new games of this club)"
            r"|قطع ایمیل ?های (?:این بازی|این گفت ?و ?گو|بازی ?های تازه ?ی? این باشگاه)",
            lambda _match, _titles: StopThese(),
        ),
        (
            r"start(?: again| sending again)?|subscribe|(?:دوباره )?شروع(?: دوباره)?",
            lambda _match, _titles: StartMails(),
        ),
    )
)
_WORDS: Final = Vocabulary(
    {
        word: word
        for pattern in (
            *(pattern.pattern for pattern, _ in _COMMANDS),
            *WORDS,
            *ACCOUNT_WORDS,
            *SENTENCE_WORDS,
        )
        for word in re.findall(r"[^\W\d_]{4,}", pattern)
    }
)
"""The words of commands, to which words with typing errors are compared."""


def find_answered(reply: Reply) -> str:
    """Return the token that belongs to the email that a reply to the server's own address answers, or a blank text.

    The email is found by its Message-ID, which is random. A reply that holds a command for an account gives
    a blank text: in a chat program every message answers another. In a reply to a chat message of a game, other rules
    apply to such commands (``is_account_command_in_chat``).
    """
    notification = answered_notification(reply)
    if notification is None or notification.rendered is None:
        return ""
    token = notification.content().reply_to.partition("@")[0]
    is_chat = isinstance(links.parse(token), links.ChatAddress)
    if not is_chat and notification.account and read_command_in_reply(content_or_subject(reply), read_titles()):
        return ""
    return token if reply_addresses.read(token) else ""


def answered_notification(reply: Reply) -> Notification | None:
    """Return the notification whose Message-ID a reply names, or None.

    A mail server on the way may have rewritten In-Reply-To. Then it is the last one in References.
    """
    ids = [*filter(None, map(_notification_id, (*reply.references.split(), reply.answers)))]
    notifications = Notification.objects.select_related("account").in_bulk(ids)
    return next((notifications[id] for id in reversed(ids) if id in notifications), None)


def _notification_id(message_id: str) -> uuid.UUID | None:
    """Return the id of a notification from its Message-ID."""
    number, _, domain = message_id.strip("<>").partition("@")
    try:
        return uuid.UUID(number) if ascii_domain(domain) == settings.MAIL_DOMAIN else None
    except ValueError:
        return None
