"""The story on the page of a game marks its new sentences: those since the reader's own last decision."""

import re
from datetime import timedelta
from html import unescape

import pytest

from accounts.models import Account
from games.models import Game
from games.tables.joining import take_over_seat
from tests.games.pages.at_home import Visitor
from tests.games.seated import NOON, absent, agree, begin, play

pytestmark = pytest.mark.django_db
_NEW = re.compile(r'<span class="new" data-number="(\d+)"\s*(?:data-by="(seat-\d+)")?>([^<]*)</span>')
_MARKS = re.compile("[\u2066-\u2069]")


@pytest.fixture
def game(maryam: Account, sepideh: Account, bahareh: Account) -> Game:
    """A game of three in English before its first move."""
    Account.objects.filter(pk__in=[sepideh.pk, bahareh.pk]).update(language="en")
    return begin([maryam, sepideh, bahareh], ["contessa", "duke", "captain", "contessa", "assassin", "duke"])


def new_sentences(account: Account | None, game: Game) -> list[tuple[str, str]]:
    """Return the seat and the text of each new sentence on the page of this reader, in the order of the page."""
    reader = Account.objects.get(pk=account.pk) if account else None
    html = Visitor(reader).client.get(f"/games/{game.pk}/").content.decode()
    rows = _NEW.findall(html)
    numbers = [int(number) for number, *_ in rows]
    assert numbers == sorted(set(numbers)), "in the order of the events"
    return [(seat, _MARKS.sub("", unescape(text))) for _, seat, text in rows]


def test_the_moves_since_the_own_answer_are_new_in_their_order(
    maryam: Account, sepideh: Account, bahareh: Account, game: Game
) -> None:
    play(game, "1 income", "2 income", "3 tax")
    income = ("seat-1", "You took income: 1 coin.")
    claim = ("seat-3", "Bahareh claimed the duke to collect tax.")
    assert new_sentences(maryam, game) == [income, ("seat-2", "سپیده took income: 1 coin."), claim]
    assert new_sentences(sepideh, game) == [("seat-2", "You took income: 1 coin."), claim]
    assert new_sentences(bahareh, game) == []


def test_the_result_of_a_claim_is_new_to_a_player_who_allowed_it(maryam: Account, game: Game) -> None:
    play(game, "1 income", "2 tax", "1 allow")
    assert new_sentences(maryam, game) == []
    play(game, "3 allow")
    assert new_sentences(maryam, game) == [("seat-2", "سپیده collected tax with the duke: 3 coins.")]


def test_everything_is_new_to_a_player_who_has_not_answered_yet_and_nothing_to_a_spectator(
    bahareh: Account, kaveh: Account, game: Game
) -> None:
    play(game, "1 income")
    texts = [text for _, text in new_sentences(bahareh, game)]
    assert "The game started. Maryam goes first." in texts
    assert texts[-1] == "Maryam took income: 1 coin."
    for spectator in (kaveh, None):
        assert new_sentences(spectator, game) == []


def test_an_answer_in_an_open_reaction_is_new_to_its_player_alone(
    maryam: Account, sepideh: Account, bahareh: Account, game: Game
) -> None:
    play(game, "1 tax")
    before = [new_sentences(account, game) for account in (maryam, sepideh)]
    play(game, "3 allow")
    assert [new_sentences(account, game) for account in (maryam, sepideh)] == before
    assert new_sentences(bahareh, game) == []


def test_only_the_sentences_since_an_answer_are_counted(maryam: Account, bahareh: Account, game: Game) -> None:
    play(game, "1 income")
    counts = [Visitor(account).go(f"/games/{game.pk}/").text for account in (maryam, bahareh)]
    assert ["1 new since your answer" in counts[0], "since your answer" in counts[1]] == [True, False]


def test_the_whole_story_marks_the_same_sentences(maryam: Account, game: Game) -> None:
    play(game, "1 income", "2 income", "3 tax")
    page, whole = (Visitor(maryam).go(f"/games/{game.pk}/{query}").text for query in ("", "?story=whole"))
    assert "3 new since your answer" in page
    assert "3 new since your answer" in whole


def test_a_takeover_makes_no_older_sentence_new(sepideh: Account, kaveh: Account, game: Game) -> None:
    agree(game, absence="invite")
    play(game, "1 income", "2 income", "3 tax")
    absent(game, 1, NOON + timedelta(hours=1))
    play(game, "2 challenge")
    before = new_sentences(sepideh, game)
    take_over_seat(game.pk, 1, kaveh, "api", NOON + timedelta(hours=2))
    assert new_sentences(sepideh, game) == [*before, ("seat-1", "Kaveh took over a seat.")]


def test_a_card_that_was_drawn_is_told_to_its_player_alone(maryam: Account, sepideh: Account, game: Game) -> None:
    play(game, "1 exchange", "2 allow", "3 allow")
    [player_text], [spectator_text] = (
        [text for _, text in new_sentences(account, game)][-1:] for account in (maryam, sepideh)
    )
    assert "drawing" in player_text
    assert spectator_text == "Maryam exchanged cards with the ambassador."
