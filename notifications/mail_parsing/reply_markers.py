"""Words that mail programs write into replies, in the languages of their users."""

import re
from typing import Final

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
