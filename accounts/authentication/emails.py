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
from msgspec.structs import replace
from persiantools import digits

from accounts.authentication import codes
from accounts.local_times import format_moment
from accounts.models import Account, CodeRequest
from accounts.second_factors import has_factor
from config.core.email_spellings import readable
from notifications.content import Code, Footnote, Link, Listing, Prose, RenderedNotification, answerable


def sign_up_code(name: str, code: str) -> RenderedNotification:
    """Return the email with the code that confirms the address of a sign-up."""
    return _notification(
        _("Your code for Darbar"),
        _("Use this code to confirm your address."),
        (
            _("Someone signed up at Darbar with this address, under the name %(name)s.") % _isolated_name(name),
            _("If that was you, confirm it with this code:"),
        ),
        (
            _code_lifetime(),
            _("If it wasn’t you, or the name isn’t yours, do nothing. Without the code there’s no account."),
        ),
        code,
    )


def mail_sign_up_code(name: str, code: str) -> RenderedNotification:
    """Return the email with the code that confirms a sign-up by email."""
    return _notification(
        _("Your code for Darbar"),
        _("Use this code to confirm your address."),
        (
            _("Someone, probably you, signed up at Darbar by email, under the name %(name)s.") % _isolated_name(name),
            _("If that was you, reply to this email with the code:"),
        ),
        (_code_lifetime(), _("If it wasn’t you, do nothing. Without the code there’s no account.")),
        code,
    )


def wrong_code() -> RenderedNotification:
    """Return the answer to a wrong code from an address without an account."""
    return _notification(
        _("Your code for Darbar"),
        _("This code is wrong or has expired. Nothing has changed."),
        (_("Reply with the code of our last email."),),
        (),
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
            _("If it wasn’t you, do nothing. Your old password still works."),
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
        (_("If it wasn’t you, you don’t need to do anything."),),
    )


def deletion_code(account: Account, code: str) -> RenderedNotification:
    """Return the email with the code that deletes an account."""
    return _notification(
        _("Your code for Darbar"),
        _("Use this code to delete your account."),
        (
            _("Someone, probably you, asked us to delete the account %(name)s for good.")
            % _isolated_name(account.name),
            _("If that’s what you want, confirm it with this code:"),
        ),
        (
            _("The code expires in an hour. In games that are still running, a bot takes your seat."),
            _("If it wasn’t you, do nothing, and change your password."),
        ),
        code,
    )


def owner_code(account: Account, code_request: CodeRequest, code: str) -> RenderedNotification:
    """Return the email with the code that confirms a request by email."""
    headlines = {
        CodeRequest.Purpose.DATA: _("Use this code to get a copy of your data."),
        CodeRequest.Purpose.DELETION: _("Use this code to delete your account."),
        CodeRequest.Purpose.ADDRESS: _("Use this code to change your account’s address."),
    }
    requests = {
        CodeRequest.Purpose.DATA: _("Someone, probably you, asked for all the data of the account %(name)s."),
        CodeRequest.Purpose.DELETION: _("Someone, probably you, asked us to delete the account %(name)s for good."),
        CodeRequest.Purpose.ADDRESS: _("Someone, probably you, wants to change the address of the account %(name)s."),
    }
    lines = [requests[CodeRequest.Purpose(code_request.purpose)] % _isolated_name(account.name)]
    if address := code_request.details["address"]:
        lines.append(_("The new address is %(address)s.") % {"address": _isolated(readable(address))})
    if code_request.purpose == CodeRequest.Purpose.DELETION:
        lines.append(_("In games that are still running, a bot takes your seat."))
    lines.append(_("If that’s what you want, reply to this email with the code:"))
    if has_factor(account):
        lines.append(_("After it, add a code from your authenticator app or a recovery code."))
    footnote = (_code_lifetime(), _("If it wasn’t you, do nothing."))
    headline = headlines[CodeRequest.Purpose(code_request.purpose)]
    return answerable(_notification(_("Your code for Darbar"), headline, tuple(lines), footnote, code))


def new_address_code(account: Account, code: str) -> RenderedNotification:
    """Return the email with the code that confirms the new address of an account."""
    return _notification(
        _("Your code for Darbar"),
        _("Use this code to confirm your address."),
        (
            _("Someone wants to use this address for the account %(name)s at Darbar.") % _isolated_name(account.name),
            _("If that’s your account, reply to this email with the code, or write it on the page that asks for it:"),
        ),
        (_code_lifetime(), _("If it isn’t your account, do nothing.")),
        code,
    )


def second_address_code(account: Account, code: str) -> RenderedNotification:
    """Return the email with the code that lets an address answer questions for an account."""
    return _notification(
        _("Your code for Darbar"),
        _("Use this code to allow answers from this address."),
        (
            _("Someone wants to answer the questions of the account %(name)s at Darbar from this address.")
            % _isolated_name(account.name),
            _("If that’s your account, write this code on the page that asks for it:"),
        ),
        (_code_lifetime(), _("If it isn’t your account, do nothing.")),
        code,
    )


def address_in_use(account: Account) -> RenderedNotification:
    """Return the email to the owner of an address that another account wanted to have."""
    return _notification(
        _("You have an account at Darbar"),
        _("Someone wanted to use your address for another account."),
        (
            _("Your address already belongs to the account %(name)s. Nothing has changed.")
            % _isolated_name(account.name),
            _("If you want to use it for another account, delete this one first."),
        ),
        (_("If it wasn’t you, you don’t need to do anything."),),
    )


def address_changed(account: Account, now: datetime) -> RenderedNotification:
    """Return the email to the former address of an account."""
    return _security_notification(
        account,
        _("Your new address at Darbar"),
        _("Your account has a new address."),
        (_("New address: %(address)s") % {"address": _isolated(readable(account.email))}, _at(account, now)),
        advice=_("If that wasn’t you, write to the operator of this server right away."),
    )


def account_deleted(name: str) -> RenderedNotification:
    """Return the last email to an account that was deleted by email."""
    return _notification(
        _("Your account at Darbar"),
        _("Your account is deleted."),
        (_("The account %(name)s and its data are gone. Goodbye!") % _isolated_name(name),),
        (),
    )


def answerable_at(rendered: RenderedNotification, address: str) -> RenderedNotification:
    """Return a notification whose replies go to an address of this server."""
    return replace(answerable(rendered), reply_to=address)


def _notification(
    subject: str, headline: str, paragraphs: tuple[str, ...], footnote: tuple[str, ...], code: str = ""
) -> RenderedNotification:
    blocks = (Prose(paragraphs), *((Code(code),) if code else ()), *((Footnote(footnote),) if footnote else ()))
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
    account: Account, subject: str, headline: str, details: tuple[str, ...], advice: str = ""
) -> RenderedNotification:
    return RenderedNotification(
        language=account.language,
        subject=subject,
        headline=headline,
        blocks=(
            Listing(pgettext("title of a page or section", "Details"), details),
            Link(_("Your sessions and tokens"), f"{settings.PUBLIC_URL}{reverse('settings-tokens')}"),
            Footnote((advice or _("If that wasn’t you, log out everywhere on this page, then change your password."),)),
        ),
    )


def _isolated(text: str) -> str:
    """Return a text with marks that isolate its direction from the surrounding text."""
    return f"\u2068{text}\u2069"
