"""Sleep hours, by the clocks where somebody lives: two hours of the day, or none."""

from datetime import time, timedelta
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

LONGEST: Final = timedelta(hours=12)
HALF: Final = _("Sleep has a beginning and an end: set both, or neither.")
_NO_NIGHT: Final = _("Sleep lasts from a minute to 12 hours.")


def find_error(falls: time | None, wakes: time | None) -> Promise | str:
    """Return what is wrong with sleeping from then to then; blank where nothing is."""
    if falls is None and wakes is None:
        return ""
    if falls is None or wakes is None:
        return HALF
    minutes = (wakes.hour - falls.hour) * 60 + wakes.minute - falls.minute
    return "" if timedelta() < timedelta(minutes=minutes % (24 * 60)) <= LONGEST else _NO_NIGHT
