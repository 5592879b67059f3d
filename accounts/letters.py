"""What accounts write to their owners, in the active language."""

import math

from allauth.account import app_settings
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from persiantools import digits

from accounts.models import Account
from notifications.notice import Code, Footnote, Notice, Prose


def code(account: Account, code: str) -> Notice:
    """The code that confirms an address."""
    minutes = math.ceil(app_settings.EMAIL_VERIFICATION_BY_CODE_TIMEOUT / 60)
    return Notice(
        language=_language(),
        subject=_("Your code for Darbar"),
        headline=_("This is the code that confirms your address."),
        blocks=(
            Prose(
                (
                    _("Somebody signed up at Darbar with this address, under the name %(name)s.")
                    % {"name": _isolated(account.name)},
                    _("If that was you, confirm it with this code:"),
                )
            ),
            Code(code),
            Footnote(
                (
                    _("It holds for %(minutes)s minutes, and earlier codes hold no more.")
                    % {"minutes": _number(minutes)},
                    _("If it was not you, or not this name, do nothing: without the code there is no account."),
                )
            ),
        ),
    )


def new_password(account: Account, code: str) -> Notice:
    """The code with which a forgotten password is replaced."""
    minutes = math.ceil(app_settings.PASSWORD_RESET_BY_CODE_TIMEOUT / 60)
    return Notice(
        language=_language(),
        subject=_("A new password for Darbar"),
        headline=_("This is the code with which you set a new password."),
        blocks=(
            Prose(
                (
                    _("Somebody asked for a new password for %(name)s. If that was you, use this code:")
                    % {"name": _isolated(account.name)},
                )
            ),
            Code(code),
            Footnote(
                (
                    _("It holds for %(minutes)s minutes, and earlier codes hold no more.")
                    % {"minutes": _number(minutes)},
                    _("If it was not you, do nothing: the old password stays."),
                )
            ),
        ),
    )


def account_exists(account: Account) -> Notice:
    """To the owner of an address with which somebody tried to sign up again."""
    return Notice(
        language=_language(),
        subject=_("You have an account at Darbar"),
        headline=_("Somebody tried to sign up with your address."),
        blocks=(
            Prose(
                (
                    _("Somebody, perhaps you, tried to sign up at Darbar with this address."),
                    _("It already has an account, under the name %(name)s. Nothing has changed.")
                    % {"name": _isolated(account.name)},
                )
            ),
            Footnote((_("If it was not you, there is nothing to do."),)),
        ),
    )


def leaving(account: Account, code: str) -> Notice:
    """The code with which an account is deleted by its owner."""
    return Notice(
        language=_language(),
        subject=_("Your code for Darbar"),
        headline=_("This is the code that deletes your account."),
        blocks=(
            Prose(
                (
                    _("Somebody, probably you, wants the account %(name)s to be deleted, for good.")
                    % {"name": _isolated(account.name)},
                    _("If that is what you want, confirm it with this code:"),
                )
            ),
            Code(code),
            Footnote(
                (
                    _("It holds for an hour. In games that are not over, a house player takes your seat."),
                    _("If it was not you, do nothing, and change your password."),
                )
            ),
        ),
    )


def _language() -> str:
    return get_language() or "en"


def _number(number: int) -> str:
    return str(digits.en_to_fa(str(number))) if _language() == "fa" else str(number)


def _isolated(name: str) -> str:
    """``name`` in its own direction, whatever stands round it."""
    return f"\u2068{name}\u2069"
