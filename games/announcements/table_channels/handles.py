"""Names by which the chat of a game mentions its players in reminders. Each player sets only their own."""

from django.db import transaction

from accounts.models import Account
from games.models import ClubChannel, ClubHandle, TableChannel, TableHandle
from notifications.channels.registry import chat_apps


def give_handle(channel: TableChannel | ClubChannel, account: Account, handle: str) -> None:
    """Store an account's handle in a chat, for reminders. Blank deletes it. Raises ForbiddenHandle."""
    if handle:
        chat_apps()[channel.app].check_handle(handle)
    rows = channel.handles.filter(account=account)
    with transaction.atomic():
        rows.delete()
        if handle:
            channel.handles.create(account=account, handle=handle)


def own_handle(channel: TableChannel | ClubChannel, account: Account) -> str:
    """Return an account's handle in a chat, or an empty string."""
    return channel.handles.filter(account=account).values_list("handle", flat=True).first() or ""


def handle_of_player(channel: TableChannel, account: int) -> str:
    """Return the handle of a player in the chat of a game: set for this chat, or in the club with the same chat; or
    blank.
    """
    in_chat = TableHandle.objects.filter(channel=channel, account=account)
    in_club = ClubHandle.objects.filter(
        channel__club=channel.game.club_id, channel__secret=channel.secret, account=account
    )
    rows = (*in_chat.values_list("handle", flat=True), *in_club.values_list("handle", flat=True))
    return next(iter(rows), "")
