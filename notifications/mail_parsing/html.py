"""An HTML body as lines: what a reader would see, and which of it stands in a quotation.

The scanner takes time in proportion to the text whatever is in it, and knows nothing of a document's
tree but the elements that make their content not the writer's own.
"""

import html
import re
from collections import Counter
from dataclasses import dataclass
from typing import Final, Literal

from notifications.mail_parsing.lines import MOST_LINES, Line, clean

DEEPEST: Final = 1000
"""The number of elements being kept track of that may be open at once."""

_TAG: Final = re.compile(
    r"<!--|<[!?][^<>]*+>|<(/?)([A-Za-z][A-Za-z0-9:]{0,30})((?:[^<>\"']++|\"[^\"]*+\"|'[^']*+'){0,200}+)>"
)
_ATTRIBUTE: Final = re.compile(r"([A-Za-z-]{2,20})\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_VALUES: Final = re.compile(r"\"[^\"]*\"|'[^']*'")
_REFERENCE: Final = re.compile("&#(?:[xX][0-9A-Fa-f]+|[0-9]+);?")
_BLANKS: Final = re.compile(r"[ \t\r\n\f\u00a0]+")

_BEGINNING: Final = "address br div dd dl dt fieldset figure footer form header li main nav section td tr"
_APART: Final = "article aside blockquote body center h1 h2 h3 h4 h5 h6 hr ol p pre table ul"
_KEPT: Final = "article blockquote body center div section table"
_EMPTY: Final = "area base br col embed hr img input link meta param source track wbr"
_UNSHOWN: Final = "head script style title template noscript svg object select"
_FORM: Final = "textarea button datalist option optgroup legend label output iframe noframes noembed video audio canvas"

_LINES: Final = frozenset(_BEGINNING.split())
"""Elements that begin a line."""
_PARAGRAPHS: Final = frozenset(_APART.split())
"""Elements that stand apart from what is above and below."""
_TREE: Final = frozenset(_KEPT.split())
"""Elements whose ends are kept track of always; of the others only those with an effect."""
_VOID: Final = frozenset(_EMPTY.split())
_RAW: Final = frozenset(_UNSHOWN.split())
"""Elements whose content is not text of the mail."""
_FIELDS: Final = frozenset(_FORM.split())
"""Elements whose content a page shows and no writer of a mail has written. A slash does not close them."""

_QUOTES: Final = re.compile(
    r"\b(?:gmail_attr|moz-cite-prefix|yahoo_quoted|protonmail_quote|zmail_extra|tutanota_quote|hey-quote|quoted-?text)\b"
    r"|(?:^|\s)(?:yahoo_quoted_\d+|quoted_header|isforwardcontent)(?:$|\s)",
    re.I,
)
_SIGNATURES: Final = re.compile(
    r"(?:^|[\s_-])(?:gmail_signature|moz-signature|applemailsignature|ms-outlook-mobile-signature|yahoo[-_]signature"
    r"|protonmail_signature_block|k9mail-signature|composer_signature|signature)(?:$|[\s_-])",
    re.I,
)
_DIVIDERS: Final = re.compile(
    r"\b(?:x_)?(?:divrplyfwdmsg|appendonsend|ms-outlook-mobile-reference-message|mail-editor-reference-message-container"
    r"|outlookmessageheader)\b",
    re.I,
)
_DIVIDER_STYLE: Final = re.compile(r"border:\s*none;\s*border-top:\s*solid\s+#(?:E1E1E1|B5C4DF)\b", re.I)
_HIDDEN: Final = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|(?<![\w-])color\s*:\s*transparent"
    r"|(?:font-size|opacity|max-height)\s*:\s*0(?:\.0*)?(?![.\d])|(?:left|top|text-indent)\s*:\s*-\d{3}",
    re.I,
)
_STRUCK: Final = frozenset({"s", "strike", "del"})
"""Elements of text that was taken back: its line becomes unreadable, so that nobody has to guess."""
_LINE_THROUGH: Final = re.compile(r"text-decoration(?:-line)?\s*:[^;\"']*line-through", re.I)
_HIDDEN_ATTRIBUTE: Final = re.compile(r"(?:^|[\s\"'])hidden(?=[\s=/]|$)", re.I)

Effect = Literal["", "quote", "drop", "end"]


class TooDeep(Exception):
    """More elements lie within each other than any mail program makes."""


def marked_up(text: str) -> list[Line]:
    """The lines of an HTML text. TooDeep where it nests beyond reason."""
    return _Reader().read(text)


@dataclass(slots=True)
class _Open:
    """An element that has begun."""

    name: str
    effect: Effect
    within: int = 0
    """The number of elements of the same name, not themselves kept track of, that have begun in it."""


class _Reader:
    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.pieces: list[str] = []
        self.open: list[_Open] = []
        self.names: Counter[str] = Counter()
        self.effects: Counter[Effect] = Counter()
        self.pre = 0

    def read(self, text: str) -> list[Line]:
        at = 0
        while not self.over() and (tag := _TAG.search(text, at)):
            self.say(text[at : tag.start()])
            at = tag.end()
            if tag.group() == "<!--":
                at = _after(text, "-->", at)
            elif tag[2] and not tag[1] and _is_passed_over(tag[2].lower(), tag[3]):
                at = _after(text, f"</{tag[2].lower()}", at)
            elif tag[2]:
                self.tag(tag[2].lower(), tag[1] == "/", tag[3])
        if not self.over():
            self.say(text[at:])
        self.end_line()
        return self.lines[:MOST_LINES]

    def over(self) -> bool:
        """Return whether nothing that follows can be the writer's any more, or is looked at."""
        return len(self.lines) >= MOST_LINES or bool(self.lines and self.lines[-1].ends)

    def say(self, text: str) -> None:
        """Add the text between tags. A bracket in it is a broken tag's, and makes its line unreadable."""
        if self.effects["drop"] or not text:
            return
        text = html.unescape(_REFERENCE.sub(_referred, text.replace("<", "\ufffd")))
        if not self.pre:
            self.pieces.append(_BLANKS.sub(" ", text))
            return
        first, *rest = text.replace("\r\n", "\n").split("\n", MOST_LINES)
        self.pieces.append(first)
        for line in rest:
            self.end_line(empty=True)
            self.pieces.append(line)

    def end_line(self, *, empty: bool = False) -> None:
        text = clean("".join(self.pieces).strip())
        self.pieces = []
        if text or empty:
            self.lines.append(Line(text, quoted=self.effects["quote"] > 0))

    def tag(self, name: str, closing: bool, attributes: str) -> None:
        if name in _PARAGRAPHS:
            self.end_line()
            self.end_line(empty=True)
        elif name in _LINES:
            self.end_line(empty=name == "br" and not self.pieces)
        if name in _STRUCK or (not closing and _LINE_THROUGH.search(attributes)):
            self.say("\ufffd")
        if name == "pre":
            self.pre = max(0, self.pre + (-1 if closing else 1))
        if closing:
            self.leave(name)
        else:
            self.enter(name, _effect(name, attributes), name in _VOID or attributes.endswith("/"))

    def enter(self, name: str, effect: Effect, alone: bool) -> None:
        if effect == "end":
            self.end_line()
            self.lines.append(Line("", ends=True))
        if alone:
            return
        if self.open and self.open[-1].name == "p" and (name in _TREE or name in _PARAGRAPHS):
            self.leave("p")
        if name in _TREE or effect in ("quote", "drop"):
            self.begin(_Open(name, effect))
        elif self.names[name]:
            next(each for each in reversed(self.open) if each.name == name).within += 1

    def begin(self, element: _Open) -> None:
        if len(self.open) >= DEEPEST:
            raise TooDeep
        if element.effect:
            self.end_line()
        self.open.append(element)
        self.names[element.name] += 1
        self.effects[element.effect] += 1

    def leave(self, name: str) -> None:
        """End the innermost element of that name, and what has begun in it."""
        if not self.names[name]:
            return
        innermost = next(each for each in reversed(self.open) if each.name == name)
        if innermost.within:
            innermost.within -= 1
            return
        ended = None
        while ended is not innermost:
            ended = self.open.pop()
            if ended.effect:
                self.end_line()
            self.names[ended.name] -= 1
            self.effects[ended.effect] -= 1


def _is_passed_over(name: str, attributes: str) -> bool:
    return name in _FIELDS or (name in _RAW and not attributes.endswith("/"))


def _referred(reference: re.Match[str]) -> str:
    """The character that a number refers to; U+FFFD for what is none, which the standard library would leave out."""
    return html.unescape(reference[0]) or "\ufffd" if len(reference[0]) < 12 else "\ufffd"


def _after(text: str, end: str, at: int) -> int:
    found = re.compile(re.escape(end) + (r"[^>]{0,200}>" if end.startswith("</") else ""), re.I).search(text, at)
    return found.end() if found else len(text)


def _effect(name: str, attributes: str) -> Effect:
    if name == "blockquote":
        return "quote"
    values: dict[str, str] = {}
    for key, *value in _ATTRIBUTE.findall(attributes[:4000]):
        values.setdefault(key.lower(), html.unescape("".join(value)))
    style, named = values.get("style", ""), f"{values.get('class', '')} {values.get('id', '')}"
    if name == "details" or _HIDDEN.search(style) or _HIDDEN_ATTRIBUTE.search(_VALUES.sub("", attributes[:4000])):
        return "drop"
    if _DIVIDERS.search(named) or _DIVIDER_STYLE.search(style):
        return "end"
    if _QUOTES.search(named) or values.get("name") == "quote":
        return "quote"
    return "drop" if _SIGNATURES.search(named) or "data-smartmail" in values else ""
