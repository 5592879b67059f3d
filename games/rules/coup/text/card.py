"""The summary card of the box, for each set of options, and the table as text."""

from typing import Any, Final

from games.engine import Phrase, SeatName
from games.engine import gettext_noop as _
from games.rules.coup.cards import copies
from games.rules.coup.options import Options
from games.rules.coup.text.characters import CHARACTERS, PARTIES, coins
from games.rules.coup.visibility.views import SeatView, View

CLASSIC: Final = (
    _("You hold two face-down cards: your influence. The last player with influence wins."),
    _("Take one action on your turn. You may claim any character, whether you hold it or not."),
    _("Income: take 1 coin. Foreign aid: take 2 coins; a duke blocks it."),
    _("Coup: pay 7 coins, the target loses an influence. With 10 coins or more you must launch a coup."),
    _("Duke: tax, take 3 coins. Blocks foreign aid."),
    _("Assassin: pay 3 coins, the target loses an influence; only the target may block it, as contessa."),
    _("Contessa: blocks an assassination."),
)
STEAL: Final = _("Captain: steal 2 coins; only the victim may block it, as captain or %(other)s. Blocks stealing.")
AMBASSADOR: Final = _("Ambassador: draw two cards from the court and return two. Blocks stealing.")
INQUISITOR: Final = (
    _("Inquisitor: draw a card from the court and return one. Blocks stealing."),
    _("Inquisitor: or examine a card of another player, and hand it back or have it swapped."),
)
CHALLENGE: Final = (
    _(
        "Anyone may challenge a claim. The player who was wrong loses an influence. A "
        "proved card goes back, and its owner draws a new one."
    ),
    _("If you are caught bluffing, you get your coins back. If you are blocked, you do not."),
    _("A player who resigns shows their cards. Their action, block or challenge has no effect."),
)
REFORMATION: Final = (
    _("You may not harm a fellow of your party, nor block their foreign aid, unless all are of one party."),
    _("Convert: pay 1 coin to change your own party, 2 to change another's; the coins go to the reserve."),
    _("Embezzle: claim to hold no duke and take the reserve."),
)
ANARCHIST: Final = (
    _("Anarchist: pay 5 coins and hand the bomb to another player."),
    _("The player with the bomb loses an influence, or claims the contessa to defuse it or hand it on."),
    _("A player who is caught without the contessa then loses both cards."),
    _(
        "The bomb never goes to the player who paid for it, nor to one who has held it in this turn. "
        "If its holder resigns, it goes back to the middle."
    ),
)
TWO: Final = _("Two players: the starter begins with 1 coin.")
DRAFT: Final = _("Two players: each secretly keeps one of five cards; the second card is dealt.")
LONG: Final = _("More than 6 players: a long game, for experts and special occasions.")


def summary(options: Options, seats: int) -> tuple[Phrase, ...]:
    """Return the lines of the summary card."""
    other = CHARACTERS["inquisitor" if options.inquisitor else "ambassador"]
    pack = _("The pack has %(copies)s cards of each character.")
    two = (TWO, DRAFT) if options.two_player_setup == "draft" else (TWO,)
    return (
        *map(Phrase, CLASSIC),
        Phrase(STEAL, {"other": other}),
        *map(Phrase, INQUISITOR if options.inquisitor else (AMBASSADOR,)),
        *map(Phrase, CHALLENGE),
        *map(Phrase, REFORMATION if options.reformation else ()),
        *map(Phrase, ANARCHIST if options.anarchist else ()),
        Phrase(pack, {"copies": copies(seats)}),
        *map(Phrase, two if seats == 2 else ()),
        *map(Phrase, (LONG,) if seats > 6 else ()),
    )


def table(view: View) -> tuple[Phrase, ...]:
    """Return the table as text: the middle, then each player."""
    middle = _("Treasury %(treasury)s, court %(court)s cards.")
    if view.options.reformation:
        middle = _("Treasury %(treasury)s, reserve %(reserve)s, court %(court)s cards.")
    numbers: dict[str, Any] = {"treasury": view.treasury, "reserve": view.reserve, "court": view.court}
    return (Phrase(middle, numbers), *hands(view))


def hands(view: View) -> tuple[Phrase, ...]:
    """Return the cards of each player, as far as the viewer may know them."""
    return tuple(player(seat) for seat in view.seats)


def player(seat: SeatView) -> Phrase:
    """Return the line of a player: coins, face-down cards (by name if they are visible), face-up cards, party."""
    cards = tuple(Phrase(CHARACTERS[card]) for card in seat.hand or ())
    lost = tuple(Phrase(CHARACTERS[card]) for card in seat.lost)
    parts = [coins(seat.coins)]
    if cards:
        parts.append(Phrase(_("holds %(cards)s"), {"cards": cards}))
    elif seat.alive:
        face_down = _("%(count)s face-down cards") if seat.cards > 1 else _("1 face-down card")
        parts.append(Phrase(face_down, {"count": seat.cards}))
    if lost:
        parts.append(Phrase(_("lost %(cards)s"), {"cards": lost}))
    if seat.party and seat.alive:
        parts.append(Phrase(PARTIES[seat.party]))
    if not seat.alive:
        parts.append(Phrase(_("out")))
    return Phrase(_("%(player)s: %(parts)s"), {"player": SeatName(seat.seat), "parts": tuple(parts)})
