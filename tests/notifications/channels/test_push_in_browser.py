"""Tests of pushes in a real browser: the button, the service worker and the shown notification."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page

from accounts.models import Account
from notifications.channels.push import add_device, tag_of
from notifications.endpoints import Device
from tests.browser import PATIENCE, Visit, Visitor, chromium, visit
from tests.games.seated import begin, play
from tests.notifications.outgoing.phone import AUTH, coded, stand_in

__all__ = ["chromium", "visit"]
pytestmark = pytest.mark.django_db(transaction=True)

SUBSCRIPTION: dict[str, Any] = {
    "endpoint": "https://push.darbar.org/send/abc",
    "expirationTime": None,
    "keys": {
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    },
}
"""The example of RFC 8291."""
CHANGED: dict[str, Any] = {
    "endpoint": "https://push.darbar.org/send/def",
    "expirationTime": None,
    "keys": {**SUBSCRIPTION["keys"], "auth": coded(AUTH)},
}
"""The subscription that a browser has after a change."""
TAKE_NOTE = """() => {
    const show = self.registration.showNotification.bind(self.registration);
    self.shown = 0;
    self.registration.showNotification = (title, options) => show(title, options).then(() => {
        self.shown += 1;
        self.options = options;
    });
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
    assert device.p256dh == SUBSCRIPTION["keys"]["p256dh"]
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


def test_a_push_about_a_closed_question_removes_its_notification_and_no_newer_one(maryam: Visitor) -> None:
    page = maryam.page
    maryam.go("/settings/channels/")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => 0)")
    (worker,) = maryam.context.service_workers
    worker.evaluate(TAKE_NOTE)

    def push(count: int, **fields: Any) -> Any:
        message = {"title": "Coup", "body": "", "lang": "en", "tag": "t", "url": maryam.home, **fields}
        _push(page, maryam.home, json.dumps(message))
        until(page, lambda: worker.evaluate("() => self.shown") == count, "a notification is shown")
        return worker.evaluate("() => self.options")

    def open_questions() -> list[str]:
        script = "() => self.registration.getNotifications().then((all) => all.map(({ data }) => data?.question))"
        questions: list[str] = worker.evaluate(script)
        return questions

    assert push(1, question="1.1", renotify=True)["renotify"] is True
    until(page, lambda: open_questions() == ["1.1"], "the question is shown")
    closing = push(2, question="1.1", closes=True)
    assert (closing["silent"], closing["tag"]) == (True, "t")
    until(page, lambda: open_questions() == [], "nothing is shown")
    push(3, question="2.1", renotify=True)
    until(page, lambda: open_questions() == ["2.1"], "the newer question is shown")
    assert push(4, question="1.1", closes=True)["silent"] is True
    until(page, lambda: open_questions() == ["2.1"], "the newer question alone is shown")
    assert maryam.complaints == []


def test_the_page_of_a_game_removes_the_notification_of_a_question_that_is_not_open_there(maryam: Visitor) -> None:
    account = Account.objects.get(name="Maryam")
    game = begin([account, Account.objects.create_user("sepideh@example.org", name="Sepideh"), None])
    maryam.go(f"/games/{game.pk}/")
    show = """([tag, question]) => navigator.serviceWorker.ready.then((worker) =>
        worker.showNotification("Coup", { tag, data: { question } }))"""
    script = """() => navigator.serviceWorker.ready.then((worker) => worker.getNotifications())
        .then((all) => all.map(({ data }) => data.question).sort())"""
    maryam.page.evaluate(show, [tag_of(account.pk, f"game:{game.pk}"), "1.1"])
    maryam.page.evaluate(show, ["t", "other"])
    maryam.go(f"/games/{game.pk}/")
    until(maryam.page, lambda: maryam.page.evaluate(script) == ["1.1", "other"], "both are shown")
    play(game, "1 income")
    maryam.go(f"/games/{game.pk}/")
    until(maryam.page, lambda: maryam.page.evaluate(script) == ["other"], "the answered question is removed")


def test_a_changed_subscription_is_registered_for_the_account_that_chose_pushes_whoever_is_logged_in(
    maryam: Visitor,
) -> None:
    maryam.context.add_init_script(stand_in(SUBSCRIPTION))
    maryam.go("/settings/channels/")
    maryam.page.get_by_role("button", name="Show notifications here").click()
    maryam.page.get_by_text("Chrome, Linux").wait_for()
    kaveh = Client()
    kaveh.force_login(
        Account.objects.create_user("kaveh@example.org", name="Kaveh"),
        "allauth.account.auth_backends.AuthenticationBackend",
    )
    cookie = {"name": "sessionid", "value": kaveh.cookies["sessionid"].value, "url": maryam.home}
    maryam.context.add_cookies([cookie])  # type: ignore[list-item]
    (worker,) = maryam.context.service_workers
    worker.evaluate(stand_in_for_worker(CHANGED))
    maryam.go("/")
    until(maryam.page, lambda: Device.objects.get().endpoint == CHANGED["endpoint"], "the visit has changed it")
    assert Device.objects.get().account.name == "Maryam"
    endpoint = "https://push.darbar.org/send/ghi"
    worker.evaluate(stand_in_for_worker({**CHANGED, "endpoint": endpoint}))
    worker.evaluate("""() => {
        const event = new Event("pushsubscriptionchange");
        event.waitUntil = (promise) => { self.waiting = promise; };
        self.dispatchEvent(event);
        return self.waiting;
    }""")
    device = Device.objects.get()
    assert (device.endpoint, device.account.name) == (endpoint, "Maryam")
    device.delete()
    worker.evaluate(stand_in_for_worker(CHANGED))
    worker.evaluate("() => renewSubscription()")
    assert not Device.objects.exists(), "a device that was removed in the settings stays removed"


def stand_in_for_worker(subscription: dict[str, Any]) -> str:
    """Return a script with which the service worker has this subscription, for the key of the server."""
    return f"""() => {{
        const encodedKey = parameters.get("key").replace(/-/g, "+").replace(/_/g, "/");
        const options = {{ applicationServerKey: Uint8Array.from(atob(encodedKey), (letter) => letter.charCodeAt(0)) }};
        PushManager.prototype.getSubscription = async () => ({{ options, toJSON: () => ({json.dumps(subscription)}) }});
    }}"""


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
    for strange in ("\0", "!" * 3000, "\n"):
        assert post(keys={**SUBSCRIPTION["keys"], "auth": SUBSCRIPTION["keys"]["auth"] + strange}) == 400
        assert post(keys={**SUBSCRIPTION["keys"], "p256dh": SUBSCRIPTION["keys"]["p256dh"] + strange}) == 400
    assert post(more=json.loads("[" * 900 + "]" * 900)) == 400
    assert kaveh.post("/push/subscriptions/", "nonsense", content_type="text/plain").status_code == 400
    assert not Device.objects.exists()
    assert post() == post() == 201
    assert Device.objects.count() == 1
    assert kaveh.get("/service-worker.js")["Content-Type"].startswith("text/javascript")


def test_only_a_browser_that_knows_the_secret_of_a_subscription_replaces_it(db: None) -> None:
    maryam = Account.objects.create_user("maryam@example.org", name="Maryam")
    sepideh = Account.objects.create_user("sepideh@example.org", name="Sepideh")

    def add(account: Account, subscription: dict[str, Any]) -> None:
        add_device(account, subscription["endpoint"], **subscription["keys"], name="phone", now=timezone.now())

    def renew(former: dict[str, Any], current: Any = CHANGED) -> int:
        client = Client(enforce_csrf_checks=True)
        client.force_login(sepideh, "allauth.account.auth_backends.AuthenticationBackend")
        body = {"former": former, "current": current}
        return client.post("/push/renewals/", body, content_type="application/json").status_code

    add(maryam, SUBSCRIPTION)
    assert renew({**SUBSCRIPTION, "keys": {**SUBSCRIPTION["keys"], "auth": coded(AUTH)}}) == 404
    assert renew(SUBSCRIPTION, {**CHANGED, "endpoint": "https://127.0.0.1/"}) == 400
    assert renew(SUBSCRIPTION, {**CHANGED, "keys": {"p256dh": "AAAA", "auth": coded(AUTH)}}) == 400
    assert renew(SUBSCRIPTION, "nonsense") == 400
    assert renew({**SUBSCRIPTION, "endpoint": "https://push.darbar.org/\0"}) == 400
    assert renew({**SUBSCRIPTION, "keys": {**SUBSCRIPTION["keys"], "auth": "\0"}}) == 400
    assert Device.objects.get().endpoint == SUBSCRIPTION["endpoint"]
    assert renew(SUBSCRIPTION) == 204
    device = Device.objects.get()
    assert (device.endpoint, device.auth, device.account) == (CHANGED["endpoint"], coded(AUTH), maryam)
    assert renew(SUBSCRIPTION) == 204, "the answer to the first request may have been lost"
    device.delete()
    assert renew(SUBSCRIPTION) == 404
    add(maryam, SUBSCRIPTION)
    add(sepideh, CHANGED)
    assert renew(SUBSCRIPTION) == 204, "Sepideh has chosen pushes in the same browser since"
    assert Device.objects.get().account == sepideh
