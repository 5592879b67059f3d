"""The delay of spectators: those who look on see a running game as it stood some time ago, where its host wants that.

Games are turned back in memory, right after their rows were read and before anything is made of them: the version of
each is that of the last line that is old enough, so everything that is folded or shown of its log ends there. Whoever
has taken a seat since does not sit there yet. What a row says beside the log, and no line tells, is left out. When the
game is over, everybody sees everything.
"""

from collections.abc import Collection, Container
from datetime import datetime
from uuid import UUID

from django.db.models import F

from games.event_log import log_store
from games.event_log.table_events import BotTakeover, PlayerTakeover
from games.models import FormerPlayer, Game


def hold_back(games: Collection[Game], now: datetime) -> None:
    """Turn games, whose seats are loaded, back to what those who look on may see now. Their rows must not be saved."""
    delays = {game: game.spectator_delay for game in games if game.state == Game.State.RUNNING and game.spectator_delay}
    if not delays:
        return
    young = log_store.young_lines({game.pk: now - delay for game, delay in delays.items()})
    for game in delays:
        game.is_held_back = True
        game.public_head, game.due_at, game.paused_until = b"", None, None
        for seat in game.seats.all():
            seat.away, seat.returning, seat.stand_in, seat.time_bank = False, False, None, None
        if game.pk in young:
            game.version = young[game.pk][0] - 1
    taken = {
        (game, event.seat)
        for game, (_, events) in young.items()
        for event in events
        if isinstance(event, (BotTakeover, PlayerTakeover))
    }
    if taken:
        _seat_former_players(delays, taken, now)


def _seat_former_players(games: Collection[Game], taken: Container[tuple[UUID, int]], now: datetime) -> None:
    """Seat those again whose seats were taken within the delay. Who has left the server has no name any more."""
    rows = FormerPlayer.objects.filter(game__in=games, left_at__gt=now - F("game__spectator_delay"))
    before = {(row.game_id, row.seat): row.account for row in rows.select_related("account").order_by("-pk")}
    for game in games:
        for seat in game.seats.all():
            if (key := (game.pk, seat.number)) in taken:
                seat.account, seat.bot, seat.name = before.get(key), False, ""
