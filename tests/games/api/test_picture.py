"""The picture over HTTP: for the same eyes as the view, in the reader's language, and never anything that runs."""

import xml.etree.ElementTree as ElementTree

import pytest
from msgspec.structs import replace

from accounts.models import Account
from games.engine.rules import no_picture
from games.models import Game
from games.rules.registry import RULES
from tests.games.api.conftest import client
from tests.games.seated import begin
from tests.third_game import fist

pytestmark = pytest.mark.django_db


@pytest.fixture
def coup(maryam: Account, bahareh: Account, sepideh: Account) -> Game:
    """A public table of Coup: seat 1 holds contessa and duke, seat 2 captain and contessa, seat 3 assassin and duke."""
    return begin([maryam, bahareh, sepideh])


def path(game: Game) -> str:
    return f"/api/v1/games/{game.id}/picture.svg"


def cards(svg: str) -> set[str]:
    """The characters that are drawn as cards whose face the viewer knows."""
    uses = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}use")
    return {str(use.get("href")).removeprefix("#cp-") for use in uses if use.get("class") == "cp-emblem"}


def test_everybody_sees_their_own_cards_and_a_stranger_none(
    coup: Game, maryam: Account, bahareh: Account, kaveh: Account
) -> None:
    cards_by_name = {who.name: cards(client(who).get(path(coup)).content.decode()) for who in (maryam, bahareh, kaveh)}
    assert cards_by_name == {"Maryam": {"contessa", "duke"}, "Bahareh": {"captain", "contessa"}, "Kaveh": set()}


def test_after_the_end_everybody_sees_everything(coup: Game, kaveh: Account) -> None:
    Game.objects.filter(pk=coup.pk).update(state=Game.State.OVER)
    assert {"contessa", "duke", "captain", "assassin"} <= cards(client(kaveh).get(path(coup)).content.decode())


def test_a_private_table_is_not_there_for_strangers(coup: Game, kaveh: Account, maryam: Account) -> None:
    Game.objects.filter(pk=coup.pk).update(private=True)
    assert client(kaveh).get(path(coup)).status_code == 404
    assert client(maryam).get(path(coup)).status_code == 200


def test_a_picture_has_words_in_the_language_of_its_reader(coup: Game, maryam: Account, sepideh: Account) -> None:
    assert "treasury" in client(maryam).get(path(coup)).content.decode()
    assert "خزانه" in client(sepideh).get(path(coup)).content.decode()


def test_a_picture_runs_nothing_and_loads_nothing(coup: Game, maryam: Account) -> None:
    answer = client(maryam).get(path(coup))
    assert answer["Content-Type"] == "image/svg+xml"
    assert answer["Content-Disposition"] == "inline"
    assert answer["X-Content-Type-Options"] == "nosniff"
    policy = answer["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "sandbox" in policy
    assert "script" not in policy


def test_who_has_it_already_is_told_so(coup: Game, maryam: Account) -> None:
    first = client(maryam).get(path(coup))
    again = client(maryam).get(path(coup), headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again["Cache-Control"] == "private, no-cache"


def test_names_of_players_are_made_harmless(coup: Game, maryam: Account, bahareh: Account) -> None:
    bahareh.name = '<script>alert("1")</script>'
    bahareh.save()
    svg = client(maryam).get(path(coup)).content.decode()
    assert "<script" not in svg
    ElementTree.fromstring(svg)


def test_a_game_that_has_not_begun_has_no_picture_yet(maryam: Account) -> None:
    opened = client(maryam).post("/api/v1/games/", {"rules": "coup", "seat_count": 3}, format="json").json()
    answer = client(maryam).get(f"/api/v1/games/{opened['id']}/picture.svg")
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")


def test_a_game_without_pictures_has_none(game: Game, maryam: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULES, "fist", replace(fist.RULES, picture=no_picture))
    answer = client(maryam).get(path(game))
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")


def test_who_is_not_signed_in_gets_none(coup: Game, maryam: Account) -> None:
    program = client(maryam)
    program.credentials()
    assert program.get(path(coup)).status_code == 401
