"""A small siege: players are answered, with attackers at every service. ``make siege`` looks at how long it takes."""

import shutil

import pytest

from bench.siege.campaign import Force, campaign
from bench.siege.report import is_answered, table

SMALL = Force(players=4, connections=300, seconds=2.0, rounds=1, pause=0.1, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize(("front", "network"), [("bare", "one /24"), ("caddy", "twenty /24s")])
def test_players_are_answered_under_siege(front: str, network: str) -> None:
    if front != "bare" and shutil.which(front) is None:
        pytest.skip(f"{front} is not installed")
    siege = campaign(SMALL, front, network)
    text = table("", siege)
    assert is_answered(siege), text
    assert siege.besieged[0].moves > 0, text
    tried = sum(siege.attackers[f"{service} tried"] for service in ("web", "stream", "mail"))
    assert tried >= 3 * SMALL.connections, text
