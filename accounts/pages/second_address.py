"""The page on which the owner of an account lets a second address answer by email.

The link was sent to the account's own address and is the permission. Opening the page changes nothing.
"""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.cache import never_cache

from accounts import email_addresses
from accounts.authentication.sign_up import WrongCode
from accounts.pages import forms
from accounts.pages.authentication import add_too_many_attempts, page
from accounts.rate_limits import TooManyAttempts
from config.core.email_spellings import readable


@never_cache
@page
def second_address(request: HttpRequest, token: str) -> HttpResponse:
    """Show the address with a button that sends a code to it, then the form for the code."""
    row, now = email_addresses.find_second(token), timezone.now()
    if row is None:
        raise Http404
    with override(row.account.language):
        is_code = "code" in request.POST
        form = forms.NewAddressCodeForm(request.POST if is_code else None)
        status = 200
        try:
            if is_code and form.is_valid():
                email_addresses.confirm_second(request, row, form.cleaned_data["code"], now)
                return redirect("second-address", token)
            if request.method == "POST" and not is_code:
                if row.confirmed_at:
                    email_addresses.forbid_second(row)
                else:
                    email_addresses.send_second_code(request, row, now)
                return redirect("second-address", token)
        except WrongCode:
            form.add_error("code", _("This isn’t the code from our last email, or it has expired."))
        except TooManyAttempts:
            add_too_many_attempts(form)
            status = 429
        status = 422 if form.errors and status == 200 else status
        asks_for_code = row.confirmed_at is None and (is_code or email_addresses.is_second_code_sent(row, now))
        context = {
            "form": form if asks_for_code else None,
            "address": readable(row.address),
            "name": row.account.name,
            "is_confirmed": row.confirmed_at is not None,
            "errors": [] if asks_for_code else form.non_field_errors(),
        }
        return render(request, "accounts/second_address.html", context, status=status)
