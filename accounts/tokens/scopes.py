"""The scopes of tokens."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Scope(models.TextChoices):
    """The scopes of tokens. A token has all of them unless its owner names fewer."""

    GAMES_READ = "games:read", _("see games and questions")
    GAMES_PLAY = "games:play", _("create, join and play games")
    CHAT = "chat", _("read and write the chat")
    ACCOUNT = "account", _("see and change the account and its tokens")
    WEBHOOKS = "webhooks", _("manage webhooks")


ALL: tuple[str, ...] = tuple(Scope.values)
