"""The settings of channels: the channels of each kind of notification, their addresses, and devices for push
messages."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.limits.rate_limits import CHANNEL_TESTS, RateLimitExceeded, enforce
from accounts.pages.authentication import page
from accounts.pages.channel_forms import ChannelsForm
from accounts.web.requests import AccountHttpRequest
from notifications.delivery import server_emails
from notifications.endpoints import Device
from notifications.recipients import preferences


@never_cache
@login_required
@page
def channels(request: AccountHttpRequest) -> HttpResponse:
    """Show and change the channels of each kind of notification, and list the devices."""
    account = request.user
    row = preferences.of(account)
    form = ChannelsForm(row, request.POST if request.method == "POST" else None)
    if form.is_valid():
        preferences.change(account, form.changes(), timezone.now())
        messages.success(request, pgettext("message", "Saved."))
        return redirect("settings-channels")
    devices = Device.objects.filter(account=account).order_by("-created_at")
    places = form.places(server_emails.last_outcomes(account))
    context = {"place": "settings", "part": "channels", "form": form, "devices": devices, "places": places}
    return render(request, "accounts/settings/channels.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def remove(request: AccountHttpRequest, device: UUID) -> HttpResponse:
    deleted, _by_model = Device.objects.filter(account=request.user, pk=device).delete()
    if not deleted:
        raise Http404
    messages.success(request, _("Device removed."))
    return redirect("settings-channels")


@login_required
@require_POST
def test(request: AccountHttpRequest, channel: str) -> HttpResponse:
    """Send a test message by one of the account's channels."""
    now = timezone.now()
    try:
        enforce(request.user.pk, CHANNEL_TESTS, now)
    except RateLimitExceeded:
        messages.error(request, _("Too many attempts. Try again later."))
        return redirect("settings-channels")
    if not server_emails.send_test(request.user, channel, now):
        raise Http404
    messages.success(request, _("Test message sent. Reload this page to see the result."))
    return redirect("settings-channels")
