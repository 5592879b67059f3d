"""What whoever runs the server should hear of: it stands in the log, and comes by mail where they gave an address."""

import logging
from datetime import datetime
from typing import Final

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import override

from notifications import outbox
from notifications.notice import Notice, Prose

logger = logging.getLogger(__name__)

REASON: Final = "operator"


def tell(kind: str, what: str, now: datetime) -> None:
    """Log that something was set aside, and write it to the operator: one letter an hour about each kind of thing.

    ``what`` names things by their ids and holds nothing that only players may know.
    """
    logger.error("set aside: %s", what)
    if not settings.OPERATOR_EMAIL:
        return
    with override(settings.LANGUAGE_CODE):
        subject = _("Darbar: something was set aside")
        more = _("If more of this kind follows within the hour, it stands in the log only.")
        notice = Notice(settings.LANGUAGE_CODE, subject, subject, (Prose((what, more)),))
    order = outbox.Order(f"{REASON}:{kind}:{now:%Y%m%d%H}", REASON, address=settings.OPERATOR_EMAIL)
    outbox.post(order, notice, now)
