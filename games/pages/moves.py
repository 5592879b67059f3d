"""Moves: answering a question on the page of its game or by a link in an email, and resigning.

The link is the only authorization of its page, and is valid for one question and one account. Opening it changes
nothing, so link scanners do no harm: only the button sends a move. Once the question is closed, the page shows the
public events since then.
"""

import logging
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override, pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_http_methods

from accounts.models import Account
from accounts.web.requests import AccountHttpRequest
from config.core import clock
from games import links
from games.announcements import email_blocks, setbacks
from games.deadlines import deadline_words
from games.engine import Notation, Phrase, Question
from games.engine.record import RESIGNATION
from games.models import Game, Move, OpenQuestion
from games.pages.game_views import confirmation, game_action
from games.pages.posted_forms import PAGE, posted_notation, posted_text, resolve_now
from games.pages.secret_pages import render_secret_page
from games.phrases import render_phrase
from games.play import plans
from games.play.submit import MAX_TEXT_LENGTH, WrittenMove, store_move
from games.refusals import Refusal
from games.visibility import picture
from games.visibility.access import GameAccess
from games.visibility.player_view import PlayerView
from games.visibility.seats import answering_seat
from games.visibility.words import group_answers
from notifications.content import Answer


def second_question(player_view: PlayerView, question: Question) -> dict[str, Any]:
    """Return the template context for choosing the next turn together with an answer.

    On the page that a link in an email opens, the choice is unfolded if the reader is next. On the page of the game it
    is always folded.
    """
    is_next = player_view.is_next(question)
    label = _("You’re next. You can choose your turn now too:") if is_next else _("Choose your next turn now too")
    return {"seconds": player_view.second_answers(question), "then": label, "then_folded": not is_next}


def answer_button() -> str:
    """Return the label of the button that sends an answer."""
    return _("Play this move")


def all_answers_link() -> str:
    """Return the label of the link to all answers."""
    return _("All answers")


def events_since() -> str:
    """Return the title of the events after a question was closed."""
    return _("What happened then")


def closed_question(player_view: PlayerView, answered: Move | None) -> str:
    """Return a sentence that says how a question was closed."""
    if answered is None:
        sentence = _("This question in %(game)s, game %(code)s, is closed: an answer is no longer needed.")
    elif answered.via == Move.Via.TIMEOUT:
        sentence = _("This question in %(game)s, game %(code)s, is closed: it timed out, and Darbar moved for you.")
    else:
        sentence = _("This question in %(game)s, game %(code)s, is closed: you’ve answered it.")
    return sentence % player_view.name_values


def waiting_move(game: Game) -> str:
    """Return the text about an answer that is not resolved yet."""
    if game.stalled_since is not None:
        return _(setbacks.NOT_YET)
    return _("We have your answer, and it will be processed in a moment.")


def move_result(player_view: PlayerView, move: Move) -> str:
    """Return the result of an answer that did not close its question."""
    if move.state == Move.State.RECEIVED:
        return waiting_move(player_view.game)
    if move.state == Move.State.FAILED:
        return _("Something went wrong on the server, so this move wasn’t played. The operator has been told.")
    phrase = msgspec.json.decode(move.phrase, type=Phrase) if move.phrase else None
    return render_phrase(phrase, player_view.names) if phrase else ""


@game_action
def answer_question(request: AccountHttpRequest, access: GameAccess) -> HttpResponse:
    """Answer a question by number or in notation. The result is shown on the page of the game."""
    now = clock.now()
    text = posted_text(request, "answer", MAX_TEXT_LENGTH + 1) or posted_notation(request, MAX_TEXT_LENGTH + 1)
    submission = WrittenMove(posted_text(request, "question", 20), text)
    move = _submit_with_plan(
        access.game, access.account, submission, posted_text(request, "then", MAX_TEXT_LENGTH + 1), now
    )
    resolve_now(access.game, now)
    move.refresh_from_db()
    _add_message(request, access, move)
    return redirect("pages:game", access.game.pk)


def _submit_with_plan(game: Game, account: Account, answer: WrittenMove, plan: str, now: datetime) -> Move:
    """Store a move and, if one was chosen, a plan, in one transaction. Raises Refusal."""
    with transaction.atomic():
        move = store_move(game, account, answer, PAGE, now)
        if plan:
            plans.store_plan(game.pk, account, Notation(plan), now, via=PAGE)
    return move


def _add_message(request: AccountHttpRequest, access: GameAccess, move: Move) -> None:
    """Add a message about the result of an answer. If it can be sent again, the page shows its result beside the
    question.
    """
    if move.state == Move.State.APPLIED:
        messages.success(request, _("Move played."), extra_tags="unseen")  # The board shows it.
    elif move.code == "question-closed":
        player_view = PlayerView(access.game, access.plays, access.account, access.viewer)
        assert access.plays is not None
        played = Move.objects.filter(
            game=access.game, seat=access.plays, question=move.question, state=Move.State.APPLIED
        ).first()
        messages.info(request, closed_question(player_view, played))
    elif move.state == Move.State.RECEIVED:
        messages.info(request, waiting_move(Game.objects.get(pk=access.game.pk)))
    elif move.state == Move.State.FAILED:
        messages.error(
            request, _("Something went wrong on the server, so this move wasn’t played. The operator has been told.")
        )


@game_action
def _resign(request: AccountHttpRequest, access: GameAccess) -> HttpResponse:
    now = clock.now()
    move = store_move(access.game, access.account, WrittenMove("", RESIGNATION), PAGE, now)
    resolve_now(access.game, now)
    move.refresh_from_db()
    player_view = PlayerView(access.game, access.seat, access.account, access.viewer)
    if move.state == Move.State.APPLIED:
        messages.success(request, _("You’ve resigned."))
    else:
        messages.info(request, move_result(player_view, move))
    return redirect("pages:game", access.game.pk)


@require_http_methods(["GET", "HEAD", "POST"])
def resign(request: AccountHttpRequest, game: UUID) -> HttpResponse:
    """Resign from the game, after a confirmation."""
    if request.method == "POST":
        return _resign(request, game)
    return confirmation(
        request,
        game,
        title=pgettext("title of a page or section", "Resign?"),
        sentence=_("You can’t undo this. You lose everything you hold, and the others play on without you."),
        button=pgettext("button", "Resign"),
    )


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
            seat = answering_seat(game, account) if game else None
            if game is not None and seat is not None and question.startswith(f"{seat}."):
                seat_row = next(seat_row for seat_row in game.seats.all() if seat_row.number == seat)
                if seat_row.account is not None and seat_row.account.is_active:
                    return _Link(token, game, question, seat_row.account)
    raise Http404


def _view_of(link: _Link) -> PlayerView:
    seat = answering_seat(link.game, link.account.pk)
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
            _submit_with_plan(link.game, link.account, WrittenMove(link.question, text), plan, now)
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
        "sent": move_result(player_view, sent) if sent else "",
        "chosen": answer,
        "chosen_number": number,
        "button": answer_button(),
        "others": all_answers_link(),
        "path": link.path,
        "groups": () if answer else group_answers(player_view.rules, player_view.state, question, player_view.names),
        "picture": picture.part_of_page(player_view.rules, player_view.board) if player_view.board else None,
        "picture_style": picture.style_address(player_view.rules),
        "forms": player_view.forms(question),
        **second_question(player_view, question),
        "table": player_view.table(),
    }


def _closed(player_view: PlayerView, link: _Link) -> dict[str, Any]:
    """Return the context for a closed question: how it was closed, and the public events since then."""
    sent = _latest(link)
    answered = Move.objects.filter(
        game=link.game, seat=player_view.own_seat, question=link.question, state=Move.State.APPLIED
    ).first()
    return {
        "headline": closed_question(player_view, answered),
        "sent": move_result(player_view, sent) if sent and sent.state != Move.State.APPLIED else "",
        "story_title": events_since(),
        "story": player_view.public_story(answered.id if answered else None),
    }


def _latest(link: _Link) -> Move | None:
    """Return the account's last answer to the question, in any state."""
    moves = Move.objects.filter(game=link.game, account=link.account, question=link.question)
    return moves.order_by("-received_at", "-id").first()
