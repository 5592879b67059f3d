"""The forms of signing up and in, as a person meets them."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts.models import Language
from accounts.profile import names, time_zones
from accounts.web.time_zone_select import TimeZoneSelect

_ADDRESS = forms.EmailInput(attrs={"autocomplete": "email", "inputmode": "email"})


PASSWORD_HELP = _("At least 8 characters, not only digits, and nothing that everybody uses.")


class PasswordField(forms.CharField):
    """A password, taken exactly as it was typed. ``new`` says that the browser may propose one."""

    def __init__(self, *, new: bool = False, **more: Any) -> None:
        hint = "new-password" if new else "current-password"
        widget = forms.PasswordInput(attrs={"autocomplete": hint})
        super().__init__(**{"label": _("Password"), "strip": False, "widget": widget, **more})


class FlowForm(forms.Form):
    """A form that shows errors of a flow beside its own."""

    def add_errors(self, errors: Mapping[str, Iterable[ValidationError]]) -> None:
        """Add errors by field; those of other fields belong to the whole form."""
        for field, found in errors.items():
            for error in found:
                self.add_error(field if field in self.fields else None, error)


class SignUpForm(FlowForm):
    """The form of a new person."""

    name = forms.CharField(
        label=_("Name"),
        max_length=3 * names.LONGEST,
        help_text=_("The name by which the other players know you."),
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )
    email = forms.EmailField(
        label=_("Address"), help_text=_("Your questions come there; the others never see it."), widget=_ADDRESS
    )
    password = PasswordField(new=True, help_text=PASSWORD_HELP)
    language = forms.ChoiceField(label=_("Language"), choices=Language.choices)
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=time_zones.choices,
        widget=TimeZoneSelect,
        help_text=_("Times are shown by the clocks of this place."),
    )

    @staticmethod
    def guessed() -> dict[str, str]:
        """Return what a visitor's browser lets one guess."""
        persian = get_language() == Language.PERSIAN
        return {
            "language": Language.PERSIAN if persian else Language.ENGLISH,
            "time_zone": "Asia/Tehran" if persian else "UTC",
        }


class CodeForm(FlowForm):
    """The code out of the mail."""

    email = forms.EmailField(label=_("Address"), widget=_ADDRESS)
    code = forms.CharField(
        label=_("The code in the email"),
        max_length=40,
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autocapitalize": "characters", "spellcheck": "false", "dir": "ltr"}
        ),
    )


class CodeInOtherBrowserForm(CodeForm):
    """The same in another browser than the one that asked for it, which has to say whose code it is."""

    password = PasswordField(help_text=_("The one that you have signed up with."))


class LogInForm(FlowForm):
    """The login form."""

    email = forms.EmailField(label=_("Address"), widget=_ADDRESS)
    password = PasswordField()


class ForgottenPasswordForm(FlowForm):
    """To which address the code for a new password is to go."""

    email = forms.EmailField(label=_("Address"), widget=_ADDRESS)


class NewPasswordForm(FlowForm):
    """A new password, and what becomes of those who acted under the old one."""

    password = PasswordField(new=True, label=_("New password"), help_text=PASSWORD_HELP)
    keep = forms.BooleanField(
        label=_("Keep my tokens and apps"),
        required=False,
        help_text=_("Otherwise all tokens end, and so does the access of apps."),
    )


class PasswordResetForm(CodeForm, NewPasswordForm):
    """The code, and the new password."""
