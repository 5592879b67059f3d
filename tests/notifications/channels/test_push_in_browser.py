"""Tests of pushes in a real browser: the button, the service worker and the shown notification."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page

from accounts.models import Account
from notifications.endpoints import Device
from tests.browser import PATIENCE, Visit, Visitor, chromium, visit
from tests.notifications.outgoing.phone import stand_in

__all__ = ["chromium", "visit"]
pytestmark = pytest.mark.django_db(transaction=True)

SUBSCRIPTION = {
    "endpoint": "https://push.darbar.org/send/abc",
    "expirationTime": None,
    "keys": {
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    },
}
"""The example of RFC 8291."""
TAKE_NOTE = """() => {
    const show = self.registration.showNotification.bind(self.registration);
    self.registration.showNotification = (...what) => self.shown = show(...what).then(() => true);
}"""
"""A script that lets a service worker remember the notifications that it has shown. Chromium omits a notification from
its list while it is being displayed.
"""


@pytest.fixture
def maryam(visit: Visit, live_server: Any) -> Visitor:
    """Logged in, with a browser that may show notifications."""
    account = Account.objects.create_user("maryam@example.org", name="Maryam")
    session = Client()
    session.force_login(account, "allauth.account.auth_backends.AuthenticationBackend")
    visitor = visit(live_server.url, permissions=["notifications"], locale="en-GB", service_workers="allow")
    cookie = {"name": "sessionid", "value": session.cookies["sessionid"].value, "url": live_server.url}
    visitor.context.add_cookies([cookie])  # type: ignore[list-item]
    return visitor


def until(page: Page, true: Callable[[], Any], description: str) -> Any:
    """Return a condition's value once it is true. The browser's events arrive while its page waits."""
    deadline = time.monotonic() + PATIENCE / 1000
    while not (value := true()):
        assert time.monotonic() < deadline, f"in vain waited until {description}"
        page.wait_for_timeout(50)
    return value


def test_the_button_subscribes_this_browser_and_the_list_names_it(maryam: Visitor) -> None:
    maryam.context.add_init_script(stand_in(SUBSCRIPTION))
    maryam.go("/settings/channels/")
    maryam.page.get_by_role("button", name="Show notifications here").click()
    maryam.page.get_by_text("Chrome, Linux").wait_for()
    device = Device.objects.get()
    assert (device.account.name, device.endpoint) == ("Maryam", SUBSCRIPTION["endpoint"])
    assert device.p256dh == SUBSCRIPTION["keys"]["p256dh"]  # type: ignore[index]
    assert maryam.complaints == []


def test_a_browser_that_cannot_show_pushes_is_told_so(maryam: Visitor) -> None:
    maryam.context.add_init_script("delete window.PushManager")
    maryam.go("/settings/channels/")
    maryam.page.get_by_text("This browser can’t show notifications").wait_for()
    assert not maryam.page.get_by_role("button", name="Show notifications here").is_visible()


def test_the_service_worker_shows_what_is_pushed(maryam: Visitor) -> None:
    page = maryam.page
    maryam.go("/settings/channels/")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => 0)")
    (worker,) = maryam.context.service_workers
    worker.evaluate(TAKE_NOTE)
    message = {"title": "Maryam, it is your move.", "body": "Coup 4N3K", "lang": "en", "tag": "t", "url": maryam.home}
    _push(page, maryam.home, json.dumps(message))
    script = """() => navigator.serviceWorker.ready.then((worker) => worker.getNotifications())
        .then((all) => all.map((each) => [each.title, each.body, each.tag, each.data.url]))"""
    until(page, lambda: worker.evaluate("() => self.shown"), "the notification is shown")
    assert page.evaluate(script) == [[message["title"], message["body"], "t", maryam.home]]
    assert maryam.complaints == []


def _push(page: Page, origin: str, data: str) -> None:
    """Make a push come to the service worker, as the browser's push service would bring it."""
    registrations: list[Any] = []
    devtools = page.context.new_cdp_session(page)
    devtools.on("ServiceWorker.workerRegistrationUpdated", lambda text: registrations.extend(text["registrations"]))
    devtools.send("ServiceWorker.enable")
    registration = until(
        page,
        lambda: [registration for registration in registrations if registration["scopeURL"].startswith(origin)],
        "it is registered",
    )
    devtools.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": origin, "registrationId": registration[0]["registrationId"], "data": data},
    )


def test_only_whoever_is_logged_in_subscribes_and_only_with_what_is_a_subscription(db: None) -> None:
    account = Account.objects.create_user("kaveh@example.org", name="Kaveh")
    kaveh = Client()

    def post(**changes: Any) -> int:
        body = {**SUBSCRIPTION, **changes}
        return kaveh.post("/push/subscriptions/", body, content_type="application/json").status_code

    assert post() == 403
    kaveh.force_login(account, "allauth.account.auth_backends.AuthenticationBackend")
    assert post(endpoint="https://127.0.0.1/") == 400
    assert post(endpoint="http://push.darbar.org/") == 400
    assert post(keys={"p256dh": "AAAA", "auth": "BTBZMqHH6r4Tts7J_aSIgg"}) == 400
    assert post(keys=None) == 400
    assert post(more=json.loads("[" * 900 + "]" * 900)) == 400
    assert kaveh.post("/push/subscriptions/", "nonsense", content_type="text/plain").status_code == 400
    assert not Device.objects.exists()
    assert post() == post() == 201
    assert Device.objects.count() == 1
    assert kaveh.get("/service-worker.js")["Content-Type"].startswith("text/javascript")
