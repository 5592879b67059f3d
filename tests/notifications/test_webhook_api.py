"""Tests of webhooks and devices over the API: owners, valid addresses, and secrets that are shown once."""

import uuid
from typing import Any

import pytest
from celery import current_app
from django.utils import timezone

from accounts.models import Account
from notifications import webhooks
from notifications.deliver import dispatch_messages_due
from notifications.endpoints import Device, Webhook
from notifications.models import Notification
from tests.examples import for_each
from tests.games.api.conftest import client
from tests.notifications.outgoing.receiver import Receiver
from tests.notifications.test_webhooks import NOON, checked, tell

pytestmark = pytest.mark.django_db
HOOKS = "/api/v1/me/webhooks/"
DEVICES = "/api/v1/me/devices/"
URL = "https://hooks.darbar.org/in"
KEYS = {
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
}
"""The example of RFC 8291."""


def create(program: Any, **changes: Any) -> Any:
    return program.post(HOOKS, {"url": URL, "kinds": ["question", "event"], **changes}, format="json")


def test_a_webhook_is_made_with_a_secret_that_is_shown_once(receiver: Receiver, maryam: Account) -> None:
    program = client(maryam, "webhooks")
    answer = create(program, url=receiver.url)
    assert answer.status_code == 201
    assert answer["Cache-Control"] == "no-store"
    secret = answer.json()["secret"]
    assert secret.startswith("whsec_")
    at = f"{HOOKS}{answer.json()['id']}/"
    for response in (program.get(HOOKS), program.get(at), program.patch(at, {"kinds": ["event"]}, format="json")):
        assert secret not in response.content.decode()
        assert "secret" not in response.content.decode()
    now = timezone.now()
    tell(maryam, at=now)
    dispatch_messages_due(now)
    checked(receiver.taken[0], secret, now)
    fresh = program.post(f"{at}secret/", {}, format="json").json()["secret"]
    assert fresh != secret
    (delivery,) = program.get(f"{at}deliveries/").json()["results"]
    assert (delivery["type"], delivery["state"], delivery["status"], delivery["next_attempt_at"]) == (
        "event", "delivered", 204, None,
    )  # fmt: skip
    assert delivery["id"] == receiver.taken[0].headers["webhook-id"]
    assert program.delete(at).status_code == 204
    assert program.get(at).status_code == 404


def test_the_test_button_posts_something_and_a_disabled_webhook_is_switched_on_first(
    receiver: Receiver, maryam: Account
) -> None:
    program = client(maryam, "webhooks")
    at = f"{HOOKS}{create(program, url=receiver.url).json()['id']}/"
    tested = program.post(f"{at}test/", {}, format="json")
    assert (tested.status_code, tested.json()["type"], tested.json()["state"]) == (202, "test", "waiting")
    dispatch_messages_due(Notification.objects.get().created_at)
    assert program.get(f"{at}deliveries/").json()["results"][0]["state"] == "delivered"
    Webhook.objects.update(disabled_at=NOON)
    assert program.post(f"{at}test/", {}, format="json").status_code == 409
    assert program.patch(at, {"enabled": False}, format="json").status_code == 400
    assert program.patch(at, {"enabled": True}, format="json").json()["disabled_at"] is None


def test_a_message_that_was_given_up_or_delivered_is_posted_again_on_request(
    receiver: Receiver, maryam: Account, django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    enqueued: list[str] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, *_, **__: enqueued.append(name))
    program = client(maryam, "webhooks")
    at = f"{HOOKS}{create(program, url=receiver.url).json()['id']}/"
    now = timezone.now()
    tell(maryam, at=now)
    Notification.objects.update(state="failed", attempts=20)
    (delivery,) = program.get(f"{at}deliveries/").json()["results"]
    assert delivery["state"] == "failed"
    for count in (1, 2):
        with django_capture_on_commit_callbacks(execute=True):
            retried = program.post(f"{at}deliveries/{delivery['id']}/retry/", {}, format="json")
        assert enqueued[-1] == "notifications.tasks.dispatch_messages"
        assert (retried.status_code, retried.json()["state"], retried.json()["id"]) == (202, "waiting", delivery["id"])
        dispatch_messages_due(timezone.now())
        assert len(receiver.taken) == count
        assert program.get(f"{at}deliveries/").json()["results"][0]["state"] == "delivered"
    assert program.post(f"{at}deliveries/msg_{uuid.uuid4()}/retry/", {}, format="json").status_code == 404
    Webhook.objects.update(disabled_at=NOON)
    assert program.post(f"{at}deliveries/{delivery['id']}/retry/", {}, format="json").status_code == 409


@for_each(
    "change, pointer",
    [
        ({"url": "http://hooks.darbar.org/"}, "#/url"),
        ({"url": "https://127.0.0.1/"}, "#/url"),
        ({"url": "https://169.254.169.254/latest/"}, "#/url"),
        ({"url": "https://[::ffff:10.0.0.1]/"}, "#/url"),
        ({"url": "https://localhost/"}, "#/url"),
        ({"url": 7}, "#/url"),
        ({"url": "https://hooks.darbar.org/" + "a" * 2000}, "#/url"),
        ({"kinds": []}, "#/kinds"),
        ({"kinds": ["test"]}, "#/kinds/0"),
        ({"kinds": "event"}, "#/kinds"),
        ({"secret": "whsec_mine"}, "#/secret"),
        ({"account": 1}, "#/account"),
        ({"disabled_at": None}, "#/disabled_at"),
    ],
    undone=True,
)
def test_what_cannot_be_a_webhook_is_refused_by_its_name(maryam: Account, change: dict[str, Any], pointer: str) -> None:
    refused = create(client(maryam), **change)
    assert refused.status_code == 400
    assert refused.json()["errors"][0]["pointer"] == pointer
    assert not Webhook.objects.exists()


def test_there_is_one_webhook_an_address_and_only_so_many(maryam: Account) -> None:
    program = client(maryam)
    first = create(program).json()["id"]
    assert create(program).status_code == 409
    others = [create(program, url=f"{URL}/{number}") for number in range(webhooks.MOST)]
    assert [other.status_code for other in others] == [201] * (webhooks.MOST - 1) + [409]
    assert program.patch(f"{HOOKS}{first}/", {"url": f"{URL}/1"}, format="json").status_code == 409
    assert program.patch(f"{HOOKS}{first}/", {"url": URL}, format="json").status_code == 200


def test_a_foreign_webhook_and_a_missing_one_are_alike(maryam: Account, kaveh: Account) -> None:
    own_hook, program = create(client(maryam)).json()["id"], client(kaveh)
    for method, path in (
        ("get", ""), ("patch", ""), ("delete", ""), ("post", "secret/"), ("post", "test/"), ("get", "deliveries/"),
        ("post", "deliveries/msg_1/retry/"),
    ):  # fmt: skip
        answers = [
            getattr(program, method)(f"{HOOKS}{id}/{path}", {}, format="json") for id in (own_hook, uuid.uuid4())
        ]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert answers[0].content == answers[1].content
    assert Webhook.objects.count() == 1


@pytest.mark.parametrize("scope", ["games:read", "games:play", "chat", "account"])
def test_only_a_token_for_webhooks_sees_them(maryam: Account, scope: str) -> None:
    assert client(maryam, scope).get(HOOKS).status_code == 403
    assert create(client(maryam, scope)).status_code == 403


def test_a_browser_is_added_with_its_subscription_and_taken_away(maryam: Account, kaveh: Account) -> None:
    program = client(maryam, "account")
    assert len(program.get("/api/v1/me/").json()["push_key"]) == 87
    data = {"endpoint": "https://push.darbar.org/abc", "keys": KEYS, "expirationTime": None, "name": "the phone"}
    response = program.post(DEVICES, data, format="json")
    assert response.status_code == 201
    assert program.post(DEVICES, data, format="json").json() == response.json()
    assert program.get(DEVICES).json()["results"] == [response.json()]
    assert "push.darbar.org" not in program.get(DEVICES).content.decode()
    assert client(kaveh).delete(f"{DEVICES}{response.json()['id']}/").status_code == 404
    assert program.delete(f"{DEVICES}{response.json()['id']}/").status_code == 204
    assert not Device.objects.exists()


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"endpoint": "https://10.0.0.1/push"}, "#/endpoint"),
        ({"endpoint": "http://push.darbar.org/"}, "#/endpoint"),
        ({"keys": {**KEYS, "p256dh": "BCVx"}}, "#/keys"),
        ({"keys": {**KEYS, "auth": "short"}}, "#/keys"),
        ({"keys": {"auth": KEYS["auth"]}}, "#/keys/p256dh"),
        ({"colour": "red"}, "#/colour"),
    ],
)
def test_what_is_no_subscription_is_refused_by_its_name(maryam: Account, change: dict[str, Any], pointer: str) -> None:
    data = {"endpoint": "https://push.darbar.org/abc", "keys": KEYS, **change}
    refused = client(maryam).post(DEVICES, data, format="json")
    assert refused.status_code == 400
    assert refused.json()["errors"][0]["pointer"].startswith(pointer)
    assert not Device.objects.exists()


def test_the_web_server_says_where_the_stream_is(maryam: Account, settings: Any) -> None:
    settings.STREAM_URL = "http://localhost:8001"
    program, stream = client(maryam, "games:read"), "http://localhost:8001/api/v1/stream/"
    assert program.get("/api/v1/me/").json()["stream"] == stream
    response = program.get("/api/v1/stream/", HTTP_ACCEPT="text/event-stream")
    assert (response.status_code, response.json()["code"], "Location" in response) == (404, "not-found", False)
    assert stream in response.json()["detail"]
    settings.STREAM_URL = settings.PUBLIC_URL
    assert program.get("/api/v1/stream/").status_code == 404
    assert client(maryam, "chat").get("/api/v1/stream/").status_code == 403
