"""Parser of email to the server's own address: commands for an account, which belong to no game.

Replies to other emails are sent there too, if the mail program ignores Reply-To, as Delta Chat does.
"""

import re
import uuid
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import date, time
from typing import Final

from django.conf import settings

from games.engine.reading import Vocabulary, fold
from games.mail.account_commands import ADDRESS, BlockPlayer, read_account_line
from games.mail.account_commands import WORDS as ACCOUNT_WORDS
from games.mail.mailbox_commands import (
    IN_WORDS,
    AccountCommand,
    Confirm,
    CreateGame,
    Invite,
    JoinGame,
    LeaveGame,
    Lookup,
    Rematch,
    SetDigest,
    SetSleepHours,
    ShowGames,
    ShowHelp,
    ShowRules,
    ShowSearches,
    ShowStatus,
    StartMails,
    StopMails,
    StopSeeking,
    StopThese,
    TakeVacation,
    Titles,
    Unclear,
    count_of,
    read_seek,
    read_titles,
)
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
from games.text import links
from notifications.content import addresses
from notifications.content.spellings import ascii_domain
from notifications.mail_parsing.parsed_mail import Content, Empty, Reply, SenderText
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
    return _read_words(fold(plain), titles) or _read_words(fold(bare), titles) or read_account_line(bare)


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


def _read_words(folded: str, titles: Titles) -> AccountCommand | None:
    for pattern, build in _COMMANDS:
        if match := pattern.fullmatch(folded):
            return build(match, titles)
    return None


def _rules(match: re.Match[str], titles: Titles) -> ShowRules | None:
    title = (match["title"] or "").strip()
    if not title:
        return ShowRules()
    return ShowRules(titles[title]) if title in titles else None


_HALVES: Final = {"am": 0, "صبح": 0, "pm": 12}
"""The hours to add in each half of the day."""


def _code(match: re.Match[str]) -> str:
    return (match["code"] or "").upper()


def _invite(match: re.Match[str], _titles: Titles) -> Invite | None:
    address = ADDRESS.fullmatch(match["address"])
    return Invite(address[1], _code(match)) if address else None


def _vacation(match: re.Match[str], _titles: Titles) -> TakeVacation | None:
    try:
        first = date.fromisoformat(match["first"]) if match["first"] else None
    except ValueError:
        return None
    return TakeVacation(count_of(match["days"]) * (7 if match["weeks"] else 1), first)


def _sleep(match: re.Match[str], _titles: Titles) -> SetSleepHours | None:
    if match["off"]:
        return SetSleepHours(None, None)
    falls, wakes = ((_hour_of_day(int(match[f"{end}h"]), match[f"{end}p"]), int(match[f"{end}m"] or 0)) for end in "fw")
    if wakes == _MIDNIGHT:
        wakes = (0, 0)
    if max(falls[0], wakes[0]) > _LAST_HOUR or max(falls[1], wakes[1]) > _LAST_MINUTE:
        return None
    return SetSleepHours(time(*falls), time(*wakes))


def _hour_of_day(hour: int, half: str | None) -> int:
    """Return the hour of 24 for an hour of 12 with its half of the day. Other hours stay the same."""
    if half == "شب":  # "At night" begins at six in the evening.
        half = "pm" if 6 <= hour < 12 else "am"
    return hour % 12 + _HALVES[half] if half in _HALVES and hour <= 12 else hour


def _digest(match: re.Match[str], _titles: Titles) -> SetDigest | None:
    if match["once"]:
        return SetDigest("at-once")
    if match["every"]:
        interval = count_of(match["every"])
        return SetDigest("hours", interval) if 1 <= interval <= _LONGEST_DIGEST else None
    hour = None if match["at"] is None else _hour_of_day(int(match["at"]), match["half"])
    return SetDigest("daily", hour) if hour is None or hour <= _LAST_HOUR else None


_LAST_HOUR: Final = 23
_LAST_MINUTE: Final = 59
_MIDNIGHT: Final = (24, 0)
"""The end of a day."""
_LONGEST_DIGEST: Final = 48
"""Hours. The settings have the same limit."""
_CODE: Final = r"(?: of)?(?: (?:(?:the |my )?(?:game|table)|بازی|میز))?(?: (?P<code>[a-z0-9]{4}))?"
_I_WANT: Final = r"(?:(?:i|we) (?:want|need|have|wish|would like|am going) to |i'd like to )?"
_AWAY: Final = (
    r"(?:(?:i'm |i am )?(?:(?:going |put me )?on )?(?:a )?(?:vacation|holiday)"
    r"|(?:give me|i need|i want|i'd like|i'm taking|i take) (?:a )?(?:vacation|holiday)|مرخصی)"
)
_DAYS: Final = rf"(?P<days>\d{{1,3}}|{IN_WORDS}) ?(?:days?|روزه?|(?P<weeks>weeks?|هفته))"
_FROM: Final = r"(?:from|از) (?P<first>\d{4}-\d{2}-\d{2})"
_COMMANDS: Final[tuple[tuple[re.Pattern[str], Build], ...]] = tuple(
    (re.compile(pattern), build)
    for pattern, build in (
        (
            r"[?؟]|(?:(?:send|show|give) (?:me )?(?:the )?)?(?:help|commands)(?: me)?[?؟]?"
            r"|what can i (?:write|say|do)(?: here)?[?؟]?|(?:راهنما|کمک)(?: می ?خواهم| می ?خوام)?[?؟]?",
            lambda _match, _titles: ShowHelp(),
        ),
        (
            r"(?:(?:show|list) (?:me )?)?(?:all |my )*games[?؟]?"
            r"|(?:which|what) games (?:am i|are we) (?:in|playing(?: in)?)(?: (?:now|right now|at the moment))?[?؟]?"
            r"|(?:(?:در|توی) )?(?:چه|کدام) بازی ?هایی (?:هستم|دارم)[?؟]?|بازی ?ها(?:ی من|یم)?[?؟]?",
            lambda _match, _titles: ShowGames(),
        ),
        (
            r"(?:(?:show|list) (?:me )?)?(?:all |the )?(?:open )?(?:searches|seeks)[?؟]?"
            r"|who is looking(?: for players)?[?؟]?|جست ?و ?جو ?ها(?:ی باز)?[?؟]?",
            lambda _match, _titles: ShowSearches(),
        ),
        (
            r"(?:(?:what's|what is|what are) )?(?:my )?(?:status|settings)[?؟]?"
            r"|وضعیت(?: من)?[?؟]?",
            lambda _match, _titles: ShowStatus(),
        ),
        (r"(?:(?:the )?rules|how (?:do i|to) play|قوانین)(?: (?:of |بازی )?(?P<title>.+?))?[?؟]?", _rules),
        (r"yes|yep|confirm|بله|اره|تایید", lambda _match, _titles: Confirm()),
        (
            r"(?:(?:i want|start|open|create|make) )?(?:(?:an? |یک |یه )?new(?: game(?: of)?)?"
            r"|(?:یک |یه )?بازی (?:تازه|جدید)(?: ?ی)?)[:,]? (?P<rest>.+)",
            read_new_game,
        ),
        (
            r"(?P<asked>(?:could|would) you (?:please )?)?(?:start|open|create|make) (?:an? )?(?:new )?"
            r"(?P<first>(?:\w+ ){0,3}?)game (?:of )?(?P<rest>[^?]+)(?(asked)\??)",
            read_new_game,
        ),
        (
            r"(?:stop (?:seeking|searching|looking)(?: for players)?|seek stop"
            r"|(?:پایان|توقف) جست ?و ?جو(?:ی هم ?بازی)?)",
            lambda _match, _titles: StopSeeking(),
        ),
        (
            r"(?:seek(?: players)?|(?:find|search for|look for|looking for) (?:me )?players)(?: for| of)?[:,]?"
            r" (?P<rest>.+)"
            r"|(?:جست ?و ?جوی? )?هم ?بازی(?: می ?خواهم)?(?: برای)?[:,]? (?P<rest_fa>.+)",
            read_seek,
        ),
        (
            rf"(?:{_I_WANT}leave|(?:take|get) me out of(?= \w)|ترک(?: میز)?){_CODE}",
            lambda match, _titles: LeaveGame(_code(match)),
        ),
        (
            rf"(?:(?:{_I_WANT}|let me )?join(?: (?:the )?(?:game|table))?"
            r"|(?:پیوستن|ورود)(?: به)?(?: (?:بازی|میز))?):? (?P<code>[a-z0-9]{4}|[a-z0-9]{12})",
            lambda match, _titles: JoinGame(match["code"]),
        ),
        (
            rf"(?:(?:i want )?(?:a )?rematch|play again|(?:بازی )?(?:دوباره|مجدد)(?: بازی کنیم)?){_CODE}",
            lambda match, _titles: Rematch(_code(match)),
        ),
        (rf"(?:{_I_WANT}invite|دعوت(?: از)?) (?P<address>(?:my \w+,? )?\S+@\S+)(?: to| به)?{_CODE}", _invite),
        (rf"{_AWAY}(?: (?:of|for)|:)? {_DAYS}(?: {_FROM})?", _vacation),
        (rf"{_AWAY} {_FROM} (?:for |به مدت )?{_DAYS}", _vacation),
        (rf"{_DAYS} (?:of )?(?:vacation|holiday|مرخصی)(?: {_FROM})?", _vacation),
        (
            r"(?:(?:i )?sleep|(?:my )?sleep(?:ing)? hours(?: are)?"
            r"|(?:ساعت(?: ?ها)?(?:ی)? )?خواب(?:م| من)?):? (?:(?P<off>off|none|no|هیچ|خاموش)|(?:from |از )?"
            r"(?P<fh>\d{1,2})(?::(?P<fm>\d{2}))?"
            r" ?(?P<fp>am|pm|h|صبح|شب)? ?(?:-|to|until|تا) ?"
            r"(?P<wh>\d{1,2})(?::(?P<wm>\d{2}))? ?(?P<wp>am|pm|h|صبح|شب)?)",
            _sleep,
        ),
        (
            r"one e?-?mail a day|روزی یک ایمیل"
            r"|(?:e?-?mails?|ایمیل(?: ?ها)?) (?:(?P<once>at once|immediately|فوری|بی درنگ|بیدرنگ)"
            rf"|(?:every|هر) (?P<every>\d{{1,3}}|{IN_WORDS}) ?(?:hours?|ساعت)"
            r"|(?:daily|once a day|روزانه|روزی یک ?بار)"
            r"(?: (?:at|ساعت) (?P<at>\d{1,2})(?::00)?(?: ?(?P<half>am|pm))?)?)",
            _digest,
        ),
        (
            r"stop(?: (?:sending )?(?:me )?(?:all e?-?mails|e?-?mails?|all))?|unsubscribe(?: me)?"
            r"|(?:stop|quit) e?-?mailing me|no more e-?mails?|opt ?out"
            r"|(?:remove me|take me off)(?: (?:from )?(?:this|the|your) (?:mailing )?list)?"
            r"|(?:دیگر|دیگه) ایمیل (?:نفرست(?:ید|ین)?|نمی ?خوا(?:ه?م))|(?:توقف|قطع)(?: ایمیل ?ها)?"
            r"|لغو (?:اشتراک|عضویت)",
            lambda _match, _titles: StopMails(),
        ),
        (
            r"no more e-?mails? (?:from this game|about this chat|about new games of this club)"
            r"|قطع ایمیل ?های (?:این بازی|این گفت ?و ?گو|بازی ?های تازه ?ی? این باشگاه)",
            lambda _match, _titles: StopThese(),
        ),
        (
            r"(?:start|resume)(?: sending)?(?: e?-?mails?)(?: again)?"
            r"|start(?: again| sending again)?|subscribe|(?:دوباره )?شروع(?: ایمیل ?ها| دوباره)?",
            lambda _match, _titles: StartMails(),
        ),
    )
)
_WORDS: Final = Vocabulary(
    {
        word: word
        for pattern in (*(pattern.pattern for pattern, _ in _COMMANDS), *NEW_GAME_WORDS, *ACCOUNT_WORDS)
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
    return token if addresses.read(token) else ""


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
