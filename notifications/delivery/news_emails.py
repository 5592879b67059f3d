"""Emails with news from the operator, to accounts that have agreed to get them.

All emails are ordered in one transaction with the text, and composed in small batches, so that they do not delay
questions. Whether the reader still wants news is checked again when the email is composed.
"""

import dataclasses
import hashlib
import json
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import override

from notifications.channels.mail.message import stop_link
from notifications.content import quiet_hours
from notifications.content.rendered_notification import Footnote, Link, Links, Prose, RenderedNotification
from notifications.delivery import outbox
from notifications.models import Notification, Preferences
from notifications.news import News
from notifications.recipients import preferences, suppression_list
from notifications.recipients.preferences import NEWS

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


def find_error(subject: str, text: str) -> str:
    """Return the error in the news in one language, or an empty string."""
    if not subject or not text:
        return "It needs a subject in the first line, and a text after it."
    if len(subject) > LONGEST_SUBJECT:
        return f"The subject has more than {LONGEST_SUBJECT} characters."
    return f"The text has more than {LONGEST_TEXT} characters." if len(text) > LONGEST_TEXT else ""


def readers() -> QuerySet[Any]:
    """Return the accounts that want news and may get it."""
    accounts = get_user_model().objects.filter(is_active=True, is_guest=False, preferences__news=True)
    return accounts.select_related("preferences").order_by("pk")


def is_sent(words: Words) -> bool:
    """Return whether news with these words has been sent."""
    return News.objects.filter(digest=_digest(words)).exists()


def send(words: Words, now: datetime) -> News:
    """Store an email with this text for each account that wants news. Raises AlreadySent."""
    digest = _digest(words)
    with transaction.atomic():
        people = list(readers())
        news, is_new = News.objects.get_or_create(
            digest=digest, defaults={"words": words, "written_at": now, "readers": len(people)}
        )
        if not is_new:
            raise AlreadySent(news)
        outbox.schedule((_order(news, reader, place, now) for place, reader in enumerate(people)), now)
    return news


def _digest(words: Words) -> bytes:
    return hashlib.sha256(json.dumps(words, sort_keys=True).encode()).digest()


def _order(news: News, reader: Any, place: int, now: datetime) -> outbox.NewNotification:
    """Return the order for one reader: after the readers before, and outside of quiet hours."""
    turn = now + timedelta(minutes=place // A_MINUTE)
    wishes = dataclasses.replace(reader.preferences.wishes(), digest=Preferences.Digest.AT_ONCE)
    earliest = quiet_hours.release(wishes, turn, turn, None)
    return outbox.NewNotification(
        f"{NEWS}:{news.pk}:{reader.pk}", NEWS, reader.pk, topic=f"{NEWS}:{news.pk}", earliest=earliest
    )


def compose(notification: Notification, now: datetime) -> RenderedNotification | None:
    """Return the content of an email with news, or None if its reader no longer wants it or cannot get it."""
    reader: Any = notification.account
    news = News.objects.filter(pk=notification.topic.removeprefix(f"{NEWS}:")).first()
    if news is None or not reader.is_active or not preferences.of(reader).news:
        return None
    if suppression_list.holds(reader.email):
        return None
    return rendered(news.words, reader.language, stop_link(notification))


def rendered(words: Words, language: str, stop: str) -> RenderedNotification:
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
                Footnote((_("You get this email because you turned on news from this server in your settings."),)),
            ),
        )
