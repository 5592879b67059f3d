"""Mail to the server's own address: a command for an account, answered to that account's own address only."""

import logging
from datetime import datetime, timedelta
from typing import Final

from django.utils.translation import override

from accounts.models import Account, Language
from accounts.people import mailboxes
from games import mail as post
from games.engine.reading import fold
from games.mail.acting_player import is_from
from games.mail.mailbox import replies
from games.mail.mailbox.command_reader import (
    AccountCommand,
    ShowGames,
    ShowHelp,
    ShowRules,
    ShowStatus,
    first_line,
    read_account_command,
)
from games.mail.replies import reply_to
from games.rules.registry import RULES
from games.text.phrases import render_phrase
from notifications.content.rendered_notification import RenderedNotification
from notifications.delivery import outbox
from notifications.models import Notification, RawMail

logger = logging.getLogger(__name__)

COMMAND: Final = "command"
"""The reason of a notification that answers a command to the server's own address."""
DAILY_LIMIT: Final = 5
"""So many answers a day an account gets to mails of which nobody says that they are its own."""
DAILY_LIMIT_VOUCHED: Final = 20
"""The same in all, to mails that our mail server vouches for as well."""


def handle_mailbox_mail(mail: RawMail, reply: post.Reply, now: datetime) -> None:
    """Answer a mail to the server's own address. Who has no account here gets no answer, and is not told why."""
    account = mailboxes.owner_of(reply.sender) if reply.sender else None
    if account is None or not account.is_active or not is_from(reply, account):
        logger.info("mail %s to the mailbox is from nobody here", mail.pk)
        return
    if _is_over_limit(account, reply, now):
        return
    with override(account.language):
        rendered = _answer(account, reply, read_account_command(reply.content, _titles()))
        order = outbox.NewNotification(f"{COMMAND}:{mail.pk}", COMMAND, account.pk)
        outbox.add_rendered(order, reply_to(reply, rendered), now)


def _is_over_limit(account: Account, reply: post.Reply, now: datetime) -> bool:
    lately = Notification.objects.filter(account=account, reason=COMMAND, created_at__gt=now - timedelta(days=1))
    return lately.count() >= (DAILY_LIMIT_VOUCHED if reply.authentication == "pass" else DAILY_LIMIT)


def _titles() -> dict[str, str]:
    """Return the name of each game's rules by its titles in all languages."""
    titles = {name: name for name in RULES}
    for language in Language.values:
        with override(language):
            titles |= {fold(render_phrase(rules.words.title, {})): name for name, rules in RULES.items()}
    return titles


def _answer(account: Account, reply: post.Reply, command: AccountCommand | None) -> RenderedNotification:
    match command:
        case ShowHelp():
            return replies.help_text(account)
        case ShowGames():
            return replies.games_of(account)
        case ShowStatus():
            return replies.status_of(account)
        case ShowRules(rules):
            return replies.rules_in_short(account, rules)
    return replies.not_understood(account, first_line(reply.content))
