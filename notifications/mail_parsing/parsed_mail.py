"""The results of parsing a mail, as plain values."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

Authentication = Literal["pass", "fail", "none"]
"""The findings of our own mail server about the sender: ``none`` where it said nothing, or none is named."""

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
]
"""The reasons not to rely on an email: it names several reply addresses, or says the same thing twice in one form; its
parts cannot be told apart, lie too deep or are too many; it is encrypted; its headers contradict each other; its HTML
is too deep; its quotation was wrapped so that pieces of ours look like the writer's; or something else broke."""


@dataclass(frozen=True, slots=True)
class Written:
    """There is something that a person wrote."""

    versions: tuple[tuple[str, ...], ...]
    """The writer's own lines, without quotations and signatures, once for each form (text, HTML) the mail has.
    An empty line stands for any gap. A form in which nothing of the writer's own is left is an empty tuple."""


@dataclass(frozen=True, slots=True)
class Empty:
    """There is nothing in it that its writer wrote: quotations, signatures, attachments."""


@dataclass(frozen=True, slots=True)
class Doubtful:
    """The writer's own words cannot be told for certain: to be asked back, never guessed."""

    reason: Doubt


@dataclass(frozen=True, slots=True)
class TooBig:
    """The mail is over the limit, and its body was not looked at."""


@dataclass(frozen=True, slots=True)
class Automatic:
    """A machine wrote it. It moves nothing and is never answered."""

    reason: str
    """The sign that gave it away, for the operator: a header's name, ``null-sender``, ``report``, ``subject``, …."""


Content = Written | Empty | Doubtful | TooBig | Automatic


@dataclass(frozen=True, slots=True)
class Reply:
    """A mail that came in. Every text in it is free of line breaks and control characters."""

    sender: str
    """The From address in lower case; empty where there is not exactly one."""
    called: str
    """The name that the sender gives in the From field; empty where there is none."""
    subject: str
    """Its subject as it is shown to people; empty where it has not exactly one, or answers another mail."""
    tokens: tuple[str, ...]
    """The different tokens of our reply addresses it was sent to, in lower case."""
    message_id: str
    """Its Message-ID with the angle brackets, to be answered to; empty where it has none that can be used."""
    answers: str
    """The Message-ID of the one mail that it says it answers; empty where it names none, or several."""
    identity: str
    """64 hexadecimal digits that all copies of one email share. Another text under one Message-ID is another email."""
    authentication: Authentication
    content: Content
    perhaps_automatic: str = ""
    """A sign of a machine that an email of a person may have, too; blank for none. It does not count if the email is
    from an account's own address."""

    def agrees_with(self, addresses: Collection[str]) -> bool:
        """Return whether it comes from one of these (confirmed) addresses, as far as it can be known."""
        known = {address.lower() for address in addresses}
        return self.sender != "" and self.sender in known and self.authentication != "fail"
