"""The validation of the email address and the password with which people log in."""

import re
from typing import Final

from django.contrib.auth import password_validation
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.names import title_words
from config.core.email_spellings import ascii_domain
from notifications.outgoing import is_public_name

LONGEST: Final = 254


def validate_address(address: str) -> None:
    """Raise ValidationError for an address that no mail server on the Internet delivers to.

    Django's own validator also takes localhost, IP addresses in brackets and local parts in quotes.
    """
    validate_email(address)
    local, _at, domain = address.rpartition("@")
    if local.startswith('"') or not is_public_name(ascii_domain(domain)):
        raise ValidationError(
            _("We can’t write to “%(address)s”. Use an address with a public domain, such as name@example.org."),
            code="address",
            params={"address": address},
        )


SHORTEST_PASSWORD: Final = 8
# Words that an attacker would try first on this server, in addition to the games' titles.
CONTEXT_WORDS: Final = ("darbar", "password", "دربار", "رمز", "گذرواژه")


class MinimumLengthValidator(password_validation.MinimumLengthValidator):
    """Django's validator with a translated sentence. Django has no Persian translation of its own."""

    def get_error_message(self) -> str:
        return gettext("This password is too short: it needs at least 8 characters.")


def _context() -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, (*CONTEXT_WORDS, *title_words()))), re.IGNORECASE)


class ContextWordsValidator:
    """Refuses a password that is little more than a word of this server, such as ``darbar2026``.

    Without these words a password must still be long enough.
    """

    def validate(self, password: str, user: object = None) -> None:
        """Raise ValidationError if too little is left of ``password``."""
        rest, count = _context().subn("", password)
        if count and len(rest) < SHORTEST_PASSWORD:
            raise ValidationError(
                gettext(
                    "This password is easy to guess here. Besides the name of a game or of the server, it needs at "
                    "least 8 characters."
                ),
                code="password-context",
            )

    def get_help_text(self) -> str:
        """Return the sentence for forms that list the requirements of passwords, as allauth's do."""
        return gettext("Your password must be more than the name of a game or of this server.")
