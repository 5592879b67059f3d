"""Promised seeds: created, stored in a file, and revealed only if the list of the deal is correct.

An operator who plays could choose the cards if they knew your seed before their own is fixed. So your seed is revealed
only after the list of the deal is fixed, has your promise and those of all other seats, and its head is stored. After
the game pass the head to ``verify.py --deal-head``.
"""

import hashlib
import json
import os
import secrets
from pathlib import Path
from typing import Any


class DealRefused(Exception):
    """The list of the deal is wrong. The seed was not revealed. Tell the other players."""


def digest(text: str) -> str:
    """Return the SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


class Promises:
    """The promises of one account, in a file that only its user can read."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._kept: dict[str, dict[str, Any]] = json.loads(self._path.read_text()) if self._path.exists() else {}

    def make(self) -> str:
        """Create and store a seed, and return its commitment: the ``seed_commitment`` of a request."""
        seed = secrets.token_hex(32)
        commitment = digest(f"darbar-seed|{seed}")
        self._kept[commitment] = {"seed": seed, "game": "", "heads": []}
        self._write()
        return commitment

    def note(self, game: Any) -> None:
        """Store each head of the deal that the server shows for this game."""
        promise = self._of(game)
        if promise is None:
            return
        before = json.dumps(promise)
        promise["game"] = game["id"]
        if game["deal_head"] and game["deal_head"] not in promise["heads"]:
            promise["heads"].append(game["deal_head"])
        if json.dumps(promise) != before:
            self._write()

    def heads(self, game: str) -> list[str]:
        """Return the stored heads of a game's deal, for ``verify.py --deal-head``."""
        return [head for promise in self._kept.values() if promise["game"] == game for head in promise["heads"]]

    def checked(self, game: Any) -> dict[str, str] | None:
        """Return the seed and the head for ``reveal_seed``, and store the head. Return None if nothing must be
        revealed.

        Raises DealRefused if the list of the deal is wrong.
        """
        promise = self._of(game)
        own_seat = next((seat for seat in game["seats"] if seat["seat"] == game["seat"]), None)
        is_waiting = game["state"] == "starting" and game["beacon_round"] is None
        if promise is None or own_seat is None or own_seat["seed"] or not is_waiting:
            return None
        if promise["game"] not in ("", game["id"]):
            raise DealRefused("the seed was promised in another game")
        if promise["heads"] not in ([], [game["deal_head"]]):
            raise DealRefused("the list of the deal has changed")
        _check(game, own_seat["seed_commitment"])
        self.note(game)
        return {"seed": promise["seed"], "head": game["deal_head"]}

    def _of(self, game: Any) -> dict[str, Any] | None:
        own_seat = next((seat for seat in game["seats"] if seat["seat"] == game["seat"]), None)
        return None if own_seat is None else self._kept.get(own_seat["seed_commitment"])

    def _write(self) -> None:
        new = self._path.with_name(f"{self._path.name}.new")
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(self._kept, file)
        new.replace(self._path)


def _check(game: Any, commitment: str) -> None:
    text = game["deal_list"]
    if digest(f"darbar-deal|{text}") != game["deal_head"]:
        raise DealRefused("the head is not that of the list of the deal")
    listed = json.loads(text)
    if (listed["game"], listed["commitment"], listed["round"]) != (game["id"], game["commitment"], None):
        raise DealRefused("the list of the deal is not of this game")
    seats = listed["seats"]
    if [seat["seat"] for seat in seats] != [seat["seat"] for seat in game["seats"]]:
        raise DealRefused("the list of the deal does not name each seat once")
    if [seat["seed_commitment"] for seat in seats] != [seat["seed_commitment"] for seat in game["seats"]]:
        raise DealRefused("the promises in the list of the deal are not those of the seats")
    if any(seat["player"] and len(seat["seed"] + seat["seed_commitment"]) != 64 for seat in seats):
        raise DealRefused("the seed of a seat is not fixed")
    promises = [seat["seed_commitment"] for seat in seats]
    if promises.count(commitment) != 1 or promises[game["seat"] - 1] != commitment:
        raise DealRefused("your own promise is not on your seat in the list of the deal")
