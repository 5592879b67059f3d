"""Emails about log-ins and changes of an account. They are written in the active language."""

from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext
from persiantools import digits

from accounts.models import Account
from accounts.profile.local_times import format_moment
from notifications.content.rendered_notification import Footnote, Link, Listing, RenderedNotification

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
    return _notification(
        account,
        _("New login to Darbar"),
        _("Somebody logged in to your account on a new device."),
        (
            _("Device: %(device)s") % {"device": _isolated(device)},
            _("Address: %(address)s") % {"address": _isolated(address)},
            _at(account, now),
        ),
    )


def new_token(account: Account, name: str, address: str, now: datetime) -> RenderedNotification:
    """Return the email about a token that was created with the password."""
    return _notification(
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
    return _notification(account, _("Two-factor login at Darbar"), headline, (_at(account, now),))


def _at(account: Account, now: datetime) -> str:
    return _("Time: %(time)s") % {"time": format_moment(now, ZoneInfo(account.time_zone))}


def _notification(account: Account, subject: str, headline: str, details: tuple[str, ...]) -> RenderedNotification:
    return RenderedNotification(
        language=account.language,
        subject=subject,
        headline=headline,
        blocks=(
            Listing(pgettext("title of a page or section", "Details"), details),
            Link(_("Your sessions and tokens"), f"{settings.PUBLIC_URL}{reverse('settings-tokens')}"),
            Footnote((_("If that was not you, log out everywhere on this page, then change your password."),)),
        ),
    )


def _isolated(text: str) -> str:
    """Return a text with marks that isolate its direction from the surrounding text."""
    return f"\u2068{text}\u2069"
