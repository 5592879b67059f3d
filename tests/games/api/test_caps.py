"""Limits on the rows of an account other than games: people, stand-ins, exports, rejected moves, tokens of apps."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts import blocks
from accounts.models import Account
from accounts.rate_limits import EXPORTS, WEBHOOK_TESTS
from games.models import ChatMessage, Game, Move
from games.play import game_caps, timeouts
from games.refusals import Refusal
from games.tables import chat, stand_ins
from notifications import webhooks
from notifications.endpoints import Webhook
from tests.games.api.conftest import client
from tests.games.play.test_at_once import at_once
from tests.games.tables.test_game_caps import fresh_allowances, refused
from tests.third_game.table import LATER, NOON, create_fist, play, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["fresh_allowances", "with_fist"]


def status_and_code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_an_account_blocks_people_up_to_a_number(
    maryam: Account, bahareh: Account, kaveh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "MOST", 1)
    program, visitor = client(maryam), Client()
    assert program.post("/api/v1/me/people/blocks/", {"name": "Kaveh"}, format="json").status_code == 201
    assert program.post("/api/v1/me/people/blocks/", {"name": "Kaveh"}, format="json").status_code == 201, (
        "the same again"
    )
    assert status_and_code(program.post("/api/v1/me/people/blocks/", {"name": bahareh.name}, format="json")) == (
        409,
        "limit-reached",
    )
    assert program.post("/api/v1/me/people/mutes/", {"name": bahareh.name}, format="json").status_code == 201
    visitor.force_login(maryam)
    page = visitor.post("/people/keep/", {"name": bahareh.name, "do": "block"}, follow=True)
    assert "You have 1 people on this list" in page.content.decode()


def test_nobody_writes_to_half_the_server_by_naming_stand_ins(
    maryam: Account, bahareh: Account, kaveh: Account, sepideh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stand_ins, "DAILY_LIMIT", game_caps.Policy("stand-ins", 2, timedelta(days=1)))
    game = create_fist(maryam, bahareh)
    until = LATER + timedelta(days=1)
    stand_ins.name_stand_in(game.id, maryam, kaveh, until, LATER)
    stand_ins.name_stand_in(game.id, maryam, kaveh, until + timedelta(hours=1), LATER)
    stand_ins.name_stand_in(game.id, maryam, sepideh, until, LATER)
    refusal = refused("rate-limited", stand_ins.name_stand_in, game.id, maryam, kaveh, until, LATER)
    assert refusal.wait == 12 * 3600
    assert Game.objects.get(pk=game.pk).seats.get(number=1).stand_in.account == sepideh


def test_joining_and_leaving_again_and_again_ends(maryam: Account, bahareh: Account, settings: Any) -> None:
    game, program = create_fist(bahareh, seat_count=3), client(maryam)
    settings.GAMES_PER_HOUR = 2
    for _ in range(2):
        assert program.post(f"/api/v1/games/{game.id}/join/", {}, format="json").status_code == 200
        assert program.post(f"/api/v1/games/{game.id}/leave/", {}, format="json").status_code == 204
    late = program.post(f"/api/v1/games/{game.id}/join/", {}, format="json")
    assert status_and_code(late) == (429, "rate-limited")
    assert 1700 < int(late.headers["Retry-After"]) <= 1800


def test_exports_are_paced(maryam: Account) -> None:
    program, visitor = client(maryam), Client()
    visitor.force_login(maryam)
    for _ in range(EXPORTS.quota):
        assert program.get("/api/v1/me/export/").status_code == 200
    late = program.get("/api/v1/me/export/")
    assert status_and_code(late) == (429, "rate-limited")
    assert int(late.headers["Retry-After"]) > 300
    assert "Too many attempts." in visitor.get("/settings/account/export/", follow=True).content.decode()


def test_messages_that_try_a_webhook_are_paced(maryam: Account) -> None:
    program, visitor = client(maryam), Client()
    visitor.force_login(maryam)
    hook = Webhook.objects.create(account=maryam, url="https://hooks.darbar.org/in", kinds=["event"], created_at=NOON)
    url = f"/api/v1/me/webhooks/{hook.pk}/test/"
    with time_machine.travel(timezone.now(), tick=False):
        for _ in range(WEBHOOK_TESTS.quota):
            assert program.post(url, {}, format="json").status_code == 202
            webhooks.messages(hook).delete()
        assert status_and_code(program.post(url, {}, format="json")) == (429, "rate-limited")
        page = visitor.post(f"/settings/webhooks/{hook.pk}/test/", follow=True)
    assert "Too many attempts." in page.content.decode()
    assert not webhooks.messages(hook).exists()


def test_of_rejected_moves_the_latest_of_each_seat_are_kept(
    maryam: Account, bahareh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timeouts, "MAX_REJECTED", 2)
    games = [create_fist(maryam, bahareh) for _ in range(2)]
    moves = [play(games[0], 1, "claim 99", LATER + timedelta(seconds=number)) for number in range(4)]
    other = play(games[1], 1, "claim 99")
    counted = play(games[0], 1, "claim 3", LATER + timedelta(minutes=1))
    timeouts.forget_rejected_moves()
    assert set(Move.objects.values_list("pk", flat=True)) == {moves[2].pk, moves[3].pk, other.pk, counted.pk}


@pytest.mark.django_db(transaction=True)
def test_what_somebody_says_in_many_games_at_the_same_moment_is_counted(
    maryam: Account, bahareh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat, "MOST_PER_HOUR", 3)
    games = [create_fist(maryam, bahareh) for _ in range(8)]
    results = at_once(*[partial(chat.send_message, game, maryam, None, "Hello", LATER) for game in games])
    assert sum(isinstance(result, Refusal) for result in results) == 5
    assert ChatMessage.objects.count() == 3
