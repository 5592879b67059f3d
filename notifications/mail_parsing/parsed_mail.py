"""The result of parsing an email, as plain data."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from notifications.content.spellings import canonical

Authentication = Literal["pass", "fail", "none"]
"""The findings of the operator's mail server about the sender. ``none`` if there are none or no server is named."""

Doubt = Literal[
    "addresses",
    "alternatives",
    "boundary",
    "depth",
    "encrypted",
    "headers",
    "nesting",
    "parts",
    "torn-quotation",
    "unreadable",
    "winmail",
]
"""The reasons not to rely on an email: it names several reply addresses, or has two parts in one form; its parts cannot
be separated or are nested too deep; it is encrypted; its headers contradict each other; its HTML is nested too deep;
it has too many parts, or a text of an unusual kind beside a usual one; its quotation was wrapped so that pieces of it
look like the sender's text; another error; or its text is only in a winmail.dat, which only Outlook reads.
"""


@dataclass(frozen=True, slots=True)
class SenderText:
    """The email has text of its sender."""

    versions: tuple[tuple[str, ...], ...]
    """The sender's own lines, without quotations and signatures, for each form (text, HTML) of the email.

    An empty line stands for any gap. A form without text of the sender is an empty tuple.
    """


@dataclass(frozen=True, slots=True)
class Empty:
    """The email has no text of its sender, only quotations, signatures or attachments."""


@dataclass(frozen=True, slots=True)
class Doubtful:
    """The sender's own text cannot be found with certainty. The sender must be asked again."""

    reason: Doubt


@dataclass(frozen=True, slots=True)
class TooBig:
    """The email is larger than the limit. Its body was not read."""


@dataclass(frozen=True, slots=True)
class Automatic:
    """A machine wrote the email. It changes nothing and is never answered."""

    reason: str
    """The sign of the machine, for the operator: a header's name, ``null-sender``, ``report``, ``subject``, …."""


Content = SenderText | Empty | Doubtful | TooBig | Automatic


@dataclass(frozen=True, slots=True)
class Reply:
    """A received email. Its texts contain no line breaks and no control characters."""

    sender: str
    """The canonical From address. Blank if there is not exactly one."""
    display_name: str
    """The sender's display name in the From field, or a blank text."""
    subject: str
    """The decoded subject. Blank if there is not exactly one, or if the email answers another one."""
    tokens: tuple[str, ...]
    """The distinct tokens of this server's reply addresses among the recipients, in lower case."""
    message_id: str
    """The Message-ID with angle brackets. Blank if there is no usable one."""
    answers: str
    """The Message-ID of the email that this one answers. Blank if it names none or several."""
    references: str
    """The Message-IDs to which this email refers, separated by blanks, the oldest first."""
    identity: str
    """64 hexadecimal digits that all copies of an email share. Another text with the same Message-ID is another
    email.
    """
    authentication: Authentication
    content: Content
    perhaps_automatic: str = ""
    """A sign of a machine that an email of a person may have too, or a blank text.

    It does not count if the email is from an account's own address.
    """

    def agrees_with(self, addresses: Collection[str]) -> bool:
        """Return whether the email comes from one of these confirmed addresses, as far as can be known."""
        known_addresses = set(map(canonical, addresses))
        return self.sender != "" and self.sender in known_addresses and self.authentication != "fail"
