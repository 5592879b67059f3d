"""The intake of email from all sources, and the webhooks of mail providers.

The mail server (``games.mail.smtp_server``), ``manage.py receive_mail`` and the webhooks of mail providers accept email
for this server's own addresses only. They store it unchanged before they confirm it, and then enqueue the task that
reads it (``games.mail.tasks``). An email has at most 1 MiB, an automatic report 256 KiB.

Hourly quotas limit email by SMTP, for an address and for the network around it. The counts are rows of the database
(``accounts.rate_limits``), so all processes share them. Mail servers in ``MAIL_RELAYS`` and clients of LMTP have no
quota, because they pass on email from everywhere. The command and the webhooks are trusted too.

Providers report the mail that they received for this server, and the fate of mail that they sent for it. A provider's
address answers only while its secret is set (``settings.MAIL_WEBHOOKS``). A request that the secret does not prove is
refused, and nothing is stored. Received mail is stored like mail from SMTP.
"""

import ipaddress
import logging
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from email.errors import MessageError
from typing import Any, Final

from anymail.inbound import AnymailInboundMessage
from anymail.signals import AnymailInboundEvent, AnymailTrackingEvent, inbound, tracking
from anymail.webhooks import mailersend, mailgun, mailjet, mandrill, postal, postmark, sparkpost
from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db import DatabaseError, transaction
from django.dispatch import receiver
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from accounts.rate_limits import Policy, network_of, surroundings_of, take
from config.core import clock, traces
from config.core.logs import describe_error
from config.core.tasks import enqueue
from notifications import deliverability, received_mail
from notifications.mail_parsing import delivery_reports

HOUR: Final = timedelta(hours=1)
KIBIBYTE: Final = 1024
USUAL_SIZE: Final = 64
"""KiB that an address may send in an hour for each email of its quota."""
NETWORK: Final = 5
"""The factor by which the quota of a network is larger than that of an address."""


def is_relay(address: str) -> bool:
    """Return True for the address of a mail server that the operator lists."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = parsed.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Address) else None
    return any((mapped or parsed) in network for network in settings.MAIL_RELAYS)


def take_mail(address: str, now: datetime) -> bool:
    """Count one email or one refused recipient. Return False if the quota is used up. Raises DatabaseError."""
    return _take("mails", settings.MAILS_PER_ADDRESS, address, 1, now)


def take_bytes(address: str, size: int, now: datetime) -> bool:
    """Count the bytes of an email. Return False if the quota is too small. Raises DatabaseError."""
    quota = settings.MAILS_PER_ADDRESS * USUAL_SIZE
    return _take("mail-size", quota, address, -(-size // KIBIBYTE), now)


def _take(name: str, quota: int, address: str, amount: int, now: datetime) -> bool:
    for key, limit in ((network_of(address), quota), (surroundings_of(address), quota * NETWORK)):
        if not take(f"{name}:{key}", Policy(name, limit, HOUR), now, amount).granted:
            return False
    return True


def receive(raw: bytes, sender: str | None, recipients: Iterable[str], now: datetime, *, relayed: bool = True) -> None:
    """Store an email that was received completely at ``now``. Raises DatabaseError if it could not be stored.

    ``relayed`` is False for mail by SMTP from any client: then no mail server vouches for its sender.
    """
    with traces.begin_trace("receive email"), transaction.atomic():
        received_mail.store(raw, sender, recipients, now, relayed=relayed)
        enqueue("games.mail.tasks.read_mail")


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

Amazon SES, Brevo, Mailtrap and Resend are missing: their requests cannot be verified, or do not contain the email.
SendGrid is missing because anymail no longer supports it.
"""


class UnstorableMail(Exception):
    """An email that cannot be serialised."""


@csrf_exempt
@never_cache
def webhook(request: HttpRequest, provider: str, kind: str) -> HttpResponse:
    """Let anymail check and read a request. Return 400 if it cannot be verified or parsed.

    Raises Http404 for a provider that is not enabled, and DatabaseError.
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
        # An error 500 would make a provider repeat an invalid request for days.
        logger.warning("a request for %s was refused: %s", provider, describe_error(error))
        return HttpResponseBadRequest()
    return answer


@receiver(inbound, dispatch_uid="games.mail.intake.store")
def store(sender: Any, event: AnymailInboundEvent, **_: Any) -> None:
    """Store an email that a provider received. Raises UnstorableMail and DatabaseError."""
    message = event.message
    recipients = _recipients(message)
    if recipients:
        receive(raw_message(message), message.envelope_sender, recipients, clock.now())


def raw_message(message: AnymailInboundMessage) -> bytes:
    """Return the original email, as far as the provider has kept it. Headers are not folded again."""
    try:
        content: bytes = message.as_bytes(policy=message.policy.clone(refold_source="none"))
    except (MessageError, ValueError, LookupError, TypeError) as error:
        raise UnstorableMail(f"The mail cannot be written down: {describe_error(error)}") from None
    return content


def _recipients(message: AnymailInboundMessage) -> list[str]:
    """Return this server's addresses among the recipients: the envelope's if it is known, else those in the headers."""
    if message.envelope_recipient and received_mail.takes(message.envelope_recipient):
        return [message.envelope_recipient]
    headers = ("To", "Cc", "Delivered-To")
    addresses = [address.addr_spec for header in headers for address in message.get_address_header(header)]
    return [address for address in dict.fromkeys(addresses) if received_mail.takes(address)]


@receiver(tracking, dispatch_uid="games.mail.intake.note_delivery_event")
def note_delivery_event(sender: Any, event: AnymailTrackingEvent, **_: Any) -> None:
    """Note a provider's report that an address does not exist, or that its owner complained."""
    if event.recipient and (failure := received_mail.failure_of_report(delivery_reports.of_event(event))):
        deliverability.note(event.recipient, failure, event.timestamp, clock.now())


urlpatterns = [
    path("anymail/mandrill/", webhook, {"provider": "mandrill", "kind": "both"}, name="mandrill-webhook"),
    # Mailgun sends the original email instead of its parsed parts if the path contains "mime".
    path("anymail/mailgun/inbound_mime/", webhook, {"provider": "mailgun", "kind": "inbound"}, name="mailgun-mime"),
    path("anymail/<str:provider>/<str:kind>/", webhook, name="mail-webhook"),
]
