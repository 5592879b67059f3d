"""A notification as an email with text and HTML, a thread for each topic, and an id made of the notification's id.

Mail programs must not turn text into links, because players wrote parts of it. DKIM signatures prove that an email
comes from this domain and was not changed (RFC 6376).
"""

import base64
import binascii
import re
import secrets
import uuid
from collections.abc import Callable, Mapping
from email.header import Header
from email.message import Message
from email.mime.image import MIMEImage
from functools import lru_cache
from math import ceil
from typing import Any, Final

import dkim
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.core.mail.message import RFC5322_EMAIL_LINE_LENGTH_LIMIT
from django.urls import reverse
from django.utils.translation import get_language_info
from msgspec.structs import replace

from notifications import reply_addresses
from notifications.content import (
    Answer,
    Answers,
    Block,
    Footnote,
    Heading,
    Link,
    Links,
    Listing,
    Picture,
    Prose,
    RenderedNotification,
    marker,
    without_links,
)
from notifications.email.html_body import html_body
from notifications.email.text_body import text_body
from notifications.models import Notification

KEPT: Final = 400
"""The number of notifications whose text and HTML are cached, about 30 kB each. A run composes fewer."""
ENCODED: Final = 57 / 78
"""Bytes of a picture for each byte of its email. Base64 turns 57 bytes into a line of 76 characters and a line end."""
HEADERS: Final = 1_950
"""The most bytes of all headers of an email and its parts, without the server's names."""
SIGNATURE: Final = 1_200
"""The most bytes of the header with the DKIM signature, with the longest usual key."""

_ISOLATES: Final = re.compile("[\u2066-\u2069]")
_NO_LABEL: Final = re.compile(r"[^A-Za-z0-9-]+")
"""Characters that a domain name does not have."""
_BLANK: Final = re.compile(r'(<img\b[^<>]*\bwidth=")000\b')
"""The width of a picture that is not drawn yet."""


SIGNED: Final = (
    "From", "To", "Subject", "Date", "Message-ID", "Reply-To", "In-Reply-To", "References", "MIME-Version",
    "Content-Type", "Content-Transfer-Encoding", "Content-Language", "Auto-Submitted", "List-Id", "List-Unsubscribe",
    "List-Unsubscribe-Post", "Feedback-ID",
)  # fmt: skip
"""The headers that must not change in transit. Mailbox providers require those for unsubscribing."""


class SignedEmail(EmailMultiAlternatives):
    """An email with a signature of ``MAIL_DOMAIN`` if ``DKIM_KEY`` is set."""

    def message(self, **options: Any) -> Message:  # type: ignore[override]  # Django's own type is private
        """Return the email in its final form."""
        email: Message = super().message(**options)
        if not str(self.subject).isascii():
            email.replace_header("Subject", _encoded_subject(str(self.subject)))
        for number, part in enumerate(email.walk()):
            if part.is_multipart():
                # A random boundary cannot occur in the parts, so they need not be searched for it.
                part.set_boundary(f"=_{number}_{secrets.token_hex(16)}")
            elif part.get_content_maintype() == "text":
                _encode_part(part)
        if settings.DKIM_KEY:
            email["DKIM-Signature"] = _signature(email)
        return email


def _encoded_subject(subject: str) -> str:
    """Return a subject whose first encoded word has room beside the header's name. Otherwise its first line would be
    empty, which some servers take for an empty subject.
    """
    return Header(subject, "utf-8", header_name="Subject").encode(linesep="\n").replace("\n ", " ")


def _encode_part(part: Message) -> None:
    """Encode a text so that every mail server can pass it on unchanged. An 8-bit text would be encoded on the way by a
    server without 8BITMIME, which breaks the signature.
    """
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    encoding, payload = _encoded(content)
    del part["Content-Transfer-Encoding"]
    part["Content-Transfer-Encoding"] = encoding
    part.set_payload(payload.decode())


def _encoded(body: bytes) -> tuple[str, bytes]:
    """Return the encoding of a text with the shortest result, and the encoded text."""
    if body.isascii() and max(map(len, body.split(b"\n"))) <= RFC5322_EMAIL_LINE_LENGTH_LIMIT:
        return "7bit", body
    quoted = binascii.b2a_qp(body)
    coded = base64.encodebytes(body.replace(b"\n", b"\r\n"))
    return ("quoted-printable", quoted) if len(quoted) <= len(coded) else ("base64", coded)


def _signature(email: Message) -> str:
    names = [name.encode() for name in SIGNED if name in email]
    header = dkim.sign(
        email.as_bytes(linesep="\r\n"),  # type: ignore[call-arg]  # Django takes it, its stubs do not know
        settings.DKIM_SELECTOR.encode(),
        settings.MAIL_DOMAIN.encode(),
        settings.DKIM_KEY,
        canonicalize=(b"relaxed", b"relaxed"),
        include_headers=[*names, b"From"],
    )
    return " ".join(header.decode().partition(":")[2].split())


def message(notification: Notification) -> SignedEmail:
    """Return the email of a composed notification.

    The envelope's sender is an address for delivery reports. It is not for replies.
    """
    rendered = unlinked(notification.content())
    text, html = _bodies(rendered)
    mail = SignedEmail(
        subject=_subject(rendered),
        body=text,
        from_email=reply_addresses.address(reply_addresses.BOUNCE, reply_addresses.short(notification.id)),
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
            **_kind(notification),
        },
    )
    mail.attach_alternative(html, "text/html")
    _attach(mail, rendered.pictures)
    return mail


def _subject(rendered: RenderedNotification) -> str:
    """Return the subject, which begins with the question, without explanations behind its question mark."""
    # Isolates around names would be shown as boxes in a subject.
    question = re.split(r"(?<=[?؟])", _ISOLATES.sub("", rendered.question), maxsplit=1)[0]
    return f"{question} ({rendered.subject})" if question else rendered.subject


def size_at_most(rendered: RenderedNotification) -> int:
    """Return an upper limit for the size of a notification's email in bytes. It is about a hundred bytes too high."""
    names = 5 * len(settings.MAIL_DOMAIN) + len(settings.PUBLIC_URL)
    rendered = unlinked(rendered)
    headers = HEADERS + names + (SIGNATURE if settings.DKIM_KEY else 0)
    bodies = sum(map(_encoded_at_most, _bodies(rendered)))
    return headers + bodies + sum(ceil(len(picture.png) / ENCODED) for picture in rendered.pictures)


def _encoded_at_most(body: str) -> int:
    """Return the size of an encoded body with the line ends of SMTP."""
    _, encoded = _encoded(body.encode())
    return len(encoded) + encoded.count(b"\n")


def _bodies(rendered: RenderedNotification) -> tuple[str, str]:
    """Return a notification as text and as HTML."""
    blocks = tuple(replace(block, png=b"") if isinstance(block, Picture) else block for block in rendered.blocks)
    text, html = _bodies_with_blanks(replace(rendered, blocks=blocks))
    for picture in rendered.pictures:
        html = _BLANK.sub(rf"\g<1>{picture.width:03}", html, count=1)
    return text, html


@lru_cache(KEPT)
def _bodies_with_blanks(rendered: RenderedNotification) -> tuple[str, str]:
    """Return a notification with blank pictures as text and as HTML. Cached from its composition until it is sent."""
    marker_line = marker(rendered.marker) if rendered.marker else ""
    direction = "rtl" if get_language_info(rendered.language)["bidi"] else "ltr"
    return text_body(rendered, marker_line, direction), html_body(rendered, marker_line, direction)


def _attach(mail: SignedEmail, pictures: tuple[Picture, ...]) -> None:
    """Attach the pictures inline. An email loads nothing from servers."""
    if pictures:
        mail.mixed_subtype = "related"  # type: ignore[attr-defined]  # Django has it, its stubs do not
    for picture in pictures:
        part = MIMEImage(picture.png, "png")
        part["Content-ID"] = f"<{picture.name}>"
        part["Content-Disposition"] = f'inline; filename="{picture.name}.png"'
        mail.attach(part)


def _thread(notification: Notification, rendered: RenderedNotification) -> dict[str, str]:
    """Return the headers that put the notifications of one topic to one reader into one thread.

    The thread's root need not be a real email. A reply to an email refers to the emails to which that email refers,
    and to that email (RFC 5322, section 3.6.4).
    """
    references: list[str] = []
    if topic := rendered.thread or notification.topic:
        reader = notification.account_id or notification.address
        references = [f"<{uuid.uuid5(uuid.NAMESPACE_URL, f'{topic}#{reader}')}@{settings.MAIL_DOMAIN}>"]
    if rendered.in_reply_to:
        references += [*rendered.references.split(), rendered.in_reply_to]
    references = [*dict.fromkeys(references)]
    return {"In-Reply-To": references[-1], "References": " ".join(references)} if references else {}


def _kind(notification: Notification) -> dict[str, str]:
    """Return the headers by which readers filter emails, and by which postmasters count complaints.

    ``List-Id`` (RFC 2919) names the topic, such as one game. ``Feedback-ID`` names only the kind of email.
    """
    kind, _, subject = notification.topic.partition(":")
    feedback = f"{notification.reason}:{kind or 'account'}:email:darbar"
    if not (kind and notification.account_id):
        return {"Feedback-ID": feedback}
    name = ".".join(filter(None, (_NO_LABEL.sub("-", subject).strip("-"), kind, settings.MAIL_DOMAIN)))
    return {"Feedback-ID": feedback, "List-Id": f"<{name}>"}


def _unsubscribing(notification: Notification, stop: str) -> dict[str, str]:
    """Return the headers for unsubscribing with one click (RFC 8058), for emails that a reader can do without."""
    if not (stop or (notification.topic and notification.account_id)):
        return {}
    link = stop or stop_link(notification)
    return {"List-Unsubscribe": f"<{link}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}


def stop_link(notification: Notification) -> str:
    """Return the page on which the reader can stop such emails."""
    token = reply_addresses.token(reply_addresses.STOP, reply_addresses.short(notification.id))
    return f"{settings.PUBLIC_URL}{reverse('stop', args=[token])}"


def unlinked(rendered: RenderedNotification) -> RenderedNotification:
    """Return a notification in which only ``Link``, ``Links`` and ``Answers`` contain links."""
    if rendered.is_official:
        return rendered
    return replace(
        rendered,
        subject=without_links(rendered.subject),
        question=without_links(rendered.question),
        headline=without_links(rendered.headline),
        blocks=tuple(_block(block) for block in rendered.blocks),
    )


def _block(block: Block) -> Block:
    writer = _WRITERS.get(type(block))
    return block if writer is None else writer(block)


def _lines(block: Prose | Footnote) -> Block:
    return replace(block, lines=tuple(map(without_links, block.lines)))


def _listing(block: Listing) -> Block:
    return replace(block, title=without_links(block.title), lines=tuple(map(without_links, block.lines)))


def _answers(block: Answers) -> Block:
    return replace(block, title=without_links(block.title), answers=tuple(map(_answer, block.answers)))


def _answer(answer: Answer) -> Answer:
    return replace(answer, notation=without_links(answer.notation), label=without_links(answer.label))


def _link(link: Link) -> Link:
    return replace(link, label=without_links(link.label))


_WRITERS: Final[Mapping[type, Callable[[Any], Block]]] = {
    Prose: _lines,
    Footnote: _lines,
    Listing: _listing,
    Answers: _answers,
    Link: _link,
    Links: lambda block: replace(block, links=tuple(map(_link, block.links))),
    Heading: lambda block: replace(block, text=without_links(block.text)),
    Picture: lambda block: replace(block, alt=without_links(block.alt)),
}
