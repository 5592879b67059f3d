"""Replies as Gmail in a browser and the mail programs of a desktop write them: their headers, parts and quotations."""

from typing import Final

from tests.games.mail.letters import (
    INTRODUCTIONS,
    US,
    Answer,
    Encoding,
    breaks,
    html_lines,
    mail,
    part,
    placed,
    quoted,
    several,
)

_RIGHT_TO_LEFT: Final = ("fa", "ar", "he")


def introduced(program: str, language: str) -> str:
    """The line above a quotation."""
    return INTRODUCTIONS[program][language].format(a=US)


def linked(program: str, language: str) -> str:
    """Return the introduction in HTML, with the address as a link."""
    link = f'&lt;<a href="mailto:{US}">{US}</a>&gt;'
    return INTRODUCTIONS[program][language].replace("<{a}>", link).replace("<\u202a{a}\u202c\u200f>", link)


def direction(answer: Answer) -> str:
    """The direction in which the answer runs."""
    return "rtl" if any("\u0590" <= letter <= "\u08ff" for letter in answer.text) else "ltr"


def folded(line: str) -> str:
    """A long line broken as Gmail breaks it in its plain text."""
    if len(line) <= 76:
        return line
    at = line.find("<") + 1 if 0 < line.find("<") < 76 else line.rfind(" ", 0, 76) + 1
    return f"{line[:at].rstrip(' ')}\n{line[at:]}"


def encoded_for(answer: Answer, otherwise: Encoding = "quoted-printable") -> Encoding:
    """Return the encoding that Gmail and others use: base64 for text that is mostly not ASCII."""
    letters = answer.text + answer.sent.name
    return "base64" if not letters.isascii() or answer.language in _RIGHT_TO_LEFT else otherwise


def gmail(answer: Answer) -> bytes:
    """Gmail in a browser."""
    return mail(answer, _gmail_body(answer), "gmail_web")


def gmail_with_pictures(answer: Answer) -> bytes:
    """Return an email of Gmail with a picture in the text, an attached picture, and the footer of a list of
    scanners.
    """
    picture = b"Content-Type: image/png; name=NAME.png\nContent-Transfer-Encoding: base64\nHOW\n\niVBORw0KGgo=\n"
    inside = picture.replace(b"HOW", b"Content-ID: <ii_1>\nX-Attachment-Id: ii_1").replace(b"NAME", b"image")
    attached = picture.replace(b"HOW", b'Content-Disposition: attachment; filename="1.png"').replace(b"NAME", b"1")
    related = several("related", f"r{answer.number:06d}", (_gmail_body(answer), inside))
    footer = part("-- \nScanned by an example of a scanner.", "text/plain", "us-ascii", "7bit")
    return mail(answer, several("mixed", f"m{answer.number:06d}", (related, attached, footer)), "gmail_web")


def _gmail_body(answer: Answer) -> bytes:
    above = introduced("gmail", answer.language)
    text = placed(answer, f"{folded(above)}\n", quoted(answer.sent.text))
    body = f'<div dir="{direction(answer)}">{html_lines(answer.text) if chr(10) in answer.text else answer.text}</div>'
    if answer.signature:
        signature = (
            '<div><br clear="all"></div><br><span class="gmail_signature_prefix">-- </span><br>'
            f'<div dir="ltr" class="gmail_signature" data-smartmail="gmail_signature"><div dir="ltr">'
            f"{breaks(answer.signature)}</div></div>"
        )
        body = body.removesuffix("</div>") + signature + "</div>"
    html = _around(answer, body, gmail_quote(answer))
    parts = (
        part(text, "text/plain", answer.charset.upper(), encoded_for(answer)),
        part(html, "text/html", answer.charset.upper(), encoded_for(answer)),
    )
    return several("alternative", f"000000000000{answer.number:06d}064b1e", parts)


def gmail_quote(answer: Answer) -> str:
    """Gmail's quotation."""
    above = linked("gmail", answer.language)
    return (
        '<br><div class="gmail_quote gmail_quote_container">'
        f'<div dir="{direction(answer)}" class="gmail_attr">{above}<br></div>'
        '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);'
        f'padding-left:1ex"><u></u>\n{answer.sent.html}\n</blockquote></div>\n'
    )


def _around(answer: Answer, body: str, quotation: str) -> str:
    """The writer's HTML above, below or within a quotation whose last element is a blockquote."""
    match answer.position:
        case "top":
            return body + quotation
        case "bottom":
            return f"{quotation}<div><br></div>{body}"
        case "inline":
            head, foot = quotation.split('<div class="footnote"', 1)
            divided = f'</blockquote><div><br></div>{body}<div><br></div><blockquote class="gmail_quote">'
            return f'{head}{divided}<div class="footnote"{foot}'


def thunderbird(answer: Answer) -> bytes:
    """Thunderbird writing plain text, format=flowed."""
    text = placed(
        answer, introduced("thunderbird", answer.language), quoted(answer.sent.text, ">  ").replace(">  ", "> ")
    )
    lines = (f" {line}" if line.startswith((" ", "From ")) else line for line in text.split("\n"))
    encoding: Encoding = "8bit" if not text.isascii() else "7bit"
    return mail(
        answer, part("\n".join(lines), "text/plain", answer.charset, encoding, "; format=flowed", ""), "thunderbird"
    )


def thunderbird_html(answer: Answer) -> bytes:
    """Thunderbird writing HTML, with both parts."""
    above = introduced("thunderbird", answer.language)
    text = placed(answer, above, quoted(answer.sent.text))
    body = html_lines(answer.text, "p")
    if answer.signature:
        body += f'<pre class="moz-signature" cols="72">-- \n{answer.signature}</pre>'
    quotation = (
        f'<div class="moz-cite-prefix">{above}<br></div>\n'
        '<blockquote type="cite" cite="mid:0f0e0d0c-0b0a-4009-8807-060504030201@play.darbar.example">\n'
        f'<meta http-equiv="content-type" content="text/html; charset=UTF-8">\n{answer.sent.html}\n</blockquote>\n'
    )
    head = "<!DOCTYPE html>\n<html>\n  <head>\n    <title></title>\n  </head>\n  <body>\n"
    page = f"{head}{_around(answer, body, quotation)}\n</body></html>\n"
    parts = (
        part(text, "text/plain", "UTF-8", "8bit", "; format=flowed", ""),
        part(page, "text/html", "UTF-8", "8bit", quotes=""),
    )
    return mail(answer, several("alternative", f"------------0Zxq{answer.number:06d}kW7", parts), "thunderbird")


def mutt(answer: Answer) -> bytes:
    """Return an email of Mutt: plain text in a charset that fits."""
    text = placed(answer, introduced("mutt", answer.language), quoted(answer.sent.text))
    charset = "us-ascii" if text.isascii() else answer.charset
    return mail(answer, part(text, "text/plain", charset, "7bit" if text.isascii() else "8bit", quotes=""), "mutt")


def mutt_signed(answer: Answer) -> bytes:
    """Mutt with a PGP signature of its own part."""
    text = placed(answer, introduced("mutt", answer.language), quoted(answer.sent.text))
    signature = (
        b"Content-Type: application/pgp-signature; name=signature.asc\n\n-----BEGIN PGP SIGNATURE-----\n\n"
        b"iQIzBAEBCAAdFiEE\n-----END PGP SIGNATURE-----\n"
    )
    parts = (part(text, "text/plain", "utf-8", "quoted-printable", quotes=""), signature)
    more = '; micalg=pgp-sha512; protocol="application/pgp-signature"'
    return mail(
        answer,
        several("signed", f"mutt{answer.number:06d}sig", parts, more),
        "mutt",
        without="Content-Disposition: inline\n",
    )


def mutt_armoured(answer: Answer) -> bytes:
    """An old habit: the signed text in the body itself."""
    text = placed(answer, introduced("mutt", answer.language), quoted(answer.sent.text)).replace("\n-", "\n- -")
    signature = "-----BEGIN PGP SIGNATURE-----\n\niQIz\n-----END PGP SIGNATURE-----\n"
    armoured = f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n{text}\n{signature}"
    return mail(answer, part(armoured, "text/plain", "utf-8", "8bit", quotes=""), "mutt")


def apple(answer: Answer) -> bytes:
    """Apple Mail on a Mac."""
    above = introduced("apple", answer.language)
    text = placed(answer, "", quoted(f"{above}\n\n{answer.sent.text}")).replace("\n\n\n>", "\n\n>")
    quotation = (
        f'<div><br><blockquote type="cite"><div>{linked("apple", answer.language)}</div>'
        f'<br class="Apple-interchange-newline"><div>{answer.sent.html}</div></blockquote></div>'
    )
    body = breaks(answer.text)
    if answer.signature:
        body += (
            f'<br id="lineBreakAtBeginningOfSignature"><div>\n<div>--&nbsp;<br>{breaks(answer.signature)}</div>\n</div>'
        )
    html = (
        '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head>'
        '<body style="overflow-wrap: break-word; -webkit-nbsp-mode: space; line-break: after-white-space;">'
        f"{_around(answer, body, quotation)}</body></html>"
    )
    parts = (
        part(text, "text/plain", answer.charset, "quoted-printable", quotes=""),
        part(html, "text/html", answer.charset, "quoted-printable", quotes=""),
    )
    return mail(answer, several("alternative", f"Apple-Mail=_{answer.number:06d}-91CC", parts), "apple")
