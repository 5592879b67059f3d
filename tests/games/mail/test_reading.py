"""Tests of a parsed email: its sender, its address, signs of machines, and limits."""

import time
from base64 import b64encode
from collections.abc import Callable

import pytest
from django.conf import LazySettings

from notifications import reply_addresses
from notifications.mail_parsing.parser import (
    LARGEST,
    Automatic,
    Content,
    Doubtful,
    Empty,
    Reply,
    SenderText,
    TooBig,
    read,
)
from tests.examples import for_each
from tests.games.mail.letters import ADDRESS, DOMAIN, PLAYER, SERVER, TOKEN, part, several, simple
from tests.games.mail.tables import ADDRESSES

MEGABYTE = 1024 * 1024
HEAD = f"From: Maryam <{PLAYER}>\nTo: {ADDRESS}\nMIME-Version: 1.0\n".encode()


def reading(raw: bytes, server: str = SERVER) -> Reply:
    return read(raw, ADDRESSES, server=server)


def content(raw: bytes) -> Content:
    return reading(raw).content


def test_the_tests_know_our_addresses_as_they_are(settings: LazySettings) -> None:
    settings.MAIL_DOMAIN = DOMAIN
    for pattern in (reply_addresses.pattern(), ADDRESSES):
        match = pattern.fullmatch(ADDRESS)
        assert match is not None
        assert match["token"] == TOKEN


def test_an_address_is_read_in_any_case_and_from_any_field_that_names_receivers() -> None:
    for field in ("To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To"):
        raw = f"From: {PLAYER}\n{field}: =?utf-8?q?D=C3=A4rbar?= <{ADDRESS.upper()}>\n\n1\n".encode()
        assert reading(raw).tokens == (TOKEN,), field


@pytest.mark.parametrize(
    ("sender", "name"),
    [
        (f"Maryam <{PLAYER}>", "Maryam"),
        (f'"Kaveh \\"K\\" <x>, Ahangar" <{PLAYER}>', 'Kaveh "K" <x>, Ahangar'),
        (f"=?utf-8?b?2LPZvtuM2K/Zhw==?= <{PLAYER}>", "سپیده"),
        (PLAYER, ""),
        (f"<{PLAYER}>", ""),
        (f"Maryam <{PLAYER}>, Kaveh <kaveh@example.org>", ""),
    ],
)
def test_what_the_sender_calls_themself_is_read(sender: str, name: str) -> None:
    assert reading(f"From: {sender}\nTo: {ADDRESS}\n\n1\n".encode()).display_name == name


def test_the_same_address_in_several_fields_is_one() -> None:
    assert reading(simple(more=f"Delivered-To: {ADDRESS}\nX-Original-To: {ADDRESS}\n")).tokens == (TOKEN,)


def test_the_envelope_goes_before_the_headers() -> None:
    other = ADDRESS.replace("1.1", "1.2")
    reply = read(simple(), ADDRESSES, recipients=[f"<{other}>"])
    assert reply.tokens == (TOKEN.replace("1.1", "1.2"),)
    assert read(simple(), ADDRESSES, recipients=["darbar@example.net"]).tokens == (TOKEN,)


def test_an_empty_envelope_sender_is_a_machine() -> None:
    assert read(simple(), ADDRESSES, return_path="").content == Automatic("null-sender")
    assert read(simple(), ADDRESSES, return_path="<>").content == Automatic("null-sender")
    assert isinstance(read(simple(), ADDRESSES, return_path=PLAYER).content, SenderText)


def test_a_mail_that_says_that_it_is_not_automatic_is_not() -> None:
    for more in ("Auto-Submitted: no\n", "Auto-Submitted: no (a person)\n", "Precedence: first-class\n"):
        assert isinstance(content(simple(more=more)), SenderText), more


def test_every_copy_of_a_mail_has_one_identity_whatever_way_it_took() -> None:
    first = simple()
    second = b"Received: from a by b\nX-Spam: no\n" + first.replace(b"\n", b"\r\n")
    assert reading(first).identity == reading(second).identity
    assert reading(first).identity != reading(simple("2")).identity, "another text is another mail"
    assert reading(first).identity != reading(simple(sender="kaveh@example.org")).identity


def test_without_a_message_id_what_it_says_is_its_identity() -> None:
    first, second = (simple(raw).replace(b"Message-ID: <hostile@example.org>\n", b"") for raw in ("1", "2"))
    assert reading(first).message_id == ""
    assert reading(first).identity == reading(b"Received: again\n" + first).identity
    assert reading(first).identity != reading(second).identity


@for_each(
    "results, verdict",
    [
        (f"{SERVER}; dmarc=pass header.from=example.org", "pass"),
        (f"{SERVER} 1; dkim=pass (2048-bit key) header.d=example.org header.b=abc", "pass"),
        (f"{SERVER}; spf=pass smtp.mailfrom=maryam@example.org", "pass"),
        (f"{SERVER}; dmarc=fail (p=none) header.from=example.org; dkim=pass header.d=example.net", "fail"),
        (f"{SERVER}; dkim=pass header.d=example.net", "none"),
        (f"{SERVER}; dkim=pass header.d=org", "none"),
        (f"{SERVER}; dkim=fail header.d=example.org", "none"),
        (f"{SERVER}; none", "none"),
        ("mx.example.net; dmarc=pass header.from=example.org", "none"),
        (f"mx.example.net ({SERVER}); dmarc=pass header.from=example.org", "none"),
        ("; dmarc=pass", "none"),
        ("", "none"),
    ],
)
def test_authentication_results_count_where_our_own_server_wrote_them_about_this_sender(
    results: str, verdict: str
) -> None:
    assert reading(simple(results=results)).authentication == verdict


def test_without_a_server_of_ours_nobodys_results_count() -> None:
    assert reading(simple(), server="").authentication == "none"


def test_results_below_the_first_hop_are_a_strangers() -> None:
    forged = f"Authentication-Results: {SERVER}; dmarc=pass header.from=example.org\n"
    failed = simple(results=f"{SERVER}; dmarc=fail header.from=example.org", more=forged)
    silent = simple(results=f"{SERVER}; spf=none smtp.mailfrom=example.net", more=forged)
    assert reading(failed).authentication == "fail"
    assert reading(silent).authentication == "none"


def test_texts_of_a_mail_hold_no_line_breaks() -> None:
    name = "=?utf-8?q?Maryam=0D=0ABcc=3A_everyone=40example=2Eorg=E2=80=A8x?="
    reply = reading(simple(sender=f"{name} <{PLAYER}>"))
    assert reply.display_name == "Maryam Bcc: everyone@example.org x"
    assert reading(simple().replace(b"<hostile@", b"<hos\rtile@")).message_id == ""


def test_a_mail_over_the_limit_is_not_looked_into_but_its_sender_is_known() -> None:
    raw = simple("1\n" + "x" * LARGEST)
    reply = reading(raw)
    assert reply.content == TooBig()
    assert (reply.sender, reply.tokens) == (PLAYER, (TOKEN,))
    assert content(simple("1\n" + "x" * LARGEST, more="Auto-Submitted: auto-replied\n")) == Automatic("auto-submitted")


def test_a_blank_form_beside_another_does_not_count() -> None:
    parts = (part(" \n\n", "text/plain", "utf-8", "7bit"), part("<p>1</p>", "text/html", "utf-8", "7bit"))
    assert content(HEAD + several("alternative", "b", parts)) == SenderText((("1",),))


def test_a_multipart_without_its_end_is_read() -> None:
    assert content(HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\n1\n") == SenderText((("1",),))


ENCODINGS = (
    *("8bits", "7-bit", "8 bit", "7bit;", "8bit (as it is)", "plain", "utf-8", "text/html", "spam", "none", "ascii"),
    *("unknown", "x-unknown", "x-token", "uuencode", "UTF8", "8bit; charset=utf-8", '"7bit"', "iso-8859-1"),
)


@for_each("encoding", ENCODINGS)
def test_a_text_in_an_unknown_encoding_is_read_as_it_stands(encoding: str) -> None:
    raw = simple("tax", more=f"Content-Type: text/plain\nContent-Transfer-Encoding: {encoding}\n")
    assert content(raw) == SenderText((("tax",),))


@for_each(
    "encoding, body",
    [
        ("quoted-printable;", "t=61x"),
        ("quoted printable", "t=61x"),
        ("Quoted-Printable (of a program)", "t=61x"),
        ('"quoted-printable"', "t=61x"),
        ("quotedprintable", "t=61x"),
        ("base64;", "dGF4"),
        ("base-64", "dGF4"),
        ("BASE64 (comment)", "dGF4"),
        ("x-uuencode", "begin 644 answer.txt\n#=&%X\n`\nend\n"),
        ("uuencode", "begin 644 answer.txt\n#=&%X\n \nend"),
        ("x-uue", "begin 644 answer.txt\n#=&%XX\nend"),
    ],
)
def test_an_encoding_is_known_in_each_of_its_spellings(encoding: str, body: str) -> None:
    raw = simple(body, more=f"Content-Type: text/plain\nContent-Transfer-Encoding: {encoding}\n")
    assert content(raw) == SenderText((("tax",),))


TYPES = (
    *("text/plain (comment)", "text/plain(comment)", "text/plain (plain text); charset=us-ascii (ASCII)", "text"),
    *("text/plain charset=utf-8", "text/plain, charset=utf-8", '"text/plain"; charset=utf-8', "text / plain", "plain"),
    *("text/plain; name=answer.txt", 'text/plain; charset=utf-8; name="answer.txt"', "text/plain;; charset=utf-8;"),
    *("text/markdown; charset=utf-8", "text/x-markdown", "text/unknown", "text/x-plain", "text/enriched", "TEXT/PLAIN"),
    *("text/richtext", "text/*", "text/plain; charset*=us-ascii'en'utf-8", "(comment) text/plain", "", ";"),
)


@for_each("kind", TYPES)
def test_a_text_is_read_whatever_its_program_writes_beside_the_type(kind: str) -> None:
    assert content(simple("tax", more=f"Content-Type: {kind}\n")) == SenderText((("tax",),))


@pytest.mark.parametrize("kind", ["text/html (comment)", "text/html charset=utf-8", "application/xhtml+xml"])
def test_a_page_is_read_whatever_its_program_writes_beside_the_type(kind: str) -> None:
    raw = simple("<p>tax</p><blockquote>1. income</blockquote>", more=f"Content-Type: {kind}\n")
    assert content(raw) == SenderText((("tax",),))


def test_enriched_text_is_read_without_its_markup() -> None:
    body = "<bold>tax</bold> <color><param>red</param>please</color>"
    assert content(simple(body, more="Content-Type: text/enriched\n")) == SenderText((("tax please",),))


DISPOSITIONS = (
    *("inline; filename=answer.txt", "inline (comment)", 'inline; filename="answer.txt"', "filename=answer.txt"),
    *("attachment", "attachment; filename=answer.txt", "attachment (comment)", "ATTACHMENT; filename*=utf-8''a.txt"),
)


@pytest.mark.parametrize("disposition", DISPOSITIONS)
def test_a_text_that_is_the_only_part_is_read_also_as_an_attachment(disposition: str) -> None:
    head = f"Content-Type: text/plain; charset=utf-8\nContent-Disposition: {disposition}\n"
    assert content(simple("tax", more=head)) == SenderText((("tax",),))
    alone = several("mixed", "b", [f"{head}\ntax\n".encode()])
    picture = b"Content-Type: image/png; name=a.png\nContent-Disposition: inline\n\nx\n"
    assert content(HEAD + alone) == SenderText((("tax",),))
    beside_picture = content(HEAD + several("mixed", "b", [f"{head}\ntax\n".encode(), picture]))
    assert beside_picture == (Empty() if disposition.lower().startswith("attachment") else SenderText((("tax",),)))


@pytest.mark.parametrize("kind", ["text/markdown", "text/enriched", "application/xhtml+xml"])
def test_a_text_of_an_unusual_kind_below_a_usual_one_makes_the_email_doubtful(kind: str) -> None:
    parts = [b"Content-Type: text/plain\n\ntax\n", f"Content-Type: {kind}\n\nActually no\n".encode()]
    assert content(HEAD + several("mixed", "b", parts)) == Doubtful("parts")
    assert content(HEAD + several("alternative", "b", [parts[0], b"Content-Type: text/markdown\n\ntax\n"])) == (
        SenderText((("tax",),))
    )


def test_two_forms_that_are_attachments_are_read_as_one_text() -> None:
    forms = [
        f"Content-Type: text/{kind}\nContent-Disposition: attachment\n\n{text}\n".encode()
        for kind, text in (("plain", "tax"), ("html", "<p>tax</p>"))
    ]
    assert content(HEAD + several("alternative", "b", forms)) == SenderText((("tax",), ("tax",)))


def test_a_text_with_a_file_name_below_the_answer_is_shown_and_read_and_an_attachment_is_not() -> None:
    answer = b"Content-Type: text/plain\n\ntax\n"
    for head, lines in (
        ("Content-Type: text/plain; name=more.txt\n", ("tax", "Actually no")),
        ("Content-Type: text/plain\nContent-Disposition: inline; filename=more.txt\n", ("tax", "Actually no")),
        ("Content-Type: text/plain\nContent-Disposition: attachment; filename=more.txt\n", ("tax",)),
        ("Content-Type: text/vcard; name=more.vcf\n", ("tax",)),
        ("Content-Type: text/calendar\n", ("tax",)),
    ):
        raw = HEAD + several("mixed", "b", [answer, f"{head}\nActually no\n".encode()])
        read_lines = content(raw)
        assert isinstance(read_lines, SenderText)
        assert [*filter(None, read_lines.versions[0])] == [*lines], head


def test_a_text_behind_its_pictures_is_read() -> None:
    picture = b"Content-Type: image/png\nContent-ID: <1>\n\nx\n"
    raw = HEAD + several("related", "b", [picture, b"Content-Type: text/html\n\n<p>tax</p>\n"])
    assert content(raw) == SenderText((("tax",),))


@pytest.mark.parametrize(
    "boundary", ['"b" (comment)', "b (comment)", "b;", "=_a(b)c", "----=_Part:1/2", "us-ascii'en'b", '"a b"', '"<b>"']
)
def test_parts_are_divided_by_any_boundary(boundary: str) -> None:
    name = "boundary*" if "'" in boundary else "boundary"
    line = boundary.partition(" (")[0].strip(';"').removeprefix("us-ascii'en'")
    body = f"Content-Type: multipart/mixed (comment); {name}={boundary}\n\n--{line}\n\ntax\n--{line}--\n"
    assert content(HEAD + body.encode()) == SenderText((("tax",),))


def test_parts_that_are_encoded_together_are_read() -> None:
    head = HEAD + b"Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: base64\n\n"
    assert content(head + b64encode(b"--b\n\ntax\n--b--\n")) == SenderText((("tax",),))


def test_lines_that_end_in_two_returns_are_read() -> None:
    parts = (part("tax", "text/plain", "utf-8", "7bit"), part("<p>tax</p>", "text/html", "utf-8", "7bit"))
    raw = HEAD + several("alternative", "b", parts)
    assert content(raw.replace(b"\n", b"\r\r\n")) == SenderText((("tax",), ("tax",)))


@pytest.mark.parametrize(
    "head",
    [
        "application/ms-tnef; name=winmail.dat",
        "application/vnd.ms-tnef",
        'application/octet-stream; name="winmail.dat"',
        "application/octet-stream\nContent-Disposition: attachment; filename=winmail.dat",
    ],
)
def test_an_email_whose_text_is_in_a_file_for_outlook_is_told_apart(head: str) -> None:
    file = f"Content-Type: {head}\nContent-Transfer-Encoding: base64\n\neJ8+Ig==\n".encode()
    for parts in ([file], [b"\n \n", file]):
        assert content(HEAD + several("mixed", "b", parts)) == Doubtful("winmail")
    assert content(HEAD + several("mixed", "b", [b"\ntax\n", file])) == SenderText((("tax",),))
    assert content(HEAD + file) == Doubtful("winmail")


def test_a_line_among_the_headers_that_is_no_header_makes_the_mail_doubtful() -> None:
    assert content(simple().replace(b"\nDate:", b"\n3\nDate:")) == Doubtful("headers")


FIFTY: dict[str, Callable[[], bytes]] = {
    "one line": lambda: simple("1" * 50 * MEGABYTE),
    "many lines": lambda: simple("1\n" * 25 * MEGABYTE),
    "one header": lambda: b"X: " + b"a" * 50 * MEGABYTE + b"\n" + simple(),
    "many headers": lambda: simple(more="X: a\n" * 10 * MEGABYTE),
    "folded headers": lambda: simple(more="X: a\n" + " a\n" * 16 * MEGABYTE),
}


@pytest.mark.parametrize("name", FIFTY)
def test_fifty_megabytes_are_done_with_soon(name: str) -> None:
    raw = FIFTY[name]()
    began = time.thread_time()
    assert isinstance(content(raw), TooBig)
    assert time.thread_time() - began < 10


UNITS = (b"\n", b"a", b"<", b"&", b">", b"--b\n", b" ", b"On a wrote:\n", b"From: a@b 12:00\n", b"1\n", b"x:\n")
TANGLES = (
    b"<a '",
    b'<a "" ',
    b"<!",
    b"<!--",
    b"&#1;",
    b"<blockquote>",
    b"<p class=signature>",
    b"= \n",
    b"- a ",
    b"*_",
)


@pytest.mark.parametrize(
    "kind", ["text/plain", "text/plain; format=flowed", "text/html", "multipart/mixed; boundary=b"]
)
def test_no_text_takes_long(kind: str) -> None:
    for unit in UNITS + TANGLES:
        raw = HEAD + f"Content-Type: {kind}\n\n".encode() + unit * (2 * MEGABYTE // len(unit))
        began = time.thread_time()
        assert isinstance(content(raw), SenderText | Doubtful | Empty)
        assert time.thread_time() - began < 5, unit


@pytest.mark.parametrize("unit", ["(", '"', "a,", "=?utf-8?q?a?= ", "<a@b>,", "<", "\\", "=?", "a@b;"])
def test_no_header_takes_long(unit: str) -> None:
    for field in ("From", "To", "Subject", "Authentication-Results", "Content-Type", "Message-ID"):
        raw = f"{field}: {SERVER}; {unit * 20_000}\n\n1\n".encode()
        began = time.thread_time()
        reading(raw)
        assert time.thread_time() - began < 5, field
