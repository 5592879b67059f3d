"""Introductions of quotations by mail programs, in the languages they speak."""

from typing import Final

_NAMED: Final = "\u202aDarbar\u202c\u200f <\u202a{a}\u202c\u200f>"
"""The sender as Gmail sets a name apart in a line that runs from right to left."""

_GMAIL: Final = {
    "en": "On Mon, 23 Mar 2026 at 12:00, Darbar <{a}> wrote:",
    "us": "On Mon, Mar 23, 2026 at 12:00\u202fPM Darbar <{a}> wrote:",
    "de": "Am Mo., 23. März 2026 um 12:00 Uhr schrieb Darbar <{a}>:",
    "fr": "Le lun. 23 mars 2026 à 12:00, Darbar <{a}> a écrit :",
    "es": "El lun, 23 mar 2026 a las 12:00, Darbar (<{a}>) escribió:",
    "it": "Il giorno lun 23 mar 2026 alle ore 12:00 Darbar <{a}> ha scritto:",
    "pt": "Em seg., 23 de mar. de 2026 às 12:00, Darbar <{a}> escreveu:",
    "nl": "Op ma 23 mrt 2026 om 12:00 schreef Darbar <{a}>:",
    "pl": "pon., 23 mar 2026 o 12:00 Darbar <{a}> napisał(a):",
    "ru": "пн, 23 мар. 2026 г. в 12:00, Darbar <{a}>:",
    "tr": "Darbar <{a}>, 23 Mar 2026 Pzt, 12:00 tarihinde şunu yazdı:",
    "sv": "Den mån 23 mars 2026 kl 12:00 skrev Darbar <{a}>:",
    "fa": f"\u202bدر تاریخ دوشنبه ۲۳ مارس ۲۰۲۶،\u200f ۱۲:۰۰ {_NAMED} نوشت:\u202c",
    "ar": f"\u202bفي الاثنين، 23 مارس 2026 في 12:00 م تمت كتابة ما يلي بواسطة {_NAMED}:\u202c",
    "he": f"\u202bבתאריך יום ב׳, 23 במרץ 2026 ב-12:00 מאת {_NAMED}:\u202c",
    "ja": "2026年3月23日(月) 12:00 Darbar <{a}>:",
    "zh": "Darbar <{a}> 于2026年3月23日周一 12:00写道：",
    "ko": "2026년 3월 23일 (월) 오후 12:00, Darbar <{a}>님이 작성:",
}
_APPLE: Final = {
    "en": "On 23 Mar 2026, at 12:00, Darbar <{a}> wrote:",
    "us": "On Mar 23, 2026, at 12:00\u202fPM, Darbar <{a}> wrote:",
    "de": "Am 23.03.2026 um 12:00 schrieb Darbar <{a}>:",
    "fr": "Le 23 mars 2026 à 12:00, Darbar <{a}> a écrit :",
    "es": "El 23 mar 2026, a las 12:00, Darbar <{a}> escribió:",
    "nl": "Op 23 mrt 2026, om 12:00 heeft Darbar <{a}> het volgende geschreven:",
    "ar": "في ٢٣ مارس ٢٠٢٦، الساعة ١٢:٠٠ م، كتب Darbar <{a}>:",
    "he": "ב-23 במרץ 2026, בשעה 12:00,\u200f Darbar <{a}> כתב/ה:",
    "fa": "در ۲۳ مارس ۲۰۲۶، ساعت ۱۲:۰۰، Darbar <{a}> نوشت:",
    "ja": "2026/03/23 12:00、Darbar <{a}>のメール:",
}
_THUNDERBIRD: Final = {
    "en": "On 23/03/2026 12:00, Darbar wrote:",
    "de": "Am 23.03.26 um 12:00 schrieb Darbar:",
    "fr": "Le 23/03/2026 à 12:00, Darbar a écrit\u00a0:",
    "es": "El 23/3/26 a las 12:00, Darbar escribió:",
    "it": "Il 23/03/2026 12:00, Darbar ha scritto:",
    "cs": "Dne 23. 03. 26 v 12:00 Darbar napsal(a):",
    "pl": "W dniu 23.03.2026 o 12:00, Darbar pisze:",
    "ru": "23.03.2026 12:00, Darbar пишет:",
    "fi": "Darbar kirjoitti 23.3.2026 klo 12.00:",
    "fa": "در ۲۳/۳/۲۰۲۶ ۱۲:۰۰، Darbar نوشت:",
    "he": "בתאריך 23/03/2026 12:00, Darbar כתב:",
}
_MUTT: Final = {
    "en": "On Mon, Mar 23, 2026 at 11:00:00AM +0000, Darbar wrote:",
    "de": "Darbar schrieb am Mon, Mar 23, 2026 at 11:00:00AM +0000:",
    "short": "Darbar [2026-03-23 11:00]:",
}
_K9: Final = {
    "en": "On 23 March 2026 12:00:00 CET, Darbar <{a}> wrote:",
    "de": "Am 23. März 2026 12:00:00 MEZ schrieb Darbar <{a}>:",
    "fr": "Le 23 mars 2026 12:00:00 GMT+01:00, Darbar <{a}> a écrit :",
    "fa": "در ۲۳ مارس ۲۰۲۶ ۱۲:۰۰:۰۰ (وقت تهران)، Darbar <{a}> نوشت:",
    "ar": "في 23 مارس 2026 12:00:00 غرينتش+03:00، كتب Darbar <{a}>:",
}
_YAHOO: Final = {
    "en": "On Monday, March 23, 2026 at 12:00:00 PM GMT+1, Darbar <{a}> wrote:",
    "de": "Am Montag, 23. März 2026 um 12:00:00 MEZ hat Darbar <{a}> Folgendes geschrieben:",
    "fr": "Le lundi 23 mars 2026 à 12:00:00 UTC+1, Darbar <{a}> a écrit :",
    "es": "En lunes, 23 de marzo de 2026, 12:00:00 CET, Darbar <{a}> escribió:",
    "ar": "في الاثنين، 23 مارس 2026 في 12:00:00 م غرينتش+3، كتب Darbar <{a}>:",
}
INTRODUCTIONS: Final = {
    "gmail": _GMAIL,
    "apple": _APPLE,
    "thunderbird": _THUNDERBIRD,
    "mutt": _MUTT,
    "k9": _K9,
    "yahoo": _YAHOO,
}
"""Introductions by program and language. ``{a}`` is the address of the quoted email."""

HEADERS: Final = {
    "en": ("From", "Sent", "To", "Subject", "Monday, 23 March 2026 12:00"),
    "de": ("Von", "Gesendet", "An", "Betreff", "Montag, 23. März 2026 12:00"),
    "fr": ("De", "Envoyé", "À", "Objet", "lundi 23 mars 2026 12:00"),
    "es": ("De", "Enviado", "Para", "Asunto", "lunes, 23 de marzo de 2026 12:00"),
    "it": ("Da", "Inviato", "A", "Oggetto", "lunedì 23 marzo 2026 12:00"),
    "nl": ("Van", "Verzonden", "Aan", "Onderwerp", "maandag 23 maart 2026 12:00"),
    "pl": ("Od", "Wysłano", "Do", "Temat", "poniedziałek, 23 marca 2026 12:00"),
    "ru": ("От", "Отправлено", "Кому", "Тема", "понедельник, 23 марта 2026 г. 12:00"),
    "tr": ("Kimden", "Gönderildi", "Kime", "Konu", "23 Mart 2026 Pazartesi 12:00"),
    "fa": ("از", "ارسال شده", "به", "موضوع", "دوشنبه ۲۳ مارس ۲۰۲۶ ۱۲:۰۰"),
    "ar": ("من", "تم الإرسال", "إلى", "الموضوع", "الاثنين، 23 مارس، 2026 12:00"),
    "he": ("מאת", "נשלח", "אל", "נושא", "יום שני 23 מרץ 2026 12:00"),
    "el": ("Από", "Στάλθηκε", "Προς", "Θέμα", "Δευτέρα, 23 Μαρτίου 2026 12:00"),
}
"""Outlook's names of the sender, the time, the recipient and the subject of a quoted email, and the format of
the time.
"""

PHONES: Final = {
    "en": "Sent from my iPhone",
    "us": "Sent from my iPhone",
    "de": "Von meinem iPhone gesendet",
    "fr": "Envoyé de mon iPhone",
    "es": "Enviado desde mi iPhone",
    "nl": "Verstuurd vanaf mijn iPhone",
    "ar": "أرسلت من الـ iPhone",
    "he": "נשלח מה-iPhone שלי",
    "fa": "ارسال شده از iPhone من",
    "ja": "iPhoneから送信",
}
"""The line that an iPhone adds."""
OUTLOOK_PHONES: Final = {
    "en": "Get Outlook for iOS<https://aka.ms/o0ukef>",
    "de": "Outlook für iOS<https://aka.ms/o0ukef> beziehen",
    "fr": "Télécharger Outlook pour Android<https://aka.ms/AAb9ysg>",
    "es": "Obtener Outlook para Android<https://aka.ms/AAb9ysg>",
    "fa": "دریافت Outlook برای Android<https://aka.ms/AAb9ysg>",
    "he": "קבל את Outlook עבור iOS<https://aka.ms/o0ukef>",
}
