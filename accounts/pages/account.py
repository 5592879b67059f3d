"""The page for exporting an account's data and for deleting the account."""

from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from accounts.account_data import export_and_deletion
from accounts.authentication import flows, reauthentication
from accounts.authentication.second_factor_middleware import redirect_to_reauthentication
from accounts.authentication.sign_up import WrongCode
from accounts.limits.attempt_limits import TooManyAttempts
from accounts.limits.rate_limits import RateLimitExceeded
from accounts.pages.authentication import add_too_many_attempts, page
from accounts.pages.forms import FlowForm, PasswordField
from accounts.web.requests import AccountHttpRequest


class DeletionForm(FlowForm):
    """The proof that the owner asks."""

    password = PasswordField(required=False)
    code = forms.CharField(
        label=gettext_lazy("or the code from our email"),
        required=False,
        max_length=40,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "dir": "ltr"}),
    )


@never_cache
@sensitive_post_parameters("password", "code")
@login_required
@page
def account(request: AccountHttpRequest) -> HttpResponse:
    """Export or delete the account."""
    may_change = reauthentication.may_ask_for_password(request)
    if request.method == "POST" and not may_change:
        return redirect_to_reauthentication(request.path)
    form = DeletionForm(request.POST if request.method == "POST" else None)
    status = 200
    if form.is_valid():
        now = timezone.now()
        try:
            export_and_deletion.verify_owner(request, request.user, now, **form.cleaned_data)
        except flows.WrongPassword:
            form.add_error("password", _("This is not your password."))
        except WrongCode:
            form.add_error("code", _("This is not the code from our last email, or it has expired."))
        except TooManyAttempts:
            add_too_many_attempts(form)
            status = 429
        else:
            export_and_deletion.delete_account(request.user, now)
            logout(request)
            messages.success(request, _("Your account is deleted. Farewell!"))
            return redirect("pages:home")
    context = {"place": "settings", "part": "account", "form": form, "proved": may_change}
    status = 422 if form.errors and status == 200 else status
    return render(request, "accounts/settings/account.html", context, status=status)


@login_required
@require_POST
def code(request: AccountHttpRequest) -> HttpResponse:
    """Email a code that the owner can use in place of the password."""
    try:
        export_and_deletion.send_deletion_code(request, request.user, timezone.now())
    except TooManyAttempts:
        messages.error(request, _("Too many attempts. Try again in an hour."))
    else:
        messages.success(request, _("A code is on its way to your address."))
    return redirect("settings-account")


@never_cache
@login_required
@require_safe
def export(request: AccountHttpRequest) -> HttpResponse:
    """Return all data about the account as a file."""
    try:
        answer = JsonResponse(
            export_and_deletion.export_data(request.user, timezone.now()),
            json_dumps_params={"ensure_ascii": False, "indent": 1},
        )
    except RateLimitExceeded:
        messages.error(request, _("Too many attempts. Try again later."))
        return redirect("settings-account")
    answer.headers["Content-Disposition"] = 'attachment; filename="darbar.json"'
    return answer
