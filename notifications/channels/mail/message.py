"""A notification as a mail: text and HTML, a thread for each topic, an id that follows from the notification's own."""

import re
import uuid
from email.mime.image import MIMEImage
from functools import lru_cache
from math import ceil
from typing import Final

from django.conf import settings
from django.core.mail.message import RFC5322_EMAIL_LINE_LENGTH_LIMIT
from django.urls import reverse
from django.utils.translation import get_language_info
from msgspec.structs import replace

from notifications.channels.mail.html_body import html_body
from notifications.channels.mail.signing import SignedEmail
from notifications.channels.mail.text_body import text_body
from notifications.channels.mail.unlinked import unlinked
from notifications.content import addresses
from notifications.content.rendered_notification import Picture, RenderedNotification, marker
from notifications.models import Notification

KEPT: Final = 400
"""The number of notifications whose text and HTML are kept, of some 30 kB each: a run composes no more."""
ENCODED: Final = 57 / 78
"""Bytes of a picture for each byte of its mail: base64 puts 57 of them into a line of 76 letters and a line end."""
HEADERS: Final = 1_650
"""All headers of a mail and its parts have at most so many bytes together, without its server's names."""
SIGNATURE: Final = 1_200
"""The header of a signature (DKIM) has at most so many, of the longest usual key."""

_BLANK: Final = re.compile(r'(<img\b[^<>]*\bwidth=")000\b')
"""The width of a picture that is still to be drawn."""


def message(notification: Notification) -> SignedEmail:
    """A written notification as the mail that is sent for it.

    Its envelope's sender is an address for reports of its delivery, and nobody's to answer to.
    """
    rendered = unlinked(notification.written())
    text, html = _bodies(rendered)
    mail = SignedEmail(
        subject=rendered.subject,
        body=text,
        from_email=addresses.address(addresses.BOUNCE, addresses.short(notification.id)),
        to=[notification.destination()],
        reply_to=[rendered.reply_to] if rendered.reply_to else None,
        headers={
            "From": settings.DEFAULT_FROM_EMAIL,
            "Message-ID": f"<{notification.id}@{settings.MAIL_DOMAIN}>",
            "Auto-Submitted": "auto-replied" if rendered.in_reply_to else "auto-generated",
            "X-Auto-Response-Suppress": "All",
            "Content-Language": rendered.language,
            **_thread(notification, rendered),
            **_unsubscribing(notification, rendered.stop),
        },
    )
    mail.attach_alternative(html, "text/html")
    _attach(mail, rendered.pictures)
    return mail


def size_at_most(rendered: RenderedNotification) -> int:
    """The bytes that the mail of a notification has at most: about a hundred more than it has."""
    names = 5 * len(settings.MAIL_DOMAIN) + len(settings.PUBLIC_URL)
    rendered = unlinked(rendered)
    headers = HEADERS + names + (SIGNATURE if settings.DKIM_KEY else 0)
    bodies = sum(map(_encoded_at_most, _bodies(rendered)))
    return headers + bodies + sum(ceil(len(picture.png) / ENCODED) for picture in rendered.pictures)


def _encoded_at_most(body: str) -> int:
    """The bytes that a body has at most in a mail. One with a line that mail servers refuse is sent as
    quoted-printable: three bytes for one, and line ends.
    """
    encoded = body.encode()
    is_quoted = max(map(len, encoded.split(b"\n"))) > RFC5322_EMAIL_LINE_LENGTH_LIMIT
    return 4 * len(encoded) if is_quoted else len(encoded) + encoded.count(b"\n")


def _bodies(rendered: RenderedNotification) -> tuple[str, str]:
    """A notification as text and as HTML."""
    blocks = tuple(replace(block, png=b"") if isinstance(block, Picture) else block for block in rendered.blocks)
    text, html = _bodies_around(replace(rendered, blocks=blocks))
    for picture in rendered.pictures:
        html = _BLANK.sub(rf"\g<1>{picture.width:03}", html, count=1)
    return text, html


@lru_cache(KEPT)
def _bodies_around(rendered: RenderedNotification) -> tuple[str, str]:
    """A notification with blank pictures as text and as HTML; kept from before they are drawn until it is sent."""
    above = marker(rendered.marker) if rendered.marker else ""
    direction = "rtl" if get_language_info(rendered.language)["bidi"] else "ltr"
    return text_body(rendered, above, direction), html_body(rendered, above, direction)


def _attach(mail: SignedEmail, pictures: tuple[Picture, ...]) -> None:
    """Put the pictures beside the HTML that shows them, inline: nothing is loaded from elsewhere."""
    if pictures:
        mail.mixed_subtype = "related"  # type: ignore[attr-defined]  # Django has it, its stubs do not
    for picture in pictures:
        part = MIMEImage(picture.png, "png")
        part["Content-ID"] = f"<{picture.name}>"
        part["Content-Disposition"] = f'inline; filename="{picture.name}.png"'
        mail.attach(part)


def _thread(notification: Notification, rendered: RenderedNotification) -> dict[str, str]:
    """The headers that put the notifications of one topic to one reader under one root, which no notification needs
    to be.

    What answers a mail names that too (RFC 3834, section 3.1.5).
    """
    above = []
    if topic := rendered.thread or notification.topic:
        reader = notification.account_id or notification.address
        above = [f"<{uuid.uuid5(uuid.NAMESPACE_URL, f'{topic}#{reader}')}@{settings.MAIL_DOMAIN}>"]
    if rendered.in_reply_to:
        above.append(rendered.in_reply_to)
    return {"In-Reply-To": above[-1], "References": " ".join(above)} if above else {}


def _unsubscribing(notification: Notification, stop: str) -> dict[str, str]:
    """One click that ends such mails (RFC 8058); for those that belong to something one can do without."""
    if not (stop or (notification.topic and notification.account_id)):
        return {}
    link = stop or stop_link(notification)
    return {"List-Unsubscribe": f"<{link}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}


def stop_link(notification: Notification) -> str:
    """The page on which its reader says that no more such mails are to come."""
    token = addresses.token(addresses.STOP, addresses.short(notification.id))
    return f"{settings.PUBLIC_URL}{reverse('stop', args=[token])}"
