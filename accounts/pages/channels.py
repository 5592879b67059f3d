"""The settings of channels: which of them for which kind of notification, their addresses, and devices for pushes."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.pages.authentication import page
from accounts.web.requests import AccountHttpRequest
from notifications.channels import registry
from notifications.channels.base import AddressedChannel, ForbiddenSecret, SecretChannel
from notifications.content.kinds import KINDS
from notifications.endpoints import LONGEST_SECRET, LONGEST_URL, Device
from notifications.models import Preferences
from notifications.outgoing.address_policy import ForbiddenAddress
from notifications.recipients import preferences


class ChannelsForm(forms.Form):
    """The channels of each kind of notification, and the addresses of those channels that need one."""

    def __init__(self, wanted: Preferences, sent: Any = None) -> None:
        chosen = {name: wanted.channels.get(name, registry.usual()) for name in KINDS}
        addresses = {_field_name(name): address for name, address in wanted.addresses.items()}
        self._wanted = wanted
        super().__init__(sent, initial={**chosen, **addresses})
        for name, channel in registry.addressed().items():
            self.fields[_field_name(name)] = AddressField(channel)
            if isinstance(channel, SecretChannel):
                self.fields[_secret_name(name)] = SecretField(channel, is_kept=bool(wanted.secret_of(name)))
        for name, kind in KINDS.items():
            self.fields[name] = forms.MultipleChoiceField(
                label=str(kind.label),
                required=False,
                choices=[(channel.name, channel.label) for channel in registry.CHANNELS.values()],
                widget=forms.CheckboxSelectMultiple,
            )

    def clean(self) -> dict[str, Any]:
        """A channel with a secret has an address too, and the other way round."""
        said: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors:
            for name in preferences.incomplete(self._wanted, self.changes()):
                field = _secret_name(name) if said[_field_name(name)] else _field_name(name)
                self.add_error(field, _("Fill in both the address and the token, or neither."))
        return said

    def changes(self) -> dict[str, Any]:
        """Return the fields of the preferences that the form sets. A secret that is left blank stays as it is."""
        said = self.cleaned_data
        secrets = {name: said[_secret_name(name)] for name in registry.secret()}
        return {
            "channels": {name: said[name] for name in KINDS},
            "addresses": {name: said[_field_name(name)] or None for name in registry.addressed()},
            "secrets": {name: secret for name, secret in secrets.items() if secret},
        }


def _field_name(channel: str) -> str:
    return f"address-{channel}"


def _secret_name(channel: str) -> str:
    return f"secret-{channel}"


class AddressField(forms.CharField):
    """The address to which a channel posts."""

    def __init__(self, channel: AddressedChannel) -> None:
        self._channel = channel
        super().__init__(
            label=str(channel.address_label),
            help_text=str(channel.address_help),
            required=False,
            max_length=LONGEST_URL,
            widget=forms.TextInput(attrs={"dir": "ltr"}),
        )

    def validate(self, value: str) -> None:
        """Raise ValidationError for an address to which nothing can be posted."""
        super().validate(value)
        try:
            if value:
                self._channel.check_address(value)
        except ForbiddenAddress as error:
            raise ValidationError(str(error)) from None


class SecretField(forms.CharField):
    """The secret that the server of a channel asks for. One that is kept is not shown."""

    def __init__(self, channel: SecretChannel, *, is_kept: bool) -> None:
        self._channel = channel
        kept = _("A token is kept. Leave this blank to keep it.")
        super().__init__(
            label=str(channel.secret_label),
            help_text=kept if is_kept else str(channel.secret_help),
            required=False,
            max_length=LONGEST_SECRET,
            widget=forms.PasswordInput(attrs={"dir": "ltr", "autocomplete": "new-password"}),
        )

    def validate(self, value: str) -> None:
        """Raise ValidationError for what cannot be a secret of this channel."""
        super().validate(value)
        try:
            if value:
                self._channel.check_secret(value)
        except ForbiddenSecret as error:
            raise ValidationError(str(error)) from None


@never_cache
@login_required
@page
def channels(request: AccountHttpRequest) -> HttpResponse:
    """The channels of each kind of notification, and my devices."""
    account = request.user
    wanted = preferences.of(account)
    form = ChannelsForm(wanted, request.POST if request.method == "POST" else None)
    if form.is_valid():
        preferences.change(account, form.changes(), timezone.now())
        messages.success(request, pgettext("message", "Saved."))
        return redirect("settings-channels")
    mine = Device.objects.filter(account=account).order_by("-created_at")
    shown = {"place": "settings", "part": "channels", "form": form, "devices": mine}
    return render(request, "accounts/settings/channels.html", shown, status=422 if form.errors else 200)


@login_required
@require_POST
def remove(request: AccountHttpRequest, device: UUID) -> HttpResponse:
    """Push to a device of mine no more."""
    deleted, _by_model = Device.objects.filter(account=request.user, pk=device).delete()
    if not deleted:
        raise Http404
    messages.success(request, _("Device removed."))
    return redirect("settings-channels")
