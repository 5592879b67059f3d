"""Signing up, confirming, and proving who one is, without a browser: allauth's flows on a stash.

Nothing here tells a stranger whether an address has an account: neither by its answer, nor by the work
done for it, nor by what it changes.
"""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import ConfirmEmailVerificationCodeForm, ConfirmPasswordResetCodeForm
from allauth.account.internal.flows.email_verification_by_code import EmailVerificationProcess
from allauth.account.internal.flows.password_reset import reset_password
from allauth.account.internal.flows.password_reset_by_code import PasswordResetVerificationProcess
from allauth.account.internal.flows.signup import complete_signup
from allauth.account.models import Login
from allauth.account.stages import EmailVerificationStage, LoginStageController
from allauth.core import ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from django.contrib.auth import update_session_auth_hash
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.forms import Form
from django.http import HttpRequest
from django.utils import timezone

from accounts import grants, names, security_log
from accounts.forms import SignupForm
from accounts.models import Account
from accounts.stash import RESET, Stash, stash_for
from notifications import reach, silence


class TooManyTries(Exception):
    """Too many requests of this kind by this sender or for this address."""


class WrongPassword(Exception):
    """No account has this address and password."""


class WrongCode(Exception):
    """This is not, or no longer, the code that was sent to this address."""


class NotConfirmed(Exception):
    """The password is right, and the address is not confirmed; a code is on its way."""


class Refused(Exception):
    """The password is right, and it is not enough: the account is closed, or asks for more than a password."""


def sign_up(request: HttpRequest, data: dict[str, str]) -> None:
    """Make an account that is to be confirmed and send the code; for an address that has one, tell its owner.

    ValidationError, by field, where something in ``data`` is refused. A sign-up that was never confirmed gives
    way to the next one with its address. TooManyTries.
    """
    _count(request, "signup")
    email = data["email"].lower()
    try:
        with stash_for(request, email) as stash:
            Account.objects.forget_unconfirmed(email)
            stash.clear()
            form = SignupForm({**data, "password1": data["password"]})
            if not form.is_valid():
                raise ValidationError(_by_field(form))
            account, response = form.try_save(request)
            if account:
                response = complete_signup(request, user=account)
            if response.status_code == 429:
                raise TooManyTries
    except IntegrityError:
        raise ValidationError({"name": names.taken()}) from None


def confirm(request: HttpRequest, email: str, code: str) -> Account:
    """The account whose address is now confirmed. WrongCode, or TooManyTries."""
    email = email.lower()
    _count(request, "confirm_code", key=email)
    with stash_for(request, email) as stash:
        account = _confirmed(request, stash, code)
    if account is None:
        security_log.record_refusal("code-refused", request)
        raise WrongCode
    security_log.record("address-confirmed", request, account)
    reach.confirm(email, timezone.now())
    return account


def _confirmed(request: HttpRequest, stash: Stash, code: str) -> Account | None:
    process = EmailVerificationProcess.resume(request)
    if process is None:
        return None
    said = {"code": _plain(code)}
    form = ConfirmEmailVerificationCodeForm(said, code=process.code, user=process.user, email=process.email)
    if not (form.is_valid() and process.user):
        process.record_invalid_attempt()
        return None
    account = process.user
    process.finish()
    stash.clear()
    return account


def prove(request: HttpRequest, email: str, password: str) -> Account:
    """The account with this address and password. WrongPassword, NotConfirmed, Refused or TooManyTries."""
    email = email.lower()
    _count(request, "login")
    try:
        account = get_adapter().authenticate(request, email=email, password=password)
    except ValidationError:
        raise TooManyTries from None
    if account is None:
        raise WrongPassword
    if not account.is_active:
        raise Refused
    _pass_stages(request, account, email)
    return account


def _pass_stages(request: HttpRequest, account: Account, email: str) -> None:
    """Whatever allauth asks for after the password; the first thing it asks for sends a code where none is due."""
    try:
        with stash_for(request, email):
            stages = LoginStageController(request, Login(user=account, email=email))
            stopped = stages.handle()
    except ImmediateHttpResponse:
        raise TooManyTries from None
    if stopped is not None:
        raise NotConfirmed if stages.state["current"] == EmailVerificationStage.key else Refused


def log_in(request: HttpRequest, account: Account) -> None:
    """Have the browser act for this account from now on: one that proved who it is, or confirmed its address."""
    get_adapter().login(request, account)


def log_out(request: HttpRequest) -> None:
    """Have the browser act for nobody."""
    get_adapter().logout(request)


def forgot(request: HttpRequest, email: str) -> None:
    """Send a code for a new password, if the address has an account that is not closed. TooManyTries."""
    email = email.lower()
    _count(request, "reset_password", key=email)
    account = Account.objects.filter(email=email, is_active=True).first()
    with stash_for(request, email, RESET):
        PasswordResetVerificationProcess.initiate(request=request, user=account, email=email)


def renew(request: HttpRequest, email: str, code: str, password: str, *, keep_programs: bool) -> None:
    """Set a new password with the code that was sent to this address, which is confirmed by that.

    Nobody is signed in with the old one any more, and no program acts for the account, unless they are kept.
    ValidationError where the password is too weak; WrongCode, or TooManyTries.
    """
    email = email.lower()
    get_adapter().clean_password(password)
    _count(request, "confirm_code", key=email)
    with stash_for(request, email, RESET):
        process = PasswordResetVerificationProcess.resume(request)
        right = process is not None and _is_right(process, code)
        if process is not None and process.user is not None and right:
            get_adapter().clean_password(password, process.user)
            process.confirm_code()
            reset_password(process.user, password)
            process.finish()
            silence.end(email)
            security_log.record("password-reset", request, process.user)
            if not keep_programs:
                grants.end_all(process.user)
    if not right:
        security_log.record_refusal("code-refused", request)
        raise WrongCode


def change_password(request: HttpRequest, account: Account, old: str, new: str, *, keep_programs: bool) -> None:
    """Set a new password for whoever knows the old one, and keep them signed in here only: no program either, unless
    they are kept.

    WrongPassword; ValidationError where the new one is too weak; TooManyTries.
    """
    _count(request, "change_password", key=str(account.pk))
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


def _is_right(process: PasswordResetVerificationProcess, code: str) -> bool:
    """Whether this is the code; a wrong one is counted."""
    form = ConfirmPasswordResetCodeForm({"code": _plain(code)}, code=process.code)
    if process.user is not None and form.is_valid():
        return True
    process.record_invalid_attempt()
    return False


def _plain(code: str) -> str:
    """A code without the marks that writing from right to left may bring with it."""
    return "".join(character for character in code if character.isascii())


def change(account: Account, changes: dict[str, Any]) -> None:
    """Store new values of an account's fields. ValidationError where the name is not free."""
    name = changes.get("name")
    if name is not None and not Account.objects.is_free(name, account.email, timezone.now()):
        raise ValidationError({"name": names.taken()})
    for field, value in changes.items():
        setattr(account, field, value)
    try:
        with transaction.atomic():
            account.save(update_fields=list(changes))
    except IntegrityError:
        raise ValidationError({"name": names.taken()}) from None


def _count(request: HttpRequest, action: str, key: str | None = None) -> None:
    if not ratelimit.consume(request, action=action, key=key):
        raise TooManyTries


def _by_field(form: Form) -> dict[str, list[ValidationError]]:
    """A form's errors by the names that programs know its fields by."""
    known = {"password1": "password", "__all__": "non_field_errors"}
    return {known.get(field, field): errors for field, errors in form.errors.as_data().items()}
