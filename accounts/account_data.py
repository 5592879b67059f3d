"""Export of an account's data, and deletion of the account.

The data of an account are stored in several apps, which this module cannot import. ``settings.ACCOUNT_DATA_PROVIDERS``
names a module of each app with two functions: ``export_data(account)`` returns the data of the account as JSON, and
``delete_data(account, now)`` is called before the row of the account is deleted, in the same transaction.

Deleted accounts are listed in a file of ``DATA_DIR``, so that a restored backup does not bring them back.
"""

import base64
import logging
import os
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import override

from accounts import rate_limits, second_factors
from accounts.authentication import emails
from accounts.authentication.flows import WrongPassword
from accounts.authentication.sign_up import WrongCode
from accounts.models import Account, Block, CodeRequest, Follow, Mute, Report, SecondAddress, Sighting, Token
from accounts.rate_limits import EXPORTS, enforce
from config.core.clock import write_moment
from config.core.logs import describe_error
from notifications import outbox

# A code is valid for at least this time, and for at most twice this time.
CODE_LIFETIME: Final = timedelta(hours=1)


def export_account(account: Account, now: datetime) -> dict[str, Any]:
    """Return all data about an account that its owner may read. Raises RateLimitExceeded, because it reads a lot."""
    enforce(account.pk, EXPORTS, now)
    return {name: value for provider in _providers() for name, value in provider.export_data(account).items()}


def send_deletion_code(request: HttpRequest, account: Account, now: datetime) -> None:
    """Email a code that the owner can use in place of the password to delete the account. Raises TooManyAttempts."""
    rate_limits.count_request(request, "deletion_code", str(account.pk))
    rate_limits.count_attempt(rate_limits.code_email(request, account.email, "deletion"))
    with override(account.language):
        rendered = emails.deletion_code(account, _code(account, now))
    outbox.add_rendered(outbox.NewNotification(f"deletion:{uuid4()}", "account", account.pk), rendered, now)


def verify_owner(request: HttpRequest, account: Account, now: datetime, *, password: str = "", code: str = "") -> None:
    """Check the password, or the code from the email. Raises WrongPassword or WrongCode."""
    rate_limits.count_request(request, "deletion", str(account.pk))
    if password:
        if not account.check_password(password):
            raise WrongPassword
        return
    plain_code = "".join(mark for mark in code.lower() if mark.isascii() and mark.isalnum())
    valid = [_code(account, now - CODE_LIFETIME * ago) for ago in (0, 1)]
    if not any(constant_time_compare(plain_code, mark.replace("-", "")) for mark in valid):
        raise WrongCode


def delete_account(account: Account, now: datetime) -> None:
    """Delete an account and every mention of it. Its seats stay without a name, and the games go on."""
    with transaction.atomic():
        transaction.on_commit(partial(list_deleted, (account.pk, account.created_at), now))
        for provider in _providers():
            provider.delete_data(account, now)
        account.delete()


def _providers() -> Iterator[Any]:
    return (import_module(name) for name in settings.ACCOUNT_DATA_PROVIDERS)


def _code(account: Account, moment: datetime) -> str:
    """Return the deletion code of an account for one hour. It is derived, so it need not be stored."""
    hour = int(moment.timestamp() // CODE_LIFETIME.total_seconds())
    mac = salted_hmac(
        "accounts.account_data",
        f"{account.pk}|{account.email}|{account.password}|{hour}",
        algorithm="sha256",
    ).digest()
    text = base64.b32encode(mac).decode()[:8].lower()
    return f"{text[:4]}-{text[4:]}"


logger = logging.getLogger(__name__)

# The name of the file in ``DATA_DIR``.
NAME: Final = "deleted-accounts"


class UnreadableList(Exception):
    """A file is not a list of deleted accounts. The message names the first bad line."""


# The number of an account, and the time of its creation.
Identity = tuple[int, datetime]


def list_of_deleted() -> Path:
    """Return the path of the list in this machine's ``DATA_DIR``."""
    return Path(settings.DATA_DIR) / NAME


def list_deleted(account: Identity, now: datetime) -> None:
    """Add a deleted account to the list. If the disk refuses it, the error is logged."""
    number, made_at = account
    line = f"{write_moment(now)} {number} {write_moment(made_at)}\n".encode()
    try:
        file = os.open(list_of_deleted(), os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            os.write(file, line)
            os.fsync(file)
        finally:
            os.close(file)
    except OSError as error:
        logger.error("account %d is deleted and not on the list of deleted accounts: %s", number, describe_error(error))


def read_deleted(files: Iterable[Path]) -> set[Identity]:
    """Return the accounts on these lists. Raises UnreadableList."""
    return {account for file in files for account in _parse(file)}


def _parse(file: Path) -> Iterable[Identity]:
    try:
        lines = file.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableList(f"{file} is no list of deleted accounts that can be read.") from error
    for number, line in enumerate(lines, 1):
        try:
            _, account, made_at = line.split(" ")
            yield int(account), datetime.fromisoformat(made_at)
        except ValueError:
            raise UnreadableList(
                f"{file} is no list of deleted accounts: its line {number} is {line[:60]!r}."
            ) from None


def export_data(account: Account) -> dict[str, Any]:
    """Return the account, its addresses, second factors without secrets, sessions, sightings, tokens, lists and
    reports."""
    fields = (
        "email", "name", "language", "time_zone", "is_bot", "public_profile", "shows_answer_times", "shows_presence",
        "sleep_from", "sleep_to", "vacations", "created_at", "last_login", "silent_until",
    )  # fmt: skip
    return {
        "account": {name: getattr(account, name) for name in fields} | {"calendar_feed": bool(account.calendar_key)},
        "addresses": list(EmailAddress.objects.filter(user=account).values("email", "verified", "primary")),
        "second_addresses": list(SecondAddress.objects.filter(account=account).values("address", "confirmed_at")),
        "tokens": list(
            Token.objects.filter(user=account).values("name", "scopes", "created", "expiry", "last_used_at")
        ),
        "second_factors": [
            {
                "type": factor.type,
                "name": str(factor),
                "created_at": factor.created_at,
                "last_used_at": factor.last_used_at,
            }
            for factor in second_factors.factors_of(account)
        ],
        "sessions": list(
            UserSession.objects.filter(user=account).values("ip", "user_agent", "created_at", "last_seen_at")
        ),
        "sightings": [
            {
                "kind": sighting.kind,
                "hash": bytes(sighting.digest).hex(),
                "first_at": sighting.first_at,
                "last_at": sighting.last_at,
            }
            for sighting in Sighting.objects.filter(account=account).order_by("first_at", "pk")
        ],
        "blocks": list(Block.objects.filter(owner=account).values("since", name=F("other__name"))),
        "follows": list(Follow.objects.filter(owner=account).values("since", name=F("other__name"))),
        "mutes": list(Mute.objects.filter(owner=account).values("since", name=F("other__name"))),
        "reports": list(
            Report.objects.filter(reporter=account).values("kind", "reason", "evidence", "made_at", "state")
        ),
    }


def delete_data(account: Account, now: datetime) -> None:
    """End the sessions of the account and remove its name from texts. Reports keep their evidence without the name."""
    for session in Session.objects.filter(expire_date__gt=now).iterator():
        if session.get_decoded().get(SESSION_KEY) == str(account.pk):
            session.delete()
    for report in Report.objects.filter(accused=account):
        report.evidence.pop("name", None)
        report.save(update_fields=["evidence"])
    of_accounts = ContentType.objects.get_for_model(Account)
    LogEntry.objects.filter(content_type=of_accounts, object_id=str(account.pk)).delete()
    CodeRequest.objects.filter(email=account.email).delete()
