"""Views of games as lines of text. A game that is not known here is shown field by field."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from darbar_play.texts import Texts

Names = Mapping[int, str]


def board(view: Mapping[str, Any], names: Names, texts: Texts) -> list[str]:
    """Return the widgets for a view."""
    return list(_BOARDS.get(view["rules"], _any_game)(view, names, texts))


def _coup(view: Mapping[str, Any], names: Names, texts: Texts) -> Iterator[str]:
    for seat in view["seats"]:
        mark = "▸" if seat["seat"] == view["turn"] else " "
        visible = None if seat["hand"] is None else [texts.card(card) for card in seat["hand"]]
        shown_cards = [texts["hidden"]] * seat["cards"] if visible is None else visible
        cards = texts["comma"].join(shown_cards) if seat["alive"] else texts["out"]
        lost = f" ✗ {texts['comma'].join(map(texts.card, seat['lost']))}" if seat["lost"] else ""
        coins = texts.coins(seat["coins"])
        party = f" ({seat['party']})" if seat["party"] else ""
        yield f"{mark} {texts.number(seat['seat'])} {names[seat['seat']]}{party}: {coins} · {cards}{lost}"
    yield f"  {texts['treasury']}: {texts.number(view['treasury'])}"


def _sedlec(view: Mapping[str, Any], names: Names, texts: Texts) -> Iterator[str]:
    tops = [texts.card(pile["face_up"] or ("▒" if pile["face_down"] else "–")) for pile in view["piles"]]
    yield f"  {texts['piles']}: " + "  ".join(f"{texts.number(pile)} {top}" for pile, top in enumerate(tops, 1))
    for player in view["players"]:
        mark = "▸" if player["seat"] == view["turn"] else " "
        hand = texts["comma"].join(map(texts.card, player["hand"])) or "–"
        points = f"{texts.number(player['score']['total'])} {texts['points']}"
        yield f"{mark} {texts.number(player['seat'])} {names[player['seat']]}: {texts['hand']} {hand} · {points}"
        for row in reversed([row for row in player["pyramid"] if any(row)]):
            yield "     " + "  ".join(texts.card(card or "·") for card in row)


def _any_game(view: Mapping[str, Any], names: Names, texts: Texts) -> Iterator[str]:
    for name, value in view.items():
        yield f"  {name}: {value}"


_BOARDS: Final[dict[str, Callable[[Mapping[str, Any], Names, Texts], Iterator[str]]]] = {
    "coup": _coup,
    "sedlec": _sedlec,
}
