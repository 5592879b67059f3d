"""A notification as mail: complete as text, safe and readable as HTML, threaded, and marked as made by a machine."""

import base64
from email.message import EmailMessage
from typing import Any

import dkim
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from msgspec.structs import replace

from accounts.models import Account
from notifications import deliver
from notifications.content import Listing, Picture, plain_text, with_bdi
from notifications.email.message import message, size_at_most
from notifications.models import Notification
from tests.notifications.outbox_rows import ENGLISH, NOON, PERSIAN, posted
from tests.notifications.sink import Sink

pytestmark = pytest.mark.django_db
SAID = [
    *("It is your turn, Maryam.", "What happened", "Bahareh allows it.", "What do you do?", "steal 2"),
    *("Steal from Sepideh", "http://localhost:8000/api/v1/games/7/", "Answer over the API."),
]


def delivered(sink: Sink) -> list[EmailMessage]:
    deliver.deliver_due(NOON)
    return sink.taken


def mail_of(sink: Sink, notification: Notification) -> EmailMessage:
    """The mail that a notification was sent as; those of one moment go in no order."""
    [mail] = [email for email in sink.taken if str(notification.pk) in email["Message-ID"]]
    return mail


def part(mail: EmailMessage, kind: str) -> str:
    body = mail.get_body((kind,))
    assert body is not None
    return str(body.get_content())


@pytest.fixture
def mail(sink: Sink, maryam: Account) -> EmailMessage:
    posted(maryam)
    [mail] = delivered(sink)
    return mail


def test_the_mail_has_a_text_and_an_html_part(mail: EmailMessage) -> None:
    assert mail.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in mail.iter_parts()] == ["text/plain", "text/html"]
    assert mail["Subject"] == "Coup xk42"
    assert mail["From"] == "Darbar <darbar@localhost>"
    assert mail["To"] == "maryam@example.org"


def test_both_parts_say_everything(mail: EmailMessage) -> None:
    for kind in ("plain", "html"):
        text = part(mail, kind)
        for piece in SAID:
            assert piece in text


def test_the_mail_says_that_a_machine_made_it(mail: EmailMessage) -> None:
    assert mail["Auto-Submitted"] == "auto-generated"


def test_the_notifications_of_one_game_to_one_reader_are_one_thread(
    sink: Sink, maryam: Account, sepideh: Account
) -> None:
    notifications = [
        posted(maryam, "question:7:1.1"),
        posted(maryam, "question:7:1.2"),
        posted(sepideh, "question:7:2.1"),
        posted(maryam, "question:8:1.1", topic="game:8"),
    ]
    delivered(sink)
    first, second, sepidehs, other = (mail_of(sink, notification) for notification in notifications)
    assert first["References"] == first["In-Reply-To"] == second["References"]
    assert len({mail["References"] for mail in (first, sepidehs, other)}) == 3
    assert len({mail["Message-ID"] for mail in sink.taken}) == 4


def test_an_answer_to_a_mail_names_it_within_the_thread(sink: Sink, maryam: Account) -> None:
    notifications = [
        posted(maryam, "question:7:1.1"),
        posted(maryam, "answer:1", replace(ENGLISH, in_reply_to="<1@example.org>")),
        posted(maryam, "answer:2", replace(ENGLISH, in_reply_to="<2@example.org>"), topic=""),
    ]
    delivered(sink)
    question, answer, other_answer = (mail_of(sink, notification) for notification in notifications)
    assert answer["In-Reply-To"] == "<1@example.org>"
    assert answer["References"].split() == [question["References"], "<1@example.org>"]
    assert answer["Auto-Submitted"] == "auto-replied"
    assert other_answer["References"] == other_answer["In-Reply-To"] == "<2@example.org>"


def test_the_message_id_follows_from_the_notification(sink: Sink, maryam: Account, settings: Any) -> None:
    settings.MAIL_DOMAIN = "darbar.example"
    notification = posted(maryam)
    [mail] = delivered(sink)
    assert mail["Message-ID"] == f"<{notification.id}@darbar.example>"


def test_html_is_escaped_inlined_and_loads_nothing(mail: EmailMessage) -> None:
    html = part(mail, "html")
    assert "takes tax &lt;as&gt; duke" in html
    assert 'style="' in html
    assert "prefers-color-scheme:dark" in html
    for remote in ("<link", "<img", "src=", "@import", "<script"):
        assert remote not in html


def test_a_piece_in_the_other_direction_is_set_apart(mail: EmailMessage) -> None:
    assert '<bdi dir="rtl">\u2067سپیده\u2069</bdi> takes' in part(mail, "html")
    assert "<bdi>steal 2</bdi>" in part(mail, "html")
    assert "2. steal 2 - Steal" in part(mail, "plain")


def test_a_persian_mail_runs_from_right_to_left(sink: Sink, sepideh: Account) -> None:
    posted(sepideh, rendered=PERSIAN)
    [mail] = delivered(sink)
    html, text = part(mail, "html"), part(mail, "plain")
    assert mail["Subject"] == "کودتا xk42"
    assert mail["Content-Language"] == "fa"
    assert 'lang="fa" dir="rtl"' in html
    assert 'بهاره نوشت <bdi dir="ltr">\u2066steal 2\u2069</bdi>.' in " ".join(html.split())
    assert "\u200f  ۲. \u2066steal 2\u2069 - باج‌گیری از بهاره" in text
    assert html.count("\u2066") == html.count('<bdi dir="ltr">') - 1, "a code is copied without it"
    runs = [line for line in text.splitlines() if line.strip() and "://" not in line and not line.startswith("--")]
    assert all(line.startswith("\u200f") for line in runs)


def test_a_line_of_an_english_mail_that_begins_with_a_persian_name_runs_from_left_to_right(mail: EmailMessage) -> None:
    text = part(mail, "plain")
    [name_line] = [line for line in text.splitlines() if "سپیده" in line]
    assert name_line.lstrip().startswith("\u200e")
    assert text.count("\u200e") == 1


def test_the_raw_mail_is_one_that_every_server_takes(sink: Sink, sepideh: Account) -> None:
    posted(sepideh, rendered=PERSIAN)
    delivered(sink)
    [raw] = sink.raw
    head = raw.partition(b"\r\n\r\n")[0]
    assert head.isascii()
    assert max(map(len, raw.split(b"\r\n"))) <= 998
    assert raw.count(b"\n") == raw.count(b"\r\n")


def test_a_line_break_in_a_subject_adds_no_header(sink: Sink, maryam: Account) -> None:
    notification = posted(maryam)
    Notification.objects.filter(pk=notification.pk).update(
        rendered=b'{"language":"en","subject":"Coup\\r\\nBcc: kaveh@example.org","headline":"Hello"}'
    )
    assert delivered(sink) == []
    notification.refresh_from_db()
    assert notification.state == "failed"


def test_text_keeps_an_isolate_only_where_it_is_needed() -> None:
    assert plain_text("\u2068Kaveh\u2069 and \u2068سپیده\u2069", "ltr") == "Kaveh and \u2068سپیده\u2069"
    assert plain_text("\u2068Kaveh\u2069 و \u2068سپیده\u2069", "rtl") == "\u2068Kaveh\u2069 و سپیده"


def test_isolates_stay_within_elements_that_mail_programs_remove() -> None:
    html = with_bdi("\u2068Omid\u2069: \u2068۲ \u2066a\u2069\u2069 &#8296;", characters=True)
    assert (
        html == '<bdi>\u2068Omid\u2069</bdi>: <bdi>\u2068۲ <bdi dir="ltr">\u2066a\u2069</bdi>\u2069</bdi> &amp;#8296;'
    )


@pytest.mark.parametrize(
    ("rendered", "encodings"),
    [(replace(ENGLISH, headline="It’s your turn"), {"quoted-printable"}), (PERSIAN, {"base64", "quoted-printable"})],
)
def test_a_mail_passes_a_server_that_takes_only_seven_bits(
    sink: Sink, maryam: Account, rendered: Any, encodings: set[str]
) -> None:
    posted(maryam, rendered=rendered)
    [mail] = delivered(sink)
    assert sink.raw[0].isascii()
    assert {part["Content-Transfer-Encoding"] for part in mail.walk() if not part.is_multipart()} == encodings
    assert max(map(len, sink.raw[0].split(b"\r\n"))) <= 998


def test_a_mail_tells_filters_and_postmasters_what_it_is(sink: Sink, maryam: Account, settings: Any) -> None:
    settings.MAIL_DOMAIN = "darbar.example"
    game, official = posted(maryam), posted(maryam, "account:1", topic="")
    delivered(sink)
    assert mail_of(sink, game)["List-Id"] == "<7.game.darbar.example>"
    assert mail_of(sink, game)["Feedback-ID"] == "question:game:email:darbar"
    assert mail_of(sink, official)["List-Id"] is None
    assert mail_of(sink, official)["Feedback-ID"].split(":")[1:] == ["account", "email", "darbar"]


def test_an_answer_refers_to_all_that_its_mail_refers_to(sink: Sink, maryam: Account) -> None:
    posted(
        maryam, "answer:1", replace(ENGLISH, in_reply_to="<3@example.org>", references="<1@localhost> <2@localhost>")
    )
    [mail] = delivered(sink)
    root, *others = mail["References"].split()
    assert root.endswith("@localhost>")
    assert others == ["<1@localhost>", "<2@localhost>", "<3@example.org>"]
    assert mail["In-Reply-To"] == "<3@example.org>"


@pytest.mark.parametrize("size", range(1, 60, 7))
def test_the_first_line_of_a_subject_is_not_empty(sink: Sink, maryam: Account, size: int) -> None:
    for number, subject in enumerate(("میز " * size, "کودتا" * size, "a" * size + "é", "“Omid” " * size)):
        posted(maryam, f"question:{number}", rendered=replace(PERSIAN, subject=subject.strip()))
    delivered(sink)
    for raw in sink.raw:
        [line] = [line for line in raw.split(b"\r\n") if line.startswith(b"Subject:")]
        assert line.removeprefix(b"Subject:").strip(), raw[:400]


def test_isolates_that_nest_or_do_not_end_make_no_broken_html() -> None:
    assert with_bdi("\u2066a \u2067ب\u2069 c\u2069") == '<bdi dir="ltr">a <bdi dir="rtl">ب</bdi> c</bdi>'
    assert with_bdi("\u2069<b>\u2068x") == "&lt;b&gt;x"


def test_a_mail_is_signed_where_there_is_a_key_and_a_changed_one_is_found(
    sink: Sink, maryam: Account, settings: Any
) -> None:
    key = rsa.generate_private_key(65537, 1024)
    settings.DKIM_KEY = key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    settings.DKIM_SELECTOR, settings.MAIL_DOMAIN = "s1", "play.example.org"
    settings.DEFAULT_FROM_EMAIL = "Darbar <darbar@play.example.org>"
    public = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    records = {b"s1._domainkey.play.example.org.": b"v=DKIM1; p=" + base64.b64encode(public)}
    posted(maryam)
    [mail] = delivered(sink)
    [raw] = sink.raw
    assert dkim.verify(raw, dnsfunc=lambda name, timeout=5: records.get(name))
    assert {"list-unsubscribe", "from", "subject"} <= set(
        mail["DKIM-Signature"].split("h=")[1].split(";")[0].split(" : ")
    )
    for before, after in ((b"Subject: Coup", b"Subject: Soup"), (b"Steal from", b"Steel from")):
        assert before in raw
        assert not dkim.verify(raw.replace(before, after, 1), dnsfunc=lambda name, timeout=5: records.get(name))


@pytest.mark.parametrize("is_signed", [False, True])
@pytest.mark.parametrize("words", [10, 400])
def test_a_mail_is_never_larger_than_the_guess_of_its_size(
    words: int, is_signed: bool, maryam: Account, settings: Any
) -> None:
    if is_signed:
        key = rsa.generate_private_key(65537, 2048)
        settings.DKIM_KEY = key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    picture = Picture("table", b"\x89PNG" + bytes(13_000), "میز")
    rendered = replace(PERSIAN, reply_to=f"{'q' * 60}@example.org", blocks=(Listing("گپ", ("سلام " * words,)), picture))
    mail = message(posted(maryam, rendered=rendered)).message().as_bytes(linesep="\r\n")  # type: ignore[call-arg]  # Django's
    assert len(mail) <= size_at_most(rendered)
