"""Things of an account are made once for each idempotency key: its webhooks, apps, devices, blocks and
mutes."""

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.db.models import F
from rest_framework.response import Response

from accounts.models import Account, IdempotencyKey
from notifications import webhooks
from notifications.endpoints import Webhook
from tests.games.api.conftest import client
from tests.notifications.test_webhook_api import KEYS

pytestmark = pytest.mark.django_db
KEY = {"Idempotency-Key": "one"}
ASKED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "webhooks": (
        {"url": "https://hooks.darbar.org/in", "kinds": ["question"]},
        {"url": "https://hooks.darbar.org/in", "kinds": ["event"]},
    ),
    "apps": (
        {"name": "Corner table", "redirect_uris": ["https://corner.example/"], "scopes": ["games:read"]},
        {"name": "Table clock", "redirect_uris": ["https://corner.example/"], "scopes": ["games:read"]},
    ),
    "devices": (
        {"endpoint": "https://push.darbar.org/abc", "keys": KEYS, "name": "the phone"},
        {"endpoint": "https://push.darbar.org/abc", "keys": KEYS, "name": "the sofa"},
    ),
    "people/blocks": ({"name": "Kaveh"}, {"name": "Bahareh"}),
    "people/mutes": ({"name": "Kaveh"}, {"name": "Bahareh"}),
}
"""The first body of each request, and a different one."""


def send(account: Account, thing: str, body: Any, **headers: str) -> Response:
    return client(account).post(f"/api/v1/me/{thing}/", body, format="json", headers=headers)


def listed(account: Account, thing: str) -> Any:
    return client(account).get(f"/api/v1/me/{thing}/").json()["results"]


def without_secret(response: Response) -> dict[str, Any]:
    return {name: value for name, value in json.loads(response.content).items() if not name.endswith("secret")}


@pytest.mark.parametrize("thing", ASKED)
def test_what_is_asked_for_again_is_made_once_and_shown_where_it_is(
    thing: str, maryam: Account, kaveh: Account
) -> None:
    body, _ = ASKED[thing]
    first, again = (send(maryam, thing, body, **KEY) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert again["Location"] == first["Location"]
    assert without_secret(again) == without_secret(first)
    assert client(maryam).get(first["Location"]).json() == without_secret(first)
    assert listed(maryam, thing) == [without_secret(first)]


@pytest.mark.parametrize("thing", ASKED)
def test_the_key_of_another_body_makes_nothing(thing: str, maryam: Account, kaveh: Account, bahareh: Account) -> None:
    body, another = ASKED[thing]
    first, refused = send(maryam, thing, body, **KEY), send(maryam, thing, another, **KEY)
    assert (refused.status_code, json.loads(refused.content)["code"]) == (422, "key-reused")
    assert listed(maryam, thing) == [without_secret(first)]


@pytest.mark.parametrize("thing", ASKED)
def test_what_is_gone_is_not_made_again(thing: str, maryam: Account, kaveh: Account) -> None:
    first = send(maryam, thing, ASKED[thing][0], **KEY)
    assert client(maryam).delete(first["Location"]).status_code == 204
    assert send(maryam, thing, ASKED[thing][0], **KEY).status_code == 404
    assert client(maryam).get(first["Location"]).status_code == 404
    assert listed(maryam, thing) == []


def secret_of(answer: Response) -> str:
    return str(json.loads(answer.content)["secret"])


def test_the_secret_of_a_webhook_is_shown_to_a_repetition_for_an_hour(maryam: Account) -> None:
    first, again = (send(maryam, "webhooks", ASKED["webhooks"][0], **KEY) for _ in range(2))
    assert secret_of(first).startswith("whsec_")
    assert secret_of(again) == secret_of(first)
    IdempotencyKey.objects.update(created_at=F("created_at") - timedelta(hours=1))
    assert secret_of(send(maryam, "webhooks", ASKED["webhooks"][0], **KEY)) == ""


def test_a_repetition_rotates_no_secret(maryam: Account) -> None:
    address = send(maryam, "webhooks", ASKED["webhooks"][0])["Location"]
    rotate = partial(client(maryam).post, f"{address}secret/", format="json", headers=KEY)
    first, again = rotate(), rotate()
    assert again.content == first.content
    assert webhooks.secret(Webhook.objects.get()) == secret_of(first)
    IdempotencyKey.objects.update(created_at=F("created_at") - timedelta(hours=1))
    assert secret_of(rotate()) == ""
    assert webhooks.secret(Webhook.objects.get()) == secret_of(first)


def test_no_secret_is_stored_beside_a_key(maryam: Account) -> None:
    secret = secret_of(send(maryam, "webhooks", ASKED["webhooks"][0], **KEY))
    assert secret not in str(IdempotencyKey.objects.values().get())


def test_a_key_at_another_address_is_refused(maryam: Account, kaveh: Account) -> None:
    body = ASKED["people/blocks"][0]
    assert send(maryam, "people/blocks", body, **KEY).status_code == 201
    refused = send(maryam, "people/mutes", body, **KEY)
    assert (refused.status_code, json.loads(refused.content)["code"]) == (422, "key-reused")
    assert listed(maryam, "people/mutes") == []


def test_the_key_of_somebody_else_tells_nothing(maryam: Account, bahareh: Account, kaveh: Account) -> None:
    body = ASKED["people/blocks"][0]
    first, other = (send(account, "people/blocks", body, **KEY) for account in (maryam, bahareh))
    assert "Idempotent-Replayed" not in other.headers
    assert other["Location"] != first["Location"]


def test_the_secret_of_an_app_is_not_shown_to_a_repetition(maryam: Account) -> None:
    body = {**ASKED["apps"][0], "type": "confidential"}
    first, again = (send(maryam, "apps", body, **KEY) for _ in range(2))
    assert json.loads(first.content)["client_secret"]
    assert json.loads(again.content)["client_secret"] is None


def test_a_repetition_shows_what_has_become_of_it(maryam: Account, kaveh: Account) -> None:
    kinds = ("webhooks", "people/blocks")
    hook, _ = (send(maryam, kind, ASKED[kind][0], **{"Idempotency-Key": kind}) for kind in kinds)
    client(maryam).patch(hook["Location"], {"kinds": ["chat"]}, format="json")
    kaveh.name = "Kaveh of Yazd"
    kaveh.save()
    hook, block = (send(maryam, kind, ASKED[kind][0], **{"Idempotency-Key": kind}) for kind in kinds)
    assert json.loads(hook.content)["kinds"] == ["chat"]
    assert json.loads(block.content)["name"] == "Kaveh of Yazd"


def test_a_request_that_is_refused_leaves_its_key_free(maryam: Account) -> None:
    first = send(maryam, "webhooks", ASKED["webhooks"][0])
    assert send(maryam, "webhooks", ASKED["webhooks"][0], **KEY).status_code == 409
    client(maryam).delete(first["Location"])
    assert send(maryam, "webhooks", ASKED["webhooks"][0], **KEY).status_code == 201


def test_a_key_that_cannot_be_seen_or_is_too_long_is_refused(maryam: Account) -> None:
    refused = send(maryam, "devices", ASKED["devices"][0], **{"Idempotency-Key": "k" * 201})
    assert (refused.status_code, json.loads(refused.content)["errors"][0]["code"]) == (400, "idempotency-key")
    assert listed(maryam, "devices") == []


@pytest.mark.django_db(transaction=True)
def test_while_a_webhook_is_being_made_the_repetition_is_told_so(maryam: Account) -> None:
    program = client(maryam)
    repeat = partial(program.post, "/api/v1/me/webhooks/", ASKED["webhooks"][0], format="json", headers=KEY)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            Account.objects.select_for_update(no_key=True).get(pk=maryam.pk)
            first = pool.submit(closing, repeat)
            await_somebody_behind_me()
            refused = repeat()
        assert (refused.status_code, json.loads(refused.content)["code"]) == (409, "key-busy")
        assert int(refused["Retry-After"]) > 0
        answer = first.result(10)
    assert answer.status_code == 201
    assert repeat()["Location"] == answer["Location"]
    assert Webhook.objects.count() == IdempotencyKey.objects.count() == 1


def await_somebody_behind_me() -> None:
    """Wait until another transaction waits for this one."""
    for _ in range(200):
        with connection.cursor() as cursor:
            cursor.execute("SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))")
            if cursor.rowcount:
                return
        time.sleep(0.05)
    raise AssertionError("Nobody waits.")


def closing(request: Callable[[], Response]) -> Response:
    """The answer to a request that is made in a thread of its own."""
    try:
        return request()
    finally:
        connections.close_all()
