"""The pages behind links in emails: stopping emails of one kind (List-Unsubscribe), and confirming an address.

Opening a page changes nothing. Its button does, and so does the single POST of a mail program (RFC 8058). The link was
sent to the address and is the permission. No session is used, so another site cannot abuse one.
"""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import get_language_info, gettext, override
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from config.core import clock
from notifications import deliverability, preferences, reply_addresses, server_emails
from notifications.models import Notification


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Show the page with the button, or confirm the address."""
    account = server_emails.account_to_confirm(token)
    if account is None:
        raise Http404
    if request.method == "POST":
        deliverability.confirm(account.email, timezone.now())
    closed = deliverability.of(account.email)
    with override(account.language):
        context = {
            "language": account.language,
            "direction": "rtl" if get_language_info(account.language)["bidi"] else "ltr",
            "title": gettext("Do you get emails from Darbar?"),
            "sentence": server_emails.why_closed(closed) if closed else gettext("Yes, we send emails to your address."),
            "button": gettext("Confirm this address") if closed else "",
        }
        page = render(request, "notifications/confirm.html", context)
    page.headers["Referrer-Policy"] = "no-referrer"
    page.headers["Cache-Control"] = "no-store"
    return page


_POLICY = (
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Show the page with the button, or stop the emails. The parameter ``again`` starts them again."""
    notification = _notification(token)
    if request.method == "POST":
        _change(notification, enabled="again" in request.POST)
    return _page(request, notification)


def _change(notification: Notification, *, enabled: bool) -> None:
    """Turn such notifications on or off for the reader: those of its topics, or all news."""
    if notification.reason == preferences.NEWS:
        preferences.change(notification.account, {"news": enabled}, clock.now())
    else:
        assert notification.account_id is not None
        preferences.change_stopped(notification.account_id, notification.topics(), enabled=enabled)


def _notification(token: str) -> Notification:
    """Return the notification of a token. Raises Http404 for an invalid token and for a deleted account."""
    match reply_addresses.read(token):
        case (reply_addresses.STOP, subject):
            return get_object_or_404(Notification, id=_id(subject), account__isnull=False)
    raise Http404


def _id(subject: str) -> UUID:
    try:
        return reply_addresses.long(subject)
    except ValueError:
        raise Http404 from None


def _page(request: HttpRequest, notification: Notification) -> HttpResponse:
    account = notification.account
    assert account is not None
    language = account.language
    with override(language):
        context = {
            "language": language,
            "direction": "rtl" if get_language_info(language)["bidi"] else "ltr",
            **(_of_news(account) if notification.reason == preferences.NEWS else _of_games(account, notification)),
        }
        page = render(request, "notifications/stop.html", context)
    page.headers["Content-Security-Policy"] = _POLICY
    page.headers["Referrer-Policy"] = "no-referrer"
    page.headers["Cache-Control"] = "no-store"
    return page


def _of_games(account: Any, notification: Notification) -> dict[str, Any]:
    topics = notification.topics()
    stopped = preferences.is_stopped(account, topics)
    if choice := preferences.choice_for_all(topics):
        return {
            "title": choice.title,
            "stopped": stopped,
            "sentence": choice.stopped if stopped else choice.question,
            "button": gettext("Send me emails again") if stopped else gettext("No more emails"),
        }
    title = gettext("Emails from your game") if len(topics) == 1 else gettext("Emails from your games")
    return {"title": title, "stopped": stopped, **(_texts_after() if stopped else _texts_before())}


def _of_news(account: Any) -> dict[str, Any]:
    stopped = not preferences.of(account).news
    sentence = gettext("Emails with news from this server are off.") if stopped else gettext("Stop emails with news?")
    games = gettext("You’ll still get emails from your games.")
    return {
        "title": gettext("News from this server"),
        "stopped": stopped,
        "sentence": f"{sentence} {games}",
        "button": gettext("Send me news again") if stopped else gettext("No more news"),
    }


def _texts_before() -> dict[str, str]:
    return {
        "sentence": gettext(
            "Stop these emails? You’ll still be in the game, and if you don’t move in time, Darbar moves for you."
        ),
        "button": gettext("No more emails"),
    }


def _texts_after() -> dict[str, str]:
    return {
        "sentence": gettext(
            "Emails from this game are off. You’re still playing: if you don’t move in time, Darbar moves for you."
        ),
        "way_back": gettext("To get them again, press the button, or send an email that says “start” to %(address)s.")
        % {"address": reply_addresses.mailbox()},
        "button": gettext("Send me emails again"),
    }
