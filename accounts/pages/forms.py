"""The forms of sign-up, log-in and the settings."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts import local_times, names
from accounts.credentials import validate_address
from accounts.models import Account, Language
from accounts.tokens import ALL, Scope
from accounts.web.selects import TimeZoneSelect
from notifications import preferences
from notifications.channels import registry
from notifications.channels.base import (
    KEPT_SECRET,
    AddressedChannel,
    ForbiddenSecret,
    KeepsSecret,
    PersonalChannel,
)
from notifications.endpoints import LONGEST_SECRET, LONGEST_URL
from notifications.kinds import KINDS
from notifications.models import Notification, Preferences
from notifications.outgoing import ForbiddenAddress

_ADDRESS = forms.EmailInput(attrs={"autocomplete": "email", "inputmode": "email"})
_CODE = forms.TextInput(
    attrs={"autocomplete": "one-time-code", "autocapitalize": "characters", "spellcheck": "false", "dir": "ltr"}
)


PASSWORD_HELP = _("At least 8 characters, not only digits, and not a common password.")


class PasswordField(forms.CharField):
    """A password field that does not strip blanks. ``new`` lets the browser suggest a password."""

    def __init__(self, *, new: bool = False, **more: Any) -> None:
        hint = "new-password" if new else "current-password"
        widget = forms.PasswordInput(attrs={"autocomplete": hint})
        super().__init__(
            **{"label": pgettext_lazy("label of a field", "Password"), "strip": False, "widget": widget, **more}
        )


class FlowForm(forms.Form):
    """A form that can also show the errors of a flow."""

    def add_errors(self, errors: Mapping[str, Iterable[ValidationError]]) -> None:
        """Add errors by field. Errors of other fields are added to the whole form."""
        for field, field_errors in errors.items():
            for error in field_errors:
                self.add_error(field if field in self.fields else None, error)


class SignUpForm(FlowForm):
    name = forms.CharField(
        label=pgettext_lazy("label of a field", "Name"),
        max_length=3 * names.LONGEST,
        help_text=_("The name that other players see."),
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )
    email = forms.EmailField(
        label=pgettext_lazy("label of a field", "Email"),
        validators=[validate_address],
        help_text=_("We email you here when it’s your turn. Other players never see it."),
        widget=_ADDRESS,
    )
    # A script fills in the time zone of the browser.
    time_zone = forms.CharField(widget=forms.HiddenInput, required=False)

    def clean_time_zone(self) -> str:
        """Return the time zone of the browser, or a guess."""
        return local_times.guess_zone(str(self.cleaned_data["time_zone"]), get_language())


class CodeForm(FlowForm):
    """The code from the email."""

    email = forms.EmailField(label=pgettext_lazy("label of a field", "Email"), widget=_ADDRESS)
    code = forms.CharField(label=_("The code in the email"), max_length=40, widget=_CODE)


class CodeAndPasswordForm(CodeForm):
    """The code, and the password for the new account."""

    password = PasswordField(new=True, label=_("Choose a password"), help_text=PASSWORD_HELP)


class CodeInOtherBrowserForm(CodeForm):
    """The form for a code in a browser that did not ask for it. It also asks for the address."""

    password = PasswordField(help_text=_("The password you want, or the one you signed up with."))


class LogInForm(FlowForm):
    email = forms.EmailField(label=pgettext_lazy("label of a field", "Email"), widget=_ADDRESS)
    password = PasswordField()


class ForgottenPasswordForm(FlowForm):
    """The address to which the code for a new password is sent."""

    email = forms.EmailField(label=pgettext_lazy("label of a field", "Email"), widget=_ADDRESS)


class NewPasswordForm(FlowForm):
    """A new password, and the choice to keep the access of programs."""

    password = PasswordField(new=True, label=_("New password"), help_text=PASSWORD_HELP)
    keep = forms.BooleanField(
        label=_("Keep my tokens and apps"),
        required=False,
        help_text=_("If you don’t, all tokens and apps lose access."),
    )


class PasswordResetForm(CodeForm, NewPasswordForm):
    """The code, and the new password."""


NEVER: Final = ""
# The possible lifetimes of a token, by their number of days.
LIFETIMES: Final = {"30": timedelta(days=30), "90": timedelta(days=90), "365": timedelta(days=365)}


class ProfileForm(FlowForm):
    """A player's name, language and time zone, and who may read about them."""

    name = forms.CharField(
        label=pgettext_lazy("label of a field", "Name"),
        max_length=3 * names.LONGEST,
        validators=[names.validate_name],
        help_text=_("The name that other players see."),
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )
    language = forms.ChoiceField(
        label=pgettext_lazy("label of a field", "Language"),
        choices=Language.choices,
        help_text=_("For pages, emails and pictures."),
    )
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=local_times.zone_choices,
        widget=TimeZoneSelect,
        help_text=_("Times are shown in this time zone."),
    )
    public_profile = forms.BooleanField(
        label=_("Public profile"),
        required=False,
        help_text=_(
            "People without an account can see your results and ratings. Everyone sees your name in public games."
        ),
    )
    shows_answer_times = forms.BooleanField(
        label=_("Show how quickly I answer"),
        required=False,
        help_text=_("Other players see roughly how long your answers took in games that are over."),
    )
    shows_presence = forms.BooleanField(
        label=_("Show when all of us are here"),
        required=False,
        help_text=_("When every player has the game open, you all see it. Works only if all of you turn it on."),
    )

    @staticmethod
    def of(account: Account) -> dict[str, Any]:
        """Return the present values of an account."""
        return {name: getattr(account, name) for name in ProfileForm.base_fields}

    def clean_name(self) -> str:
        """Return the name in the form in which it is stored."""
        return names.tidy(self.cleaned_data["name"])


class NewAddressForm(FlowForm):
    """The new address of an account."""

    email = forms.EmailField(
        label=pgettext_lazy("label of a field", "New address"), validators=[validate_address], widget=_ADDRESS
    )


class NewAddressCodeForm(FlowForm):
    """The code that was sent to the new address."""

    code = forms.CharField(label=_("The code in the email"), max_length=40, widget=_CODE)


class ChangePasswordForm(NewPasswordForm):
    """The old password and the new one."""

    old = PasswordField(label=_("Current password"))
    field_order = ("old", "password", "keep")


class SignOutForm(forms.Form):
    """Other access to end together with the sessions."""

    tokens = forms.BooleanField(
        label=_("Revoke my tokens too"), required=False, help_text=_("Apps and bots that use one stop working.")
    )
    apps = forms.BooleanField(label=_("Disconnect all apps too"), required=False)


class NewTokenForm(FlowForm):
    """A token to create."""

    name = forms.CharField(
        label=pgettext_lazy("label of a field", "Purpose"),
        max_length=100,
        help_text=_("For example: the phone, the bot."),
    )
    scopes = forms.MultipleChoiceField(
        label=pgettext_lazy("label of a field", "Permissions"),
        choices=Scope.choices,
        initial=list(ALL),
        widget=forms.CheckboxSelectMultiple,
    )
    holds = forms.ChoiceField(
        label=pgettext_lazy("label of a field", "Expires"),
        required=False,
        choices=[
            (NEVER, _("until I revoke it")),
            ("30", _("for 30 days")),
            ("90", _("for 90 days")),
            ("365", _("for a year")),
        ],
    )
    password = PasswordField(label=_("Your password"), help_text=_("To confirm that it’s you."))

    def token_options(self) -> tuple[str, list[str], timedelta | None]:
        """Return the name, the scopes in their usual order, and the lifetime."""
        data = self.cleaned_data
        return data["name"], [scope for scope in ALL if scope in data["scopes"]], LIFETIMES.get(data["holds"])


class ChannelsForm(forms.Form):
    """The channels of each kind of notification, and the addresses of the channels that need one."""

    def __init__(self, row: Preferences, data: Any = None) -> None:
        kinds = {name: row.channels.get(name, registry.usual()) for name in KINDS}
        addresses = {_field_name(name): address for name, address in row.addresses.items()}
        removable = {_secret_name(name): KEPT_SECRET for name in registry.removable_secrets() if row.secret_of(name)}
        self._wanted = row
        super().__init__(data, initial={**kinds, **addresses, **removable})
        for name, channel in registry.addressed().items():
            self.fields[_field_name(name)] = _address_field(channel)
        for name, secret_channel in registry.secret().items():
            is_kept = bool(row.secret_of(name))
            self.fields[_secret_name(name)] = (
                _removable_secret_field(secret_channel)
                if name in registry.removable_secrets()
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
        removable = registry.removable_secrets()
        return {
            "channels": {name: data[name] for name in KINDS},
            "addresses": {name: data[_field_name(name)] or None for name in registry.addressed()},
            "secrets": {
                name: secret or None
                for name, secret in secrets.items()
                if secret != KEPT_SECRET and (secret or name in removable)
            },
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
    advice = str(_("We’ve kept a token. Leave this blank to keep it.")) if is_kept else str(channel.secret_help)
    return PlaceField(
        channel.check_secret,
        forms.PasswordInput,
        "new-password",
        label=label,
        help_text=advice,
        max_length=LONGEST_SECRET,
    )


def _removable_secret_field(channel: KeepsSecret) -> PlaceField:
    """Return the field of a secret that can be deleted alone. A stored one is shown as three stars."""

    def check(value: str) -> None:
        if value != KEPT_SECRET:
            channel.check_secret(value)

    label, advice = str(channel.secret_label), str(channel.secret_help)
    return PlaceField(check, forms.TextInput, "off", label=label, help_text=advice, max_length=LONGEST_SECRET)


class DeletionForm(FlowForm):
    """The proof that the owner asks."""

    password = PasswordField(required=False)
    code = forms.CharField(
        label=_("or the code from our email"),
        required=False,
        max_length=40,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "dir": "ltr"}),
    )
