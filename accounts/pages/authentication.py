"""The pages of sign-up, confirmation of the address, log-in, log-out, a new password, and the language."""

import time
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST
from django.views.i18n import set_language

from accounts.authentication import flows, sessions
from accounts.authentication import sign_up as sign_up_flow
from accounts.authentication.sign_up import WrongCode
from accounts.models import Account, Language
from accounts.pages import forms
from accounts.rate_limits import TooManyAttempts
from accounts.second_factors import has_factor
from accounts.web.requests import compressed_for_visitors
from config.core.email_spellings import canonical

# The session key of the address that is being confirmed.
ADDRESS: Final = "entry:address"
# The session key of the ids of this browser's requests for a code to that address.
_PENDING: Final = "entry:asked"
_MOST_PENDING: Final = 10
# The session key of the page that the visitor wanted to see.
_NEXT: Final = "entry:next"
# The session key of the account that has given its password, and not yet its second factor.
WAITING: Final = "entry:waiting"

page = require_http_methods(["GET", "HEAD", "POST"])


@never_cache
@compressed_for_visitors
@page
def sign_up(request: HttpRequest) -> HttpResponse:
    """Show the sign-up form. Then redirect to the page that asks for the code."""
    if isinstance(request.user, Account) and not request.user.is_guest:
        return redirect(next_page(request))
    if message := sign_up_flow.closed_message():
        return render(request, "accounts/sign_up_closed.html", {"said": message}, status=403)
    form = forms.SignUpForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            request_id = sign_up_flow.sign_up(request, form.cleaned_data)
        except ValidationError as error:
            form.add_errors(error.error_dict)
        except TooManyAttempts:
            return render_form(request, "accounts/sign_up.html", add_too_many_attempts(form), 429)
        else:
            return _redirect_to_code(request, form.cleaned_data["email"], request_id)
    return render_form(request, "accounts/sign_up.html", form)


@never_cache
@sensitive_post_parameters("password")
@page
def confirm(request: HttpRequest) -> HttpResponse:
    """Confirm the address with the code and the password, and log in."""
    own_requests = _pending_requests(request)
    form_class = forms.CodeForm if own_requests else forms.CodeInOtherBrowserForm
    if sign_up_flow.lacks_password(own_requests):
        form_class = forms.CodeAndPasswordForm
    form = form_class(request.POST if request.method == "POST" else None, initial=_is_logged_in(request))
    if form.is_valid():
        data = form.cleaned_data
        try:
            account = sign_up_flow.confirm(
                request, data["email"], data["code"], password=data.get("password", ""), own_requests=own_requests
            )
        except sign_up_flow.WrongCode:
            form.add_error("code", wrong_code_message())
        except ValidationError as error:
            form.add_errors(error.error_dict)
        except TooManyAttempts:
            return render_form(request, "accounts/code.html", add_too_many_attempts(form), 429)
        else:
            return _log_in(request, account)
    return render_form(request, "accounts/code.html", form, mailbox=settings.MAILBOX)


@never_cache
@compressed_for_visitors
@sensitive_post_parameters("password")
@page
def log_in(request: HttpRequest) -> HttpResponse:
    """Log in with address and password. If the address is not confirmed, redirect to the page that asks for the
    code."""
    if isinstance(request.user, Account) and not request.user.is_guest:
        return redirect(next_page(request))
    form = forms.LogInForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            account = flows.authenticate(request, form.cleaned_data["email"], form.cleaned_data["password"])
        except flows.WrongPassword:
            form.add_error(
                None,
                _("No account has this email and password. If you haven’t confirmed yours yet, sign up once more."),
            )
        except flows.EmailNotConfirmed as error:
            return _redirect_to_code(request, form.cleaned_data["email"], error.request_id)
        except flows.SecondFactorRequired as error:
            return _log_in(request, error.account)
        except flows.AccountClosed:
            form.add_error(None, _("This account is closed."))
        except TooManyAttempts:
            return render_form(request, "accounts/log_in.html", add_too_many_attempts(form), 429)
        else:
            return _log_in(request, account)
    return render_form(request, "accounts/log_in.html", form)


@require_POST
def log_out(request: HttpRequest) -> HttpResponse:
    """Log out, and clear the pages that the browser has stored. A guest, who cannot log in again, is asked first."""
    if isinstance(request.user, Account) and request.user.is_guest and "sure" not in request.POST:
        return render(request, "accounts/log_out_guest.html")
    flows.log_out(request)
    response = redirect(settings.LOGIN_REDIRECT_URL)
    response.headers["Clear-Site-Data"] = '"cache"'
    return response


def render_form(
    request: HttpRequest, template: str, form: forms.FlowForm, status: int = 200, **more: Any
) -> HttpResponse:
    """Render a page with its form. The status shows whether the form was refused."""
    status = 422 if form.errors and status == 200 else status
    return render(request, template, {"form": form, "next": next_page(request), **more}, status=status)


def add_too_many_attempts(form: forms.FlowForm) -> forms.FlowForm:
    """Add the error about too many attempts to a form, and return the form."""
    form.add_error(None, _("Too many attempts. Please wait a while."))
    return form


def wrong_code_message() -> str:
    return _("This code is wrong or has expired. If you got several, try the others.")


def _is_logged_in(request: HttpRequest) -> dict[str, str]:
    return {"email": request.session.get(ADDRESS, "")}


def _pending_requests(request: HttpRequest) -> list[UUID]:
    """Return the ids of this browser's requests for a code."""
    return [UUID(request_id) for request_id in request.session.get(_PENDING, ())]


def _redirect_to_code(request: HttpRequest, email: str, request_id: UUID) -> HttpResponse:
    """Store the address, the request and the next page in the session, and redirect to the page that asks for the
    code."""
    request.session[ADDRESS] = canonical(email)
    request.session[_PENDING] = [*map(str, _pending_requests(request)), str(request_id)][-_MOST_PENDING:]
    request.session[_NEXT] = next_page(request)
    return redirect("account_email_verification_sent")


def _log_in(request: HttpRequest, account: Account) -> HttpResponse:
    """Log in and redirect to the next page. With a second factor, redirect to the page that asks for it."""
    next_url = request.session.pop(_NEXT, None) or next_page(request)
    request.session.pop(ADDRESS, None)
    request.session.pop(_PENDING, None)
    if has_factor(account):
        request.session[WAITING] = {
            "account": account.pk,
            "hash": account.get_session_auth_hash(),
            "at": time.time(),
            "next": next_url,
        }
        return redirect("mfa_authenticate")
    return complete_log_in(request, account, next_url, factor=False)


def complete_log_in(request: HttpRequest, account: Account, next_url: str, *, factor: bool) -> HttpResponse:
    """Log in to an account after all proofs, and email its owner if this browser is new to it.

    No email is sent for the very first log-in, which ends the sign-up.
    """
    now = timezone.now()
    is_new = account.last_login is not None and not sessions.is_known_device(request, account)
    flows.log_in(request, account, factor=factor)
    if is_new:
        sessions.report_log_in(request, account, now)
    response = redirect(next_url)
    sessions.remember_device(request, response, account, now)
    return response


def next_page(request: HttpRequest) -> str:
    """Return the page of this server that the visitor wanted to see before they were asked to log in, or the home
    page."""
    url = request.POST.get("next") or request.GET.get("next") or ""
    is_own = url_has_allowed_host_and_scheme(url, {request.get_host()}, require_https=request.is_secure())
    return url if is_own else resolve_url(settings.LOGIN_REDIRECT_URL)


@never_cache
@compressed_for_visitors
@page
def request_password_reset(request: HttpRequest) -> HttpResponse:
    """Send a code if the address has an account. The page is the same if it has none."""
    form = forms.ForgottenPasswordForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        email = canonical(form.cleaned_data["email"])
        try:
            sign_up_flow.request_reset(request, email)
        except TooManyAttempts:
            return render_form(request, "accounts/forgotten.html", add_too_many_attempts(form), 429)
        request.session[ADDRESS] = email
        return redirect("account_confirm_password_reset_code")
    return render_form(request, "accounts/forgotten.html", form)


@never_cache
@sensitive_post_parameters("password")
@page
def reset_password_by_code(request: HttpRequest) -> HttpResponse:
    """Set a new password with the code. All other sessions end."""
    initial = {"email": request.session.get(ADDRESS, "")}
    form = forms.PasswordResetForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        data = form.cleaned_data
        try:
            account = sign_up_flow.reset_password(
                request, data["email"], data["code"], data["password"], keep_tokens=data["keep"]
            )
        except WrongCode:
            form.add_error("code", wrong_code_message())
        except ValidationError as error:
            form.add_error("password", error)
        except TooManyAttempts:
            return render_form(request, "accounts/renew.html", add_too_many_attempts(form), 429)
        else:
            messages.success(request, _("Password changed. Log in with the new one."))
            response = redirect("account_login")
            # Wrong codes from other networks do not lock out the reader of the email.
            sessions.remember_device(request, response, account, timezone.now())
            return response
    return render_form(request, "accounts/renew.html", form)


@require_POST
def switch_language(request: HttpRequest) -> HttpResponse:
    """Store the language in the account and in the browser, and return to the page."""
    language = request.POST.get("language", "")
    if isinstance(request.user, Account) and language in Language.values:
        flows.update_account(request.user, {"language": language})
    return set_language(request)
