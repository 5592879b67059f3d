"""Parties, conversion and the reserve (rules, section 5)."""

from typing import Final

from msgspec.structs import replace

from games.engine import Move, SeatEvent, SeatNumber
from games.rules.coup import moves as m
from games.rules.coup.asking import by_lot
from games.rules.coup.law import ActionLaw, Expansion, Law, Play, Protection, QuestionLaw
from games.rules.coup.state import DUKE, Party, State, alive, ask, nothing_asked, others, paid, with_entry

EMPIRE: Final = "empire"
RESISTANCE: Final = "resistance"


class PartyAsked(SeatEvent, frozen=True, tag="party-asked"):
    """The starter is asked for a party."""

    def after(self, state: State) -> State:
        return ask(replace(state, turn=self.seat), "party", (self.seat,), "party")


class PartiesChosen(SeatEvent, frozen=True, tag="parties-chosen"):
    """The starter's party is chosen; the others alternate clockwise."""

    parties: tuple[Party, ...]

    def after(self, state: State) -> State:
        return nothing_asked(replace(state, parties=self.parties))


class Converted(SeatEvent, frozen=True, tag="converted"):
    """A party card was turned over."""

    target: SeatNumber
    party: Party

    def after(self, state: State) -> State:
        return replace(state, parties=with_entry(state.parties, self.target, self.party))


class Embezzled(SeatEvent, frozen=True, tag="embezzled"):
    """The whole reserve was taken."""

    coins: int

    def after(self, state: State) -> State:
        return replace(state, coins=paid(state, self.seat, self.coins), reserve=state.reserve - self.coins)


def other_party(party: Party) -> Party:
    return RESISTANCE if party == EMPIRE else EMPIRE


def ask_party(play: Play) -> None:
    """Ask the starter for a party, before the first turn."""
    play.emit(PartyAsked(seat=play.state.starter))


def choose_party(play: Play, seat: SeatNumber, move: m.Empire | m.Resistance) -> None:
    """Give the starter the chosen party. The others alternate clockwise."""
    spread_parties(play, EMPIRE if isinstance(move, m.Empire) else RESISTANCE)


def spread_parties(play: Play, party: Party) -> None:
    """Give the starter this party, let the other living players alternate clockwise, and begin the first turn."""
    starter = play.state.starter
    alternating = sorted(others(play.state, starter), key=lambda seat: (seat < starter, seat))
    parties = [party] * len(play.state.hands)
    for seat in alternating[::2]:
        parties[seat - 1] = other_party(party)
    play.emit(PartiesChosen(seat=starter, parties=tuple(parties)))
    play.step("first-turn")


def convert(play: Play) -> None:
    """Turn over a party card: the player's own, or another player's."""
    action = play.action
    target = action.target or action.seat
    party = other_party(play.state.parties[target - 1])
    play.emit(Converted(seat=action.seat, target=target, party=party))
    play.step("end")


def embezzle(play: Play) -> None:
    """Take the whole reserve."""
    play.emit(Embezzled(seat=play.action.seat, coins=play.state.reserve))
    play.step("end")


def reserve_is_filled(state: State, target: SeatNumber | None) -> bool:
    """Return whether the reserve has coins. Embezzling an empty reserve could do nothing (Coup C3)."""
    return state.reserve > 0


def opposed(state: State, seat: SeatNumber, others: tuple[SeatNumber, ...]) -> tuple[SeatNumber, ...]:
    """Return the living others of the other party, or all living others if all players are of one party (Coup C19)."""
    parties, party = state.parties, state.parties[seat - 1]
    opponents = []
    for other in others:  # no comprehension: this is asked at every turn
        if parties[other - 1] != party:
            opponents.append(other)
    return tuple(opponents) or others


FELLOWSHIP: Final = Protection(
    actions=frozenset(("coup", "assassinate", "steal", "examine")),
    blocks=frozenset(("foreign-aid",)),
    exposed=opposed,
)
"""A fellow may not be harmed, nor their foreign aid blocked (Coup C19)."""


def starter_resigned(play: Play, seat: SeatNumber) -> bool:
    """Choose a random party for a starter who leaves. The others alternate from that seat (Coup C29)."""
    if play.state.asking != "party" or alive(play.state, play.state.starter):
        return False
    spread_parties(play, play.chance.choose((EMPIRE, RESISTANCE)))
    return True


def party_moves(law: Law, state: State, seat: SeatNumber, question: str) -> tuple[Move, ...]:
    """Return both parties."""
    return (m.Empire(question=question), m.Resistance(question=question))


REFORMATION: Final = Expansion(
    actions=(
        ActionLaw("convert", m.Convert, convert, cost=1, cost_with_target=2, pays_reserve=True, target="optional"),
        ActionLaw("embezzle", m.Embezzle, embezzle, claims=DUKE, denies=True, possible=reserve_is_filled),
    ),
    questions={"party": QuestionLaw(party_moves, by_lot)},
    answers={m.Empire: choose_party, m.Resistance: choose_party},
    steps={"begin": ask_party},
    protection=FELLOWSHIP,
    resignation=starter_resigned,
)
