"""Boards of ``darbar-play`` as text, in both languages."""

from typing import Any

import pytest
from darbar_play.boards import board
from darbar_play.texts import Texts

from config.server.api_description.openapi import operations
from tests.contract.keep import stored_schema

NAMES = {1: "Maryam", 2: "Jazari"}
SEDLEC: dict[str, Any] = {
    "rules": "sedlec",
    "piles": [{"face_up": "royal/lover", "face_down": []}, {"face_up": None, "face_down": [None]}],
    "players": [
        {"seat": 1, "hand": [], "pyramid": [["priest/lover", None], [None]], "score": {"total": 12}, "forfeited": False}
    ],
    "turn": 1,
}


def coup() -> Any:
    """The view of Coup that the description shows."""
    (view,) = (operation for _, _, operation in operations(stored_schema()) if operation["operationId"] == "get_view")
    examples = view["responses"]["200"]["content"]["application/json"]["examples"].values()
    return next(example["value"] for example in examples if example["value"]["rules"] == "coup")


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "1 Maryam: 1 coin · ambassador, captain"), ("fa", "۱ Maryam: ۱ سکه · سفیر، فرمانده")],
)
def test_a_board_of_coup_has_coins_and_cards(language: str, sentence: str) -> None:
    first, second, _ = board(coup(), NAMES, Texts(language))
    assert first == f"▸ {sentence}"
    assert second.count(Texts(language)["hidden"]) == 2, "what is not known is not told"


def test_a_board_of_sedlec_has_piles_hands_and_pyramids() -> None:
    piles, player, row = board(SEDLEC, NAMES, Texts("en"))
    assert piles == "  Piles: 1 royal/lover  2 ▒"
    assert player == "▸ 1 Maryam: hand – · 12 points"
    assert row.split() == ["priest/lover", "·"]


def test_a_game_that_is_not_known_yet_is_shown_field_by_field() -> None:
    assert board({"rules": "fist", "turn": 2}, NAMES, Texts("en")) == ["  rules: fist", "  turn: 2"]
