"""The content of replies to email about a game. They go to the account's own address, in the game's thread."""

from datetime import datetime
from typing import Final

import msgspec
from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import Account
from config.core.email_spellings import readable
from games import links
from games.announcements import table_emails
from games.announcements.batches import THREAD
from games.announcements.email_blocks import (
    answer_page,
    linked_answers,
    only_aimed_link,
    playing_again,
    seat_links,
    until_when,
    who_won,
    with_picture,
)
from games.engine import Phrase, Question, SeatNumber
from games.mail.commands import Pause, Vote
from games.models import ChatMessage, Game, OpenQuestion
from games.phrases import isolated, player, render_phrase
from games.visibility.player_view import PlayerView
from notifications.content import Block, Link, Links, Prose, RenderedNotification, answerable
from notifications.mail_parsing.parser import Reply
from notifications.models import Notification

_LONGEST_LINE: Final = 100
"""The length to which the sender's own words are quoted."""


def reply_to(mail: Reply, rendered: RenderedNotification) -> RenderedNotification:
    """Return a notification as a reply to an email."""
    return msgspec.structs.replace(rendered, in_reply_to=mail.message_id, references=mail.references)


def nothing_done(player_view: PlayerView, why: Phrase, line: str, now: datetime) -> RenderedNotification:
    """Return why an email changed nothing, with the open question and its deadline."""
    sentences = [render_phrase(why, player_view.names)]
    if line:
        sentences.append(_("We read: %(line)s") % {"line": isolated(line[:_LONGEST_LINE])})
    return _with_question(player_view, _("Your email changed nothing."), tuple(sentences), now)


def unclear(player_view: PlayerView, answer: str, text: str, now: datetime) -> RenderedNotification:
    """Return the answer that was read, and the text because of which it was not played."""
    return _with_question(player_view, _("Your email changed nothing."), both_readings(answer, text), now)


def both_readings(answer: str, text: str) -> tuple[str, ...]:
    """Return sentences with an answer and the text that made it unclear, and how to reply."""
    return (
        _("We read this answer: %(answer)s") % {"answer": isolated(answer[:_LONGEST_LINE])},
        _("This text could cancel or change it: %(text)s") % {"text": isolated(text[:_LONGEST_LINE])},
        _("If you mean the answer, reply with just the answer and nothing else."),
    )


def resignation_question(player_view: PlayerView, how: Phrase) -> RenderedNotification:
    """Ask the player to confirm a resignation."""
    return answerable(
        notification(player_view, _("Do you want to resign?"), Prose((render_phrase(how, player_view.names),)))
    )


def resigned(player_view: PlayerView) -> RenderedNotification:
    """Confirm a resignation."""
    headline = _("You’ve resigned from %(game)s, game %(code)s.") % player_view.name_values
    sentence = _("The others play on. We’ll tell you who wins.")
    page = Link(_("Open the game"), links.game_page(player_view.game.id))
    return notification(player_view, headline, Prose((sentence,)), page)


def came_back(player_view: PlayerView) -> RenderedNotification:
    """Confirm that the player has the seat back."""
    own_email = _("We send each question in its own email.")
    next_question = own_email if player_view.questions() else _("We’ll ask you when it’s time.")
    return notification(
        player_view,
        _("You’re answering for yourself again."),
        Prose((next_question,)),
        player_view.story(),
        player_view.table(),
    )


def asked_only_aimed(player_view: PlayerView, enabled: bool) -> RenderedNotification:
    """Confirm which questions the player is asked from now on."""
    if enabled:
        headline = _("From now on, we’ll only ask you what concerns you.")
        more = _(
            "Darbar allows moves that don’t concern you, in this game and in those that start from now on. Other "
            "players can’t tell. To be asked everything again, reply “ask all”."
        )
    else:
        headline = _("We’ll ask you everything again.")
        more = _("This applies to this game and to those that start from now on.")
    return answerable(notification(player_view, headline, Prose((more,)), Links(only_aimed_link(player_view))))


def chat_receipt(player_view: PlayerView, chat_message: ChatMessage) -> RenderedNotification:
    """Confirm a chat message."""
    line = isolated(chat_message.text[:_LONGEST_LINE])
    if chat_message.to is None:
        sentence = _("You wrote to all: %(text)s") % {"text": line}
    else:
        sentence = _("You wrote just to %(other)s: %(text)s")
        sentence %= {"other": player(SeatNumber(chat_message.to), player_view.names), "text": line}
    return notification(player_view, _("Your message was sent."), Prose((sentence,)))


def vote_taken(player_view: PlayerView, command: Pause | Vote) -> RenderedNotification:
    """Confirm a vote on a pause."""
    match command:
        case Pause():
            sentence = _("We asked the others for a pause.")
        case Vote("agree"):
            sentence = _("You agree to the pause.")
        case Vote("decline"):
            sentence = _("There won’t be a pause. We don’t say who didn’t agree.")
        case _:
            sentence = _("You agree to go on with the game.")
    return notification(player_view, _("We have your answer."), Prose((sentence,)))


def message_refused(player_view: PlayerView, why: Phrase, text: str) -> RenderedNotification:
    """Return why a chat message was not sent."""
    quote = _("We read: %(line)s") % {"line": isolated(text[:_LONGEST_LINE])}
    return answerable(
        notification(player_view, _("Your message wasn’t sent."), Prose((render_phrase(why, player_view.names), quote)))
    )


def nothing_asked(player_view: PlayerView) -> RenderedNotification:
    """Reply to a player who wants a question again while none is open."""
    headline = _why_nothing_is_asked(player_view)
    return notification(player_view, headline, *_next_game(player_view), player_view.story(), player_view.table())


def _next_game(player_view: PlayerView) -> tuple[Block, ...]:
    """Return how to play again after the end of a game."""
    return playing_again(player_view) if player_view.game.state == Game.State.OVER else ()


def _why_nothing_is_asked(player_view: PlayerView) -> str:
    if player_view.game.state == Game.State.OVER:
        return who_won(player_view)
    return _("There’s no question for you right now.")


def unknown_sender(
    player_view: PlayerView, sender: str, question: Question | None, number: int, second_address: str = ""
) -> RenderedNotification:
    """Tell the player about an email from an address that is not theirs. Only a page can confirm such an email.

    ``second_address`` is the token of the page that lets this address answer, or a blank text.
    """
    sentence = _("We got an email from %(sender)s, which isn’t your address. Was it you?")
    sentence %= {"sender": isolated(readable(sender) or "?")}
    advice = _("If it was you, write from the address of your account.")
    rendered = _unconfirmed(player_view, sentence, advice, question, number)
    if not second_address:
        return rendered
    page = f"{settings.PUBLIC_URL}{reverse('second-address', args=[second_address])}"
    ask = Prose((_("Do you want to answer from this address, too?"),))
    return msgspec.structs.replace(rendered, blocks=(*rendered.blocks, ask, Link(_("Let this address answer"), page)))


def unknown_address(player_view: PlayerView, question: Question | None, number: int) -> RenderedNotification:
    """Tell the player about an email from their address that answers an email to another account, such as the former
    player of the seat. Only a page can confirm such an email.
    """
    sentence = _("We got an email from your address that answers an email to another account. Was it you?")
    advice = _("If it was you, reply to an email that we’ve sent to you.")
    return _unconfirmed(player_view, sentence, advice, question, number)


def _unconfirmed(
    player_view: PlayerView, sentence: str, advice: str, question: Question | None, number: int
) -> RenderedNotification:
    blocks: list[Block] = [Prose((sentence, _("Nothing has changed.")))]
    if question is None:
        blocks.append(Prose((advice,)))
    else:
        page = links.question_page(player_view.game.id, question.id, player_view.reader.pk, number)
        blocks.append(Prose((_("If it was you, confirm it on this page. If not, ignore this email."),)))
        blocks.append(Link(_("Answer on a page"), page))
    return notification(player_view, _("Was this email from you?"), *blocks)


def no_longer_asked(game: Game, account: Account) -> RenderedNotification:
    """Tell a former player, or a former stand-in, that they no longer answer in a game."""
    headline = _("You no longer answer questions in %(game)s, game %(code)s.")
    return table_emails.rendered(game, account, headline, Prose((_("Your email changed nothing."),)))


def digest_reply_refused(digest: Notification, code: str, unclear_text: str = "") -> RenderedNotification:
    """Tell a player how to reply to an email with several questions.

    ``code`` is the code of one of its games. ``unclear_text`` is the text below the answers that may change them.
    """
    assert digest.account is not None
    sentence = _("The email that you replied to has several questions. Use the links under each of them.")
    if code:
        sentence = _(
            "The email that you replied to has several questions. Write a line for each answer. Start it with the "
            "code of its game, for example %(line)s. Or use the links under each question."
        ) % {"line": isolated(f"{code}: 1")}
    if unclear_text:
        sentence = _("This text could cancel or change your answers: %(text)s Send the answers again without it.") % {
            "text": isolated(unclear_text[:_LONGEST_LINE])
        }
    return RenderedNotification(
        language=digest.account.language,
        subject=digest.content().subject,
        headline=_("Your email changed nothing."),
        blocks=(Prose((sentence,)),),
        thread=THREAD,
    )


def _with_question(
    player_view: PlayerView, headline: str, sentences: tuple[str, ...], now: datetime
) -> RenderedNotification:
    """Return a notification that asks the open question again. A reply to it answers the question."""
    question = next(iter(player_view.questions()), None)
    if question is None:
        sentences = (*sentences, _why_nothing_is_asked(player_view))
        return notification(player_view, headline, Prose(sentences), *_next_game(player_view), player_view.story())
    asking = answerable(
        notification(
            player_view,
            headline,
            Prose(sentences),
            Prose((player_view.asks(question), *_deadline(player_view, question, now))),
            linked_answers(player_view, question),
            *answer_page(player_view, question),
            player_view.story(),
            player_view.blank_picture(),
            player_view.table(),
            Links(seat_links(player_view)),
        )
    )
    asking = msgspec.structs.replace(asking, reply_to=player_view.question_address(question))
    return with_picture(asking, player_view)


def _deadline(player_view: PlayerView, question: Question, now: datetime) -> tuple[str, ...]:
    """Return a sentence with the deadline of an open question."""
    row = OpenQuestion.objects.filter(game=player_view.game, question=question.id).first()
    return () if row is None else (until_when(player_view, question, row.due_at, now),)


def notification(player_view: PlayerView, headline: str, *blocks: Block) -> RenderedNotification:
    """Return a notification in the game's thread without a question. A reply to it may give any command of the seat."""
    return RenderedNotification(
        language=player_view.reader.language,
        subject=player_view.subject,
        headline=headline,
        blocks=blocks,
        reply_to=player_view.seat_address,
    )
