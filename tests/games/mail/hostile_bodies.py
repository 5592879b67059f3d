"""Bodies that must move nothing: tricks with parts, charsets, letters, directions, quotations and several commands."""

import base64
from collections.abc import Iterator
from typing import Final

from tests.games.mail import outlook_shapes as office
from tests.games.mail import pocket_shapes as pocket
from tests.games.mail import shapes
from tests.games.mail.letters import ADDRESS, PLAYER, Answer, Sent, part, quoted, several

Named = tuple[str, str, bytes]

_HEAD: Final = (
    f"From: Maryam <{PLAYER}>\nTo: Darbar <{ADDRESS}>\nSubject: Re: Coup XK42\n"
    "Message-ID: <hostile@example.org>\nDate: Mon, 23 Mar 2026 12:05:00 +0000\nMIME-Version: 1.0\n"
).encode()
_TURN: Final = Sent("turn-en")


def bodies() -> Iterator[Named]:
    """Return all bodies: name, expected outcome and bytes."""
    for family in (quotations(), commands(), letters(), directions(), structures(), charsets(), markup()):
        yield from family


def _text(answer_text: str, charset: str = "utf-8") -> bytes:
    return _HEAD + part(answer_text, "text/plain", charset, "8bit")


def _raw(body: bytes, more: str) -> bytes:
    return _HEAD + more.encode() + b"\n" + body


def _html(answer_text: str) -> bytes:
    return _HEAD + part(answer_text, "text/html", "utf-8", "8bit")


def _both(plain: str, html: str) -> bytes:
    parts = (part(plain, "text/plain", "utf-8", "8bit"), part(html, "text/html", "utf-8", "8bit"))
    return _HEAD + several("alternative", "=_b", parts)


def quotations() -> Iterator[Named]:
    """Yield bodies without text of their sender."""
    for name, make, language in (
        ("gmail", shapes.gmail, "en"),
        ("gmail-persian", shapes.gmail, "fa"),
        ("outlook", office.outlook, "en"),
        ("outlook-html", office.outlook_html, "de"),
        ("outlook-text", office.outlook_text, "fa"),
        ("outlook-mobile", office.outlook_mobile, "en"),
        ("apple", shapes.apple, "he"),
        ("apple-ios", pocket.apple_ios, "ar"),
        ("thunderbird", shapes.thunderbird, "fr"),
        ("k9", pocket.k9, "de"),
        ("yahoo", pocket.yahoo, "en"),
        ("samsung", pocket.samsung, "en"),
    ):
        answer = Answer(sent=Sent(f"turn-{'fa' if language == 'fa' else 'en'}"), text="", language=language)
        yield f"quote-only-{name}", "refused empty", make(answer)
    yield "quote-only-no-introduction", "refused empty", _text(quoted(_TURN.text))
    yield "quote-only-marker-first", "refused empty", _text(_TURN.text)
    yield "quote-only-below-the-marker", "refused empty", _text(f"{_TURN.text}\n1")
    yield (
        "quote-torn",
        "refused doubtful",
        _text("> To answer, reply to this email: write the number or the text of the\ntax\n> answer"),
    )
    yield (
        "quote-torn-chat",
        "refused doubtful",
        _text("> You may also write ? to be asked again, or if it pleases you\nchat and say\n> hi"),
    )
    yield "quote-nothing-at-all", "refused empty", _text("")
    yield "quote-signature-only", "refused empty", _text("-- \n1")
    yield "quote-invisible-only", "refused empty", _text("\u200b\ufeff\u2060\n\u200f")


def commands() -> Iterator[Named]:
    """More than one thing to do, or less than one."""
    for name, reason, text in (
        ("two-numbers", "two-commands", "1\n2"),
        ("two-words", "two-commands", "income\n\ntax"),
        ("move-and-question", "two-commands", "1\n?"),
        ("move-and-chat", "two-commands", "1\nchat hello\n\n3"),
        ("chat-and-move", "two-commands", "chat hello\n3"),
        ("chat-and-move-apart", "two-commands", "chat hello\n\nincome"),
        ("resign-below", "resign-below", "1\n\nresign yes"),
        ("resign-in-prose-below", "resign-below", "1\n\nI think that I will resign."),
        ("resign-below-in-persian", "resign-below", "1\n\nانصراف بله"),
        ("resign-then-move", "two-commands", "resign\n1"),
        ("number-and-other-words", "number-and-words", "1 tax"),
        ("number-and-number", "number-and-words", "1 2"),
        ("number-dot-other-words", "number-and-words", "4. steal 3"),
        ("two-in-a-line", "not-read", "income tax"),
        ("either-or", "not-read", "1 or 2"),
        ("greeting-alone", "not-read", "Hello Darbar!"),
        ("classification-alone", "not-read", "Classification: 1"),
        ("classification-names-a-move", "not-read", "Classification: tax"),
        ("denied", "not-read", "no tax"),
        ("denied-politely", "not-read", "Hi Darbar, I don't want to tax, thanks"),
        ("denied-in-persian", "not-read", "مالیات نمی‌گیرم"),
        ("asked", "not-read", "tax?"),
        ("asked-number", "not-read", "2?"),
        ("crossed-out", "not-read", "🚫 tax"),
        ("doubted", "not-read", "🤔 1"),
        ("two-verbs", "not-read", "tax and income"),
        ("either-verb", "not-read", "tax or income"),
        ("conditional", "not-read", "tax if nobody minds"),
        ("instead", "not-read", "steal from Kaveh instead of Sepideh"),
        ("two-targets", "not-read", "steal from Kaveh and Sepideh"),
        ("target-in-brackets", "not-read", "steal (2)"),
        ("number-behind-words", "not-read", "tax 2"),
        ("agreeing-sign", "not-read", "+1"),
        ("minus-sign", "not-read", "-1"),
        ("label-with-another-number", "number-and-words", "4. Collect tax with the duke: 3 coins"),
        ("persian-label-with-another-number", "number-and-words", "۴. جمع‌آوری مالیات با ادعای بزرگ‌زاده: ۳ سکه"),
        ("label-of-another-name", "not-read", "Steal from Dariush with the captain"),
        ("label-and-other-below", "two-commands", "Take income: 1 coin\nTake foreign aid: 2 coins"),
        ("not-believed-of-two", "not-read", "I don't"),
        ("polite-question", "not-read", "Could you please tell me what a tax is?"),
        ("past", "not-read", "I had wanted to tax"),
        ("with-a-reason", "not-read", "1 because I say so"),
        ("number-not-offered", "not-read", "8"),
        ("number-giant", "not-read", "9" * 150),
        ("not-possible", "not-read", "coup 2"),
        ("open-which", "not-read", "steal"),
        ("chat-to-nobody", "chat-seat", "chat 9 hello"),
        ("chat-of-nothing", "chat-empty", "chat"),
        ("chat-of-nothing-to-kaveh", "chat-empty", "chat Kaveh"),
        ("chat-lost-letters", "chat-empty", "chat ???? ?? ???"),
        ("chat-without-end", "too-long", "chat " + "ha " * 800),
        ("line-without-end", "too-long", "income " + " ".join(["tax"] * 200)),
        ("lost-letters", "not-read", "?????"),
        ("number-behind-blanks", "number-and-words", "1" + " " * 600 + "steal 2"),
    ):
        yield f"command-{name}", f"refused {reason}", _text(text)
    yield "command-forms-differ", "refused forms-differ", _both("1", "<div>2</div>")
    yield "command-forms-differ-move-and-nothing", "refused forms-differ", _both("1", "<blockquote>1</blockquote>")
    yield (
        "command-forms-differ-chat",
        "refused two-commands",
        _both("chat hi", "<p>chat hi</p><p>2</p>".replace("</p><p>2", " you<br>2")),
    )
    twice = (part("1", "text/plain", "utf-8", "8bit"), part("2", "text/plain", "utf-8", "8bit"))
    yield "command-forms-twice", "refused doubtful", _HEAD + several("alternative", "=_b", twice)
    yield "command-parts-in-turn", "refused two-commands", _HEAD + several("mixed", "=_b", twice)


def letters() -> Iterator[Named]:
    """Letters and digits that only look like the notation's."""
    for name, text in {
        "cyrillic-income": "іncome",
        "cyrillic-tax": "tах",
        "greek-tax": "ταχ",
        "cyrillic-resign": "rеsign",
        "cyrillic-chat": "chаt hello",
        "mathematical-digit": "𝟏",
        "circled-digit": "①",
        "superscript-digit": "¹",
        "roman-digit": "Ⅰ",
        "bengali-digit": "১",
        "letter-l": "l",
        "letter-o-in-income": "inc0me",
        "combining": "ta\u0335x",
        "persian-with-hebrew": "درآמד",
        "tag-characters": "1\U000e0032",
    }.items():
        yield f"letters-{name}", "refused not-read", _text(text)


def directions() -> Iterator[Named]:
    """Lines that are shown in another order than they are stored."""
    yield "turned-right", "refused turned", _text("\u202e1")
    yield "turned-left", "refused turned", _text("\u202dincome\u202c")
    yield "turned-within", "refused turned", _text("steal \u202e2\u202c")
    yield "turned-in-chat", "refused turned", _text("chat hello \u202eyou\u202c")
    yield "turned-below", "refused turned", _text("1\n\u202e2\u202c")
    yield "turned-by-reference", "refused turned", _html("<div>&#8238;1</div>")
    yield "turned-by-name", "refused turned", _html("<div>steal &#x202D;2</div>")


def structures() -> Iterator[Named]:
    """Parts within parts, parts without end, and parts that are not the mail's text."""
    one = part("1", "text/plain", "utf-8", "8bit")
    yield "parts-many", "refused doubtful", _HEAD + several("mixed", "=_b", [one] * 100)
    yield "parts-very-many", "refused doubtful", _HEAD + several("alternative", "=_b", [one] * 200)
    for depth in (10, 100):
        nested = one
        for level in range(depth):
            nested = several("mixed", f"=_{level}", [nested])
        yield f"parts-deep-{depth}", "refused doubtful", _HEAD + nested
    yield "parts-no-boundary", "refused doubtful", _raw(b"1\n", "Content-Type: multipart/mixed\n")
    yield "parts-boundary-absent", "refused doubtful", _raw(b"1\n", 'Content-Type: multipart/mixed; boundary="b"\n')
    yield (
        "parts-boundary-empty",
        "refused doubtful",
        _raw(b"--\n\n1\n----\n", 'Content-Type: multipart/mixed; boundary=""\n'),
    )
    long = "b" * 5000
    yield (
        "parts-boundary-long",
        "refused doubtful",
        _raw(f"--{long}\n\n1\n".encode(), f'Content-Type: multipart/mixed; boundary="{long}"\n'),
    )
    attached = b"Content-Type: text/plain\nContent-Disposition: attachment; filename=move.txt\n\n1\n"
    yield "parts-attachment", "refused empty", _HEAD + several("mixed", "=_b", [b"\n \n", attached])
    yield "parts-attachment-named", "refused not-read", _HEAD + several("mixed", "=_b", [b"\nSee below\n", attached])
    forwarded = b"Content-Type: message/rfc822\n\nFrom: maryam@example.org\n\n1\n"
    yield "parts-forwarded", "refused empty", _HEAD + several("mixed", "=_b", [forwarded])
    yield "parts-encrypted", "refused doubtful", _HEAD + several("encrypted", "=_b", [one, one])
    yield "parts-pkcs7", "refused doubtful", _raw(b"MQ==\n", "Content-Type: application/pkcs7-mime\n")
    yield "parts-image", "refused empty", _raw(b"1\n", "Content-Type: image/png\n")
    yield (
        "parts-two-types-within",
        "refused doubtful",
        _HEAD + several("mixed", "=_b", [b"Content-Type: text/plain\nContent-Type: text/html\n\n1\n"]),
    )
    yield (
        "parts-unknown-encoding",
        "refused doubtful",
        _raw(b"begin 644 1\n1z\nend\n", "Content-Type: text/plain\nContent-Transfer-Encoding: x-uuencode\n"),
    )


def charsets() -> Iterator[Named]:
    """Charsets that are none of a mail's, and bytes that are none of their charset's."""
    for name, charset, body in (
        ("utf-7", "utf-7", b"+ADE-"),
        ("utf-16", "utf-16", b"1\n"),
        ("rot13", "rot13", b"gnk"),
        ("escapes", "unicode_escape", b"\\u0031"),
        ("raw-escapes", "raw_unicode_escape", b"\\u0031"),
        ("punycode", "punycode", b"1-"),
        ("codec-base64", "base64", b"MQ=="),
        ("codec-hex", "hex", b"31"),
        ("ebcdic", "cp037", b"\xf1"),
        ("ebcdic-german", "cp273", b"\xf1"),
        ("hz", "hz", b"~{#1~}"),
        ("undefined", "undefined", b"\xff1"),
        ("long-name", "x" * 500, b"\xff1"),
        ("false-utf-8", "utf-8", b"1\xff"),
        ("false-ascii", "us-ascii", b"1\xb2"),
        ("false-sjis", "shift_jis", b"\x811"),
        ("false-gbk", "gbk", b"\x811"),
        ("shifted", "iso-2022-jp", b'\x1b$B#1$"\x1b(B'),
        ("nul-between", "utf-8", b"1\x002"),
        ("nul-in-a-word", "utf-8", b"inc\x00ome"),
        ("nul-behind", "utf-8", b"1\x00"),
        ("backspace", "utf-8", b"2\x081"),
        ("escape-sequence", "utf-8", b"\x1b[8m2\x1b[0m1"),
        ("form-feed", "utf-8", b"1\x0c2"),
        ("half-a-letter", "utf-8", b"1\xd8"),
        ("overlong", "utf-8", b"\xc0\xb1"),
    ):
        yield (
            f"charset-{name}",
            "refused not-read",
            _raw(body + b"\n", f"Content-Type: text/plain; charset={charset}\n"),
        )
    encoded = base64.b64encode("1".encode("utf-16")).decode()
    coded = f"Content-Transfer-Encoding: base64\nContent-Type: text/plain; charset=utf-7\n\n{encoded}\n".encode()
    yield "charset-utf-16-called-utf-7", "refused not-read", _HEAD + coded


def markup() -> Iterator[Named]:
    """HTML that shows something else than it says."""
    for name, text in {
        "hidden": '<div style="display:none">1</div>',
        "hidden-otherwise": "<p style='VISIBILITY : hidden'>1</p>",
        "hidden-small": '<span style="font-size:0px">1</span>',
        "script": "<script>1</script>",
        "comment": "<!-- 1 -->",
        "comment-without-end": "<!-- 1 ",
        "style-without-end": "<style>1",
        "title": "<html><head><title>1</title></head><body></body></html>",
        "picture": '<img alt="1" src="cid:1">',
        "quotation": "<blockquote><blockquote>1</blockquote>1</blockquote>",
        "quotation-without-end": "<blockquote><div>1</div>",
        "signature": '<div class="gmail_signature">1</div>',
        "below-the-divider": '<div id="divRplyFwdMsg"></div><div>1</div>',
        "attribute": '<div title="1"></div>',
        "form-text": "<textarea>1</textarea>",
        "form-text-in-a-form": '<form action="https://play.example/"><textarea name="answer">income</textarea></form>',
        "form-text-without-end": "<textarea>1",
        "form-text-that-seems-closed": "<textarea/>1</textarea>",
        "form-text-with-tags": "<textarea><div>1</div></textarea>",
        "form-button": "<button>1</button>",
        "form-button-with-a-name": '<form><button type="submit" name="answer" value="1">income</button></form>',
        "form-choice": "<select><option>1</option></select>",
        "form-choice-alone": "<option selected>1</option>",
        "form-suggestion": "<datalist><option>1</option></datalist>",
        "form-label": "<label>1</label>",
        "form-legend": "<fieldset><legend>1</legend></fieldset>",
        "form-value": '<input type="hidden" name="answer" value="1">',
        "form-output": "<output>1</output>",
        "frame": "<iframe>1</iframe>",
        "film": "<video>1</video>",
        "drawing": "<canvas>1</canvas>",
        "hidden-by-attribute": "<div hidden>1</div>",
        "hidden-by-attribute-with-a-value": '<div class="a" hidden="">1</div>',
        "hidden-until-opened": "<details><summary>1</summary>1</details>",
        "hidden-clear": '<div style="opacity:0">1</div>',
        "hidden-flat": '<div style="max-height:0;overflow:hidden">1</div>',
        "hidden-without-colour": '<div style="color:transparent">1</div>',
        "hidden-far-away": '<div style="position:absolute;left:-9999px">1</div>',
    }.items():
        yield f"markup-{name}", "refused empty", _html(text)
    for name, text in {
        "giant-reference": f"<div>1&#{'9' * 6000};</div>",
        "struck-through-digits": "<div>1<s>2</s></div>".replace("<s>", "&#0;").replace("</s>", ""),
        "unfinished-tags": "<div <div <a href='1",
        "struck-out": "<div><s>1</s></div>",
        "struck-out-deleted": "<div><del>income</del></div>",
        "struck-out-old": "<div><strike>income</strike></div>",
        "struck-out-by-style": '<div><span style="text-decoration: line-through">income</span></div>',
        "struck-out-and-another": "<div><s>1</s> 2</div>",
        "only-brackets": "<" * 100,
        "word-cut-by-a-reference": "<div>inc&#8;ome</div>",
    }.items():
        yield f"markup-{name}", "refused not-read", _html(text)
    yield "markup-deep", "refused doubtful", _html("<div>" * 1500 + "1")
    yield "markup-deep-quotation", "refused doubtful", _html("<blockquote>" * 1500 + "1")
