"""Commands by email about the sender's account and other people, and requests that need a code."""

import re
from datetime import datetime
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import override

from accounts import account_data, blocks, email_addresses, local_times, names
from accounts.authentication import codes, emails, flows
from accounts.authentication.sign_up import WrongCode
from accounts.models import Account, Block, CodeRequest, Report
from accounts.rate_limits import RateLimitExceeded, TooManyAttempts
from accounts.second_factors import WrongFactor
from games import moderation
from games.engine import Phrase, SeatNumber, gettext_noop
from games.mail import mailbox_replies
from games.mail.account_commands import (
    AccountChange,
    BlockPlayer,
    ReportPlayer,
    RequestCode,
    SetLanguage,
    SetName,
    SetTimeZone,
)
from games.mail.mailbox_reader import first_line
from games.mail.reading.courtesies import plain_line
from games.models import Game, Seat
from games.refusals import Refusal
from notifications import outbox
from notifications.content import Code, RenderedNotification
from notifications.mail_parsing.parser import Content
from notifications.models import Notification

COMMAND: Final = "command"
"""The reason of a notification that replies to a command to the server's own address."""
_CODE: Final = re.compile(
    r"(?:(?:(?:my|the) )?code(?: is)?:? |کد:? )?(?P<code>\w{3,5}-?\w{3,5})(?:[\s,،]+(?P<otp>[\w-]{6,40}))?[.!]?", re.I
)


def change(account: Account, command: AccountChange, now: datetime) -> RenderedNotification:
    """Carry out a command and return its confirmation. Raises Refusal."""
    match command:
        case SetName(name):
            try:
                email_addresses.rename(account, name)
            except ValidationError as error:
                raise _refusal(error, "name") from None
        case SetLanguage(language):
            flows.update_account(account, {"language": language})
        case SetTimeZone(place):
            flows.update_account(account, {"time_zone": _find_zone(place)})
        case BlockPlayer(name, is_blocked):
            return _block(account, name, now, is_blocked=is_blocked)
        case ReportPlayer(name, reason):
            return _report(account, name, reason, now)
    account = Account.objects.get(pk=account.pk)
    with override(account.language):
        return mailbox_replies.status_of(account)


def _refusal(error: ValidationError, field: str = "") -> Refusal:
    return Refusal("malformed", Phrase("%(why)s", {"why": " ".join(map(str, error.messages))}), field)


def _find_zone(place: str) -> str:
    zone = local_times.find_zone(place)
    if zone is None:
        sentence = gettext_noop(
            "We don’t know the time zone of “%(place)s”. Write a large city nearby, or a name such as Asia/Tehran."
        )
        raise Refusal("malformed", Phrase(sentence, {"place": place[: local_times.LONGEST_ZONE]}))
    return zone


def _block(account: Account, name: str, now: datetime, *, is_blocked: bool) -> RenderedNotification:
    other = Account.objects.filter(folded_name=names.fold(name)).exclude(pk=account.pk).first()
    if other is None:
        raise _unknown_name(name)
    if not is_blocked:
        Block.objects.filter(owner=account, other=other).delete()
        return mailbox_replies.unblocked(account, other.name)
    try:
        blocks.block(account, other, now)
    except blocks.TooManyPeople:
        raise Refusal("limit-reached", Phrase(gettext_noop("You’ve blocked too many players."))) from None
    return mailbox_replies.blocked(account, other.name)


def _unknown_name(name: str) -> Refusal:
    sentence = gettext_noop("We don’t know another player called “%(name)s”. Copy the name from an email of a game.")
    return Refusal("not-found", Phrase(sentence, {"name": name[: names.LONGEST]}))


def _report(account: Account, name: str, reason: str, now: datetime) -> RenderedNotification:
    """Report the conduct of a player in the latest game that the account plays or played with them."""
    own_games = Seat.objects.filter(account=account).values("game")
    seats = Seat.objects.filter(account__folded_name=names.fold(name), game__in=own_games).exclude(account=account)
    seat = seats.order_by("-game__created_at", "pk").first()
    if seat is None:
        raise _unknown_name(name)
    game = Game.objects.prefetch_related("seats__account").get(pk=seat.game_id)
    moderation.report_player(game, account, SeatNumber(seat.number), Report.Kind.CONDUCT, reason, now)
    return mailbox_replies.reported(account, name)


def send_code(account: Account, command: RequestCode, now: datetime) -> tuple[RenderedNotification, str]:
    """Return the email with a code for a request, and its topic. Raises Refusal."""
    address = command.address
    try:
        if address:
            address = email_addresses.check_new_address(account, address)
        code_request, code = email_addresses.create_owner_code(account, command.purpose, now, address)
    except ValidationError as error:
        raise _refusal(error) from None
    except TooManyAttempts:
        raise _too_many_codes() from None
    return emails.owner_code(account, code_request, code), codes.topic_of(code_request)


def _too_many_codes() -> Refusal:
    return Refusal("rate-limited", Phrase(gettext_noop("Too many codes. Try again tomorrow.")))


def asks_for_code(notification: Notification) -> bool:
    """Return whether an email contains a code."""
    if notification.rendered is None:
        return False
    return any(isinstance(block, Code) for block in notification.content().blocks)


def read_code(content: Content) -> tuple[str, str] | None:
    """Return the code in the first line of a reply and the code of a second factor behind it, or None."""
    match = _CODE.fullmatch(plain_line(first_line(content)))
    return (match["code"], match["otp"] or "") if match else None


def use_code(
    account: Account, question: Notification, code: str, otp: str, now: datetime
) -> RenderedNotification | None:
    """Carry out the request whose code was sent in ``question``, and return the answer.

    Return None if the account was deleted: then the answer is on its way. Raises Refusal.
    """
    try:
        code_request = email_addresses.use_owner_code(account, question.topic, code, otp, now)
    except (WrongCode, WrongFactor):
        sentence = gettext_noop("This code is wrong or has expired. Nothing has changed.")
        raise Refusal("malformed", Phrase(sentence)) from None
    except flows.SecondFactorRequired:
        sentence = gettext_noop(
            "Your account has two-factor login: after the code, add a code from your app or a recovery code."
        )
        raise Refusal("malformed", Phrase(sentence)) from None
    except TooManyAttempts:
        raise _too_many_codes() from None
    match CodeRequest.Purpose(code_request.purpose):
        case CodeRequest.Purpose.DATA:
            return mailbox_replies.data_link(account, email_addresses.create_download(account, now).pk)
        case CodeRequest.Purpose.ADDRESS:
            return _send_new_address_code(account, code_request.details["address"], now)
    _delete(account, now)
    return None


def _send_new_address_code(account: Account, address: str, now: datetime) -> RenderedNotification:
    try:
        with transaction.atomic():
            email_addresses.send_new_address_code(None, account, address, now)
    except ValidationError as error:
        raise _refusal(error) from None
    except (RateLimitExceeded, TooManyAttempts):
        raise _too_many_codes() from None
    return mailbox_replies.new_address_asked(account, address)


def _delete(account: Account, now: datetime) -> None:
    """Delete an account, and say goodbye to its address."""
    number, address, rendered = account.pk, account.email, emails.account_deleted(account.name)
    account_data.delete_account(account, now)
    outbox.add_rendered(outbox.NewNotification(f"deleted:{number}", "account", address=address), rendered, now)
