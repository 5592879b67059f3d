"""The help in a player's first game of Coup: the goal, the risk of each answer, and the words of the game."""

from collections.abc import Iterator
from math import comb
from typing import Any, Final

from games.engine import Phrase, Question, SeatName
from games.engine import gettext_noop as _
from games.engine.rules import Coaching
from games.rules.coup.asking import FORCED_COUP
from games.rules.coup.game import law_of
from games.rules.coup.state import Character, pack
from games.rules.coup.text.words import CHARACTERS
from games.rules.coup.views import ClaimView, View


def risks(view: View, question: Question) -> tuple[Phrase, ...]:
    """Return sentences about the risk of the answers to a question, with odds from the cards that the player sees."""
    return tuple(_risks(view, question))


def _risks(view: View, question: Question) -> Iterator[Phrase]:
    match question.kind:
        case "turn":
            yield Phrase(_TURN)
            yield from _foreign_aid(view, question)
        case "challenge" | "challenge-block" if view.challenge is not None:
            yield from _claimed(view, view.challenge)
            yield Phrase(_CHALLENGE)
        case "block":
            yield Phrase(_BLOCK)
        case "loss":
            yield Phrase(_LOSS)
    if question.kind in ("challenge", "block") and _would_lose_card(view, question):
        yield Phrase(_AIMED)


def _would_lose_card(view: View, question: Question) -> bool:
    """Return whether the action costs this player a card unless it is stopped."""
    if view.action is None or view.action.target != question.seat:
        return False
    return law_of(view.options, len(view.seats)).actions[view.action.verb].costs_influence


def _claimed(view: View, claim: ClaimView) -> Iterator[Phrase]:
    percent = _chance(view, claim.character, view.seats[claim.seat - 1].cards)
    if percent is not None:
        values: dict[str, Any] = {"player": SeatName(claim.seat), "card": CHARACTERS[claim.character]}
        sentence = _HOLDS_NONE if claim.denies else _HOLDS
        yield Phrase(sentence, {**values, "percent": 100 - percent if claim.denies else percent})


def _foreign_aid(view: View, question: Question) -> Iterator[Phrase]:
    (blocker,) = law_of(view.options, len(view.seats)).actions["foreign-aid"].blocked_by
    percent = _chance(view, blocker, sum(seat.cards for seat in view.seats if seat.seat != question.seat))
    if percent is not None and view.seats[question.seat - 1].coins < FORCED_COUP:
        yield Phrase(_FOREIGN_AID, {"card": CHARACTERS[blocker], "percent": percent})


def _chance(view: View, character: Character, count: int) -> int | None:
    """Return the chance in percent that a character is among ``count`` hidden cards, by the cards that the viewer sees.

    Return None for two players with a draft, because they chose their cards.
    """
    if len(view.seats) == 2 and view.options.two_player_setup == "draft":
        return None
    unseen = list(pack(law_of(view.options, len(view.seats)).characters, len(view.seats)))
    own_hand = next((seat.hand or () for seat in view.seats if seat.seat == view.viewer), ())
    for card in (*own_hand, *(card for seat in view.seats for card in seat.lost)):
        unseen.remove(card)
    others = len(unseen) - unseen.count(character)
    return round(100 - 100 * comb(others, count) / comb(len(unseen), count))


_TURN: Final = _(
    "An action with a character claims that you hold it, and you may lie. If someone challenges the claim, the player "
    "who was wrong loses a card."
)
_FOREIGN_AID: Final = _(
    "Going by the cards you see, someone else holds a %(card)s, who blocks foreign aid, in about %(percent)s of 100 "
    "deals."
)
_HOLDS: Final = _("Going by the cards you see, %(player)s holds the %(card)s in about %(percent)s of 100 deals.")
_HOLDS_NONE: Final = _("Going by the cards you see, %(player)s holds no %(card)s in about %(percent)s of 100 deals.")
_CHALLENGE: Final = _("If you challenge and it’s a lie, they lose a card. If it’s true, you lose one.")
_BLOCK: Final = _("A block claims the card, too. If it’s a lie and someone challenges it, you lose a card.")
_AIMED: Final = _("If you allow it, you lose a card.")
_LOSS: Final = _("Keep the card whose power you want to use. Without a face-down card you’re out.")

COACHING: Final = Coaching(
    goal=Phrase(_("Be the last player who still has a face-down card.")),
    risks=risks,
    explanations=(
        (
            Phrase(_("claim")),
            Phrase(_("You say that you hold a character, to use its power. It may be a lie: nobody sees your cards.")),
        ),
        (
            Phrase(_("challenge")),
            Phrase(_("You say that a claim is a lie. The player who was wrong turns a card face up for good.")),
        ),
        (
            Phrase(_("block")),
            Phrase(_("You stop an action by claiming a character that can. A block can be challenged, too.")),
        ),
        (
            Phrase(_("court")),
            Phrase(_("The face-down cards in the middle that nobody holds.")),
        ),
        (
            Phrase(_("coup")),
            Phrase(_("For 7 coins, another player loses a card. Nobody can challenge or block that.")),
        ),
    ),
)
