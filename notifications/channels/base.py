"""The classes that channels derive from."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Final

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from notifications.channels.chat_text import neutral
from notifications.content.kinds import KINDS, kind_of
from notifications.models import Notification, Preferences
from notifications.outgoing.address_policy import ForbiddenAddress, place_of
from notifications.outgoing.http_client import Answer, Outcome, OutgoingRequest

Send = Callable[[Notification], None]
"""Hands one notification over; returns only when the other side has taken it."""
GONE: Final = (404, 410)
"""The status codes for an address that no longer exists."""
REFUSED: Final = (401, 403)
"""The answers that say that a secret opens nothing."""

KEPT_SECRET: Final = "***"
"""The writing for a secret that is stored and not shown."""


class ChannelError(Exception):
    """A notification was not delivered. The reason is for the operator and holds nothing of the notification's text."""

    def __init__(self, reason: str, *, permanent: bool = False, status: str = "", ours: bool = False) -> None:
        super().__init__(reason)
        self.permanent = permanent
        """True if another attempt would be useless."""
        self.status = status
        """The status of the notification's address, as RFC 3463 writes it; blank where the address is not the
        matter.
        """
        self.ours = ours
        """True where the fault is our own server's, which may take nothing else either."""


class ForbiddenSecret(Exception):
    """This cannot be the secret of a channel; the message says why, in a sentence without the secret."""


class ForbiddenHandle(Exception):
    """An invalid handle of an app. The message is a sentence that explains why."""


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
        """Return a sender for a batch of notifications. Its connection is closed at the end.

        Sending raises ChannelError, or ChannelDown if nothing can be sent at the moment.
        """
        raise NotImplementedError


class PostingChannel(Channel):
    """A channel that posts to addresses which strangers chose: nothing is locked while it waits for their servers.

    A notification holds only its headline and its subject there, which are without secrets.
    """

    def outgoing_requests(self, notification: Notification, now: datetime) -> Sequence[OutgoingRequest]:
        """Return the requests for a notification, one for each address."""
        raise NotImplementedError

    def settle(self, notification: Notification, outcomes: Mapping[str, Outcome]) -> None:
        """Record the result at each address. Raises ChannelError if none has accepted the notification."""
        raise NotImplementedError

    def escape_line(self, line: str) -> str:
        """Return a line whose characters mean nothing to the app's formatting. A plain text needs nothing."""
        return line

    def escaped(self, text: str) -> str:
        """Return a text whose names and chat mention no account of the app, format nothing and are no link."""
        return neutral(text, self.escape_line)


def message_text(notification: Notification) -> str:
    """Return a notification as the text of a chat message: its subject, and a link to the page."""
    rendered = notification.written()
    headline, subject = (" ".join(text.split()) for text in (rendered.headline, rendered.subject))
    return f"{headline}\n{subject}\n{settings.PUBLIC_URL}/"


def asks(notification: Notification) -> bool:
    """Return whether a notification asks its reader something, so that a phone may make a sound."""
    kind = kind_of(notification.reason)
    return kind is not None and KINDS[kind].asks


@dataclass(frozen=True)
class ChatMessage:
    """A text for a chat."""

    text: str
    key: str
    """A key of its own for each message: an app that knows keys takes a repetition for one."""
    is_loud: bool = True
    """True where a phone may make a sound."""
    edited: str = ""
    """The message that this one takes the place of, by the app's own name for it; blank for a new one."""
    handle: str = ""
    """The handle of the person to mention. The text contains ``ChatApp.mention`` of it."""


class PersonalChannel(PostingChannel):
    """A channel that posts each notification once, to a place that its reader gives in the settings."""

    app: str
    """The name of the app or service, as it writes itself."""
    hopeless: Collection[int] = GONE
    """The answers after which trying again is useless."""

    def request_for(self, wanted: Preferences, notification: Notification, now: datetime) -> OutgoingRequest | None:
        """Return the request for a reader with these preferences, or None if they have no address for this channel."""
        raise NotImplementedError

    def check_address(self, address: str) -> None:
        """Raise ForbiddenAddress, with a sentence for its reader, for an address to which nothing can be posted."""
        place_of(address, loopback=settings.OUTGOING_LOOPBACK)

    def outgoing_requests(self, notification: Notification, now: datetime) -> Sequence[OutgoingRequest]:
        wanted = Preferences.objects.filter(account=notification.account_id).first()
        request = self.request_for(wanted, notification, now) if wanted else None
        return [request] if request else []

    def settle(self, notification: Notification, outcomes: Mapping[str, Outcome]) -> None:
        if not outcomes:
            raise ChannelError("its reader has taken the address away", permanent=True)
        (outcome,) = outcomes.values()
        if not (isinstance(outcome, Answer) and outcome.taken):
            reason = f"status {outcome.status}" if isinstance(outcome, Answer) else outcome.value
            gone = isinstance(outcome, Answer) and outcome.status in self.hopeless
            raise ChannelError(f"the address has not taken it: {reason}", permanent=gone)


class AddressedChannel(PersonalChannel):
    """A channel whose reader gives an address that is no secret.

    A channel of this kind needs ``app``, ``label``, ``description``, ``address_label``, ``address_help`` and
    ``outgoing_request``; ``check_address`` where an address is not a plain URL.
    """

    address_label: Promise
    """The label of the field for the address on the settings page."""
    address_help: Promise
    """The help beside that field."""

    def outgoing_request(self, address: str, notification: Notification, now: datetime) -> OutgoingRequest:
        """Return the request that posts a notification to its reader's address."""
        raise NotImplementedError

    def open_to(self, accounts: Collection[int], wanted: Mapping[int, Preferences]) -> Mapping[int, Collection[str]]:
        return {account: KINDS for account in accounts if account in wanted and self.name in wanted[account].addresses}

    def request_for(self, wanted: Preferences, notification: Notification, now: datetime) -> OutgoingRequest | None:
        address = wanted.addresses.get(self.name)
        return self.outgoing_request(address, notification, now) if address else None


class KeepsSecret(PersonalChannel):
    """A channel with a secret of its reader, which is stored encrypted and never shown."""

    hopeless: Collection[int] = (*GONE, *REFUSED)
    secret_label: Promise
    """The label of the field for the secret on the settings page."""
    secret_help: Promise
    """The help beside that field."""

    def check_secret(self, secret: str) -> None:
        """Raise ForbiddenSecret, with a sentence for its reader, for what cannot be a secret of such a server."""
        raise NotImplementedError

    def request_with_secret(
        self, address: str, secret: str, notification: Notification, now: datetime
    ) -> OutgoingRequest:
        """Return the request that posts a notification. The address is blank if the secret contains it."""
        raise NotImplementedError


class SecretChannel(KeepsSecret, AddressedChannel):
    """A channel whose server also requires a secret of the reader, such as a token.

    In addition to the attributes of an addressed channel, it needs ``secret_label``, ``secret_help``, ``check_secret``
    and ``request_with_secret``, which replaces ``outgoing_request``. The secret belongs to its address: after a change
    of the address it must be entered again.
    """

    def open_to(self, accounts: Collection[int], wanted: Mapping[int, Preferences]) -> Mapping[int, Collection[str]]:
        addressed = super().open_to(accounts, wanted)
        return {each: kinds for each, kinds in addressed.items() if wanted[each].secret_of(self.name)}

    def request_for(self, wanted: Preferences, notification: Notification, now: datetime) -> OutgoingRequest | None:
        address, secret = wanted.addresses.get(self.name), wanted.secret_of(self.name)
        return self.request_with_secret(address, secret, notification, now) if address and secret else None


class HookChannel(KeepsSecret, PersonalChannel):
    """A channel with the address of an incoming webhook. Anyone who knows the address can post there.

    So the address itself is the secret. Such a channel needs ``app``, ``label``, ``description``, ``secret_label``,
    ``secret_help`` and ``request_with_secret``, and ``check_secret`` if an address is not a plain URL.
    """

    def check_address(self, address: str) -> None:
        """Raise ForbiddenAddress for an address beside the webhook's own."""
        if address:
            raise ForbiddenAddress(_("Leave the address blank: the URL of the webhook says enough."))

    def check_secret(self, secret: str) -> None:
        try:
            place_of(secret, loopback=settings.OUTGOING_LOOPBACK)
        except ForbiddenAddress as error:
            raise ForbiddenSecret(str(error)) from None

    def open_to(self, accounts: Collection[int], wanted: Mapping[int, Preferences]) -> Mapping[int, Collection[str]]:
        return {account: KINDS for account in accounts if account in wanted and wanted[account].secret_of(self.name)}

    def request_for(self, wanted: Preferences, notification: Notification, now: datetime) -> OutgoingRequest | None:
        hook = wanted.secret_of(self.name)
        return self.request_with_secret("", hook, notification, now) if hook else None


class ChatApp(KeepsSecret):
    """A channel that can also post to group chats, and perhaps edit its messages there.

    Such a channel needs ``chat_request``, which replaces ``request_with_secret``, ``handle_shape`` and ``handle_help``,
    and ``message_name`` if it can edit.
    """

    can_edit: ClassVar[bool] = True
    handle_shape: ClassVar[re.Pattern[str]]
    """The pattern of a handle. A message with it mentions one person only."""
    handle_help: Promise
    """The sentence that says what a handle looks like."""

    def check_handle(self, handle: str) -> None:
        """Raise ForbiddenHandle, with a sentence, for what cannot be the handle of one person."""
        if not self.handle_shape.fullmatch(handle):
            raise ForbiddenHandle(str(self.handle_help))

    def mention(self, handle: str) -> str:
        """Return the text that mentions a person."""
        return handle

    def escaped_message(self, message: ChatMessage) -> str:
        """Return the text of a message, escaped but for the one mention that it is to have."""
        text, mention = self.escaped(message.text), self.mention(message.handle)
        return text.replace(self.escaped(mention), mention) if message.handle else text

    def request_with_secret(
        self, address: str, secret: str, notification: Notification, now: datetime
    ) -> OutgoingRequest:
        message = ChatMessage(message_text(notification), str(notification.pk), asks(notification))
        return self.chat_request(address, secret, message)

    def chat_request(self, address: str, secret: str, message: ChatMessage) -> OutgoingRequest:
        """Return the request that posts to a chat. The address must have been checked."""
        raise NotImplementedError

    def check_chat(self, address: str, secret: str) -> None:
        """Raise ForbiddenAddress or ForbiddenSecret, with a sentence, for what cannot be a chat of this app."""
        self.check_address(address)
        self.check_secret(secret)

    def message_name(self, answer: Mapping[str, Any]) -> Any:
        """Return the id of a new message from the app's JSON response. Raises KeyError or TypeError if there is
        none.
        """
        raise NotImplementedError
