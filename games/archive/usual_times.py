"""The usual times in which players answer: what others may know about them before they join a game.

They are computed from finished games only, and from times that all players saw: an answer by hand and one by a plan
that waited count alike, and an immediate answer is left out. The result is rounded up to ``STEPS``, so it reveals no
daily habits.
"""

from collections.abc import Collection
from datetime import timedelta
from typing import Final

from accounts.models import Account
from config.core.database.rows import find
from games.models import AnswerTimes

LATEST: Final = 200
"""The number of latest answers of a player that are used."""
FEWEST: Final = 20
"""The number of answers below which no time is shown."""
SLOW: Final = timedelta(days=1)
"""Only games with turns of at least this length count. In faster ones all players have to answer quickly."""
STEPS: Final = tuple(timedelta(hours=hours) for hours in (1, 3, 6, 12, 24, 48, 72, 120, 168))
"""The lengths that are shown. A longer one is shown in whole weeks."""
_QUERY: Final = """
    SELECT account,
        percentile_disc(0.5) WITHIN GROUP (ORDER BY took),
        percentile_disc(0.9) WITHIN GROUP (ORDER BY took)
    FROM unnest(%s::bigint[]) AS account, LATERAL (
        SELECT move.received_at - move.asked_at AS took
        FROM games_move AS move JOIN games_game AS game ON game.id = move.game_id
        JOIN games_seat AS seat ON seat.game_id = move.game_id AND seat.number = move.seat
            AND seat.account_id = move.account_id
        WHERE move.account_id = account AND move.state = 'applied' AND move.received_at > move.asked_at
            AND game.state = 'over' AND (game.terms->>'turn_limit')::interval >= %s
        ORDER BY move.received_at DESC LIMIT %s
    ) AS latest
    GROUP BY account HAVING count(*) >= %s
"""


def renew(accounts: Collection[int]) -> None:
    """Compute the answer times of these accounts again, and delete those of accounts that do not show them."""
    showing = Account.objects.filter(pk__in=accounts, shows_answer_times=True).values_list("pk", flat=True)
    rows = find(_QUERY, [list(showing), SLOW, LATEST, FEWEST])
    AnswerTimes.objects.filter(account__in=accounts).delete()
    AnswerTimes.objects.bulk_create(
        AnswerTimes(account_id=account, half_within=round_up(half), most_within=round_up(most))
        for account, half, most in rows
    )


def round_up(took: timedelta) -> timedelta:
    """Return the length that is shown for this one."""
    week = STEPS[-1]
    return next((step for step in STEPS if took <= step), -(-took // week) * week)


def shown_times(account: Account) -> AnswerTimes | None:
    """Return how quickly a player usually answers, or None if it is unknown or not shown."""
    times: AnswerTimes | None = getattr(account, "answer_times", None)
    return times if account.shows_answer_times else None
