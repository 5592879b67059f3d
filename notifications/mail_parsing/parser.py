"""A mail that came in, from its bytes to a value."""

import hashlib
import re
from collections.abc import Iterable
from typing import Final

from notifications.mail_parsing import authentication, automatic, quoting
from notifications.mail_parsing.headers import Headers, called, decoded, split
from notifications.mail_parsing.parsed_mail import Automatic, Content, Doubtful, Empty, Reply, TooBig, Written
from notifications.mail_parsing.parts import Unclear, forms

LARGEST: Final = 10 * 1024 * 1024
"""A mail of more bytes is not looked into."""

_MESSAGE_ID: Final = re.compile(r"<[!-;=?-~]{1,240}>")
_ADDRESSED: Final = (
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
    """Return what a mail is and what its writer wrote. Never raises, and takes time in proportion to its size.

    ``addresses`` matches our reply addresses in lower case, its group ``token`` what makes them ours.
    ``recipients`` and ``return_path`` are the envelope's, where the way in knows them: then the headers
    are not searched for tokens. ``server`` is the name under which our own mail server writes
    Authentication-Results; empty where nobody's are believed.
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
        called=called(headers.one("from")) if sender else "",
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
    """Return the subject where the writer of this mail wrote it: that of an answer is from the mail it answers."""
    subjects = headers.all("subject")
    if len(subjects) != 1 or headers.all("in-reply-to") or headers.all("references"):
        return ""
    return decoded(subjects[0]).strip()


def _message_id(headers: Headers, name: str = "message-id") -> str:
    found = {value for value in headers.all(name) if _MESSAGE_ID.fullmatch(value)}
    return found.pop() if len(found) == 1 else ""


def _tokens(headers: Headers, addresses: re.Pattern[str], recipients: tuple[str, ...]) -> tuple[str, ...]:
    named = [recipient.strip().strip("<>").lower() for recipient in recipients]
    if not any(addresses.fullmatch(each) for each in named):
        named = [address for name in _ADDRESSED for address in headers.addresses(name)]
    found = [match["token"] for each in named if (match := addresses.fullmatch(each))]
    return tuple(dict.fromkeys(found))


def _identity(sender: str, message_id: str, headers: Headers, body: bytes, content: Content) -> str:
    digest = hashlib.sha256(f"{sender}\n{message_id}\n".encode("utf-8", "replace"))
    if message_id and isinstance(content, Written):
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
        return _written(headers, body)
    except Unclear as error:
        return Doubtful(error.reason)
    except quoting.Torn:
        return Doubtful("torn-quotation")
    except Exception:
        # Nothing that a stranger sends may stop the post; what nobody foresaw is asked back like any doubtful mail.
        return Doubtful("unreadable")


def _written(headers: Headers, body: bytes) -> Content:
    versions = tuple(quoting.own(lines) for _, lines in sorted(forms(headers, body).items(), reverse=True))
    return Written(versions) if any(versions) else Empty()
