"""The only email that is sent to an address which must be confirmed again, and its link."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override

from notifications.content import addresses
from notifications.content.rendered_notification import Footnote, Link, Prose, RenderedNotification
from notifications.delivery import outbox
from notifications.models import Deliverability
from notifications.recipients import deliverability


def ask(account: Any, now: datetime) -> bool:
    """Send the request to confirm an account's closed address, at most once an hour. Return whether it was sent."""
    closed = deliverability.of(account.email)
    if closed is None or not deliverability.begin_asking(account.email, now):
        return False
    with override(account.language):
        rendered = _rendered(account, closed)
    key = f"{deliverability.CONFIRMATION}:{account.pk}:{now:%Y%m%d%H%M%S}"
    outbox.add_rendered(outbox.NewNotification(key, deliverability.CONFIRMATION, account.pk), rendered, now)
    return True


def _rendered(account: Any, closed: Deliverability) -> RenderedNotification:
    return RenderedNotification(
        language=account.language,
        subject=_("Do you get emails from Darbar?"),
        headline=_("Do you get emails from Darbar?"),
        blocks=(
            Prose((why(closed), _("Until you confirm this address, no other email goes to it."))),
            Link(
                _("Confirm this address"), f"{settings.PUBLIC_URL}{reverse('confirm-address', args=[_token(account)])}"
            ),
            Footnote((_("If you do not want emails, do nothing."),)),
        ),
    )


def why(closed: Deliverability) -> str:
    """Return the reason why no emails are sent to an address, in the active language."""
    if closed.why == Deliverability.Why.COMPLAINED:
        return _("An email from Darbar to your address was reported as spam.")
    return _("Emails from Darbar to your address came back.")


def _token(account: Any) -> str:
    return addresses.token(addresses.CONFIRM, f"{account.pk}-{deliverability.id_of(account.email).hex}")


def account_of(token: str) -> Any | None:
    """Return the account whose address a link confirms, or None if the link is invalid or the address has changed."""
    match addresses.read(token):
        case (addresses.CONFIRM, subject):
            number, _, address = subject.partition("-")
            account = get_user_model().objects.filter(pk=int(number), is_active=True).first()
            if account is not None and address in {id_.hex for id_ in deliverability.ids_of(account.email)}:
                return account
    return None
