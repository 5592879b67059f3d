"""The second step of a log-in, authenticating again, and the settings of two-factor login."""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from accounts import rate_limits, second_factors
from accounts.authentication import flows, sessions
from accounts.authentication.sessions import redirect_to_reauthentication
from accounts.local_times import in_digits
from accounts.models import Account
from accounts.pages.authentication import WAITING, add_too_many_attempts, complete_log_in, next_page, page
from accounts.pages.forms import FlowForm
from accounts.second_factors import UnreadableFactor
from accounts.web.requests import AccountHttpRequest
from games.templatetags.live import is_look

# The maximum number of seconds between the password and the second factor.
WAITS_FOR: Final = 10 * 60
# The maximum number of characters of a browser's answer about a passkey.
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
    account, factor = request.user, second_factors.has_factor(request.user)
    form = ReauthenticationForm(request.POST if request.method == "POST" else None, factor=factor)
    status = 200
    if form.is_valid():
        try:
            flows.check_password(request, account, form.cleaned_data["password"])
        except flows.WrongPassword:
            form.add_error("password", _("This isn’t your password."))
        except rate_limits.TooManyAttempts:
            add_too_many_attempts(form)
            status = 429
        else:
            status = _use_factor(request, account, form) if factor else 200
            if not form.errors:
                sessions.record_authentication(request, timezone.now(), factor=factor)
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
            if sessions.is_recent(request):
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
            second_factors.use(account, form.cleaned_data["credential"])
        else:
            flows.use_code(request, account, form.cleaned_data["code"])
    except second_factors.WrongFactor:
        message = _("This code or passkey is wrong, or the code has been used. Wait for the next code and try again.")
        form.add_error("code", message)
    except rate_limits.TooManyAttempts:
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
    options = (
        second_factors.request_options(account)
        if second_factors.has_passkey(account) and not is_look(request)
        else None
    )
    context = {"form": form, "next": next_page(request), "passkey_options": options}
    return render(request, template, context, status=422 if form.errors and status == 200 else status)


# The session key of the secret of an app that is being set up, encrypted.
_SECRET: Final = "factors:secret"


class NewAppForm(FlowForm):
    """The code that a new authenticator app shows."""

    code = forms.CharField(
        label=gettext_lazy("The code that the app shows now"),
        max_length=40,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric", "dir": "ltr"}),
    )


class NewPasskeyForm(FlowForm):
    """A new passkey."""

    name = forms.CharField(
        label=pgettext_lazy("label of a field", "Name"),
        max_length=second_factors.LONGEST_NAME,
        help_text=gettext_lazy("To tell it apart from others. For example: my phone, the blue key."),
    )
    credential = forms.CharField(max_length=LONGEST_CREDENTIAL, required=False, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        if not self.cleaned_data.get("credential"):
            self.add_error(None, _("Press the button again, and let your browser create the passkey."))
        return self.cleaned_data


@never_cache
@login_required
@require_safe
def overview(request: AccountHttpRequest) -> HttpResponse:
    """List the second factors of the account."""
    rows = second_factors.factors_of(request.user)
    with_app = any(factor.type == second_factors.Type.TOTP for factor in rows)
    return _render_settings(request, "factors", factors=[_describe(factor) for factor in rows], with_app=with_app)


@never_cache
@sensitive_post_parameters("code")
@login_required
@require_recent_authentication()
@page
def app(request: AccountHttpRequest) -> HttpResponse:
    """Set up an authenticator app: show its secret as a picture, a link and a text, and check the code that it
    shows."""
    account, secret = request.user, _new_secret(request)
    form = NewAppForm(request.POST if request.method == "POST" else None)
    status = 200
    if form.is_valid():
        first = not second_factors.has_factor(account)
        try:
            flows.add_app(request, account, secret, form.cleaned_data["code"])
        except second_factors.WrongFactor:
            form.add_error("code", _("The app shows a different code. Is the clock of its device right?"))
        except second_factors.FactorExists:
            form.add_error(None, _("You already have an authenticator app. Remove it first."))
        except rate_limits.TooManyAttempts:
            add_too_many_attempts(form)
            status = 429
        else:
            del request.session[_SECRET]
            return _added(request, _("The authenticator app is set up."), first=first)
    address = second_factors.address_of(account, secret)
    return _render_settings(
        request,
        "factor_app",
        status,
        form=form,
        secret=secret,
        address=address,
        qr=second_factors.draw_qr_code(address),
    )


@never_cache
@sensitive_post_parameters("credential")
@login_required
@require_recent_authentication()
@page
def passkey(request: AccountHttpRequest) -> HttpResponse:
    """Add a passkey, which a script requests from the browser."""
    account = request.user
    form = NewPasskeyForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        first = not second_factors.has_factor(account)
        try:
            flows.add_passkey(request, account, form.cleaned_data["name"], form.cleaned_data["credential"])
        except second_factors.WrongFactor:
            form.add_error(None, _("The browser sent an invalid passkey. Please try again."))
        except second_factors.FactorExists:
            sentence = _("You have %(most)s passkeys, which is the limit. Remove one first.")
            form.add_error(None, sentence % {"most": in_digits(str(second_factors.MOST_PASSKEYS))})
        else:
            return _added(request, _("The passkey was added."), first=first)
    options = None if is_look(request) else second_factors.creation_options(account)
    return _render_settings(request, "factor_passkey", form=form, passkey_options=options)


@never_cache
@login_required
@require_recent_authentication()
@page
def codes(request: AccountHttpRequest) -> HttpResponse:
    """Show the recovery codes that are left. A POST replaces them."""
    account = request.user
    if not second_factors.has_factor(account):
        return redirect("settings-factors")
    if request.method == "POST":
        flows.renew_recovery_codes(request, account)
        messages.success(request, _("These are your new recovery codes. The old ones no longer work."))
        return redirect("settings-factor-codes")
    try:
        left = second_factors.recovery_codes(account)
    except UnreadableFactor:
        messages.error(request, _("The old codes can no longer be read. Please make new ones."))
        left = []
    return _render_settings(request, "factor_codes", codes=[f"{code[:4]} {code[4:]}" for code in left])


@login_required
@require_POST
@require_recent_authentication("settings-factors")
def remove(request: AccountHttpRequest, factor: int) -> HttpResponse:
    """Remove a second factor of the account."""
    if not flows.remove(request, request.user, factor):
        raise Http404
    messages.success(request, pgettext("message", "Removed."))
    return redirect("settings-factors")


def _added(request: HttpRequest, message: str, *, first: bool) -> HttpResponse:
    """Redirect to the recovery codes, which are new with the first factor, or back to the list."""
    messages.success(request, message)
    return redirect("settings-factor-codes" if first else "settings-factors")


def _new_secret(request: HttpRequest) -> str:
    """Return the secret of the app that is being set up in this session."""
    if _SECRET not in request.session:
        request.session[_SECRET] = get_adapter().encrypt(second_factors.new_secret())
    return str(get_adapter().decrypt(request.session[_SECRET]))


def _describe(factor: Authenticator) -> dict[str, Any]:
    passkey = factor.type == second_factors.Type.WEBAUTHN
    name = factor.wrap().name if passkey else _("Authenticator app")
    return {
        "pk": factor.pk,
        "name": name,
        "passkey": passkey,
        "created_at": factor.created_at,
        "last_used_at": factor.last_used_at,
    }


def _render_settings(request: HttpRequest, part: str, status: int = 200, **more: Any) -> HttpResponse:
    form = more.get("form")
    if form is not None and form.errors and status == 200:
        status = 422
    context = {"place": "settings", "part": "factors", **more}
    return render(request, f"accounts/settings/{part}.html", context, status=status)
