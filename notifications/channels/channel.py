"""The base of every channel."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime

from notifications.models import Notification
from notifications.outgoing.http_client import Outcome, OutgoingRequest

Send = Callable[[Notification], None]
"""Hands one notification over; returns only when the other side has taken it."""


class ChannelError(Exception):
    """A notification was not delivered. The reason is for the operator and holds nothing of the notification's text."""

    def __init__(self, reason: str, *, permanent: bool = False, status: str = "", ours: bool = False) -> None:
        super().__init__(reason)
        self.permanent = permanent
        """Whether trying again is useless."""
        self.status = status
        """What is said of the notification's address, as RFC 3463 writes it; blank where the address is not the
        matter.
        """
        self.ours = ours
        """Whether our own server is the matter, which may take nothing else either."""


class ChannelDown(ChannelError):
    """The channel takes no notifications at all at present, so the others need not be tried now."""


class Channel:
    """A way to deliver notifications."""

    def session(self) -> AbstractContextManager[Send]:
        """Something that sends, for a run of notifications; what it holds open is closed at the end.

        Sending raises ChannelError, and ChannelDown where nothing can be sent.
        """
        raise NotImplementedError


class Posting(Channel):
    """A way that posts to addresses which strangers chose: nothing is locked while their servers are waited for."""

    def outgoing_requests(self, notification: Notification, now: datetime) -> Sequence[OutgoingRequest]:
        """Return what is to be posted for a notification, each to another address."""
        raise NotImplementedError

    def settle(self, notification: Notification, outcomes: Mapping[str, Outcome]) -> None:
        """Note what came of it at each address. ChannelError where none has taken it."""
        raise NotImplementedError
