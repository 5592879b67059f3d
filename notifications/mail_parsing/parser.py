"""The parser of received email, from bytes to a ``Reply``."""

import hashlib
import re
from collections.abc import Iterable
from typing import Final

from notifications.mail_parsing import authentication, automatic, quoting
from notifications.mail_parsing.headers import Headers, decoded, display_name, split
from notifications.mail_parsing.parsed_mail import Automatic, Content, Doubtful, Empty, Reply, SenderText, TooBig
from notifications.mail_parsing.parts import Unclear, forms

LARGEST: Final = 10 * 1024 * 1024
"""The most bytes of an email whose body is read."""

_MESSAGE_ID: Final = re.compile(r"<[!-;=?-~]{1,240}>")
_RECIPIENT_FIELDS: Final = (
    "delivered-to",
    "x-original-to",
    "x-delivered-to",
    "envelope-to",
    "x-envelope-to",
    "to",
    "cc",
)


def read(
    raw: bytes,
    addresses: re.Pattern[str],
    *,
    server: str = "",
    recipients: Iterable[str] = (),
    return_path: str | None = None,
) -> Reply:
    """Return the parsed email. Never raises, and takes time in proportion to the email's size.

    ``addresses`` matches this server's reply addresses in lower case, with their token in the group ``token``.
    ``recipients`` and ``return_path`` are from the envelope, if it is known. Then the headers are not searched for
    tokens. ``server`` is the name of the operator's mail server in Authentication-Results. If it is blank, these
    headers are ignored.
    """
    headers, body = split(raw)
    senders = headers.addresses("from")
    sender = senders[0] if len(senders) == 1 and len(headers.all("from")) == 1 else ""
    message_id = _message_id(headers)
    tokens = _tokens(headers, addresses, tuple(recipients))
    machine = automatic.why(headers, addresses, return_path, has_token=bool(tokens))
    content = _content(raw, headers, body, tokens, machine)
    return Reply(
        sender=sender,
        display_name=display_name(headers.one("from")) if sender else "",
        subject=_subject(headers),
        tokens=tokens,
        message_id=message_id,
        answers=_message_id(headers, "in-reply-to"),
        identity=_identity(sender, message_id, headers, body, content),
        authentication=authentication.result(headers, sender, server),
        content=content,
        perhaps_automatic=automatic.perhaps(headers),
    )


def _subject(headers: Headers) -> str:
    """Return the subject if the sender wrote it. In a reply it comes from the answered email."""
    subjects = headers.all("subject")
    if len(subjects) != 1 or headers.all("in-reply-to") or headers.all("references"):
        return ""
    return decoded(subjects[0]).strip()


def _message_id(headers: Headers, name: str = "message-id") -> str:
    ids = {value for value in headers.all(name) if _MESSAGE_ID.fullmatch(value)}
    return ids.pop() if len(ids) == 1 else ""


def _tokens(headers: Headers, addresses: re.Pattern[str], recipients: tuple[str, ...]) -> tuple[str, ...]:
    candidates = [recipient.strip().strip("<>").lower() for recipient in recipients]
    if not any(addresses.fullmatch(candidate) for candidate in candidates):
        candidates = [address for name in _RECIPIENT_FIELDS for address in headers.addresses(name)]
    tokens = [match["token"] for candidate in candidates if (match := addresses.fullmatch(candidate))]
    return tuple(dict.fromkeys(tokens))


def _identity(sender: str, message_id: str, headers: Headers, body: bytes, content: Content) -> str:
    digest = hashlib.sha256(f"{sender}\n{message_id}\n".encode("utf-8", "replace"))
    if message_id and isinstance(content, SenderText):
        # Some programs use a Message-ID twice. A copy may have another encoding, but it has the same text.
        texts = {" ".join(" ".join(version).split()) for version in content.versions}
        digest.update("\n".join(sorted(texts - {""})).encode("utf-8", "replace"))
    else:
        digest.update(f"{headers.one('date')}\n{decoded(headers.one('subject'))}\n".encode("utf-8", "replace"))
    if not message_id:
        digest.update(body.replace(b"\r\n", b"\n").strip())
    return digest.hexdigest()


def _content(raw: bytes, headers: Headers, body: bytes, tokens: tuple[str, ...], machine: str) -> Content:
    if machine:
        return Automatic(machine)
    if len(raw) > LARGEST:
        return TooBig()
    if len(tokens) > 1:
        return Doubtful("addresses")
    try:
        return _own_text(headers, body)
    except Unclear as error:
        return Doubtful(error.reason)
    except quoting.Torn:
        return Doubtful("torn-quotation")
    except Exception:
        # No email may stop the reading of others. An unexpected error counts as a doubtful email.
        return Doubtful("unreadable")


def _own_text(headers: Headers, body: bytes) -> Content:
    versions = tuple(quoting.own_lines(lines) for _, lines in sorted(forms(headers, body).items(), reverse=True))
    return SenderText(versions) if any(versions) else Empty()
