"""The second step of a log-in, and authenticating again before an action that is hard to undo."""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from accounts.authentication import flows, reauthentication, two_factor
from accounts.authentication.second_factor_middleware import redirect_to_reauthentication
from accounts.limits import attempt_limits
from accounts.models import Account
from accounts.pages.authentication import WAITING, add_too_many_attempts, complete_log_in, next_page, page
from accounts.pages.forms import FlowForm
from accounts.second_factor import factors, passkeys
from accounts.web.requests import AccountHttpRequest
from games.templatetags.live import is_look

# The seconds that may pass between the password and the second factor.
WAITS_FOR: Final = 10 * 60
# The characters of a browser's answer about a passkey.
LONGEST_CREDENTIAL: Final = 20_000


class SecondFactorForm(FlowForm):
    """A code, or a browser's answer about a passkey."""

    code = forms.CharField(
        label=gettext_lazy("Code from your authenticator app, or a recovery code"),
        max_length=40,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric", "dir": "ltr"}),
    )
    credential = forms.CharField(max_length=LONGEST_CREDENTIAL, required=False, widget=forms.HiddenInput)


class ReauthenticationForm(SecondFactorForm):
    """The password, and a second factor if the account has one."""

    password = forms.CharField(
        label=pgettext_lazy("label of a field", "Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    field_order = ("password", "code", "credential")

    def __init__(self, data: Any, *, factor: bool) -> None:
        super().__init__(data)
        if not factor:
            del self.fields["code"], self.fields["credential"]


@never_cache
@sensitive_post_parameters("code", "credential")
@page
def second_factor(request: HttpRequest) -> HttpResponse:
    """Ask for the second factor after a correct password."""
    account = _pending_account(request)
    if account is None:
        return redirect("account_login")
    form = SecondFactorForm(request.POST if request.method == "POST" else None)
    status = 200
    if form.is_valid():
        status = _use_factor(request, account, form)
        if not form.errors:
            return complete_log_in(request, account, request.session.pop(WAITING)["next"], factor=True)
    return _render(request, "accounts/second_step.html", form, account, status)


@never_cache
@sensitive_post_parameters("password", "code", "credential")
@login_required
@page
def reauthenticate(request: AccountHttpRequest) -> HttpResponse:
    """Authenticate the owner of the session again, and return to the page that requires it."""
    account, factor = request.user, factors.has_factor(request.user)
    form = ReauthenticationForm(request.POST if request.method == "POST" else None, factor=factor)
    status = 200
    if form.is_valid():
        try:
            flows.check_password(request, account, form.cleaned_data["password"])
        except flows.WrongPassword:
            form.add_error("password", _("This is not your password."))
        except attempt_limits.TooManyAttempts:
            add_too_many_attempts(form)
            status = 429
        else:
            status = _use_factor(request, account, form) if factor else 200
            if not form.errors:
                reauthentication.record(request, timezone.now(), factor=factor)
                return redirect(next_page(request))
    return _render(request, "accounts/again.html", form, account, status)


def require_recent_authentication(
    back: str = "",
) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """Require a recent authentication for a view. Other visitors authenticate again and come back.

    They come back to the page named ``back`` if the view itself cannot be opened by GET.
    """

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if reauthentication.is_recent(request):
                return view(request, *args, **kwargs)
            return redirect_to_reauthentication(reverse(back) if back else request.path)

        return guarded

    return decorate


def _use_factor(request: HttpRequest, account: Account, form: SecondFactorForm) -> int:
    """Check the code or passkey of a form. Return the status of the page: 200, or 429 after too many attempts.

    A wrong factor adds an error to the form.
    """
    try:
        if form.cleaned_data["credential"]:
            passkeys.use(account, form.cleaned_data["credential"])
        else:
            two_factor.use_code(request, account, form.cleaned_data["code"])
    except factors.WrongFactor:
        message = _("This code or passkey is wrong, or the code has been used. Wait for the next code and try again.")
        form.add_error("code", message)
    except attempt_limits.TooManyAttempts:
        add_too_many_attempts(form)
        return 429
    return 200


def _pending_account(request: HttpRequest) -> Account | None:
    """Return the account whose password was entered in this browser shortly before.

    Returns None if the password has changed since.
    """
    waiting = request.session.get(WAITING, {})
    if not 0 <= time.time() - waiting.get("at", 0) < WAITS_FOR:
        return None
    account = Account.objects.filter(pk=waiting["account"], is_active=True).first()
    if account is None or not constant_time_compare(account.get_session_auth_hash(), waiting["hash"]):
        return None
    return account


def _render(request: HttpRequest, template: str, form: SecondFactorForm, account: Account, status: int) -> HttpResponse:
    options = passkeys.request_options(account) if factors.has_passkey(account) and not is_look(request) else None
    context = {"form": form, "next": next_page(request), "passkey_options": options}
    return render(request, template, context, status=422 if form.errors and status == 200 else status)
