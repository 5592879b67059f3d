"""The home page: an introduction for visitors, and open questions for accounts."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import SimpleLazyObject
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from accounts.models import Account
from accounts.web.requests import compressed_for_visitors
from config.core import clock
from games import links
from games.engine import AnyRules, SeatNumber
from games.event_log import log_store
from games.models import Game, Invitation
from games.pages import cards
from games.pages.game_views import is_attended
from games.pages.posted_forms import new_key
from games.pages.seeks import list_searches
from games.pages.titles import GameOverview, cover, lesson_length, list_rules, rules_titles
from games.phrases import isolated, render_phrase
from games.play import questions
from games.rules.registry import RULES, find_rules
from games.tables import invitations
from games.tables.rematch import open_offers
from games.tables.seeks import just_started, open_seeks
from games.visibility import picture
from games.visibility.access import visible
from games.visibility.words import Group, group_answers

RECENT_GAMES: Final = 5
"""The number of finished games that are shown."""
WATCHED_GAMES: Final = 3
"""The number of games of others that are shown to accounts without a running game."""
_ROWS: Final = 12
"""A question with more rows of answers has a link to its game in place of buttons."""
MOST_QUICK_BOTS: Final = 3
"""The maximum number of bots in the games that can be started with one button."""


@dataclass(frozen=True)
class WaitingQuestion:
    """An open question on the home page."""

    overview: GameOverview
    question: str
    says: str
    due_at: datetime
    why: tuple[str, ...]
    """The reasons for a deadline that depends on more than the time limit."""
    groups: tuple[Group, ...]
    """The answers, or empty if there are too many or some have forms. The page of the game shows those."""
    picture: SafeString | None


@dataclass(frozen=True)
class WaitingInvitation:
    """An open invitation on the home page."""

    overview: GameOverview
    inviter: str
    page: str


@dataclass(frozen=True)
class RunningGame(GameOverview):
    """A game in which others are asked, and a sentence about its position."""

    status: str


@dataclass(frozen=True)
class QuickStart:
    """A game with bots that starts with one button."""

    rules: str
    title: str
    bot_count: int
    lesson: int
    """The number of moves of its lesson, or 0."""


def waiting_count(request: HttpRequest) -> dict[str, Any]:
    """Return the number of the account's open questions as ``waiting_count``, for the templates of all pages.

    The number is lazy, because some pages do not show it.
    """
    account = getattr(request, "user", None)  # An error page may be rendered before the session is read.
    if not isinstance(account, Account):
        return {}
    return {"waiting_count": SimpleLazyObject(lambda: questions.count_questions(account))}


@require_safe
@compressed_for_visitors
def home(request: HttpRequest) -> HttpResponse:
    """Show the home page."""
    if not isinstance(request.user, Account):
        context: dict[str, Any] = {"place": "home", "games": list_rules(), "key": new_key()}
        context["sign_up_open"] = settings.SIGN_UP == "open"
        context["card"] = cards.card_address("site", cards.draw_site_card())
        return render(request, "games/welcome.html", context)
    own_games = Game.objects.filter(seats__account=request.user).prefetch_related("seats__account")
    rows, now = questions.open_questions(request.user), clock.now()
    if is_attended(request):
        questions.note_seen([question.row for question in rows if question.row.own], now)
    waiting_questions = [_waiting_question(question) for question in rows]
    busy = {question.overview.game.pk for question in waiting_questions}
    running = _running_games(own_games.filter(state=Game.State.RUNNING), busy, request.user)
    return render(
        request,
        "games/home.html",
        {
            "place": "home",
            "picture_styles": [picture.style_address(rules) for rules in RULES.values()],
            "asked": waiting_questions,
            "rematches": [
                {"overview": GameOverview(rematch.game), "until": rematch.offer.until}
                for rematch in open_offers(request.user)
            ],
            "invitations": [_waiting_invitation(row) for row in invitations.waiting_for(request.user)],
            "open": _overviews(
                own_games.filter(state__in=[Game.State.OPEN, Game.State.STARTING]).order_by("-created_at")
            ),
            "running": running,
            "seeks": open_seeks(request.user),
            "entries": [] if request.user.is_guest else _other_searches(request.user),
            "watched": [] if waiting_questions or running else _games_to_watch(request.user),
            "started": just_started(request.user, now),
            "over": _overviews(
                own_games.filter(state=Game.State.OVER).order_by("-ended_at").prefetch_related("results")[:RECENT_GAMES]
            ),
            "first_cover": cover(next(iter(RULES.values()))),
            "quick": list_quick_starts(),
            "key": new_key(),
            "now": now,
        },
    )


def _other_searches(account: Account) -> list[dict[str, Any]]:
    """Return the searches of others. Those with expansions come last."""
    rows = [row for row in list_searches(account) if not row["own"]]
    return sorted(rows, key=lambda row: any(row["entry"].game.options.values()))


def _running_games(games: QuerySet[Game], busy: Collection[UUID], account: Account) -> list[RunningGame]:
    """Return the games that are not ``busy`` with their positions in words, the newest first."""
    rows = [
        game
        for game in games.order_by("-started_at")
        if game.pk not in busy and find_rules(game.rules, game.rules_version)
    ]
    positions = log_store.positions(rows)
    return [RunningGame(game, _status(game, positions[game.pk].state, account)) for game in rows]


def _status(game: Game, state: Any, account: Account) -> str:
    """Return the first sentence about the position as its player sees it."""
    rules = log_store.rules_of(game)
    seat = next(SeatNumber(seat.number) for seat in game.seats.all() if seat.account_id == account.pk)
    status = rules.words.status(rules.view(state, seat), seat) if state is not None else ()
    return next((render_phrase(phrase, game.names()) for phrase in status), "")


def _games_to_watch(account: Account) -> list[GameOverview]:
    """Return games of other people that are being played, the newest first."""
    games = visible(account).filter(state=Game.State.RUNNING).exclude(seats__account=account)
    return _overviews(games.prefetch_related("seats__account").order_by("-started_at")[:WATCHED_GAMES])


def list_quick_starts() -> list[QuickStart]:
    """Return the games that start with one button."""
    titles = rules_titles()
    return [
        QuickStart(name, titles[name], quick_bot_count(rules), lesson_length(rules)) for name, rules in RULES.items()
    ]


def quick_bot_count(rules: AnyRules) -> int:
    """Return the number of bots in a game that starts with one button."""
    return min(MOST_QUICK_BOTS, max(rules.players) - 1)


def _waiting_question(open_question: questions.PositionedQuestion) -> WaitingQuestion:
    question = open_question.question
    groups = (
        ()
        if question is None
        else group_answers(open_question.rules, open_question.position.state, question, open_question.names)
    )
    return WaitingQuestion(
        GameOverview(open_question.row.game),
        open_question.row.question,
        open_question.sentence(),
        open_question.row.due_at,
        tuple(reason.text for reason in open_question.deadline_reasons()) if open_question.row.why else (),
        groups if len(groups) <= _ROWS and not open_question.forms() else (),
        _picture(open_question),
    )


def _picture(open_question: questions.PositionedQuestion) -> SafeString | None:
    """Return the picture of the game. For a stand-in it does not call the player "you"."""
    if open_question.position.state is None:
        return None
    seat = SeatNumber(open_question.row.seat)
    view = open_question.rules.view(open_question.position.state, seat)
    return picture.inline(open_question.rules, view, open_question.names, seat if open_question.row.own else None)


def _waiting_invitation(invitation: Invitation) -> WaitingInvitation:
    inviter = isolated(invitation.inviter.name)
    return WaitingInvitation(GameOverview(invitation.game), inviter, links.invitation_page(invitation.pk))


def _overviews(games: QuerySet[Game]) -> list[GameOverview]:
    return [GameOverview(game) for game in games]
