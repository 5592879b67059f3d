"""The registry of channels: every folder beside this module that has a module ``channel``."""

from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Final

from django.conf import settings

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

MAIL: Final = "mail"
"""The channel that every account has. Questions fall back to it, and codes take no other."""


def find_channels() -> dict[str, Channel]:
    """Return the channels that the operator allows by their names: mail first, then in alphabetical order."""
    folders = sorted(module.name for module in iter_modules(channels.__path__) if module.ispkg)
    found = [name for name in folders if find_spec(f"{channels.__name__}.{name}.channel")]
    return {name: _load(name) for name in (MAIL, *found) if name == MAIL or name in settings.CHANNELS}


def _load(name: str) -> Channel:
    channel: Channel = import_module(f"{channels.__name__}.{name}.channel").CHANNEL
    channel.name = name
    return channel


CHANNELS: Final = find_channels()


def posting() -> dict[str, PostingChannel]:
    """Return the channels that post to servers which strangers chose."""
    return {name: channel for name, channel in CHANNELS.items() if isinstance(channel, PostingChannel)}


def personal() -> dict[str, PersonalChannel]:
    """Return the channels for which a reader gives one place."""
    return {name: channel for name, channel in CHANNELS.items() if isinstance(channel, PersonalChannel)}


def addressed() -> dict[str, AddressedChannel]:
    """Return the channels for which a reader gives an address."""
    return {name: channel for name, channel in CHANNELS.items() if isinstance(channel, AddressedChannel)}


def secret() -> dict[str, KeepsSecret]:
    """Return the channels for which a reader gives a secret: beside an address, or in place of one."""
    return {name: channel for name, channel in CHANNELS.items() if isinstance(channel, KeepsSecret)}


def hooks() -> dict[str, HookChannel]:
    """Return the channels for which a reader gives the address of an incoming webhook."""
    return {name: channel for name, channel in CHANNELS.items() if isinstance(channel, HookChannel)}


def chat_apps() -> dict[str, ChatApp]:
    """Return the channels that can also post to a chat of several people."""
    return {name: channel for name, channel in CHANNELS.items() if isinstance(channel, ChatApp)}


def usual() -> list[str]:
    """Return the names of the channels of a kind for which nothing was chosen."""
    return [name for name, channel in CHANNELS.items() if channel.is_usual]
