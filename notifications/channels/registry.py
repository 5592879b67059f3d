"""The registry of channels: each module beside this one that defines ``CHANNEL``."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from django.conf import settings
from django.utils.module_loading import import_string

from notifications import channels
from notifications.channels.base import (
    AddressedChannel,
    Channel,
    ChatApp,
    HookChannel,
    KeepsSecret,
    PersonalChannel,
    PostingChannel,
)

NO_CHANNELS: Final = ("base", "registry")
"""The modules of this folder that are not channels."""
MAIL: Final = "mail"
"""The channel that every account has. It is used for codes, and for questions if no other channel works."""


def find_channels() -> dict[str, Channel]:
    """Return the channels that the operator allows, by name: mail first, then in alphabetical order."""
    names = sorted(module.name for module in iter_modules(channels.__path__) if module.name not in NO_CHANNELS)
    return {name: _load(name) for name in (MAIL, *names) if name == MAIL or name in settings.CHANNELS}


def _load(name: str) -> Channel:
    channel: Channel = import_module(f"{channels.__name__}.{name}").CHANNEL
    channel.name = name
    return channel


CHANNELS: Final = find_channels()


@cache
def endpoints() -> dict[str, PostingChannel]:
    """Return the channels to webhooks and group chats, which readers do not choose in their preferences."""
    return {name: import_string(path) for name, path in settings.ENDPOINT_CHANNELS.items()}


def posting() -> dict[str, PostingChannel]:
    """Return the channels that post to servers chosen by users, and that readers choose in their preferences."""
    return {name: channel for name, channel in CHANNELS.items() if isinstance(channel, PostingChannel)}


def dispatched() -> dict[str, PostingChannel]:
    """Return the channels whose notifications are posted: those of readers and those to endpoints."""
    return {**posting(), **endpoints()}


def personal() -> dict[str, PersonalChannel]:
    """Return the channels with an address or a secret of the reader."""
    return {name: channel for name, channel in CHANNELS.items() if isinstance(channel, PersonalChannel)}


def addressed() -> dict[str, AddressedChannel]:
    """Return the channels with an address of the reader."""
    return {name: channel for name, channel in CHANNELS.items() if isinstance(channel, AddressedChannel)}


def secret() -> dict[str, KeepsSecret]:
    """Return the channels with a secret of the reader, beside an address or in place of one."""
    return {name: channel for name, channel in CHANNELS.items() if isinstance(channel, KeepsSecret)}


def removable_secrets() -> list[str]:
    """Return the channels whose secret can be deleted alone: webhooks, and channels that need no secret."""
    return [name for name, kind in secret().items() if isinstance(kind, HookChannel) or not kind.is_secret_required]


def chat_apps() -> dict[str, ChatApp]:
    """Return the channels that can also post to group chats."""
    return {name: channel for name, channel in CHANNELS.items() if isinstance(channel, ChatApp)}


def usual() -> list[str]:
    """Return the names of the channels for kinds of notifications for which nothing was chosen."""
    return [name for name, channel in CHANNELS.items() if channel.is_usual]
