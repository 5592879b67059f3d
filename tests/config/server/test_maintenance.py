"""Maintenance: everything can be read, nothing is changed, and its time is given back."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import Account
from config.core import clock
from games.models import Heartbeat, OpenQuestion
from games.tasks import tick
from tests.games.finished import begun
from tests.third_game.table import fresh

pytestmark = pytest.mark.django_db


@pytest.fixture
def maintained(settings: Any) -> None:
    settings.MAINTENANCE = True
    settings.BANNER = {"en": "Back at six.", "fa": "ساعت شش برمی‌گردیم."}


@pytest.mark.usefixtures("maintained")
def test_everything_can_be_read_under_a_banner_in_the_readers_language(client: Client) -> None:
    page = client.get("/").content.decode()
    assert '<p class="hint banner">Back at six. Darbar is down for maintenance.' in page
    page = client.get("/", headers={"accept-language": "fa"}).content.decode()
    assert '<p class="hint banner">ساعت شش برمی‌گردیم. ' in page
    assert client.get("/api/v1/games/").status_code == 401, "an answer as ever: it asks for a token"


@pytest.mark.usefixtures("maintained")
def test_what_would_change_something_is_refused_with_when_to_try_again(client: Client) -> None:
    refused = client.post("/api/v1/guests/", {}, "application/json")
    assert (refused.status_code, refused["Retry-After"], refused.json()["code"]) == (503, "300", "unavailable")
    assert "wasn’t saved" in refused.json()["detail"]
    page = client.post("/login/", {"login": "maryam@example.org"})
    assert (page.status_code, page["Retry-After"]) == (503, "300")
    assert "<h1>Maintenance</h1>" in page.content.decode()


def test_no_default_move_is_played_meanwhile(settings: Any, maryam: Account, bahareh: Account) -> None:
    game = begun([maryam, bahareh])
    OpenQuestion.objects.update(due_at=clock.now() - timedelta(hours=1))
    settings.MAINTENANCE = True
    tick()
    assert fresh(game).version == game.version
    assert not Heartbeat.objects.exists(), "so its time is given back afterwards, as after any downtime"
    settings.MAINTENANCE = False
    tick()
    assert fresh(game).version > game.version


def test_pages_say_nothing_of_it_else(client: Client) -> None:
    assert "banner" not in client.get("/").content.decode()
