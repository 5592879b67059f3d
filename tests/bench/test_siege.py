"""A small siege: whoever plays is answered, with attackers at every door. ``make siege`` looks at how long it takes."""

from bench.siege.campaign import Force, campaign
from bench.siege.report import is_answered, table
from bench.siege.server import has_nginx

SMALL = Force(players=4, slow=180, idle=390, seconds=2.0, rounds=1, pause=0.1, seed=1)


def test_whoever_plays_is_answered_under_siege() -> None:
    proxied = has_nginx()  # make siege looks at both
    found = campaign(SMALL, proxied)
    said = table("", found)
    assert is_answered(found), said
    assert found.siege[0].moves > 0, said
    tried = sum(found.attackers[f"{door} tried"] for door in ("web", "stream", "mail"))
    assert tried >= SMALL.slow + SMALL.idle, said
