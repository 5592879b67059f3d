"""The lines of a plain or HTML body, each quoted or not.

The scanner of HTML takes time in proportion to the length of any text. Of a document's tree it only knows the elements
that quote or hide their content.
"""

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

MOST_LINES: Final = 4000
LONGEST_LINE: Final = 4000
"""A longer line is cut and ends in U+FFFD, which no grammar accepts."""

_BREAKS: Final = re.compile("\r\n|[\r\n\u0085\u2028\u2029]")
_UNSEEN: Final = re.compile("[\u00ad\u200b-\u200f\u061c\u202a-\u202e\u2060-\u2069\ufeff]")
_QUOTE: Final = re.compile(r"\s*(?:[A-Za-z]{0,4}>|[|»＞])")
_WIDTH: Final = 66
"""The least width of a wrapped line. Mail programs wrap quotations at 72 columns or more."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a body."""

    text: str
    quoted: bool = False
    """True if the email marks the line as foreign: with quotation marks, a quoting element or a signature."""
    torn: bool = False
    """True if the line may be the end of the quoted line above, which a mail program has wrapped."""
    ends: bool = False
    """True if all text from here on is foreign."""


def visible_text(text: str) -> str:
    """Return a text without invisible characters, with single blanks and none at the ends."""
    return " ".join(_UNSEEN.sub("", text).split())


def clean(text: str) -> str:
    """Return a line of limited length without control characters. They become U+FFFD, because removing them could join
    words.
    """
    text = text.replace("\t", " ")
    if not text.isprintable():
        text = "".join("\ufffd" if unicodedata.category(character) in ("Cc", "Cs") else character for character in text)
    return text if len(text) <= LONGEST_LINE else f"{text[:LONGEST_LINE]}\ufffd"


def plain(text: str, *, flowed: bool = False, delete_space: bool = False) -> list[Line]:
    """Return the lines of a plain text. With ``flowed`` (RFC 3676) wrapped lines are joined again."""
    raw = _BREAKS.split(text, MOST_LINES)[:MOST_LINES]
    lines = list(_flowed(raw, delete_space)) if flowed else [_line(line) for line in raw]
    return list(_without_pgp_armour(_with_torn(lines)))


def _line(raw: str) -> Line:
    quoted = _QUOTE.match(_UNSEEN.sub("", raw[:80])) is not None
    return Line(clean(raw), quoted=quoted)


def _flowed(raw: Iterable[str], delete_space: bool) -> Iterator[Line]:
    pieces: list[str] = []
    depth = 0
    for line in raw:
        unquoted = line.lstrip(">")
        content = unquoted.removeprefix(" ") if len(unquoted) < len(line) or unquoted.startswith(" ") else unquoted
        if pieces and (depth != len(line) - len(unquoted) or content == "-- "):
            yield Line(clean("".join(pieces)), quoted=depth > 0)
            pieces = []
        depth = len(line) - len(unquoted)
        if content.endswith(" ") and content != "-- ":
            pieces.append(content[:-1] if delete_space else content)
        else:
            yield Line(clean("".join([*pieces, content])), quoted=depth > 0)
            pieces = []
    if pieces:
        yield Line(clean("".join(pieces)), quoted=depth > 0)


def _with_torn(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield the lines. Those that may be wrapped pieces of a quotation are marked as torn."""
    previous = Line("")
    for line in lines:
        first_word = visible_text(line.text).partition(" ")[0]
        is_torn = (
            previous.quoted
            and not line.quoted
            and bool(first_word)
            and len(previous.text) + 1 + len(first_word) > _WIDTH
        )
        yield replace(line, torn=True) if is_torn else line
        previous = line


def _without_pgp_armour(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield the lines without the armour that PGP puts around a signed text."""
    in_header = False
    for line in lines:
        text = visible_text(line.text)
        if text == "-----BEGIN PGP SIGNED MESSAGE-----":
            in_header = True
        elif text == "-----BEGIN PGP SIGNATURE-----":
            return
        elif in_header:
            in_header = bool(text)
        else:
            yield line


DEEPEST: Final = 1000
"""The most tracked elements that may be open."""

_TAG: Final = re.compile(
    r"<!--|<[!?][^<>]*+>|<(/?)([A-Za-z][A-Za-z0-9:]{0,30})((?:[^<>\"']++|\"[^\"]*+\"|'[^']*+'){0,200}+)>"
)
_ATTRIBUTE: Final = re.compile(r"([A-Za-z-]{2,20})\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_VALUES: Final = re.compile(r"\"[^\"]*\"|'[^']*'")
_REFERENCE: Final = re.compile("&#(?:[xX][0-9A-Fa-f]+|[0-9]+);?")
_BLANKS: Final = re.compile(r"[ \t\r\n\f\u00a0]+")

_LINE_NAMES: Final = "address br div dd dl dt fieldset figure footer form header li main nav section td tr"
_PARAGRAPH_NAMES: Final = "article aside blockquote body center h1 h2 h3 h4 h5 h6 hr ol p pre table ul"
_TREE_NAMES: Final = "article blockquote body center div section table"
_VOID_NAMES: Final = "area base br col embed hr img input link meta param source track wbr"
_HIDDEN_NAMES: Final = "head script style title template noscript svg object select"
_FIELD_NAMES: Final = (
    "textarea button datalist option optgroup legend label output iframe noframes noembed video audio canvas"
)

_LINES: Final = frozenset(_LINE_NAMES.split())
"""Elements that begin a line."""
_PARAGRAPHS: Final = frozenset(_PARAGRAPH_NAMES.split())
"""Elements with a gap above and below."""
_TREE: Final = frozenset(_TREE_NAMES.split())
"""Elements whose ends are always tracked. Others are tracked only if they have an effect."""
_VOID: Final = frozenset(_VOID_NAMES.split())
_RAW: Final = frozenset(_HIDDEN_NAMES.split())
"""Elements whose content is not text of the email."""
_FIELDS: Final = frozenset(_FIELD_NAMES.split())
"""Elements whose content a page shows, but which the sender of an email has not written. A slash does not close
them.
"""

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
"""Elements with deleted text. Their line becomes unreadable, so that it is not guessed."""
_LINE_THROUGH: Final = re.compile(r"text-decoration(?:-line)?\s*:[^;\"']*line-through", re.I)
_HIDDEN_ATTRIBUTE: Final = re.compile(r"(?:^|[\s\"'])hidden(?=[\s=/]|$)", re.I)

Effect = Literal["", "quote", "drop", "end"]


class TooDeep(Exception):
    """The elements are nested deeper than in the emails of any mail program."""


def html_lines(text: str) -> list[Line]:
    """Return the lines of an HTML text. Raises TooDeep."""
    return _Reader().read(text)


@dataclass(slots=True)
class _Open:
    """An open element."""

    name: str
    effect: Effect
    within: int = 0
    """The number of untracked elements of the same name that are open in it."""


class _Reader:
    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.pieces: list[str] = []
        self.open: list[_Open] = []
        self.names: Counter[str] = Counter()
        self.effects: Counter[Effect] = Counter()
        self.pre = 0

    def read(self, text: str) -> list[Line]:
        position = 0
        while not self.over() and (tag := _TAG.search(text, position)):
            self.add_text(text[position : tag.start()])
            position = tag.end()
            if tag.group() == "<!--":
                position = _after(text, "-->", position)
            elif tag[2] and not tag[1] and _is_passed_over(tag[2].lower(), tag[3]):
                position = _after(text, f"</{tag[2].lower()}", position)
            elif tag[2]:
                self.tag(tag[2].lower(), tag[1] == "/", tag[3])
        if not self.over():
            self.add_text(text[position:])
        self.end_line()
        return self.lines[:MOST_LINES]

    def over(self) -> bool:
        """Return whether all further text is quoted or beyond the limit."""
        return len(self.lines) >= MOST_LINES or bool(self.lines and self.lines[-1].ends)

    def add_text(self, text: str) -> None:
        """Add the text between tags. A bracket in it belongs to a broken tag and makes its line unreadable."""
        if self.effects["drop"] or not text:
            return
        text = html.unescape(_REFERENCE.sub(_character, text.replace("<", "\ufffd")))
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
            self.add_text("\ufffd")
        if name == "pre":
            self.pre = max(0, self.pre + (-1 if closing else 1))
        if closing:
            self.leave(name)
        else:
            self.enter(name, _effect(name, attributes), name in _VOID or attributes.endswith("/"))

    def enter(self, name: str, effect: Effect, is_void: bool) -> None:
        if effect == "end":
            self.end_line()
            self.lines.append(Line("", ends=True))
        if is_void:
            return
        if self.open and self.open[-1].name == "p" and (name in _TREE or name in _PARAGRAPHS):
            self.leave("p")
        if name in _TREE or effect in ("quote", "drop"):
            self.begin(_Open(name, effect))
        elif self.names[name]:
            next(element for element in reversed(self.open) if element.name == name).within += 1

    def begin(self, element: _Open) -> None:
        if len(self.open) >= DEEPEST:
            raise TooDeep
        if element.effect:
            self.end_line()
        self.open.append(element)
        self.names[element.name] += 1
        self.effects[element.effect] += 1

    def leave(self, name: str) -> None:
        """Close the innermost element of this name, and the elements in it."""
        if not self.names[name]:
            return
        innermost = next(element for element in reversed(self.open) if element.name == name)
        if innermost.within:
            innermost.within -= 1
            return
        closed = None
        while closed is not innermost:
            closed = self.open.pop()
            if closed.effect:
                self.end_line()
            self.names[closed.name] -= 1
            self.effects[closed.effect] -= 1


def _is_passed_over(name: str, attributes: str) -> bool:
    return name in _FIELDS or (name in _RAW and not attributes.endswith("/"))


def _character(reference: re.Match[str]) -> str:
    """Return the character of a numeric reference, or U+FFFD if there is none. The standard library would drop it."""
    return html.unescape(reference[0]) or "\ufffd" if len(reference[0]) < 12 else "\ufffd"


def _after(text: str, end: str, position: int) -> int:
    match = re.compile(re.escape(end) + (r"[^>]{0,200}>" if end.startswith("</") else ""), re.I).search(text, position)
    return match.end() if match else len(text)


def _effect(name: str, attributes: str) -> Effect:
    if name == "blockquote":
        return "quote"
    values: dict[str, str] = {}
    for key, *value in _ATTRIBUTE.findall(attributes[:4000]):
        values.setdefault(key.lower(), html.unescape("".join(value)))
    style, class_and_id = values.get("style", ""), f"{values.get('class', '')} {values.get('id', '')}"
    if name == "details" or _HIDDEN.search(style) or _HIDDEN_ATTRIBUTE.search(_VALUES.sub("", attributes[:4000])):
        return "drop"
    if _DIVIDERS.search(class_and_id) or _DIVIDER_STYLE.search(style):
        return "end"
    if _QUOTES.search(class_and_id) or values.get("name") == "quote":
        return "quote"
    return "drop" if _SIGNATURES.search(class_and_id) or "data-smartmail" in values else ""
