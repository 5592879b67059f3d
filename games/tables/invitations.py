"""Invitations to open games and offered seats by email address, and the answers to them.

The inviter learns the answer, and nothing else: no result reveals whether the address has an account here, receives no
email from us, or belongs to an account that has blocked the inviter. So every invitation is accepted, and the decision
to send it is made when its notification is written (``games.announcements.invitation_emails``).
"""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import override
from msgspec.structs import replace

from accounts import email_addresses, names
from accounts.credentials import validate_address
from accounts.models import Account
from config.core.database.sql import lock
from config.core.email_spellings import canonical
from config.core.tasks import enqueue
from games.announcements import batches
from games.announcements.invitation_emails import (
    INVITATION,
    INVITATION_QUESTION,
    is_answerable,
    may_invite,
    topic_of,
    welcome,
)
from games.engine import Phrase, gettext_noop
from games.models import Game, Invitation
from games.phrases import isolated
from games.refusals import Refusal, not_found
from games.tables import joining
from games.tables.joining import join_game
from games.tables.new_game import seeding_of
from games.user_texts import check_no_contact, one_line
from games.visibility.access import access_to_game
from notifications import deliverability, outbox
from notifications.reply_addresses import is_ours

DAY: Final = timedelta(days=1)
INVITATION_LIMITS: Final = (
    ("inviter", 20, DAY, gettext_noop("You can invite at most %(most)s times a day. Try again tomorrow.")),
    ("mailbox", 3, DAY, gettext_noop("We send at most %(most)s invitations a day to one address. Try again tomorrow.")),
    (
        "mailbox",
        10,
        30 * DAY,
        gettext_noop("We send at most %(most)s invitations a month to one address. Send them the game’s link instead."),
    ),
    (
        "domain",
        100,
        DAY,
        gettext_noop("We send at most %(most)s invitations a day to the addresses of one domain. Try again tomorrow."),
    ),
)
"""The limits on invitations by one inviter, to one mailbox and to one domain, over all games."""
# The counts use keyed hashes and are the same for all, so that they do not reveal who has an account.
ADDRESS_RETENTION: Final = 30 * DAY
"""The time for which an address is kept after its invitation, unless the invitation still waits for an answer."""
LONGEST_NOTE: Final = 200
"""The maximum length of the inviter's note in an invitation."""
WELCOME: Final = "welcome"
"""The reason of the notification to a player who has accepted an invitation."""


def invite(
    game: UUID, inviter: Account, address: str, language: str, now: datetime, seat: int | None = None, note: str = ""
) -> Invitation:
    """Invite an address to an open game or to an offered seat, as a player of the game.

    ``note`` is a line of the inviter's own words, or blank. Raises Refusal(malformed) for the address or the note,
    Refusal(forbidden) or Refusal(not-found) if the inviter does not play in the game, Refusal(conflict) if the game or
    the seat takes no invitation, and Refusal(rate-limited).
    """
    at = _require_seated(game, inviter)
    seat = _invited_seat(at, inviter, seat)
    address = check_address(address)
    invitation = Invitation(
        game=at,
        inviter=inviter,
        seat=seat,
        address=address,
        mailbox=deliverability.suppression_digest(address),
        domain=_digest_of_domain(address),
        language=language,
        note=_check_note(note),
        created_at=now,
    )
    with transaction.atomic():
        # Other invitations wait until the end of the transaction, so that the counts stay correct.
        lock("games.invitations")
        _check_not_invited(invitation)
        _check_limits(invitation, now)
        invitation.save(force_insert=True)
        order = outbox.NewNotification(
            f"{INVITATION}:{invitation.pk}",
            INVITATION,
            address=address,
            topic=topic_of(invitation.pk),
            question=INVITATION_QUESTION,
        )
        outbox.schedule([order], now)
        enqueue("games.tasks.compose_notifications")
    return invitation


def check_address(address: str) -> str:
    """Return the stored form of an address to invite. Raises Refusal(malformed) if no email can go there."""
    address = canonical(address)
    try:
        validate_address(address)
    except ValidationError as error:
        raise Refusal("malformed", Phrase("%(why)s", {"why": " ".join(error.messages)}), "email") from None
    if is_ours(address):
        sentence = gettext_noop("This address belongs to this server. Use another one.")
        raise Refusal("malformed", Phrase(sentence), "email")
    return address


def _check_note(note: str) -> str:
    """Return the stored form of a note: one line without invisible characters. Raises Refusal(malformed)."""
    note = one_line(note)
    if len(note) > LONGEST_NOTE:
        sentence = gettext_noop("Your note in an invitation can have at most %(most)s characters.")
        raise Refusal("malformed", Phrase(sentence, {"most": LONGEST_NOTE}), "note")
    check_no_contact(note, "note")
    return note


def _require_seated(game: UUID, account: Account) -> Game:
    access = access_to_game(account, game)
    access.require_seat()
    return access.game


def _invited_seat(at: Game, inviter: Account, seat: int | None) -> int | None:
    """Return the offered seat of an invitation, or None in an open game. Raises Refusal."""
    if at.state == Game.State.OPEN and seat is None:
        return None
    offered = [seat_row for seat_row in at.seats.all() if seat_row.offered and seat in (None, seat_row.number)]
    if not offered:
        sentence = gettext_noop("This game is no longer open, and this seat isn’t offered.")
        raise Refusal("conflict", Phrase(sentence))
    if len(offered) > 1:
        raise Refusal("malformed", Phrase(gettext_noop("Several seats are offered: say which one.")), "seat")
    if offered[0].account_id == inviter.pk:
        raise Refusal("conflict", Phrase(gettext_noop("This is your own seat. Come back to it instead.")))
    return offered[0].number


def _digest_of_domain(address: str) -> bytes:
    return salted_hmac("games.invitations.domain", address.rpartition("@")[2], algorithm="sha256").digest()


def _check_not_invited(invitation: Invitation) -> None:
    to = {"game": invitation.game, "seat": invitation.seat, "mailbox": invitation.mailbox}
    same = Invitation.objects.filter(**to, inviter=invitation.inviter)
    if same.filter(state=Invitation.State.OPEN).exists():
        raise Refusal("conflict", Phrase(gettext_noop("You’ve already invited this address to this game.")))


def _check_limits(invitation: Invitation, now: datetime) -> None:
    for field, most, within, sentence in INVITATION_LIMITS:
        like = Invitation.objects.filter(**{field: getattr(invitation, field)}, created_at__gt=now - within)
        newest = list(like.order_by("-created_at").values_list("created_at", flat=True)[:most])
        if len(newest) == most:
            wait = int((newest[-1] + within - now).total_seconds()) + 1
            raise Refusal("rate-limited", Phrase(sentence, {"most": most}), wait=wait)


def list_invitations(game: UUID, account: Account) -> QuerySet[Invitation]:
    """Return the invitations to a game, oldest first, for a player of the game."""
    rows = Invitation.objects.filter(game=_require_seated(game, account)).select_related("inviter", "game")
    return rows.order_by("created_at", "id")


def waiting_for(account: Account) -> list[Invitation]:
    """Return the invitations that this account can still accept, newest first."""
    rows = Invitation.objects.filter(
        address__in=email_addresses.confirmed_addresses(account), state=Invitation.State.OPEN
    ).select_related("inviter", "game")
    return [row for row in rows.order_by("-created_at", "-id") if is_answerable(row) and may_invite(row, account)]


def get_invitation(game: UUID, account: Account, invitation: UUID) -> Invitation:
    """Return an invitation to a game, for a player of the game. Raises Refusal(not-found)."""
    row = next((row for row in list_invitations(game, account) if row.pk == invitation), None)
    if row is None:
        raise not_found()
    return row


def withdraw(game: UUID, account: Account, invitation: UUID, now: datetime) -> None:
    """Withdraw an invitation, as its sender. Its notification is withdrawn if it was not sent yet."""
    if get_invitation(game, account, invitation).inviter_id != account.pk:
        raise Refusal("forbidden", Phrase(gettext_noop("Only the player who sent an invitation can withdraw it.")))
    with transaction.atomic():
        row = lock_invitation(invitation)
        if row is None or row.state == Invitation.State.JOINED:
            raise Refusal("conflict", Phrase(gettext_noop("This invitation has been accepted.")))
        _store_answer(row, Invitation.State.WITHDRAWN, now)
        outbox.withdraw([(topic_of(row.pk), INVITATION_QUESTION)], now)


def lock_invitation(invitation: UUID) -> Invitation | None:
    """Return an invitation, locked until the end of the transaction, or None if it does not exist."""
    rows = Invitation.objects.select_for_update(of=("self",)).select_related("game", "inviter", "account")
    return rows.filter(pk=invitation).first()


@transaction.atomic
def join(invitation: Invitation, name: str, via: str, now: datetime, in_reply_to: str = "", words: str = "") -> Account:
    """Seat the owner of the address. An account is created for an address that has none.

    ``name`` is the name of a new account, ``in_reply_to`` the Message-ID of an answer by email, ``words`` the lucky
    words. The invitation must be locked (``lock_invitation``). Raises Refusal(conflict) or Refusal(forbidden).
    """
    _require_answerable(invitation)
    account = email_addresses.owner_of(invitation.address)
    new = account is None
    if account is None and settings.SIGN_UP == "closed":
        raise Refusal("forbidden", Phrase(gettext_noop("This server isn’t taking new players.")))
    refusal = ""
    if account is None:
        refusal = _why_not_called(name, invitation)
        account = email_addresses.create_account_for(invitation.address, name, invitation.language, now)
    elif not account.is_active:
        raise Refusal("forbidden", Phrase(gettext_noop("The account of this address is closed.")))
    invitation.game = _take_seat(invitation, account, via, now, words)
    invitation.account = account
    _store_answer(invitation, Invitation.State.JOINED, now)
    with override(account.language):
        rendered = replace(welcome(invitation, account, new=new, name_refusal=refusal), in_reply_to=in_reply_to)
    topic = batches.topic_of(invitation.game_id)
    outbox.add_rendered(
        outbox.NewNotification(f"{WELCOME}:{invitation.pk}", WELCOME, account.pk, topic=topic), rendered, now
    )
    return account


def _why_not_called(name: str, invitation: Invitation) -> str:
    """Return why the sender cannot have the name that they asked for, or a blank text."""
    wish = names.tidy(name)
    try:
        if wish and "@" not in wish:
            email_addresses.check_name(wish, invitation.address)
    except ValidationError as error:
        with override(invitation.language):
            why = " ".join(map(str, error.messages))
            return _("We couldn’t give you the name %(name)s. %(why)s") % {"name": isolated(wish), "why": why}
    return ""


def _take_seat(invitation: Invitation, account: Account, via: str, now: datetime, words: str) -> Game:
    if invitation.seat is not None:
        return joining.take_over_seat(invitation.game_id, invitation.seat, account, via, now)
    return join_game(invitation.game_id, account, invitation.game.code, via, now, seeding_of(words))


def _require_answerable(invitation: Invitation) -> None:
    if is_answerable(invitation):
        return
    sentence = gettext_noop("This game is no longer open.")
    if invitation.state == Invitation.State.JOINED:
        sentence = gettext_noop("You’ve already accepted this invitation.")
    elif invitation.state == Invitation.State.WITHDRAWN:
        sentence = gettext_noop("This invitation has been withdrawn.")
    raise Refusal("conflict", Phrase(sentence))


def decline(invitation: Invitation, now: datetime) -> None:
    """Decline an invitation. It can still be accepted later.

    The invitation must be locked (``lock_invitation``). Raises Refusal(conflict) if it has been accepted.
    """
    if invitation.state == Invitation.State.JOINED:
        raise Refusal("conflict", Phrase(gettext_noop("You’ve already accepted this invitation.")))
    if invitation.state == Invitation.State.OPEN:
        _store_answer(invitation, Invitation.State.DECLINED, now)


@transaction.atomic
def suppress_address(invitation: Invitation, now: datetime) -> None:
    """Stop emails to the address of an invitation, except for notifications of its account. Only a keyed hash of the
    address is stored, until its owner confirms a sign-up. The invitation must be locked.
    """
    if not invitation.address:
        return
    deliverability.suppress(invitation.address, now)
    invitations = Invitation.objects.filter(mailbox=invitation.mailbox)
    invitations.filter(state=Invitation.State.OPEN).update(state=Invitation.State.DECLINED, answered_at=now)
    _forget_addresses(list(invitations.exclude(address="").values_list("pk", flat=True)))
    invitation.refresh_from_db(fields=["state", "answered_at", "address"])


def rename(invitation: Invitation, name: str) -> str:
    """Rename the account that has accepted an invitation, and return the stored name. Raises Refusal(conflict) or
    Refusal(malformed).
    """
    if invitation.account is None:
        raise Refusal("conflict", Phrase(gettext_noop("You’re not playing in this game.")))
    try:
        return email_addresses.rename(invitation.account, name)
    except ValidationError as error:
        raise Refusal("malformed", Phrase("%(why)s", {"why": " ".join(error.messages)}), "name") from None


def forget_old_addresses(now: datetime) -> None:
    """Delete the addresses that are no longer needed."""
    old = Invitation.objects.filter(created_at__lt=now - ADDRESS_RETENTION).exclude(address="")
    waiting = {"state": Invitation.State.OPEN, "game__state": Game.State.OPEN}
    _forget_addresses(list(old.exclude(**waiting).values_list("pk", flat=True)))


def forget_account(account: Account) -> None:
    """Delete the addresses and notes of invitations to and by an account that is closed."""
    to_account = Q(account=account) | Q(address__in=email_addresses.confirmed_addresses(account))
    _forget_addresses(list(Invitation.objects.filter(to_account | Q(inviter=account)).values_list("pk", flat=True)))


def _forget_addresses(invitations: list[UUID]) -> None:
    Invitation.objects.filter(pk__in=invitations).update(address="", note="")
    outbox.forget([topic_of(invitation) for invitation in invitations])


def _store_answer(invitation: Invitation, state: str, now: datetime) -> None:
    invitation.state = state
    invitation.answered_at = now
    invitation.save(update_fields=["state", "answered_at", "account"])
