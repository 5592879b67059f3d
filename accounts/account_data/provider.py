"""The export and deletion of the data that this app keeps about an account."""

from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db.models import F

from accounts.models import Account, Block, CodeRequest, Follow, Mute, Report, SecondAddress, Sighting, Token
from accounts.second_factor import factors


def export_data(account: Account) -> dict[str, Any]:
    """Return the account, its addresses, second factors without secrets, sessions, sightings, tokens, lists and
    reports."""
    fields = (
        "email", "name", "language", "time_zone", "is_bot", "public_profile", "shows_answer_times", "shows_presence",
        "sleep_from", "sleep_to", "vacations", "created_at", "last_login", "silent_until",
    )  # fmt: skip
    return {
        "account": {name: getattr(account, name) for name in fields} | {"calendar_feed": bool(account.calendar_key)},
        "addresses": list(EmailAddress.objects.filter(user=account).values("email", "verified", "primary")),
        "second_addresses": list(SecondAddress.objects.filter(account=account).values("address", "confirmed_at")),
        "tokens": list(
            Token.objects.filter(user=account).values("name", "scopes", "created", "expiry", "last_used_at")
        ),
        "second_factors": [
            {
                "type": factor.type,
                "name": str(factor),
                "created_at": factor.created_at,
                "last_used_at": factor.last_used_at,
            }
            for factor in factors.factors_of(account)
        ],
        "sessions": list(
            UserSession.objects.filter(user=account).values("ip", "user_agent", "created_at", "last_seen_at")
        ),
        "sightings": [
            {
                "kind": sighting.kind,
                "hash": bytes(sighting.digest).hex(),
                "first_at": sighting.first_at,
                "last_at": sighting.last_at,
            }
            for sighting in Sighting.objects.filter(account=account).order_by("first_at", "pk")
        ],
        "blocks": list(Block.objects.filter(owner=account).values("since", name=F("other__name"))),
        "follows": list(Follow.objects.filter(owner=account).values("since", name=F("other__name"))),
        "mutes": list(Mute.objects.filter(owner=account).values("since", name=F("other__name"))),
        "reports": list(
            Report.objects.filter(reporter=account).values("kind", "reason", "evidence", "made_at", "state")
        ),
    }


def delete_data(account: Account, now: datetime) -> None:
    """End the sessions of the account and remove its name from texts. Reports keep their evidence without the name."""
    for session in Session.objects.filter(expire_date__gt=now).iterator():
        if session.get_decoded().get(SESSION_KEY) == str(account.pk):
            session.delete()
    for report in Report.objects.filter(accused=account):
        report.evidence.pop("name", None)
        report.save(update_fields=["evidence"])
    of_accounts = ContentType.objects.get_for_model(Account)
    LogEntry.objects.filter(content_type=of_accounts, object_id=str(account.pk)).delete()
    CodeRequest.objects.filter(email=account.email).delete()
