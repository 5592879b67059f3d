"""Replies as the many programs called Outlook write them: no mark on any line of the quotation, a header above it."""

from typing import Final

from tests.games.mail.letters import HEADERS, OUTLOOK_PHONES, US, Answer, breaks, html_lines, mail, part, several
from tests.games.mail.shapes import direction, encoded_for

_OFFICE: Final = (
    '<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" '
    'xmlns:w="urn:schemas-microsoft-com:office:word" xmlns="http://www.w3.org/TR/REC-html40"><head>'
    '<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=CHARSET"><meta name=Generator '
    'content="Microsoft Word 15 (filtered medium)">'
    "<!--[if !mso]><style>v\\:* {behavior:url(#default#VML);}</style><![endif]--><style><!--\n"
    "p.MsoNormal, li.MsoNormal, div.MsoNormal {margin:0in; font-size:11.0pt; font-family:Calibri,sans-serif;}\n"
    "--></style></head>"
)


def header_block(answer: Answer, form: str = "{name}: {value}") -> list[str]:
    """The header of the mail that is quoted, as Outlook shows it."""
    *names, date = HEADERS[answer.language]
    values = (f"Darbar <{US}>", date, "Maryam Rahimi <maryam@example.org>", answer.sent.subject)
    return [form.format(name=name, value=value) for name, value in zip(names, values, strict=True)]


def outlook(answer: Answer) -> bytes:
    """Outlook on a desktop, with both parts."""
    signature = f"\n\n{answer.signature}" if answer.signature else ""
    text = "\n".join([answer.text + signature, "", *header_block(answer), "", answer.sent.text, ""])
    return mail(
        answer,
        several(
            "alternative",
            f"----=_NextPart_000_0019_01DC{answer.number:06d}.4A2B",
            (
                part(text, "text/plain", answer.charset, "quoted-printable"),
                part(office(answer), "text/html", answer.charset, "quoted-printable"),
            ),
        ),
        "outlook",
    )


def office(answer: Answer) -> str:
    """Return a reply in the HTML of Word."""
    lines = [*answer.text.split("\n"), *(["", *answer.signature.split("\n")] if answer.signature else [])]
    paragraphs = "".join(f"<p class=MsoNormal>{line or '&nbsp;'}<o:p></o:p></p>" for line in lines)
    header = "<br>".join(header_block(answer, "<b>{name}:</b> {value}")).replace(f"<{US}>", f"&lt;{US}&gt;")
    header = header.replace("<maryam@example.org>", "&lt;maryam@example.org&gt;")
    return (
        f"{_OFFICE.replace('CHARSET', answer.charset)}<body lang=EN-US link=blue vlink=purple>"
        f"<div class=WordSection1>{paragraphs}<p class=MsoNormal><o:p>&nbsp;</o:p></p>"
        "<div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in'>"
        f"<p class=MsoNormal>{header}<o:p></o:p></p></div>"
        f"<p class=MsoNormal><o:p>&nbsp;</o:p></p>{answer.sent.html}</div></body></html>\n"
    )


def outlook_html(answer: Answer) -> bytes:
    """Outlook behind a gateway that leaves only the HTML."""
    return mail(answer, part(office(answer), "text/html", answer.charset, "quoted-printable"), "outlook")


def outlook_text(answer: Answer) -> bytes:
    """Outlook writing plain text, under its old divider."""
    divider = {"de": "Ursprüngliche Nachricht", "fa": "پیام اصلی", "fr": "Message d'origine"}
    above = f"-----{divider.get(answer.language, 'Original Message')}-----"
    text = "\n".join([answer.text, "", above, *header_block(answer), "", answer.sent.text, ""])
    return mail(
        answer,
        part(text, "text/plain", answer.charset, encoded_for(answer, "7bit" if text.isascii() else "8bit")),
        "outlook",
    )


_RULE: Final = "________________________________"


def outlook_web(answer: Answer) -> bytes:
    """Outlook in a browser."""
    signature = f"\n\n{answer.signature}" if answer.signature else ""
    text = "\n".join([answer.text + signature, _RULE, *header_block(answer), "", answer.sent.text, ""])
    style = (
        'class="elementToProof" style="font-family: Aptos, Calibri, sans-serif; font-size: 12pt; color: rgb(0, 0, 0);"'
    )
    body = html_lines(answer.text).replace("<div>", f"<div {style}>")
    if answer.signature:
        body += f'<div id="Signature"><p>{breaks(answer.signature)}</p></div>'
    return _outlook(answer, text, f'{body}<div id="appendonsend"></div>{_divided(answer)}')


def _divided(answer: Answer) -> str:
    header = "<br>".join(header_block(answer, "<b>{name}:</b> {value}"))
    header = header.replace(f"<{US}>", f"&lt;{US}&gt;").replace("<maryam@example.org>", "&lt;maryam@example.org&gt;")
    return (
        '<hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr">'
        f'<font face="Calibri, sans-serif" style="font-size:11pt" color="#000000">{header}</font>'
        "<div>&nbsp;</div></div>"
        f"<div>{answer.sent.html}</div>"
    )


def _outlook(answer: Answer, text: str, html: str) -> bytes:
    page = (
        f'<html>\n<head>\n<meta http-equiv="Content-Type" content="text/html; charset={answer.charset}">\n'
        '<style type="text/css" style="display:none;"> P {margin-top:0;margin-bottom:0;} </style>\n</head>\n'
        f'<body dir="{direction(answer)}">\n{html}\n</body>\n</html>\n'
    )
    parts = (
        part(text, "text/plain", answer.charset, encoded_for(answer)),
        part(page, "text/html", answer.charset, encoded_for(answer)),
    )
    return mail(answer, several("alternative", f"_000_AM0PR0{answer.number:06d}_", parts), "outlook_web")


def outlook_mobile(answer: Answer) -> bytes:
    """Outlook on a telephone."""
    phone = OUTLOOK_PHONES[answer.language]
    text = "\n".join([answer.text, "", phone, _RULE, *header_block(answer), "", answer.sent.text, ""])
    label = phone.partition("<")[0]
    body = (
        html_lines(answer.text).replace("<div>", '<div dir="auto" style="font-family: Aptos;">')
        + '<div id="ms-outlook-mobile-body-separator-line" dir="auto"><br></div>'
        + f'<div id="ms-outlook-mobile-signature" dir="auto">{label} <a href="https://aka.ms/o0ukef">link</a></div>'
        + '<div id="mail-editor-reference-message-container">'
        + f'<div class="ms-outlook-mobile-reference-message skipProofing">{_divided(answer)}</div></div>'
    )
    return _outlook(answer, text, body)
