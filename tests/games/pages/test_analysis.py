"""The analysis on the page of the replay: better moves, judged by the knowledge of the player at that time."""

import re

import msgspec
import pytest

from accounts.models import Account
from games.archive import analyses as analyses
from games.engine.analysis import Better, Finding
from games.engine.phrases import Phrase, SeatName
from games.models import Analysis, Game
from games.play import bots, thinker
from tests.games.pages.at_home import Visitor
from tests.games.pages.test_every_page import sound
from tests.games.seated import begin, play
from tests.third_game.table import LATER

pytestmark = pytest.mark.django_db
DUEL = ["contessa", "duke", "captain", "assassin"]
OTHER = ["contessa", "duke", "ambassador", "assassin"]


def over(people: list[Account | None], cards: list[str], **options: object) -> Game:
    """Maryam has won: Sepideh resigned after a bluff."""
    game = begin(people, cards, two_player_setup="dealt", **options)
    play(game, "1 tax", "2 allow", "2 tax", "1 allow", "1 income", "2 resign yes")
    return Game.objects.get(pk=game.pk)


@pytest.fixture
def game(maryam: Account, sepideh: Account) -> Game:
    return over([maryam, sepideh], DUEL)


@pytest.fixture
def findings(monkeypatch: pytest.MonkeyPatch) -> None:
    """A challenge would have been better at the second decision."""
    doubt = Phrase("The chance that %(player)s held the %(claim)s was %(percent)s%%.")
    likely = msgspec.structs.replace(doubt, values={"player": SeatName(2), "claim": "duke", "percent": 23})
    better = Better(
        Phrase("Challenge the claim"), (Phrase("If you’re wrong, you lose an influence."),), 0.49, 0.13, 0.012
    )
    allowed = Finding(Phrase("Do you believe it?"), Phrase("Allow it"), better, (likely,))
    plain = Finding(Phrase("It’s your turn. What do you do?"), Phrase("Take income: 1 coin"))
    monkeypatch.setattr(bots.THINKER, "analyse", lambda task: allowed if task.question.kind == "challenge" else plain)


def replay(game: Game, query: str = "") -> str:
    return f"/games/{game.pk}/replay/{query}"


def analysis(game: Game) -> str:
    return f"/games/{game.pk}/analysis/"


@pytest.mark.parametrize("language", ["en", "fa"])
def test_the_replay_shows_the_better_move_where_it_happened(
    language: str, game: Game, maryam: Account, findings: None
) -> None:
    Account.objects.filter(pk=maryam.pk).update(language=language)
    visitor = Visitor(Account.objects.get(pk=maryam.pk))
    page = visitor.go(f"/games/{game.pk}/")
    assert replay(game) in [link.get("href") for link in page.all("a")]
    visitor.go(replay(game, "?step=4"))
    page = visitor.send(analysis(game))
    assert visitor.path == replay(game, "?step=4")
    sound(page, language)
    assert [element["data-refresh"] for element in page.all("div") if "data-refresh" in element] == ["4"]
    analyses.make(lambda: LATER)
    dots = [path["class"] for path in visitor.go(replay(game)).all("path") if "dot" in path.get("class", "")]
    assert dots == ["dot mistake seat-1", "dot mistake seat-2"]
    line = analyses.analysed_decisions(Analysis.objects.get(seat=1))[1].line
    page = visitor.go(replay(game, f"?line={line}"))
    sound(page, language)
    assert not [element for element in page.all("div") if "data-refresh" in element]
    if language == "en":
        assert "Mistake Do you believe it? Chosen: Allow it Better: Challenge the claim" in page.text
        assert "held the duke was 23%." in page.text
        assert "It wins about 49 of 100 such games, the chosen move 36 (difference: 13 ± 2)." in page.text
        assert "Maryam 85% 0 1 0 1 0 0" in re.sub("[\u2066-\u2069]", "", page.text)
    else:
        assert "احتمال اینکه" in page.text
        assert "۲۳٪" in page.text


def test_the_decisions_of_all_people_are_analysed_those_of_the_reader_first(
    game: Game, sepideh: Account, findings: None
) -> None:
    visitor = Visitor(sepideh)
    visitor.go(replay(game))
    visitor.send(analysis(game))
    assert list(Analysis.objects.order_by("id").values_list("seat", flat=True)) == [2, 1]
    assert "۰ از ۵ تصمیم بررسی شد" in visitor.page.text
    assert not [form for form in visitor.page.forms if form["action"] == analysis(game)]


def test_the_old_address_of_an_analysis_leads_to_the_replay(game: Game, maryam: Account) -> None:
    visitor = Visitor(maryam)
    visitor.go(analysis(game) + "?seat=2")
    assert visitor.path == replay(game)
    assert not Analysis.objects.exists()


def test_an_analysis_is_for_those_who_may_see_the_game_and_are_signed_in(
    game: Game, maryam: Account, bahareh: Account, findings: None
) -> None:
    path = analysis(game)
    assert Visitor().client.get(path).headers["Location"] == f"/login/?next={path}"
    assert path not in [form["action"] for form in Visitor().go(replay(game)).forms]
    Game.objects.filter(pk=game.pk).update(private=True)
    stranger = Visitor(bahareh).client
    stranger.handler.enforce_csrf_checks = False
    assert stranger.post(path).status_code == 404
    assert not Analysis.objects.exists()
    Visitor(maryam).go(replay(game))


def test_of_a_running_game_there_is_no_analysis(maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh], DUEL, two_player_setup="dealt")
    visitor = Visitor(maryam)
    visitor.client.handler.enforce_csrf_checks = False
    visitor.client.post(analysis(game))
    page = visitor.go(f"/games/{game.pk}/")
    assert "This game isn’t over yet." in page.text
    assert not Analysis.objects.exists()


def test_what_is_said_follows_from_what_the_seat_was_shown_alone(
    game: Game, maryam: Account, sepideh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = over([maryam, sepideh], OTHER)
    seeds: list[str] = []

    def at_once(task: thinker.Analysis) -> Finding:
        seeds.append(task.seed)
        same = msgspec.structs.replace(task, seed=bytes(32).hex(), game="")
        return msgspec.json.decode(thinker.result_of(same), type=Finding)

    monkeypatch.setattr(bots.THINKER, "analyse", at_once)
    for one_game in (game, other):
        analyses.open_analysis(one_game, analyses.SeatNumber(1), maryam, LATER)
    analyses.make(lambda: LATER)
    one, two = (Analysis.objects.get(game=one_game).findings for one_game in (game, other))
    assert one == two
    assert len(one) == 3
    assert len({*seeds}) == 6, "each decision has a chance of its own"
