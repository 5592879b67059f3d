"""The games' part of the data of an account (``settings.ACCOUNT_DATA_PROVIDERS``)."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from django.db.models import F, Q
from django.utils.duration import duration_iso_string

from accounts.models import Account
from config.core.clock import whole_second
from games import clubs
from games.announcements import club_emails, emails, tournament_emails
from games.engine import RuleViolation
from games.engine.reading import fold
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
    RematchAnswer,
    Seat,
    Seek,
    StandIn,
    TableHandle,
    Tournament,
    TournamentEntry,
    UnreadReply,
)
from games.tables import invitations, seeks
from games.tables.joining import vacate
from games.tournaments import entering
from notifications import outbox, reply_addresses
from notifications.models import RawMail

_GAME_FIELDS = ("rules", "state", "created_at", "ended_at")
_SEEK_FIELDS = (
    *("rules", "least", "most", "speed", "options", "fill_after", "games_at_once", "shows_name"),
    *("state", "game", "created_at", "ended_at"),
)


def export_data(account: Account) -> dict[str, Any]:
    """Return the data of an account in games: seats, moves, plans, stand-ins, chat, invitations, clubs, statistics."""
    seats = Seat.objects.filter(account=account).order_by("game__created_at")
    moves = Move.objects.filter(account=account).order_by("received_at")
    either = Q(owner=account) | Q(account=account)
    written_or_received = Q(author=account) | Q(reader=account)
    sent = Invitation.objects.filter(inviter=account).order_by("created_at")
    return {
        "seats": list(seats.values("game", "number", **{field: F(f"game__{field}") for field in _GAME_FIELDS})),
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
            _export_chat_message(message) for message in ChatMessage.objects.filter(written_or_received).order_by("id")
        ],
        "invitations": list(sent.values("game", "address", "language", "note", "state", "created_at")),
        "unread_replies": list(
            UnreadReply.objects.filter(account=account).order_by("pk").values("game", "why", "received_at")
        ),
        "seeks": list(Seek.objects.filter(account=account).order_by("created_at").values(*_SEEK_FIELDS)),
        "rematch_answers": list(
            RematchAnswer.objects.filter(
                offer__game__seats__account=account, seat=F("offer__game__seats__number")
            ).values("accepted", game=F("offer__game"))
        ),
        **_export_tournaments(account),
        "table_channels": list(clubs.channels_of_host(account).order_by("game").values("game", "app", "address")),
        "clubs": list(
            Membership.objects.filter(account=account)
            .order_by("joined_at")
            .values(
                "role", "joined_at", notify=F("hears"), **{field: F(f"club__{field}") for field in ("name", "about")}
            )
        ),
        "handles": list(TableHandle.objects.filter(account=account).values("handle", game=F("channel__game"))),
        "club_handles": list(ClubHandle.objects.filter(account=account).values("handle", club=F("channel__club"))),
        "club_channels": list(ClubChannel.objects.filter(account=account).values("club", "app", "address")),
        "stand_ins": [
            _serialize_stand_in(stand_in, account) for stand_in in StandIn.objects.filter(either).order_by("pk")
        ],
        "player_stats": list(
            PlayerStats.objects.filter(account=account).values("rules", "seat_count", "games", "wins", "mean", "doubt")
        ),
        "arena_stats": list(account.arena_stats.values("rules", "games", "wins", "mean", "doubt")),
        "answer_times": _export_answer_times(account),
    }


def _export_tournaments(account: Account) -> dict[str, Any]:
    return {
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
    }


def _serialize_stand_in(row: StandIn, account: Account) -> dict[str, Any]:
    """Return a stand-in for one of its two accounts, with the answers that the stand-in gave."""
    is_owner = row.owner_id == account.pk
    other = row.account if is_owner else row.owner
    moves = Move.objects.filter(game=row.game_id, seat=row.seat, account=row.account_id, account__isnull=False)
    # Applied moves have whole seconds: an answer in the first second would seem to be older than the stand-in.
    moves = moves.filter(received_at__gte=whole_second(row.began_at), received_at__lte=row.ended_at or row.until)
    answers = moves.order_by("received_at").values("question", "text", "body", "via", "received_at", "state")
    return {
        "game": row.game_id,
        "seat": row.seat,
        "mine": is_owner,
        "with": None if other is None else other.name,
        "began_at": row.began_at,
        "until": row.until,
        "ended_at": row.ended_at,
        "answers": list(answers),
    }


def _export_answer_times(account: Account) -> dict[str, str] | None:
    row = AnswerTimes.objects.filter(account=account).first()
    if row is None:
        return None
    return {name: duration_iso_string(getattr(row, name)) for name in ("half_within", "most_within")}


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
    """Leave all games, and remove the account's name and address from other accounts' notifications and emails.

    Its own messages are deleted together with its row (``games.models``).
    """
    games = _games_that_name(account)
    clubs.channels_of_host(account).delete()
    clubs.leave_all(account, now)
    seeks.withdraw_all(account, now)
    entering.leave_all(account, now)
    vacate(account, now)
    invitations.forget_account(account)
    _forget_mail_content(games)
    _forget_name_in_moves(games, account.name)
    topics = [topic for game in Game.objects.filter(pk__in=games) for topic in emails.topics_of(game)]
    reasons = [club_emails.CLUB_GAME, tournament_emails.ROUND, tournament_emails.ENDED]
    outbox.forget_words(topics, reasons, [account.name, account.email])


def _games_that_name(account: Account) -> list[UUID]:
    """Return the games whose emails may contain the name of an account: as player, former player, stand-in or author.

    An email about a new game of a club contains the name of its host, who may have left both. No row refers to that any
    longer.
    """
    seats = Seat.objects.filter(account=account), FormerPlayer.objects.filter(account=account)
    stand_ins_and_chat = StandIn.objects.filter(account=account), ChatMessage.objects.filter(author=account)
    return list({game for rows in (*seats, *stand_ins_and_chat) for game in rows.values_list("game", flat=True)})


def _forget_mail_content(games: Iterable[UUID]) -> None:
    """Delete the content of processed emails to these games. They quote notifications with the names of players."""
    processed = RawMail.objects.exclude(state=RawMail.State.RECEIVED)
    processed.filter(about__overlap=[reply_addresses.short(game) for game in games]).update(raw=b"", sender=None)


def _forget_name_in_moves(games: Iterable[UUID], name: str) -> None:
    """Delete the texts of moves that contain this name. The moves themselves are kept."""
    moves_with_text = Move.objects.filter(game__in=games).filter(Q(text__isnull=False) | Q(phrase__isnull=False))
    move_ids = [move.pk for move in moves_with_text.iterator() if _mentions(move, name)]
    Move.objects.filter(pk__in=move_ids).update(text=None, phrase=None)


def _mentions(move: Move, name: str) -> bool:
    text = f"{move.text or ''} {msgspec.json.decode(move.phrase) if move.phrase else ''}"
    try:
        return fold(name) in fold(text)
    except RuleViolation:
        return name.casefold() in text.casefold()
