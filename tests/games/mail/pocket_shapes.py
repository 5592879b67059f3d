"""Replies as telephones and the big web mailers write them."""

from tests.games.mail.letters import PHONES, US, Answer, breaks, html_lines, mail, part, placed, quoted, several
from tests.games.mail.outlook_shapes import header_block
from tests.games.mail.shapes import direction, encoded_for, folded, gmail_quote, introduced, linked


def gmail_android(answer: Answer) -> bytes:
    """Gmail on Android: an automatic paragraph of its own, the signature between it and the quotation."""
    text = placed(answer, folded(introduced("gmail", answer.language)) + "\n", quoted(answer.sent.text))
    body = (
        f'<p dir="{direction(answer)}">{breaks(answer.text)}</p>\n'
        if "\n\n" not in answer.text
        else html_lines(answer.text, "p")
    )
    if answer.signature:
        body += f'<p dir="ltr">-- <br>\n{breaks(answer.signature)}</p>\n'
    parts = (
        part(text, "text/plain", "UTF-8", encoded_for(answer)),
        part(body + gmail_quote(answer).removeprefix("<br>"), "text/html", "UTF-8", encoded_for(answer)),
    )
    return mail(answer, several("alternative", f"00000000000{answer.number:06d}bd5f06", parts), "gmail_phone")


def gmail_ios(answer: Answer) -> bytes:
    """Gmail on an iPhone: the attribution as an element of its own."""
    text = placed(answer, folded(introduced("gmail", answer.language)) + "\n", quoted(answer.sent.text))
    body = html_lines(answer.text).replace("<div>", '<div dir="auto">')
    if answer.signature:
        body += f'<div dir="auto">-- <br></div><div class="gmail_signature">{breaks(answer.signature)}</div>'
    html = f"<div><br></div>{body}".removeprefix("<div><br></div>") + f"<div>{gmail_quote(answer)}</div>"
    parts = (part(text, "text/plain", "UTF-8", "base64"), part(html, "text/html", "UTF-8", "base64"))
    return mail(answer, several("alternative", f"0000000000{answer.number:06d}a1c9e9", parts), "gmail_phone")


def apple_ios(answer: Answer) -> bytes:
    """Apple Mail on an iPhone."""
    phone = PHONES[answer.language]
    text = (
        f"{answer.text}\n\n{phone}\n\n" + quoted(f"{introduced('apple', answer.language)}\n\n{answer.sent.text}") + "\n"
    )
    html = (
        '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body dir="auto">'
        f'{breaks(answer.text)}<br id="lineBreakAtBeginningOfSignature"><div dir="ltr">{phone}</div>'
        f'<div dir="ltr"><br><blockquote type="cite">{linked("apple", answer.language)}<br><br></blockquote></div>'
        f'<blockquote type="cite"><div dir="ltr">\n{answer.sent.html}</div></blockquote></body></html>'
    )
    parts = (
        part(text, "text/plain", "utf-8", "base64", quotes=""),
        part(html, "text/html", "utf-8", "base64", quotes=""),
    )
    return mail(answer, several("alternative", f"Apple-Mail-{answer.number:06d}-5A1D", parts), "ios")


def k9(answer: Answer) -> bytes:
    """K-9 writing plain text."""
    text = placed(answer, introduced("k9", answer.language), quoted(answer.sent.text, ">"))
    return mail(answer, part(text, "text/plain", "utf-8", "quoted-printable", quotes=""), "k9")


def k9_html(answer: Answer) -> bytes:
    """K-9 writing HTML."""
    text = placed(answer, introduced("k9", answer.language), quoted(answer.sent.text, ">"))
    body = f"{breaks(answer.text)}" + (
        f'<br><br><div class="k9mail-signature">-- <br>{breaks(answer.signature)}</div>' if answer.signature else ""
    )
    html = (
        f'<!DOCTYPE html><html><body>{body}<br><br><div class="gmail_quote">{linked("k9", answer.language)}'
        '<blockquote class="gmail_quote" style="margin: 0pt 0pt 0pt 0.8ex; border-left: 1px solid rgb(204,204,204);">\n'
        f"{answer.sent.html}</blockquote></div></body></html>"
    )
    parts = (
        part(text, "text/plain", "utf-8", "quoted-printable", quotes=""),
        part(html, "text/html", "utf-8", "quoted-printable", quotes=""),
    )
    return mail(answer, several("alternative", f"----K9{answer.number:06d}QZ", parts), "k9")


def yahoo(answer: Answer) -> bytes:
    """Yahoo in a browser: its plain text marks no quotation."""
    signature = f"\n\n{answer.signature}" if answer.signature else ""
    quotation = f"    {introduced('yahoo', answer.language)}  \n \n {quoted(answer.sent.text, ' ')}\n  "
    text = f" {answer.text}{signature}\n\n{quotation}"
    body = "".join(f'<div dir="ltr" data-setdir="false">{line or "<br>"}</div>' for line in answer.text.split("\n"))
    if answer.signature:
        body += f'<div><br></div><div class="ydp1a2b3c4dsignature">{breaks(answer.signature)}</div>'
    html = (
        '<html><head></head><body><div class="ydp1a2b3c4dyahoo-style-wrap" style="font-family:Helvetica;'
        f'font-size:13px;">{body}<div><br></div></div><div id="yahoo_quoted_{answer.number:010d}" class="yahoo_quoted">'
        '<div style="font-family:Helvetica;font-size:13px;color:#26282a;">\n'
        f"<div>{linked('yahoo', answer.language)}</div><div><br></div><div><br></div>\n"
        f'<div><div id="yiv1234567890">{answer.sent.html}</div></div></div></div></body></html>'
    )
    parts = (
        part(
            text,
            "text/plain",
            "UTF-8",
            encoded_for(answer, "7bit" if text.isascii() else "quoted-printable"),
            quotes="",
        ),
        part(html, "text/html", "UTF-8", encoded_for(answer, "quoted-printable"), quotes=""),
    )
    return mail(answer, several("alternative", f"----=_Part_{answer.number:06d}_1774267500000", parts), "yahoo")


def yahoo_android(answer: Answer) -> bytes:
    """Yahoo on Android: one part, HTML."""
    html = (
        f'{breaks(answer.text)}<br><br><div id="ymail_android_signature"><a id="ymail_android_signature_link" '
        'href="https://mail.onelink.me/107872968">Yahoo Mail: Search, Organize, Conquer</a></div> <br> '
        '<blockquote style="margin: 0 0 20px 0;"> <div style="font-family:Roboto, sans-serif; color:#6D00F6;"> '
        f"<div>{linked('yahoo', answer.language)}</div> </div> <div style='padding: 10px 0 0 20px;'>"
        f"{answer.sent.html}</div> </blockquote>"
    )
    return mail(answer, part(html, "text/html", "UTF-8", encoded_for(answer, "quoted-printable")), "yahoo")


def samsung(answer: Answer) -> bytes:
    """Samsung's mail program: HTML under an old divider."""
    header = "<br>".join(header_block(answer)).replace(f"<{US}>", f"&lt;{US}&gt;")
    html = (
        '<html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8"></head><body dir="auto">'
        f'<div dir="auto">{breaks(answer.text)}</div><div dir="auto"><br></div>'
        '<div id="composer_signature" dir="auto"><div style="font-size:12px">Sent from my Galaxy</div></div>'
        '<div dir="auto"><br></div><div><br></div><div align="left" dir="auto" style="font-size:100%;color:#000000">'
        f"<div>-------- Original message --------</div><div>{header}</div><div><br></div></div>"
        f"{answer.sent.html}</body></html>"
    )
    return mail(answer, part(html, "text/html", "utf-8", "base64"), "ios", without="Content-Transfer-Encoding: 7bit\n")


def proton(answer: Answer) -> bytes:
    """Proton in a browser: one part, HTML, its own advertisement as signature."""
    html = (
        f'<div style="font-family: Arial, sans-serif; font-size: 14px;">{breaks(answer.text)}</div>'
        '<div class="protonmail_signature_block"><div class="protonmail_signature_block-proton">'
        'Sent with <a href="https://proton.me/mail/home">Proton Mail</a> secure email.</div></div>'
        f'<div class="protonmail_quote">{linked("gmail", answer.language)}<br><br>'
        f'<blockquote class="protonmail_quote" type="cite">{answer.sent.html}</blockquote><br></div>'
    )
    return mail(
        answer,
        part(html, "text/html", "utf-8", "base64", quotes=""),
        "yahoo",
        without="X-Mailer: WebService/1.1.25198 YMailNovation\n",
    )
