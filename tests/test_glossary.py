"""The glossary's forbidden words are not used, in names and in both languages."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from drf_spectacular.generators import SchemaGenerator

from tests.catalogues import APPS, phrases, read
from tests.examples import for_each
from tests.glossary import PAGE, page, source
from tests.test_documents import DOCUMENTS

ROOT: Final = Path(__file__).parent.parent
FOLDERS: Final = ("config", "games", "accounts", "notifications", "bench", "examples")
GONE: Final = source()["gone"]
_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def words_of(name: str) -> str:
    """Return the words of a name with a space around each: `` game serializer `` for ``GameSerializer``."""
    return f" {' '.join(_WORDS.findall(name)).lower()} "


def names(path: Path) -> Iterator[str]:
    """Yield every name that a module defines: its own, and those of its classes, functions, parameters and fields."""
    yield path.stem if path.stem != "__init__" else path.parent.name
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


@cache
def gone_from(name: str) -> list[str]:
    """Return the words that are gone and stand in a name."""
    return [word for word in GONE["identifiers"] if f" {word} " in words_of(name)]


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_name_has_a_word_that_is_gone(folder: str) -> None:
    modules = [path for path in (ROOT / folder).rglob("*.py") if "migrations" not in path.parts]
    outdated_names = {
        f"{path.relative_to(ROOT)}: {name}" for path in modules for name in set(names(path)) if gone_from(name)
    }
    assert sorted(outdated_names) == []


def test_no_part_of_the_api_has_a_word_that_is_gone() -> None:
    components = api()["components"]["schemas"]
    properties = [name for component in components.values() for name in component.get("properties", ())]
    assert sorted({name for name in (*api()["paths"], *components, *properties) if gone_from(name)}) == []


@cache
def api() -> dict[str, Any]:
    """The description of the API."""
    return SchemaGenerator().get_schema(request=None, public=True)


@pytest.mark.parametrize("app", APPS)
def test_no_text_has_a_word_that_is_gone(app: str) -> None:
    english = re.compile(rf"\b(?:{'|'.join(GONE['english'] + GONE['texts'] + GONE['strange'])})\b", re.IGNORECASE)
    persian = re.compile("|".join(rf"(?<![\w\u200c]){word}(?!\w)" for word in GONE["persian"]))
    outdated_texts = [
        (message.id, message.string)
        for message in phrases(read(app)).values()
        if english.search(str(message.id)) or persian.search(str(message.string))
    ]
    assert outdated_texts == []


CLAUSE: Final = re.compile(r"(?:^|[.!:;] )(?:What|Whom|Who|That which)\b[^?.!:]*[a-z]\b[^?.!:]*[.!](?:\s|$)")
"""A sentence that begins with a clause as its subject: "What you played stays." It is no question."""
COUNTS: Final = re.compile(r"\b(?:answer|move|hours?|days?|one|it|first) counts?\b|\bdo(?:es)? not count\b")
"""The verb "count" for a move that is played or has an effect."""
STRANGE: Final = re.compile(rf"\b(?:{'|'.join(GONE['strange'])})\b", re.IGNORECASE)
CODE: Final = re.compile(r"```.*?```|``.*?``|`[^`]*`|\]\([^)]*\)|<[^>]*>", re.S)


def found_strange(text: str) -> list[str]:
    """Return the strange words of a text, and its strange sentences, outside code and the addresses of links."""
    prose = " ".join(CODE.sub("`code`", text).split())
    return STRANGE.findall(prose) + CLAUSE.findall(prose)


RULES_PAGES: Final = [str(path.relative_to(ROOT)) for path in sorted(ROOT.glob("games/rules/**/*.en.html"))]


@for_each("document", [*DOCUMENTS, *RULES_PAGES])
def test_no_document_has_a_strange_word(document: str) -> None:
    assert found_strange((ROOT / document).read_text()) == []


def test_no_help_of_the_api_has_a_strange_word_or_speaks_as_its_reader() -> None:
    texts = set(descriptions(api()))
    assert len(texts) > 500
    assert [text for text in texts if found_strange(text)] == []
    assert [text for text in texts if re.search(r"\b(?:I|my|mine|me)\b", CODE.sub("", text))] == [], 'write "you"'


def test_no_help_of_the_api_has_a_word_that_is_gone_from_texts() -> None:
    pattern = re.compile(rf"\b(?:{'|'.join(GONE['texts'])})\b", re.IGNORECASE)
    assert pattern.search("Everybody begins."), "the words are found"
    assert [text for text in descriptions(api()) if pattern.search(CODE.sub("", text))] == []


def descriptions(part: Any) -> Iterator[str]:
    """Yield every description and summary in a part of the API's description, without examples of user's texts."""
    if isinstance(part, dict):
        for name, value in part.items():
            if name in ("description", "summary") and isinstance(value, str):
                yield value
            elif name not in ("example", "examples"):
                yield from descriptions(value)
    elif isinstance(part, list):
        for value in part:
            yield from descriptions(value)


def test_a_strange_word_is_found_in_prose_and_not_in_code() -> None:
    assert found_strange("Whoever asks is told.") == ["Whoever"]
    assert found_strange("It stands in the list.") == ["stands"]
    assert found_strange("His stand-in reads `stands`, and ABC stands for a code.") == []


PERSIAN_PAGES: Final = (*ROOT.glob("games/rules/**/*.fa.html"), *ROOT.glob("docs/site/fa/**/*.md"))


@for_each("page", PERSIAN_PAGES)
def test_persian_pages_and_documents_spell_each_word_in_one_way(page: Path) -> None:
    """D17: the words that are gone from the catalogues are gone from the other Persian texts too."""
    spellings = re.compile("|".join(rf"(?<![\w\u200c]){word}(?!\w)" for word in GONE["persian"]))
    assert spellings.findall(page.read_text()) == []


@pytest.mark.parametrize("app", APPS)
def test_no_sentence_is_put_together_in_a_strange_way(app: str) -> None:
    for message in phrases(read(app)).values():
        for sentence in message.id if message.pluralizable else (message.id,):
            assert not CLAUSE.search(sentence), f"name who or what it is about: {sentence}"
            assert not COUNTS.search(sentence), f"say what happens: {sentence}"


def test_a_clause_as_a_subject_is_found_and_a_question_is_none() -> None:
    assert CLAUSE.search("You are out. What you played stays as it is.")
    assert CLAUSE.search("Who mutes a player hears nothing.")
    for fine in ("What do you do?", "Who plays?", "It is your turn. What do you do?", "Who has not answered yet"):
        assert not CLAUSE.search(fine)
    assert COUNTS.search("Your answer counts.")


def test_a_word_that_is_gone_is_found_however_it_is_written() -> None:
    for name in ("parcel", "ParcelSerializer", "show_parcel", "_PARCEL", "HTTPParcel"):
        assert gone_from(name) == ["parcel"], name
    assert gone_from("parcelled") == []


def test_the_glossary_page_is_made_from_its_source() -> None:
    assert PAGE.read_text() == page(), "run python -m tests.glossary"
