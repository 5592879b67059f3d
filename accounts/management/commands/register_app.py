"""``manage.py register_app NAME ADDRESS...``: register a third-party app as the operator."""

from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from accounts import tokens
from accounts.tokens import ALL


class Command(BaseCommand):
    """Print the app's client_id, and the secret of a confidential app. Only a hash of the secret is stored."""

    help = "Register a third-party app, so that it can ask people for tokens (OAuth 2)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the name that people see when it asks them")
        parser.add_argument("redirect_uri", nargs="+", help="where people can be sent back to")
        parser.add_argument("--scope", nargs="+", choices=ALL, default=list(ALL), help="the most that it can ask for")
        parser.add_argument("--confidential", action="store_true", help="it runs on a server and can keep a secret")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            tokens.validate_app_name(options["name"])
            for uri in options["redirect_uri"]:
                tokens.validate_redirect_uri(uri)
        except ValidationError as error:
            raise CommandError(error.messages[0]) from None
        new_app = tokens.NewApp(options["name"], options["redirect_uri"], options["scope"], options["confidential"])
        app, secret = tokens.register_app(new_app, owner=None)
        self.stdout.write(f"client_id: {app.id}")
        if secret:
            self.stdout.write(f"client_secret: {secret} (shown only once)")
