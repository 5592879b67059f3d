"""``manage.py register_app NAME ADDRESS...``: make a third-party app known, as the operator."""

from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from accounts.tokens import apps
from accounts.tokens.scopes import ALL


class Command(BaseCommand):
    """Prints the app's client_id, and the secret of a confidential one, which is kept as a hash only."""

    help = "Make a third-party app known, which may then ask people for tokens (OAuth 2)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="what people read when it asks them")
        parser.add_argument("redirect_uri", nargs="+", help="where people may be sent back to")
        parser.add_argument("--scope", nargs="+", choices=ALL, default=list(ALL), help="the most it will ever ask for")
        parser.add_argument("--confidential", action="store_true", help="it runs on a server and keeps a secret")

    def handle(self, *args: Any, **said: Any) -> None:
        try:
            apps.validate_app_name(said["name"])
            for uri in said["redirect_uri"]:
                apps.validate_redirect_uri(uri)
        except ValidationError as error:
            raise CommandError(error.messages[0]) from None
        wanted = apps.NewApp(said["name"], said["redirect_uri"], said["scope"], said["confidential"])
        app, secret = apps.register(wanted, owner=None)
        self.stdout.write(f"client_id: {app.id}")
        if secret:
            self.stdout.write(f"client_secret: {secret} (shown this once)")
