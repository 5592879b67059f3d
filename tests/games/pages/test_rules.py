"""The rules pages: in both languages, complete, and never at odds with the law that is played."""

import re
from functools import cache
from html import unescape
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from games.api.shared.schema import options_schema
from games.engine import AnyRules, Phrase
from games.engine.reading import fold
from games.engine.validation import NOT_OFFERED
from games.pages.rules import localize_numbers
from games.phrases import number, render_phrase
from games.rules.coup.game import law_of
from games.rules.coup.pictures.figures import EXAMPLE, played
from games.rules.coup.state import CLASSIC, Options, copies
from games.rules.coup.text.plan_words import VOCABULARY
from games.rules.coup.text.words import CHARACTERS, PERSIAN
from games.rules.registry import RULES
from games.rules.sedlec.figures import EXAMPLE as PYRAMID
from games.rules.sedlec.pyramid import KINDS, score
from tests.third_game.table import with_fist

__all__ = ["with_fist"]
LANGUAGES = ("en", "fa")
BOTH = pytest.mark.parametrize("language", LANGUAGES)
COUP = {**law_of(Options(inquisitor=True, reformation=True, anarchist=True), 3).actions, **law_of(Options(), 3).actions}


@cache
def page(game: str, language: str) -> str:
    """The rules of a game as a visitor reads them."""
    answer = Client(headers={"Accept-Language": language}).get(reverse("pages:rules-of", args=[game]))
    assert answer.status_code == 200
    assert f'<html lang="{language}"' in answer.content.decode()
    return answer.content.decode()


def words(html: str) -> str:
    """Return the text without the marks."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", html)))


def row(html: str, **data: str) -> list[str]:
    """The cells of the one row of a table that is about this."""
    [(name, value)] = data.items()
    [cells] = re.findall(rf'<tr data-{name}="{value}">(.*?)</tr>', html, re.DOTALL)
    return [words(cell).strip() for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", cells, re.DOTALL)]


@pytest.mark.parametrize("name", ["coup", "sedlec"])
@BOTH
def test_the_room_of_every_figure_is_kept_before_it_is_loaded(name: str, language: str) -> None:
    figures = re.findall(
        rf'<img src="/rules/{name}/([^"]+)"[^>]*width="(\d+)"(?:\s+height="(\d+)")?', page(name, language)
    )
    assert figures
    for figure, width, height in set(figures):
        svg = Client().get(f"/rules/{name}/{figure}").content.decode()
        [(drawn_width, drawn_height)] = re.findall(r'^<svg[^>]*viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
        right = round(int(width) * float(drawn_height) / float(drawn_width))
        assert abs(int(height or 0) - right) <= 1, f'{figure} is drawn in another shape: height="{right}"'


def test_a_figure_has_only_the_symbols_that_it_uses() -> None:
    svg = Client().get("/rules/coup/duke.en.svg").content.decode()
    assert (
        set(re.findall(r'<symbol id="([^"]+)"', svg))
        == set(re.findall(r'href="#([^"]+)"', svg))
        == {"cp-duke", "cp-star"}
    )


@pytest.mark.parametrize("name", ["coup", "sedlec"])
@BOTH
def test_every_line_of_the_contents_leads_to_a_part_of_the_page(name: str, language: str) -> None:
    html = page(name, language)
    matches, there = re.findall(r'href="#([a-z]+)"', html), re.findall(r'<section id="([a-z]+)"', html)
    assert [anchor for anchor in matches if anchor != "content"] == there
    assert len(there) == len(set(there)) > 10


@pytest.mark.parametrize("name", ["coup", "sedlec"])
def test_both_languages_have_the_same_parts_figures_and_rows(name: str) -> None:
    english, persian = (page(name, language) for language in LANGUAGES)
    for pattern in (r'<section id="(\w+)"', r'data-\w+="([\w-]+)"><th', r"<dt>", r"<li>"):
        assert len(re.findall(pattern, english)) == len(re.findall(pattern, persian)), pattern
    figures = [sorted(re.findall(r"/([\w-]+)\.(?:en|fa)\.svg", html)) for html in (english, persian)]
    assert figures[0] == figures[1]


@pytest.mark.parametrize("name", ["coup", "sedlec"])
@BOTH
def test_every_figure_is_drawn_and_says_what_it_shows(name: str, language: str) -> None:
    html = page(name, language)
    used = set(re.findall(rf'src="(/rules/{name}/[^"]+)"', html))
    assert {address.rpartition("/")[2].removesuffix(f".{language}.svg") for address in used} == set(RULES[name].figures)
    assert not re.findall(r"<img(?![^>]* alt=)", html)
    for address in used:
        answer = Client().get(address)
        assert answer["Content-Type"] == "image/svg+xml"
        assert "default-src 'none'" in answer["Content-Security-Policy"]
        assert ElementTree.fromstring(answer.content).get("aria-label")


@pytest.mark.parametrize("verb", sorted(COUP))
@BOTH
def test_each_action_of_coup_stands_there_with_its_cost_claim_and_blockers(verb: str, language: str) -> None:
    action = COUP[verb]
    name, pays, claims, _does, blocked = row(page("coup", language), action=verb)
    with override(language):
        assert name
        costs = [number(cost) for cost in dict.fromkeys((action.cost, action.cost_with_target)) if cost]
        assert re.findall(r"\d+", pays) == costs, pays
        claimed = [speak_card(card) for card in CHARACTERS if speak_card(card) in claims]
        assert claimed == ([speak_card(action.claims)] if action.claims else [])
        blockers = {card for card in CHARACTERS if speak_card(card) in blocked}
        assert blockers == set(action.blocked_by)


def speak_card(card: str) -> str:
    """A character in the active language."""
    return render_phrase(Phrase(CHARACTERS[card]), {})


@BOTH
def test_the_numbers_of_coup_are_those_of_the_game(language: str) -> None:
    page_words = words(page("coup", language))
    with override(language):
        for seats in (6, 8, 10):
            assert f"{number(copies(seats))} " in page_words
            assert number(copies(seats) * len(CLASSIC)) in page_words
    facts = RULES["coup"].facts()
    assert facts["gain"] == {"income": 1, "foreign_aid": 2, "tax": 3, "steal": 2}
    assert (facts["forced"], facts["coins"], facts["purse"], facts["hand"]) == (10, 50, 2, 2)


def test_the_worked_example_of_the_page_is_the_rulebooks() -> None:
    state = played(*EXAMPLE)
    assert (tuple(state.coins), state.treasury) == ((1, 5, 0), 44)
    story = page("coup", "en").partition('<ol class="played">')[2].partition("</ol>")[0]
    moves = re.findall(r'<code dir="ltr">([^<]+)</code>', story)
    assert len(moves) == 12
    assert set(moves) <= {line.partition(" ")[2] for line in EXAMPLE}


@pytest.mark.parametrize("name", ["coup", "sedlec"])
@BOTH
def test_every_option_and_every_verb_of_the_notation_is_explained(name: str, language: str) -> None:
    html = page(name, language)
    options = html.partition('<section id="options">')[2].partition("</section>")[0]
    offered = {*RULES[name].option_type.__struct_fields__} - {NOT_OFFERED}
    assert set(re.findall(r"<dt>[^<]*<code[^>]*>(\w+)</code></dt>", options)) == offered
    for values in chosen_among(RULES[name]):
        for value in values:
            assert f">{value}</code>" in html, value
    text = " ".join(re.findall(r"<code[^>]*>([^<]+)</code>", html))
    for verb in verbs(RULES[name]):
        assert re.search(rf"(^|\s){re.escape(verb)}(\s|$)", text), verb


def chosen_among(rules: AnyRules) -> list[list[str]]:
    """The values that options offer."""
    matches = re.findall(r"'enum': (\[[^\]]*\])", str(options_schema(rules)))
    return [re.findall(r"'([\w-]+)'", values) for values in matches]


def verbs(rules: AnyRules) -> list[str]:
    """The verbs of a game's moves."""
    return [str(arg.__struct_config__.tag) for arg in rules.move_type.__args__]


def test_the_persian_words_for_moves_on_the_page_are_understood() -> None:
    table = page("coup", "fa").partition('<section id="notation">')[2].partition("</section>")[0]
    cells = re.findall(r"</th>\s*<td>([^<]*)</td>", table)
    written_moves = [word for cell in cells for word in re.split("[،؛] | یا ", " ".join(cell.split()))]
    assert len(written_moves) == 30
    for move in written_moves:
        assert VOCABULARY.tokens(fold(move), {}), move
    for verb in verbs(RULES["coup"]):
        assert any(fold(PERSIAN[verb]) in fold(move) for move in written_moves), verb


@BOTH
def test_the_scores_of_sedlec_are_the_games_own(language: str) -> None:
    html = page("sedlec", language)
    assert {kind for kind in KINDS if row(html, kind=kind)} == set(KINDS)
    counted, facts = score(PYRAMID), RULES["sedlec"].facts()
    assert facts["example"] == {"total": counted.total, **{kind: getattr(counted, kind) for kind in KINDS}}
    example = words(html.partition('<section id="example">')[2].partition("</section>")[0])
    with override(language):
        for value in facts["example"].values():
            assert number(value) in example
        assert localize_numbers(facts)["deck"] == number(18)
    assert (facts["skulls"], sum(facts["of"].values())) == (36, 36)
    assert (facts["piles"], facts["pile"]) == (6, 3)


@pytest.mark.parametrize("name", ["coup", "sedlec"])
def test_persian_pages_hold_no_latin_digits_and_no_arabic_letters(name: str) -> None:
    body = page(name, "fa").partition("<article")[2].partition("</article>")[0]
    assert not re.search("[0-9كيىة٠-٩]", words(re.sub(r"<code.*?</code>", "", body)))


@BOTH
def test_a_game_that_nobody_has_written_a_page_for_shows_its_summary_card(language: str) -> None:
    assert "Claim the number in your fist, or another." in page("fist", language)


def test_the_shelf_shows_every_game_and_there_is_no_other() -> None:
    shelf = Client().get(reverse("pages:rules")).content.decode()
    for name in RULES:
        assert reverse("pages:rules-of", args=[name]) in shelf
    assert Client().get("/rules/go/").status_code == 404
    assert Client().get("/rules/coup/duke.de.svg").status_code == 404
    assert Client().get("/rules/coup/king.en.svg").status_code == 404
