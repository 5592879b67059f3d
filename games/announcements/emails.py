"""Emails about running games: questions, results, and chat messages.

Chat in emails: the messages since the last email to a player, as far as the player may read them. A notification
records its last message. A message in a notification that was sent is in no other one. A message in a notification that
was not sent is in the next one.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

import msgspec
from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import override

from games import links
from games.announcements.batches import Tables, earliest, question_of, topic_of
from games.announcements.email_blocks import (
    answer_page,
    chat_link,
    how_to_answer,
    how_to_chat,
    linked_answers,
    looking_back,
    only_aimed_link,
    playing_again,
    question_text,
    questions_missed,
    seat_links,
    second_question,
    terms_of_absence,
    until_when,
    way_back,
    who_won,
    with_picture,
)
from games.deadlines import deadline_words
from games.engine import SeatNumber
from games.event_log import log_store
from games.models import ChatMessage, Game, Move, OpenQuestion, Seat
from games.phrases import isolated, localized, number, period, plan_line, player
from games.visibility import table
from games.visibility.player_view import PlayerView
from games.visibility.seats import answering_seat
from games.visibility.words import deal_fingerprint, deal_protection, deck_fingerprint, game_fingerprint
from notifications import preferences
from notifications.channels.registry import MAIL
from notifications.content import (
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
from notifications.email.message import stop_link
from notifications.models import Notification, State

CHAT: Final = "chat"
"""The reason of a notification about chat only. As a topic it stands for all these notifications."""
MOST: Final = 30
"""The most messages in a notification. Earlier ones are on the page of the game."""
_NOT_SENT: Final = (State.DROPPED, State.FAILED)


def topics_of(game: Game) -> tuple[str, str]:
    """Return the topic of a game's notifications, and the topic of those about chat only, which can be muted
    separately.
    """
    return topic_of(game.id), f"{CHAT}:{game.id}"


def is_wanted(notification: Notification, game: Game) -> bool:
    """Return whether the reader of a notification about chat has not muted the game, its chat or all chat."""
    return not {CHAT, *topics_of(game)} & set(preferences.of(notification.account).muted)


def new_messages(player_view: PlayerView, notification: Notification) -> tuple[Listing, ...]:
    """Return the messages that the reader has not been sent yet, with the reader's own messages between them.

    The notification records them, and the record is stored together with its text.
    """
    visible = table.visible_messages(player_view.game, player_view.reader).filter(
        hidden=False, id__gt=last_sent_message(player_view)
    )
    messages = [message for message in visible if message.text]
    if not any(message.author_id != player_view.reader.pk for message in messages):
        return ()
    if notification.channel == MAIL:  # Other channels do not show the text of messages.
        notification.told = messages[-1].pk
    lines = [_line(player_view, message) for message in messages[-MOST:]]
    if len(messages) > MOST:
        left_out = _("Earlier messages left out here: %(count)s.")
        lines.insert(0, left_out % {"count": number(len(messages) - MOST)})
    return (Listing(_("New in the chat"), tuple(lines)),)


def reply_address(player_view: PlayerView, since: int) -> str:
    """Return the reply address of a notification about chat with messages after ``since``.

    A reply that is not a command becomes a message to all, or to the only player whose private messages are in the
    notification. If several chats are in it, the recipient of a reply is unclear. The address is then that of the seat,
    which accepts commands only.
    """
    game, seat = player_view.game, player_view.own_seat
    visible = table.visible_messages(game, player_view.reader).filter(hidden=False, id__gt=since)
    others = [message for message in visible if message.text and message.author_id != player_view.reader.pk]
    recipients = {None if other.to is None else SeatNumber(other.seat) for other in others}
    if len(recipients) != 1:
        return player_view.seat_address
    return links.chat_address(game.id, seat, recipients.pop(), player_view.reader.pk)


def how_to_reply(player_view: PlayerView, reply_to: str) -> str:
    """Return the sentence about what a reply to this address does."""
    match links.parse(reply_to):
        case links.ChatAddress(to=None):
            return _(
                "To write to everyone in the chat, reply to this email. Start with “chat” and a name to write just to "
                "that player."
            )
        case links.ChatAddress(to=int() as other):
            sentence = _("To write just to %(player)s, reply to this email. Start with “chat” to write to everyone.")
            return sentence % {"player": player(other, player_view.names)}
    return _(
        "To write in the chat, reply to this email: start with “chat”, and add a name to write just to that player."
    )


def last_sent_message(player_view: PlayerView) -> int:
    """Return the last message that is in a notification to the reader which was or will be sent."""
    notifications = Notification.objects.filter(
        account=player_view.reader, topic__in=topics_of(player_view.game), told__isnull=False
    )
    return notifications.exclude(state__in=_NOT_SENT).aggregate(last=Max("told"))["last"] or 0


def _line(player_view: PlayerView, chat_message: ChatMessage) -> str:
    """Return a message in one line, so that its text cannot imitate another part of the email."""
    text = isolated(" ".join(chat_message.text.split()))
    values = {"player": player(SeatNumber(chat_message.seat), player_view.names), "text": text}
    if chat_message.to is None:
        return _("%(player)s: %(text)s") % values
    if chat_message.author_id != player_view.reader.pk:
        return _("%(player)s, just to you: %(text)s") % values
    return _("%(player)s, just to %(other)s: %(text)s") % {
        **values,
        "other": player(SeatNumber(chat_message.to), player_view.names),
    }


QUESTION: Final = "question"
REMINDER: Final = "reminder"
AGAIN: Final = "again"
"""A question that its reader has asked for again."""
STARTED: Final = "started"
ENDED: Final = "ended"
PLAYED: Final = "played"
"""A plan for one move was played or has expired, and the player has no question now."""

RECEIPT: Final = "receipt"
"""A move by email was played, and no other email has mentioned it within an hour."""
_WITH_STORY: Final = (QUESTION, REMINDER, AGAIN, ENDED, PLAYED)
"""Notifications with the story since their reader's last answer."""

ROOMY: Final = 6
"""The first email of a game with more seats has no optional parts."""
STORY: Final = 6
"""The most lines of the story in an email."""


class NotNow(Exception):
    """The notification must be written later: at ``until``, or in a few seconds while its game is being changed."""

    def __init__(self, until: datetime | None = None) -> None:
        super().__init__()
        self.until = until


def compose(notification: Notification, now: datetime, tables: Tables) -> RenderedNotification | None:
    """Return the content of a notification, or None if it is out of date or not wanted.

    ``tables`` has the state of the games. Raises NotNow if an answer is waiting to be resolved or an email with another
    question was sent minutes ago.
    """
    game_id, question_id = key = question_of(notification)
    game = tables.games.get(game_id)
    if game is None or notification.account is None or not _is_wanted(notification, game):
        return None
    seat, question = answering_seat(game, notification.account_id), tables.open.get(key)
    if seat is None or (question_id and (question is None or question.seat != seat)):
        return None
    if question is not None and key in tables.answered:
        raise NotNow
    last = tables.last_question_times.get(notification.pk)
    if notification.reason == QUESTION and (until := earliest(notification, game.pk, last, now)) is not None:
        raise NotNow(until)
    with override(notification.account.language):
        player_view = PlayerView(game, seat, notification.account, log=tables.logs[game_id])
        _wait_for_live_players(player_view, notification, now)
        return _GameEmail(player_view, notification, now, game_id in tables.with_chat).rendered(question)


def _is_wanted(notification: Notification, game: Game) -> bool:
    """Return whether the reader has not muted these notifications. A repetition was asked for and is always sent."""
    if notification.reason == CHAT:
        return is_wanted(notification, game)
    return notification.reason == AGAIN or notification.topic not in preferences.of(notification.account).muted


def _wait_for_live_players(player_view: PlayerView, notification: Notification, now: datetime) -> None:
    """Raise NotNow for a question while all players have the game open, because they see it on the page."""
    if notification.reason in (QUESTION, REMINDER) and player_view.state is not None:
        live_players = table.all_here(player_view.game, player_view.reader, now)
        if live_players is not None and (notification.latest_at is None or live_players.until < notification.latest_at):
            raise NotNow(live_players.until)


@dataclass(frozen=True)
class _GameEmail:
    """The content of a notification about a game."""

    player_view: PlayerView
    notification: Notification
    now: datetime
    has_chat: bool
    """True if the game has chat messages."""

    def rendered(self, open_question: OpenQuestion | None) -> RenderedNotification | None:
        """Return the notification. ``open_question`` is the question that it is about, if any."""
        if self.player_view.state is None:
            return None
        match self.notification.reason:
            case "question" | "reminder" | "again" if open_question is not None:
                return self._question(open_question)
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
        raise ValueError(f"there is no email for the reason {self.notification.reason!r}")

    def _question(self, open_question: OpenQuestion) -> RenderedNotification | None:
        question = next(
            (question for question in self.player_view.questions() if question.id == open_question.question), None
        )
        if question is None:
            return None
        deadline = until_when(self.player_view, question, open_question.due_at, self.now)
        is_first = self.notification.reason == QUESTION and question.id.endswith(".1") and not self._was_announced()
        rendered = self._rendered(
            question_text(self.player_view, question),
            Prose((*self._reminding(open_question), deadline, *self._why(open_question), *self._missed())),
            linked_answers(self.player_view, question),
            *(() if self._is_crowded() else second_question(self.player_view, question)),
            *answer_page(self.player_view, question),
            *self._story(),
            *self._new_messages(),
            *([self.player_view.blank_picture()] if self.notification.channel == MAIL else ()),
            self.player_view.table(),
            *self.player_view.claims(),
            *self._offer_fewer_questions(is_first),
            how_to_answer(self.player_view, question),
            self._proof(is_first),
            self._links(is_first),
        )
        rendered = msgspec.structs.replace(
            answerable(rendered),
            question=self.player_view.asks_publicly(question),
            preview=self._preview(open_question),
            reply_to=self.player_view.question_address(question),
            deadline=open_question.due_at,
        )
        return with_picture(rendered, self.player_view)

    def _preview(self, question: OpenQuestion) -> str:
        """Return the text of a push. A reminder says how much time is left."""
        values = self.player_view.name_values
        if self.notification.reason == REMINDER and question.due_at > self.now:
            sentence = _("%(time)s left for your move in %(game)s, game %(code)s.")
            return sentence % {**values, "time": period(question.due_at - self.now)}
        return _("Your move in %(game)s, game %(code)s.") % values

    def _reminding(self, question: OpenQuestion) -> tuple[str, ...]:
        if self.notification.reason != REMINDER:
            return ()
        if question.alone and not self.player_view.for_another:
            return (_("You haven’t answered yet, and everyone is waiting just for you."),)
        return (_("You haven’t answered yet."),)

    def _story(self) -> tuple[Listing, ...]:
        """The last lines of the story since the reader's last answer."""
        title, lines = self.player_view.story().title, self.player_view.story().lines
        if len(lines) > STORY:
            lines = (_("Earlier turns are on the page of the game."), *lines[-STORY:])
        return (Listing(title, lines),) if lines else ()

    def _new_messages(self) -> tuple[Listing, ...]:
        return new_messages(self.player_view, self.notification) if self.has_chat else ()

    def _why(self, question: OpenQuestion) -> tuple[str, ...]:
        """Explain the deadline if it does not follow simply from the game's terms."""
        return deadline_words.why_not_simply(
            question, self.player_view.game, self.player_view.rules, self.player_view.reader
        )

    def _is_crowded(self) -> bool:
        """Return whether this may be the first email of a large game. Its optional parts are left to the next email."""
        return self.player_view.game.seat_count > ROOMY and self.player_view.last_answer() is None

    def _links(self, is_first: bool = False) -> Links:
        """Return the links below an email: commands by email, and the end of these emails. The first has the rules."""
        stop = Link(_("No more emails from this game"), stop_link(self.notification))
        if not is_first:
            return Links((*seat_links(self.player_view), stop))
        rules = Link(_("The rules"), links.rules_page(self.player_view.rules.name))
        return Links((rules, *chat_link(self.player_view), stop))

    def _started(self) -> RenderedNotification | None:
        """Announce that the game has begun, to players without an open or answered question."""
        running = self.player_view.game.state == Game.State.RUNNING
        if not running or self.player_view.questions() or self.player_view.last_answer() is not None:
            return None
        return self._from_seat(
            _("%(game)s, game %(code)s, has started.") % self.player_view.name_values,
            Prose((_("You’ll get an email whenever we need a move from you."),)),
            *self._story(),
            *self._new_messages(),
            *self._pictures(),
            self.player_view.table(),
            *self._offer_fewer_questions(True),
            self._proof(True),
            self._links(True),
        )

    def _was_announced(self) -> bool:
        """Return whether another email has announced the start of the game."""
        topic = {"account": self.notification.account, "topic": self.notification.topic, "reason": STARTED}
        return Notification.objects.filter(**topic).exclude(state__in=(State.DROPPED, State.SCHEDULED)).exists()

    def _pictures(self) -> tuple[Picture, ...]:
        """Return the table as a picture in emails. Other channels show no pictures."""
        return self.player_view.pictures() if self.notification.channel == MAIL else ()

    def _proof(self, is_first: bool = False) -> Footnote:
        """Return the fingerprint of the game, and in the first email also the proof of the shuffle."""
        game = self.player_view.game
        if not is_first:
            return Footnote((game_fingerprint(game),))
        sentence = _("Your own seed is mixed into the shuffle: %(seed)s")
        own_seed = "" if self.player_view.for_another else self._seat_row().seed
        own_seeds = [sentence % {"seed": isolated(own_seed)}] if own_seed else []
        return Footnote((deck_fingerprint(game), *deal_fingerprint(game), *own_seeds, deal_protection(game)))

    def _offer_fewer_questions(self, is_first: bool) -> tuple[Block, ...]:
        """Offer in the first email to ask only questions that concern the player, unless this is set already."""
        if not is_first or self.player_view.only_aimed() is not False:
            return ()
        offer = _("To be asked only what concerns you, reply “ask less”. Others can’t tell.")
        return (Prose((offer,)), Links(only_aimed_link(self.player_view)))

    def _seat_row(self) -> Seat:
        return next(seat for seat in self.player_view.game.seats.all() if seat.number == self.player_view.seat)

    def _missed(self) -> tuple[str, ...]:
        """Return the number of missed questions, and the consequence of further ones."""
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
            *how_to_chat(self.player_view),
            self._proof(),
            Links((*looking_back(self.player_view), *chat_link(self.player_view))),
        )

    def _played(self) -> RenderedNotification | None:
        """Report that a plan was carried out. None for a player with an open question, whose email reports it."""
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
        sentence = _("Want to plan your next turn too? Reply, for example, with “%(plan)s”.")
        return self._from_seat(
            _("%(player)s, your planned move was played in %(game)s, game %(code)s.") % self.player_view.name_values,
            Prose((sentence % {"plan": example},)),
            *self._story(),
            *self._new_messages(),
            *self._pictures(),
            self.player_view.table(),
            self._proof(),
            self._links(),
        )

    def _receipt(self) -> RenderedNotification | None:
        """Report that a move was played, unless another email reports it."""
        others = Notification.objects.filter(
            account=self.notification.account,
            topic=self.notification.topic,
            channel=MAIL,
            reason__in=_WITH_STORY,
            created_at__gte=self.notification.created_at,
        )
        if others.exclude(state=State.DROPPED).exists():
            return None
        move = Move.objects.get(pk=self.notification.key.split(":")[2])
        text = localized(self.player_view.rules, log_store.recorded(self.player_view.rules, move).text)
        sentence = _("Your move was played: %(answer)s") % {"answer": isolated(text)}
        return self._from_seat(_("We have your answer."), Prose((sentence,)), *self._story())

    def _chat(self) -> RenderedNotification | None:
        """Return new chat messages. None if another notification has contained them."""
        last_sent = last_sent_message(self.player_view)
        messages = self._new_messages()
        if not messages:
            return None
        reply_to = reply_address(self.player_view, last_sent)
        instructions = how_to_reply(self.player_view, reply_to)
        stop = Link(_("No more emails about this chat"), stop_link(self.notification))
        rendered = self._from_seat(
            _("%(player)s, there is a new message in the chat of %(game)s, game %(code)s.")
            % self.player_view.name_values,
            *messages,
            Footnote((instructions,)),
            Links((*chat_link(self.player_view), stop)),
        )
        return msgspec.structs.replace(
            answerable(rendered),
            thread=topic_of(self.player_view.game.id),
            reply_to=reply_to,
        )

    def _from_seat(self, headline: str, *blocks: Block) -> RenderedNotification:
        """Return a notification without a question. A reply to it may give any command of the seat."""
        seat = self._seat_row()
        is_away = seat.away and not seat.returning
        view = self.player_view
        back = way_back(view.game, view.own_seat, view.reader.pk) if is_away else ()
        return msgspec.structs.replace(
            self._rendered(headline, *blocks, *back),
            reply_to=self.player_view.seat_address,
        )

    def _rendered(self, headline: str, *blocks: Block) -> RenderedNotification:
        return RenderedNotification(
            language=self.player_view.reader.language,
            subject=self.player_view.subject,
            headline=headline,
            blocks=blocks,
            page=links.game_page(self.player_view.game.id),
        )
