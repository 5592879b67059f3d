"""DKIM signatures: receivers can check that an email comes from this domain and was not changed (RFC 6376)."""

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
"""The headers that must not change in transit. Mailbox providers require those for unsubscribing."""


class SignedEmail(EmailMultiAlternatives):
    """An email with a signature of ``MAIL_DOMAIN`` if ``DKIM_KEY`` is set."""

    def message(self, **options: Any) -> Message:  # type: ignore[override]  # Django's own type is private
        """Return the email in its final form."""
        email: Message = super().message(**options)
        for number, part in enumerate(email.walk()):
            if part.is_multipart():
                # A random boundary cannot occur in the parts, so they need not be searched for it.
                part.set_boundary(f"=_{number}_{secrets.token_hex(16)}")
        if settings.DKIM_KEY:
            email["DKIM-Signature"] = _signature(email)
        return email


def _signature(email: Message) -> str:
    names = [name.encode() for name in SIGNED if name in email]
    header = dkim.sign(
        email.as_bytes(linesep="\r\n"),  # type: ignore[call-arg]  # Django takes it, its stubs do not know
        settings.DKIM_SELECTOR.encode(),
        settings.MAIL_DOMAIN.encode(),
        settings.DKIM_KEY,
        canonicalize=(b"relaxed", b"relaxed"),
        include_headers=[*names, b"From"],
    )
    return " ".join(header.decode().partition(":")[2].split())
