"""The page of an analysis: better moves, judged by the knowledge of the player at that time."""

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


@pytest.mark.parametrize("language", ["en", "fa"])
def test_a_player_reads_what_would_have_been_better(language: str, game: Game, maryam: Account, findings: None) -> None:
    Account.objects.filter(pk=maryam.pk).update(language=language)
    visitor = Visitor(Account.objects.get(pk=maryam.pk))
    page = visitor.go(f"/games/{game.pk}/")
    assert f"/games/{game.pk}/analysis/" in [link.get("href") for link in page.all("a")]
    page = visitor.go(f"/games/{game.pk}/analysis/")
    sound(page, language)
    assert [element["data-refresh"] for element in page.all("div") if "data-refresh" in element] == ["3"]
    analyses.make(lambda: LATER)
    page = visitor.go(f"/games/{game.pk}/analysis/")
    sound(page, language)
    assert not [element for element in page.all("div") if "data-refresh" in element]
    if language == "en":
        assert "At 1 of your 3 decisions something else would have been better." in page.text
        assert "held the duke was 23%." in page.text
        assert "A mistake. Better: Challenge the claim" in page.text
        assert "Accuracy: 85%." in page.text
        assert "It wins about 49 of 100 such games, the chosen move 36 (difference: 13 ± 2)." in page.text
    else:
        assert "احتمال اینکه" in page.text
        assert "۲۳٪" in page.text


def test_another_reads_the_decisions_of_a_seat_and_who_you_is_there(
    game: Game, bahareh: Account, findings: None
) -> None:
    visitor = Visitor(bahareh)
    visitor.go(f"/games/{game.pk}/analysis/?seat=2")
    analyses.make(lambda: LATER)
    page = visitor.go(f"/games/{game.pk}/analysis/?seat=2")
    assert "On this page, “you” means" in page.text
    assert Analysis.objects.get().seat == 2
    for seat in ("3", "x", "0"):
        assert visitor.client.get(f"/games/{game.pk}/analysis/?seat={seat}").status_code == 404


def test_an_analysis_is_for_those_who_may_see_the_game_and_are_signed_in(
    game: Game, maryam: Account, bahareh: Account
) -> None:
    path = f"/games/{game.pk}/analysis/"
    assert Visitor().client.get(path).headers["Location"] == f"/login/?next={path}"
    assert "analysis" not in str([link.get("href") for link in Visitor().go(f"/games/{game.pk}/").all("a")])
    Game.objects.filter(pk=game.pk).update(private=True)
    assert Visitor(bahareh).client.get(path).status_code == 404
    assert not Analysis.objects.exists()
    assert Visitor(maryam).client.get(path).status_code == 200


def test_of_a_running_game_there_is_no_analysis(maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh], DUEL, two_player_setup="dealt")
    visitor = Visitor(maryam)
    assert "analysis" not in str([link.get("href") for link in visitor.go(f"/games/{game.pk}/").all("a")])
    page = visitor.go(f"/games/{game.pk}/analysis/")
    assert visitor.path == f"/games/{game.pk}/"
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
