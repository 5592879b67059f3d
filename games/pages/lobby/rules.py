"""The public pages with the rules of the games. Figures and numbers come from the rules themselves."""

from collections.abc import Mapping
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import select_template
from django.utils.translation import get_language, override
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from accounts.models import Language
from accounts.web.compression import compressed_for_visitors
from games.engine import AnyRules
from games.pages.shared import cards
from games.pages.shared.figures import cover, draw_figure
from games.rules.registry import RULES
from games.text.phrases import number, render_phrase
from games.visibility.picture import HEADERS

_DAY: Final = 24 * 60 * 60


@require_safe
@compressed_for_visitors
def rules_list(request: HttpRequest) -> HttpResponse:
    """Show all rules that are installed."""
    games = [_rules_context(rules) for rules in RULES.values()]
    return render(
        request,
        "games/rules/list.html",
        {"games": games, "place": "rules", "card": cards.card_address("site", cards.draw_site_card())},
    )


@require_safe
@compressed_for_visitors
def rules_detail(request: HttpRequest, name: str) -> HttpResponse:
    """Show the rules of a game, or their summary if there is no rules page."""
    rules = _rules(name)
    template = select_template([f"games/rules/{rules.name}.{get_language()}.html", "games/rules/card.html"])
    card = cards.card_address("rules", cards.draw_rules_card(rules), rules.name)
    page = template.render(
        {**_rules_context(rules), "facts": localize_numbers(rules.facts()), "place": "rules", "card": card}, request
    )
    return HttpResponse(page)


@require_safe
@gzip_page
@cache_control(public=True, max_age=_DAY)
def figure(request: HttpRequest, name: str, drawing: str, language: str) -> HttpResponse:
    """Return a figure of the rules as SVG in one language."""
    rules = _rules(name)
    if drawing not in rules.figures or language not in Language.values:
        raise Http404
    with override(language):
        svg = draw_figure(rules, drawing)
    return HttpResponse(svg, content_type="image/svg+xml", headers=HEADERS)


@require_safe
@gzip_page
@cache_control(public=True, max_age=_DAY)
def picture_style(request: HttpRequest, name: str) -> HttpResponse:
    """Return the stylesheet for a game's inline pictures."""
    return HttpResponse(_rules(name).picture_style, content_type="text/css")


def _rules(name: str) -> AnyRules:
    if name not in RULES:
        raise Http404
    return RULES[name]


def _rules_context(rules: AnyRules) -> dict[str, Any]:
    """Return the context for the rules of a game in the active language."""
    options = rules.options()
    return {
        "name": rules.name,
        "title": render_phrase(rules.words.title, {}),
        "least": number(min(rules.players)),
        "most": number(max(rules.players)),
        "cover": cover(rules),
        "lesson": len(rules.lesson.steps) if rules.lesson else 0,
        "summary": [render_phrase(line, {}) for line in rules.words.summary(options, min(rules.players) + 1)],
    }


def localize_numbers(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return facts with their numbers in the digits of the active language."""
    return {
        key: localize_numbers(value)
        if isinstance(value, Mapping)
        else number(value)
        if isinstance(value, int)
        else value
        for key, value in facts.items()
    }
