"""DKIM: a signature by which receivers see that an email is the domain's and was not changed on its way (RFC 6376)."""

import secrets
from email.message import Message
from typing import Any, Final

import dkim
from django.conf import settings
from django.core.mail import EmailMultiAlternatives

SIGNED: Final = (
    "From", "To", "Subject", "Date", "Message-ID", "Reply-To", "In-Reply-To", "References", "MIME-Version",
    "Content-Type", "Content-Transfer-Encoding", "Content-Language", "Auto-Submitted", "List-Unsubscribe",
    "List-Unsubscribe-Post",
)  # fmt: skip
"""The headers that nobody may change on the way. Mailbox providers ask for those of unsubscribing."""


class SignedEmail(EmailMultiAlternatives):
    """An email that carries a signature of ``MAIL_DOMAIN`` where ``DKIM_KEY`` is set."""

    def message(self, **how: Any) -> Message:  # type: ignore[override]  # Django's own type is private
        """The email in its final form."""
        made: Message = super().message(**how)
        for number, part in enumerate(made.walk()):
            if part.is_multipart():
                # Its parts are not looked through for a boundary: no text that was written before has this one.
                part.set_boundary(f"=_{number}_{secrets.token_hex(16)}")
        if settings.DKIM_KEY:
            made["DKIM-Signature"] = _signature(made)
        return made


def _signature(made: Message) -> str:
    signed = [name.encode() for name in SIGNED if name in made]
    header = dkim.sign(
        made.as_bytes(linesep="\r\n"),  # type: ignore[call-arg]  # Django takes it, its stubs do not know
        settings.DKIM_SELECTOR.encode(),
        settings.MAIL_DOMAIN.encode(),
        settings.DKIM_KEY,
        canonicalize=(b"relaxed", b"relaxed"),
        include_headers=[*signed, b"From"],
    )
    return " ".join(header.decode().partition(":")[2].split())
