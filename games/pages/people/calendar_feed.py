"""The calendar feed: the form for its address, and the feed itself."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import conditional_page, require_POST, require_safe

from accounts.web.requests import AccountHttpRequest
from games.away import calendar_feed


@require_POST
@never_cache
@login_required
def change_feed(request: AccountHttpRequest) -> HttpResponse:
    """Give the feed a new address, or switch it off."""
    if request.POST.get("do") == "remove":
        calendar_feed.turn_off(request.user)
        messages.success(request, _("The calendar feed is off. Its old address no longer works."))
    else:
        calendar_feed.renew(request.user)
        messages.success(request, _("The calendar feed has a new address. An old one no longer works."))
    return redirect("pages:settings-calendar")


@require_safe
@conditional_page
def calendar_document(request: HttpRequest, token: str) -> HttpResponse:
    """Return the deadlines and vacations of an account as iCalendar. Raises Http404 for an unknown address."""
    account = calendar_feed.account_of_token(token)
    if account is None:
        raise Http404
    headers = {
        "Cache-Control": "private, no-cache",
        "Content-Disposition": 'inline; filename="darbar.ics"',
        "Referrer-Policy": "no-referrer",
        "X-Robots-Tag": "noindex",
    }
    return HttpResponse(calendar_feed.document(account), content_type="text/calendar; charset=utf-8", headers=headers)
