"""The games\' part of the data of an account (``settings.ACCOUNT_DATA_PROVIDERS``)."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from django.db.models import F, Q
from django.utils.duration import duration_iso_string

from accounts.models import Account
from config.moments import whole_second
from games.announcements import chat_emails
from games.announcements.clubs import club_emails
from games.announcements.tournaments import tournament_emails
from games.clubs import club_channel, members
from games.engine import RuleViolation
from games.engine.reading import fold
from games.lobby import invitations
from games.lobby.vacate import vacate
from games.models import (
    AnswerTimes,
    ChatMessage,
    ClubChannel,
    ClubHandle,
    FormerPlayer,
    Game,
    Invitation,
    Membership,
    Move,
    Plan,
    PlayerStats,
    Seat,
    Seek,
    StandIn,
    TableHandle,
    Tournament,
    TournamentEntry,
    UnreadReply,
)
from games.seeks import own_seeks
from games.tournaments import leaving
from notifications.content import addresses
from notifications.delivery import outbox
from notifications.models import RawMail

_GAME_FIELDS = ("rules", "state", "created_at", "ended_at")
_SEEK_FIELDS = (
    *("rules", "least", "most", "speed", "options", "fill_after", "games_at_once"),
    *("state", "game", "created_at", "ended_at"),
)


def export_data(account: Account) -> dict[str, Any]:
    """Return what is stored about an account in games: seats, its own moves and plans, stand-ins, chat by and to it,
    invitations, statistics.
    """
    seats = Seat.objects.filter(account=account).order_by("game__created_at")
    moves = Move.objects.filter(account=account).order_by("received_at")
    either = Q(owner=account) | Q(account=account)
    written_or_received = Q(author=account) | Q(reader=account)
    sent = Invitation.objects.filter(inviter=account).order_by("created_at")
    return {
        "seats": list(seats.values("game", "number", **{each: F(f"game__{each}") for each in _GAME_FIELDS})),
        "moves": list(
            moves.values(
                "game", "seat", "question", "text", "body", "via", "asked_at", "seen_at", "received_at", "state"
            )
        ),
        "plans": list(
            Plan.objects.filter(account=account)
            .order_by("created_at")
            .values("game", "seat", "number", "body", "via", "created_at", "done_at", "times", "last_at", "last_answer")
        ),
        "chat_messages": [
            _export_chat_message(each) for each in ChatMessage.objects.filter(written_or_received).order_by("id")
        ],
        "invitations": list(sent.values("game", "address", "language", "note", "state", "created_at")),
        "unread_replies": list(
            UnreadReply.objects.filter(account=account).order_by("pk").values("game", "why", "received_at")
        ),
        "seeks": list(Seek.objects.filter(account=account).order_by("created_at").values(*_SEEK_FIELDS)),
        "tournaments": list(
            TournamentEntry.objects.filter(account=account)
            .order_by("joined_at")
            .values(
                "tournament", "number", "division", "sits_out", "joined_at", "withdrawn_at", "place", notify=F("hears")
            )
        ),
        "tournaments_hosted": list(
            Tournament.objects.filter(host=account)
            .order_by("created_at")
            .values("id", "name", "about", "state", "created_at")
        ),
        "table_channels": list(club_channel.own_channels(account).order_by("game").values("game", "app", "address")),
        "clubs": list(
            Membership.objects.filter(account=account)
            .order_by("joined_at")
            .values("role", "joined_at", notify=F("hears"), **{each: F(f"club__{each}") for each in ("name", "about")})
        ),
        "handles": list(TableHandle.objects.filter(account=account).values("handle", game=F("channel__game"))),
        "club_handles": list(ClubHandle.objects.filter(account=account).values("handle", club=F("channel__club"))),
        "club_channels": list(ClubChannel.objects.filter(account=account).values("club", "app", "address")),
        "stand_ins": [_serialize_stand_in(each, account) for each in StandIn.objects.filter(either).order_by("pk")],
        "player_stats": list(
            PlayerStats.objects.filter(account=account).values("rules", "seat_count", "games", "wins", "mean", "doubt")
        ),
        "arena_stats": list(account.arena_stats.values("rules", "games", "wins", "mean", "doubt")),
        "answer_times": _export_answer_times(account),
    }


def _serialize_stand_in(row: StandIn, account: Account) -> dict[str, Any]:
    """A stand-in as one of its two is given it, with what the stand-in answered by it."""
    mine = row.owner_id == account.pk
    other = row.account if mine else row.owner
    made = Move.objects.filter(game=row.game_id, seat=row.seat, account=row.account_id, account__isnull=False)
    # Applied moves have whole seconds: an answer in the first second of the role would seem to be older than it.
    made = made.filter(received_at__gte=whole_second(row.began_at), received_at__lte=row.ended_at or row.until)
    answers = made.order_by("received_at").values("question", "text", "body", "via", "received_at", "state")
    return {
        "game": row.game_id,
        "seat": row.seat,
        "mine": mine,
        "with": None if other is None else other.name,
        "began_at": row.began_at,
        "until": row.until,
        "ended_at": row.ended_at,
        "answers": list(answers),
    }


def _export_answer_times(account: Account) -> dict[str, str] | None:
    known = AnswerTimes.objects.filter(account=account).first()
    if known is None:
        return None
    return {name: duration_iso_string(getattr(known, name)) for name in ("half_within", "most_within")}


def _export_chat_message(chat_message: ChatMessage) -> dict[str, Any]:
    text = None if chat_message.hidden else chat_message.text or None
    return {
        "game": chat_message.game_id,
        "seat": chat_message.seat,
        "to": chat_message.to or "all",
        "text": text,
        "at": chat_message.sent_at,
    }


def delete_data(account: Account, now: datetime) -> None:
    """Leave every game, and remove the account's name and address from other accounts' notifications and emails.

    Its own messages are deleted together with its row (``games.models``).
    """
    games = _games_that_name(account)
    club_channel.own_channels(account).delete()
    members.leave_all(account, now)
    own_seeks.withdraw_all(account, now)
    leaving.leave_all(account, now)
    vacate(account, now)
    invitations.forget_account(account)
    _forget_mail_content(games)
    _forget_name_in_moves(games, account.name)
    topics = [topic for game in Game.objects.filter(pk__in=games) for topic in chat_emails.topics_of(game)]
    named = [club_emails.CLUB_GAME, tournament_emails.ROUND, tournament_emails.ENDED]
    outbox.forget_words(topics, named, [account.name, account.email])


def _games_that_name(account: Account) -> list[UUID]:
    """The games whose emails may name an account: it sits there, did so, stood in for a player, or wrote there.

    An email about a new game of a club names its host, who may have left both: no row tells that any more.
    """
    seats = Seat.objects.filter(account=account), FormerPlayer.objects.filter(account=account)
    around = StandIn.objects.filter(account=account), ChatMessage.objects.filter(author=account)
    return list({game for rows in (*seats, *around) for game in rows.values_list("game", flat=True)})


def _forget_mail_content(games: Iterable[UUID]) -> None:
    """Mails to these tables, once they are read: they quote our notifications, which hold the players' names."""
    read = RawMail.objects.exclude(state=RawMail.State.RECEIVED)
    read.filter(about__overlap=[addresses.short(game) for game in games]).update(raw=b"", sender=None)


def _forget_name_in_moves(games: Iterable[UUID], name: str) -> None:
    """Remove the texts of moves that contain this name. The moves themselves stay."""
    written = Move.objects.filter(game__in=games).filter(Q(text__isnull=False) | Q(phrase__isnull=False))
    named = [move.pk for move in written.iterator() if _mentions(move, name)]
    Move.objects.filter(pk__in=named).update(text=None, phrase=None)


def _mentions(move: Move, name: str) -> bool:
    text = f"{move.text or ''} {msgspec.json.decode(move.phrase) if move.phrase else ''}"
    try:
        return fold(name) in fold(text)
    except RuleViolation:
        return name.casefold() in text.casefold()
