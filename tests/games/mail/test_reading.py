"""Tests of a parsed email: its sender, its address, signs of machines, and limits."""

import time
from collections.abc import Callable

import pytest
from django.conf import LazySettings

from notifications.content import addresses
from notifications.mail_parsing.parsed_mail import Automatic, Content, Doubtful, Empty, Reply, SenderText, TooBig
from notifications.mail_parsing.parser import LARGEST, read
from tests.games.mail.hostile import simple
from tests.games.mail.letters import ADDRESS, DOMAIN, PLAYER, SERVER, TOKEN, part, several
from tests.games.mail.tables import ADDRESSES

MEGABYTE = 1024 * 1024
HEAD = f"From: Maryam <{PLAYER}>\nTo: {ADDRESS}\nMIME-Version: 1.0\n".encode()


def reading(raw: bytes, server: str = SERVER) -> Reply:
    return read(raw, ADDRESSES, server=server)


def content(raw: bytes) -> Content:
    return reading(raw).content


def test_the_tests_know_our_addresses_as_they_are(settings: LazySettings) -> None:
    settings.MAIL_DOMAIN = DOMAIN
    for pattern in (addresses.pattern(), ADDRESSES):
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


@pytest.mark.parametrize(
    ("results", "verdict"),
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
