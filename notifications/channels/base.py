"""The classes that channels derive from."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import ClassVar, Final

from django.conf import settings
from django.utils.functional import Promise

from notifications.content.kinds import KINDS
from notifications.models import Notification, Preferences
from notifications.outgoing.address_policy import place_of
from notifications.outgoing.http_client import Answer, Outcome, OutgoingRequest

Send = Callable[[Notification], None]
"""Hands one notification over; returns only when the other side has taken it."""
GONE: Final = (404, 410)
"""The answers that say that an address is no more."""
REFUSED: Final = (401, 403)
"""The answers that say that a secret opens nothing."""


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


class ForbiddenSecret(Exception):
    """This cannot be the secret of a channel; the message says why, in a sentence without the secret."""


class ChannelDown(ChannelError):
    """The channel takes no notifications at all at present, so the others need not be tried now."""


class Channel:
    """A channel, as everything that offers channels sees it."""

    name: str = ""
    """The name in preferences and in the API: the registry sets it to the name of the folder."""
    label: Promise
    """The words for it on the settings page, such as "by email"."""
    description: ClassVar[str]
    """The words for it in the description of the API."""
    is_usual = True
    """True where a kind of notification comes by it for which its reader has chosen nothing."""

    def open_to(self, accounts: Collection[int], wanted: Mapping[int, Preferences]) -> Mapping[int, Collection[str]]:
        """Return which of these accounts it reaches, and for each the kinds of notifications that it brings.

        ``wanted`` holds the preferences of those accounts that have any.
        """
        raise NotImplementedError


class DirectChannel(Channel):
    """A channel over a server of our own: notifications are handed over while their rows are locked."""

    def session(self) -> AbstractContextManager[Send]:
        """Something that sends, for a run of notifications; what it holds open is closed at the end.

        Sending raises ChannelError, and ChannelDown where nothing can be sent.
        """
        raise NotImplementedError


class PostingChannel(Channel):
    """A channel that posts to addresses which strangers chose: nothing is locked while it waits for their servers.

    A notification holds only its headline and its subject there, which are without secrets.
    """

    def outgoing_requests(self, notification: Notification, now: datetime) -> Sequence[OutgoingRequest]:
        """Return what is to be posted for a notification, each to another address."""
        raise NotImplementedError

    def settle(self, notification: Notification, outcomes: Mapping[str, Outcome]) -> None:
        """Note what came of it at each address. ChannelError where none has taken it."""
        raise NotImplementedError


class AddressedChannel(PostingChannel):
    """A channel that posts each notification to one address, which its reader gives in the settings.

    A channel of this kind needs ``label``, ``description``, ``address_label``, ``address_help`` and
    ``outgoing_request``; ``check_address`` where an address is not a plain URL.
    """

    address_label: Promise
    """The label of the field for the address on the settings page."""
    address_help: Promise
    """The help beside that field."""
    hopeless: Collection[int] = GONE
    """The answers after which trying again is useless."""

    def check_address(self, address: str) -> None:
        """Raise ForbiddenAddress, with a sentence for its reader, for an address to which nothing can be posted."""
        place_of(address, loopback=settings.OUTGOING_LOOPBACK)

    def outgoing_request(self, address: str, notification: Notification, now: datetime) -> OutgoingRequest:
        """Return what is to be posted for a notification to its reader's address."""
        raise NotImplementedError

    def open_to(self, accounts: Collection[int], wanted: Mapping[int, Preferences]) -> Mapping[int, Collection[str]]:
        return {each: KINDS for each in accounts if each in wanted and self.name in wanted[each].addresses}

    def outgoing_requests(self, notification: Notification, now: datetime) -> Sequence[OutgoingRequest]:
        wanted = Preferences.objects.filter(account=notification.account_id).first()
        address = wanted.addresses.get(self.name) if wanted else None
        return [self.outgoing_request(address, notification, now)] if address else []

    def settle(self, notification: Notification, outcomes: Mapping[str, Outcome]) -> None:
        if not outcomes:
            raise ChannelError("its reader has taken the address away", permanent=True)
        (outcome,) = outcomes.values()
        if not (isinstance(outcome, Answer) and outcome.taken):
            reason = f"status {outcome.status}" if isinstance(outcome, Answer) else outcome.value
            gone = isinstance(outcome, Answer) and outcome.status in self.hopeless
            raise ChannelError(f"the address has not taken it: {reason}", permanent=gone)


class SecretChannel(AddressedChannel):
    """An addressed channel whose server also asks for a secret of its reader, such as a token.

    A channel of this kind needs ``secret_label``, ``secret_help``, ``check_secret`` and ``request_with_secret`` beside
    what an addressed one needs, in place of ``outgoing_request``. The secret is stored encrypted and never shown. It
    belongs to the address that it was given with: with another address it has to be given anew.
    """

    secret_label: Promise
    """The label of the field for the secret on the settings page."""
    secret_help: Promise
    """The help beside that field."""
    hopeless = (*GONE, *REFUSED)

    def check_secret(self, secret: str) -> None:
        """Raise ForbiddenSecret, with a sentence for its reader, for what cannot be a secret of such a server."""
        raise NotImplementedError

    def request_with_secret(
        self, address: str, secret: str, notification: Notification, now: datetime
    ) -> OutgoingRequest:
        """Return what is to be posted for a notification to its reader's address."""
        raise NotImplementedError

    def open_to(self, accounts: Collection[int], wanted: Mapping[int, Preferences]) -> Mapping[int, Collection[str]]:
        addressed = super().open_to(accounts, wanted)
        return {each: kinds for each, kinds in addressed.items() if wanted[each].secret_of(self.name)}

    def outgoing_requests(self, notification: Notification, now: datetime) -> Sequence[OutgoingRequest]:
        wanted = Preferences.objects.filter(account=notification.account_id).first()
        address, secret = (wanted.addresses.get(self.name), wanted.secret_of(self.name)) if wanted else (None, None)
        return [self.request_with_secret(address, secret, notification, now)] if address and secret else []
