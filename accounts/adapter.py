"""allauth's way into this project: what it says is not said by it."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class AccountAdapter(DefaultAccountAdapter):
    """``ACCOUNT_ADAPTER``."""

    def add_message(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        """A message for the next page; there is none for a program."""
