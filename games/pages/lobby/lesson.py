"""The page of a lesson: a scripted game for new players.

Its address contains the moves so far, so nothing is stored and the reader can go back to every step.
"""

from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from accounts.web.compression import compressed_for_visitors
from games.engine import AnyRules, SeatNumber, show_all
from games.engine.lesson import LEARNER, Lesson, LessonPosition, question_of_learner, take_lesson
from games.pages.shared.views import new_key
from games.rules.registry import RULES
from games.text import answer_groups
from games.text.phrases import render_phrase
from games.visibility import picture

_BETWEEN: Final = ","
_MOST_DIGITS: Final = 3


@require_safe
@compressed_for_visitors
def lesson(request: HttpRequest, name: str) -> HttpResponse:
    """The next step of a lesson; after the last one, the way to a whole game."""
    rules = RULES.get(name)
    if rules is None or rules.lesson is None:
        raise Http404
    made = [move for move in request.GET.get("moves", "").split(_BETWEEN) if move]
    try:
        position = take_lesson(rules, rules.lesson, made)
    except ValueError:
        return redirect("pages:lesson", name)
    chosen = _chosen(rules, position, request.GET.get("answer", ""))
    if chosen and len(made) < len(rules.lesson.steps) and chosen in rules.lesson.steps[len(made)].takes:
        return redirect(f"{reverse('pages:lesson', args=[name])}?moves={_BETWEEN.join([*made, chosen])}")
    context = {
        "place": "rules",
        "rules": rules,
        "title": render_phrase(rules.words.title, {}),
        "moves": _BETWEEN.join(made),
        "key": new_key(),
        **_told(rules, position),
        **(_step(rules, rules.lesson, position, len(made), refused=bool(chosen))),
    }
    return render(request, "games/lesson.html", context)


def _names() -> dict[SeatNumber, str]:
    """Return the names of the players in a lesson."""
    return {
        LEARNER: pgettext("name of the learner in a lesson", "You"),
        SeatNumber(2): pgettext("name of a player", "Heron"),
        SeatNumber(3): pgettext("name of a player", "Jazari"),
    }


def _chosen(rules: AnyRules, position: LessonPosition, number: str) -> str:
    """Return the move with this number in notation, or an empty string."""
    question = question_of_learner(rules, position.state)
    if question is None or not (number.isascii() and number.isdigit()) or len(number) > _MOST_DIGITS:
        return ""
    moves = dict(enumerate(map(rules.text, rules.legal_moves(position.state, question)), start=1))
    return moves.get(int(number), "")


def _told(rules: AnyRules, position: LessonPosition) -> dict[str, Any]:
    """Return the table as the learner sees it, and the events since their last move."""
    names = _names()
    happened = show_all(rules, position.events[position.before :], LEARNER)
    return {
        "picture": picture.inline(rules, rules.view(position.state, LEARNER), names, LEARNER),
        "story": [render_phrase(phrase, names) for _, phrase in rules.words.story(happened, LEARNER)],
    }


def _step(rules: AnyRules, lesson: Lesson, position: LessonPosition, made: int, refused: bool) -> dict[str, Any]:
    """Return the text of the present step and the possible answers."""
    names, count = _names(), len(lesson.steps)
    if made == count:
        return {"number": count, "count": count, "says": render_phrase(lesson.end, names), "done": True}
    step, question = lesson.steps[made], question_of_learner(rules, position.state)
    assert question is not None
    groups = answer_groups.of_question(rules, position.state, question, names)
    wanted = [choice.label for group in groups for choice in group.choices if choice.move in step.takes]
    return {
        "number": made + 1,
        "count": count,
        "heading": render_phrase(step.title, names),
        "says": render_phrase(step.says, names),
        "asks": render_phrase(rules.words.asks(rules.view(position.state, LEARNER), question), names),
        "groups": groups,
        "refused": wanted[0] if refused else "",
    }
