"""Two people and their game, to which mail comes."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine

from accounts.models import Account
from config import environment
from games.models import Game, Heartbeat
from tests.games.mail.providers import VARIABLES
from tests.games.seated import NOON, begin


@pytest.fixture
def game(maryam: Account, sepideh: Account) -> Game:
    """A game of Coup that asks Maryam for her first turn."""
    Heartbeat.objects.create(at=NOON)
    return begin([maryam, sepideh, None])


@pytest.fixture
def all_providers(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the server take mail from every provider."""
    for name, secret in VARIABLES.items():
        monkeypatch.setenv(name, secret)
    settings.MAIL_WEBHOOKS = environment.mail_webhooks()


@pytest.fixture
def an_hour_later() -> Iterator[None]:
    """Let the clock run from an hour after the game has begun."""
    with time_machine.travel(NOON + timedelta(hours=1)):
        yield
