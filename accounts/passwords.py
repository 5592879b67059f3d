"""What a password must be."""

from django.contrib.auth import password_validation
from django.utils.translation import gettext as _


class MinimumLengthValidator(password_validation.MinimumLengthValidator):
    """Django's, with a sentence that is translated: Django's own is not, into Persian."""

    def get_error_message(self) -> str:
        return _("This password is too short: it needs at least 8 characters.")
