"""The delay for spectators: if the host wants it, spectators see an earlier state of a running game.

Games are changed in memory, right after their rows were read. The version of a game becomes that of the last line that
is old enough, so everything that is derived from the log ends there. Players who have taken a seat since then are
replaced by their predecessors. Fields of the row that no line of the log contains are cleared. When the game is over,
spectators see everything.
"""

from collections.abc import Collection, Container
from datetime import datetime
from uuid import UUID

from django.db.models import F

from games.event_log import log_store
from games.event_log.table_events import BotTakeover, PlayerTakeover
from games.models import FormerPlayer, Game


def hold_back(games: Collection[Game], now: datetime) -> None:
    """Change games with loaded seats to what spectators may see now. Their rows must not be saved."""
    delays = {game: game.spectator_delay for game in games if game.state == Game.State.RUNNING and game.spectator_delay}
    if not delays:
        return
    new_lines = log_store.young_lines({game.pk: now - delay for game, delay in delays.items()})
    for game in delays:
        game.is_held_back = True
        game.public_head, game.due_at, game.paused_until = b"", None, None
        for seat in game.seats.all():
            seat.away, seat.returning, seat.stand_in, seat.time_bank = False, False, None, None
        if game.pk in new_lines:
            game.version = new_lines[game.pk][0] - 1
    new_takeovers = {
        (game, event.seat)
        for game, (_, events) in new_lines.items()
        for event in events
        if isinstance(event, (BotTakeover, PlayerTakeover))
    }
    if new_takeovers:
        _seat_former_players(delays, new_takeovers, now)


def _seat_former_players(games: Collection[Game], new_takeovers: Container[tuple[UUID, int]], now: datetime) -> None:
    """Put the former players on the seats that were taken over within the delay.

    A former player whose account was deleted has no name any longer.
    """
    rows = FormerPlayer.objects.filter(game__in=games, left_at__gt=now - F("game__spectator_delay"))
    former_accounts = {(row.game_id, row.seat): row.account for row in rows.select_related("account").order_by("-pk")}
    for game in games:
        for seat in game.seats.all():
            if (key := (game.pk, seat.number)) in new_takeovers:
                seat.account, seat.bot, seat.name = former_accounts.get(key), False, ""
