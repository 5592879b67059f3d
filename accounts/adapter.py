"""allauth's way into this project: its accounts get what ours have, its mails go to the outbox."""

import time
import uuid
from collections.abc import Callable
from typing import Any, Final

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.email_verification_by_code import EmailVerificationProcess
from allauth.account.models import EmailAddress
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from accounts import letters
from accounts.forms import SignupForm
from accounts.models import Account
from accounts.stash import Stash
from notifications import outbox, silence
from notifications.notice import Notice

_CONFIRMATION: Final = "account/email/email_confirmation"
_EXISTS: Final = "account/email/account_already_exists"
LETTERS: Final[dict[str, Callable[[Account, dict[str, Any]], Notice]]] = {
    _CONFIRMATION: lambda account, context: letters.code(account, context["code"]),
    f"{_CONFIRMATION}_signup": lambda account, context: letters.code(account, context["code"]),
    _EXISTS: lambda account, context: letters.account_exists(account),
    "account/email/password_reset_code": lambda account, context: letters.new_password(account, context["code"]),
}
"""What is written for each of allauth's mails."""

PATIENCE: Final = 60
"""So many seconds after a code was sent, asking for a token sends no other one."""


class AccountAdapter(DefaultAccountAdapter):
    """``ACCOUNT_ADAPTER``."""

    def save_user(self, request: HttpRequest, user: Account, form: SignupForm, commit: bool = True) -> Account:
        for field in ("name", "language", "time_zone", "is_bot"):
            setattr(user, field, form.cleaned_data[field])
        return super().save_user(request, user, form, commit)

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Confirm an address with the code that was sent to it: whoever wanted no mail ever again has come back."""
        confirmed = super().confirm_email(request, email_address)
        if confirmed:
            silence.end(email_address.email)
        return confirmed

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Put the letter that stands for one of allauth's mails into the outbox, in its reader's language."""
        account = context.get("user") or Account.objects.get_by_natural_key(email)
        with translation.override(account.language):
            notice = LETTERS[template_prefix](account, context)
        order = outbox.Order(key=f"account:{uuid.uuid4()}", reason="account", account=account.pk, address=email)
        outbox.post(order, notice, timezone.now())

    def send_account_already_exists_mail(self, email: str) -> None:
        self.send_mail(_EXISTS, email, {})

    def should_send_confirmation_mail(self, request: HttpRequest, email_address: EmailAddress, signup: bool) -> bool:
        """Not where the last code has hardly arrived, so that a program's asking again does not void it."""
        process = EmailVerificationProcess.resume(request)
        fresh = (
            process is not None
            and process.email == email_address.email
            and process.user == email_address.user
            and time.time() - process.state["at"] < PATIENCE
        )
        return signup or not fresh

    def respond_email_verification_sent(self, request: HttpRequest, user: Account | None) -> HttpResponse:
        if isinstance(request.session, Stash):
            return HttpResponse()
        return super().respond_email_verification_sent(request, user)

    def add_message(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        """A message for the next page; there is none for a program."""
        if not isinstance(request.session, Stash):
            super().add_message(request, *args, **kwargs)
