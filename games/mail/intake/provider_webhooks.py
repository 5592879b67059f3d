"""The door for mail providers: what they received for us, and what became of mail that they sent for us.

Each is known by its name in the path, and only while its secret is set (``settings.MAIL_WEBHOOKS``). What does
not prove that it comes from there is refused, and nothing is stored. Inbound mail joins the one road.
"""

import logging
from collections.abc import Mapping
from email.errors import MessageError
from typing import Any, Final

from anymail.inbound import AnymailInboundMessage
from anymail.signals import AnymailInboundEvent, AnymailTrackingEvent, inbound, tracking
from anymail.webhooks import mailersend, mailgun, mailjet, mandrill, postal, postmark, sparkpost
from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db import DatabaseError
from django.dispatch import receiver
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from config.database import database_clock
from config.failures import describe_error
from games.mail.intake.receive import receive
from notifications.inbound import bounces
from notifications.inbound import received_mail as mails
from notifications.mail_parsing import delivery_reports
from notifications.recipients import deliverability

logger = logging.getLogger(__name__)

VIEWS: Final[Mapping[tuple[str, str], type]] = {
    ("mailersend", "inbound"): mailersend.MailerSendInboundWebhookView,
    ("mailersend", "tracking"): mailersend.MailerSendTrackingWebhookView,
    ("mailgun", "inbound"): mailgun.MailgunInboundWebhookView,
    ("mailgun", "tracking"): mailgun.MailgunTrackingWebhookView,
    ("mailjet", "inbound"): mailjet.MailjetInboundWebhookView,
    ("mailjet", "tracking"): mailjet.MailjetTrackingWebhookView,
    ("mandrill", "both"): mandrill.MandrillCombinedWebhookView,
    ("postal", "inbound"): postal.PostalInboundWebhookView,
    ("postal", "tracking"): postal.PostalTrackingWebhookView,
    ("postmark", "inbound"): postmark.PostmarkInboundWebhookView,
    ("postmark", "tracking"): postmark.PostmarkTrackingWebhookView,
    ("sparkpost", "inbound"): sparkpost.SparkPostInboundWebhookView,
    ("sparkpost", "tracking"): sparkpost.SparkPostTrackingWebhookView,
}
"""The views that read each provider's requests: received mail (inbound), and the fate of sent mail (tracking).

Not here are those whose requests cannot be believed or hold no mail, so that we would have to fetch it:
Amazon SES, Brevo, Mailtrap and Resend; and SendGrid, which anymail supports no longer.
"""


class UnstorableMail(Exception):
    """A mail that cannot be written down."""


@csrf_exempt
@never_cache
def webhook(request: HttpRequest, provider: str, kind: str) -> HttpResponse:
    """Let anymail check and read a request: 400 where it cannot be believed or read. Http404 for a provider that is not
    on, DatabaseError.
    """
    secret = settings.MAIL_WEBHOOKS.get((provider, kind))
    if secret is None:
        raise Http404
    view = VIEWS[provider, kind](**secret)
    view.setup(request)
    try:
        answer: HttpResponse = view.dispatch(request)
    except (DatabaseError, RequestDataTooBig):
        raise
    except Exception as error:
        # Whatever a stranger sends must not look like a failure of ours, after which providers try for days.
        logger.warning("a request for %s was refused: %s", provider, describe_error(error))
        return HttpResponseBadRequest()
    return answer


@receiver(inbound, dispatch_uid="games.mail.intake.provider_webhooks.store")
def store(sender: Any, event: AnymailInboundEvent, **_: Any) -> None:
    """Store a mail that a provider received. Refused where it cannot be written down; DatabaseError."""
    message = event.message
    recipients = _recipients(message)
    if recipients:
        receive(raw_message(message), message.envelope_sender, recipients, database_clock.now())


def raw_message(message: AnymailInboundMessage) -> bytes:
    """The mail as it came, as far as the provider has left it so: no header is folded anew."""
    try:
        raw: bytes = message.as_bytes(policy=message.policy.clone(refold_source="none"))
    except (MessageError, ValueError, LookupError, TypeError) as error:
        raise UnstorableMail(f"The mail cannot be written down: {describe_error(error)}") from None
    return raw


def _recipients(message: AnymailInboundMessage) -> list[str]:
    """Our addresses that a mail is for: the envelope's where it is known, else those in its headers."""
    if message.envelope_recipient and mails.takes(message.envelope_recipient):
        return [message.envelope_recipient]
    named = [each.addr_spec for name in ("To", "Cc", "Delivered-To") for each in message.get_address_header(name)]
    return [fromkey for fromkey in dict.fromkeys(named) if mails.takes(fromkey)]


@receiver(tracking, dispatch_uid="games.mail.intake.provider_webhooks.note_delivery_event")
def note_delivery_event(sender: Any, event: AnymailTrackingEvent, **_: Any) -> None:
    """Note what a provider tells about an address: that it takes no mail, or that its owner complained."""
    if event.recipient and (failure := bounces.failure(delivery_reports.of_event(event))):
        deliverability.note(event.recipient, failure, event.timestamp, database_clock.now())


urlpatterns = [
    path("anymail/mandrill/", webhook, {"provider": "mandrill", "kind": "both"}, name="mandrill-webhook"),
    # With "mime" in its path, Mailgun sends mails as they came instead of parsed.
    path("anymail/mailgun/inbound_mime/", webhook, {"provider": "mailgun", "kind": "inbound"}, name="mailgun-mime"),
    path("anymail/<str:provider>/<str:kind>/", webhook, name="mail-webhook"),
]
