"""The forms of sign-up and log-in on pages."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.profile import names, time_zones
from accounts.profile.email_addresses import validate_address

_ADDRESS = forms.EmailInput(attrs={"autocomplete": "email", "inputmode": "email"})


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
        label=pgettext_lazy("label of a field", "Address"),
        validators=[validate_address],
        help_text=_("We send your questions there. Other players never see it."),
        widget=_ADDRESS,
    )
    # A script fills in the time zone of the browser.
    time_zone = forms.CharField(widget=forms.HiddenInput, required=False)

    def clean_time_zone(self) -> str:
        """Return the time zone of the browser, or a guess."""
        return time_zones.guess(str(self.cleaned_data["time_zone"]), get_language())


class CodeForm(FlowForm):
    """The code from the email."""

    email = forms.EmailField(label=pgettext_lazy("label of a field", "Address"), widget=_ADDRESS)
    code = forms.CharField(
        label=_("The code in the email"),
        max_length=40,
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autocapitalize": "characters", "spellcheck": "false", "dir": "ltr"}
        ),
    )


class CodeAndPasswordForm(CodeForm):
    """The code, and the password for the new account."""

    password = PasswordField(new=True, label=_("Choose a password"), help_text=PASSWORD_HELP)


class CodeInOtherBrowserForm(CodeForm):
    """The form for a code in a browser that did not ask for it. It also asks for the address."""

    password = PasswordField(help_text=_("The password that you want, or that you signed up with."))


class LogInForm(FlowForm):
    email = forms.EmailField(label=pgettext_lazy("label of a field", "Address"), widget=_ADDRESS)
    password = PasswordField()


class ForgottenPasswordForm(FlowForm):
    """The address to which the code for a new password is sent."""

    email = forms.EmailField(label=pgettext_lazy("label of a field", "Address"), widget=_ADDRESS)


class NewPasswordForm(FlowForm):
    """A new password, and the choice to keep the access of programs."""

    password = PasswordField(new=True, label=_("New password"), help_text=PASSWORD_HELP)
    keep = forms.BooleanField(
        label=_("Keep my tokens and apps"),
        required=False,
        help_text=_("Otherwise all tokens end, and so does the access of apps."),
    )


class PasswordResetForm(CodeForm, NewPasswordForm):
    """The code, and the new password."""
