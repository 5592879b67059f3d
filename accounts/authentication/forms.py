"""The sign-up form: an email address, a password and the fields of an account."""

from typing import Any

from allauth.account.adapter import get_adapter
from django import forms
from django.core.exceptions import ValidationError
from django.utils import translation
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import Account, Language
from accounts.profile import email_addresses, names
from accounts.profile.time_zones import validate_time_zone


class SignupForm(forms.Form):
    """The sign-up, for pages and programs."""

    email = forms.EmailField(max_length=email_addresses.LONGEST, validators=[email_addresses.validate_address])
    # Blank if the password is chosen together with the code, as on the page.
    password = forms.CharField(strip=False, required=False)
    name = forms.CharField(label=pgettext_lazy("label of a field", "Name"), validators=[names.validate_name])
    language = forms.ChoiceField(
        label=pgettext_lazy("label of a field", "Language"), choices=Language.choices, required=False
    )
    time_zone = forms.CharField(label=_("Time zone"), required=False, validators=[validate_time_zone])
    is_bot = forms.BooleanField(label=_("This is a bot account"), required=False)

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"]).lower()

    def clean_name(self) -> str:
        return names.tidy(self.cleaned_data["name"])

    def clean_language(self) -> str:
        return self.cleaned_data["language"] or _spoken()

    def clean_time_zone(self) -> str:
        return self.cleaned_data["time_zone"] or "UTC"

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if {"email", "name"} <= cleaned.keys():
            self._check_name(cleaned["name"], cleaned["email"])
        if cleaned.get("password"):
            try:
                check_password_strength(cleaned["password"], cleaned.get("email", ""), cleaned.get("name", ""))
            except ValidationError as error:
                self.add_error("password", error)
        return cleaned

    def _check_name(self, name: str, email: str) -> None:
        """Refuse a name that another account has, or that looks like one."""
        try:
            Account.objects.check_free(name, email)
        except ValidationError as error:
            self.add_error("name", error)


def check_password_strength(password: str, email: str, name: str) -> None:
    """Raise ValidationError if a password is weak, or too similar to the address or name of its owner."""
    get_adapter().clean_password(password, Account(email=email, name=name))


def _spoken() -> str:
    language = (translation.get_language() or "").partition("-")[0]
    return language if language in Language.values else Language.ENGLISH
