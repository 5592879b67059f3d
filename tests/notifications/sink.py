"""A real SMTP server that keeps the emails it gets."""

import email
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import default
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope, Session


@dataclass
class Sink:
    """The emails of a server, and the answers that it gives instead of accepting them."""

    port: int
    taken: list[EmailMessage] = field(default_factory=list)
    raw: list[bytes] = field(default_factory=list)
    to: list[str] = field(default_factory=list)
    tried: list[str] = field(default_factory=list)
    answers: dict[str, list[str]] = field(default_factory=dict)
    """Refusals still to be given, by recipient."""
    on_taken: Callable[[], object] = lambda: None
    """Called when the server has a mail, right before it says yes."""

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[Any]
    ) -> str:
        self.tried.append(address)
        if self.answers.get(address):
            return self.answers[address].pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        content = envelope.content
        assert isinstance(content, bytes)
        self.raw.append(content)
        self.to.extend(envelope.rcpt_tos)
        message = email.message_from_bytes(content, policy=default)
        assert isinstance(message, EmailMessage)
        self.taken.append(message)
        self.on_taken()
        return "250 Taken"
