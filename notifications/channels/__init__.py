"""The ways a notification can take. A new one is a file, its templates and a line here."""

from typing import Final

from notifications.channels.channel import Channel, Posting
from notifications.channels.mail import Mail
from notifications.channels.push import Push

CHANNELS: Final[dict[str, Channel]] = {
    "mail": Mail(),
    "push": Push(),
}
POSTED: Final = frozenset(name for name, channel in CHANNELS.items() if isinstance(channel, Posting))
"""Those that post to strangers' servers."""
