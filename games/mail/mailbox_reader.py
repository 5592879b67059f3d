"""Parser of email to the server's own address: commands for an account, which belong to no game.

Replies to other emails are sent there too, if the mail program ignores Reply-To, as Delta Chat does.
"""

import re
import uuid
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Final

from django.conf import settings

from config.core.email_spellings import ascii_domain
from games import links
from games.engine.reading import Vocabulary, fold
from games.mail.account_commands import WORDS as ACCOUNT_WORDS
from games.mail.account_commands import BlockPlayer, read_account_line
from games.mail.mailbox_commands import (
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
    read_seek,
    read_titles,
)
from games.mail.mailbox_sentences import WORDS as SENTENCE_WORDS
from games.mail.mailbox_sentences import read_command_sentence
from games.mail.new_game_reader import WORDS as NEW_GAME_WORDS
from games.mail.new_game_reader import read_new_game
from games.mail.reading.courtesies import plain_line, says_nothing, without_courtesies
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
            *NEW_GAME_WORDS,
            *ACCOUNT_WORDS,
            *SENTENCE_WORDS,
        )
        for word in re.findall(r"[^\W\d_]{4,}", pattern)
    }
)
"""The words of commands, for typing errors."""


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
