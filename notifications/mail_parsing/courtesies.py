"""Text in a line beside its meaning: greetings, thanks, classifications of companies, quotation marks, emoji.

Nothing here decides what a line means. A sign that may reverse its meaning (a question mark, a crossed-out emoji)
stays, so that a parser does not take the rest for the whole.
"""

import re
import unicodedata
from typing import Final

_FULL_WIDTH: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_SAME: Final = (
    {ord(dash): "-" for dash in "‐‑‒–—―−"}
    | {ord(apostrophe): "'" for apostrophe in "’‘‛ʼ`´"}
    | {ord("ı"): "i", ord("ي"): "ی", ord("ى"): "ی", ord("ك"): "ک"}
)
_REFUSING: Final = frozenset("⛔✋✖✗✘❌❎❓❔⁉🚫🙅👎🛑💔🤔🤷🙃😉😜🤥\ufffd")
"""Emoji that may mean the opposite of the words beside them, or a doubt, and the sign of undecodable bytes."""
_JOINING: Final = re.compile("[\ufe0e\ufe0f\u20e3\U0001f3fb-\U0001f3ff]")
_DOT_ABOVE: Final = re.compile("(?<=[iI])\u0307")
_SMILEY: Final = re.compile(r"(?:^|\s)(?::-?[)D(]|\^\^|<3)+(?=\s|$)")
_QUOTED: Final = re.compile(r"(?<!\w)['\"“”„‟«»‹›*_]+|['\"“”„‟«»‹›*_]+(?!\w)")
_EXCLAIMED: Final = re.compile(r"!+(?=\s|$)")

_GREETINGS: Final = (
    "hi|hello|hey|hiya|dear|greetings|morning|hallo|guten morgen|guten tag|bonjour|hola|merhaba"
    "|good morning|good afternoon"
    "|evening|afternoon|good evening|good day|darbar|dear darbar|team|server"
    "|there|all|everyone|everybody|friends|folks|guys|sir|madam|bot"
    "|سلام علیکم|سلام|درود بر شما|درود|با سلام و احترام|با سلام|با احترام|با درود|وقت بخیر|وقت به خیر|روز بخیر"
    "|شب بخیر"
    "|صبح بخیر|عصر بخیر|خسته نباشید|دربار جان|دربار عزیز|دربار گرامی|دربار|جناب|عزیز|گرامی|دوستان|به همه"
    "|با عرض سلام و ادب|با عرض سلام و احترام|با عرض سلام|با عرض ادب|عزیزان|عزیزانم|بچه‌ها"
)
_THANKS: Final = (
    "please|pls|plz|thanks a lot|thanks so much|thanks|thank you very much|thank you|thx|many thanks|cheers"
    "|kind regards|best regards|regards|best wishes|best|bye|sincerely|have a nice day|sorry for the delay|sorry"
    "|with pleasure|my pleasure|thanks for inviting me|thank you for inviting me|thanks for the invitation"
    "|thanks for thinking of me|thank you for thinking of me|thanks for asking|thank you for asking"
    "|if you don't mind|if you do not mind|if that's ok|if that is ok|if that's okay"
    "|شرمنده|ببخشید|متاسفم|متأسفم|لطفا|لطفاً|بی‌زحمت|بی زحمت|خواهشا|ممنونم|ممنون|مرسی|سپاس فراوان|سپاسگزارم|سپاس"
    "|ممنون از شما|دست شما درد نکند|دستت درد نکنه|دمت گرم|قربان شما|قربانت|با تشکر|تشکر|متشکرم|با سپاس|ارادتمند"
    "|قربون شما|قربونت|قربونتون|فدات|فداتون|نوش جونت|نوش جانت|نوش جونش|نوش جانش|نوش جونتون|با اجازه|با اجازه شما"
    "|با اجازه‌تون|با اجازتون|با اجازه‌ی دوستان|با اجازه‌ی شما|با اجازه دوستان|ممنون که دعوت کردی|ممنون از دعوتت"
    "|lol|lmao|xd|(?:ha){2,}h?|(?:he){2,}h?|ه{3,}|خ{3,}"
)
_LEADING: Final = (
    "my answer is|my answer|my move is|my move|my choice is|my choice|my reply is|my reply|answer is|answer|option"
    "|number|move|choice|reply|i'd like to play|i would like to play|i'd like to|i would like to|i'd like"
    "|i would like"
    "|i want to|i wish to"
    "|oh well|i'll|ill|i will|i choose to|i choose|i select|i play|i'll take"
    "|i'll go with|i go with|i say|let me|let us|let's|ok|okay|alright|fine|well"
    "|so|then"
    "|پاسخ من|پاسخم|پاسخ|جواب من|جوابم|جواب|حرکت من|حرکتم|حرکت|انتخاب من|گزینهٔ|گزینه‌ی|گزینه"
    "|شمارهٔ|شماره‌ی|شماره|می‌خواهم|می‌خوام|من می‌خواهم|خب|باشه|باشد"
)
_SPACE: Final = r"[\s,،.!:;؛\-]*"


def _alternatives(words: str) -> str:
    phrases = sorted(words.split("|"), key=len, reverse=True)
    return "|".join(phrase.replace(" ", r"\s+").replace("\u200c", r"[\u200c ]?") for phrase in phrases)


_FIRST: Final = re.compile(
    rf"(?:(?:{_alternatives(f'{_GREETINGS}|{_THANKS}|{_LEADING}')})(?!\w)|(?:#|no\.|nr\.)\s*(?=\d)){_SPACE}", re.I
)
_LAST: Final = re.compile(rf"(?<!\w)(?:{_alternatives(_THANKS)}){_SPACE}$", re.I)
_COURTESY: Final = re.compile(rf"(?:{_SPACE}(?:{_alternatives(f'{_GREETINGS}|{_THANKS}')})(?!\w))+{_SPACE}", re.I)
_CLASSIFIED: Final = (
    r"(?:company |strictly |highly |business |for )*(?:internal|confidential|public|restricted|official|unclassified"
    r"|external|general|personal|sensitive|private|non-?confidential|limited)(?: use| only| sender| email| mail"
    r"| information| business| data|[ :/\-]*(?:sensitive|internal|confidential|external|unrestricted))*"
    r"|tlp ?: ?(?:red|amber|green|white|clear)(?:\+strict)?|به ?کلی سری|خیلی محرمانه|محرمانه|سری|عادی|داخلی|عمومی"
)
_CLASSIFICATION: Final = re.compile(
    rf"[\s\[(*#=\-<]*(?:(?:(?:data |document |message |email |information )?(?:classification|sensitivity|label)"
    rf"|طبقه[ \u200c]?بندی(?: اطلاعات| محرمانگی)?|سطح محرمانگی)\s*[:=\-]\s*[\w /|\-]{{1,60}}"
    rf"|{_CLASSIFIED})[\s\])*#=\->.]*",
    re.I,
)


def plain_line(line: str) -> str:
    """Return a line with one form of each dash, apostrophe and digit, without quotation marks and harmless emoji."""
    line = unicodedata.normalize("NFC", _DOT_ABOVE.sub("", unicodedata.normalize("NFD", line)))
    line = _SMILEY.sub(" ", _JOINING.sub("", line.translate(_FULL_WIDTH).translate(_SAME)))
    line = "".join(character for character in line if character in _REFUSING or unicodedata.category(character) != "So")
    return " ".join(_EXCLAIMED.sub("", _QUOTED.sub(" ", line)).split())


def without_courtesies(line: str) -> str:
    """Return a plain line without the greetings, thanks and openings (“my answer:”) around its content."""
    while (match := _FIRST.match(line)) and match.end() < len(line):
        line = line[match.end() :]
    while (match := _LAST.search(line)) and match.start():
        line = line[: match.start()].rstrip(" ,،.!:;؛-")
    return line


def says_nothing(line: str) -> bool:
    """Return whether a line has only greetings, thanks or a classification of a company."""
    line = plain_line(line)
    return not line or any(pattern.fullmatch(line) for pattern in (_COURTESY, _CLASSIFICATION))
