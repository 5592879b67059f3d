"""The common part of the pages of a club: who may open them, and where a refusal is said."""

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
from games.clubs.rights import membership
from games.models import Membership
from games.pages.shared.views import refusal_text
from games.refusals import Refusal

View = Callable[..., HttpResponse]


def _own(account: Account, club: UUID) -> Membership:
    try:
        return membership(account, club)
    except Refusal:
        raise Http404 from None


def club_page(view: View) -> View:
    """Make a view that shows a club to its members, and 404 to all others."""

    @require_safe
    @login_required
    @wraps(view)
    def wrapper(request: AccountHttpRequest, club: UUID) -> HttpResponse:
        return view(request, _own(request.user, club))

    return wrapper


def club_action(page: str) -> Callable[[View], View]:
    """Make a view for a form of a club. Refusals are shown on this page of the club."""

    def decorate(view: View) -> View:
        @require_POST
        @login_required
        @wraps(view)
        def wrapper(request: AccountHttpRequest, club: UUID, **more: UUID) -> HttpResponse:
            mine = _own(request.user, club)
            try:
                return view(request, mine, **more)
            except Refusal as refusal:
                if refusal.code == "not-found":
                    raise Http404 from None
                messages.error(request, refusal_text(refusal))
                return redirect(page, club)

        return wrapper

    return decorate
