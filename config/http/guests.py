"""The restriction of guests to the pages that are for them."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _

from accounts.people.guests import GUEST_VIEWS, is_guest
from config.http.headers import API


class GuestAccess(MiddlewareMixin):
    """Redirects guests to the sign-up page, except from the pages on which they play with bots."""

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        """Return a redirect to the sign-up page, or None if the view is for guests too."""
        match = request.resolver_match
        if match is None or match.view_name in GUEST_VIEWS or request.path.startswith(API) or not is_guest(request):
            return None
        messages.info(request, _("For this you need an account. You keep your games."))
        return redirect("account_signup")
