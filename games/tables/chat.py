"""The chat of a game: messages to all players, or private messages to one seat.

All rulebooks allow players to talk. Players who are out may still write, and after the end all may. Bots do not chat.
"""

import math
import re
import unicodedata
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from accounts import blocks
from accounts.models import Account
from config.core.database.sql import lock
from games.announcements import notify
from games.engine import Notation, Phrase, SeatNumber, gettext_noop
from games.models import ChatMessage, Game, Seat
from games.refusals import Refusal, not_seated

MAX_LENGTH: Final = 2000
"""The maximum length of a message in characters."""
MOST_PER_HOUR: Final = 60
"""The maximum number of messages of an account in an hour, in all its games together."""
HOUR: Final = timedelta(hours=1)

_LINE_ENDS: Final = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_DIRECTION_MARKS: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
"""Marks that change the direction of the surrounding text."""


def send_message(game: Game, author: Account, to: SeatNumber | None, text: str, now: datetime) -> ChatMessage:
    """Send a message to all players of a game, or to one seat.

    A message to an account that has blocked the author is accepted as usual, but never shown to that account. Raises
    Refusal(not-found), Refusal(forbidden) for an account that may not write here, Refusal(conflict) if the game has not
    started, Refusal(malformed) and Refusal(rate-limited).
    """
    seats = {SeatNumber(seat_row.number): seat_row for seat_row in game.seats.select_related("account")}
    seat = _own_seat(game, author, seats)
    _check_table(game, to)
    reader = None if to is None else _recipient(author, seat, to, seats)
    text = _clean(text)
    if author.silent_until is not None and now < author.silent_until:
        sentence = gettext_noop("A moderator has stopped you from chatting until %(until)s.")
        raise Refusal("forbidden", Phrase(sentence, {"until": Notation(f"{author.silent_until:%Y-%m-%d %H:%M} UTC")}))
    with transaction.atomic():
        lock(f"chat|author|{author.pk}")  # for counting the author's messages
        lock(f"chat|{game.pk}")  # so that the ids of messages are in the order of their commits
        _check_rate(author, now)
        chat_message = ChatMessage.objects.create(
            game=game, seat=seat, author=author, to=to, reader=reader, text=text, sent_at=now
        )
        notify.notify_chat(chat_message, now)
    return chat_message


def _own_seat(game: Game, author: Account, seats: dict[SeatNumber, Seat]) -> SeatNumber:
    seat = next((seat for seat, seat_row in seats.items() if seat_row.account_id == author.pk), None)
    if seat is None:
        raise not_seated(private=game.private)
    return seat


def _check_table(game: Game, to: SeatNumber | None) -> None:
    if game.terms.chat == "none":
        raise Refusal("forbidden", Phrase(gettext_noop("This game has no chat: its host chose so.")))
    if game.terms.chat == "table" and to is not None:
        sentence = gettext_noop("There are no private messages in this game. Write to everyone instead.")
        raise Refusal("forbidden", Phrase(sentence))
    if game.state in (Game.State.OPEN, Game.State.STARTING, Game.State.CANCELLED):
        raise Refusal("conflict", Phrase(gettext_noop("The game hasn’t started.")))


def _recipient(author: Account, seat: SeatNumber, to: SeatNumber, seats: dict[SeatNumber, Seat]) -> Account:
    """Return the account of the seat that a private message goes to."""
    seat_row = seats.get(to)
    if seat_row is None:
        raise Refusal("malformed", Phrase(gettext_noop("There’s no seat with that number in this game.")), "to")
    if to == seat:
        raise Refusal("malformed", Phrase(gettext_noop("That seat is your own.")), "to")
    if seat_row.bot:
        raise Refusal("malformed", Phrase(gettext_noop("A bot sits there, and bots don’t chat.")), "to")
    if seat_row.account is None:
        raise Refusal("malformed", Phrase(gettext_noop("Nobody sits there now.")), "to")
    if blocks.has_blocked(author.pk, seat_row.account.pk):
        raise Refusal("conflict", Phrase(gettext_noop("You’ve blocked this player, so you can’t write to them.")))
    return seat_row.account


def _clean(text: str) -> str:
    text = clean_text(text)
    if not text:
        raise Refusal("malformed", Phrase(gettext_noop("Write something: this message has no visible text.")), "text")
    if len(text) > MAX_LENGTH:
        sentence = gettext_noop("A message can have at most %(most)s characters; this one has %(count)s.")
        raise Refusal("malformed", Phrase(sentence, {"most": MAX_LENGTH, "count": len(text)}), "text")
    return text


def clean_text(text: str) -> str:
    """Return ``text`` without control characters and direction marks, with ``\
    `` as line end.

    Markup is not changed, because pages and emails escape it. A text without visible characters becomes empty.
    """
    lines = _LINE_ENDS.sub("\n", text).replace("\t", " ").split("\n")
    cleaned = ("".join(letter for letter in line if _is_kept(letter)).rstrip() for line in lines)
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(cleaned)).strip()
    return text if any(unicodedata.category(letter)[0] in "LNPS" or _is_unknown(letter) for letter in text) else ""


def _is_kept(character: str) -> bool:
    return character not in _DIRECTION_MARKS and unicodedata.category(character) not in ("Cc", "Cs")


def _is_unknown(character: str) -> bool:
    """Return whether Python's Unicode data lack the character. It may be a newer emoji."""
    return unicodedata.category(character) in ("Cn", "Co")


def _check_rate(author: Account, now: datetime) -> None:
    recent_messages = ChatMessage.objects.filter(author=author, sent_at__gt=now - HOUR).order_by("-sent_at")
    times = list(recent_messages.values_list("sent_at", flat=True)[:MOST_PER_HOUR])
    if len(times) == MOST_PER_HOUR:
        wait = max(1, math.ceil((times[-1] + HOUR - now).total_seconds()))
        sentence = gettext_noop("You’ve written %(most)s messages within an hour, which is the limit. Wait a little.")
        raise Refusal("rate-limited", Phrase(sentence, {"most": MOST_PER_HOUR}), wait=wait)
