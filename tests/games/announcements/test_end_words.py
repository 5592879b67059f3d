"""The headline of a game that has ended, as each of its players and a visitor read it."""

import pytest
from django.utils.translation import override

from accounts.models import Account
from games.announcements.email_blocks import who_won
from games.engine import SeatNumber
from games.visibility.player_view import PlayerView
from tests.games.finished import begun
from tests.games.rules.sedlec.test_winning import finished

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("language", "seat", "hand", "headline"),
    [
        ("en", 1, "royal/sinner", "You won Skulls of Sedlec, game {}, together with Bahareh!"),
        ("en", None, "royal/sinner", "Maryam, Bahareh won Skulls of Sedlec, game {}, together."),
        ("en", 2, "royal/royal", "Maryam won Skulls of Sedlec, game {}."),
        ("fa", 2, "royal/sinner", "شما و Maryam با هم برندهٔ جمجمه‌های سدلتس (بازی {}) شدید!"),
        ("fa", None, "royal/sinner", "Maryam، Bahareh با هم برندهٔ جمجمه‌های سدلتس (بازی {}) شدند."),
        ("fa", 1, "royal/royal", "شما برندهٔ جمجمه‌های سدلتس (بازی {}) شدید!"),
    ],
)
def test_the_headline_says_who_won_and_that_winners_share(
    maryam: Account, bahareh: Account, language: str, seat: int | None, hand: str, headline: str
) -> None:
    """D1: the headline of the last email names the winners, and its reader as "you"."""
    game = begun([maryam, bahareh], "sedlec")
    with override(language):
        reader = {1: maryam, 2: bahareh}.get(seat or 0)
        player_view = PlayerView(game, None if seat is None else SeatNumber(seat), reader)
        player_view.state = finished(hand).state
        translate = who_won(player_view).translate(dict.fromkeys(range(0x2066, 0x206A)))
    assert translate == headline.format(game.code[:4].upper())
