"""The Celery application, for ``celery -A config``, and the periodic tasks of every worker."""

from collections.abc import Mapping, Sequence
from typing import Final

from config.core.tasks import app

__all__ = ["PERIODS", "app"]

TICK: Final = 5.0
HEARTBEAT: Final = 30.0
HOUR: Final = 3600.0

PERIODS: Final[Mapping[float, Sequence[str]]] = {
    TICK: ["games.tasks.tick"],
    HEARTBEAT: ["games.tasks.heartbeat", "games.tasks.check_rounds", "games.tasks.check_broker"],
    HOUR: [
        "accounts.tasks.delete_expired",
        "games.mail.tasks.forget_mail",
        "games.mail.tasks.forget_addresses",
        "games.tasks.lift_suspensions",
        "notifications.tasks.drop_contents",
        "notifications.tasks.forget_stream_events",
        "games.tasks.forget_keys",
        "games.tasks.stamp_heads",
        "games.tasks.forget_rejected_moves",
        "games.tasks.archive_games",
        "games.tasks.forget_seeks",
    ],
}
"""The periodic tasks of each worker, by the seconds between two rounds."""
