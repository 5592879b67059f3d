"""Tournaments by pages: created, entered, run, and read by visitors."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.models import Account
from games.models import Tournament
from games.tournaments import rounds
from tests.cast import signed_in
from tests.games.tournaments.tournament_cast import again, begun, create_cup, finish_round, games_of, people
from tests.third_game.table import LATER, NOON

pytestmark = pytest.mark.django_db
FORM = {
    "name": "Spring cup",
    "format": "swiss",
    "table_size": "4",
    "rounds": "3",
    "advance": "1",
    "division_size": "6",
    "promoted": "1",
    "season_break": "P7D",
    "speed": "daily",
    "round_length": "P14D",
    "starts_in": "P7D",
    "option-inquisitor": "on",
}


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return str(answer.content.decode())


def test_a_tournament_is_created_entered_changed_and_begun(maryam: Account) -> None:
    host = signed_in(maryam)
    assert "Expansions" in page(host, "/tournaments/new/coup/")
    created = host.post("/tournaments/new/coup/", {**FORM, "key": "one"})
    cup = Tournament.objects.get()
    here = f"/tournaments/{cup.pk}/"
    assert (created.status_code, created.headers["Location"]) == (302, here)
    assert (cup.rounds, cup.advance, cup.options) == (3, None, {"inquisitor": True})
    for player in people(3):
        assert signed_in(player).post(f"{here}enter/").status_code == 302
    host.post(f"{here}edit/", {"name": "Summer cup", "about": "Three rounds", **in_tehran(cup.starts_at)})
    assert Tournament.objects.get().starts_at == cup.starts_at
    assert "Summer cup" in page(host, "/tournaments/")
    host.post(f"{here}begin/")
    rounds.sweep(timezone.now())
    html = page(Client(), here)
    assert "Round 1" in html
    assert "Player 3" in html
    (game,) = games_of(cup)
    assert "Summer cup" in page(Client(), f"/games/{game.pk}/")


def in_tehran(at: datetime) -> dict[str, str]:
    """A time as it stands in the form of a tournament for a host in Tehran."""
    local = at.astimezone(ZoneInfo("Asia/Tehran"))
    return {"day": f"{local:%Y-%m-%d}", "time": f"{local:%H:%M}"}


def test_the_date_is_changed_in_the_time_zone_of_the_host_until_the_tournament_begins(maryam: Account) -> None:
    cup = create_cup(maryam, people(3))
    Tournament.objects.update(starts_at=timezone.now() + timedelta(days=7, hours=3, minutes=7))
    host, path, fields = signed_in(maryam), f"/tournaments/{cup.pk}/edit/", {"name": cup.name}
    was = again(cup).starts_at
    assert all(f'value="{value}"' in page(host, path) for value in in_tehran(was).values())
    new_start = (timezone.now() + timedelta(days=9)).replace(hour=14, minute=0, second=0, microsecond=0)
    assert host.post(path, {**fields, **in_tehran(new_start)}).status_code == 302
    assert again(cup).starts_at == new_start
    refused = host.post(path, {**fields, **in_tehran(timezone.now().replace(minute=0) - timedelta(days=2))})
    assert (refused.status_code, "A tournament must start in the future" in refused.content.decode()) == (422, True)
    assert host.post(path, {**fields, "day": "", "time": "17:30"}).status_code == 422
    assert again(cup).starts_at == new_start
    host.post(f"/tournaments/{cup.pk}/begin/")
    assert 'name="day"' not in page(host, path)
    assert host.post(path, {**fields, **in_tehran(was)}).status_code == 302
    assert again(cup).starts_at == new_start


def test_a_player_sits_a_round_out_and_leaves_after_being_asked(maryam: Account) -> None:
    players = people(3)
    cup = create_cup(maryam, players)
    own_signed, here = signed_in(players[0]), f"/tournaments/{cup.pk}/"
    own_signed.post(f"{here}entry/", {"sits_out": ["2", "x", "9" * 5000]})
    entry = cup.entries.get(account=players[0])
    assert (entry.sits_out, entry.hears) == ([2], False)
    assert "Leave the tournament?" in page(own_signed, f"{here}leave/")
    assert cup.entries.count() == 3
    own_signed.post(f"{here}leave/")
    assert cup.entries.count() == 2


def test_what_is_refused_is_said_on_the_page(maryam: Account, bahareh: Account) -> None:
    cup = create_cup(maryam)
    here = f"/tournaments/{cup.pk}/"
    answer = signed_in(maryam).post(f"{here}begin/", follow=True)
    assert "A tournament needs at least 3 players." in answer.content.decode()
    answer = signed_in(bahareh).post(f"{here}cancel/", follow=True)
    assert "Only the host of the tournament" in answer.content.decode()
    refused = signed_in(maryam).post("/tournaments/new/coup/", {**FORM, "name": "…"})
    assert (refused.status_code, Tournament.objects.count()) == (422, 1)


def test_the_seed_is_shown_at_the_end_and_not_before(maryam: Account) -> None:
    cup = begun(maryam, people(3), rounds=1)
    seed = bytes(cup.seed).hex()
    here = f"/tournaments/{cup.pk}/"
    assert seed not in page(Client(), here)
    assert cup.commitment in page(Client(), here)
    finish_round(cup, LATER)
    assert seed in page(Client(), here)


def test_a_league_is_created_and_its_page_shows_divisions_and_seasons(
    maryam: Account, django_assert_max_num_queries: Any
) -> None:
    host = signed_in(maryam)
    fields = {"format": "league", "division_size": "3", "table_size": "3", "promoted": "1", "season_break": "P3D"}
    created = host.post("/tournaments/new/coup/", {**FORM, **fields, "key": "one"})
    here = str(created.headers["Location"])
    assert "3 players in a division, 1 up and 1 down. Between seasons: 3 days." in page(host, here)
    for player in people(6):
        signed_in(player).post(f"{here}enter/")
    assert "The divisions are as they would be if the season started now." in page(host, here)
    host.post(f"{here}begin/")
    rounds.sweep(timezone.now())
    finish_round(Tournament.objects.get(), timezone.now())
    html = page(Client(), here)
    assert html.count("goes up") == html.count("goes down") == 1
    assert "Division 2" in html
    following = Tournament.objects.get(season=2)
    assert f"/tournaments/{following.pk}/" in html
    assert "Season 2" in page(Client(), "/tournaments/")
    with django_assert_max_num_queries(24):
        assert "Division 2" in page(Client(), f"/tournaments/{following.pk}/")
    own_signed, leave = signed_in(following.entries.get(number=1).account), f"/tournaments/{following.pk}/leave/"
    assert "you’ll start again in the lowest division." in page(own_signed, leave)
    own_signed.post(leave)
    assert following.entries.count() == 5


def test_its_host_cancels_it_after_being_asked(maryam: Account) -> None:
    cup = create_cup(maryam)
    host = signed_in(maryam)
    assert "Cancel the tournament?" in page(host, f"/tournaments/{cup.pk}/cancel/")
    host.post(f"/tournaments/{cup.pk}/cancel/")
    assert Tournament.objects.get().state == "cancelled"


def test_the_form_marks_the_fields_of_one_format_and_names_the_date_of_each_start(maryam: Account) -> None:
    with time_machine.travel(NOON, tick=False):
        html = page(signed_in(maryam), "/tournaments/new/coup/")
    for format, name in (("swiss", "rounds"), ("knock-out", "advance"), ("league", "division_size")):
        marked = html.split(f'data-only="{format}"', 1)[1]
        assert f'name="{name}"' in marked.split("<select", 1)[1].split("</select", 1)[0], format
    week = NOON + timedelta(days=7)
    assert f"7 days: {week:%A} {week.day} {week:%B}" in html


def test_the_standings_show_the_points_of_the_opponents_which_decide_between_equal_players(maryam: Account) -> None:
    cup = begun(maryam, people(4), table_size=2)
    finish_round(cup, NOON + timedelta(days=1))
    html = page(Client(), f"/tournaments/{cup.pk}/")
    assert "Opponents" in html
    assert '<td class="tie">0.0</td>' in html
    assert '<td class="tie">100.0</td>' in html
