"""The parts of emails about games: deadlines, answers with their links, the end of a game, and absence."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games import links
from games.engine import Question, SeatNumber
from games.engine.analysis import can_be_analysed
from games.event_log import log_store
from games.models import Game
from games.phrases import isolated, names_of, number, period, plan_line, render_phrase
from games.visibility.picture import MOST
from games.visibility.player_view import PlayerView
from games.visibility.words import Form, group_answers, short_code
from notifications.content import Answer, Answers, Block, Footnote, Link, Links, Picture, Prose, RenderedNotification
from notifications.email.message import ENCODED, size_at_most

MANY: Final = 16
"""More answers are listed in rows without links, to keep the email small."""


FEW: Final = 6
"""More turns are not listed with a question, to keep the email small."""
LIMIT: Final = 40_000
"""The maximum size of an email with a question in bytes, including its picture."""
_ROUNDED: Final = 6
"""Bytes that base64 may add: for its last group of three bytes, and for its last line."""


def question_text(player_view: PlayerView, question: Question) -> str:
    """Return a question. For a stand-in it begins with the player's name."""
    sentence = player_view.asks(question)
    if player_view.for_another:
        return _("For %(player)s: %(question)s") % {**player_view.name_values, "question": sentence}
    return sentence


def until_when(player_view: PlayerView, question: Question, due_at: datetime, now: datetime) -> str:
    """Return the deadline of a question and its default move, or that nothing needs to be done if only one move is
    possible.
    """
    return only_move(player_view, question, due_at, now) or _reply_by(player_view, question, due_at, now)


def _reply_by(player_view: PlayerView, question: Question, due_at: datetime, now: datetime) -> str:
    """Return the deadline of a question, the time until then, and the move that is played after it."""
    values = {"due": player_view.moment(due_at), "left": period(due_at - now)}
    due = _("Reply by %(due)s (in %(left)s).") if due_at > now else _("Reply by %(due)s.")
    default = player_view.default_label(question)
    if default is None:
        after = _("After that Darbar picks a move for you.")
    else:
        after = _("After that Darbar plays “%(move)s” for you.") % {"move": default}
    return f"{due % values} {after}"


def only_move(player_view: PlayerView, question: Question, due_at: datetime, now: datetime) -> str:
    """Return the sentence for a question with one answer, which is played automatically, or a blank text."""
    offered = player_view.offered(question)
    if len(offered) != 1 or player_view.forms(question):
        return ""
    values = {"due": player_view.moment(due_at), "left": period(due_at - now), "move": offered[0].label}
    if due_at > now:
        sentence = _(
            "Only one move is possible. Confirm it, or Darbar plays “%(move)s” for you on %(due)s (in %(left)s)."
        )
    else:
        sentence = _("Only one move is possible. Confirm it, or Darbar plays “%(move)s” for you on %(due)s.")
    return sentence % values


def linked_answers(player_view: PlayerView, question: Question) -> Answers:
    """Return the answers of a question with their links. Many answers are grouped by their common words."""
    offered, forms = player_view.offered(question), player_view.forms(question)
    examples = [
        answer
        for form in forms
        for answer in (Answer("", form.example, form.title), *(Answer("", "", line) for line in form.slot_lines))
    ]
    if len(offered) > MANY:
        return Answers(_reply_by_number(), (*_rows(player_view, question), *examples))
    address, numbers = player_view.question_address(question), range(1, len(offered) + 1)
    pages = links.question_pages(player_view.game.id, question.id, player_view.reader.pk, numbers)
    linked = tuple(
        # The number is enough for a reply, so the notation is left out.
        msgspec.structs.replace(
            answer,
            notation="",
            page=page,
            mail=links.reply_link(address, player_view.short_code, str(index)),
        )
        for index, answer, page in zip(numbers, offered, pages, strict=True)
    )
    return Answers(_how_to_reply(len(linked), forms), (*linked, *examples), _("answer by email"))


def _how_to_reply(answer_count: int, forms: Sequence[Form]) -> str:
    """Return the title above the answers."""
    if forms:
        return _("Reply with your move, for example “%(move)s”") % {"move": isolated(forms[0].example)}
    return _("Your only move") if answer_count == 1 else _reply_by_number()


def second_question(player_view: PlayerView, question: Question) -> tuple[Answers | Prose, ...]:
    """Return the turns that can be chosen together with an answer, with links for the next player.

    If there are many, or for other players, return a line that explains how to add a turn. Nothing if no turn can be
    chosen.
    """
    seconds, first = player_view.second_answers(question), _default_number(player_view, question)
    if not seconds:
        return ()
    is_next = player_view.is_next(question)
    if first is None or len(seconds) > FEW or not is_next:
        if is_next:
            sentence = _("You’re next. Add your turn below your move too, or choose it on the page. Example: %(plan)s")
        else:
            sentence = _(
                "Already know your next turn? Add it below your move, or choose it on the page. Example: %(plan)s"
            )
        return (Prose((sentence % {"plan": isolated(plan_line(player_view.rules, seconds[0].notation))},)),)
    title = _("You’re next. After “%(move)s”, add your turn on the line below:") % {
        "move": player_view.default_label(question)
    }
    address = player_view.question_address(question)
    return (
        Answers(title, tuple(_both(player_view, second, address, first) for second in seconds), _("answer by email")),
    )


def _both(player_view: PlayerView, second: Answer, address: str, first: int) -> Answer:
    line = plan_line(player_view.rules, second.notation)
    mail = links.reply_link(address, player_view.short_code, f"{first}\n{line}")
    return msgspec.structs.replace(second, notation=line, mail=mail)


def _default_number(player_view: PlayerView, question: Question) -> int | None:
    """Return the number of the default move, or None if it is random."""
    default = player_view.default_label(question)
    labels = [answer.label for answer in player_view.offered(question)]
    return labels.index(default) + 1 if default in labels else None


def _rows(player_view: PlayerView, question: Question) -> Iterator[Answer]:
    """Yield answers that differ in one word only as one row, each with its number: “… from: 1. Omid, 2. Zoë”."""
    between = pgettext("between answers", ", ")
    groups = group_answers(player_view.rules, player_view.state, question, player_view.names)
    for group in groups:
        choices = [f"{number(choice.number)}. {choice.short}" for choice in group.choices]
        if group.heading:
            yield Answer("", "", f"{group.heading}: {between.join(choices)}")
        else:
            yield from (Answer(number(choice.number), "", choice.label) for choice in group.choices)


def _reply_by_number() -> str:
    return _("Reply with the number of your move")


def answer_page(player_view: PlayerView, question: Question) -> tuple[Link, ...]:
    """Return the page of a question. Nothing if its only answer has that link already."""
    if len(player_view.offered(question)) == 1 and not player_view.forms(question):
        return ()
    page = links.question_page(player_view.game.id, question.id, player_view.reader.pk)
    return (Link(_("Answer on a page"), page),)


def seat_links(player_view: PlayerView) -> tuple[Link, ...]:
    """Return links for commands that are possible by email at any time."""
    return (*chat_link(player_view), *only_aimed_link(player_view))


def chat_link(player_view: PlayerView) -> tuple[Link, ...]:
    """Return the link for sending a message by email, if that is possible. A stand-in cannot write in the chat."""
    if player_view.for_another or player_view.game.terms.chat == "none":
        return ()
    command = pgettext("command in an email", "chat")
    return (Link(_("Write in the chat"), _mailto(player_view, f"{command} ")),)


def only_aimed_link(player_view: PlayerView) -> tuple[Link, ...]:
    """Return the link for asking only questions that concern the reader, or all questions again."""
    match player_view.only_aimed():
        case True:
            command = pgettext("command in an email", "ask all")
            return (Link(_("Ask me everything again"), _mailto(player_view, command)),)
        case False:
            command = pgettext("command in an email", "ask less")
            return (Link(_("Only ask me when it concerns me"), _mailto(player_view, command)),)
    return ()


def _mailto(player_view: PlayerView, body: str) -> str:
    """Return a link to an email to the reader's seat."""
    return links.reply_link(player_view.seat_address, player_view.subject, body)


def how_to_answer(player_view: PlayerView, question: Question) -> Footnote:
    """Return the small print under a question about the other replies that are possible."""
    replies = [_("“?” (ask again)"), *_chat_reply(player_view)]
    # A stand-in only answers questions.
    if not player_view.for_another:
        if player_view.rules.plans is not None:
            replies.append(pgettext("reply to an email", "“plans”"))
        replies += pgettext("reply to an email", "“pause”"), pgettext("reply to an email", "“resign”")
    lines = [_other_replies(*replies)]
    if len(player_view.offered(question)) == 1 and not player_view.forms(question):
        lines.insert(0, _("To confirm the move, reply “1”."))
    return Footnote(tuple(lines), explains_reply=True)


def how_to_chat(player_view: PlayerView) -> tuple[Footnote, ...]:
    """Return the small print about the chat in an email without a question."""
    return tuple(Footnote((_other_replies(reply),)) for reply in _chat_reply(player_view))


def _chat_reply(player_view: PlayerView) -> tuple[str, ...]:
    return (pgettext("reply to an email", "“chat …”"),) if chat_link(player_view) else ()


def _other_replies(*replies: str) -> str:
    between = pgettext("between the items of a list", ", ")
    return _("Other replies: %(replies)s.") % {"replies": between.join(replies)}


def how_to_answer_several() -> str:
    """Return the sentence about replies to several questions."""
    return _(
        "To answer by email, write a line for each answer. Start it with the code of its game, for example “VED4: 3”. "
        "Or use the links under each question."
    )


def with_picture(rendered: RenderedNotification, player_view: PlayerView) -> RenderedNotification:
    """Return a notification with its picture drawn small enough for an email of at most ``LIMIT`` bytes.

    The blank picture in ``rendered`` marks the place.
    """
    if not rendered.pictures:
        return rendered
    max_bytes = LIMIT - size_at_most(rendered) - _ROUNDED
    pictures = player_view.pictures(min(int(max_bytes * ENCODED), MOST))
    blocks: list[Block] = []
    for block in rendered.blocks:
        blocks += pictures if isinstance(block, Picture) else (block,)
    return msgspec.structs.replace(rendered, blocks=tuple(blocks))


def who_won(player_view: PlayerView) -> str:
    """Return the headline about the winners."""
    outcome = player_view.rules.outcome(player_view.state)
    winners = () if outcome is None else outcome.winners
    others = [seat for seat in winners if seat != player_view.seat or player_view.for_another]
    values = {**player_view.name_values, "winners": names_of(others, player_view.names)}
    if not winners:
        return _("%(game)s, game %(code)s, is over. Nobody won.") % values
    if not others:
        return _("You won %(game)s, game %(code)s!") % values
    if len(others) < len(winners):
        return _("You won %(game)s, game %(code)s, together with %(winners)s!") % values
    if len(others) > 1:
        return _("%(winners)s won %(game)s, game %(code)s, together.") % values
    return _("%(winners)s won %(game)s, game %(code)s.") % values


def looking_back(player_view: PlayerView) -> tuple[Link, ...]:
    """Return links to watch and analyse a finished game, and to check it. A practice game has no record."""
    pages = {"replay": _("Watch and analyse") if can_be_analysed(player_view.rules) else _("Watch it again")}
    if player_view.position.table is None or not player_view.position.table.practice_of:
        pages["record"] = _("Record of the game")
    return tuple(Link(label, links.game_page(player_view.game.id, name)) for name, label in pages.items())


def playing_again(player_view: PlayerView) -> tuple[Block, ...]:
    """Return how to offer a rematch. Nothing for a stand-in and for games of the arena."""
    if player_view.for_another or player_view.game.arena:
        return ()
    command = pgettext("command in an email", "rematch")
    sentence = _("To offer the others a rematch, reply “%(command)s”.") % {"command": isolated(command)}
    return (Prose((sentence,)), Link(_("Offer a rematch"), links.game_page(player_view.game.id)))


def questions_missed(times: int) -> str:
    """Return a sentence about the number of questions that the reader has missed."""
    sentence = ngettext(
        "You missed a question.",
        "You missed %(times)s questions in a row.",
        times,
    )
    return sentence % {"times": number(times)}


def terms_of_absence(game: Game) -> str:
    """Return the sentence about the consequence of missing too many questions in this game."""
    if game.terms.absence == "forfeit":
        sentence = ngettext(
            "A player who misses a question is out of the game. The first miss in a game is free.",
            "A player who misses %(misses)s questions in a row is out of the game. The first miss in a game is free.",
            game.terms.misses,
        )
    elif game.terms.absence == "invite":
        sentence = ngettext(
            "A bot sits in for a player who misses a question, and the others may invite someone to the seat. The "
            "first miss in a game is free.",
            "A bot sits in for a player who misses %(misses)s questions in a row, and the others may invite "
            "someone to the seat. The first miss in a game is free.",
            game.terms.misses,
        )
    else:
        sentence = ngettext(
            "A bot sits in for a player who misses a question, until they are back. The first miss in a game is free.",
            "A bot sits in for a player who misses %(misses)s questions in a row, until they "
            "are back. The first miss in a game is free.",
            game.terms.misses,
        )
    return sentence % {"misses": number(game.terms.misses)}


def way_back(game: Game, seat: SeatNumber, account: int) -> tuple[Block, ...]:
    """Return the sentence about how an absent player, the account on this seat, can return."""
    how = _("A bot sits in for you. To play again yourself, reply “back”.")
    subject = f"{render_phrase(log_store.rules_of(game).words.title, {})} {short_code(game)}"
    address, command = links.seat_address(game.id, seat, account), pgettext("command in an email", "back")
    page = Link(_("Open the game"), links.game_page(game.id))
    return (Prose((how,)), Links((Link(_("I’m back"), links.reply_link(address, subject, command)), page)))
