"""Finding the sender's own lines of a body: the lines without quotations and signatures.

The steps are applied in the order of their certainty: the marks in the email itself, this server's marker line,
mail-parser-reply, and then further habits of mail programs, in the languages of their users. A step only removes lines.
``Torn`` is raised if the rest begins with a possible piece of the quotation.

There are two kinds of lines above a quotation. After a sentence that ends in a colon (“On ... wrote:”) the quotation
may be marked or not. After a block of header lines (“From: ... Sent: ...”) or a divider it is never marked.
"""

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from mailparser_reply import EmailMessage
from mailparser_reply.constants import MAIL_LANGUAGES

from notifications.content import MARKER_BEGINS
from notifications.mail_parsing.lines import Line, visible_text

_LANGUAGES: Final = sorted(MAIL_LANGUAGES)
_HANDED_LINES: Final = 60
_HANDED_WIDTH: Final = 300
_SIGNATURE: Final = re.compile("[-–—]{2}")
_RULE: Final = re.compile(r"[-_=*~—–]{4,}")


class Torn(Exception):
    """The remaining text begins with what may be a wrapped piece of a quotation."""


def own_lines(lines: Sequence[Line]) -> tuple[str, ...]:
    """Return the sender's own lines, with empty lines for gaps. Nothing if all lines are quoted."""
    texts = [visible_text(line.text) for line in lines]
    is_own = [not line.quoted for line in lines]
    _unmark(is_own, _own_end(lines, texts, is_own))
    _unmark(is_own, _parsed_end(texts, is_own), quoted_after(is_own))
    unmark_attributions(texts, is_own)
    _unmark_signatures(texts, is_own)
    kept_lines = [index for index, text in enumerate(texts) if is_own[index] and text]
    if kept_lines and lines[kept_lines[0]].torn:
        raise Torn
    return tuple(_with_gaps(lines, kept_lines))


def _unmark(is_own: list[bool], start: int, end: int | None = None) -> None:
    for index in range(start, len(is_own) if end is None else end):
        is_own[index] = False


def _own_end(lines: Sequence[Line], texts: list[str], is_own: list[bool]) -> int:
    """Return the line at which the email or the unquoted marker line ends the sender's text."""
    for index, line in enumerate(lines):
        if line.ends or (is_own[index] and MARKER_BEGINS in texts[index]):
            return index
    return len(lines)


def _parsed_end(texts: list[str], is_own: list[bool]) -> int:
    """Return the line at which mail-parser-reply sees the end of the first reply, in the unquoted beginning of a text.

    Only this position is used. If a text begins with the header of a quotation, the library returns the quotation as
    the reply. It takes lines that begin with ``- `` for signatures, and it changes the text.
    """
    end = quoted_after(is_own)
    beginning = texts[: min(end, _HANDED_LINES)]
    limit = next((index for index, text in enumerate(beginning) if len(text) > _HANDED_WIDTH), len(beginning))
    first = EmailMessage(text="\n".join(beginning[:limit]), languages=list(_LANGUAGES)).read().replies[0]
    if first.headers:
        return next((index for index, text in enumerate(texts) if text), end)
    reply_lines = first.content.split("\n")
    start = next((index for index, text in enumerate(beginning) if text), 0)
    if beginning[start : start + len(reply_lines)] != reply_lines or start + len(reply_lines) >= limit:
        return end
    return start + len(reply_lines)


def _unmark_signatures(texts: list[str], is_own: list[bool]) -> None:
    """Set ``is_own`` to False for signatures and drawn lines. A signature ends where a quotation begins."""
    in_signature = False
    for index, text in enumerate(texts):
        in_signature = is_own[index] and (in_signature or _SIGNATURE.fullmatch(text) is not None)
        if (in_signature and not CORRECTS.search(text)) or _is_added(text) or _RULE.fullmatch(text):
            is_own[index] = False


def _is_added(text: str) -> bool:
    """Return whether a phone or a program has added a line, and its owner wrote nothing behind it."""
    return PHONE.fullmatch(text) is not None and WRITTEN_BEHIND.search(text) is None


def _with_gaps(lines: Sequence[Line], kept_lines: list[int]) -> list[str]:
    texts: list[str] = []
    for place, index in enumerate(kept_lines):
        if place and index != kept_lines[place - 1] + 1:
            texts.append("")
        texts.append(lines[index].text.strip())
    return texts


_MOST_LINES: Final = 4
"""The most lines into which such a sentence may be wrapped."""

_WHEN: Final = re.compile(r"\d{1,2}[:.h]\d{2}|\b\d{4}\b|\d{1,2}[./-]\d{1,2}|\d年")
_YEAR: Final = re.compile(r"\b\d{4}\b")
_FIELD: Final = re.compile(r"\*?([^\W\d][\w .'’־\u200c-]{0,24}?)\*?\s?[:：]\*?\s*(\S.*)?", re.I)
_DIVIDER: Final = re.compile(r"[-_=—–\s*]{3,40}+(?P<words>\w.{2,60}?)[-_=—–\s*]{3,40}")


def quoted_after(is_own: list[bool]) -> int:
    """Return the index of the first quoted line, or the number of lines."""
    return next((index for index, is_line_own in enumerate(is_own) if not is_line_own), len(is_own))


def unmark_attributions(texts: list[str], is_own: list[bool]) -> None:
    """Set ``is_own`` to False for attributions and for the unmarked quotations below them."""
    end = next((index for index in range(len(texts)) if is_own[index] and _divides(texts, index)), len(texts))
    is_own[end:] = [False] * (len(is_own) - end)
    for index, text in enumerate(texts):
        if (
            is_own[index]
            and text.rstrip("* ").endswith((":", "："))
            and (start := _start(texts, is_own, index)) is not None
        ):
            is_own[start : index + 1] = [False] * (index + 1 - start)
            following = next((position for position in range(index + 1, len(texts)) if texts[position]), len(texts))
            if following < len(texts) and is_own[following]:
                is_own[following:] = [False] * (len(is_own) - following)
                return


def _divides(texts: list[str], index: int) -> bool:
    """Return whether an unmarked quotation begins with this line."""
    divider = _DIVIDER.fullmatch(texts[index])
    if divider and DIVIDING.search(divider["words"]):
        return True
    first = _label(texts[index])
    if first is None:
        return False
    block = [texts[index], *takewhile(lambda text: _label(text) is not None, texts[index + 1 : index + 6])]
    if first in FROM and len(block) > 1 and _label(block[1]) in LABELS:
        return True
    return len(block) > 2 and any("@" in text for text in block) and any(_WHEN.search(text) for text in block)


def _label(text: str) -> str | None:
    """Return the name of the header field that a line looks like, or None."""
    field = _FIELD.fullmatch(text[:300]) if text else None
    return field[1].strip().lower() if field else None


def _start(texts: list[str], is_own: list[bool], end: int) -> int | None:
    """Return the first line of the attribution that ends at this line, or None."""
    for start in range(end, max(-1, end - _MOST_LINES), -1):
        if not is_own[start] or not texts[start]:
            return None
        if _is_attribution(" ".join(texts[start : end + 1]), _is_quoted_below(is_own, texts, end)):
            return _wrapped_start(texts, is_own, start)
    return None


def _is_attribution(text: str, quoted_below: bool) -> bool:
    wrote, when, address = WROTE.search(text), _WHEN.search(text), "@" in text
    signs = sum(map(bool, (wrote, when, address)))
    return len(text) <= 500 and (signs > 1 or (quoted_below and (wrote or _YEAR.search(text)) is not None))


def _is_quoted_below(is_own: list[bool], texts: list[str], index: int) -> bool:
    line_below = next((position for position in range(index + 1, len(texts)) if texts[position]), None)
    return line_below is not None and not is_own[line_below]


def _wrapped_start(texts: list[str], is_own: list[bool], start: int) -> int:
    """Return the first line of a wrapped attribution: lines above belong to it while they look like a part of one."""
    for line_above in range(start - 1, max(-1, start - _MOST_LINES), -1):
        if BEGINS.match(texts[start]) or not (is_own[line_above] and texts[line_above]):
            return start
        if not (
            BEGINS.match(texts[line_above])
            or _WHEN.search(texts[line_above])
            or re.search("@|[<(]$", texts[line_above])
        ):
            return start
        start = line_above
    return start


WROTE: Final = re.compile(
    r"\b(?:wrote|writes|schrieb|schreef|écrit|escribió|escriu|ha scritto|scrisse|escreveu|napisał(?:a|\(a\))?|pisze"
    r"|napsala?|napsal\(a\)|napísal|skrev|skreiv|kirjoitti|írta|scris|пишет|писал|написал|пише|написав|έγραψε|yazdı"
    r"|viết|menulis|napisa[ol]|napisao|piše)\b|लिखा|写道|寫道|のメッセージ|さんは書きました|작성|썼습니다|เขียน"
    r"|نوشت|كتب|كتبت|كتابة ما يلي|כתב|מאת",
    re.I,
)
"""The verb of a sentence that introduces a quotation."""

BEGINS: Final = re.compile(
    r"(?:on|am|le|el|il|em|op|den|dne|dnia|w dniu|в|у|на|pada|vào|στις|la|a|fre|man|tir|ons|tor|lør|søn"
    r"|در|به تاریخ|بتاريخ|في|בתאריך|ב-?\d*)\b",
    re.I,
)
"""The first word of such a sentence."""

_FROM: Final = """
    from, von, de, da, van, od, från, fra, lähettäjä, от, от кого, від, kimden, gönderen, de la, feladó, από,
    expéditeur, از, فرستنده, من, מאת, 差出人, 发件人, 寄件者, 보낸 사람
"""
_OTHERS: Final = """
    sent, date, to, subject, cc, reply-to, gesendet, datum, an, betreff, envoyé, à, pour, objet, enviado, enviada,
    fecha, para, asunto, assunto, data, inviato, oggetto, a, verzonden, aan, onderwerp, wysłano, do, temat, odesláno,
    komu, předmět, kopie, skickat, till, ämne, sendt, til, emne, lähetetty, vastaanottaja, aihe, отправлено, дата, кому,
    тема, копия, надіслано, gönderildi, tarih, kime, alıcı, konu, ارسال شده, ارسال‌شده, فرستاده شده, تاریخ, به, گیرنده,
    موضوع, رونوشت, تم الإرسال, تاريخ الإرسال, تاريخ, التاريخ, إلى, الموضوع, נשלח, תאריך, אל, נושא, 送信日時, 宛先, 件名,
    发送时间, 日期, 收件人, 主题, 보낸 날짜, 받는 사람, 제목
"""


def _names(text: str) -> frozenset[str]:
    return frozenset(" ".join(name.replace("\u200c", "").split()) for name in text.split(","))


FROM: Final = _names(_FROM)
"""Names of the sender's line in the header of a quoted email."""
LABELS: Final = FROM | _names(_OTHERS)
"""Names of any line in that header."""

DIVIDING: Final = re.compile(
    r"original|forwarded|ursprüngliche|weitergeleitet|message d'origine|transféré|reenviado|messaggio|oorspronkelijk"
    r"|doorgestuurd|oryginaln|przekazan|původní|oprindelig|opprinneli|исходн|пересыла|оригинальн|özgün|orijinal|iletilen"
    r"|پیام اصلی|پیام ارسال|پیام بازارسال|الرسالة|رسالة|הודעה|元のメッセージ|原始邮件|原始郵件|转发|원본",
    re.I,
)
"""The words between the dashes of a divider."""

PHONE: Final = re.compile(
    r"(?:sent|gesendet|envoyé|enviad[oa]|inviato|verstuurd|verzonden|wysłan[eoy]|odesláno|skickat|sendt|lähetetty|trimis)"
    r" (?:from|via|with|von|vom|mit|depuis|de|à partir|desde|do|da|dal|vanaf|met|z|från|fra|min[at]?)\b.{0,100}"
    r"|von mein(?:em|er) .{1,60} gesendet"
    r"|(?:отправлено|надіслано) (?:с|из|з|із)\b.{0,100}|.{0,40}(?:umdan|imdan|'?dan|'?den) gönderildi"
    r"|(?:ارسال ?شده|ارسالی|فرستاده ?شده) (?:از|با)\b.{0,100}|(?:أُ?رسلت?|مُ?رسلة?|تم الإرسال) من\b.{0,100}"
    r"|נשלח מ.{0,100}|.{0,30}から送信|(?:从|發自|发自|從)我的.{0,60}|나의 .{0,40}에서 보냄"
    r"|(?:get|download|holen sie sich|téléchargez|obtener|ottieni|obter|baixe o|pobierz|hämta|hent|دریافت)"
    r" outlook\b.{0,100}"
    r"|\S{1,20}(?: את)? outlook \w{1,6} (?:ios|android|iphone|ipad|mac)\b.{0,60}"
    r"|(?:get|download) [\w ]{2,30} for (?:android|ios|iphone|ipad|mac|windows|mobile)\b.{0,60}"
    r"|outlook (?:für|pour|para|per|voor|for) .{0,60}|yahoo mail: .{0,100}",
    re.I,
)
"""A line that a phone or a program adds below an email."""

WRITTEN_BEHIND: Final = re.compile(
    r"[.!?؟;]\s+(?!(?:please |kindly |sorry |do )*"
    r"(?:get|download|try|learn|excuse|forgive|pardon|typos?|brevity|sent|ارسال|دریافت)\b)\w"
    r"|\b(?:edit|edited|correction|actually|wait|ignore|disregard|instead|rather|mean|meant|scratch|strike|undo|cancel"
    r"|revert|retract|never ?mind|forget|changed?|mistake|mistakenly|accident|accidentally|oops|wrong|not|no|don't|if"
    r"|unless|but|however|withdraw|back|prefer|kidding|joking|test|draft|allow|challenge|block)\b"
    r"|منظورم|اشتباه|ویرایش|اصلاح|پشیم|نادیده|صبر|لغو|ولی|اما|اگر|اگه|نه\b|شاید|شوخی|پس می|پس گر",
    re.I,
)
"""Signs of a person's own words in such a line: a further sentence, or a word that may cancel an answer."""

CORRECTS: Final = re.compile(
    r"^(?!.{80})(?!.*(?:recipient|received))\W*"
    r"(?:(?:edit|edited|correction|update|p\.?\s?s\.?)\s*[:：,-]|(?:actually|wait|no|oops|sorry|hold on)\b"
    r"|.*\b(?:i (?:mean|meant|changed|take|take it back)|never ?mind|on second thought|changed my mind"
    r"|(?:ignore|disregard|scratch|strike|cancel|undo|forget|delete|scrap) (?:this|that|it|my|the)"
    r"|wrong (?:game|email|button))\b"
    r"|(?:ویرایش|اصلاح|اصلاحیه|پ\.?\s?ن\.?|پی ?نوشت)\s*[:：،]"
    r"|.*(?:منظورم|پشیم[او]ن|نادیده|اشتباه شد|اشتباهی|نظرم عوض|بی ?خیال|پس می ?گیرم|پس گرفتم))",
    re.I,
)
"""A line of a signature that cancels or changes an answer."""
