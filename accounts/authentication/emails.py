"""Emails to the owners of accounts, in the active language."""

from django.utils.translation import get_language
from django.utils.translation import gettext as _
from persiantools import digits

from accounts.authentication.codes import LIFETIME
from accounts.models import Account
from notifications.content.rendered_notification import Code, Footnote, Prose, RenderedNotification


def sign_up_code(name: str, code: str) -> RenderedNotification:
    """Return the email with the code that confirms the address of a sign-up."""
    return _notification(
        _("Your code for Darbar"),
        _("This is the code that confirms your address."),
        (
            _("Somebody signed up at Darbar with this address, under the name %(name)s.") % _isolated_name(name),
            _("If that was you, confirm it with this code:"),
        ),
        (
            _code_lifetime(),
            _("If it was not you, or not this name, do nothing: without the code there is no account."),
        ),
        code,
    )


def password_reset_code(account: Account, code: str) -> RenderedNotification:
    """Return the email with the code for a new password."""
    return _notification(
        _("A new password for Darbar"),
        _("Use this code to set a new password."),
        (
            _("Somebody asked for a new password for %(name)s. If that was you, use this code:")
            % _isolated_name(account.name),
        ),
        (
            _code_lifetime(),
            _("If it was not you, do nothing: the old password stays."),
        ),
        code,
    )


def account_exists(account: Account) -> RenderedNotification:
    """Return the email to the owner of an address with which another sign-up was made."""
    return _notification(
        _("You have an account at Darbar"),
        _("Somebody tried to sign up with your address."),
        (
            _("Somebody, perhaps you, tried to sign up at Darbar with this address."),
            _("It already has an account, under the name %(name)s. Nothing has changed.")
            % _isolated_name(account.name),
        ),
        (_("If it was not you, there is nothing to do."),),
    )


def deletion_code(account: Account, code: str) -> RenderedNotification:
    """Return the email with the code that deletes an account."""
    return _notification(
        _("Your code for Darbar"),
        _("This is the code that deletes your account."),
        (
            _("Somebody, probably you, wants the account %(name)s to be deleted, for good.")
            % _isolated_name(account.name),
            _("If that is what you want, confirm it with this code:"),
        ),
        (
            _("It expires in an hour. In games that are not over, a bot takes your seat."),
            _("If it was not you, do nothing, and change your password."),
        ),
        code,
    )


def _notification(
    subject: str, headline: str, paragraphs: tuple[str, ...], footnote: tuple[str, ...], code: str = ""
) -> RenderedNotification:
    blocks = (Prose(paragraphs), *((Code(code),) if code else ()), Footnote(footnote))
    return RenderedNotification(language=_language(), subject=subject, headline=headline, blocks=blocks)


def _code_lifetime() -> str:
    return _("It expires in %(minutes)s minutes.") % {"minutes": _localized_number(int(LIFETIME.total_seconds()) // 60)}


def _language() -> str:
    return get_language() or "en"


def _localized_number(number: int) -> str:
    return str(digits.en_to_fa(str(number))) if _language() == "fa" else str(number)


def _isolated_name(name: str) -> dict[str, str]:
    """Return an account's name with marks that isolate its direction from the surrounding text."""
    return {"name": f"\u2068{name}\u2069"}
