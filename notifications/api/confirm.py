"""The page on which somebody says that emails reach their address again.

Looking at it changes nothing; the button does. The link came to that address and is the authority: no session is
looked at, so there is none that a stranger's page could use.
"""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language_info, gettext, override
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from notifications.delivery import confirmation
from notifications.recipients import deliverability


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """The page with the button, and the button."""
    account = confirmation.account_of(token)
    if account is None:
        raise Http404
    if request.method == "POST":
        deliverability.confirm(account.email, timezone.now())
    closed = deliverability.of(account.email)
    with override(account.language):
        shown = {
            "language": account.language,
            "direction": "rtl" if get_language_info(account.language)["bidi"] else "ltr",
            "title": gettext("Do you get emails from Darbar?"),
            "sentence": confirmation.why(closed) if closed else gettext("Emails go to your address."),
            "button": gettext("Confirm this address") if closed else "",
        }
        page = render(request, "notifications/confirm.html", shown)
    page.headers["Referrer-Policy"] = "no-referrer"
    page.headers["Cache-Control"] = "no-store"
    return page
