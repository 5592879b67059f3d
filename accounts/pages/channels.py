"""The settings of channels and webhooks."""

from typing import Final
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_POST

from accounts.local_times import in_digits
from accounts.pages.authentication import page
from accounts.pages.forms import ChannelsForm
from accounts.rate_limits import CHANNEL_TESTS, WEBHOOK_TESTS, RateLimitExceeded, enforce
from accounts.web.requests import AccountHttpRequest
from notifications import preferences, server_emails, webhooks
from notifications.endpoints import LONGEST_URL, Device, Kind, Webhook
from notifications.outgoing import ForbiddenAddress, place_of


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
def remove_device(request: AccountHttpRequest, device: UUID) -> HttpResponse:
    deleted, _by_model = Device.objects.filter(account=request.user, pk=device).delete()
    if not deleted:
        raise Http404
    messages.success(request, _("Device removed."))
    return redirect("settings-channels")


@login_required
@require_POST
def test_channel(request: AccountHttpRequest, channel: str) -> HttpResponse:
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


_KINDS: Final = {
    Kind.QUESTION: gettext_lazy("A game asks you something"),
    Kind.CLOSED: gettext_lazy("A question for you is closed"),
    Kind.EVENT: gettext_lazy("Something happened in your game"),
    Kind.GAME: gettext_lazy("Your game starts or ends"),
    Kind.CHAT: gettext_lazy("Someone writes in the chat"),
    Kind.PRESENCE: gettext_lazy("Everyone playing is here"),
}


class NewWebhookForm(forms.Form):
    """The form with the address and the kinds of events of a webhook."""

    url = forms.CharField(
        label=pgettext_lazy("label of a field", "URL"),
        max_length=LONGEST_URL,
        help_text=gettext_lazy("A public address that starts with https://."),
        widget=forms.URLInput(attrs={"dir": "ltr"}),
    )
    kinds = forms.MultipleChoiceField(
        label=pgettext_lazy("label of a field", "Events"),
        choices=[(kind.value, label) for kind, label in _KINDS.items()],
        initial=[Kind.QUESTION.value],
        widget=forms.CheckboxSelectMultiple,
    )

    def clean_url(self) -> str:
        """Refuse an address to which the server must not post."""
        url: str = self.cleaned_data["url"]
        try:
            place_of(url, loopback=settings.OUTGOING_LOOPBACK)
        except ForbiddenAddress as error:
            raise ValidationError(str(error)) from None
        return url


@never_cache
@sensitive_variables("secret")
@login_required
@page
def list_webhooks(request: AccountHttpRequest) -> HttpResponse:
    """List and register webhooks. The secret of a new one is shown only in the answer to its form."""
    account = request.user
    form = NewWebhookForm(request.POST if request.method == "POST" else None)
    secret = ""
    if form.is_valid():
        try:
            webhook = webhooks.register_webhook(
                account, form.cleaned_data["url"], form.cleaned_data["kinds"], timezone.now()
            )
        except webhooks.TooMany:
            sentence = _("You have %(most)s webhooks, which is the limit. Delete one first.")
            form.add_error(None, sentence % {"most": in_digits(str(webhooks.MOST))})
        except webhooks.AlreadyThere:
            form.add_error("url", _("You already have a webhook at this address."))
        else:
            secret, form = webhooks.secret(webhook), NewWebhookForm()
    rows = account.webhooks.order_by("created_at", "id")
    context = {"place": "settings", "part": "webhooks", "form": form, "webhooks": rows, "secret": secret}
    return render(request, "accounts/settings/webhooks.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def delete_webhook(request: AccountHttpRequest, id: UUID) -> HttpResponse:
    webhooks.delete(_get_webhook(request, id))
    messages.success(request, _("Webhook deleted."))
    return redirect("settings-webhooks")


@login_required
@require_POST
def test_webhook(request: AccountHttpRequest, id: UUID) -> HttpResponse:
    """Post a test message. A webhook that is switched off is switched on."""
    webhook, now = _get_webhook(request, id), timezone.now()
    try:
        enforce(request.user.pk, WEBHOOK_TESTS, now)
    except RateLimitExceeded:
        messages.error(request, _("Too many attempts. Try again later."))
        return redirect("settings-webhooks")
    if webhook.disabled_at is not None:
        webhooks.enable(webhook)
    webhooks.test(webhook, now)
    messages.success(request, _("Test message sent. Reload this page to see the result."))
    return redirect("settings-webhooks")


def _get_webhook(request: AccountHttpRequest, id: UUID) -> Webhook:
    webhook = Webhook.objects.filter(account=request.user, pk=id).first()
    if webhook is None:
        raise Http404
    return webhook
