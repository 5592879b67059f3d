"""The home page: an introduction for visitors, open questions for logged-in accounts."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from accounts.models import Account
from accounts.web.compression import compressed_for_visitors
from config.database import database_clock
from games.engine import AnyRules, SeatNumber
from games.lobby import invitations
from games.models import Game, Invitation
from games.pages.shared import cards
from games.pages.shared.figures import Cover, cover
from games.pages.shared.titles import GameOverview, rules_titles
from games.pages.shared.views import new_key
from games.play import questions
from games.rules.registry import RULES
from games.seeks.listed_seek import open_seeks
from games.text import links
from games.text.answer_groups import Group, of_question
from games.text.phrases import isolated, render_phrase
from games.visibility import picture

RECENT_GAMES: Final = 5
"""The number of finished games that are shown."""
_ROWS: Final = 12
"""A question with more rows of answers than this has a link to them in place of buttons."""
MOST_QUICK_BOTS: Final = 3
"""The maximum number of bots in the games that can be started with one button."""


@dataclass(frozen=True)
class WaitingQuestion:
    """A question that waits for me, on the first page."""

    overview: GameOverview
    question: str
    says: str
    due_at: datetime
    why: tuple[str, ...]
    """The reasons for a deadline that follows from more than the length of the question."""
    groups: tuple[Group, ...]
    """The answers, or empty if there are too many or some have forms. The page of the game shows those."""
    picture: SafeString | None


@dataclass(frozen=True)
class WaitingInvitation:
    """An invitation that waits for me, on the first page."""

    overview: GameOverview
    inviter: str
    page: str


@dataclass(frozen=True)
class RulesCard:
    """A game as a visitor first hears of it."""

    rules: str
    title: str
    least: int
    most: int
    aim: str
    cover: Cover | None


@dataclass(frozen=True)
class QuickStart:
    """A game against bots that begins with one button."""

    rules: str
    title: str
    bot_count: int


@require_safe
@compressed_for_visitors
def home(request: HttpRequest) -> HttpResponse:
    """The first page."""
    if not isinstance(request.user, Account):
        context: dict[str, Any] = {"place": "home", "games": list_rules(), "lesson": first_lesson(), "key": new_key()}
        context["sign_up_open"] = settings.SIGN_UP == "open"
        context["card"] = cards.address("site", cards.of_site())
        return render(request, "games/welcome.html", context)
    mine = Game.objects.filter(seats__account=request.user).prefetch_related("seats__account")
    waiting, now = questions.of_account(request.user), database_clock.now()
    questions.note_seen([each.row for each in waiting if each.row.own], now)
    asked = [_waiting_question(each) for each in waiting]
    busy = {each.overview.game.pk for each in asked}
    return render(
        request,
        "games/home.html",
        {
            "place": "home",
            "rules_names": list(RULES),
            "asked": asked,
            "invitations": [_waiting_invitation(each) for each in invitations.waiting_for(request.user)],
            "open": _overviews(mine.filter(state__in=[Game.State.OPEN, Game.State.STARTING]).order_by("-created_at")),
            "running": [
                overview
                for overview in _overviews(mine.filter(state=Game.State.RUNNING).order_by("-started_at"))
                if overview.game.pk not in busy
            ],
            "seeks": open_seeks(request.user),
            "over": _overviews(mine.filter(state=Game.State.OVER).order_by("-ended_at")[:RECENT_GAMES]),
            "quick": list_quick_starts(),
            "key": new_key(),
            "now": now,
        },
    )


def list_rules() -> list[RulesCard]:
    """List the titles that can be played here."""
    return [_rules_card(rules) for rules in RULES.values()]


def first_lesson() -> dict[str, Any] | None:
    """Return the first game that can be learned by a lesson, and how many moves that takes."""
    taught = ((rules.name, rules.lesson) for rules in RULES.values())
    return next(({"rules": name, "count": len(lesson.steps)} for name, lesson in taught if lesson), None)


def _rules_card(rules: AnyRules) -> RulesCard:
    least, most = min(rules.players), max(rules.players)
    aim = rules.words.summary(rules.options(), least)[:1]
    return RulesCard(
        rules=rules.name,
        title=render_phrase(rules.words.title, {}),
        least=least,
        most=most,
        aim=" ".join(render_phrase(line, {}) for line in aim),
        cover=cover(rules),
    )


def list_quick_starts() -> list[QuickStart]:
    """The games that begin with one button."""
    named = rules_titles()
    return [QuickStart(name, named[name], quick_bot_count(rules)) for name, rules in RULES.items()]


def quick_bot_count(rules: AnyRules) -> int:
    """Return how many bots sit at such a table."""
    return min(MOST_QUICK_BOTS, max(rules.players) - 1)


def _waiting_question(asked: questions.Asked) -> WaitingQuestion:
    question = asked.question
    groups = () if question is None else of_question(asked.rules, asked.position.state, question, asked.names)
    return WaitingQuestion(
        GameOverview(asked.row.game),
        asked.row.question,
        asked.says(),
        asked.row.due_at,
        tuple(each.text for each in asked.why()) if asked.row.why else (),
        groups if len(groups) <= _ROWS and not asked.forms() else (),
        _picture(asked),
    )


def _picture(asked: questions.Asked) -> SafeString | None:
    """The table at which a question is asked; a stand-in reads of the player."""
    if asked.position.state is None:
        return None
    seat = SeatNumber(asked.row.seat)
    view = asked.rules.view(asked.position.state, seat)
    return picture.inline(asked.rules, view, asked.names, seat if asked.row.own else None)


def _waiting_invitation(invitation: Invitation) -> WaitingInvitation:
    inviter = isolated(invitation.inviter.name)
    return WaitingInvitation(GameOverview(invitation.game), inviter, links.page_of_invitation(invitation.pk))


def _overviews(games: QuerySet[Game]) -> list[GameOverview]:
    return [GameOverview(game) for game in games]
