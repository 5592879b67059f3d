"""Addresses whose owners wanted no mail ever again, and how they come back."""

import pytest
from django.test import RequestFactory
from django.utils import timezone

from accounts.authentication import sign_up
from accounts.authentication.sign_up import WrongCode
from notifications import deliverability, outbox
from notifications.content import RenderedNotification
from notifications.deliver import deliver_due
from notifications.models import Notification, State
from tests.accounts.people import PASSWORD, Person, forget_tries


def sent_to(address: str) -> list[str]:
    """Return how far each notification to this address has come that belongs to no account."""
    now = timezone.now()
    rendered = RenderedNotification("en", "Coup AB2C", "Sepideh invites you.")
    outbox.add_rendered(outbox.NewNotification(f"invitation:{now}", "invitation", address=address), rendered, now)
    deliver_due(timezone.now())
    return list(Notification.objects.filter(account=None).values_list("state", flat=True))


def test_nothing_that_belongs_to_no_account_is_sent_to_an_address_that_wants_no_mail(maryam: Person) -> None:
    deliverability.suppress(maryam.email.upper(), timezone.now())
    assert sent_to(maryam.email) == [State.DROPPED]
    assert sent_to(maryam.email.replace("@", "+tables@")) == [State.DROPPED] * 2


def test_only_a_confirmed_sign_up_ends_it(maryam: Person) -> None:
    deliverability.suppress(maryam.email, timezone.now())
    assert maryam.sign_up().status_code == 202
    assert deliverability.is_suppressed(maryam.email)
    assert maryam.confirm("AAAA-AAAA").status_code == 400
    assert deliverability.is_suppressed(maryam.email)
    assert maryam.confirm().status_code == 200
    assert not deliverability.is_suppressed(maryam.email)
    assert sent_to(maryam.email) != [State.DROPPED]


def test_for_whoever_has_an_account_a_new_password_by_mail_ends_it(maryam: Person) -> None:
    maryam.settle()
    deliverability.suppress(maryam.email, timezone.now())
    forget_tries()
    request = RequestFactory().post("/password/")
    request.session = {}  # type: ignore[assignment]
    sign_up.request_reset(request, maryam.email)
    with pytest.raises(WrongCode):
        sign_up.reset_password(request, maryam.email, "AAAA-AAAA", PASSWORD[::-1], keep_tokens=False)
    assert deliverability.is_suppressed(maryam.email)
    sign_up.reset_password(request, maryam.email, maryam.code(), PASSWORD[::-1], keep_tokens=False)
    assert not deliverability.is_suppressed(maryam.email)


def test_the_mailboxes_of_others_are_not_silent(maryam: Person, kaveh: Person) -> None:
    deliverability.suppress(maryam.email, timezone.now())
    assert not deliverability.is_suppressed(kaveh.email)
    deliverability.allow(kaveh.email)
    assert deliverability.is_suppressed(maryam.email)
