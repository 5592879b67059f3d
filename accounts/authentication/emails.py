"""Emails to the owners of accounts about codes, log-ins and changes.

The emails are written in the active language.
"""

from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy, pgettext
from django.utils.translation import gettext as _
from persiantools import digits

from accounts.authentication import codes
from accounts.models import Account
from accounts.profile.local_times import format_moment
from notifications.content.rendered_notification import Code, Footnote, Link, Listing, Prose, RenderedNotification


def sign_up_code(name: str, code: str) -> RenderedNotification:
    """Return the email with the code that confirms the address of a sign-up."""
    return _notification(
        _("Your code for Darbar"),
        _("This is the code that confirms your address."),
        (
            _("Someone signed up at Darbar with this address, under the name %(name)s.") % _isolated_name(name),
            _("If that was you, confirm it with this code:"),
        ),
        (
            _code_lifetime(),
            _("If it wasn’t you, or not this name, do nothing: without the code there is no account."),
        ),
        code,
    )


def password_reset_code(account: Account, code: str) -> RenderedNotification:
    """Return the email with the code for a new password."""
    return _notification(
        _("A new password for Darbar"),
        _("Use this code to set a new password."),
        (
            _("Someone asked for a new password for %(name)s. If that was you, use this code:")
            % _isolated_name(account.name),
        ),
        (
            _code_lifetime(),
            _("If it wasn’t you, do nothing: the old password stays."),
        ),
        code,
    )


def account_exists(account: Account) -> RenderedNotification:
    """Return the email to the owner of an address with which another sign-up was made."""
    return _notification(
        _("You have an account at Darbar"),
        _("Someone tried to sign up with your address."),
        (
            _("Someone, perhaps you, tried to sign up at Darbar with this address."),
            _("It already has an account, under the name %(name)s. Nothing has changed.")
            % _isolated_name(account.name),
        ),
        (_("If it wasn’t you, there is nothing to do."),),
    )


def deletion_code(account: Account, code: str) -> RenderedNotification:
    """Return the email with the code that deletes an account."""
    return _notification(
        _("Your code for Darbar"),
        _("This is the code that deletes your account."),
        (
            _("Someone, probably you, wants the account %(name)s to be deleted, for good.")
            % _isolated_name(account.name),
            _("If that is what you want, confirm it with this code:"),
        ),
        (
            _("The code expires in an hour. In games that aren’t over, a bot takes your seat."),
            _("If it wasn’t you, do nothing, and change your password."),
        ),
        code,
    )


def _notification(
    subject: str, headline: str, paragraphs: tuple[str, ...], footnote: tuple[str, ...], code: str = ""
) -> RenderedNotification:
    blocks = (Prose(paragraphs), *((Code(code),) if code else ()), Footnote(footnote))
    return RenderedNotification(language=_language(), subject=subject, headline=headline, blocks=blocks)


def _code_lifetime() -> str:
    minutes = _localized_number(int(codes.LIFETIME.total_seconds()) // 60)
    return _("The code expires in %(minutes)s minutes.") % {"minutes": minutes}


def _language() -> str:
    return get_language() or "en"


def _localized_number(number: int) -> str:
    return str(digits.en_to_fa(str(number))) if _language() == "fa" else str(number)


def _isolated_name(name: str) -> dict[str, str]:
    """Return an account's name with marks that isolate its direction from the surrounding text."""
    return {"name": f"\u2068{name}\u2069"}


Type = Authenticator.Type

_ADDED: Final = {
    Type.TOTP: gettext_lazy("An authenticator app was added to your account."),
    Type.WEBAUTHN: gettext_lazy("A passkey was added to your account."),
    Type.RECOVERY_CODES: gettext_lazy("Your account got new recovery codes. The old ones no longer work."),
}
_REMOVED: Final = {
    Type.TOTP: gettext_lazy("The authenticator app was removed from your account."),
    Type.WEBAUTHN: gettext_lazy("A passkey was removed from your account."),
}


def new_device(account: Account, device: str, address: str, now: datetime) -> RenderedNotification:
    """Return the email about a log-in from a browser that is new to the account."""
    return _security_notification(
        account,
        _("New login to Darbar"),
        _("Someone logged in to your account on a new device."),
        (
            _("Device: %(device)s") % {"device": _isolated(device)},
            _("Address: %(address)s") % {"address": _isolated(address)},
            _at(account, now),
        ),
    )


def new_token(account: Account, name: str, address: str, now: datetime) -> RenderedNotification:
    """Return the email about a token that was created with the password."""
    return _security_notification(
        account,
        _("New token at Darbar"),
        _("A token for your account was created with your password."),
        (
            _("Token: %(name)s") % {"name": _isolated(name)},
            _("Address: %(address)s") % {"address": _isolated(address)},
            _at(account, now),
        ),
    )


def factor_added(account: Account, kind: str, now: datetime) -> RenderedNotification:
    """Return the email about a new second factor, or about new recovery codes."""
    return _change(account, str(_ADDED[kind]), now)


def factor_removed(account: Account, kind: str, now: datetime) -> RenderedNotification:
    """Return the email about a second factor that was removed."""
    return _change(account, str(_REMOVED[kind]), now)


def recovery_code_used(account: Account, left: int, now: datetime) -> RenderedNotification:
    """Return the email about a used recovery code, with the number of codes that are left."""
    number = digits.en_to_fa(str(left)) if account.language == "fa" else str(left)
    sentence = _("A recovery code of your account was used. Codes left: %(left)s.")
    return _change(account, sentence % {"left": number}, now)


def factors_removed_by_operator(account: Account, now: datetime) -> RenderedNotification:
    """Return the email about second factors that the operator removed because the owner had lost them."""
    return _change(account, _("The operator of this server removed two-factor login from your account."), now)


def _change(account: Account, headline: str, now: datetime) -> RenderedNotification:
    return _security_notification(account, _("Two-factor login at Darbar"), headline, (_at(account, now),))


def _at(account: Account, now: datetime) -> str:
    return _("Time: %(time)s") % {"time": format_moment(now, ZoneInfo(account.time_zone))}


def _security_notification(
    account: Account, subject: str, headline: str, details: tuple[str, ...]
) -> RenderedNotification:
    return RenderedNotification(
        language=account.language,
        subject=subject,
        headline=headline,
        blocks=(
            Listing(pgettext("title of a page or section", "Details"), details),
            Link(_("Your sessions and tokens"), f"{settings.PUBLIC_URL}{reverse('settings-tokens')}"),
            Footnote((_("If that wasn’t you, log out everywhere on this page, then change your password."),)),
        ),
    )


def _isolated(text: str) -> str:
    """Return a text with marks that isolate its direction from the surrounding text."""
    return f"\u2068{text}\u2069"
