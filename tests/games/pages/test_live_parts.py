"""An update of an open page omits the parts that the page has, and gives the same page as opening it again."""

import re

import pytest

from accounts.models import Account
from games.models import Game
from tests.games.pages.at_home import Visitor
from tests.games.seated import begin, play

pytestmark = pytest.mark.django_db
_PART = re.compile(r'<div id="part-([\w-]+)" class="part" data-digest="(\w+)"(?: data-lazy)?>')
_EMPTY = re.compile(r'<div id="part-([\w-]+)" data-unchanged></div>')


def page(account: Account, game: Game, have: str = "") -> str:
    answer = Visitor(account).client.get(f"/games/{game.pk}/", headers={"X-Live": have} if have else {})
    assert answer.status_code == 200
    return answer.content.decode()


def parts(html: str) -> dict[str, str]:
    return dict(_PART.findall(html))


def header_of(parts_by_name: dict[str, str]) -> str:
    return " ".join(f"{name}={digest}" for name, digest in parts_by_name.items())


def test_parts_that_have_not_changed_are_left_out_and_the_others_come(maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh, None])
    whole = page(maryam, game)
    whole_parts = parts(whole)
    assert {"chat", "beside", "rest"} <= whole_parts.keys()
    again = page(maryam, game, header_of(whole_parts))
    assert set(_EMPTY.findall(again)) == whole_parts.keys()
    assert len(again.encode()) < len(whole.encode()) / 2
    play(game, "1 tax")
    after = page(maryam, game, header_of(whole_parts))
    fresh = parts(page(maryam, game))
    changed = {name for name, digest in fresh.items() if whole_parts[name] != digest}
    assert "claims" in changed
    assert "rules" not in changed
    assert parts(after).keys() == changed


def test_a_digest_of_another_reader_brings_nobody_anothers_part(maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh, None])
    hers = parts(page(sepideh, game))
    own_parts = parts(page(maryam, game))
    answered = page(maryam, game, header_of(hers))
    assert parts(answered) == {name: digest for name, digest in own_parts.items() if hers.get(name) != digest}


def test_what_is_asked_for_in_nonsense_comes_whole(maryam: Account) -> None:
    game = begin([maryam, None, None])
    assert parts(page(maryam, game, "chat=x = == players")) == parts(page(maryam, game))


def test_who_is_signed_in_is_still_told_and_the_count_of_the_menu_comes_along(maryam: Account) -> None:
    game = begin([maryam, None, None])
    answered = page(maryam, game, header_of(parts(page(maryam, game))))
    assert '<meta name="event-stream"' in answered
    assert 'id="waiting" data-live data-count="1"' in answered
    assert "<footer" not in answered
    assert "stylesheet" not in answered


def test_a_part_that_is_closed_comes_once_it_is_open(maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh, None])
    Game.objects.update(host=maryam)
    play(game, "1 income")
    whole = page(maryam, game)
    whole_parts = parts(whole)
    assert {"story", "words", "channel"} <= whole_parts.keys()
    assert "channel-secret" in whole
    play(game, "2 income")
    closed = page(maryam, game, header_of({**whole_parts, "words": "closed", "channel": "closed"}))
    assert {"words", "channel"} <= set(_EMPTY.findall(closed))
    assert "story" in parts(closed)
    assert "channel-secret" not in closed
    assert {"story", "words"} <= parts(page(maryam, game, header_of(whole_parts))).keys()
    Game.objects.update(state=Game.State.OVER)
    assert "part-channel" not in page(maryam, game, "channel=closed"), "no chat is connected to a game that is over"


def test_what_a_script_takes_apart_bears_no_policy_for_pages_but_one_that_allows_nothing(maryam: Account) -> None:
    game = begin([maryam, None, None])
    client = Visitor(maryam).client
    headers = client.get(f"/games/{game.pk}/").headers
    fetched = client.get(f"/games/{game.pk}/", headers={"X-Live": "chat=x"}).headers
    assert "script-src 'self'" in headers["Content-Security-Policy"]
    assert fetched["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert "Permissions-Policy" not in fetched
    assert fetched["X-Content-Type-Options"] == "nosniff"


def test_no_cache_keeps_for_others_what_a_script_takes_apart(maryam: Account) -> None:
    game = begin([maryam, None, None])
    for reader in (None, maryam):
        fetched = Visitor(reader).client.get(f"/games/{game.pk}/", headers={"X-Live": "chat=x"})
        assert "no-store" in fetched.headers["Cache-Control"]
