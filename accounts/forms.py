"""allauth's sign-up form with what an account here has besides address and password."""

from typing import Any

from allauth.account.forms import SignupForm as AllauthSignupForm
from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _

from accounts import names
from accounts.models import Account, Language
from accounts.zones import validate_time_zone


class SignupForm(AllauthSignupForm):
    """Sign-up, the same for pages and programs: ``ACCOUNT_FORMS`` names it."""

    name = forms.CharField(label=_("Name"), validators=[names.validate_name])
    language = forms.ChoiceField(label=_("Language"), choices=Language.choices, required=False)
    time_zone = forms.CharField(label=_("Time zone"), required=False, validators=[validate_time_zone])
    is_bot = forms.BooleanField(label=_("A program plays for this account"), required=False)

    def clean_name(self) -> str:
        return names.tidy(self.cleaned_data["name"])

    def clean_language(self) -> str:
        return self.cleaned_data["language"] or _spoken()

    def clean_time_zone(self) -> str:
        return self.cleaned_data["time_zone"] or "UTC"

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        asked = {"email", "name"} <= cleaned.keys()
        if asked and not Account.objects.is_free(cleaned["name"], cleaned["email"], timezone.now()):
            self.add_error("name", names.taken())
        return cleaned

    def try_save(self, request: HttpRequest) -> tuple[Account | None, HttpResponse | None]:
        """Make the account; for an address that has one, do as much work and leave as many traces, but make none."""
        if self.account_already_exists:
            Account().set_password(self.cleaned_data["password1"])
            Account.objects.hold_name(self.cleaned_data["name"], self.cleaned_data["email"])
        return super().try_save(request)


def _spoken() -> str:
    language = (translation.get_language() or "").partition("-")[0]
    return language if language in Language.values else Language.ENGLISH
