"""Handling of email to the server's own address: a command for the account of the sender.

Anyone can write a From line. A command that changes something is therefore carried out only if the operator's mail
server vouches for the sender, if the email came to the secret address of an earlier reply to the account, or if it
names the Message-ID of a recent email to the account. In all other cases the account is asked for confirmation. A
sender without an account can only sign up (``games.mail.sign_up_handler``).
"""

import logging
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils.translation import override
from msgspec.structs import asdict, replace

from accounts import email_addresses, local_times
from accounts.authentication import flows
from accounts.models import Account
from config.core.email_spellings import canonical
from games.announcements.batches import topic_of
from games.engine import Phrase, gettext_noop
from games.mail import account_handler, mailbox_replies, senders
from games.mail.account_commands import (
    BlockPlayer,
    ReportPlayer,
    RequestCode,
    SetLanguage,
    SetName,
    SetTimeZone,
    SignUp,
)
from games.mail.account_handler import COMMAND
from games.mail.game_replies import reply_to
from games.mail.mailbox_commands import (
    Absence,
    AccountCommand,
    CancelVacation,
    Change,
    ComeBack,
    Confirm,
    CreateGame,
    Invite,
    JoinGame,
    LeaveGame,
    Lookup,
    Rematch,
    SeekPlayers,
    SetDigest,
    SetSleepHours,
    Settings,
    ShowGames,
    ShowHelp,
    ShowRules,
    ShowSearches,
    ShowStatus,
    StartMails,
    StopMails,
    StopSeeking,
    StopThese,
    TakeVacation,
    Unclear,
    read_titles,
)
from games.mail.mailbox_reader import (
    answered_notification,
    content_or_subject,
    first_line,
    nearest_command_line,
    read_account_command,
    read_command_in_reply,
)
from games.mail.reading.command_reader import without_text
from games.mail.reading.periods import MonthDay
from games.mail.senders import is_from
from games.mail.sign_up_handler import handle_code, handle_stranger
from games.models import Bot, Game, Move, Seek, UnreadReply
from games.play import absence, resolve
from games.refusals import Refusal
from games.rules.registry import RULES
from games.tables import invitations, seeks, vacations
from games.tables.joining import join_game, leave_game
from games.tables.new_game import NewGame
from games.tables.rematch import accept_rematch
from games.tables.seeks import NewSeek, create_seek, usual_numbers
from games.tables.starting import create_game
from games.terms import SPEEDS, USUAL
from games.visibility.words import SHORT_CODE_LENGTH, short_code
from notifications import outbox, preferences, reply_addresses
from notifications.channels.registry import MAIL
from notifications.content import RenderedNotification, encode
from notifications.mail_parsing.parser import Content, Reply, SenderText
from notifications.models import Notification, RawMail

logger = logging.getLogger(__name__)

DAILY_LIMIT: Final = 5
"""The number of replies a day to emails that anyone may have written in the account's name."""
DAILY_LIMIT_TRUSTED: Final = 20
"""The number of replies a day if the newest email is certainly from the account."""
VALID: Final = timedelta(days=7)
"""The time for which the address of a reply accepts commands without confirmation."""
MESSAGE_ID_VALID: Final = timedelta(days=30)
"""The time for which a reply with the Message-ID of an email needs no confirmation. Slow turns take five days."""


def handle_mailbox_mail(mail: RawMail, reply: Reply, now: datetime) -> None:
    """Carry out an email to the server's own address. A sender without an account can only sign up."""
    account = email_addresses.owner_of(reply.sender) if reply.sender else None
    if account is None:
        handle_stranger(mail, reply, now)
    elif not account.is_active or not is_from(reply, account):
        logger.info("mail %s to the mailbox is not from an active account", mail.pk)
    else:
        _MailboxHandler(account, mail, reply, now).run()


def handle_command_reply(answered: str, mail: RawMail, reply: Reply, now: datetime) -> None:
    """Carry out a reply to the server's reply to the command in email number ``answered``."""
    rows = Notification.objects.select_for_update(of=("self",)).select_related("account")
    question = rows.filter(key=_key(answered)).first()
    account = question.account if question else None
    if question is None:  # Old replies are deleted.
        handle_mailbox_mail(mail, reply, now)
        return
    if account is None:
        handle_code(question, mail, reply, now)
        return
    if not account.is_active or not is_from(reply, account):
        logger.info("mail %s answers a command of another account", mail.pk)
        return
    _MailboxHandler(account, mail, reply, now, question).run()


def handle_command_in_reply(account: Account, mail: RawMail, reply: Reply, now: datetime) -> bool:
    """Carry out a command for the account in a reply to any email. Return False if the reply holds none.

    The address of the reply proves nothing: a former player may write to an old address of their own in the new
    player's name.
    """
    with override(account.language):
        command = read_command_in_reply(reply.content, read_titles(), (account.name, reply.display_name))
    if command is None:
        return False
    _MailboxHandler(account, mail, reply, now).run()
    return True


def _key(mail: int | str) -> str:
    return f"{COMMAND}:{mail}"


def _command_of(question: Notification) -> str:
    """Return the command that this email asked to confirm, or a blank text if there is none."""
    return question.content().command if question.rendered is not None else ""


class _MailboxHandler:
    """Handler of one email with a command for an account."""

    def __init__(
        self, account: Account, mail: RawMail, reply: Reply, now: datetime, question: Notification | None = None
    ) -> None:
        self.account = account
        self.mail = mail
        self.reply = reply
        self.now = now
        self.question = question
        self.answered = answered_notification(reply)
        self.is_trusted = self._is_certainly_from_account()

    def run(self) -> None:
        """Carry out the email, or reply why it changes nothing. Over the daily limit no reply is sent."""
        replies_left = self._count_answers_left()
        if replies_left <= 0:
            senders.note_unread_for(self.account, [None], self.mail, UnreadReply.Why.LIMIT)
            return
        with override(self.account.language):
            titles = read_titles()
            content = content_or_subject(self.reply)
            own_names = (self.account.name, self.reply.display_name)
            command, line = read_account_command(content, titles, own_names), first_line(content)
            if isinstance(command, Confirm) and self.question is not None and (text := _command_of(self.question)):
                line, command = text, read_account_command(SenderText(((text,),)), titles, own_names)
                self._forget_question(self.question)
            topic = ""
            if command is None and (code := self._code(content)):
                answer = self._use_code(*code, line)
            elif isinstance(command, RequestCode):
                answer, topic = self._send_code(command, line)
            else:
                answer = self._answer(command, line)
            if answer is not None:
                answer = mailbox_replies.last_of_today(answer, self.is_trusted) if replies_left == 1 else answer
                self._send(answer, topic)

    def _code(self, content: Content) -> tuple[str, str] | None:
        """Return the code in a reply to an email that brought one."""
        is_asked = self.question is not None and account_handler.asks_for_code(self.question)
        return account_handler.read_code(content) if is_asked else None

    def _use_code(self, code: str, otp: str, line: str) -> RenderedNotification | None:
        """Carry out the request of a code. Return None if the account is gone."""
        assert self.question is not None
        try:
            answer = account_handler.use_code(self.account, self.question, code, otp, self.now)
            if answer is None:  # Forget the address of the deleted account.
                self.mail.sender = None
                self.mail.save(update_fields=["sender"])
            return answer
        except Refusal as refusal:
            return mailbox_replies.refused(self.account, refusal.phrase, line)

    def _send_code(self, command: RequestCode, line: str) -> tuple[RenderedNotification, str]:
        """Return the email with the code for a request, and its topic. Anyone may cause it: only the code acts."""
        try:
            return account_handler.send_code(self.account, command, self.now)
        except Refusal as refusal:
            return mailbox_replies.refused(self.account, refusal.phrase, line), ""

    def _is_certainly_from_account(self) -> bool:
        """Return whether an email with the account's From address needs no confirmation by the account.

        Either it came to the secret address of a recent reply to a confirmed address of the account, or the operator's
        mail server has verified the sender (other clients could forge its header), or the email names the Message-ID of
        a recent email to such an address. A Message-ID is random. The reader knows it, and so does anyone who sees a
        copy of the email or the log of a mail server. It is therefore accepted for a limited time.
        """
        if self.mail.relayed and self.reply.authentication == "pass":
            return True
        return self._reached_account(self.question, VALID) or self._reached_account(self.answered, MESSAGE_ID_VALID)

    def _reached_account(self, notification: Notification | None, limit: timedelta) -> bool:
        """Return whether a recent email went to an address that the account still has."""
        return (
            notification is not None
            and notification.channel == MAIL
            and notification.created_at > self.now - limit
            and canonical(notification.destination()) in email_addresses.confirmed_addresses(self.account)
        )

    def _count_answers_left(self) -> int:
        since = self.now - timedelta(days=1)
        last_day = Notification.objects.filter(account=self.account, reason=COMMAND, created_at__gt=since)
        return (DAILY_LIMIT_TRUSTED if self.is_trusted else DAILY_LIMIT) - last_day.count()

    def _forget_question(self, question: Notification) -> None:
        """Remove the command from the question, so that a second yes does nothing."""
        question.rendered = encode(replace(question.content(), command=""))
        question.save(update_fields=["rendered"])

    def _answer(self, command: AccountCommand | Unclear | None, line: str) -> RenderedNotification:
        if isinstance(command, Unclear):
            if not isinstance(command.command, Lookup):
                return mailbox_replies.unclear(self.account, command.line, command.text)
            # A lookup changes nothing, so text below it does not matter.
            command = command.command
        match command:
            case ShowHelp() | ShowGames() | ShowSearches() | ShowStatus() | ShowRules():
                return self._look_up(command)
            case SignUp():
                return mailbox_replies.has_account(self.account)
            case None | Confirm():
                nearest = nearest_command_line(line, read_titles())
                why = without_text(self.reply.content).phrase
                return mailbox_replies.not_understood(self.account, line, nearest, why)
        assert not isinstance(command, RequestCode)  # ``run`` has sent its code.
        # A confirmation of StopThese would not name the emails that it stops.
        if self.is_trusted or isinstance(command, StopThese):
            return self._change(command, line)
        return mailbox_replies.ask_back(self.account, line)

    def _look_up(self, command: Lookup) -> RenderedNotification:
        match command:
            case ShowHelp():
                return mailbox_replies.help_text(self.account)
            case ShowGames():
                return mailbox_replies.games_of(self.account)
            case ShowSearches():
                return mailbox_replies.searches(self.account)
            case ShowStatus():
                return mailbox_replies.status_of(self.account)
            case ShowRules(rules):
                return mailbox_replies.rules_summary(self.account, rules)

    def _change(self, command: Change, line: str) -> RenderedNotification:
        try:
            with transaction.atomic():
                if isinstance(command, StopThese):
                    return self._stop_these()
                return run_command(self.account, command, self.now)
        except Refusal as refusal:
            return mailbox_replies.refused(self.account, refusal.phrase, line)

    def _stop_these(self) -> RenderedNotification:
        """Stop further emails like the one that this email answers, or those of the game that it was sent to."""
        answered = self.answered
        topics = answered.topics() if answered is not None and answered.account_id == self.account.pk else []
        topics = topics or self._topics_of_recipients()
        if not self.is_trusted or not topics:
            raise Refusal("malformed", Phrase(gettext_noop("To stop all emails about games, reply “stop”.")))
        preferences.change_stopped(self.account.pk, topics, enabled=False)
        return mailbox_replies.status_of(Account.objects.get(pk=self.account.pk))

    def _topics_of_recipients(self) -> list[str]:
        players = filter(None, map(senders.find_player, self.reply.tokens))
        return [topic_of(player.game.pk) for player in players if player.account == self.account and not player.chat]

    def _send(self, rendered: RenderedNotification, topic: str) -> None:
        address = reply_addresses.address(reply_addresses.COMMAND, str(self.mail.pk))
        rendered = reply_to(self.reply, replace(rendered, reply_to=address))
        order = outbox.NewNotification(_key(self.mail.pk), COMMAND, self.account.pk, topic=topic)
        outbox.add_rendered(order, rendered, self.now)


_MAIL: Final = Move.Via.MAIL.value


def run_command(account: Account, command: Change, now: datetime) -> RenderedNotification:
    """Carry out a command and return its confirmation. Raises Refusal if it is not allowed.

    Must run inside a transaction, which the caller rolls back on a Refusal.
    """
    match command:
        case CreateGame():
            return _create(account, command, now)
        case SeekPlayers():
            return mailbox_replies.seeking(account, _seek(account, command, now))
        case JoinGame(code):
            game = join_game(_game_to_join(code).pk, account, code, _MAIL, now)
            resolve.resolve(game.pk, now)
            return mailbox_replies.created(account, Game.objects.get(pk=game.pk), ())
        case SetName() | SetLanguage() | SetTimeZone() | BlockPlayer() | ReportPlayer():
            return account_handler.change(account, command, now)
        case StopSeeking():
            seeks.withdraw_all(account, now)
            return mailbox_replies.search_ended(account)
        case LeaveGame(code):
            game = leave_game(_open_game(account, code).pk, account, _MAIL, now)
            return mailbox_replies.left(account, game)
        case Rematch(code):
            return _rematch(account, _game_that_is_over(account, code), now)
        case Invite(address, code, note):
            _check_address(account, address)
            game = _open_game(account, code)
            invitations.invite(game.pk, account, address, account.language, now, note=note)
            return mailbox_replies.invited(account, game, address)
        case TakeVacation() | CancelVacation() | ComeBack():
            return _change_absence(account, command, now)
    return _change_settings(account, command, now)


def _rematch(account: Account, game: Game, now: datetime) -> RenderedNotification:
    rematch = accept_rematch(game.pk, account, {}, _MAIL, now)
    if rematch.game.rematch_id:
        resolve.resolve(rematch.game.rematch_id, now)
    return mailbox_replies.rematch_answered(account, rematch)


def _seek(account: Account, command: SeekPlayers, now: datetime) -> Seek:
    least, most = usual_numbers(RULES[command.rules])
    new_seek = NewSeek(
        rules=command.rules,
        least=least if command.least is None else command.least,
        most=most if command.most is None else command.most,
        speed=command.speed,
        options=dict(command.options),
        fill_after=command.fill_after,
    )
    return create_seek(account, new_seek, now)


def _change_settings(account: Account, command: Settings, now: datetime) -> RenderedNotification:
    """Change when emails are sent or when the player sleeps, and return the new settings."""
    match command:
        case SetSleepHours(falls, wakes):
            if error := local_times.find_sleep_error(falls, wakes):
                raise Refusal("malformed", Phrase(str(error)))
            flows.update_account(account, {"sleep_from": falls, "sleep_to": wakes})
        case SetDigest(digest, number):
            fields = {"hours": "digest_every", "daily": "digest_at"}
            number_field = {} if number is None else {fields[digest]: number}
            preferences.change(account, {"digest": digest, **number_field}, now)
        case StopMails():
            preferences.change(account, {"mails": False, "news": False}, now)
        case StartMails():
            preferences.change(account, {"mails": True, "muted": []}, now)
    return mailbox_replies.status_of(Account.objects.get(pk=account.pk))


def _change_absence(account: Account, command: Absence, now: datetime) -> RenderedNotification:
    match command:
        case TakeVacation():
            return mailbox_replies.vacation_announced(account, _announce_vacation(account, command, now))
        case CancelVacation():  # The last one first, until one has begun.
            for vacation in reversed(vacations.list_vacations(account)):
                vacations.withdraw(account, vacation.id, now)
            return mailbox_replies.status_of(account)
        case ComeBack():
            for game in _games(account, "", Game.State.RUNNING):
                absence.come_back(game.pk, account, now)
            return mailbox_replies.games_of(account)


def _announce_vacation(account: Account, command: TakeVacation, now: datetime) -> vacations.Vacation:
    zone = ZoneInfo(account.time_zone)
    earliest = ((now + vacations.NOTICE).astimezone(zone) + timedelta(days=1) - timedelta(microseconds=1)).date()
    try:
        first = _day_from(command.first or earliest, now.astimezone(zone).date())
        last = first + timedelta(days=command.days - 1) if command.days else _day_from(command.last or first, first)
    except ValueError:
        raise Refusal("malformed", Phrase(gettext_noop("This day doesn’t exist."))) from None
    return vacations.announce(account, first, last, now)


def _day_from(day: date | MonthDay, start: date) -> date:
    """Return a day. A day without a year is the next such day on or after ``start``. Raises ValueError."""
    return day.next_from(start) if isinstance(day, MonthDay) else day


def _create(account: Account, command: CreateGame, now: datetime) -> RenderedNotification:
    for address in command.addresses:
        _check_address(account, address)
    terms = SPEEDS[command.speed or USUAL].terms
    new_game = NewGame(
        **asdict(terms),
        rules=command.rules,
        seat_count=command.seat_count,
        bots=tuple(Bot(level) for level in command.bots),
        options=dict(command.options),
        private=bool(command.addresses) if command.private is None else command.private,
    )
    game = create_game(account, new_game, _MAIL, now)
    for address in command.addresses:
        invitations.invite(game.pk, account, address, account.language, now, note=command.note)
    resolve.resolve(game.pk, now)
    return mailbox_replies.created(account, Game.objects.get(pk=game.pk), command.addresses)


def _game_to_join(code: str) -> Game:
    """Return the open public game with this short code, or the private one with this code. Raises Refusal."""
    games = Game.objects.filter(state=Game.State.OPEN)
    is_short = len(code) == SHORT_CODE_LENGTH
    games = games.filter(private=False, code__startswith=code) if is_short else games.filter(code=code)
    game = games.order_by("-created_at").first()
    if game is None:
        sentence = gettext_noop("No game waiting for players has this code. A private game needs its whole code.")
        raise Refusal("not-found", Phrase(sentence))
    return game


def _check_address(account: Account, address: str) -> None:
    """Raise Refusal(malformed) for an address that cannot be invited, and for the account's own."""
    if invitations.check_address(address) in email_addresses.confirmed_addresses(account):
        raise Refusal("malformed", Phrase(gettext_noop("This is your own address. You already have a seat.")))


def _open_game(account: Account, code: str) -> Game:
    """Return the game of a code at which the account has a seat. Without a code, the only one that has not begun."""
    states = [Game.State.OPEN] if not code else [Game.State.OPEN, Game.State.RUNNING]
    games = _games(account, code, *states)
    if not games:
        no_such_code = gettext_noop("None of your games has this code.")
        no_open_game = gettext_noop("None of your games is waiting for players.")
        raise Refusal("not-found", Phrase(no_such_code if code else no_open_game))
    if len(games) > 1:
        several_games = gettext_noop(
            "Several of your games are waiting for players: write the code of the game as well."
        )
        raise Refusal("malformed", Phrase(several_games))
    return games[0]


def _game_that_is_over(account: Account, code: str) -> Game:
    games = sorted(_games(account, code, Game.State.OVER), key=lambda game: game.ended_at or game.created_at)
    if not games:
        no_such_code = gettext_noop("You haven’t finished a game with this code.")
        raise Refusal("not-found", Phrase(no_such_code if code else gettext_noop("You haven’t finished a game yet.")))
    return games[-1]


def _games(account: Account, code: str, *states: str) -> list[Game]:
    games = Game.objects.filter(seats__account=account, state__in=states)
    return [game for game in games if code in ("", short_code(game))]
