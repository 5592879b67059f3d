"""The workers' bell and its clock. The database holds all work; a bell that is lost or doubled changes nothing."""

import logging
from typing import Any, Final

from celery import Celery
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)

TICK: Final = 5.0
HEARTBEAT: Final = 30.0
HOUR: Final = 3600.0


class Bells(Celery):
    """Celery, for which a broker that does not answer is no reason to fail: the next tick finds the work."""

    def send_task(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Ring; None where the broker could not be reached."""
        try:
            return super().send_task(name, *args, **kwargs)
        except OperationalError as error:
            logger.warning("The broker does not answer, %s is left to the next tick: %s", name, error)
            return None


def _every(seconds: float, task: str) -> dict[str, Any]:
    """A bell that a busy worker does not hear twice."""
    return {"task": task, "schedule": seconds, "options": {"expires": seconds}}


app = Bells("darbar")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["games.post", "notifications.webhooks"])
app.set_default()  # else threads other than the first one would ring on an application of their own
app.conf.beat_schedule = {
    "sweep": _every(TICK, "games.tasks.sweep"),
    "house": _every(TICK, "games.tasks.house"),
    "read mail": _every(TICK, "games.post.tasks.read_mail"),
    "write letters": _every(TICK, "games.tasks.write_letters"),
    "deliver letters": _every(TICK, "notifications.tasks.deliver_letters"),
    "dispatch letters": _every(TICK, "notifications.tasks.dispatch_letters"),
    "post to webhooks": _every(TICK, "notifications.webhooks.tasks.post"),
    "count games": _every(TICK, "games.tasks.count_games"),
    "heartbeat": _every(HEARTBEAT, "games.tasks.heartbeat"),
    "forget limits and grants": _every(HOUR, "accounts.tasks.forget"),
    "forget mail": _every(HOUR, "games.post.tasks.forget_mail"),
    "forget addresses": _every(HOUR, "games.post.tasks.forget_addresses"),
    "lift suspensions": _every(HOUR, "games.tasks.lift_suspensions"),
    "forget signals": _every(HOUR, "notifications.webhooks.tasks.forget"),
    "forget keys": _every(HOUR, "games.tasks.forget_keys"),
}
