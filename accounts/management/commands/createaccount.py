"""``manage.py createaccount ADDRESS NAME``: create an account on a server without open sign-up."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from accounts.authentication.sign_up import SignupForm
from accounts.models import Account


class Command(BaseCommand):
    """Create an account without a password. Its owner sets one with a code by email."""

    help = "Create an account for someone. They set their password with a code that we email them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address")
        parser.add_argument("name", help="the name that other players see")
        parser.add_argument("--language", default="en", help="en or fa")
        parser.add_argument("--time-zone", default="UTC", help="such as Asia/Tehran")

    def handle(self, *args: Any, address: str, **fields: Any) -> None:
        form = SignupForm({"email": address, **fields})
        if not form.is_valid():
            (field, (problem, *_)), *_ = form.errors.items()
            raise CommandError(f"{field}: {problem}")
        details = dict(form.cleaned_data)
        email = details.pop("email")
        if Account.objects.filter(email=email).exists():
            raise CommandError(f"{email} already has an account.")
        account = Account.objects.create_user(**{**details, "email": email, "password": None})
        place = f"{settings.PUBLIC_URL}{reverse('account_reset_password')}"
        self.stdout.write(f"{account.name} now has an account. They can set a password at {place}.")
