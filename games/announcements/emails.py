"""The content of a game's emails: the question, the story and the table as one reader may know them."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import override

from games.announcements import chat_emails
from games.announcements.absence_words import questions_missed, terms_of_absence, way_back
from games.announcements.chat_emails import CHAT
from games.announcements.consecutive import earliest
from games.announcements.end_words import looking_back, playing_again, who_won
from games.announcements.question_blocks import (
    answer_page,
    asking,
    chat_link,
    how_to_answer,
    linked_answers,
    only_aimed_link,
    seat_links,
    second_question,
    until_when,
    with_picture,
)
from games.announcements.tables import TOPIC, Tables, question_of
from games.deadlines import deadline_words
from games.event_log import sealing
from games.models import Game, Move, OpenQuestion, Seat
from games.text import links
from games.text.game_words import deal_fingerprint, deal_protection, deck_fingerprint, game_fingerprint
from games.text.notation import localized, plan_line
from games.text.phrases import isolated
from games.visibility import presence
from games.visibility.player_view import PlayerView, answers_for
from notifications.channels.mail.message import stop_link
from notifications.channels.registry import MAIL
from notifications.content.rendered_notification import (
    Block,
    Footnote,
    Link,
    Links,
    Listing,
    Picture,
    Prose,
    RenderedNotification,
    answerable,
)
from notifications.models import Notification, State
from notifications.recipients import preferences

QUESTION: Final = "question"
REMINDER: Final = "reminder"
AGAIN: Final = "again"
"""A repetition that its reader asked for."""
STARTED: Final = "started"
ENDED: Final = "ended"
PLAYED: Final = "played"
"""The reason for an email where a plan that is for once was played or has lapsed, and nothing is asked now."""

RECEIPT: Final = "receipt"
"""A move by email has been played, and no other email has said so for an hour."""
_TELLING: Final = (QUESTION, REMINDER, AGAIN, ENDED, PLAYED)
"""The notifications that tell what has happened since their reader's last answer."""

ROOMY: Final = 6
"""With more seats than this the first email of a game has room for nothing else."""
STORY: Final = 6
"""The most lines of the story."""


class NotNow(Exception):
    """The notification is to be written later: a little, while its game is being changed, or at this time."""

    def __init__(self, until: datetime | None = None) -> None:
        super().__init__()
        self.until = until


def topic_of(game: uuid.UUID) -> str:
    """Return what all notifications from one table share."""
    return f"{TOPIC}{game}"


def game_of(topic: str) -> uuid.UUID:
    """Return the table whose notifications share this topic."""
    return uuid.UUID(topic.removeprefix(TOPIC))


def compose(notification: Notification, now: datetime, tables: Tables) -> RenderedNotification | None:
    """Return what a notification says as its game stands in ``tables``; None where there is nothing to say to its
    reader any more.

    NotNow where an answer waits to be resolved, or an email with another question went out minutes ago.
    """
    id, question = put = question_of(notification)
    game = tables.games.get(id)
    if game is None or notification.account is None or not _is_wanted(notification, game):
        return None
    seat, asked = answers_for(game, notification.account_id), tables.open.get(put)
    if seat is None or (question and (asked is None or asked.seat != seat)):
        return None
    if asked is not None and put in tables.answered:
        raise NotNow
    last = tables.last_asked.get(notification.pk)
    if notification.reason == QUESTION and (until := earliest(notification, game.pk, last, now)) is not None:
        raise NotNow(until)
    with override(notification.account.language):
        player_view = PlayerView(game, seat, notification.account, log=tables.logs[id])
        _wait_while_all_are_here(player_view, notification, now)
        return _From(player_view, notification, now, id in tables.with_chat).rendered(asked)


def _is_wanted(notification: Notification, game: Game) -> bool:
    """Return whether its reader has not said that no such notifications are to come; what they ask for comes all the
    same.
    """
    if notification.reason == CHAT:
        return chat_emails.is_wanted(notification, game)
    return notification.reason == AGAIN or notification.topic not in preferences.of(notification.account).muted


def _wait_while_all_are_here(player_view: PlayerView, notification: Notification, now: datetime) -> None:
    """Raise NotNow where a question is put to somebody who plays live: they see it on the page."""
    if notification.reason in (QUESTION, REMINDER) and player_view.state is not None:
        here = presence.all_here(player_view.game, player_view.reader, now)
        if here is not None and (notification.latest_at is None or here.until < notification.latest_at):
            raise NotNow(here.until)


@dataclass(frozen=True)
class _From:
    """A notification from a table."""

    player_view: PlayerView
    notification: Notification
    now: datetime
    has_chat: bool
    """Anything has been said in the game."""

    def rendered(self, asked: OpenQuestion | None) -> RenderedNotification | None:
        """The notification; ``asked`` is the open question that it is about, if it is about one."""
        if self.player_view.state is None:
            return None
        match self.notification.reason:
            case "question" | "reminder" | "again" if asked is not None:
                return self._asked(asked)
            case "started":
                return self._started()
            case "ended":
                return self._ended()
            case "played":
                return self._played()
            case "receipt":
                return self._receipt()
            case "chat":
                return self._chat()
        raise ValueError(f"no letter is known for the reason {self.notification.reason!r}")

    def _asked(self, asked: OpenQuestion) -> RenderedNotification | None:
        question = next((question for question in self.player_view.questions() if question.id == asked.question), None)
        if question is None:
            return None
        due = until_when(self.player_view, question, asked.due_at, self.now)
        rendered = self._rendered(
            asking(self.player_view, question),
            Prose((*self._reminding(asked), due, *self._why(asked), *self._missed())),
            linked_answers(self.player_view, question),
            *(() if self._is_crowded() else second_question(self.player_view, question)),
            *answer_page(self.player_view, question),
            *self._story(),
            *self._new_messages(),
            *([self.player_view.blank_picture()] if self.notification.channel == MAIL else ()),
            self.player_view.table(),
            *self.player_view.claims(),
            how_to_answer(self.player_view.rules.plans is not None),
            *self._card(first=question.id.endswith(".1")),
            self._head(),
            self._links(),
        )
        rendered = msgspec.structs.replace(
            answerable(rendered),
            preview=_("Your move in %(game)s, game %(code)s.") % self.player_view.name_values,
            reply_to=links.question_address(self.player_view.game.id, question.id),
        )
        return with_picture(rendered, self.player_view)

    def _reminding(self, asked: OpenQuestion) -> tuple[str, ...]:
        if self.notification.reason != REMINDER:
            return ()
        if asked.alone and not self.player_view.for_another:
            return (_("You have not answered yet, and everybody waits for you alone."),)
        return (_("You have not answered yet."),)

    def _story(self) -> tuple[Listing, ...]:
        """The last lines of the story since the reader's last answer."""
        title, lines = self.player_view.story().title, self.player_view.story().lines
        if len(lines) > STORY:
            lines = (_("The turns before these are on the page of the game."), *lines[-STORY:])
        return (Listing(title, lines),) if lines else ()

    def _new_messages(self) -> tuple[Listing, ...]:
        return chat_emails.new_messages(self.player_view, self.notification) if self.has_chat else ()

    def _why(self, asked: OpenQuestion) -> tuple[str, ...]:
        """Return why it is due then, where that needs to be said."""
        return deadline_words.why_not_simply(
            asked, self.player_view.game, self.player_view.rules, self.player_view.reader
        )

    def _is_crowded(self) -> bool:
        """Return whether this may be the first email of a large table: it has no room for what the next one can say."""
        return self.player_view.game.seat_count > ROOMY and self.player_view.last_answer() is None

    def _links(self) -> Links:
        """Return what can be done at any time, by mail; and how to end these mails."""
        stop = Link(_("No more emails from this game"), stop_link(self.notification))
        fewer = () if self._is_crowded() else only_aimed_link(self.player_view)
        return Links((*seat_links(self.player_view), *fewer, stop))

    def _started(self) -> RenderedNotification | None:
        """Announce that the game has begun to those who do not learn it from their first question or
        have answered it.
        """
        running = self.player_view.game.state == Game.State.RUNNING
        if not running or self.player_view.questions() or self.player_view.last_answer() is not None:
            return None
        return self._from_seat(
            _("%(game)s, game %(code)s, has begun.") % self.player_view.name_values,
            Prose((_("You will get an email when it is your move."),)),
            *self._story(),
            *self._new_messages(),
            *self._pictures(),
            self.player_view.table(),
            *self._card(first=True),
            self._head(),
            self._links(),
        )

    def _pictures(self) -> tuple[Picture, ...]:
        """The table as a picture, in mails: no other way shows one."""
        return self.player_view.pictures() if self.notification.channel == MAIL else ()

    def _card(self, *, first: bool) -> tuple[Block, ...]:
        """The summary card and what binds the server to its chance, in the first notification of a game."""
        if not first or self.notification.reason not in (QUESTION, STARTED):
            return ()
        mixed = _("Your own seed is mixed into the shuffle: %(seed)s")
        own = "" if self.player_view.for_another else self._seat_row().seed
        lines = [
            deck_fingerprint(self.player_view.game),
            *deal_fingerprint(self.player_view.game),
            *([mixed % {"seed": isolated(own)}] if own else ()),
            deal_protection(self.player_view.game),
        ]
        return (*self._fewer_questions(), self.player_view.summary(), Footnote(tuple(lines)))

    def _fewer_questions(self) -> tuple[Block, ...]:
        """Offer whoever begins a game to be asked only what concerns them, unless they are already."""
        if self.player_view.only_aimed() is not False or self._is_crowded():
            return ()
        offer = _("Darbar can allow moves that do not concern you. Other players cannot tell.")
        return (Prose((offer,)), Links(only_aimed_link(self.player_view)))

    def _head(self) -> Footnote:
        return Footnote((game_fingerprint(self.player_view.game),))

    def _seat_row(self) -> Seat:
        return next(seat for seat in self.player_view.game.seats.all() if seat.number == self.player_view.seat)

    def _missed(self) -> tuple[str, ...]:
        """Return how often the clock has answered for the reader, and what follows if it goes on."""
        seat, game = self._seat_row(), self.player_view.game
        if self.player_view.for_another or not seat.spared:
            return ()
        if not seat.missed:
            return (_("You missed a question before. The first miss in a game is free."),)
        return (questions_missed(seat.missed), terms_of_absence(game))

    def _ended(self) -> RenderedNotification:
        return self._from_seat(
            who_won(self.player_view),
            *self._pictures(),
            self.player_view.table(),
            *self._story(),
            *playing_again(self.player_view),
            *self._new_messages(),
            self._head(),
            Links((*looking_back(self.player_view), *chat_link(self.player_view))),
        )

    def _played(self) -> RenderedNotification | None:
        """Tell that a plan is done. Nothing for somebody who is asked something now, and is told by that
        notification.
        """
        plan_rules = self.player_view.rules.plans
        if (
            self.player_view.game.state != Game.State.RUNNING
            or self.player_view.questions()
            or plan_rules is None
            or not self.player_view.seat
        ):
            return None
        view = self.player_view.rules.view(self.player_view.state, self.player_view.seat)
        text = plan_rules.text(plan_rules.examples(view, self.player_view.seat)[-1])
        example = isolated(plan_line(self.player_view.rules, text))
        how = _("Want to plan your next turn too? Reply with, for example: %(plan)s")
        return self._from_seat(
            _("%(player)s, your planned move was played in %(game)s, game %(code)s.") % self.player_view.name_values,
            Prose((how % {"plan": example},)),
            *self._story(),
            *self._new_messages(),
            *self._pictures(),
            self.player_view.table(),
            self._head(),
            self._links(),
        )

    def _receipt(self) -> RenderedNotification | None:
        """Tell that a move was played; nothing where another email tells it."""
        telling = Notification.objects.filter(
            account=self.notification.account,
            topic=self.notification.topic,
            channel=MAIL,
            reason__in=_TELLING,
            created_at__gte=self.notification.created_at,
        )
        if telling.exclude(state=State.DROPPED).exists():
            return None
        move = Move.objects.get(pk=self.notification.key.split(":")[2])
        text = localized(self.player_view.rules, sealing.recorded(self.player_view.rules, move).text)
        played = _("Your move was played: %(answer)s") % {"answer": isolated(text)}
        return self._from_seat(_("We have your answer."), Prose((played,)), *self._story())

    def _chat(self) -> RenderedNotification | None:
        """Return what was said; nothing where another notification has told it meanwhile."""
        told = chat_emails.last_told_message(self.player_view)
        said = self._new_messages()
        if not said:
            return None
        reply_to = chat_emails.reply_address(self.player_view, told)
        how = chat_emails.how_to_reply(self.player_view, reply_to)
        stop = Link(_("No more emails about this chat"), stop_link(self.notification))
        rendered = self._from_seat(
            _("%(player)s, there is a new message in the chat of %(game)s, game %(code)s.")
            % self.player_view.name_values,
            *said,
            Footnote((how,)),
            Links((*chat_link(self.player_view), stop)),
        )
        return msgspec.structs.replace(
            answerable(rendered),
            thread=topic_of(self.player_view.game.id),
            reply_to=reply_to,
        )

    def _from_seat(self, headline: str, *blocks: Block) -> RenderedNotification:
        """A notification that asks nothing, and may be answered with what a seat can say at any time."""
        seat = self._seat_row()
        is_away = seat.away and not seat.returning
        back = way_back(self.player_view.game, self.player_view.seat) if is_away and self.player_view.seat else ()
        return msgspec.structs.replace(
            self._rendered(headline, *blocks, *back),
            reply_to=links.seat_address(self.player_view.game.id, self.player_view.own_seat),
        )

    def _rendered(self, headline: str, *blocks: Block) -> RenderedNotification:
        return RenderedNotification(
            language=self.player_view.reader.language,
            subject=self.player_view.subject,
            headline=headline,
            blocks=blocks,
        )
