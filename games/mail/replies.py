"""Replies to mail that came in: emails in the game's thread, to the account's own address only."""

from typing import Final

import msgspec
from django.utils.translation import gettext as _

from games.announcements.digest import THREAD
from games.engine import Phrase, Question, SeatNumber
from games.mail.mail_commands import Pause, Vote
from games.models import ChatMessage
from games.text import links
from games.text.phrases import isolated, player, render_phrase
from games.visibility.player_view import Telling
from notifications.content.rendered_notification import Answers, Block, Link, Prose, RenderedNotification
from notifications.mail_parsing.parsed_mail import Reply
from notifications.models import Notification

_LONGEST_LINE: Final = 100
"""So much of what somebody wrote is repeated to them."""


def reply_to(mail: Reply, rendered: RenderedNotification) -> RenderedNotification:
    """``notice`` as an answer to a mail that its reader wrote."""
    return msgspec.structs.replace(rendered, in_reply_to=mail.message_id)


def move_taken(told: Telling, answer: str) -> RenderedNotification:
    """The receipt for an answer that was played."""
    line = _("Your answer has been played: %(answer)s")
    return notification(told, _("Your answer was taken."), Prose((line % {"answer": isolated(answer)},)))


def nothing_done(told: Telling, why: Phrase, line: str) -> RenderedNotification:
    """Return why a mail did nothing, what was understood of it, and what may be answered now."""
    said = [render_phrase(why, told.names)]
    if line:
        said.append(_("What was read: %(line)s") % {"line": isolated(line[:_LONGEST_LINE])})
    return _with_question(told, _("Your email changed nothing."), tuple(said))


def resignation_question(told: Telling, how: Phrase) -> RenderedNotification:
    """Return whether it is meant."""
    return notification(told, _("Do you want to resign?"), Prose((render_phrase(how, told.names),)))


def came_back(told: Telling) -> RenderedNotification:
    """The receipt for coming back."""
    comes = _("What you are asked comes in an email of its own.")
    asked = comes if told.questions() else _("You are asked when it is time.")
    return notification(told, _("You answer for yourself again."), Prose((asked,)), told.story(), told.table())


def chat_receipt(told: Telling, chat_message: ChatMessage) -> RenderedNotification:
    """Return the receipt for a chat message."""
    line = isolated(chat_message.text[:_LONGEST_LINE])
    if chat_message.to is None:
        sentence = _("You wrote to all: %(text)s") % {"text": line}
    else:
        sentence = _("You wrote to %(other)s alone: %(text)s")
        sentence %= {"other": player(SeatNumber(chat_message.to), told.names), "text": line}
    return notification(told, _("Your message was sent."), Prose((sentence,)))


def vote_taken(told: Telling, command: Pause | Vote) -> RenderedNotification:
    """The receipt for what somebody wants of a pause."""
    match command:
        case Pause():
            sentence = _("The others are asked whether they agree to a pause.")
        case Vote("agree"):
            sentence = _("You agree to the pause.")
        case Vote("decline"):
            sentence = _("There is no pause. Nobody is told who did not agree.")
        case _:
            sentence = _("You agree to go on with the game.")
    return notification(told, _("Your answer was taken."), Prose((sentence,)))


def message_refused(told: Telling, why: Phrase, text: str) -> RenderedNotification:
    """Return why something was said to nobody."""
    read = _("What was read: %(line)s") % {"line": isolated(text[:_LONGEST_LINE])}
    return notification(told, _("Your message was not sent."), Prose((render_phrase(why, told.names), read)))


def nothing_asked(told: Telling) -> RenderedNotification:
    """To somebody who wants to be asked again, and is asked nothing."""
    return notification(told, _("Nothing is asked of you at the moment."), told.story(), told.table())


def unknown_sender(told: Telling, sender: str, question: Question | None, number: int) -> RenderedNotification:
    """Tell the reader that somebody answers for them from an address that is not theirs: nothing moves
    but by the page.
    """
    came = _("An email that acts for you came from %(sender)s, and nobody can be sure that it is yours.")
    blocks: list[Block] = [Prose((came % {"sender": isolated(sender or "?")}, _("Nothing was done.")))]
    if question is None:
        blocks.append(Prose((_("If it was you, write from the address of your account."),)))
    else:
        page = links.page_of(told.game.id, question.id, told.reader.pk, number)
        blocks.append(Prose((_("If it was you, confirm it on this page; if not, you need do nothing."),)))
        blocks.append(Link(_("Answer on a page"), page))
    return notification(told, _("Was this email from you?"), *blocks)


def digest_reply_refused(digest: Notification) -> RenderedNotification:
    """To somebody who replied to a notification that puts several questions."""
    assert digest.account is not None
    said = _("The email that you replied to puts several questions: please use the links under each of them.")
    return RenderedNotification(
        language=digest.account.language,
        subject=digest.written().subject,
        headline=_("Your email changed nothing."),
        blocks=(Prose((said,)),),
        thread=THREAD,
    )


def _with_question(told: Telling, headline: str, said: tuple[str, ...]) -> RenderedNotification:
    """A notification that asks once more what is asked now, and can be answered like the question's own."""
    question = next(iter(told.questions()), None)
    if question is None:
        more = _("Nothing is asked of you at the moment.")
        return notification(told, headline, Prose((*said, more)), told.story())
    page = Link(_("Answer on a page"), links.page_of(told.game.id, question.id, told.reader.pk))
    asking = notification(told, headline, Prose(said), told.story(), _linked_answers(told, question), page)
    return msgspec.structs.replace(asking, reply_to=links.of_question(told.game.id, question.id))


def _linked_answers(told: Telling, question: Question) -> Answers:
    """The question with its answers, each with the link to its page."""
    offered = told.answers(question)
    linked = tuple(
        msgspec.structs.replace(answer, page=links.page_of(told.game.id, question.id, told.reader.pk, number))
        for number, answer in enumerate(offered.answers, start=1)
    )
    return Answers(offered.title, linked)


def notification(told: Telling, headline: str, *blocks: Block) -> RenderedNotification:
    """A notification in the game's thread that can be answered with what a seat may say at any time."""
    return RenderedNotification(
        language=told.reader.language,
        subject=told.subject,
        headline=headline,
        blocks=blocks,
        marker=_("Please write your answer above this line"),
        reply_to=links.of_seat(told.game.id, told.own_seat),
    )
