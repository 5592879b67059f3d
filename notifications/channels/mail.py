"""Notifications as mail: text and HTML, a thread for each topic, an id that follows from the notification's own."""

import re
import smtplib
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email.mime.image import MIMEImage
from typing import Any, Final

from css_inline import CSSInliner
from django.conf import settings
from django.core.mail import BadHeaderError, EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import get_language_info

from notifications.channels.channel import Channel, ChannelDown, ChannelError, Send
from notifications.content import addresses
from notifications.content.rendered_notification import Picture, RenderedNotification, marker
from notifications.models import Notification

_INLINER: Final = CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)
_ENHANCED: Final = re.compile(rb"^\s*([245]\.\d{1,3}\.\d{1,3})\b")
_NOWHERE: Final = "django.core.mail.backends.dummy.EmailBackend"
"""The backend that throws mail away: fine where the mailbox page shows it, a loss anywhere else."""
_UNNAMED: Final = {552: "5.2.2", 554: "5.7.0"}
"""What plain refusals of a recipient mean whose meaning is not the address itself (RFC 5321): full, and unwanted."""
_OURS: Final = ("4.3.", "4.4.")
"""The beginning of the status where our own mail server is at fault (RFC 3463): it is not well, or nothing gets out.
Of a recipient only the former says so; without a status it is the recipient, and else the server."""
_CLOSING: Final = 421
"""The answer of a server that is about to hang up, whatever was asked."""


class Mail(Channel):
    """Mail through Django's mail backend, one connection a run."""

    @contextmanager
    def session(self) -> Iterator[Send]:
        if settings.EMAIL_BACKEND == _NOWHERE and not settings.MAILBOX:
            raise ChannelDown("there is no mail server: EMAIL_URL is not set")
        connection = get_connection()
        try:
            connection.open()
        except OSError as error:
            raise ChannelDown(f"the mail server cannot be reached: {type(error).__name__}", ours=True) from error
        try:
            yield lambda notification: _send(message(notification), connection)
        finally:
            with suppress(OSError):
                connection.close()


def _send(mail: EmailMultiAlternatives, connection: BaseEmailBackend) -> None:
    """Hand one mail to the server. ChannelError where it was refused, ChannelDown where the server is not well."""
    try:
        connection.send_messages([mail])
    except BadHeaderError as error:
        raise ChannelError("a header would hold a line break", permanent=True) from error
    except smtplib.SMTPRecipientsRefused as error:
        raise _refused_recipient(*next(iter(error.recipients.values()))) from error
    except (smtplib.SMTPAuthenticationError, smtplib.SMTPConnectError, smtplib.SMTPHeloError) as error:
        raise ChannelDown(f"the mail server does not let us in: {error.smtp_code}", ours=True) from error
    except smtplib.SMTPResponseException as error:
        raise _refused(error.smtp_code, error.smtp_error) from error
    except OSError as error:
        raise ChannelDown(f"the mail server is lost: {type(error).__name__}", ours=True) from error


def _refused_recipient(code: int, said: bytes | str) -> ChannelError:
    """The refusal of the address itself: without a status of its own, its plain code tells what is wrong with it."""
    error = _refused(code, said)
    error.ours = isinstance(error, ChannelDown) or error.status.startswith(_OURS[0])
    error.status = error.status or _UNNAMED.get(code, f"{code // 100}.0.0")
    return error


def _refused(code: int, said: bytes | str) -> ChannelError:
    found = _ENHANCED.match(said if isinstance(said, bytes) else said.encode())
    enhanced = found.group(1).decode() if found else ""
    reason = f"the mail server refused: {code} {enhanced}".rstrip()
    if code == _CLOSING:
        return ChannelDown(reason, ours=True)
    return ChannelError(
        reason, permanent=code >= 500, status=enhanced, ours=code < 500 and (not enhanced or enhanced.startswith(_OURS))
    )


def message(notification: Notification) -> EmailMultiAlternatives:
    """A written notification as the mail that is sent for it.

    Its envelope's sender is an address for reports of its delivery, and nobody's to answer to.
    """
    rendered = notification.written()
    shown = _shown(rendered)
    text = render_to_string("notifications/mail.txt", shown)
    mail = EmailMultiAlternatives(
        subject=rendered.subject,
        body=re.sub(r"\n{3,}", "\n\n", text).strip() + "\n",
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
    mail.attach_alternative(_INLINER.inline(render_to_string("notifications/mail.html", shown)), "text/html")
    _attach(mail, rendered.pictures)
    return mail


def _shown(rendered: RenderedNotification) -> dict[str, Any]:
    return {
        "notice": rendered,
        "marker": marker(rendered.marker) if rendered.marker else "",
        "direction": "rtl" if get_language_info(rendered.language)["bidi"] else "ltr",
        "blocks": [(block.__struct_config__.tag, block) for block in rendered.blocks],
    }


def _attach(mail: EmailMultiAlternatives, pictures: tuple[Picture, ...]) -> None:
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
