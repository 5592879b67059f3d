"""The registry of channels: every folder beside this module that has a module ``channel``."""

from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Final

from notifications import channels
from notifications.channels.base import AddressedChannel, Channel, PostingChannel, SecretChannel

MAIL: Final = "mail"
"""The channel that every account has. Questions fall back to it, and codes take no other."""


def find_channels() -> dict[str, Channel]:
    """Return all channels by their names: mail first, then in alphabetical order."""
    folders = sorted(module.name for module in iter_modules(channels.__path__) if module.ispkg)
    names = sorted(folders, key=lambda name: name != MAIL)
    return {name: _load(name) for name in names if find_spec(f"{channels.__name__}.{name}.channel")}


def _load(name: str) -> Channel:
    channel: Channel = import_module(f"{channels.__name__}.{name}.channel").CHANNEL
    channel.name = name
    return channel


CHANNELS: Final = find_channels()


def posting() -> dict[str, PostingChannel]:
    """Return the channels that post to servers which strangers chose."""
    return {name: channel for name, channel in CHANNELS.items() if isinstance(channel, PostingChannel)}


def addressed() -> dict[str, AddressedChannel]:
    """Return the channels for which a reader gives an address."""
    return {name: channel for name, channel in CHANNELS.items() if isinstance(channel, AddressedChannel)}


def secret() -> dict[str, SecretChannel]:
    """Return the channels for which a reader gives a secret beside the address."""
    return {name: channel for name, channel in CHANNELS.items() if isinstance(channel, SecretChannel)}


def usual() -> list[str]:
    """Return the names of the channels of a kind for which nothing was chosen."""
    return [name for name, channel in CHANNELS.items() if channel.is_usual]
