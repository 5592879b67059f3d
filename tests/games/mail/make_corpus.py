"""Replies as mail programs write them: ``python -m tests.games.mail.make_corpus`` writes ``corpus/honest`` again.

The emails of ``corpus/hostile`` must not make a move. Each has a trick: most would play the move ``1`` if it worked.
They are written by hand. Each folder has an ``index.tsv`` with the file, the question that it answers, and the expected
result.
"""

import shutil
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, cycle
from pathlib import Path
from typing import Final

from tests.games.mail import outlook_shapes as office
from tests.games.mail import pocket_shapes as pocket
from tests.games.mail import shapes
from tests.games.mail.letters import HEADERS, INTRODUCTIONS, OUTLOOK_PHONES, PHONES, Answer, Position, Sent, in_charset

CORPUS: Final = Path(__file__).parent / "corpus"
CONTENTS: Final = tomllib.loads(Path(__file__).with_name("contents.toml").read_text(encoding="utf-8"))
"""Pairs of a text and its meaning, by the email that they answer."""
ORDER: Final = ("turn", "window", "turn", "graveyard", "turn", "invitation", "turn", "window", "turn", "graveyard")
"""The names of the emails that are answered, in this order."""
SIGNATURES: Final = (
    *("", "Maryam Rahimi", "", "Maryam Rahimi\nExample Organisation\nTel. +49 30 1234567", ""),
    "با احترام\nمریم رحیمی",
)


@dataclass(frozen=True)
class Shape:
    """A way in which a program writes a reply."""

    make: Callable[[Answer], bytes]
    languages: tuple[str, ...]
    positions: tuple[Position, ...] = ("top",)
    signs: bool = True
    charsets: tuple[tuple[str, str], ...] = ()
    """Charsets other than UTF-8 that it uses, by the program's language."""
    english: bool = False
    """True if it quotes only our English emails, because its charset has no Persian."""


def _of(program: str) -> tuple[str, ...]:
    return tuple(INTRODUCTIONS[program])


EVERYWHERE: Final[tuple[Position, ...]] = ("top", "bottom", "inline")
WINDOWS: Final = (
    ("en", "windows-1252"),
    ("de", "iso-8859-1"),
    ("fr", "iso-8859-15"),
    ("pl", "iso-8859-2"),
    ("ru", "koi8-r"),
    ("tr", "iso-8859-9"),
    ("ar", "windows-1256"),
    ("fa", "windows-1256"),
    ("he", "windows-1255"),
    ("el", "iso-8859-7"),
)
UNIX: Final = (("en", "iso-8859-1"), ("de", "iso-8859-15"))

SHAPES: Final[dict[str, Shape]] = {
    "gmail-web": Shape(shapes.gmail, _of("gmail"), EVERYWHERE),
    "gmail-pictures": Shape(shapes.gmail_with_pictures, ("en", "de", "fa"), ("top", "bottom")),
    "gmail-android": Shape(pocket.gmail_android, ("en", "de", "fa", "ar", "he", "tr")),
    "gmail-ios": Shape(pocket.gmail_ios, ("us", "fr", "fa", "ar", "ja")),
    "outlook-desktop": Shape(office.outlook, tuple(HEADERS)),
    "outlook-desktop-1252": Shape(
        office.outlook, ("en", "de", "fr", "pl", "ru", "tr", "ar", "fa", "he", "el"), charsets=WINDOWS
    ),
    "outlook-html": Shape(office.outlook_html, ("en", "de", "fa")),
    "outlook-text": Shape(office.outlook_text, ("en", "de", "fr", "fa"), signs=False),
    "outlook-web": Shape(office.outlook_web, ("en", "es", "it", "nl", "fa", "ar", "he")),
    "outlook-mobile": Shape(office.outlook_mobile, tuple(OUTLOOK_PHONES), signs=False),
    "apple-mail": Shape(shapes.apple, _of("apple"), ("top",)),
    "apple-ios": Shape(pocket.apple_ios, tuple(PHONES), signs=False),
    "thunderbird": Shape(shapes.thunderbird, _of("thunderbird"), EVERYWHERE),
    "thunderbird-html": Shape(shapes.thunderbird_html, ("en", "de", "fa", "ru"), EVERYWHERE),
    "mutt": Shape(shapes.mutt, _of("mutt"), EVERYWHERE),
    "mutt-latin": Shape(shapes.mutt, ("en", "de"), ("bottom", "top"), charsets=UNIX, english=True),
    "mutt-signed": Shape(shapes.mutt_signed, ("en",), ("bottom",)),
    "mutt-armoured": Shape(shapes.mutt_armoured, ("en",), ("top", "bottom"), signs=False),
    "k9": Shape(pocket.k9, _of("k9"), EVERYWHERE),
    "k9-html": Shape(pocket.k9_html, ("en", "de", "fa"), ("top",)),
    "yahoo-web": Shape(pocket.yahoo, _of("yahoo")),
    "yahoo-android": Shape(pocket.yahoo_android, ("en", "fr", "ar"), signs=False),
    "samsung": Shape(pocket.samsung, ("en", "de"), signs=False),
    "proton": Shape(pocket.proton, ("en", "de"), signs=False),
}


def honest(most: int = 4) -> Iterator[tuple[str, str, str, bytes]]:
    """Replies of every shape in every language it knows, ``most`` of each: name, question, meaning and bytes."""
    numbers, order = count(1), cycle(ORDER)
    contents = {question: cycle(lines) for question, lines in CONTENTS.items()}
    signatures = cycle(SIGNATURES)
    for name, shape in SHAPES.items():
        positions = cycle(shape.positions)
        for language in shape.languages:
            for _ in range(most):
                question = next(order)
                text, meaning = next(contents[question])
                answer = answered(shape, language, question, text, next(positions), next(signatures), next(numbers))
                yield f"{answer.number:03d}-{name}-{language}-{question}", question, meaning, shape.make(answer)


def answered(
    shape: Shape, language: str, question: str, answer_text: str, position: Position, signature: str, number: int
) -> Answer:
    """An answer of that shape; a Persian one, or one from a Persian program, mostly answers our Persian mail."""
    persian = not answer_text.isascii() or language in ("fa", "ar")
    charset = dict(shape.charsets).get(language, "utf-8") if fits(shape, language, answer_text + signature) else "utf-8"
    speaks = persian and not shape.english and (charset in ("utf-8", "windows-1256"))
    return Answer(
        sent=Sent(f"{question}-{'fa' if speaks else 'en'}"),
        text=answer_text,
        language=language,
        position=position,
        signature=signature if shape.signs else "",
        charset=charset,
        number=number,
    )


def fits(shape: Shape, language: str, answer_text: str) -> bool:
    """Return whether the charset of a shape can write this at all."""
    charset = dict(shape.charsets).get(language, "utf-8")
    try:
        in_charset(answer_text, charset).encode(charset)
    except UnicodeEncodeError:
        return False
    return True


def write(folder: Path, mails: Iterator[tuple[str, str, str, bytes]]) -> int:
    """Write mails and their index; how many there are."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    rows = []
    for name, question, meaning, raw in mails:
        (folder / f"{name}.eml").write_bytes(raw)
        rows.append(f"{name}.eml\t{question}\t{meaning}\n")
    (folder / "index.tsv").write_text("".join(rows), encoding="utf-8")
    return len(rows)


if __name__ == "__main__":
    write(CORPUS / "honest", honest())
