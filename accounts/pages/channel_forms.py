"""The form of the channel settings: the addresses to which channels post, and the channels of each kind of
notification."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.utils.translation import gettext as _

from notifications.channels import registry
from notifications.channels.base import (
    KEPT_SECRET,
    AddressedChannel,
    ForbiddenSecret,
    HookChannel,
    KeepsSecret,
    PersonalChannel,
)
from notifications.content.kinds import KINDS
from notifications.endpoints import LONGEST_SECRET, LONGEST_URL
from notifications.models import Notification, Preferences
from notifications.outgoing.address_policy import ForbiddenAddress
from notifications.recipients import preferences


class ChannelsForm(forms.Form):
    """The channels of each kind of notification, and the addresses of the channels that need one."""

    def __init__(self, row: Preferences, data: Any = None) -> None:
        kinds = {name: row.channels.get(name, registry.usual()) for name in KINDS}
        addresses = {_field_name(name): address for name, address in row.addresses.items()}
        hooks = {_secret_name(name): KEPT_SECRET for name in registry.hooks() if row.secret_of(name)}
        self._wanted = row
        super().__init__(data, initial={**kinds, **addresses, **hooks})
        for name, channel in registry.addressed().items():
            self.fields[_field_name(name)] = _address_field(channel)
        for name, secret_channel in registry.secret().items():
            is_kept = bool(row.secret_of(name))
            self.fields[_secret_name(name)] = (
                _hook_field(secret_channel)
                if isinstance(secret_channel, HookChannel)
                else _secret_field(secret_channel, is_kept=is_kept)
            )
        offered = [(name, channel.label) for name, channel in registry.CHANNELS.items() if self._is_offered(name)]
        for name, kind in KINDS.items():
            self.fields[name] = forms.MultipleChoiceField(
                label=str(kind.label), required=False, choices=offered, widget=forms.CheckboxSelectMultiple
            )

    def _is_offered(self, channel: str) -> bool:
        """Return True if notifications may come by a channel: it needs no address, or has one, or the form sets one."""
        fields = [field for field in (_field_name(channel), _secret_name(channel)) if field in self.fields]
        return not fields or any(self.data.get(field) or self.initial.get(field) for field in fields)

    def kinds(self) -> list[BoundField]:
        """Return the fields of the kinds of notifications."""
        return [self[name] for name in KINDS]

    def places(self, last: Mapping[str, Notification]) -> list["ChannelPlace"]:
        """Return the channels for which a player gives an address, each with its last message."""
        return [self._place(channel, last.get(name)) for name, channel in registry.personal().items()]

    def _place(self, channel: PersonalChannel, last: Notification | None) -> "ChannelPlace":
        names = (_field_name(channel.name), _secret_name(channel.name))
        fields = [self[field] for field in names if field in self.fields]
        is_given = any(self.initial.get(field.name) for field in fields)
        return ChannelPlace(channel, fields, is_given, any(field.errors for field in fields), last)

    def clean(self) -> dict[str, Any]:
        """Require an address for each channel with a secret, and the reverse."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors:
            for name in preferences.incomplete(self._wanted, self.changes()):
                field = _secret_name(name) if data[_field_name(name)] else _field_name(name)
                self.add_error(field, _("Fill in both the address and the token, or neither."))
        return data

    def changes(self) -> dict[str, Any]:
        """Return the preferences that the form sets. A secret that is left blank does not change."""
        data = self.cleaned_data
        secrets = {name: data[_secret_name(name)] for name in registry.secret()}
        hooks = {name: secrets[name] or None for name in registry.hooks() if secrets[name] != KEPT_SECRET}
        return {
            "channels": {name: data[name] for name in KINDS},
            "addresses": {name: data[_field_name(name)] or None for name in registry.addressed()},
            "secrets": {name: secret for name, secret in secrets.items() if secret and secret != KEPT_SECRET} | hooks,
        }


@dataclass(frozen=True)
class ChannelPlace:
    """A channel with the fields for its address."""

    channel: PersonalChannel
    fields: list[BoundField]
    # True if an address is stored, so that a test can be sent.
    is_given: bool
    is_wrong: bool
    # The last message that was delivered or given up.
    last: Notification | None


def _field_name(channel: str) -> str:
    return f"address-{channel}"


def _secret_name(channel: str) -> str:
    return f"secret-{channel}"


class PlaceField(forms.CharField):
    """A part of the address to which a channel posts. It is written from left to right, also in Persian."""

    def __init__(self, check: Callable[[str], None], widget: type[forms.Widget], complete: str, **more: Any) -> None:
        self._check = check
        super().__init__(required=False, widget=widget(attrs={"dir": "ltr", "autocomplete": complete}), **more)

    def validate(self, value: str) -> None:
        """Raise ValidationError with the channel's own sentence if it does not accept the value."""
        super().validate(value)
        try:
            if value:
                self._check(value)
        except (ForbiddenAddress, ForbiddenSecret) as error:
            raise ValidationError(str(error)) from None


def _address_field(channel: AddressedChannel) -> PlaceField:
    label, advice = str(channel.address_label), str(channel.address_help)
    return PlaceField(
        channel.check_address, forms.TextInput, "on", label=label, help_text=advice, max_length=LONGEST_URL
    )


def _secret_field(channel: KeepsSecret, *, is_kept: bool) -> PlaceField:
    """Return the field of a secret. A stored secret is not shown."""
    label = str(channel.secret_label)
    advice = _("A token is kept. Leave this blank to keep it.") if is_kept else str(channel.secret_help)
    return PlaceField(
        channel.check_secret,
        forms.PasswordInput,
        "new-password",
        label=label,
        help_text=advice,
        max_length=LONGEST_SECRET,
    )


def _hook_field(channel: HookChannel) -> PlaceField:
    """Return the field of a webhook. A stored one is shown as three stars, and an empty field deletes it."""

    def check(value: str) -> None:
        if value != KEPT_SECRET:
            channel.check_secret(value)

    label, advice = str(channel.secret_label), str(channel.secret_help)
    return PlaceField(check, forms.TextInput, "off", label=label, help_text=advice, max_length=LONGEST_SECRET)
