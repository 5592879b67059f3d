"""Types of requests from a logged-in account."""

from django.http import HttpRequest
from rest_framework.request import Request

from accounts.models import Account


class AccountRequest(Request):
    """A request to an API view that requires an account (``HasScope``)."""

    user: Account


def account_of(request: HttpRequest) -> Account | None:
    """Return the logged-in account, or None."""
    return request.user if isinstance(request.user, Account) else None


class AccountHttpRequest(HttpRequest):
    """A request to a page behind ``login_required``."""

    user: Account
