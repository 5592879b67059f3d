"""A third game takes its folder and one line in the registry: played from its opening to its end, by API and mail."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts import tokens
from accounts.models import Account
from accounts.tokens import ALL
from games.announcements.notify import write_due
from games.archive import game_audit
from games.models import Game
from games.play import bots
from notifications.email.message import message
from notifications.models import Notification
from tests.third_game.table import LATER, with_fist

__all__ = ["with_fist"]
WAIT = {"Prefer": "wait=5"}


def program(account: Account) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {tokens.issue(account, 'test', list(ALL))[1]}")
    return client


@pytest.mark.django_db
def test_the_third_game_is_played_through_the_api_and_by_email(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: LATER)
    kaveh = Account.objects.create_user("kaveh@example.org", name="Kaveh")
    sepideh = Account.objects.create_user("sepideh@example.org", name="سپیده", language="fa")
    players = {1: program(kaveh), 2: program(sepideh)}
    table = players[1].post("/api/v1/games/", {"rules": "fist", "seat_count": 3, "bots": [{}]}, format="json").json()
    at = f"/api/v1/games/{table['id']}/"
    assert players[2].post(f"{at}join/").json()["state"] == "running"

    def answer(seat: int, **fields: Any) -> None:
        (question,) = players[seat].get(f"{at}questions/").json()["results"]
        sent = players[seat].post(f"{at}moves/", {"question": question["id"], **fields}, format="json", headers=WAIT)
        assert sent.json().get("state") == "applied", sent.content

    answer(1, text="claim 3")
    write_due(LATER)
    body = message(Notification.objects.get(account=sepideh, reason="question", state="ready")).body
    assert "allow" in body
    assert "doubt" in body
    answer(2, move={"type": "fist.doubt"})
    bots.sweep(LATER)

    game = Game.objects.get(pk=table["id"])
    assert game.state == Game.State.OVER
    assert game_audit.find_faults(game) == []
    assert players[1].get(f"{at}view/").json()["winners"] in ([1], [2])
    write_due(LATER)
    assert Notification.objects.filter(reason="ended", state="ready").count() == 2
