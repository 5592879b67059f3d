"""The mailbox page: all sent emails, for a server that is tried out on one machine.

It reads the outbox and changes nothing. It exists only if no email leaves the machine and no one else can connect
(``settings.MAILBOX``).
"""

import uuid
from base64 import b64encode
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from config.core.email_spellings import canonical
from notifications.email.message import message
from notifications.models import Notification, State

MOST: Final = 100
"""The number of emails that are shown, the latest first."""
_PAGE_POLICY: Final = (
    "default-src 'none'; style-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
_MAIL_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox"

View = Callable[..., HttpResponseBase]


def _mailbox_view(policy: str) -> Callable[[View], View]:
    """Return a decorator for read-only views of the mailbox with a content security policy. Other servers
    answer 404.
    """

    def decorate(view: View) -> View:
        safe_view = require_safe(never_cache(view))

        @wraps(view)
        def guarded(request: HttpRequest, **arguments: Any) -> HttpResponseBase:
            if not settings.MAILBOX:
                raise Http404
            response = safe_view(request, **arguments)
            response.headers["Content-Security-Policy"] = policy
            return response

        return guarded

    return decorate


@_mailbox_view(_PAGE_POLICY)
def mails(request: HttpRequest) -> HttpResponse:
    """List the newest emails to one address (``?to=``) or to all, as HTML or JSON."""
    to = request.GET.get("to", "").replace("\0", "").strip()
    notifications = _sent().filter(address=canonical(to)) if to else _sent()
    if _wants_json(request):
        return JsonResponse(
            {"mails": [_as_json(notification) for notification in notifications[:MOST]]},
            json_dumps_params={"ensure_ascii": False},
        )
    rows = [{"notification": notification, "rendered": notification.content()} for notification in notifications[:MOST]]
    return render(request, "notifications/mailbox.html", {"mails": rows, "to": to})


@_mailbox_view(_PAGE_POLICY)
def mail(request: HttpRequest, notification_id: uuid.UUID) -> HttpResponse:
    """Show one email, its text and its HTML."""
    notification = get_object_or_404(_sent(), id=notification_id)
    if _wants_json(request):
        return JsonResponse(_as_json(notification), json_dumps_params={"ensure_ascii": False})
    return render(
        request, "notifications/mailbox_mail.html", {"notification": notification, "mail": _as_json(notification)}
    )


@xframe_options_sameorigin
@_mailbox_view(_MAIL_POLICY)
def html_part(request: HttpRequest, notification_id: uuid.UUID) -> HttpResponse:
    """Return the HTML of one email without scripts and without external content."""
    notification = get_object_or_404(_sent(), id=notification_id)
    html = _html(message(notification))
    for picture in notification.content().pictures:
        html = html.replace(f"cid:{picture.name}", f"data:image/png;base64,{b64encode(picture.png).decode()}")
    return HttpResponse(html)


def _sent() -> QuerySet[Notification]:
    sent = Notification.objects.filter(channel="mail", state=State.SENT, rendered__isnull=False)
    return sent.order_by("-sent_at", "-created_at")


def _wants_json(request: HttpRequest) -> bool:
    if "format" in request.GET:
        return request.GET["format"] == "json"
    return request.get_preferred_type(["application/json", "text/html"]) != "text/html"


def _html(mail: EmailMultiAlternatives) -> str:
    """Return the HTML part of an email."""
    content, _ = mail.alternatives[0]
    return str(content)


def _as_json(notification: Notification) -> dict[str, Any]:
    """Return the sent email of a notification as a mail program sees it."""
    sent = message(notification)
    return {
        "id": str(notification.id),
        "to": notification.address,
        "from": sent.extra_headers["From"],
        "reply_to": sent.reply_to,
        "bounces_to": sent.from_email,
        "subject": sent.subject,
        "sent_at": notification.sent_at,
        "reason": notification.reason,
        "headers": sent.extra_headers,
        "text": sent.body,
        "html": _html(sent),
    }
