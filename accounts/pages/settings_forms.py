"""The forms of the account settings."""

from datetime import timedelta
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import Account, Language
from accounts.pages.forms import FlowForm, NewPasswordForm, PasswordField
from accounts.profile import names, time_zones
from accounts.tokens.scopes import ALL, Scope
from accounts.web.time_zone_select import TimeZoneSelect

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
        choices=time_zones.choices,
        widget=TimeZoneSelect,
        help_text=_("Times are shown in this time zone."),
    )
    public_profile = forms.BooleanField(
        label=_("Public profile"),
        required=False,
        help_text=_(
            "People without an account can see your results and ratings. Everybody sees your name at public tables."
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
        help_text=_(
            "When everybody who plays in a game has it open, on a page or in an app, all of you see that. "
            "It needs everybody's consent."
        ),
    )

    @staticmethod
    def of(account: Account) -> dict[str, Any]:
        """Return the present values of an account."""
        return {name: getattr(account, name) for name in ProfileForm.base_fields}

    def clean_name(self) -> str:
        """Return the name in the form in which it is stored."""
        return names.tidy(self.cleaned_data["name"])


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
    password = PasswordField(label=_("Your password"), help_text=_("To confirm that it is you."))

    def token_options(self) -> tuple[str, list[str], timedelta | None]:
        """Return the name, the scopes in their usual order, and the lifetime."""
        data = self.cleaned_data
        return data["name"], [scope for scope in ALL if scope in data["scopes"]], LIFETIMES.get(data["holds"])
