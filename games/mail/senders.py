"""The sender of an email: the player on whose behalf it acts, and notes about replies that were not carried out.

The recipient's address names the seat, the question or the digest. In a digest, a line of the reply names its question
by the code of the game.
"""

import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db.models import Q

from accounts import email_addresses
from accounts.models import Account
from games import links
from games.announcements.batches import game_of, topic_of
from games.engine import SeatNumber
from games.models import Game, OpenQuestion, UnreadReply
from games.visibility.player_view import PlayerView
from games.visibility.words import short_code
from notifications import reply_addresses
from notifications.mail_parsing.parser import Reply
from notifications.models import Notification, RawMail

logger = logging.getLogger(__name__)


def is_from(reply: Reply, account: Account) -> bool:
    """Return whether a mail comes from one of the confirmed addresses of an account."""
    return reply.agrees_with(email_addresses.confirmed_addresses(account))


def is_from_second_address(reply: Reply, account: Account) -> bool:
    """Return whether a mail comes from an address that may answer questions for an account, and do nothing else."""
    return reply.authentication != "fail" and email_addresses.may_answer(account, reply.sender)


@dataclass(frozen=True)
class ActingPlayer:
    """A player on whose behalf an email acts."""

    game: Game
    seat: SeatNumber
    account: Account
    question: str
    """The id of the question that the email answers. Blank if the email may act for the seat only."""
    chat: links.ChatAddress | None = None
    """The chat that the email replies to, if it replies to one."""
    is_addressee: bool = True
    """False if the address belongs to another account, such as a former player of the seat."""

    def current_view(self) -> PlayerView:
        """Return this player's view of the game in its present state."""
        return PlayerView(Game.objects.prefetch_related("seats__account").get(pk=self.game.pk), self.seat, self.account)


def find_player(token: str) -> ActingPlayer | None:
    """Return the player or stand-in who owns an address's token. None for other tokens, and for former players."""
    return next((player for player in _players_of(token) if player.is_addressee), None)


def find_writer(token: str, reply: Reply) -> ActingPlayer | None:
    """Return the player of the seat in the From header of an email, or else the player who owns its address.

    None if the header and the address name other accounts only, such as a former player, and for other tokens.
    ``is_addressee`` is False for a player who seems to write to an address of another account. Then a former player may
    have written the email.
    """
    players = [*_players_of(token)]
    senders = [player for player in players if is_from(reply, player.account)]
    addressees = [player for player in players if player.is_addressee]
    return next(iter((*senders, *addressees)), None)


def find_former_game(token: str, account: Account) -> Game | None:
    """Return the game of an address's token if the address belongs to this account and the game has started."""
    match links.parse(token):
        case (
            links.QuestionAddress(game, _, addressee)
            | links.SeatAddress(game, _, addressee)
            | links.ChatAddress(game, _, _, addressee)
        ) if addressee == account.pk:
            return Game.objects.filter(pk=game, state__in=(Game.State.RUNNING, Game.State.OVER)).first()
    return None


def _players_of(token: str) -> Iterable[ActingPlayer]:
    """Return the accounts that answer for the seat of an address's token: the player and the stand-in."""
    match links.parse(token):
        case links.QuestionAddress(game, question, addressee):
            players = _players_on_seat(game, SeatNumber(int(question.partition(".")[0])), question)
        case links.SeatAddress(game, seat, addressee):
            players = _players_on_seat(game, seat, "")
        case links.ChatAddress(game, seat, _, addressee) as chatting:
            players = (replace(player, chat=chatting) for player in _players_on_seat(game, seat, ""))
        case _:
            return ()
    return [replace(player, is_addressee=player.account.pk == addressee) for player in players]


def _players_on_seat(game_id: UUID, seat: SeatNumber, question: str) -> Iterable[ActingPlayer]:
    game = Game.objects.prefetch_related("seats__account").filter(pk=game_id).first()
    seat_row = None if game is None else next((row for row in game.seats.all() if row.number == seat), None)
    if game is None or seat_row is None:
        return
    stand_in = seat_row.stand_in if game.state == Game.State.RUNNING else None
    for account in (seat_row.account, stand_in.account if stand_in else None):
        if account is not None and account.is_active:
            yield ActingPlayer(game, seat, account, question)


def questions_by_code(lead: Notification) -> Mapping[str, str]:
    """Return the token of the question that an email asks in each game, by the game's code.

    Leaves out codes that two games share, and games in which several questions of the email are open.
    """
    rows = Notification.objects.filter(Q(pk=lead.pk) | Q(lead=lead)).exclude(question="").order_by("created_at")
    questions: defaultdict[str, list[str]] = defaultdict(list)
    for topic, question in rows.values_list("topic", "question"):
        questions[topic].append(question)
    tokens: defaultdict[str, list[str]] = defaultdict(list)
    assert lead.account is not None
    for game in Game.objects.filter(pk__in=map(game_of, questions)):
        for question in _open_or_last(game, questions[topic_of(game.pk)]):
            address = links.question_address(game.pk, question, lead.account.pk)
            tokens[short_code(game)].append(address.partition("@")[0])
    return {code: of_code[0] for code, of_code in tokens.items() if len(of_code) == 1}


def games_of_digest(lead: Notification) -> set[UUID]:
    """Return the games in which an email asks questions."""
    rows = Notification.objects.filter(Q(pk=lead.pk) | Q(lead=lead)).exclude(question="")
    return {game_of(topic) for topic in rows.values_list("topic", flat=True)}


def _open_or_last(game: Game, questions: list[str]) -> list[str]:
    """Return the questions that are open, or the newest question if none is."""
    open_questions = OpenQuestion.objects.filter(game=game, question__in=questions).values_list("question", flat=True)
    return [*open_questions] or questions[-1:]


KEPT: Final = timedelta(days=30)


def own_account(reply: Reply) -> Account | None:
    """Return the active account whose confirmed address sent an email, or None."""
    account = email_addresses.owner_of(reply.sender) if reply.sender else None
    return account if account is not None and account.is_active and is_from(reply, account) else None


def note_unread(mail: RawMail, reply: Reply, why: UnreadReply.Why) -> None:
    """Note a reply that was not carried out, if it comes from an account's own address."""
    account = own_account(reply)
    logger.info("mail %s was not read: %s", mail.pk, why)
    if account is not None:
        note_unread_for(account, [*_games(reply)] or [None], mail, why)


def note_unread_for(account: Account, games: Sequence[UUID | None], mail: RawMail, why: UnreadReply.Why) -> None:
    """Note an account's reply about some games that was not carried out."""
    rows = [UnreadReply(account=account, game_id=game, why=why, received_at=mail.received_at) for game in games]
    UnreadReply.objects.bulk_create(rows)


def _games(reply: Reply) -> Iterable[UUID]:
    """Return the existing games to which a reply was addressed."""
    games = {game for token in reply.tokens for game in _games_of(token)}
    return Game.objects.filter(pk__in=games).values_list("pk", flat=True)


def _games_of(token: str) -> Iterable[UUID]:
    match links.parse(token):
        case links.QuestionAddress(game) | links.SeatAddress(game) | links.ChatAddress(game):
            return [game]
    match reply_addresses.read(token):
        case reply_addresses.DIGEST, number:
            lead = Notification.objects.filter(pk=reply_addresses.long(number)).first()
            return [] if lead is None else games_of_digest(lead)
    return []


def forget_unread(now: datetime) -> None:
    """Delete notes that are older than ``KEPT``."""
    UnreadReply.objects.filter(received_at__lt=now - KEPT).delete()
