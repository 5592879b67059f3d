"""Handling of email about a game. A move in an email is submitted like any other move.

The address that an email was sent to names the seat and the account to which this address was sent. The From address
must be a confirmed address of that account, otherwise nothing changes and the account's own address gets one
notification with a page on which the answer can be confirmed. The present player of a seat gets this notification, too,
if an email with their From address was sent to the address of a former player. An email from a former player's own
address changes nothing and is answered so. Automatic mail changes nothing and is never answered. A player gets at most
20 replies an hour about one game, and 60 a day.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

import msgspec
from django.db import transaction
from django.utils.translation import override

from accounts import email_addresses
from accounts.models import Account
from games.announcements import notify
from games.announcements.batches import topic_of
from games.announcements.emails import AGAIN, RECEIPT
from games.engine import Phrase, RuleViolation, SeatNumber, gettext_noop
from games.engine.reading import names_to_read
from games.engine.record import RESIGNATION
from games.engine.validation import MALFORMED, QUESTION_CLOSED
from games.mail import commands, game_replies, mailbox_replies, plan_commands, senders
from games.mail.commands import command_text
from games.mail.mailbox_handler import handle_command_in_reply
from games.mail.reading.command_reader import ChatWith, is_account_command_in_chat, read_command
from games.mail.reading.offered_moves import OfferedMoves, resembles_move
from games.mail.reading.reply_readers import find_unclear_prose, read_digest_reply
from games.mail.senders import ActingPlayer, find_writer, is_from
from games.models import Game, Move, OpenQuestion, UnreadReply
from games.play import absence, plans, resolve
from games.play.submit import HOW_TO_RESIGN, WrittenMove, store_move
from games.refusals import Refusal
from games.tables import chat, pausing
from games.tables.rematch import accept_rematch, decline_rematch, get_rematch
from notifications import outbox, preferences, reply_addresses, server_emails
from notifications.content import RenderedNotification
from notifications.mail_parsing.parser import Reply, SenderText
from notifications.models import Notification, RawMail

logger = logging.getLogger(__name__)

ANSWER: Final = "answer"
"""The reason of a notification that replies to an email which changed nothing."""
HOURLY_LIMIT: Final = 20
"""The number of replies that a player gets in an hour about one game. Programs may write more often."""
DAILY_LIMIT: Final = 60
"""The number of replies that a player gets in a day about one game. It stops two programs that answer each other."""
_REMATCH_ANSWERS: Final = (commands.Vote("agree"), commands.Vote("decline"))
"""The votes that answer the offer of a rematch once a game is over."""


def answer_digest(notification: str, mail: RawMail, reply: Reply, now: datetime) -> None:
    """Carry out the reply to an email with several questions, or explain how to reply to such an email."""
    lead = Notification.objects.select_related("account").filter(pk=reply_addresses.long(notification)).first()
    if lead is None or lead.account is None or lead.rendered is None:
        senders.note_unread(mail, reply, UnreadReply.Why.CLOSED)
        return
    is_own = is_from(reply, lead.account)
    if not is_own and not senders.is_from_second_address(reply, lead.account):
        if (account := senders.own_account(reply)) is not None:
            senders.note_unread_for(account, [None], mail, UnreadReply.Why.CLOSED)
        return
    tokens = senders.questions_by_code(lead)
    own_names = (lead.account.name, reply.display_name)
    answers = read_digest_reply(reply.content, tokens, own_names)
    for code, text in answers.items():
        part = replace(reply, tokens=(tokens[code],), content=SenderText(((text,),)))
        handle_command(tokens[code], mail, part, now)
    if answers or not is_own or handle_command_in_reply(lead.account, mail, reply, now):
        return
    if _count_answers(lead.account, lead.topic, (ANSWER,), now - timedelta(days=1)) >= DAILY_LIMIT:
        senders.note_unread(mail, reply, UnreadReply.Why.LIMIT)
        return
    with override(lead.account.language):
        unclear_text = find_unclear_prose(reply.content, tokens, own_names)
        refusal = game_replies.digest_reply_refused(lead, next(iter(tokens), ""), unclear_text)
        rendered = game_replies.reply_to(reply, refusal)
    outbox.add_rendered(
        outbox.NewNotification(f"{ANSWER}:{mail.pk}:{lead.pk}", ANSWER, lead.account.pk, topic=lead.topic),
        rendered,
        now,
    )


def handle_command(token: str, mail: RawMail, reply: Reply, now: datetime) -> None:
    """Carry out an email that was sent to the address of a question or a seat."""
    acting = find_writer(token, reply)
    if acting is None or acting.game.state in (Game.State.OPEN, Game.State.STARTING, Game.State.CANCELLED):
        account = senders.own_account(reply)
        if account is not None and handle_command_in_reply(account, mail, reply, now):
            return
        former_game = None if account is None or acting is not None else senders.find_former_game(token, account)
        if account is None or former_game is None:
            senders.note_unread(mail, reply, UnreadReply.Why.CLOSED)
        else:
            _answer_former_player(former_game, account, mail, reply, now)
        return
    with override(acting.account.language):
        _CommandHandler(acting, mail, reply, now).run()


def _answer_former_player(game: Game, account: Account, mail: RawMail, reply: Reply, now: datetime) -> None:
    """Reply that an account no longer answers for a seat of a game."""
    if _is_over_limit(account, game, (ANSWER,), now):
        senders.note_unread_for(account, [game.pk], mail, UnreadReply.Why.LIMIT)
        return
    with override(account.language):
        rendered = game_replies.reply_to(reply, game_replies.no_longer_asked(game, account))
    order = outbox.NewNotification(f"{ANSWER}:{mail.pk}:{game.pk}", ANSWER, account.pk, topic=topic_of(game.pk))
    outbox.add_rendered(order, rendered, now)


def _is_over_limit(account: Account, game: Game, reasons: Sequence[str], now: datetime) -> bool:
    """Return whether an account has used all replies of an hour or a day about a game."""
    last_day = _count_answers(account, topic_of(game.pk), reasons, now - timedelta(days=1))
    if last_day < HOURLY_LIMIT:
        return False
    last_hour = _count_answers(account, topic_of(game.pk), reasons, now - timedelta(hours=1))
    return last_day >= DAILY_LIMIT or last_hour >= HOURLY_LIMIT


def _count_answers(account: Account, topic: str, reasons: Sequence[str], since: datetime) -> int:
    rows = Notification.objects.filter(account=account, topic=topic, reason__in=reasons, created_at__gt=since)
    return rows.count()


class _CommandHandler:
    """Handler of one email about one game."""

    def __init__(self, acting: ActingPlayer, mail: RawMail, reply: Reply, now: datetime) -> None:
        self.acting = acting
        self.mail = mail
        self.reply = reply
        self.now = now
        self.view = acting.current_view()
        self.names = names_to_read(self.view.names)
        self.own_names = (acting.account.name, reply.display_name)
        self.question = next((question for question in self.view.questions() if question.id == acting.question), None)
        self.offered = None
        if self.question is not None:
            self.offered = OfferedMoves(self.view.rules, self.view.state, self.question, self.view.names)

    def run(self) -> None:
        """Carry out the email, or reply why it changes nothing."""
        seats = self.view.names
        chatting = None if self.acting.chat is None else ChatWith(self.acting.chat.to)
        resembles = partial(resembles_move, self.view.rules, self.names)
        asides = {} if self.offered is None else {"is_aside": self.offered.is_aside}
        command = read_command(
            self.reply.content,
            self._parse_move,
            self.names,
            seats,
            self._parse_plan,
            resembles,
            chatting,
            own_names=self.own_names,
            **asides,
        )
        if not is_from(self.reply, self.acting.account):
            if self._is_answer_from_second_address(command):
                self._carry_out(command)
            else:
                self._ask_for_confirmation(command)
            return
        if self._may_be_for_the_account(command) and handle_command_in_reply(
            self.acting.account, self.mail, self.reply, self.now
        ):
            return
        if not self.acting.is_addressee:
            self._ask_for_confirmation(command)
            return
        server_emails.ask_to_confirm(self.acting.account, self.now)
        self._carry_out(command)

    def _is_answer_from_second_address(self, command: commands.Command) -> bool:
        """Return whether a second address of the account answers its question. It may do nothing else."""
        is_answer = isinstance(command, commands.Move | commands.NotUnderstood | commands.AskAgain)
        is_asked = self.acting.is_addressee and bool(self.acting.question)
        return is_answer and is_asked and senders.is_from_second_address(self.reply, self.acting.account)

    def _may_be_for_the_account(self, command: commands.Command) -> bool:
        """Return whether an email without a command for the game may have one for the account, such as “stop”."""
        if self.acting.chat is None:
            return isinstance(command, commands.NotUnderstood) and command.reason in ("not-read", "two-commands")
        return isinstance(command, commands.Chat) and is_account_command_in_chat(self.reply.content, self.own_names)

    def _carry_out(self, command: commands.Command) -> None:
        match command:
            case commands.Move() | commands.SeveralCommands() | commands.Resign():
                self._move(command)
            case commands.AskAgain():
                self._ask_again()
            case commands.Chat(seat, text):
                self._send_chat_message(seat, text)
            case commands.ComeBack():
                self._come_back()
            case commands.Pause() | commands.Vote() | commands.PlayAgain():
                self._vote(command)
            case commands.ListPlans() | commands.GivePlan() | commands.CancelPlan() | commands.AskOnlyAimed():
                self._send_answer(
                    plan_commands.handle_plan_command(self.acting, command, self.mail.received_at, self.now)
                )
            case commands.NotUnderstood():
                self._ask_back(command)

    def _ask_back(self, command: commands.NotUnderstood) -> None:
        """Reply why an email changed nothing, with both readings if other text may change a clear command."""
        if command.reading is None:
            rendered = game_replies.nothing_done(self.view, command.phrase, command.line, self.now)
        else:
            rendered = game_replies.unclear(self.view, self._describe(command.reading), command.line, self.now)
        self._send_answer(rendered)

    def _describe(self, command: commands.Command) -> str:
        """Return a command in a form that the sender can send again. A move has its number and label."""
        match command:
            case commands.Move() if self.question is not None and (number := self._answer_number(command)):
                return f"{number}. {self.view.offered(self.question)[number - 1].label}"
            case commands.Move(text=text) | commands.GivePlan(text=text) | commands.Chat(text=text):
                return text
        return command_text(command)

    def _move(self, command: commands.Move | commands.SeveralCommands | commands.Resign) -> None:
        """Play the move of an email and set the plans below it. Ask back if a resignation is not confirmed."""
        match command:
            case commands.Move(line, move):
                self._submit(self.view.rules.text(move), line)
            case commands.SeveralCommands(move, plans_below, message):
                text = None if move is None else self.view.rules.text(move.move)
                is_done = self._submit(text, "" if move is None else move.text, plans_below)
                if is_done and message is not None:
                    self._send_chat_message(message.seat, message.text)
            case commands.Resign(sure=True):
                self._submit(RESIGNATION, RESIGNATION)
            case commands.Resign():
                self._send_answer(game_replies.resignation_question(self.view, Phrase(HOW_TO_RESIGN)))

    def _parse_move(self, line: str) -> Any:
        """Return a line as an answer to the question. Raises RuleViolation if it is none or no question is open."""
        if self.offered is not None:
            return self.offered.read(line)
        if self.acting.question:
            raise RuleViolation(QUESTION_CLOSED, Phrase(gettext_noop("This question has been answered or is over.")))
        sentence = gettext_noop("To answer a question, reply to the email that asks it.")
        raise RuleViolation(QUESTION_CLOSED, Phrase(sentence))

    def _parse_plan(self, line: str) -> Any:
        """Return a line as a plan. Raises RuleViolation if it is not one, or if the game has no plans."""
        plan_rules, view = self.view.rules.plans, self.view.rules.view(self.view.state, self.acting.seat)
        if plan_rules is None:
            raise RuleViolation(MALFORMED, Phrase(gettext_noop("This game has no plans.")))
        return plan_rules.parse(view, self.acting.seat, line, self.names)

    def _submit(self, text: str | None, line: str, plans_below: Sequence[commands.GivePlan] = ()) -> bool:
        """Submit a move with the plans below it. Return False and reply if it was refused.

        Everything is done or nothing. ``text`` is None if there are plans only. ``line`` is the sender's line.
        """
        move, plan_ids, received_at, reading = None, [], self.mail.received_at, line
        try:
            with transaction.atomic():
                if text is not None:
                    answer = WrittenMove(self.acting.question, text)
                    move = store_move(self.acting.game, self.acting.account, answer, Move.Via.MAIL, received_at)
                for plan in plans_below:
                    reading = plan.text
                    plan_ids.append(plan_commands.give_plan(self.acting, plan, received_at, self.now))
        except Refusal as refusal:
            self._send_answer(game_replies.nothing_done(self.view, refusal.phrase, reading, self.now))
            return False
        state = None if move is None else self._resolve_move(move, line)
        if state == Move.State.REJECTED:
            plans.withdraw_plans(self.acting.game.pk, plan_ids, self.now, only_unused=True)
        elif plan_ids:
            self._send_answer(plan_commands.confirm_plans(self.acting.current_view(), plan_ids))
        if move is not None and state == Move.State.APPLIED:
            if text == RESIGNATION:
                self._confirm_resignation()
            elif preferences.of(self.acting.account).receipts:
                notify.order_receipt(move, self.now)
        return state != Move.State.REJECTED

    def _confirm_resignation(self) -> None:
        """Confirm a resignation. The email about the end of the game does so too."""
        player_view = self.acting.current_view()
        if player_view.game.state == Game.State.RUNNING:
            self._send_receipt(game_replies.resigned(player_view))

    def _resolve_move(self, move: Move, line: str) -> str:
        """Resolve the sender's move and return its state. Reply with the reason if the move was rejected."""
        resolve.resolve(self.acting.game.pk, self.now)
        move.refresh_from_db()
        if move.state == Move.State.REJECTED:
            why = msgspec.json.decode(move.phrase or "", type=Phrase)
            self._send_answer(game_replies.nothing_done(self.acting.current_view(), why, line, self.now))
        return move.state

    def _send_chat_message(self, to: SeatNumber | None, text: str) -> None:
        """Send a chat message, and a receipt if the account wants receipts."""
        try:
            chat_message = chat.send_message(self.acting.game, self.acting.account, to, text, self.now)
        except Refusal as refusal:
            self._send_answer(game_replies.message_refused(self.view, refusal.phrase, text))
            return
        if preferences.of(self.acting.account).receipts and not self._is_over_limit(RECEIPT):
            self._send_receipt(game_replies.chat_receipt(self.view, chat_message))

    def _vote(self, command: commands.Pause | commands.Vote | commands.PlayAgain) -> None:
        """Propose a pause or vote on one, or answer about a rematch of a finished game. Reply with the result."""
        is_over = self.acting.game.state == Game.State.OVER
        if isinstance(command, commands.PlayAgain) or (is_over and command in _REMATCH_ANSWERS):
            self._answer_rematch(command)
            return
        game, account, via = self.acting.game.pk, self.acting.account, Move.Via.MAIL.value
        try:
            match command:
                case commands.Pause(days):
                    pausing.propose(game, account, None if days is None else timedelta(days=days), via, self.now)
                case commands.Vote("agree"):
                    pausing.agree(game, account, via, self.now)
                case commands.Vote("decline"):
                    pausing.decline(game, account, self.now)
                case commands.Vote():
                    pausing.resume(game, account, via, self.now)
        except Refusal as refusal:
            self._send_answer(game_replies.nothing_done(self.view, refusal.phrase, "", self.now))
            return
        if preferences.of(self.acting.account).receipts:
            self._send_receipt(game_replies.vote_taken(self.acting.current_view(), command))

    def _come_back(self) -> None:
        """Give the seat back to the player. The open question comes in a notification of its own."""
        try:
            absence.come_back(self.acting.game.pk, self.acting.account, self.now)
        except Refusal as refusal:
            self._send_answer(game_replies.nothing_done(self.view, refusal.phrase, "", self.now))
        else:
            self._send_answer(game_replies.came_back(self.acting.current_view()))

    def _answer_rematch(self, command: commands.Vote | commands.PlayAgain) -> None:
        """Offer or accept a rematch, or decline it, and reply with the answers so far.

        ``agree`` may be a late answer about a pause, so it accepts an offer and makes none.
        """
        game, account, via = self.acting.game.pk, self.acting.account, Move.Via.MAIL.value
        try:
            match command:
                case commands.Vote("decline"):
                    decline_rematch(game, account, via, self.now)
                    rematch = get_rematch(game, account)
                case commands.Vote():
                    get_rematch(game, account)
                    rematch = accept_rematch(game, account, {}, via, self.now)
                case commands.PlayAgain():
                    rematch = accept_rematch(game, account, {}, via, self.now)
        except Refusal as refusal:
            self._send_answer(game_replies.nothing_done(self.view, refusal.phrase, "", self.now))
            return
        if rematch.game.rematch_id:
            resolve.resolve(rematch.game.rematch_id, self.now)
        self._send_answer(mailbox_replies.rematch_answered(account, rematch))

    def _ask_again(self) -> None:
        """Send the question that the email answers again, or another open question of the seat."""
        open_questions = OpenQuestion.objects.filter(game=self.acting.game, seat=self.acting.seat)
        row = open_questions.filter(question=self.acting.question).first() or open_questions.order_by("due_at").first()
        if row is None:
            self._send_answer(game_replies.nothing_asked(self.view))
        elif self._is_over_limit(ANSWER, AGAIN):
            self._note_unread()
        else:
            notify.ask_again(row, self.acting.account.pk, str(self.mail.pk), self.now)

    def _ask_for_confirmation(self, command: commands.Command) -> None:
        """Ask the account's own address whether its owner wrote the email. At most once for each open question."""
        number = self._answer_number(command)
        question = self.question or next(iter(self.view.questions()), None)
        # A former player may know the addresses of many closed questions.
        about = question.id if question else self.acting.seat
        key = f"doubt:{self.acting.game.pk}:{about}:{self.acting.account.pk}"
        if is_from(self.reply, self.acting.account) and Notification.objects.filter(key=key).exists():
            self._note_unread(UnreadReply.Why.CLOSED)
            return
        if self.acting.is_addressee:
            is_told = Notification.objects.filter(key=key).exists()
            row = (
                None if is_told else email_addresses.ask_about_second(self.acting.account, self.reply.sender, self.now)
            )
            token = email_addresses.token_of_second(row) if row else ""
            rendered = game_replies.unknown_sender(self.view, self.reply.sender, question, number, token)
        else:
            rendered = game_replies.unknown_address(self.view, question, number)
        self._send(key, ANSWER, rendered)

    def _answer_number(self, command: commands.Command) -> int:
        """Return the number of the answer that an email gives to the open question, or 0."""
        answer = command.move if isinstance(command, commands.SeveralCommands) else command
        if not isinstance(answer, commands.Move) or self.question is None:
            return 0
        offered = self.view.rules.legal_moves(self.view.state, self.question)
        return 1 + offered.index(answer.move) if answer.move in offered else 0

    def _send_receipt(self, rendered: RenderedNotification) -> None:
        self._send(
            f"{RECEIPT}:{self.mail.pk}:{self.acting.game.pk}", RECEIPT, game_replies.reply_to(self.reply, rendered)
        )

    def _send_answer(self, rendered: RenderedNotification) -> None:
        if self._is_over_limit(ANSWER, AGAIN):
            self._note_unread()
        else:
            self._send(
                f"{ANSWER}:{self.mail.pk}:{self.acting.game.pk}", ANSWER, game_replies.reply_to(self.reply, rendered)
            )

    def _is_over_limit(self, *reasons: str) -> bool:
        return _is_over_limit(self.acting.account, self.acting.game, reasons, self.now)

    def _note_unread(self, why: UnreadReply.Why = UnreadReply.Why.LIMIT) -> None:
        senders.note_unread_for(self.acting.account, [self.acting.game.pk], self.mail, why)

    def _send(self, key: str, reason: str, rendered: RenderedNotification) -> None:
        order = outbox.NewNotification(key, reason, self.acting.account.pk, topic=topic_of(self.acting.game.pk))
        outbox.add_rendered(order, rendered, self.now)
