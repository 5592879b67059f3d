"""Proving who one is, without a browser: allauth's flows on a stash. Logging in and out, changing an account.

Nothing here tells a stranger whether an address has an account: neither by its answer, nor by the work done for it,
nor by what it changes.
"""

from typing import Any
from uuid import UUID

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress, Login
from allauth.account.stages import LoginStageController
from allauth.mfa.stages import AuthenticateStage
from django.contrib.auth import update_session_auth_hash
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone

from accounts.authentication import known_devices, proofs, sessions, sign_up, two_factor
from accounts.authentication.session_stash import stash_for
from accounts.limits import security_log, tries
from accounts.models import Account
from accounts.profile import names
from accounts.second_factor.factors import has_factor
from accounts.tokens import grants


class WrongPassword(Exception):
    """No account has this address and password."""


class NotConfirmed(Exception):
    """The password is right, and the address is not confirmed; a code is on its way, for the request ``asked``."""

    def __init__(self, asked: UUID) -> None:
        super().__init__()
        self.asked = asked


class Refused(Exception):
    """The password is right, and the account is closed."""


class FactorNeeded(Exception):
    """The password is right, and the account asks for a second factor besides."""

    def __init__(self, account: Account) -> None:
        super().__init__()
        self.account = account


def prove(request: HttpRequest, email: str, password: str, otp: str = "") -> Account:
    """The account with this address and password, and with this code of its second factor, if it has one.

    WrongPassword, NotConfirmed, Refused or TooManyTries; FactorNeeded without ``otp``, factors.WrongFactor.
    """
    email = email.lower()
    tries.count(request, "login")
    drawn = tries.draw(_draws(request, email))
    account = get_adapter().authenticate(request, email=email, password=password)
    if account is None:
        raise WrongPassword
    tries.forgive(drawn)
    if not account.is_active:
        raise Refused
    if not EmailAddress.objects.filter(user=account, email=email, verified=True).exists():
        raise NotConfirmed(sign_up.ask_to_confirm(request, account))
    _pass_stages(request, account, email)
    prove_factor(request, account, otp)
    return account


def _draws(request: HttpRequest, email: str) -> tries.Draws:
    account = Account.objects.filter(email=email).only("pk").first()
    known = account is not None and known_devices.is_known(request, account)
    return tries.of_known_device(email) if known else tries.of_password(request, email)


def prove_factor(request: HttpRequest, account: Account, otp: str) -> None:
    """Accept a code of the account's second factor, if it has one.

    FactorNeeded without a code; factors.WrongFactor, TooManyTries.
    """
    if has_factor(account):
        if not otp:
            raise FactorNeeded(account)
        two_factor.use_code(request, account, otp)


def _pass_stages(request: HttpRequest, account: Account, email: str) -> None:
    """Pass the stages that allauth asks for after the password, but for the second factor."""
    with stash_for(request, email):
        stages = LoginStageController(request, Login(user=account, email=email))
        stopped = stages.handle()
    if stopped is not None and stages.state["current"] != AuthenticateStage.key:
        raise Refused


def log_in(request: HttpRequest, account: Account, *, factor: bool) -> None:
    """Log the browser in to this account, which proved who it is or confirmed its address.

    ``factor`` says whether it has passed the account's second factor.
    """
    now = timezone.now()
    get_adapter().login(request, account)
    proofs.note(request, now, factor=factor)
    sessions.note_start(request, now)


def check_password(request: HttpRequest, account: Account, password: str) -> None:
    """Check the password of whoever is logged in. WrongPassword, TooManyTries."""
    tries.count(request, "reauthenticate")
    if not account.check_password(password):
        raise WrongPassword


def log_out(request: HttpRequest) -> None:
    """Log the browser out."""
    get_adapter().logout(request)


def change_password(request: HttpRequest, account: Account, old: str, new: str, *, keep_programs: bool) -> None:
    """Set a new password for whoever knows the old one, and keep them signed in here only: no program either, unless
    they are kept.

    WrongPassword; ValidationError where the new one is too weak; TooManyTries.
    """
    tries.count(request, "change_password", key=str(account.pk))
    if not account.check_password(old):
        security_log.record_refusal("password-refused", request, account)
        raise WrongPassword
    get_adapter().clean_password(new, account)
    with transaction.atomic():
        account.set_password(new)
        account.save(update_fields=["password"])
        if not keep_programs:
            grants.end_all(account)
    update_session_auth_hash(request, account)
    security_log.record("password-changed", request, account)
    sessions.note_new_key(request)
    sessions.end_others(account, request)


def change(account: Account, changes: dict[str, Any]) -> None:
    """Store new values of an account's fields. ValidationError where the name is not free."""
    name = changes.get("name")
    if name is not None:
        try:
            Account.objects.check_free(name, account.email)
        except ValidationError as error:
            raise ValidationError({"name": error}) from None
    for field, value in changes.items():
        setattr(account, field, value)
    try:
        with transaction.atomic():
            account.save(update_fields=list(changes))
    except IntegrityError:
        raise ValidationError({"name": names.taken()}) from None
