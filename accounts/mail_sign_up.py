"""Sign-up by email, for senders whose address was checked by the operator's mail server.

The account is created when the code comes back in a reply to the email that brought it (``topic``). A code of a sign-up
on the pages is not accepted here: another person may have made that sign-up and
chosen its password.
"""

from datetime import datetime

from accounts import email_addresses, rate_limits, security_log
from accounts.authentication import codes, sign_up
from accounts.authentication.sign_up import WrongCode
from accounts.models import Account, CodeRequest
from config.core.email_spellings import mailbox_of
from notifications import deliverability

_PURPOSE = CodeRequest.Purpose.SIGN_UP


def create_request(address: str, name: str, language: str, now: datetime) -> tuple[CodeRequest, str]:
    """Store a sign-up, and return it with the code to send. ``name`` is a wish. The address must have no account.

    One sign-up a day is taken from a mailbox. Raises SignUpClosed or TooManyAttempts.
    """
    sign_up.require_open()
    mailbox = mailbox_of(address)
    limits = [
        (f"mail-sign-ups:{deliverability.suppression_digest(mailbox).hex()}", rate_limits.SIGN_UPS_OF_MAILBOX),
        (f"mail-sign-ups:{mailbox.rpartition('@')[2]}", rate_limits.SIGN_UPS_OF_DOMAIN),
    ]
    balance = rate_limits.take_each(limits, now)
    if not balance.granted:
        raise rate_limits.TooManyAttempts(balance.wait)
    details = {"name": email_addresses.free_name(name, address, language), "language": language, "time_zone": "UTC"}
    return codes.create_request(_PURPOSE, address, now, details=details)


def confirm(address: str, topic: str, code: str, now: datetime) -> Account:
    """Create the account of a sign-up by email. Its name may have a number if another account got the name.

    Raises WrongCode, SignUpClosed or TooManyAttempts.
    """
    sign_up.require_open()
    attempt = rate_limits.count_attempt(rate_limits.code_attempt(None, address))
    code_request = codes.find_request((_PURPOSE,), address, code, now)
    is_of_topic = code_request is not None and codes.topic_of(code_request) == topic
    if code_request is None or not is_of_topic or email_addresses.owner_of(address) is not None:
        security_log.record_refusal("code-refused", None)
        raise WrongCode
    rate_limits.refund(attempt)
    details = code_request.details
    account = email_addresses.create_account_for(address, details["name"], details["language"], now)
    codes.delete_requests((_PURPOSE,), address)
    deliverability.allow(address)
    deliverability.confirm(address, now)
    security_log.record("address-confirmed", None, account)
    return account
