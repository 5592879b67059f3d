"""Eligibility for games with other people. They are rated, so all their players must have a confirmed address."""

from accounts.models import Account
from accounts.people import address_owners
from games.engine import Phrase, gettext_noop
from games.refusals import Refusal


def check_address(account: Account) -> None:
    """Refuse a game with other people to a guest, and to an account without a confirmed address.

    The address of an account that the operator created counts as confirmed. Raises Refusal(forbidden).
    """
    if account.is_guest:
        sentence = gettext_noop("Make an account first, with your email address: games with other people are rated.")
        raise Refusal("forbidden", Phrase(sentence))
    if not address_owners.confirmed_addresses(account):
        sentence = gettext_noop(
            "Confirm your email address first: games with other people are rated. Log out and log in again, and we "
            "send you a code."
        )
        raise Refusal("forbidden", Phrase(sentence))
