"""The settings that belong to an account: who one is, the password, tokens and apps, people kept away."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_POST

from accounts import flows, grants, security_log, tokens
from accounts.models import Account, Block, Mute, Token
from accounts.pages import wishes
from accounts.pages.entry import page, too_many
from accounts.tries import TooManyTries


@never_cache
@login_required
@page
def profile(request: HttpRequest) -> HttpResponse:
    """My name, language and time zone."""
    account = _me(request)
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
def password(request: HttpRequest) -> HttpResponse:
    """A new password. Whoever was signed in with the old one elsewhere is not any more."""
    form = wishes.ChangedPassword(_sent(request))
    if form.is_valid():
        said = form.cleaned_data
        try:
            flows.change_password(request, _me(request), said["old"], said["password"], keep_programs=said["keep"])
        except flows.WrongPassword:
            form.add_error("old", _("This is not your password."))
        except ValidationError as refused:
            form.add_error("password", refused)
        except TooManyTries:
            return _shown(request, "password", 429, form=too_many(form))
        else:
            messages.success(request, _("Your new password holds from now on; other browsers are logged out."))
            return redirect("settings-password")
    return _shown(request, "password", form=form)


@never_cache
@sensitive_post_parameters("password")
@sensitive_variables("text")
@login_required
@page
def programs(request: HttpRequest) -> HttpResponse:
    """My tokens and the apps I have allowed. A new token is shown in the answer to its form, and never again."""
    account, form = _me(request), wishes.NewToken(_sent(request))
    made: Token | None = None
    text, status = "", 200
    if form.is_valid():
        try:
            flows.prove(request, account.email, form.cleaned_data["password"])
        except TooManyTries:
            too_many(form)
            status = 429
        except (flows.WrongPassword, flows.NotConfirmed, flows.Refused):
            form.add_error("password", _("This is not your password."))
        else:
            made, text = tokens.issue(account, *form.chosen())
            security_log.record("token-created", request, account, token=made.public_id)
            form = wishes.NewToken()
    mine = Token.objects.filter(user=account).order_by("-created")
    allowed = grants.of(account, timezone.now())
    return _shown(request, "programs", status, form=form, tokens=mine, grants=allowed, made=made, text=text)


@login_required
@require_POST
def revoke(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Have a token of mine work no more."""
    deleted, _by_model = Token.objects.filter(user=_me(request), public_id=public_id).delete()
    if not deleted:
        raise Http404
    security_log.record("token-revoked", request, _me(request), token=public_id)
    messages.success(request, _("The token works no more."))
    return redirect("settings-programs")


@login_required
@require_POST
def forbid(request: HttpRequest, client_id: str) -> HttpResponse:
    """Allow an app nothing any more."""
    if not grants.end(_me(request).pk, client_id):
        raise Http404
    messages.success(request, _("The app can act for you no more."))
    return redirect("settings-programs")


@never_cache
@login_required
@page
def people(request: HttpRequest) -> HttpResponse:
    """Whom I have blocked or muted; the button beside each takes it back."""
    account = _me(request)
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


def _me(request: HttpRequest) -> Account:
    assert isinstance(request.user, Account)
    return request.user


def _sent(request: HttpRequest) -> Any:
    return request.POST if request.method == "POST" else None


def _shown(request: HttpRequest, part: str, status: int = 200, **more: Any) -> HttpResponse:
    """One of the pages of the settings; a form that was refused says so by its status too."""
    form = more.get("form")
    if form is not None and form.errors and status == 200:
        status = 422
    return render(request, f"accounts/settings/{part}.html", {"place": "settings", "part": part, **more}, status=status)
