"""``manage.py second_factor ADDRESS``: list the second factors of an account, or remove lost ones."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts import second_factors
from accounts.authentication import flows
from accounts.models import Account
from config.core.email_spellings import canonical


class Command(BaseCommand):
    """List the second factors of an account, or remove them all."""

    help = "List the second factors of the account with this address, or remove them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address")
        parser.add_argument(
            "--remove",
            action="store_true",
            help="remove all of them and the recovery codes, log the account out everywhere, and email its owner",
        )

    def handle(self, *args: Any, address: str, remove: bool, **options: Any) -> None:
        account = Account.objects.filter(email=canonical(address)).first()
        if account is None:
            raise CommandError(f"There is no account with the address {address}.")
        if remove:
            count = flows.remove_all(account)
            self.stdout.write(f"{account.name}: {count} removed." if count else f"{account.name} has no second factor.")
            return
        for factor in second_factors.factors_of(account):
            used = f"{factor.last_used_at:%Y-%m-%d %H:%M} UTC" if factor.last_used_at else "never"
            self.stdout.write(f"{factor} ({factor.type}), added {factor.created_at:%Y-%m-%d}, last used: {used}")
        if not second_factors.has_factor(account):
            self.stdout.write(f"{account.name} has no second factor.")
