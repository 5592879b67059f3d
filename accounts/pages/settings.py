"""The settings of an account: profile, password, and lists of people."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import override, pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from accounts.authentication import flows, reauthentication
from accounts.authentication.second_factor_middleware import redirect_to_reauthentication
from accounts.limits.attempt_limits import TooManyAttempts
from accounts.models import Block, Follow, Mute
from accounts.pages import settings_forms
from accounts.pages.authentication import add_too_many_attempts, page
from accounts.web.requests import AccountHttpRequest


@never_cache
@login_required
@page
def profile(request: AccountHttpRequest) -> HttpResponse:
    """Show and change the account's name, language and time zone."""
    account = request.user
    form = settings_forms.ProfileForm(_posted(request), initial=settings_forms.ProfileForm.of(account))
    if form.is_valid():
        try:
            flows.update_account(account, form.cleaned_data)
        except ValidationError as error:
            form.add_errors(error.error_dict)
        else:
            with override(account.language):
                messages.success(request, pgettext("message", "Saved."))
            return redirect("settings")
    return _render(request, "profile", form=form)


@never_cache
@sensitive_post_parameters("old", "password")
@login_required
@page
def password(request: AccountHttpRequest) -> HttpResponse:
    """Set a new password. Sessions in other browsers end."""
    may_change = reauthentication.may_ask_for_password(request)
    if request.method == "POST" and not may_change:
        return redirect_to_reauthentication(request.path)
    form = settings_forms.ChangePasswordForm(_posted(request))
    if form.is_valid():
        data = form.cleaned_data
        try:
            flows.change_password(request, request.user, data["old"], data["password"], keep_tokens=data["keep"])
        except flows.WrongPassword:
            form.add_error("old", _("This is not your password."))
        except ValidationError as error:
            form.add_error("password", error)
        except TooManyAttempts:
            return _render(request, "password", 429, form=add_too_many_attempts(form), proved=may_change)
        else:
            messages.success(request, _("Password changed. Other browsers are logged out."))
            return redirect("settings-password")
    return _render(request, "password", form=form, proved=may_change)


@never_cache
@login_required
@page
def people(request: AccountHttpRequest) -> HttpResponse:
    """Show the people that the account follows, and the ones it has blocked or muted. A POST removes one of them."""
    account = request.user
    if request.method == "POST":
        model: Any = {"block": Block, "follow": Follow}.get(request.POST.get("kind", ""), Mute)
        deleted, _by_model = model.objects.filter(owner=account, pk=_id(request)).delete()
        if not deleted:
            raise Http404
        messages.success(request, pgettext("message", "Undone."))
        return redirect("settings-people")
    lists = [
        ("follow", pgettext("title of a page or section", "Followed"), Follow.objects.filter(owner=account)),
        ("block", pgettext("title of a page or section", "Blocked"), Block.objects.filter(owner=account)),
        ("mute", pgettext("title of a page or section", "Muted"), Mute.objects.filter(owner=account)),
    ]
    rendered_lists = [(kind, title, rows.select_related("other").order_by("since")) for kind, title, rows in lists]
    return _render(request, "people", lists=rendered_lists)


def _id(request: HttpRequest) -> UUID:
    try:
        return UUID(request.POST.get("id", ""))
    except ValueError:
        raise Http404 from None


def _posted(request: HttpRequest) -> Any:
    return request.POST if request.method == "POST" else None


def _render(request: HttpRequest, part: str, status: int = 200, **more: Any) -> HttpResponse:
    """Render a page of the settings. The status shows whether a form was refused."""
    form = more.get("form")
    if form is not None and form.errors and status == 200:
        status = 422
    return render(request, f"accounts/settings/{part}.html", {"place": "settings", "part": part, **more}, status=status)
