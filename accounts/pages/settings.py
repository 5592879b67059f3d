"""The settings of an account: profile, password, lists of people, the export of its data, and its deletion."""

from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override, pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from accounts import account_data, email_addresses
from accounts.authentication import flows, sessions
from accounts.authentication.sessions import redirect_to_reauthentication
from accounts.authentication.sign_up import WrongCode
from accounts.models import Block, Follow, Mute
from accounts.pages import forms
from accounts.pages.authentication import add_too_many_attempts, page
from accounts.rate_limits import RateLimitExceeded, TooManyAttempts
from accounts.web.requests import AccountHttpRequest
from config.core.email_spellings import canonical, readable

# The session key of the new address to which a code was sent.
_NEW_ADDRESS: Final = "settings:new-address"


@never_cache
@login_required
@page
def profile(request: AccountHttpRequest) -> HttpResponse:
    """Show and change the account's name, language and time zone."""
    account = request.user
    form = forms.ProfileForm(_posted(request), initial=forms.ProfileForm.of(account))
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
    may_change = sessions.may_ask_for_password(request)
    if request.method == "POST" and not may_change:
        return redirect_to_reauthentication(request.path)
    form = forms.ChangePasswordForm(_posted(request))
    if form.is_valid():
        data = form.cleaned_data
        try:
            flows.change_password(request, request.user, data["old"], data["password"], keep_tokens=data["keep"])
        except flows.WrongPassword:
            form.add_error("old", _("This isn’t your password."))
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
def address(request: AccountHttpRequest) -> HttpResponse:
    """Ask for a new address of the account, and for the code that was sent to it."""
    if not sessions.is_recent(request):
        return redirect_to_reauthentication(request.path) if request.method == "POST" else _render(request, "address")
    account, now, status = request.user, timezone.now(), 200
    asks_for_other = "email" in request.POST or "other" in request.GET
    new_address = "" if asks_for_other else request.session.get(_NEW_ADDRESS, "")
    form = forms.NewAddressCodeForm(_posted(request)) if new_address else forms.NewAddressForm(_posted(request))
    if form.is_valid():
        try:
            if new_address:
                email_addresses.use_new_address_code(
                    request, new_address, form.cleaned_data["code"], now, account=account
                )
                del request.session[_NEW_ADDRESS]
                messages.success(request, _("Your account has a new address."))
            else:
                email_addresses.send_new_address_code(request, account, form.cleaned_data["email"], now)
                request.session[_NEW_ADDRESS] = canonical(form.cleaned_data["email"])
                messages.success(request, _("We’ve emailed you a code."))
            return redirect("settings-address")
        except ValidationError as error:
            form.add_error("email", error)
        except WrongCode:
            form.add_error("code", _("This isn’t the code from our last email, or it has expired."))
        except (RateLimitExceeded, TooManyAttempts):
            add_too_many_attempts(form)
            status = 429
    return _render(
        request, "address", status, form=form, proved=True, new_address=new_address and readable(new_address)
    )


@never_cache
@login_required
@page
def download(request: AccountHttpRequest, id: UUID) -> HttpResponse:
    """Download the data of the account once, with a link from an email. A GET shows a button only."""
    now = timezone.now()
    links = email_addresses.downloads(request.user, id, now)
    if not links.exists():
        raise Http404
    if request.method != "POST":
        return _render(request, "download")
    answer = _data(request)
    if answer.status_code == 200:
        links.delete()
    return answer


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


@never_cache
@sensitive_post_parameters("password", "code")
@login_required
@page
def export_and_delete(request: AccountHttpRequest) -> HttpResponse:
    """Export or delete the account."""
    may_change = sessions.may_ask_for_password(request)
    if request.method == "POST" and not may_change:
        return redirect_to_reauthentication(request.path)
    form = forms.DeletionForm(request.POST if request.method == "POST" else None)
    status = 200
    if form.is_valid():
        now = timezone.now()
        try:
            account_data.verify_owner(request, request.user, now, **form.cleaned_data)
        except flows.WrongPassword:
            form.add_error("password", _("This isn’t your password."))
        except WrongCode:
            form.add_error("code", _("This isn’t the code from our last email, or it has expired."))
        except TooManyAttempts:
            add_too_many_attempts(form)
            status = 429
        else:
            account_data.delete_account(request.user, now)
            logout(request)
            messages.success(request, _("Your account is deleted."))
            return redirect("pages:home")
    context = {"place": "settings", "part": "account", "form": form, "proved": may_change}
    status = 422 if form.errors and status == 200 else status
    return render(request, "accounts/settings/account.html", context, status=status)


@login_required
@require_POST
def send_deletion_code(request: AccountHttpRequest) -> HttpResponse:
    """Email a code that the owner can use in place of the password."""
    try:
        account_data.send_deletion_code(request, request.user, timezone.now())
    except TooManyAttempts:
        messages.error(request, _("Too many attempts. Try again in an hour."))
    else:
        messages.success(request, _("We’ve emailed you a code."))
    return redirect("settings-account")


@never_cache
@login_required
@require_safe
def export(request: AccountHttpRequest) -> HttpResponse:
    """Return all data about the account as a file."""
    return _data(request)


def _data(request: AccountHttpRequest) -> HttpResponse:
    try:
        answer = JsonResponse(
            account_data.export_account(request.user, timezone.now()),
            json_dumps_params={"ensure_ascii": False, "indent": 1},
        )
    except RateLimitExceeded:
        messages.error(request, _("Too many attempts. Try again later."))
        return redirect("settings-account")
    answer.headers["Content-Disposition"] = 'attachment; filename="darbar.json"'
    return answer
