"""The pages for setting a new password with a code by email."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from accounts.authentication import known_devices, password_reset
from accounts.authentication.sign_up import WrongCode
from accounts.limits.attempt_limits import TooManyAttempts
from accounts.pages import forms
from accounts.pages.authentication import ADDRESS, add_too_many_attempts, page, render_form, wrong_code_message
from accounts.web.compression import compressed_for_visitors


@never_cache
@compressed_for_visitors
@page
def forgotten(request: HttpRequest) -> HttpResponse:
    """Send a code if the address has an account. The page is the same if it has none."""
    form = forms.ForgottenPasswordForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        email = form.cleaned_data["email"].lower()
        try:
            password_reset.request_reset(request, email)
        except TooManyAttempts:
            return render_form(request, "accounts/forgotten.html", add_too_many_attempts(form), 429)
        request.session[ADDRESS] = email
        return redirect("account_confirm_password_reset_code")
    return render_form(request, "accounts/forgotten.html", form)


@never_cache
@sensitive_post_parameters("password")
@page
def renew(request: HttpRequest) -> HttpResponse:
    """Set a new password with the code. All other sessions end."""
    initial = {"email": request.session.get(ADDRESS, "")}
    form = forms.PasswordResetForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        data = form.cleaned_data
        try:
            account = password_reset.reset_password(
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
            known_devices.remember(request, response, account, timezone.now())
            return response
    return render_form(request, "accounts/renew.html", form)
