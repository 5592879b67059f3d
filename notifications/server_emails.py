"""Emails of the server itself, which belong to no game: news, confirmation of an address, tests, and to the operator.

News are sent to accounts that have agreed to get them. All emails are ordered in one transaction with the text, and
composed in small batches, so that they do not delay questions. Whether the reader still wants news is checked again
when the email is composed.
"""

import dataclasses
import hashlib
import json
import logging
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override

from notifications import deliverability, kinds, outbox, preferences, reply_addresses, set_aside
from notifications.channels.registry import personal
from notifications.content import Footnote, Link, Links, Prose, RenderedNotification
from notifications.email.message import stop_link
from notifications.models import TEST, Deliverability, News, Notification, Preferences, State
from notifications.preferences import NEWS
from notifications.set_aside import SetAside

logger = logging.getLogger(__name__)

A_MINUTE: Final = 200
"""The number of emails that are composed in one minute."""
LONGEST_SUBJECT: Final = 100
LONGEST_TEXT: Final = 20_000
_PARAGRAPHS: Final = re.compile(r"\n\s*\n")

Words = Mapping[str, Mapping[str, str]]
"""The ``subject`` and ``text`` by language."""


class AlreadySent(Exception):
    """News with the same words was sent before: ``news``."""

    def __init__(self, news: News) -> None:
        super().__init__()
        self.news = news


def find_news_error(subject: str, text: str) -> str:
    """Return the error in the news in one language, or an empty string."""
    if not subject or not text:
        return "It needs a subject in the first line, and a text after it."
    if len(subject) > LONGEST_SUBJECT:
        return f"The subject has more than {LONGEST_SUBJECT} characters."
    return f"The text has more than {LONGEST_TEXT} characters." if len(text) > LONGEST_TEXT else ""


def news_readers() -> QuerySet[Any]:
    """Return the accounts that want news and may get it."""
    accounts = get_user_model().objects.filter(is_active=True, is_guest=False, preferences__news=True)
    return accounts.select_related("preferences").order_by("pk")


def is_news_sent(words: Words) -> bool:
    """Return whether news with these words has been sent."""
    return News.objects.filter(digest=_news_digest(words)).exists()


def send_news(words: Words, now: datetime) -> News:
    """Store an email with this text for each account that wants news. Raises AlreadySent."""
    digest = _news_digest(words)
    with transaction.atomic():
        people = list(news_readers())
        news, is_new = News.objects.get_or_create(
            digest=digest, defaults={"words": words, "written_at": now, "readers": len(people)}
        )
        if not is_new:
            raise AlreadySent(news)
        outbox.schedule((_news_order(news, reader, place, now) for place, reader in enumerate(people)), now)
    return news


def _news_digest(words: Words) -> bytes:
    return hashlib.sha256(json.dumps(words, sort_keys=True).encode()).digest()


def _news_order(news: News, reader: Any, place: int, now: datetime) -> outbox.NewNotification:
    """Return the order for the reader at ``place`` in the list: ``A_MINUTE`` a minute, outside of quiet hours."""
    turn = now + timedelta(minutes=place // A_MINUTE)
    wishes = dataclasses.replace(reader.preferences.wishes(), digest=Preferences.Digest.AT_ONCE)
    earliest = kinds.release(wishes, turn, turn, None)
    return outbox.NewNotification(
        f"{NEWS}:{news.pk}:{reader.pk}", NEWS, reader.pk, topic=f"{NEWS}:{news.pk}", earliest=earliest
    )


def compose_news(notification: Notification, now: datetime) -> RenderedNotification | None:
    """Return the content of an email with news, or None if its reader no longer wants it or cannot get it."""
    reader: Any = notification.account
    news = News.objects.filter(pk=notification.topic.removeprefix(f"{NEWS}:")).first()
    if news is None or not reader.is_active or not preferences.of(reader).news:
        return None
    if deliverability.is_suppressed(reader.email):
        return None
    return rendered_news(news.words, reader.language, stop_link(notification))


def rendered_news(words: Words, language: str, stop: str) -> RenderedNotification:
    """Return the content of the email in one language. ``stop`` is the link that ends such emails."""
    with override(language):
        return RenderedNotification(
            language=language,
            subject=words[language]["subject"],
            headline=words[language]["subject"],
            is_official=True,
            blocks=(
                *(Prose((" ".join(paragraph.split()),)) for paragraph in _PARAGRAPHS.split(words[language]["text"])),
                Links((Link(_("Stop emails with news"), stop),)),
                Footnote(
                    (_("You’re getting this email because you turned on news from this server in your settings."),)
                ),
            ),
        )


def ask_to_confirm(account: Any, now: datetime) -> bool:
    """Send the request to confirm an account's closed address, at most once an hour. Return whether it was sent."""
    closed = deliverability.of(account.email)
    if closed is None or not deliverability.begin_asking(account.email, now):
        return False
    with override(account.language):
        rendered = _confirmation(account, closed)
    key = f"{deliverability.CONFIRMATION}:{account.pk}:{now:%Y%m%d%H%M%S}"
    outbox.add_rendered(outbox.NewNotification(key, deliverability.CONFIRMATION, account.pk), rendered, now)
    return True


def _confirmation(account: Any, closed: Deliverability) -> RenderedNotification:
    return RenderedNotification(
        language=account.language,
        subject=_("Do you get emails from Darbar?"),
        headline=_("Do you get emails from Darbar?"),
        blocks=(
            Prose((why_closed(closed), _("Until you confirm this address, we won’t send it any other email."))),
            Link(
                _("Confirm this address"),
                f"{settings.PUBLIC_URL}{reverse('confirm-address', args=[_confirmation_token(account)])}",
            ),
            Footnote((_("If you don’t want emails, do nothing."),)),
        ),
    )


def why_closed(closed: Deliverability) -> str:
    """Return the reason why no emails are sent to an address, in the active language."""
    if closed.why == Deliverability.Why.COMPLAINED:
        return _("An email from Darbar to your address was reported as spam.")
    return _("Emails from Darbar to your address bounced.")


def _confirmation_token(account: Any) -> str:
    return reply_addresses.token(reply_addresses.CONFIRM, f"{account.pk}-{deliverability.id_of(account.email).hex}")


def account_to_confirm(token: str) -> Any | None:
    """Return the account whose address a link confirms, or None if the link is invalid or the address has changed."""
    match reply_addresses.read(token):
        case (reply_addresses.CONFIRM, subject):
            number, _, address = subject.partition("-")
            account = get_user_model().objects.filter(pk=int(number), is_active=True).first()
            if account is not None and address in {id_.hex for id_ in deliverability.ids_of(account.email)}:
                return account
    return None


OPERATOR: Final = "operator"


def set_aside_and_notify(kind: SetAside.Kind, subject: object, about: str, error: str, now: datetime) -> None:
    """Log that an object was set aside, and notify the operator, at most once an hour for each kind.

    ``about`` is the object that it belongs to. ``error`` is the type and place of an error. It must not contain secrets
    of a game.
    """
    set_aside.note(kind, subject, about, error, now)
    description = f"{kind} {subject}{about and f' of {about}'}: {error}"
    logger.error("set aside: %s", description)
    if not settings.OPERATOR_EMAIL:
        return
    with override(settings.LANGUAGE_CODE):
        subject_line = _("Darbar: something was set aside")
        where_to_look = _(
            "Try it again or acknowledge it at /admin/ or with darbar set_aside. Both list everything that was set "
            "aside."
        )
        more = _("If more of this kind follows within the hour, you’ll find it only there and in the log.")
        rendered = RenderedNotification(
            settings.LANGUAGE_CODE,
            subject_line,
            subject_line,
            (Prose((description, where_to_look, more)),),
            is_official=True,
        )
    order = outbox.NewNotification(f"{OPERATOR}:{kind}:{now:%Y%m%d%H}", OPERATOR, address=settings.OPERATOR_EMAIL)
    outbox.add_rendered(order, rendered, now)


def send_test(account: Any, channel: str, now: datetime) -> bool:
    """Send a test message over a channel of an account. Return False if the account has no address for it."""
    recipient, stored = personal().get(channel), preferences.stored(account)
    if recipient is None or stored is None or not recipient.open_to([account.pk], {account.pk: stored}):
        return False
    with override(account.language):
        rendered = RenderedNotification(
            account.language,
            subject=_("We can send your questions here."),
            headline=_("A test message from Darbar"),
        )
    order = outbox.NewNotification(f"{TEST}:{account.pk}:{channel}:{now.timestamp()}", TEST, account.pk)
    outbox.add_rendered(order, rendered, now, channel)
    return True


def last_outcomes(account: Any) -> dict[str, Notification]:
    """Return the last sent or failed notification to an account for each of its personal channels."""
    final_states = [State.SENT, State.FAILED]
    rows = Notification.objects.filter(account=account, channel__in=personal(), state__in=final_states)
    return {row.channel: row for row in rows.order_by("channel", "-created_at").distinct("channel")}
