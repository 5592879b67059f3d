"""Types of requests whose sender is signed in."""

from django.http import HttpRequest
from rest_framework.request import Request

from accounts.models import Account


class AccountRequest(Request):
    """A request to a view of the API that lets only accounts in (``HasScope``)."""

    user: Account


def account_of(request: HttpRequest) -> Account | None:
    """Return the logged-in account, or None."""
    return request.user if isinstance(request.user, Account) else None


class AccountHttpRequest(HttpRequest):
    """A request to a page behind ``login_required``."""

    user: Account
