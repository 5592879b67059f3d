"""A new password with a code by mail, for whoever has forgotten theirs."""

from uuid import uuid4

from allauth.account.adapter import get_adapter
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import override

from accounts.authentication import codes, emails, sessions
from accounts.authentication.sign_up import WrongCode, confirm_address
from accounts.limits import security_log, tries
from accounts.models import Account, CodeRequest
from accounts.tokens import grants
from notifications.delivery import outbox
from notifications.recipients import suppression_list

_PURPOSES = (CodeRequest.Purpose.PASSWORD,)


def forgot(request: HttpRequest, email: str) -> None:
    """Send a code for a new password, if the address has an account that is not closed. TooManyTries."""
    email = email.lower()
    tries.count(request, "reset_password")
    tries.draw(tries.of_mail(request, email, _PURPOSES[0]))
    now = timezone.now()
    account = Account.objects.filter(email=email, is_active=True).first()
    with transaction.atomic():
        asked, code = codes.ask(_PURPOSES[0], email, now, account=account, is_usable=account is not None)
        if account is not None:
            with override(account.language):
                notice = emails.new_password(account, code)
            key = f"account:{uuid4()}"
            outbox.post(outbox.Order(key, "account", account.pk, email, topic=codes.topic_of(asked)), notice, now)


def renew(request: HttpRequest, email: str, code: str, password: str, *, keep_programs: bool) -> Account:
    """Set a new password with a code that was sent to this address, which is confirmed by that. Gives the account.

    Nobody is signed in with the old one any more, and no program acts for the account, unless they are kept.
    ValidationError where the password is too weak; WrongCode, or TooManyTries.
    """
    email = email.lower()
    get_adapter().clean_password(password)
    drawn = tries.draw(tries.of_code(request, email))
    with transaction.atomic():
        found = codes.find(_PURPOSES, email, code, timezone.now())
        if found is not None and found.account is not None:
            _set(found.account, password, keep_programs=keep_programs)
            codes.close(_PURPOSES, email)
    if found is None or found.account is None:
        security_log.record_refusal("code-refused", request)
        raise WrongCode
    tries.forgive(drawn)
    security_log.record("password-reset", request, found.account)
    return found.account


def _set(account: Account, password: str, *, keep_programs: bool) -> None:
    get_adapter().clean_password(password, account)
    account.set_password(password)
    account.save(update_fields=["password"])
    sessions.end_others(account, None)
    confirm_address(account)
    suppression_list.end(account.email)
    if not keep_programs:
        grants.end_all(account)
