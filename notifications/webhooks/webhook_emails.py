"""Emails to the owners of webhooks."""

from typing import Final
from urllib.parse import urlsplit

from django.utils.translation import gettext as _
from django.utils.translation import override

from notifications.content.rendered_notification import Prose, RenderedNotification
from notifications.endpoints import Webhook

DISABLED: Final = "webhook"


def disabled(webhook: Webhook) -> RenderedNotification:
    """Notify the owner that a webhook is disabled. Only the host of its address is shown, because the rest may be
    secret.
    """
    language = webhook.account.language
    with override(language):
        host = urlsplit(webhook.url).hostname
        return RenderedNotification(
            language=language,
            subject=_("Your webhook is switched off"),
            headline=_("Your webhook at %(host)s is switched off.") % {"host": f"\u2066{host}\u2069"},
            blocks=(
                Prose(
                    (
                        _("It accepted nothing for too long, or said that it is gone. We no longer send to it."),
                        _("Questions come to you by email again. Once your app is back, switch the webhook on."),
                    )
                ),
            ),
        )
