"""The validation of sleep hours: two local times of the day, or none."""

from datetime import time, timedelta
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

LONGEST: Final = timedelta(hours=12)
HALF: Final = _("Sleep has a beginning and an end: set both, or neither.")
_NO_NIGHT: Final = _("Sleep lasts from a minute to 12 hours.")


def find_error(start: time | None, end: time | None) -> Promise | str:
    """Return the error in sleep hours, or an empty string."""
    if start is None and end is None:
        return ""
    if start is None or end is None:
        return HALF
    minutes = (end.hour - start.hour) * 60 + end.minute - start.minute
    return "" if timedelta() < timedelta(minutes=minutes % (24 * 60)) <= LONGEST else _NO_NIGHT
