"""A game on tables that are partitioned by game, as a migration can make them: no statement needs another key."""

import json
import random
from typing import Final

import pytest
from django.db import connection
from django.test import Client

from accounts import tokens
from accounts.models import Account
from accounts.tokens import ALL
from games.archive import game_audit
from games.event_log import log_store
from games.models import Game, Move
from tests.third_game.table import LATER, create_fist, fresh, open_question, play

pytestmark = pytest.mark.django_db
KEYS: Final = {
    "games_event": "game_id, number",
    "games_snapshot": "game_id",
    "games_openquestion": "game_id, question",
    "games_move": "id, game_id",
}
PARTITIONS: Final = 4


@pytest.fixture
def partitioned() -> None:
    """The tables that grow with every move are in partitions, until the end of the test."""
    with connection.cursor() as cursor:
        for name, key in KEYS.items():
            cursor.execute(f"ALTER TABLE {name} RENAME TO {name}_whole")
            cursor.execute(f"CREATE TABLE {name} (LIKE {name}_whole INCLUDING DEFAULTS) PARTITION BY HASH (game_id)")
            cursor.execute(f"ALTER TABLE {name} ADD PRIMARY KEY ({key})")
            for number in range(PARTITIONS):
                part = f"MODULUS {PARTITIONS}, REMAINDER {number}"
                cursor.execute(f"CREATE TABLE {name}_{number} PARTITION OF {name} FOR VALUES WITH ({part})")


@pytest.mark.usefixtures("partitioned")
def test_a_game_on_partitions_is_played_to_its_end(
    maryam: Account, bahareh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: LATER)
    game, luck = create_fist(maryam, bahareh, rules="coup", options={"starting_player": 1}), random.Random(0)
    sends(maryam, game, "pick duke")
    while fresh(game).state == Game.State.RUNNING:
        question = log_store.rules_of(game).questions(log_store.position(fresh(game)).state)[0]
        moves = log_store.rules_of(game).legal_moves(log_store.position(fresh(game)).state, question)
        text = log_store.rules_of(game).text(luck.choice(moves))
        assert play(game, question.seat, text).state == Move.State.APPLIED
    assert game_audit.find_faults(fresh(game)) == []


def sends(account: Account, game: Game, text: str) -> None:
    """Send a move over HTTP and see it applied."""
    _, token = tokens.issue(account, "test", list(ALL))
    answer = Client().post(
        f"/api/v1/games/{game.id}/moves/",
        json.dumps({"question": open_question(game, 1), "text": text}),
        "application/json",
        headers={"Authorization": f"Bearer {token}", "Prefer": "wait=5"},
    )
    assert answer.json()["state"] == "applied", answer.text
