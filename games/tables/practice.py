"""Practice games, which go on from a moment of a finished game: one person against bots.

The log of a practice game begins with the copied events of the finished game, after the event ``PositionCopied``. Its
seed is new, so its chance differs from then on. The player has seen all cards: a practice game is private, and it is
not rated.
"""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from accounts.models import Account
from games.archive.records import require_over
from games.engine import Phrase, SeatNumber, gettext_noop, replay
from games.event_log import log_store
from games.event_log.log_store import Line, events_of
from games.event_log.table_events import PositionCopied, TableEvent
from games.models import Bot, Game
from games.play import game_caps, plans
from games.play.locked_game import SERVER
from games.refusals import Refusal, not_found
from games.tables.new_game import bot_names, seat_bot, start, take_seat
from games.tables.starting import created, new_row


def end_of_decision(lines: Sequence[Line], number: int) -> int:
    """Return the number of the last line of the decision that line ``number`` belongs to."""
    last = lines[number - 1]
    for line in lines[number:]:
        if (line.move, isinstance(line.event, TableEvent)) != (last.move, isinstance(last.event, TableEvent)):
            break
        number = line.number
    return number


def create_practice(source: Game, line: int, seat: SeatNumber, account: Account, via: str, now: datetime) -> Game:
    """Create a game that goes on after a line of a finished game, with the account on one seat and bots on the others.

    Raises Refusal(conflict) if the game is not over or the seat has nothing to decide there, Refusal(not-found) for an
    unknown line, and Refusal(limit-reached) or Refusal(rate-limited) for too many games.
    """
    require_over(source)
    if not 1 <= line <= source.version:
        raise not_found()
    rules, lines = log_store.rules_of(source), log_store.read(source)
    copied = lines[: end_of_decision(lines, line)]
    state = replay(rules, events_of(copied))
    if state is None or seat not in {question.seat for question in rules.questions(state)}:
        raise Refusal("conflict", Phrase(gettext_noop("This player had nothing to decide at that moment.")))
    bots = (Bot(),) * (source.seat_count - 1)
    with game_caps.lock_account(account):
        game = new_row(
            rules,
            account,
            options=source.options,
            seat_count=source.seat_count,
            bot_count=len(bots),
            chosen_bots=[asdict(bot) for bot in bots],
            private=True,
            created_at=now,
        )
        game_caps.count_new_game(account, now, open=False)
        with created(game, via, now) as locked:
            names = iter(bot_names([account], [account.name], len(bots)))
            for number in range(1, source.seat_count + 1):
                if number == seat:
                    take_seat(locked, account, via)
                else:
                    seat_bot(locked, next(names), Bot(), SERVER)
            start(locked)
            locked.add_table_event(PositionCopied(game=str(source.pk), line=len(copied)))
            locked.copy_events([line for line in copied if not isinstance(line.event, TableEvent)])
            plans.add_usual_plans(locked, locked.seats)
    return locked.game
