"""The changes that commands to the server's own address make, each with the reply that confirms it."""

from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from accounts.authentication import flows
from accounts.models import Account
from accounts.people import address_owners
from accounts.profile import sleep_hours
from games.away import vacations
from games.engine import Phrase, gettext_noop
from games.lobby import invitations
from games.lobby.create import create_game
from games.lobby.leave import leave_game
from games.lobby.new_game import NewGame
from games.lobby.rematch import create_rematch
from games.mail.mailbox import replies
from games.mail.mailbox.commands import (
    Change,
    CreateGame,
    Invite,
    LeaveGame,
    Rematch,
    SeekPlayers,
    SetDigest,
    SetSleepHours,
    Settings,
    StartMails,
    StopMails,
    StopSeeking,
    TakeVacation,
)
from games.models import Bot, Game, Move, Seek
from games.play import resolve
from games.refusals import Refusal
from games.rules.registry import RULES
from games.seeks import own_seeks
from games.seeks.new_seek import NewSeek, create_seek, usual_numbers
from games.text.game_words import short_code
from notifications.content.rendered_notification import RenderedNotification
from notifications.recipients import preferences

_MAIL: Final = Move.Via.MAIL.value


def run_command(account: Account, command: Change, now: datetime) -> RenderedNotification:
    """Carry out a command and return its confirmation. Raises Refusal if it is not allowed.

    Must run inside a transaction, which the caller rolls back on a Refusal.
    """
    match command:
        case CreateGame():
            return _create(account, command, now)
        case SeekPlayers():
            return replies.seeking(account, _seek(account, command, now))
        case StopSeeking():
            own_seeks.withdraw_all(account, now)
            return replies.search_ended(account)
        case LeaveGame(code):
            game = leave_game(_open_game(account, code).pk, account, _MAIL, now)
            return replies.left(account, game)
        case Rematch(code):
            game = create_rematch(_game_that_is_over(account, code).pk, account, {}, _MAIL, now)
            resolve.resolve(game.pk, now)
            return replies.created(account, Game.objects.get(pk=game.pk), ())
        case Invite(address, code, note):
            _check_address(account, address)
            game = _open_game(account, code)
            invitations.invite(game.pk, account, address, account.language, now, note=note)
            return replies.invited(account, game, address)
        case TakeVacation():
            return replies.vacation_announced(account, _announce_vacation(account, command, now))
    return _change_settings(account, command, now)


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
            if error := sleep_hours.find_error(falls, wakes):
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
    return replies.status_of(Account.objects.get(pk=account.pk))


def _announce_vacation(account: Account, command: TakeVacation, now: datetime) -> vacations.Vacation:
    zone = ZoneInfo(account.time_zone)
    earliest = (now + vacations.RENDERED).astimezone(zone)
    first = command.first or (earliest + timedelta(days=1) - timedelta(microseconds=1)).date()
    return vacations.announce(account, first, first + timedelta(days=command.days - 1), now)


def _create(account: Account, command: CreateGame, now: datetime) -> RenderedNotification:
    for address in command.addresses:
        _check_address(account, address)
    new_game = NewGame(
        rules=command.rules,
        seat_count=command.seat_count,
        bots=tuple(Bot(level) for level in command.bots),
        private=bool(command.addresses),
    )
    game = create_game(account, new_game, _MAIL, now)
    for address in command.addresses:
        invitations.invite(game.pk, account, address, account.language, now, note=command.note)
    resolve.resolve(game.pk, now)
    return replies.created(account, Game.objects.get(pk=game.pk), command.addresses)


def _check_address(account: Account, address: str) -> None:
    """Raise Refusal(malformed) for an address that cannot be invited, and for the account's own."""
    if invitations.check_address(address) in address_owners.confirmed_addresses(account):
        raise Refusal("malformed", Phrase(gettext_noop("This is your own address; you have a seat already.")))


def _open_game(account: Account, code: str) -> Game:
    """Return the game of a code at which the account has a seat. Without a code, the only one that has not begun."""
    states = [Game.State.OPEN] if not code else [Game.State.OPEN, Game.State.RUNNING]
    games = _games(account, code, *states)
    if not games:
        no_such_code = gettext_noop("You sit at no table with this code.")
        no_open_game = gettext_noop("You sit at no table that waits for players.")
        raise Refusal("not-found", Phrase(no_such_code if code else no_open_game))
    if len(games) > 1:
        several_games = gettext_noop("You sit at several tables: write the code of the game as well.")
        raise Refusal("malformed", Phrase(several_games))
    return games[0]


def _game_that_is_over(account: Account, code: str) -> Game:
    games = sorted(_games(account, code, Game.State.OVER), key=lambda game: game.ended_at or game.created_at)
    if not games:
        no_such_code = gettext_noop("You have not finished a game with this code.")
        raise Refusal("not-found", Phrase(no_such_code if code else gettext_noop("You have not finished a game yet.")))
    return games[-1]


def _games(account: Account, code: str, *states: str) -> list[Game]:
    games = Game.objects.filter(seats__account=account, state__in=states)
    return [game for game in games if code in ("", short_code(game))]
