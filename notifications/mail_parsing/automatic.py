"""Detection of automatic email: vacation notices, delivery reports, lists, and emails of this server that come back.

Such emails have header fields of their own (RFC 3834, RFC 3464, RFC 2369 and older habits). Some fields also occur in
emails that people write: a forwarder is a list, and each email of Exchange asks others not to answer automatically.
These fields count only if the email is not from an account's own address.
"""

import re
from typing import Final

from notifications.mail_parsing.headers import Headers, decoded

_MACHINE_FIELDS: Final = (
    "x-autoreply",
    "x-autorespond",
    "x-autoresponder",
    "x-auto-reply",
    "x-auto-reply-from",
    "x-autoreply-from",
    "x-mail-autoreply",
    "x-vacation",
    "x-failed-recipients",
    "x-cron-env",
    "feedback-type",
)
"""Fields that only machines set."""

_AMBIGUOUS_FIELDS: Final = (
    "x-auto-response-suppress",
    "precedence",
    "x-precedence",
    "x-loop",
    "list-id",
    "list-post",
    "list-unsubscribe",
    "mailing-list",
    "x-mailing-list",
)
"""Fields of machines, lists and forwarders, and of some mail programs."""

_MACHINE_VALUES: Final = {
    "auto-submitted": re.compile(r"^(?!\s*no\s*(?:[;(]|$)).", re.I),
    "x-auto-submitted": re.compile(r"^(?!\s*no\s*(?:[;(]|$)).", re.I),
    "precedence": re.compile(r"\bauto[_-]?reply\b", re.I),
    "x-precedence": re.compile(r"\bauto[_-]?reply\b", re.I),
    "preference": re.compile(r"auto[_-]?reply", re.I),
    "x-fc-machinegenerated": re.compile(r"true", re.I),
    "x-post-messageclass": re.compile(r"autoresponder", re.I),
    "delivered-to": re.compile(r"^autoresponder$", re.I),
    "x-mailer": re.compile(r"vacation|autorespon|auto-?reply", re.I),
    "content-type": re.compile(
        r"^\s*(?:multipart/report|message/(?:delivery-status|disposition-notification|feedback-report)|text/calendar)\b",
        re.I,
    ),
    "return-path": re.compile(r"^\s*<\s*>"),
}
"""Fields that emails of people may have too, with the values that only machines set."""

_MACHINE_SENDER: Final = re.compile(
    r"(?:mailer-?daemon|postmaster|no-?_?reply|do-?not-?reply|auto-?(?:reply|respon(?:d|se|der))|bounces?|daemon|root)"
    r"(?:\+.*)?@.*"
)

_SUBJECT: Final = re.compile(
    r"\s*(?:(?:re|aw|sv|پاسخ)\s*:\s*)?[\[(]?(?:"
    r"auto(?:matic|mated)?[ -]?(?:reply|response|antwort)|auto\s?:|autoreply|out[ -]of[ -](?:the[ -])?office|vacation\b"
    r"|undeliver(?:able|ed)|delivery (?:status notification|failure|has failed)|returned mail|mail delivery"
    r"|failure notice"
    r"|automatische (?:antwort|antwoord)|automatisch antwoord|abwesenheit|unzustellbar|nicht zugestellt"
    r"|réponse automatique|absence du bureau|non remis|respuesta automática|fuera de (?:la )?oficina"
    r"|risposta automatica|resposta automática|autosvar|automatiskt svar|automaattinen vastaus"
    r"|automatická odpověď|odpowiedź automatyczna|autoodpowiedź|автоответ|автоматический ответ|otomatik yanıt"
    r"|پاسخ خودکار|پاسخ اتوماتیک|رد تلقائي|الرد التلقائي|תשובה אוטומטית|מענה אוטומטי|自动回复|自動返信|자동 ?회신)",
    re.I,
)


def why(headers: Headers, own_addresses: re.Pattern[str], return_path: str | None, *, has_token: bool) -> str:
    """Return the sign that a machine sent an email, or a blank text.

    ``own_addresses`` matches this server's reply addresses: email from such an address is the server's own email in a
    loop. ``return_path`` is the envelope's sender, if it is known. A blank sender is a machine. Without ``has_token``
    the email was sent to the server's own address, where a subject is a command: “vacation 3 days”.
    """
    if return_path is not None and return_path.strip().strip("<>").strip() == "":
        return "null-sender"
    for name, value in headers.fields:
        if name in _MACHINE_FIELDS:
            return name
        if name in _MACHINE_VALUES and _MACHINE_VALUES[name].search(value):
            return "null-sender" if name == "return-path" else name
    if any(own_addresses.fullmatch(sender) for sender in headers.addresses("from")):
        return "loop"
    return "subject" if has_token and _SUBJECT.match(decoded(headers.one("subject"))) else ""


def perhaps(headers: Headers) -> str:
    """Return a sign of a machine that emails of people may have too, or a blank text."""
    if any(_MACHINE_SENDER.fullmatch(sender) for sender in headers.addresses("from")):
        return "from"
    names = (name for name, _ in headers.fields if name in _AMBIGUOUS_FIELDS)
    return next(names, "subject" if _SUBJECT.match(decoded(headers.one("subject"))) else "")
