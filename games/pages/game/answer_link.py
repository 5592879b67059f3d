"""The page behind a link in an email: one question for one account, with a button.

The link is the only authorization, and is valid for this question only. Opening it changes nothing, so link scanners do
no harm: only the button sends a move. Once the question is closed, the page shows the public events since then.
"""

import logging
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import override
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_http_methods

from accounts.models import Account
from config.core import clock
from games.announcements import email_blocks
from games.deadlines import deadline_words
from games.engine import Question
from games.models import Game, Move, OpenQuestion
from games.pages.shared import page_words
from games.pages.shared.secret_pages import render_secret_page
from games.pages.shared.views import posted_notation, resolve_now, submit_with_plan
from games.play.submit import MAX_TEXT_LENGTH, WrittenMove
from games.refusals import Refusal
from games.text import links
from games.visibility.player_view import PlayerView, answers_for
from notifications.content.rendered_notification import Answer

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Link:
    """The question and the account of a link."""

    token: str
    game: Game
    question: str
    account: Account

    @property
    def path(self) -> str:
        return reverse("pages:answer", args=[self.token])


@never_cache
@csrf_protect
@require_http_methods(["GET", "HEAD", "POST"])
def answer_page(request: HttpRequest, token: str, number: int = 0) -> HttpResponse:
    """Show a question with its answers, show one answer with a button, or send an answer."""
    now = clock.now()
    link = _link_of(token)
    with override(link.account.language):
        if request.method == "POST":
            number_text, notation = request.POST.get("answer", ""), posted_notation(request, MAX_TEXT_LENGTH)
            return _answer(link, number_text, notation, request.POST.get("then", ""), now)
        return _render_page(request, link, number)


def _link_of(token: str) -> _Link:
    """Return the question and the account of a token, as long as the account answers for the seat. Otherwise raise
    Http404.
    """
    match links.parse(token):
        case links.QuestionPage(game_id, question, account):
            game = Game.objects.prefetch_related("seats__account").filter(pk=game_id).first()
            seat = answers_for(game, account) if game else None
            if game is not None and seat is not None and question.startswith(f"{seat}."):
                seat_row = next(seat_row for seat_row in game.seats.all() if seat_row.number == seat)
                if seat_row.account is not None and seat_row.account.is_active:
                    return _Link(token, game, question, seat_row.account)
    raise Http404


def _view_of(link: _Link) -> PlayerView:
    seat = answers_for(link.game, link.account.pk)
    assert seat is not None
    return PlayerView(link.game, seat, link.account)


def _question(player_view: PlayerView, link: _Link) -> Question | None:
    """Return the question of the link while it is open."""
    return next((question for question in player_view.questions() if question.id == link.question), None)


def _answer(link: _Link, number_text: str, notation: str, plan: str, now: datetime) -> HttpResponse:
    """Store an answer, selected by number or typed, and a plan for the next turn. Then redirect to the page."""
    player_view = _view_of(link)
    question = _question(player_view, link)
    answer = None if question is None else _by_number(player_view.offered(question), number_text)
    text = notation if answer is None else answer.notation
    if text and question is not None:
        try:
            submit_with_plan(link.game, link.account, WrittenMove(link.question, text), plan, now)
        except Refusal as refusal:
            logger.info("an answer by page was refused: %s", refusal.code)
        else:
            resolve_now(link.game, now)
    return HttpResponseRedirect(link.path, status=303)


def _by_number(answers: tuple[Answer, ...], number_text: str) -> Answer | None:
    """Return the answer with this number, or None."""
    if not (
        number_text.isascii()
        and number_text.isdigit()
        and len(number_text) < 6
        and 1 <= int(number_text) <= len(answers)
    ):
        return None
    return answers[int(number_text) - 1]


def _render_page(request: HttpRequest, link: _Link, number: int) -> HttpResponse:
    player_view = _view_of(link)
    question = _question(player_view, link)
    context = _closed(player_view, link) if question is None else _open(player_view, link, question, number)
    return render_secret_page(
        request, "games/answer.html", link.account.language, {"title": player_view.subject, **context}
    )


def _open(player_view: PlayerView, link: _Link, question: Question, number: int) -> dict[str, Any]:
    """Return the context for an open question. With a number, only that answer is shown."""
    row = OpenQuestion.objects.filter(game=link.game, question=link.question).first()
    offered = player_view.offered(question)
    answer = _by_number(offered, str(number))
    sent = _latest(link)
    return {
        "headline": email_blocks.question_text(player_view, question),
        "where": player_view.subject,
        "due": email_blocks.until_when(player_view, question, row.due_at, clock.now()) if row else "",
        "why": deadline_words.why_not_simply(row, link.game, player_view.rules, link.account) if row else (),
        "sent": page_words.move_result(player_view, sent) if sent else "",
        "chosen": answer,
        "chosen_number": number,
        "button": page_words.answer_button(),
        "others": page_words.all_answers_link(),
        "path": link.path,
        "answers": () if answer else list(enumerate(offered, start=1)),
        "forms": player_view.forms(question),
        **page_words.second_question(player_view, question),
        "table": player_view.table(),
    }


def _closed(player_view: PlayerView, link: _Link) -> dict[str, Any]:
    """Return the context for a closed question: how it was closed, and the public events since then."""
    sent = _latest(link)
    answered = Move.objects.filter(
        game=link.game, seat=player_view.own_seat, question=link.question, state=Move.State.APPLIED
    ).first()
    return {
        "headline": page_words.closed_question(player_view, answered),
        "sent": page_words.move_result(player_view, sent) if sent and sent.state != Move.State.APPLIED else "",
        "story_title": page_words.events_since(),
        "story": player_view.public_story(answered.id if answered else None),
    }


def _latest(link: _Link) -> Move | None:
    """Return the account's last answer to the question, in any state."""
    moves = Move.objects.filter(game=link.game, account=link.account, question=link.question)
    return moves.order_by("-received_at", "-id").first()
