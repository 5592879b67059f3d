"""The public pages with the rules of the games, their figures and their lessons.

Figures and numbers come from the rules themselves. A lesson is a scripted game for new players. Its address contains
the moves so far, so nothing is stored and the reader can return to every step.
"""

from collections.abc import Mapping
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import select_template
from django.urls import reverse
from django.utils.translation import get_language, override, pgettext
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from accounts.models import Language
from accounts.web.requests import compressed_for_visitors
from games.engine import AnyRules, SeatNumber, show_all
from games.engine.lesson import LEARNER, Lesson, LessonPosition, question_of_learner, take_lesson
from games.pages import cards
from games.pages.home import quick_bot_count
from games.pages.posted_forms import new_key
from games.pages.titles import cover, draw_figure, goal_of
from games.phrases import number, render_phrase
from games.rules.registry import RULES
from games.visibility import picture, words
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


@require_safe
@gzip_page
@cache_control(public=True, max_age=_DAY)
def picture_symbols(request: HttpRequest, name: str) -> HttpResponse:
    """Return the symbols that a game's inline pictures use."""
    return HttpResponse(picture.symbols_file(_rules(name)), content_type="image/svg+xml", headers=HEADERS)


def _rules(name: str) -> AnyRules:
    if name not in RULES:
        raise Http404
    return RULES[name]


def _rules_context(rules: AnyRules) -> dict[str, Any]:
    """Return the context for the rules of a game in the active language."""
    options = rules.options()
    return {
        "name": rules.name,
        "rules": rules.name,
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


_BETWEEN: Final = ","
_MOST_DIGITS: Final = 3


@require_safe
@compressed_for_visitors
def lesson_page(request: HttpRequest, name: str) -> HttpResponse:
    """Show the next step of a lesson. After the last one, show the button for a whole game."""
    rules = RULES.get(name)
    if rules is None or rules.lesson is None:
        raise Http404
    moves = [move for move in request.GET.get("moves", "").split(_BETWEEN) if move]
    try:
        position = take_lesson(rules, rules.lesson, moves)
    except ValueError:
        return redirect("pages:lesson", name)
    move = _move_by_number(rules, position, request.GET.get("answer", ""))
    if move and len(moves) < len(rules.lesson.steps) and move in rules.lesson.steps[len(moves)].takes:
        return redirect(f"{reverse('pages:lesson', args=[name])}?moves={_BETWEEN.join([*moves, move])}")
    context = {
        "place": "rules",
        "rules": rules,
        "title": render_phrase(rules.words.title, {}),
        "moves": _BETWEEN.join(moves),
        "key": new_key(),
        "picture_style": picture.style_address(rules),
        **_table(rules, position),
        **(_step(rules, rules.lesson, position, len(moves), refused=bool(move))),
    }
    return render(request, "games/lesson.html", context)


def _player_names() -> dict[SeatNumber, str]:
    """Return the names of the players in a lesson."""
    return {
        LEARNER: pgettext("name of the learner in a lesson", "You"),
        SeatNumber(2): pgettext("name of a player", "Heron"),
        SeatNumber(3): pgettext("name of a player", "Jazari"),
    }


def _move_by_number(rules: AnyRules, position: LessonPosition, number: str) -> str:
    """Return the move with this number in notation, or an empty string."""
    question = question_of_learner(rules, position.state)
    if question is None or not (number.isascii() and number.isdigit()) or len(number) > _MOST_DIGITS:
        return ""
    moves = dict(enumerate(map(rules.text, rules.legal_moves(position.state, question)), start=1))
    return moves.get(int(number), "")


def _table(rules: AnyRules, position: LessonPosition) -> dict[str, Any]:
    """Return the context of the table as the learner sees it, with the events since their last move."""
    names = _player_names()
    events = show_all(rules, position.events[position.before :], LEARNER)
    return {
        "picture": picture.inline(rules, rules.view(position.state, LEARNER), names, LEARNER),
        "story": [render_phrase(phrase, names) for _, phrase in rules.words.story(events, LEARNER)],
    }


def _step(rules: AnyRules, lesson: Lesson, position: LessonPosition, move_count: int, refused: bool) -> dict[str, Any]:
    """Return the context of the present step with the possible answers."""
    names, count = _player_names(), len(lesson.steps)
    if move_count == count:
        end = {"says": render_phrase(lesson.end, names), "bots": quick_bot_count(rules), "done": True}
        return {"number": count, "count": count, **end}
    step, question = lesson.steps[move_count], question_of_learner(rules, position.state)
    assert question is not None
    groups = words.group_answers(rules, position.state, question, names)
    labels = [choice.label for group in groups for choice in group.choices if choice.move in step.takes]
    return {
        "number": move_count + 1,
        "count": count,
        "goal": goal_of(rules) if move_count == 0 else "",
        "heading": render_phrase(step.title, names),
        "says": render_phrase(step.text, names),
        "asks": render_phrase(rules.words.asks(rules.view(position.state, LEARNER), question), names),
        "groups": groups,
        "refused": labels[0] if refused else "",
    }
