"""The page on which the owner of an address confirms that emails arrive again.

Opening the page changes nothing, only its button does. The link was sent to that address and is the permission. No
session is used, so another site cannot abuse one.
"""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language_info, gettext, override
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from notifications.delivery import server_emails
from notifications.recipients import deliverability


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
            "sentence": server_emails.why_closed(closed) if closed else gettext("Emails go to your address."),
            "button": gettext("Confirm this address") if closed else "",
        }
        page = render(request, "notifications/confirm.html", context)
    page.headers["Referrer-Policy"] = "no-referrer"
    page.headers["Cache-Control"] = "no-store"
    return page
