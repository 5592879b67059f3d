"""The games of ``examples/games`` keep the contract and are played at once by API, page and mail."""

import sys
from pathlib import Path
from typing import Any, Final

import pytest
from babel.messages.pofile import read_po
from django.test import Client

from accounts.models import Account
from games.announcements.notify import write_due
from games.archive import audit
from games.engine import Outcome, SeatNumber, SeededChance, replay
from games.engine.testing import check
from games.models import Game
from games.play import bots
from games.rules.registry import RULES
from notifications.channels.mail.message import message
from notifications.models import Notification
from tests.catalogues import compiled
from tests.third_game.table import LATER, create_fist, fresh, play, state

FOLDER: Final = Path(__file__).parents[3] / "examples" / "games" / "liars_dice"
CATALOGUE: Final = FOLDER / "darbar_liars_dice" / "locale" / "fa" / "LC_MESSAGES" / "django.mo"
LONGEST: Final = 400

sys.path.append(str(FOLDER))
from darbar_liars_dice import RULES as DICE  # noqa: E402 - its package is not installed here
from darbar_liars_dice import game as dice  # noqa: E402


def test_liars_dice_keeps_the_contract_in_both_languages() -> None:
    check(DICE, 12, [CATALOGUE])


def test_it_is_small_and_its_catalogue_is_compiled() -> None:
    assert sum(len(file.read_text().splitlines()) for file in CATALOGUE.parents[3].glob("*.py")) < LONGEST
    with CATALOGUE.with_suffix(".po").open("rb") as file:
        assert compiled(read_po(file, locale="fa")) == CATALOGUE.read_bytes()


def test_a_bid_that_is_not_believed_costs_whoever_was_wrong_a_die() -> None:
    begun = (
        dice.SetUp(options=dice.Options(), seats=2),
        dice.Rolled(dice=((1, 3, 3), (2, 5, 6)), turn=SeatNumber(1)),
    )
    stand: Any = replay(DICE, begun)
    for bid, found, loser in (((3, 3), 3, 2), ((3, 2), 2, 1)):
        (question,) = DICE.questions(stand)
        raised = DICE.decide(stand, question.seat, dice.Bid(*bid, question=question.id), SeededChance(bytes(32)))
        after = replay(DICE, raised, stand)
        (doubting,) = DICE.questions(after)
        called, *_ = DICE.decide(after, doubting.seat, dice.Liar(question=doubting.id), SeededChance(bytes(32)))
        assert (called.found, called.loser) == (found, loser)


def test_two_numbers_of_a_move_keep_their_order() -> None:
    begun = DICE.setup(DICE.options(), 2, SeededChance(bytes(32)))
    stand: Any = replay(DICE, begun)
    (question,) = DICE.questions(stand)
    for written in ("Bid 1 3.", "ادعا ۱ ۳", "bid 1 3"):
        assert DICE.parse(stand, question, written, {}) == dice.Bid(1, 3, question=question.id)
    assert DICE.parse(stand, question, "BID 3 1", {}) == dice.Bid(3, 1, question=question.id)


@pytest.mark.django_db
def test_it_is_played_with_a_bot_by_page_and_mail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULES, "liars-dice", DICE)
    maryam = Account.objects.create_user("maryam@example.org", name="Maryam")
    game = create_fist(maryam, rules="liars-dice", bots=1, options={"dice": 1})
    page = Client()
    page.force_login(maryam, backend="django.contrib.auth.backends.ModelBackend")
    while game.state == Game.State.RUNNING:
        bots.sweep(LATER)
        if mine := fresh(game).open_questions.filter(seat=1).first():
            write_due(LATER)
            written = message(Notification.objects.filter(reason="question", state="ready").latest("pk")).body
            moves = DICE.legal_moves(state(game), DICE.questions(state(game))[0])
            assert str(moves[0]) in written
            assert page.get(f"/games/{game.pk}/").status_code == 200
            play(game, 1, str(moves[-1]), question=mine.question)
        game = fresh(game)
    assert isinstance(DICE.outcome(state(game)), Outcome)
    assert audit.find_faults(game) == []
