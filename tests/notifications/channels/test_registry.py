"""The registry of channels: a module is all that a new one takes."""

import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from accounts.models import Account
from notifications import channels, outbox
from notifications.channels import registry
from notifications.content import Listing, RenderedNotification
from notifications.models import Notification
from tests.cast import program, signed_in
from tests.notifications.outbox_rows import NOON


@pytest.fixture
def pigeon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[None]:
    """A channel in a module of its own, beside the installed channels."""
    (tmp_path / "pigeon.py").write_text(
        dedent("""
            from notifications.channels.base import AddressedChannel

            class Pigeon(AddressedChannel):
                app = "Pigeons"
                label = "by pigeon"
                description = "to my dovecote"
                address_label = "Your dovecote"
                address_help = "A public address."

            CHANNEL = Pigeon()
        """)
    )
    settings.CHANNELS = [*settings.CHANNELS, "pigeon"]
    monkeypatch.setattr(channels, "__path__", [*channels.__path__, str(tmp_path)])
    monkeypatch.setitem(registry.CHANNELS, "pigeon", registry.find_channels()["pigeon"])
    yield
    for module in [name for name in sys.modules if name.startswith("notifications.channels.pigeon")]:
        del sys.modules[module]


def test_each_channel_is_named_like_its_module_and_mail_comes_first() -> None:
    modules = {module.stem for module in Path(registry.__file__).parent.glob("*.py")}
    modules -= {"__init__", *registry.NO_CHANNELS}
    assert list(registry.CHANNELS) == ["mail", *sorted(modules - {"mail"})]
    assert [channel.name for channel in registry.CHANNELS.values()] == list(registry.CHANNELS)


def test_only_the_channels_that_the_operator_allows_are_offered_beside_email(settings: Any) -> None:
    settings.CHANNELS = ["ntfy", "webhook"]
    assert list(registry.find_channels()) == ["mail", "ntfy", "webhook"]


@pytest.mark.django_db
@pytest.mark.usefixtures("pigeon")
def test_a_planted_module_is_offered_in_the_api_and_on_the_page(maryam: Account) -> None:
    data = {"addresses": {"pigeon": "https://dovecote.example.org/"}, "channels": {"question": ["pigeon"]}}
    changed = program(maryam).patch("/api/v1/me/", {"preferences": data}, content_type="application/json")
    assert changed.status_code == 200, changed.content
    assert changed.json()["preferences"]["addresses"]["pigeon"] == "https://dovecote.example.org/"
    assert changed.json()["preferences"]["channels"]["question"] == ["pigeon"]
    page = signed_in(maryam).get("/settings/channels/").content.decode()
    assert "by pigeon" in page
    assert "Your dovecote" in page


@pytest.mark.django_db
@pytest.mark.parametrize("name", registry.posting())
def test_two_worlds_that_differ_in_a_hand_look_alike_to_whoever_is_posted_to(name: str, maryam: Account) -> None:
    posted = []
    for card in ("Duke", "Contessa"):
        order = Notification.objects.create(
            key=card, account=maryam, channel=name, reason="question", created_at=NOON, next_attempt_at=NOON
        )
        hand = Listing("Your cards", (card,))
        outbox.write(order, RenderedNotification("en", "Coup", "It is your move.", blocks=(hand,)), NOON)
        assert order.rendered
        posted.append(bytes(order.rendered))
    assert posted[0] == posted[1]


@pytest.mark.django_db
def test_a_channel_that_is_not_there_is_refused(maryam: Account) -> None:
    data = {"preferences": {"channels": {"question": ["pigeon"]}}}
    refused = program(maryam).patch("/api/v1/me/", data, content_type="application/json")
    assert refused.status_code == 400
    assert "pigeon" in refused.content.decode()
