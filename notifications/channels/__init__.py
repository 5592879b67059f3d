"""The ways a letter can take. A new one is a file, its templates and a line here."""

from typing import Final

from notifications.channels.channel import Channel
from notifications.channels.mail import Mail

CHANNELS: Final[dict[str, Channel]] = {
    "mail": Mail(),
}
