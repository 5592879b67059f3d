"""Decorators for views of a club."""

from collections.abc import Callable
from functools import wraps
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from accounts.models import Account
from accounts.web.requests import AccountHttpRequest
from games.clubs.rights import get_membership
from games.models import Membership
from games.pages.shared.views import refusal_text
from games.refusals import Refusal

View = Callable[..., HttpResponse]


def _own_membership(account: Account, club: UUID) -> Membership:
    try:
        return get_membership(account, club)
    except Refusal:
        raise Http404 from None


def club_page(view: View) -> View:
    """Decorate a view that shows a club to its members. Other accounts get a 404."""

    @require_safe
    @login_required
    @wraps(view)
    def wrapper(request: AccountHttpRequest, club: UUID) -> HttpResponse:
        return view(request, _own_membership(request.user, club))

    return wrapper


def club_action(page: str) -> Callable[[View], View]:
    """Return a decorator for views of a club's forms. Refusals are shown on the page with this URL name."""

    def decorate(view: View) -> View:
        @require_POST
        @login_required
        @wraps(view)
        def wrapper(request: AccountHttpRequest, club: UUID, **more: UUID) -> HttpResponse:
            membership = _own_membership(request.user, club)
            try:
                return view(request, membership, **more)
            except Refusal as refusal:
                if refusal.code == "not-found":
                    raise Http404 from None
                messages.error(request, refusal_text(refusal))
                return redirect(page, club)

        return wrapper

    return decorate
