"""The programs in examples/, as they stand there, against a real server."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from standardwebhooks import Webhook

from bench.node import NODE
from tests.clients.conftest import run, token_of, url_of
from tests.server.darbar import ROOT, Darbar
from tests.server.player import Player

EXAMPLES: Final = ROOT / "examples"
SECRET: Final = "whsec_c2V2ZW4gZ29hdHMgb24gYSByb29mLCBhbmQgb25lIG1vcmU="
SENT: Final = {"type": "question.asked", "timestamp": "2026-11-22T08:30:00+00:00", "data": {"game": "8a1f"}}
NO_TIME: Final = "the timestamp is missing, or too far from now"
UNSIGNED: Final = "no signature fits"


@pytest.mark.parametrize("command", [(sys.executable, "bot.py"), (NODE, "bot.mjs")], ids=["Python", "JavaScript"])
def test_a_bot_plays_a_game_to_its_end(
    running: Darbar, player: Player, command: tuple[Any, str], tmp_path: Path
) -> None:
    program, name = command
    text = run([program, EXAMPLES / name, "--open", url_of(running)], cwd=tmp_path, DARBAR_TOKEN=token_of(player))
    assert " won the game" in text.splitlines()[-1], text
    (game,) = player.get("games/?mine=true")["results"]
    assert game["state"] == "over"
    (seat,) = (seat for seat in game["seats"] if not seat["bot"])
    promised = hashlib.sha256(f"darbar-seed|{seat['seed']}".encode()).hexdigest()
    assert seat["seed_commitment"] == promised, "it has promised its seed, and revealed it"
    split = (tmp_path / f"darbar-deal-{game['id']}.txt").read_text().split()
    assert split == [game["deal_head"]], "it has kept what proves the deal"


@pytest.mark.skipif(shutil.which("curl") is None, reason="There is no curl here.")
def test_the_walk_plays_a_game_to_its_end(running: Darbar, player: Player) -> None:
    text = run(["sh", EXAMPLES / "walk.sh", url_of(running)], DARBAR_TOKEN=token_of(player))
    (game,) = player.get("games/?mine=true")["results"]
    assert (game["rules"], game["state"]) == ("sedlec", "over")
    assert text.splitlines()[0] == f"table {game['id']}"


def test_the_bots_are_short_and_need_nothing() -> None:
    assert len((EXAMPLES / "bot.py").read_text().splitlines()) < 140
    for name in ("bot.py", "webhook.py"):
        lines = (EXAMPLES / name).read_text().splitlines()
        imported = {line.split()[1].partition(".")[0] for line in lines if line.startswith(("import ", "from "))}
        assert imported <= sys.stdlib_module_names
    assert "node:crypto" in (EXAMPLES / "bot.mjs").read_text()
    assert not (EXAMPLES / "package.json").exists()


@pytest.fixture
def receiver() -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """The receiver of webhooks, listening: where, and its process."""
    process = subprocess.Popen(
        [sys.executable, EXAMPLES / "webhook.py", "0"],
        env={**os.environ, "DARBAR_WEBHOOK_SECRET": SECRET},
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{process.stdout.readline().split()[-1]}", process
        process.terminate()


def signed(secret: str = SECRET, id: str = "msg_1", late: timedelta = timedelta()) -> dict[str, str]:
    """The headers of a message, as the library of Standard Webhooks signs it."""
    at = datetime.now(UTC) - late
    return {
        "webhook-id": id,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": Webhook(secret).sign(id, at, json.dumps(SENT)),
    }


def test_a_signed_webhook_is_taken_once(receiver: tuple[str, "subprocess.Popen[str]"]) -> None:
    url, process = receiver
    for headers in (signed(), signed(), signed(id="msg_2")):
        assert httpx.post(url, content=json.dumps(SENT), headers=headers).status_code == 204
    process.terminate()
    assert process.stdout is not None
    assert [json.loads(line) for line in process.stdout] == [SENT, SENT]


def test_a_secret_that_is_being_changed_still_fits(receiver: tuple[str, "subprocess.Popen[str]"]) -> None:
    other = signed("whsec_" + "QUJD" * 8)
    ours = signed()
    both = {**ours, "webhook-signature": f"{other['webhook-signature']} {ours['webhook-signature']}"}
    assert httpx.post(receiver[0], content=json.dumps(SENT), headers=both).status_code == 204


@pytest.mark.parametrize(
    ("headers", "body", "reason"),
    [
        (lambda: {}, SENT, NO_TIME),
        (lambda: signed("whsec_" + "QUJD" * 8), SENT, UNSIGNED),
        (lambda: {**signed(), "webhook-signature": "v1,"}, SENT, UNSIGNED),
        (signed, {**SENT, "type": "game.over"}, UNSIGNED),
        (lambda: {**signed(), "webhook-id": "msg_2"}, SENT, UNSIGNED),
        (lambda: signed(late=timedelta(minutes=6)), SENT, NO_TIME),
        (lambda: {**signed(), "webhook-timestamp": "soon"}, SENT, NO_TIME),
    ],
    ids=["bare", "another secret", "unsigned", "another body", "another id", "too late", "no time"],
)
def test_a_webhook_that_is_not_ours_is_refused(
    receiver: tuple[str, "subprocess.Popen[str]"], headers: Callable[[], dict[str, str]], body: Any, reason: str
) -> None:
    answer = httpx.post(receiver[0], content=json.dumps(body), headers=headers())
    assert (answer.status_code, answer.text) == (400, reason)
