"""The base classes of channels, and neutral texts for chats.

The words of players must cause no mention, command or link in a chat. ``PostingChannel.escaped`` applies ``neutral``,
which all apps need, and then escapes the app's formatting. If an app has a setting against mentions or links, its
request uses that as well.
"""

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Final

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from notifications.content import RenderedNotification, without_links
from notifications.kinds import KINDS, kind_of
from notifications.models import Notification, Preferences
from notifications.outgoing import GONE, REFUSED, Answer, ForbiddenAddress, Outcome, OutgoingRequest, place_of

Send = Callable[[Notification], None]
"""A function that sends one notification and returns when the other server has accepted it."""

KEPT_SECRET: Final = "***"
"""The text that stands for a stored secret, which is never shown."""


class ChannelError(Exception):
    """A notification was not delivered. The reason is for the operator and contains no text of the notification."""

    def __init__(self, reason: str, *, permanent: bool = False, status: str = "", ours: bool = False) -> None:
        super().__init__(reason)
        self.permanent = permanent
        """True if another attempt cannot succeed."""
        self.status = status
        """The status of the address in the form of RFC 3463. Blank if the address is not the reason."""
        self.ours = ours
        """True if this server's own mail server failed. It may refuse all other notifications too."""


class NothingToSend(Exception):
    """A notification is out of date, and is dropped."""


class ForbiddenSecret(Exception):
    """An invalid secret of a channel. The message is a sentence that explains why, without the secret."""


class ForbiddenHandle(Exception):
    """An invalid handle of an app. The message is a sentence that explains why."""


class ChannelDown(ChannelError):
    """The channel accepts no notifications at present. No others need to be tried now."""


class Channel:
    """A channel, as preferences, API and outbox use it."""

    name: str = ""
    """The name in preferences and in the API. The registry sets it to the name of the module."""
    label: Promise
    """The name on the settings page, such as “by email”."""
    description: ClassVar[str]
    """The text for the description of the API."""
    is_usual = True
    """True if the channel is used for kinds of notifications for which the account has chosen nothing."""

    def open_to(self, accounts: Collection[int], stored: Mapping[int, Preferences]) -> Mapping[int, Collection[str]]:
        """Return the accounts that this channel can reach, each with the kinds of notifications that it delivers.

        ``stored`` maps accounts to their stored preferences.
        """
        raise NotImplementedError


class DirectChannel(Channel):
    """A channel over a server of the operator. Notifications are sent while their rows are locked."""

    def session(self) -> AbstractContextManager[Send]:
        """Return a sender for a batch of notifications. Its connection is closed at the end.

        Sending raises ChannelError, or ChannelDown if nothing can be sent at the moment.
        """
        raise NotImplementedError


class PostingChannel(Channel):
    """A channel that posts to addresses that users chose. No row is locked while it waits for these servers.

    It sends only the headline and the subject of a notification, which contain no secrets.
    """

    def outgoing_requests(self, notification: Notification, now: datetime) -> Sequence[OutgoingRequest]:
        """Return the requests for a notification, one for each address."""
        raise NotImplementedError

    def settle(self, notification: Notification, outcomes: Mapping[str, Outcome]) -> None:
        """Record the result at each address. Raises ChannelError if none has accepted the notification.

        Raises NothingToSend if the notification is out of date.
        """
        raise NotImplementedError

    def give_up(self, notification: Notification, now: datetime) -> None:
        """React to a notification that is given up."""

    def escape_line(self, line: str) -> str:
        """Return a line without characters that the app would interpret as formatting. Plain text needs no change."""
        return line

    def escaped(self, text: str) -> str:
        """Return a text in which the words of players cause no mention, no formatting and no link."""
        return neutral(text, self.escape_line)


def describe_outcome(outcome: Outcome) -> str:
    """Return the reason of a failed post for the operator."""
    reason = f"status {outcome.status}" if isinstance(outcome, Answer) else outcome.value
    return f"the server did not accept it: {reason}"


def page_link(rendered: RenderedNotification) -> str:
    """Return the link to the page that a notification opens."""
    return rendered.page or f"{settings.PUBLIC_URL}/"


def message_text(notification: Notification) -> str:
    """Return a notification as the text of a chat message: its subject, and a link to the page."""
    rendered = notification.content()
    headline, subject = (" ".join(text.split()) for text in (rendered.headline, rendered.subject))
    return f"{headline}\n{subject}\n{page_link(rendered)}"


def asks_question(notification: Notification) -> bool:
    """Return whether a notification has a question, so that a phone may make a sound."""
    kind = kind_of(notification.reason)
    return kind is not None and KINDS[kind].asks


@dataclass(frozen=True)
class ChatMessage:
    """A text for a chat."""

    text: str
    key: str
    """A unique key. Apps that support such keys recognise a repeated message by it."""
    is_loud: bool = True
    """True if a phone may make a sound."""
    edited: str = ""
    """The app's id of the message to replace. Blank for a new message."""
    handle: str = ""
    """The handle of the person to mention. The text contains ``ChatApp.mention`` of it."""


@dataclass(frozen=True)
class ChatResult:
    """The result of a post to a group chat. Without any of these, another attempt may succeed."""

    is_accepted: bool = False
    message: str = ""
    """The app's id of an accepted message. Blank if the app returns none."""
    is_message_gone: bool = False
    """True if the message to edit no longer exists. The chat may still accept a new one."""
    new_address: str = ""
    """The address to which the chat has moved."""
    is_final: bool = False
    """True if the chat accepts no further messages."""


class PersonalChannel(PostingChannel):
    """A channel that posts each notification once, to an address or with a secret from the reader's settings."""

    app: str
    """The app's or service's name for itself."""
    hopeless: Collection[int] = GONE
    """The status codes after which another attempt cannot succeed."""

    def request_for(
        self, reader_preferences: Preferences, notification: Notification, now: datetime
    ) -> OutgoingRequest | None:
        """Return the request for a reader with these preferences, or None if they have no address for this channel."""
        raise NotImplementedError

    def check_address(self, address: str) -> None:
        """Raise ForbiddenAddress, with a sentence for the user, for an address that cannot be posted to."""
        place_of(address, loopback=settings.OUTGOING_LOOPBACK)

    def outgoing_requests(self, notification: Notification, now: datetime) -> Sequence[OutgoingRequest]:
        reader_preferences = Preferences.objects.filter(account=notification.account_id).first()
        request = self.request_for(reader_preferences, notification, now) if reader_preferences else None
        return [request] if request else []

    def settle(self, notification: Notification, outcomes: Mapping[str, Outcome]) -> None:
        if not outcomes:
            raise ChannelError("the reader has removed the address", permanent=True)
        (outcome,) = outcomes.values()
        if not (isinstance(outcome, Answer) and outcome.is_accepted):
            is_permanent = isinstance(outcome, Answer) and outcome.status in self.hopeless
            raise ChannelError(describe_outcome(outcome), permanent=is_permanent)


class AddressedChannel(PersonalChannel):
    """A channel whose reader gives an address that is not secret.

    A subclass needs ``app``, ``label``, ``description``, ``address_label``, ``address_help`` and ``outgoing_request``.
    It needs ``check_address`` if an address is not a plain URL.
    """

    address_label: Promise
    """The label of the address field on the settings page."""
    address_help: Promise
    """The help text of that field."""

    def outgoing_request(self, address: str, notification: Notification, now: datetime) -> OutgoingRequest:
        """Return the request that posts a notification to its reader's address."""
        raise NotImplementedError

    def open_to(self, accounts: Collection[int], stored: Mapping[int, Preferences]) -> Mapping[int, Collection[str]]:
        return {account: KINDS for account in accounts if account in stored and self.name in stored[account].addresses}

    def request_for(
        self, reader_preferences: Preferences, notification: Notification, now: datetime
    ) -> OutgoingRequest | None:
        address = reader_preferences.addresses.get(self.name)
        return self.outgoing_request(address, notification, now) if address else None


class KeepsSecret(PersonalChannel):
    """A channel with a secret of its reader, which is stored encrypted and never shown."""

    hopeless: Collection[int] = (*GONE, *REFUSED)
    is_secret_required = True
    """False if the channel also works without a secret. Then ``request_with_secret`` may get a blank one."""
    secret_label: Promise
    """The label of the secret's field on the settings page."""
    secret_help: Promise
    """The help text of that field."""

    def check_secret(self, secret: str) -> None:
        """Raise ForbiddenSecret, with a sentence for the user, for an invalid secret."""
        raise NotImplementedError

    def request_with_secret(
        self, address: str, secret: str, notification: Notification, now: datetime
    ) -> OutgoingRequest:
        """Return the request that posts a notification. The address is blank if the secret contains it."""
        raise NotImplementedError


class SecretChannel(KeepsSecret, AddressedChannel):
    """A channel whose server also takes a secret of the reader, such as a token.

    In addition to the attributes of an addressed channel, a subclass needs ``secret_label``, ``secret_help``,
    ``check_secret`` and ``request_with_secret``, which replaces ``outgoing_request``. The secret belongs to its
    address: after a change of the address it must be entered again.
    """

    def open_to(self, accounts: Collection[int], stored: Mapping[int, Preferences]) -> Mapping[int, Collection[str]]:
        addressed = super().open_to(accounts, stored)
        return {account: kinds for account, kinds in addressed.items() if self._secret(stored[account]) is not None}

    def request_for(
        self, reader_preferences: Preferences, notification: Notification, now: datetime
    ) -> OutgoingRequest | None:
        address, secret = reader_preferences.addresses.get(self.name), self._secret(reader_preferences)
        if not address or secret is None:
            return None
        return self.request_with_secret(address, secret, notification, now)

    def _secret(self, reader_preferences: Preferences) -> str | None:
        """Return the secret, blank if none is needed, or None if it is missing or can no longer be read."""
        is_optional = not self.is_secret_required and self.name not in reader_preferences.secrets
        return "" if is_optional else reader_preferences.secret_of(self.name)


class HookChannel(KeepsSecret, PersonalChannel):
    """A channel with the address of an incoming webhook. Anyone who knows the address can post there.

    So the address itself is the secret. A subclass needs ``app``, ``label``, ``description``, ``secret_label``,
    ``secret_help`` and ``request_with_secret``, and ``check_secret`` if an address is not a plain URL.
    """

    def check_address(self, address: str) -> None:
        """Raise ForbiddenAddress for an address in addition to the webhook."""
        if address:
            raise ForbiddenAddress(_("Leave the address blank: the webhook’s URL is enough."))

    def check_secret(self, secret: str) -> None:
        try:
            place_of(secret, loopback=settings.OUTGOING_LOOPBACK)
        except ForbiddenAddress as error:
            raise ForbiddenSecret(str(error)) from None

    def open_to(self, accounts: Collection[int], stored: Mapping[int, Preferences]) -> Mapping[int, Collection[str]]:
        return {account: KINDS for account in accounts if account in stored and stored[account].secret_of(self.name)}

    def request_for(
        self, reader_preferences: Preferences, notification: Notification, now: datetime
    ) -> OutgoingRequest | None:
        hook = reader_preferences.secret_of(self.name)
        return self.request_with_secret("", hook, notification, now) if hook else None


class ChatApp(KeepsSecret):
    """A channel that can also post to group chats, and perhaps edit its messages there.

    A subclass needs ``chat_request``, which replaces ``request_with_secret``, ``handle_shape`` and ``handle_help``, and
    ``message_name`` if it can edit messages.
    """

    can_edit: ClassVar[bool] = True
    handle_shape: ClassVar[re.Pattern[str]]
    """The pattern of a handle. A message with a handle mentions only one person."""
    handle_help: Promise
    """A sentence that explains the form of a handle."""

    def check_handle(self, handle: str) -> None:
        """Raise ForbiddenHandle, with a sentence, for an invalid handle."""
        if not self.handle_shape.fullmatch(handle):
            raise ForbiddenHandle(str(self.handle_help))

    def mention(self, handle: str) -> str:
        """Return the text that mentions a person."""
        return handle

    def escaped_message(self, message: ChatMessage) -> str:
        """Return the text of a message, escaped except for its one mention."""
        text, mention = self.escaped(message.text), self.mention(message.handle)
        return text.replace(self.escaped(mention), mention) if message.handle else text

    def request_with_secret(
        self, address: str, secret: str, notification: Notification, now: datetime
    ) -> OutgoingRequest:
        message = ChatMessage(message_text(notification), str(notification.pk), asks_question(notification))
        return self.chat_request(address, secret, message)

    def settle(self, notification: Notification, outcomes: Mapping[str, Outcome]) -> None:
        for outcome in outcomes.values():
            if new_address := self.read_outcome(outcome).new_address:
                stored = Preferences.objects.select_for_update().get(account=notification.account_id)
                stored.addresses[self.name] = new_address
                stored.save(update_fields=["addresses"])
                raise ChannelError("the chat has moved")
        super().settle(notification, outcomes)

    def chat_request(self, address: str, secret: str, message: ChatMessage) -> OutgoingRequest:
        """Return the request that posts to a chat. The address must have been checked."""
        raise NotImplementedError

    def check_chat(self, address: str, secret: str) -> None:
        """Raise ForbiddenAddress or ForbiddenSecret, with a sentence, for an invalid chat of this app."""
        self.check_address(address)
        self.check_secret(secret)

    def read_outcome(self, outcome: Outcome, edited: str = "") -> ChatResult:
        """Return the result of posting a new message, or of editing the message with the id ``edited``."""
        if not isinstance(outcome, Answer):
            return ChatResult()
        if outcome.is_accepted:
            return ChatResult(is_accepted=True, message=edited or self._message_id(outcome))
        is_gone = outcome.status in GONE
        return ChatResult(
            is_message_gone=is_gone and bool(edited),
            is_final=outcome.status in REFUSED or (is_gone and not edited),
        )

    def _message_id(self, answer: Answer) -> str:
        with suppress(ValueError, LookupError, TypeError):
            return str(self.message_name(json.loads(answer.body)))[:255] if self.can_edit else ""
        return ""

    def message_name(self, answer: Mapping[str, Any]) -> Any:
        """Return the id of a new message from the app's JSON response. Raises KeyError or TypeError if there is
        none.
        """
        raise NotImplementedError


BREAK: Final = "\u2060"
"""A word joiner. It is invisible and separates the characters around it, so that they are not one word."""
_CONTROLS: Final = re.compile("[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e]")
"""Control characters, and marks that change the direction of text. Isolates are set by this server and stay."""
_TRIGGERS: Final = re.compile(r"[@＠﹫](?=\S)|[#＃$~](?=[^\W\d_])|(?<![\w/])/(?=[^\W\d_])|<(?=[!@#])")
"""Signs before the name of an account, a room, a topic, a share or a command."""


def neutral(text: str, escape_line: Callable[[str], str]) -> str:
    """Return a text with each line neutral and escaped, except lines that are a page of this server."""
    lines = _CONTROLS.sub("", text).split("\n")
    return "\n".join(line if _is_own_page(line) else escape_line(_neutral_line(line)) for line in lines)


def _neutral_line(line: str) -> str:
    return _TRIGGERS.sub(rf"\g<0>{BREAK}", without_links(line))


def _is_own_page(line: str) -> bool:
    return line.startswith(f"{settings.PUBLIC_URL}/") and " " not in line
