"""Messages of the stream and to webhooks are as the description says."""

import json
from typing import Any

import pytest

from accounts.models import Account
from config.server.api_description.stream_messages import payload_component
from games.tables import chat
from notifications.endpoints import Kind, StreamEvent, Webhook
from notifications.models import Notification
from notifications.webhooks import outgoing_request
from tests.contract.test_contract import DOCUMENT, mistakes
from tests.games.seated import NOON, begin, hear, play

pytestmark = pytest.mark.django_db


def shape(component: str) -> Any:
    """Return the schema of a component without additional properties."""
    return {"$ref": f"#/components/schemas/{component}"}


def test_every_kind_that_is_told_is_described(maryam: Account, sepideh: Account, bahareh: Account) -> None:
    hear([maryam, sepideh, bahareh])
    for account in (maryam, sepideh):
        Webhook.objects.create(account=account, url="https://darbar.example/", kinds=[*Kind], created_at=NOON)
    game = begin([maryam, sepideh, bahareh])
    play(game, "1 tax")
    chat.send_message(game, maryam, None, "Well played!", NOON)
    rows = list(StreamEvent.objects.all())
    assert {row.kind for row in rows} == {"question", "closed", "event", "game", "chat"}
    for row in rows:
        data = {**row.data, "at": "2026-03-22T12:00:00Z"}
        assert mistakes(shape(payload_component(row.kind)), data) == []
        assert set(row.data) | {"at"} == set(
            DOCUMENT["components"]["schemas"][payload_component(row.kind)]["properties"]
        )
    messages = Notification.objects.filter(channel="webhooks")
    for message in messages:
        posted = json.loads(outgoing_request(message, Webhook.objects.get(pk=message.endpoint), NOON).body)
        assert mistakes(shape("WebhookMessage"), posted) == []
    assert len(messages) >= 5


def test_every_kind_of_webhook_and_stream_event_has_a_payload() -> None:
    mapping = DOCUMENT["components"]["schemas"]["WebhookMessage"]["discriminator"]["mapping"]
    assert set(mapping) == {kind.value for kind in Kind}
    stream = DOCUMENT["paths"]["/api/v1/stream/"]["get"]["responses"]["200"]["content"]["text/event-stream"]
    described = {schema["$ref"].rpartition("/")[2] for schema in stream["schema"]["contentSchema"]["anyOf"]}
    assert described == {payload_component(kind) for kind in (*Kind, "ready", "reset")}


def test_an_answer_names_the_headers_that_count() -> None:
    answer = DOCUMENT["paths"]["/api/v1/games/"]["get"]["responses"]["200"]
    assert {"RateLimit", "RateLimit-Policy"} <= set(answer["headers"])
