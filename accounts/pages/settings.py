"""The settings that belong to an account: who one is, the password, people kept away."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from accounts.authentication import flows, proofs
from accounts.authentication.guard import to_confirm
from accounts.limits.tries import TooManyTries
from accounts.models import Block, Mute
from accounts.pages import wishes
from accounts.pages.entry import page, too_many
from accounts.web.requests import AccountHttpRequest


@never_cache
@login_required
@page
def profile(request: AccountHttpRequest) -> HttpResponse:
    """My name, language and time zone."""
    account = request.user
    form = wishes.Profile(_sent(request), initial=wishes.Profile.of(account))
    if form.is_valid():
        try:
            flows.change(account, form.cleaned_data)
        except ValidationError as refused:
            form.refuse(refused.error_dict)
        else:
            with override(account.language):
                messages.success(request, _("Your settings are kept."))
            return redirect("settings")
    return _shown(request, "profile", form=form)


@never_cache
@sensitive_post_parameters("old", "password")
@login_required
@page
def password(request: AccountHttpRequest) -> HttpResponse:
    """A new password. Whoever was signed in with the old one elsewhere is not any more."""
    proved = proofs.is_enough_with_password(request)
    if request.method == "POST" and not proved:
        return to_confirm(request.path)
    form = wishes.ChangedPassword(_sent(request))
    if form.is_valid():
        said = form.cleaned_data
        try:
            flows.change_password(request, request.user, said["old"], said["password"], keep_programs=said["keep"])
        except flows.WrongPassword:
            form.add_error("old", _("This is not your password."))
        except ValidationError as refused:
            form.add_error("password", refused)
        except TooManyTries:
            return _shown(request, "password", 429, form=too_many(form), proved=proved)
        else:
            messages.success(request, _("Your new password holds from now on; other browsers are logged out."))
            return redirect("settings-password")
    return _shown(request, "password", form=form, proved=proved)


@never_cache
@login_required
@page
def people(request: AccountHttpRequest) -> HttpResponse:
    """Whom I have blocked or muted; the button beside each takes it back."""
    account = request.user
    if request.method == "POST":
        kept: Any = Block if request.POST.get("kind") == "block" else Mute
        deleted, _by_model = kept.objects.filter(owner=account, pk=_id(request)).delete()
        if not deleted:
            raise Http404
        messages.success(request, _("This is taken back."))
        return redirect("settings-people")
    lists = [
        ("block", _("Blocked"), Block.objects.filter(owner=account)),
        ("mute", _("Muted"), Mute.objects.filter(owner=account)),
    ]
    shown = [(kind, title, found.select_related("other").order_by("since")) for kind, title, found in lists]
    return _shown(request, "people", lists=shown)


def _id(request: HttpRequest) -> UUID:
    try:
        return UUID(request.POST.get("id", ""))
    except ValueError:
        raise Http404 from None


def _sent(request: HttpRequest) -> Any:
    return request.POST if request.method == "POST" else None


def _shown(request: HttpRequest, part: str, status: int = 200, **more: Any) -> HttpResponse:
    """One of the pages of the settings; a form that was refused says so by its status too."""
    form = more.get("form")
    if form is not None and form.errors and status == 200:
        status = 422
    return render(request, f"accounts/settings/{part}.html", {"place": "settings", "part": part, **more}, status=status)
