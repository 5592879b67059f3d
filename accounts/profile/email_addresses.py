"""Email addresses to which this server may write."""

from typing import Final

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext_lazy as _

from notifications.outgoing.address_policy import is_public_name

LONGEST: Final = 254


def validate_address(address: str) -> None:
    """Raise ValidationError for an address that no mail server on the Internet delivers to.

    Django's own validator also takes localhost, IP addresses in brackets and local parts in quotes.
    """
    validate_email(address)
    local, _at, domain = address.rpartition("@")
    if local.startswith('"') or not _is_public_domain(domain):
        raise ValidationError(
            _("We cannot write to “%(address)s”. Give an address with a public domain, such as name@example.org."),
            code="address",
            params={"address": address},
        )


def _is_public_domain(domain: str) -> bool:
    try:
        return is_public_name(domain.encode("idna").decode().lower())
    except UnicodeError:
        return False
