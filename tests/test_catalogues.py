"""All texts have a Persian translation, and the compiled catalogues are up to date."""

import re
from collections import Counter
from typing import Final

import pytest
from babel.messages.catalog import Message
from django.utils import translation

from tests.catalogues import APPS, ROOT, compiled, marked, path, phrases, read

PLACE = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")
ADDRESS = re.compile(r"https?://\S+")
HINT = "run python -m tests.catalogues, then translate what is new"
NAMES = {"Darbar"}


@pytest.mark.parametrize("app", APPS)
def test_the_catalogue_holds_the_phrases_that_the_code_marks_and_no_others(app: str) -> None:
    assert set(phrases(read(app))) == set(phrases(marked(app))), HINT


@pytest.mark.parametrize("app", APPS)
def test_every_phrase_is_translated(app: str) -> None:
    missing = [message.id for message in phrases(read(app)).values() if not message.string or message.fuzzy]
    assert missing == []


@pytest.mark.parametrize("app", APPS)
def test_a_single_word_tells_translators_where_it_stands(app: str) -> None:
    single = [
        message.id
        for message in phrases(marked(app)).values()
        if isinstance(message.id, str) and len(message.id.split()) == 1 and message.id not in NAMES
        if not message.context and any(not in_rules(file) for file, _ in message.locations)
    ]
    assert single == [], 'write {% translate "Open" context "state of a game" %}, or pgettext("button", "Open")'


def in_rules(file: str) -> bool:
    """Return whether a phrase stands in the engine's own kind of phrases, which have no context."""
    return file.endswith(".py") and file.startswith(("rules/", "games/rules/", "terms.py", "games/terms.py"))


@pytest.mark.parametrize("app", APPS)
def test_a_translation_has_the_places_of_its_phrase(app: str) -> None:
    for message in phrases(read(app)).values():
        phrase_text = message.id[-1] if message.pluralizable else message.id
        for form in message.string if message.pluralizable else (message.string,):
            assert Counter(PLACE.findall(form)) == Counter(PLACE.findall(phrase_text)), form


@pytest.mark.parametrize("app", APPS)
def test_persian_is_written_with_persian_letters_and_digits(app: str) -> None:
    arabic = re.compile("[كيىةـ٠-٩]")
    latin_digit = re.compile("[0-9]")
    for message in phrases(read(app)).values():
        plain_text = ADDRESS.sub("", PLACE.sub("", str(message.string)))
        assert not arabic.search(plain_text), plain_text
        assert not latin_digit.search(re.sub("[A-Za-z][A-Za-z0-9 ]*", "", plain_text)), plain_text


@pytest.mark.parametrize("app", APPS)
def test_persian_is_written_with_persian_commas_and_question_marks(app: str) -> None:
    latin = re.compile(r"[\u0600-\u06ff][,;](?:\s|$)|[\u0600-\u06ff]\?")
    assert [phrase.string for phrase in phrases(read(app)).values() if latin.search(str(phrase.string))] == []
    for template in (path(app).parents[3] / "templates").rglob("*.html"):
        assert not re.search(r'join:"[,;]|(?:[%}]}|>)[,;] ?{%\s*(?:blocktranslate|translate)', template.read_text()), (
            template
        )


@pytest.mark.parametrize("app", APPS)
def test_what_is_compiled_is_what_was_translated(app: str) -> None:
    assert path(app).with_suffix(".mo").read_bytes() == compiled(read(app)), HINT


@pytest.mark.parametrize("app", APPS)
def test_no_other_catalogue_takes_the_place_of_ours(app: str) -> None:
    """D4: no phrase of Django's or allauth's shadows one of ours."""
    with translation.override("fa"):
        shadowed = {
            message.id: page
            for message in phrases(read(app)).values()
            if (page := _translation(message)) != (message.string[0] if message.pluralizable else message.string)
        }
    assert shadowed == {}, "use pgettext, or one translation"


def _translation(message: Message) -> str:
    """Return Django's translation of a phrase, or the first plural form."""
    if message.pluralizable:
        return str(translation.ngettext(*message.id, 1))
    if message.context:
        return str(translation.pgettext(message.context, message.id))
    return str(translation.gettext(message.id))


BUTTON = re.compile(r'<(?:button\b[^>]*|a class="button[^>]*)>\s*{% translate "([^"]+)"')
MOST_WORDS_OF_A_BUTTON = 3


@pytest.mark.parametrize("app", APPS)
def test_a_button_has_three_words_at_most(app: str) -> None:
    buttons = {
        (template.name, words)
        for template in (path(app).parents[3] / "templates").rglob("*.html")
        for words in BUTTON.findall(template.read_text())
    }
    assert sorted(button for button in buttons if len(button[1].split()) > MOST_WORDS_OF_A_BUTTON) == []
    assert app in ("config", "notifications") or len(buttons) > 10


COMMA_OF_CODE: Final = re.compile(r"""join:["'][^"']*,|[%}]\},\s*\{[{%]""")
"""A comma that a template puts between two values by itself."""


def test_no_template_puts_its_own_comma_between_values() -> None:
    """D7: the comma between the items of a list is that of the reader's language."""
    assert COMMA_OF_CODE.search('{{ names|join:", " }}')
    assert COMMA_OF_CODE.search("{{ title }}, {{ players }}")
    for template in (template for app in APPS for template in (ROOT / app).rglob("templates/**/*.html")):
        page = re.sub(r"\{% blocktranslate.*?endblocktranslate %\}", "", template.read_text(), flags=re.S)
        assert not COMMA_OF_CODE.search(page), template
