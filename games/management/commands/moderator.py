"""``manage.py moderator ADDRESS``: make an account a moderator, who handles reports at ``/admin/``."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import Group, Permission
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from accounts.models import Account
from accounts.second_factors import has_factor
from config.core.email_spellings import canonical

GROUP = "Moderators"


class Command(BaseCommand):
    """Add an account to the moderators, or remove it."""

    help = "Make the account of this address a moderator."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address")
        parser.add_argument("--remove", action="store_true", help="remove the role")

    def handle(self, *args: Any, address: str, remove: bool, **options: Any) -> None:
        account = Account.objects.filter(email=canonical(address)).first()
        if account is None:
            raise CommandError(f"There is no account with the address {address}.")
        with transaction.atomic():
            group, _made = Group.objects.get_or_create(name=GROUP)
            group.permissions.add(Permission.objects.get(content_type__app_label="accounts", codename="moderate"))
            if remove:
                account.groups.remove(group)
            else:
                account.groups.add(group)
            account.is_staff = account.is_superuser or not remove
            account.save(update_fields=["is_staff"])
        self.stdout.write(f"{account.name} is {'no longer a moderator' if remove else 'a moderator'}.")
        if not remove and not has_factor(account):
            self.stdout.write("Before they can open /admin/, they need a second factor: /settings/two-factor/.")
