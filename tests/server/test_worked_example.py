"""The worked example of the rulebook (Coup, section 10), played over real HTTP on a running server.

The server has no switch for chance: the test reads its secret from the database, and searches for a seed of the last
player with which the cards fall so. In the middle the worker is killed, again and again.
"""

import secrets
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import psycopg
import pytest

from config.server.postgres import ServerPaths
from games.engine import SeededChance
from games.rules.coup.state import pack
from tests.server.darbar import ROOT, Darbar, tell, wait_until
from tests.server.player import Player

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are looked up in /proc")

CHARACTERS = ("ambassador", "assassin", "captain", "contessa", "duke")
DEAL = (("contessa", "duke"), ("captain", "contessa"), ("assassin", "duke"))
DRAWN = ("assassin", "duke")
REPLACEMENT = "contessa"

KILL = "!"
"""Beside a move: when it has been sent, the worker is killed."""
STEPS = (
    (("M tax", "S allow", "B allow"), (5, 2, 2), 41),
    (("S exchange", "B allow", "M allow !", "S keep captain assassin"), (5, 2, 2), 41),
    (("B tax", "S challenge", "B prove", "S lose assassin !"), (5, 2, 5), 38),
    (("M tax", "S allow", "B allow"), (8, 2, 5), 35),
    (("S income",), (8, 3, 5), 34),
    (("B assassinate Mahshid", "M block contessa", "S allow !", "S allow", "B allow"), (8, 3, 2), 37),
    (("M coup 3", "B lose contessa"), (1, 3, 2), 44),
    (("S steal 3", "M allow", "B block ambassador", "S challenge", "B concede"), (1, 5, 0), 44),
)
"""The moves in each step of the rulebook's table, and the purses and the treasury after it."""


def found_seed(seed: bytes, game: str, others: list[bytes]) -> bytes:
    """A last player's own seed with which the cards fall as in the example: about one in 125,000."""
    while not falls_so(SeededChance(seed, game, [*others, token_bytes := secrets.token_bytes(32)])):
        pass
    return token_bytes


def falls_so(chance: SeededChance) -> bool:
    """Return whether the deal, the exchange's two cards and the replacement are those of the example."""
    court = list(pack(CHARACTERS, 3))
    for cards in (*DEAL, DRAWN):
        dealt_cards = chance.take(court, 2)
        if sorted(dealt_cards) != sorted(cards):
            return False
        for card in dealt_cards:
            court.remove(card)
    court = sorted([*court, "contessa", "duke", "duke"])
    return chance.choose(court) == REPLACEMENT


def seed_of(darbar: Darbar, game: str) -> bytes:
    """The server's secret seed, which only the owner of its database can read."""
    database = ServerPaths.in_data_dir(darbar.data_dir).connection()
    with psycopg.connect(
        host=database["HOST"], port=database["PORT"], user=database["USER"], dbname=database["NAME"]
    ) as connection:
        row = connection.execute("SELECT seed FROM games_game WHERE id = %s", [game]).fetchone()
    assert row is not None
    return bytes(row[0])


def kill_worker(darbar: Darbar) -> None:
    """Kill the worker with SIGKILL at any moment."""
    workers = darbar.workers()
    assert workers
    tell(signal.SIGKILL, *workers)


def test_the_worked_example_is_played_and_nothing_is_lost_or_doubled(darbar: Darbar) -> None:
    darbar.start()
    with Player(darbar, "Mahshid") as mahshid, Player(darbar, "Sepideh") as sepideh, Player(darbar, "Bahareh") as last:
        players = {"M": mahshid, "S": sepideh, "B": last}
        game = begun(darbar, players)
        for player in players.values():  # Players get no mail about questions that they have answered already.
            wait_until(lambda player=player: len(written_to(player)) > 1, "the game's first mail has come")
        sent = []
        for number, (moves, purses, treasury) in enumerate(STEPS, start=1):
            sent += [played(darbar, players, game, line) for line in moves]
            view = mahshid.get(f"games/{game}/view/")
            assert tuple(seat["coins"] for seat in view["seats"]) == purses, f"after step {number}"
            assert view["treasury"] == treasury, f"after step {number}"
        check_the_end(players, game)
        check_nothing_doubled(players, game, sent)
        check_mails(players)
    check_log(darbar, game)


def begun(darbar: Darbar, players: dict[str, Player]) -> str:
    """The id of a game in which the cards will fall as in the example."""
    opening = {"rules": "coup", "seat_count": 3, "options": {"starting_player": 1}}
    game = str(players["M"].post("games/", opening, 201)["id"])
    seats = players["S"].post(f"games/{game}/join/", {}, 200)["seats"]
    last_seed = found_seed(seed_of(darbar, game), game, [bytes.fromhex(seat["seed"]) for seat in seats])
    assert players["B"].post(f"games/{game}/join/", {"seed": last_seed.hex()}, 200)["state"] == "running"
    return game


def played(darbar: Darbar, players: dict[str, Player], game: str, line: str) -> str:
    """Play one move, with a worker that is killed just then where the line says so; where the move can be seen."""
    who, _, text = line.removesuffix(KILL).strip().partition(" ")
    location = players[who].send(game, text)
    if line.endswith(KILL):
        kill_worker(darbar)
    assert players[who].outcome(location)["state"] == "applied", line
    return location


def check_the_end(players: dict[str, Player], game: str) -> None:
    """Return the cards of all players after step 8, as each player sees them."""
    seats = players["M"].get(f"games/{game}/view/")["seats"]
    assert [seat["lost"] for seat in seats] == [[], ["assassin"], ["contessa", "assassin"]]
    assert [seat["cards"] for seat in seats] == [2, 1, 0]
    assert [seat["hand"] for seat in seats][:2] == [["contessa", "duke"], None]
    assert players["S"].get(f"games/{game}/view/")["seats"][1]["hand"] == ["captain"]
    assert players["M"].get(f"games/{game}/view/")["court"] == 9
    assert players["M"].question(game)
    for other in ("S", "B"):
        assert players[other].get(f"games/{game}/questions/")["results"] == []


def check_nothing_doubled(players: dict[str, Player], game: str, sent: list[str]) -> None:
    """Every move has become events once; every player's numbers have no gaps."""
    assert len(set(sent)) == len(sent)
    caused: Counter[str] = Counter()
    for player in players.values():
        events = player.get(f"games/{game}/events/")["results"]
        assert [event["number"] for event in events] == list(range(1, len(events) + 1))
        caused.update({event["move"] for event in events if event["move"]})
    assert caused == Counter(location.rstrip("/").rpartition("/")[2] for location in sent)


def check_mails(players: dict[str, Player]) -> None:
    """Check that no player gets a mail twice, or two mails about one question."""
    wait_until(lambda: any("your move" in mail["text"] for mail in players["M"].mails()), "the turn mail has come")
    for player in players.values():
        ids = written_to(player)
        assert len(ids) == len(set(ids))


def written_to(player: Player) -> list[str]:
    """Return the ids of the mails to a player."""
    return [mail["headers"]["Message-ID"] for mail in player.mails() if "Message-ID" in mail["headers"]]


def check_log(darbar: Darbar, game: str) -> None:
    """The whole log follows from the moves and the seeds."""
    verified = subprocess.run(
        [sys.executable, "manage.py", "verify", game],
        cwd=ROOT,
        env=darbar.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (verified.returncode, verified.stderr) == (0, "")
