"""Emails that must change nothing. Each would make a move if its trick worked: mostly the move ``1``."""

from collections.abc import Iterable, Iterator
from itertools import count
from typing import Final

from tests.games.mail.hostile_bodies import bodies
from tests.games.mail.letters import ADDRESS, DOMAIN, PLAYER, SERVER, TOKEN

Named = tuple[str, str, bytes]
"""The name of an email, its expected outcome, and its bytes."""

OTHER: Final = f"{TOKEN[:-26]}{TOKEN[-26:][::-1]}"


def hostile() -> Iterator[tuple[str, str, str, bytes]]:
    """Return all hostile emails: name, answered question, expected outcome and bytes."""
    numbers = count(1)
    for family in (senders(), tokens(), machines(), subjects(), reports(), headers(), bodies()):
        for name, outcome, raw in family:
            yield f"{next(numbers):03d}-{name}", "turn", outcome, raw


def simple(
    answer_text: str = "1",
    *,
    sender: str = f"Maryam <{PLAYER}>",
    to: str = f"Darbar <{ADDRESS}>",
    subject: str = "Re: Coup XK42",
    more: str = "",
    results: str = f"{SERVER}; dmarc=pass header.from=example.org",
) -> bytes:
    """Return a plain email as a person would send it, with the given changes."""
    head = (
        f"Authentication-Results: {results}\n"
        f"Received: from out.example.org by {SERVER}; Mon, 23 Mar 2026 12:05:00 +0000\n"
        f"From: {sender}\nTo: {to}\nSubject: {subject}\nMessage-ID: <hostile@example.org>\n"
        f"Date: Mon, 23 Mar 2026 12:05:00 +0000\n{more}"
    )
    return f"{head}\n{answer_text}\n".encode()


def senders() -> Iterator[Named]:
    """From addresses that are not the player's, or not known to be."""
    yield "sender-somebody-else", "stranger", simple(sender="Maryam <mallory@example.net>")
    yield "sender-named-like-her", "stranger", simple(sender=f'"{PLAYER}" <mallory@example.net>')
    yield "sender-named-bare", "stranger", simple(sender=f"{PLAYER} <mallory@example.net>")
    yield "sender-in-a-comment", "stranger", simple(sender=f"mallory@example.net ({PLAYER})")
    yield "sender-two-in-one", "stranger", simple(sender=f"{PLAYER}, mallory@example.net")
    yield "sender-two-brackets", "stranger", simple(sender=f"<{PLAYER}> <mallory@example.net>")
    yield "sender-two-fields", "refused doubtful", simple(more="From: mallory@example.net\n")
    yield "sender-none", "stranger", simple().replace(b"From: Maryam <maryam@example.org>\n", b"")
    yield "sender-empty", "stranger", simple(sender="<>")
    yield "sender-encoded", "stranger", simple(sender="=?utf-8?q?=3Cmaryam=40example=2Eorg=3E?= <mallory@example.net>")
    yield "sender-encoded-only", "stranger", simple(sender="=?utf-8?q?maryam=40example=2Eorg?=")
    yield "sender-look-alike", "stranger", simple(sender="Maryam <mаryam@example.org>")
    yield "sender-subdomain", "stranger", simple(sender="Maryam <maryam@example.org.example.net>")
    yield "sender-dmarc-fails", "stranger", simple(results=f"{SERVER}; dmarc=fail header.from=example.org")
    yield (
        "sender-results-disagree",
        "stranger",
        simple(results=f"{SERVER}; dmarc=pass header.from=example.org; dmarc=fail"),
    )
    yield "sender-group", "stranger", simple(sender="Players: maryam@example.net;")
    yield "sender-is-us", "automatic loop", simple(sender=f"Darbar <{OTHER}@{DOMAIN}>")


def tokens() -> Iterator[Named]:
    """Reply addresses that are not one of ours, or not this question's."""
    for name, to in {
        "guessed": f"{OTHER}@{DOMAIN}",
        "expired": f"{TOKEN.replace('-1.1-', '-1.0-')}@{DOMAIN}",
        "foreign": f"{TOKEN.replace('abc', 'cba')}@{DOMAIN}",
        "of-the-seat": f"{TOKEN.replace('q-', 's-').replace('-1.1-', '-1-')}@{DOMAIN}",
        "guessed-short": f"{TOKEN[:-1]}@{DOMAIN}",
        "guessed-long": f"{TOKEN}a@{DOMAIN}",
        "guessed-digits": f"{TOKEN[:-1]}1@{DOMAIN}",
        "guessed-star": f"*@{DOMAIN}",
        "other-domain": f"{TOKEN}@example.net",
        "domain-look-alike": f"{TOKEN}@play.darbar.example.net",
        "domain-below": f"{TOKEN}@x.{DOMAIN}",
        "domain-dot-missing": f"{TOKEN}@playXdarbar.example",
        "in-the-name": f'"{ADDRESS}" <darbar@{DOMAIN}>',
        "in-a-comment": f"darbar@{DOMAIN} ({ADDRESS})",
        "quoted": f'"{TOKEN}"@{DOMAIN}',
        "encoded": f"=?us-ascii?q?{TOKEN}=40{DOMAIN}?=",
        "look-alike-letters": f"{TOKEN.replace('a', 'а')}@{DOMAIN}",
        "full-width": f"{chr(0xFF41)}{TOKEN[1:]}@{DOMAIN}",
        "undisclosed": "undisclosed-recipients:;",
    }.items():
        yield f"token-{name}", "no such token", simple(to=to)
    yield "token-in-the-subject", "no such token", simple(to=f"darbar@{DOMAIN}", subject=f"Re: {ADDRESS}")
    yield "token-two", "refused doubtful", simple(to=f"{ADDRESS}, {OTHER}@{DOMAIN}")
    yield "token-two-fields", "refused doubtful", simple(more=f"Delivered-To: {OTHER}@{DOMAIN}\n")


def machines() -> Iterator[Named]:
    """Yield emails whose headers say that a machine wrote them."""
    for name, more in {
        "auto-replied": "Auto-Submitted: auto-replied",
        "auto-generated": "Auto-Submitted: auto-generated (vacation)",
        "auto-notified": "auto-submitted: AUTO-NOTIFIED; owner-email=x",
        "x-auto-submitted": "X-Auto-Submitted: auto-replied",
        "x-auto-reply": "X-Auto-Reply: 1",
        "x-auto-reply-from": "X-Auto-Reply-From: maryam@example.org",
        "x-autoresponder": "X-Autoresponder: 1",
        "auto-reply": "Precedence: auto_reply",
        "preference": "Preference: auto_reply",
        "x-autoreply": "X-Autoreply: yes",
        "x-autorespond": "X-Autorespond: Coup XK42",
        "x-autoreply-from": "X-AutoReply-From: maryam@example.org",
        "x-mail-autoreply": "X-Mail-Autoreply: 1",
        "x-vacation": "X-Vacation: 1",
        "x-auto-response": "X-Precedence: auto-reply",
        "cron": "X-Cron-Env: <SHELL=/bin/sh>",
        "complaint": "Feedback-Type: abuse",
        "autoresponder": "Delivered-To: Autoresponder",
        "failed-recipients": "X-Failed-Recipients: a@example.org",
        "machine-generated": "X-FC-MachineGenerated: true",
        "novell": "X-POST-MessageClass: 9; Autoresponder",
        "vacation-program": "X-Mailer: vacation 1.2.7",
    }.items():
        field = more.partition(":")[0].lower()
        yield f"machine-{name}", f"automatic {field}", simple(more=f"{more}\n")
    yield "machine-null-sender", "automatic null-sender", b"Return-Path: <>\n" + simple()
    yield "machine-null-sender-blank", "automatic null-sender", b"Return-path: < >\n" + simple()
    for address in (
        "MAILER-DAEMON@example.org",
        "postmaster@example.org",
        "no-reply@example.org",
        "bounces+1@example.org",
    ):
        yield f"machine-{address.partition('@')[0].lower()}", "automatic from", simple(sender=address)


def subjects() -> Iterator[Named]:
    """Vacation notices of old servers: only their subject tells."""
    cases = (
        "Automatic reply: Coup XK42", "Out of Office: Coup XK42", "Auto: Re: Coup XK42", "Undeliverable: Coup XK42",
        "Abwesenheitsnotiz: Coup XK42", "Automatische Antwort: Coup XK42", "Réponse automatique : Coup XK42",
        "Respuesta automática: Coup XK42", "Risposta automatica: Coup XK42", "Автоответ: Coup XK42",
        "پاسخ خودکار: کودتا XK42", "رد تلقائي: Coup XK42", "תשובה אוטומטית: Coup XK42", "自动回复: Coup XK42",
    )  # fmt: skip
    for number, subject in enumerate(cases, start=1):
        yield f"vacation-subject-{number}", "automatic subject", simple(subject=subject)
    encoded = "=?utf-8?b?2b7Yp9iz2K4g2K7ZiNiv2qnYp9ix?="
    yield "vacation-subject-encoded", "automatic subject", simple(subject=encoded)


def reports() -> Iterator[Named]:
    """Delivery reports and the like."""
    for name, kind in {
        "delivery": "multipart/report; report-type=delivery-status",
        "receipt": "multipart/report; report-type=disposition-notification",
        "complaint": "Multipart/Report; report-type=feedback-report",
    }.items():
        status = "Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.org\n\nAction: failed"
        body = f"--b\nContent-Type: text/plain\n\n1\n--b\n{status}\n--b--"
        report = simple(body, more=f'MIME-Version: 1.0\nContent-Type: {kind}; boundary="b"\n')
        yield f"report-{name}", "automatic content-type", report
    status = "MIME-Version: 1.0\nContent-Type: message/delivery-status\n"
    yield "report-bare", "automatic content-type", simple(more=status)
    yield (
        "report-failed-recipients",
        "automatic x-failed-recipients",
        simple(more="X-Failed-Recipients: a@example.org\n"),
    )
    meeting = "MIME-Version: 1.0\nContent-Type: text/calendar; method=REPLY\n"
    yield "report-meeting", "automatic content-type", simple(more=meeting)


def headers() -> Iterator[Named]:
    """Header blocks that want to be more than they are."""
    yield "header-two-types", "refused doubtful", simple(more="Content-Type: text/plain\nContent-Type: text/html\n")
    two = "Content-Transfer-Encoding: 7bit\nContent-Transfer-Encoding: base64\n"
    yield "header-two-encodings", "refused doubtful", simple("MQ==", more=two)
    yield "header-two-message-ids", "refused doubtful", simple(more="Message-ID: <second@example.org>\n")
    injected = "=?utf-8?q?Coup=0D=0ABcc=3A_everyone=40example=2Eorg=0D=0A=0D=0A1?="
    yield "header-injection-subject", "refused not-read", simple("Hello", subject=injected)
    address = "=?utf-8?q?maryam=40example=2Eorg=0D=0ABcc=3A_x=40example=2Eorg?= <mallory@example.net>"
    yield "header-injection-sender", "stranger", simple(sender=address)
    yield "header-nul", "stranger", simple(sender="Maryam <mary\0am@example.org>")
    yield "header-nul-token", "no such token", simple(to=f"{TOKEN[:13]}\0{TOKEN[13:]}@{DOMAIN}")
    yield "header-bare-return", "no such token", simple(to=f"a@example.org\r{ADDRESS}\rb@example.org")
    yield "header-many", "refused not-read", simple("Hello", more="".join(f"X-{n}: {n}\n" for n in range(600)))
    yield "header-none", "no such token", b"\n1\n"
    yield "header-nothing", "no such token", b""
    yield "header-garbage", "no such token", bytes(range(256)) * 16
    yield (
        "header-broken-words",
        "refused not-read",
        simple("Hello", subject="=?utf-8?b?=FF=?= =?x?q??= =?utf-8?q?=ZZ?="),
    )


def by_name(family: Iterable[Named]) -> dict[str, bytes]:
    """A family by name."""
    return {name: raw for name, _, raw in family}
