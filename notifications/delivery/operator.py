"""Messages to the operator. They are logged, and sent by email if ``OPERATOR_EMAIL`` is set."""

import logging
from datetime import datetime
from typing import Final

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import override

from notifications import set_aside
from notifications.content.rendered_notification import Prose, RenderedNotification
from notifications.delivery import outbox
from notifications.set_aside import SetAside

logger = logging.getLogger(__name__)

REASON: Final = "operator"


def set_aside_and_notify(kind: SetAside.Kind, subject: object, about: str, error: str, now: datetime) -> None:
    """Log that an object was set aside, and notify the operator, at most once an hour for each kind.

    ``about`` is the object that it belongs to. ``error`` is the type and place of an error. It must not contain secrets
    of a game.
    """
    set_aside.note(kind, subject, about, error, now)
    description = f"{kind} {subject}{about and f' of {about}'}: {error}"
    logger.error("set aside: %s", description)
    if not settings.OPERATOR_EMAIL:
        return
    with override(settings.LANGUAGE_CODE):
        subject_line = _("Darbar: something was set aside")
        where_to_look = _(
            "Try it again or acknowledge it at /admin/ or with manage.py set_aside, which list all that was set aside."
        )
        more = _("More of this kind within the hour is listed only there and in the log.")
        rendered = RenderedNotification(
            settings.LANGUAGE_CODE,
            subject_line,
            subject_line,
            (Prose((description, where_to_look, more)),),
            is_official=True,
        )
    order = outbox.NewNotification(f"{REASON}:{kind}:{now:%Y%m%d%H}", REASON, address=settings.OPERATOR_EMAIL)
    outbox.add_rendered(order, rendered, now)
