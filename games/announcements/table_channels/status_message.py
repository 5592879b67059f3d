"""The texts of messages in a game's channel. They contain what any spectator may know."""

from typing import Final

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.profile.local_times import format_moment
from games.announcements.table_channels import handles
from games.engine import SPECTATOR, SeatNumber
from games.models import Game, TableChannel
from games.text.phrases import player
from games.visibility.player_view import PlayerView
from notifications.channels.registry import chat_apps

LINES: Final = 3
"""The number of lines of the story in a message."""
_REACTION: Final = "reaction"


def write_reminder(channel: TableChannel) -> tuple[str, str]:
    """Return the reminder about the state of a game, and the handle that it mentions or a blank text.

    Raises UnknownRules.
    """
    with override(channel.language):
        player_view = PlayerView(channel.game, None, None, SPECTATOR)
        seat = _awaited(player_view)
        handle = _handle(channel, seat)
        addressee = _("A reminder for all who have not answered yet.")
        if seat is not None:
            name = chat_apps()[channel.app].mention(handle) if handle else player(seat, player_view.names)
            addressee = _("A reminder for %(player)s.") % {"player": name}
        status = [] if player_view.state is None else player_view.status()
        return "\n".join([player_view.subject, addressee, *status, *_ending(channel.game)]), handle


def _awaited(player_view: PlayerView) -> SeatNumber | None:
    """Return the seat that is publicly known to have a question. None in a reaction, where answers are hidden."""
    questions = () if player_view.state is None else player_view.rules.questions(player_view.state)
    seats = [
        question.seat for question in questions if player_view.rules.paces.get(question.kind, _REACTION) != _REACTION
    ]
    return seats[0] if len(questions) == len(seats) == 1 else None


def _handle(channel: TableChannel, seat: SeatNumber | None) -> str:
    accounts = {seat.number: seat.account_id for seat in channel.game.seats.all()}
    account = None if seat is None else accounts.get(seat)
    return "" if account is None else handles.handle_of_player(channel, account)


def write(channel: TableChannel) -> str:
    """Return the state of a channel's game in the channel's language. Raises UnknownRules."""
    with override(channel.language):
        return "\n".join(_lines(channel.game))


def _lines(game: Game) -> list[str]:
    player_view = PlayerView(game, None, None, SPECTATOR)
    lines = [player_view.subject, *player_view.history(LINES)]
    if player_view.state is not None and not any(line.event.tells_winners for line in player_view.log):
        lines += player_view.status()
    return [*lines, *_ending(game)]


def _ending(game: Game) -> list[str]:
    """Return the public deadline and the page of the game."""
    page = f"{settings.PUBLIC_URL}{reverse('pages:game', args=[game.pk])}"
    if game.state != Game.State.RUNNING or game.due_at is None:
        return [page]
    moment = format_moment(game.due_at, timezone.get_default_timezone())
    return [_("Until %(moment)s") % {"moment": moment}, page]
