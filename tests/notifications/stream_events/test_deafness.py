"""The event stream's own word on whether it hears: a sign of health that does not rest on how it reads."""

import asyncio
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.utils import timezone

from accounts.models import Account
from config.core.database import shared_values
from config.server.stream import connection_parameters
from games.operations import health
from notifications import stream_events
from notifications.endpoints import StreamEvent, StreamListener
from notifications.stream_events import Hub, NewStreamEvent

LONG_UP = timedelta(days=30)


def stream_is_red() -> bool:
    return next(sign.red for sign in health.signs(timezone.now(), LONG_UP) if sign.name == "stream")


@pytest.mark.django_db
def test_a_stream_that_misses_what_was_told_is_red_within_a_minute(maryam: Account) -> None:
    now = timezone.now()
    stream_events.report(now - timedelta(hours=1))
    assert not stream_is_red(), "nothing was told"
    StreamEvent.objects.create(
        xid=1, public_id=uuid4(), account=maryam, kind="question", data={}, at=now - timedelta(seconds=50)
    )
    stream_events.report(now - timedelta(hours=1))
    assert stream_is_red()
    stream_events.report(now)
    assert not stream_is_red(), "it has heard what was told"


@pytest.mark.django_db
def test_a_stream_that_says_nothing_or_never_did_is_red() -> None:
    assert stream_is_red()
    shared_values.share("stream", 0)
    assert not stream_is_red()
    with pytest.MonkeyPatch.context() as patch:
        later = shared_values.CLOCK.now() + timedelta(seconds=46)
        patch.setattr(shared_values.CLOCK, "now", lambda: later)
        assert stream_is_red()


def test_a_hub_knows_up_to_when_it_has_heard(transactional_db: None, maryam: Account) -> None:
    StreamListener.objects.create(account=maryam)
    hub, at = Hub(connection_parameters()), timezone.now() + timedelta(seconds=5)

    def tell() -> None:
        with transaction.atomic():
            stream_events.emit([NewStreamEvent(maryam.pk, "question", {})], at)
        connection.close()

    async def listen() -> None:
        reading = asyncio.create_task(hub.run())
        await hub.ready.wait()
        began = hub.last_event_at
        assert began is not None
        assert began < at
        await asyncio.to_thread(tell)
        while hub.last_event_at != at:
            await asyncio.sleep(0.02)
        reading.cancel()

    asyncio.run(asyncio.wait_for(listen(), 30))
