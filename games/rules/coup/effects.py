"""The effect of each action of the classic game once it stands."""

from typing import Final

from games.engine import SeatNumber
from games.rules.coup import events as e
from games.rules.coup import moves as m
from games.rules.coup.flow import lose_influence
from games.rules.coup.law import Play, Step
from games.rules.coup.state import State, court, known_cards, without

STOLEN: Final = 2
"""The coins that a steal takes, if the target has as many."""


def gain(coins: int) -> Step:
    """Return an effect that takes coins from the treasury, which is never empty (Coup C4)."""

    def effect(play: Play) -> None:
        play.emit(e.Gained(seat=play.action.seat, coins=coins))
        play.step("end")

    return effect


def target_loses(reason: str) -> Step:
    """Make the target lose an influence. A target who is already out loses nothing more (Coup C15)."""

    def effect(play: Play) -> None:
        lose_influence(play, play.target, reason, then="end")

    return effect


def steal(play: Play) -> None:
    """Take 2 coins, or the only one (Coup C15: also from a target who went out on the way)."""
    coins = min(STOLEN, play.state.coins[play.target - 1])
    play.emit(e.Stole(seat=play.action.seat, target=play.target, coins=coins))
    play.step("end")


def draw(cards: int) -> Step:
    """Return an effect that draws cards from the court and asks which ones to keep."""

    def effect(play: Play) -> None:
        play.emit(e.Drew(seat=play.action.seat, cards=play.chance.take(court(play.state), cards)))

    return effect


def keep(play: Play, seat: SeatNumber, move: m.Keep) -> None:
    """Keep as many cards as the player held. The others return to the court, which is shuffled."""
    returned = without((*play.state.hands[seat - 1], *play.state.drawn), move.characters)
    play.emit(e.Kept(seat=seat, kept=move.characters, returned=tuple(sorted(known_cards(returned)))))
    play.step("end")


def target_has_coins(state: State, target: SeatNumber | None) -> bool:
    """Return whether the target has coins. Stealing from a player without coins could do nothing (Coup C3)."""
    return target is not None and state.coins[target - 1] > 0
