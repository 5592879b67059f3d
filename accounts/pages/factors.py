"""The settings of two-factor login: an authenticator app, passkeys, recovery codes."""

from typing import Any, Final

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from accounts.authentication import two_factor
from accounts.limits import attempt_limits
from accounts.pages.authentication import add_too_many_attempts, page
from accounts.pages.forms import FlowForm
from accounts.pages.reauthentication import LONGEST_CREDENTIAL, require_recent_authentication
from accounts.second_factor import factors, passkeys, qr
from accounts.second_factor.factor_adapter import UnreadableFactor
from accounts.web.requests import AccountHttpRequest
from games.templatetags.live import is_look

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
        max_length=factors.LONGEST_NAME,
        help_text=gettext_lazy("To tell it from others. For example: my phone, the blue key."),
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
    rows = factors.factors_of(request.user)
    with_app = any(factor.type == factors.Type.TOTP for factor in rows)
    return _render(request, "factors", factors=[_describe(factor) for factor in rows], with_app=with_app)


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
        first = not factors.has_factor(account)
        try:
            two_factor.add_app(request, account, secret, form.cleaned_data["code"])
        except factors.WrongFactor:
            form.add_error("code", _("The app shows another code. Is the clock of its device right?"))
        except factors.FactorExists:
            form.add_error(None, _("There is an authenticator app already. Remove it first."))
        except attempt_limits.TooManyAttempts:
            add_too_many_attempts(form)
            status = 429
        else:
            del request.session[_SECRET]
            return _added(request, _("The authenticator app is set up."), first=first)
    address = factors.address_of(account, secret)
    return _render(request, "factor_app", status, form=form, secret=secret, address=address, qr=qr.draw(address))


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
        first = not factors.has_factor(account)
        try:
            two_factor.add_passkey(request, account, form.cleaned_data["name"], form.cleaned_data["credential"])
        except factors.WrongFactor:
            form.add_error(None, _("The browser sent an invalid passkey. Please try again."))
        except factors.FactorExists:
            sentence = _("You have %(most)s passkeys, which is the limit. Remove one first.")
            form.add_error(None, sentence % {"most": factors.MOST_PASSKEYS})
        else:
            return _added(request, _("The passkey was added."), first=first)
    options = None if is_look(request) else passkeys.creation_options(account)
    return _render(request, "factor_passkey", form=form, passkey_options=options)


@never_cache
@login_required
@require_recent_authentication()
@page
def codes(request: AccountHttpRequest) -> HttpResponse:
    """Show the recovery codes that are left. A POST replaces them."""
    account = request.user
    if not factors.has_factor(account):
        return redirect("settings-factors")
    if request.method == "POST":
        two_factor.renew_recovery_codes(request, account)
        messages.success(request, _("These are your new recovery codes. The old ones no longer work."))
        return redirect("settings-factor-codes")
    try:
        left = factors.recovery_codes(account)
    except UnreadableFactor:
        messages.error(request, _("The old codes can no longer be read. Please make new ones."))
        left = []
    return _render(request, "factor_codes", codes=[f"{code[:4]} {code[4:]}" for code in left])


@login_required
@require_POST
@require_recent_authentication("settings-factors")
def remove(request: AccountHttpRequest, factor: int) -> HttpResponse:
    """Remove a second factor of the account."""
    if not two_factor.remove(request, request.user, factor):
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
        request.session[_SECRET] = get_adapter().encrypt(factors.new_secret())
    return str(get_adapter().decrypt(request.session[_SECRET]))


def _describe(factor: Authenticator) -> dict[str, Any]:
    passkey = factor.type == factors.Type.WEBAUTHN
    name = factor.wrap().name if passkey else _("Authenticator app")
    return {
        "pk": factor.pk,
        "name": name,
        "passkey": passkey,
        "created_at": factor.created_at,
        "last_used_at": factor.last_used_at,
    }


def _render(request: HttpRequest, part: str, status: int = 200, **more: Any) -> HttpResponse:
    form = more.get("form")
    if form is not None and form.errors and status == 200:
        status = 422
    context = {"place": "settings", "part": "factors", **more}
    return render(request, f"accounts/settings/{part}.html", context, status=status)
