"""The sentences of Coup's story, each for three kinds of readers."""

from collections.abc import Mapping
from typing import Final

from games.engine import Sentence
from games.engine import gettext_noop as _

TRIED: Final[Mapping[str, Sentence]] = {
    "income": Sentence(_("%(player)s took income."), _("You took income.")),
    "foreign-aid": Sentence(_("%(player)s asked for foreign aid."), _("You asked for foreign aid.")),
    "coup": Sentence(
        _("%(player)s paid 7 coins for a coup against %(target)s."),
        _("You paid 7 coins for a coup against %(target)s."),
        _("%(player)s paid 7 coins for a coup against you."),
    ),
    "tax": Sentence(_("%(player)s claimed the duke to collect tax."), _("You claimed the duke to collect tax.")),
    "assassinate": Sentence(
        _("%(player)s paid 3 coins and claimed the assassin against %(target)s."),
        _("You paid 3 coins and claimed the assassin against %(target)s."),
        _("%(player)s paid 3 coins and claimed the assassin against you."),
    ),
    "steal": Sentence(
        _("%(player)s claimed the captain to steal from %(target)s."),
        _("You claimed the captain to steal from %(target)s."),
        _("%(player)s claimed the captain to steal from you."),
    ),
    "exchange": Sentence(
        _("%(player)s claimed the %(claim)s to exchange cards."), _("You claimed the %(claim)s to exchange cards.")
    ),
    "examine": Sentence(
        _("%(player)s claimed the inquisitor to examine %(target)s."),
        _("You claimed the inquisitor to examine %(target)s."),
        _("%(player)s claimed the inquisitor to examine you."),
    ),
    "convert": Sentence(_("%(player)s paid 1 coin to change party."), _("You paid 1 coin to change party.")),
    "convert other": Sentence(
        _("%(player)s paid 2 coins to change the party of %(target)s."),
        _("You paid 2 coins to change the party of %(target)s."),
        _("%(player)s paid 2 coins to change your party."),
    ),
    "embezzle": Sentence(
        _("%(player)s claimed to hold no duke, to embezzle the reserve."),
        _("You claimed to hold no duke, to embezzle the reserve."),
    ),
    "bomb": Sentence(
        _("%(player)s paid 5 coins and sent the anarchist to %(target)s."),
        _("You paid 5 coins and sent the anarchist to %(target)s."),
        _("%(player)s paid 5 coins and sent you the anarchist."),
    ),
}
"""Sentences about an action that was declared, whether or not it succeeds."""

DONE: Final[Mapping[str, Sentence]] = {
    "income": Sentence(_("%(player)s took income: %(coins)s."), _("You took income: %(coins)s.")),
    "foreign-aid": Sentence(_("%(player)s took foreign aid: %(coins)s."), _("You took foreign aid: %(coins)s.")),
    "tax": Sentence(_("%(player)s collected tax as duke: %(coins)s."), _("You collected tax as duke: %(coins)s.")),
    "steal": Sentence(
        _("%(player)s stole %(coins)s from %(target)s as captain."),
        _("You stole %(coins)s from %(target)s as captain."),
        _("%(player)s stole %(coins)s from you as captain."),
    ),
    "convert": Sentence(
        _("%(player)s paid 1 coin and joined the %(party)s."), _("You paid 1 coin and joined the %(party)s.")
    ),
    "convert other": Sentence(
        _("%(player)s paid 2 coins and moved %(target)s to the %(party)s."),
        _("You paid 2 coins and moved %(target)s to the %(party)s."),
        _("%(player)s paid 2 coins and moved you to the %(party)s."),
    ),
    "embezzle": Sentence(
        _("%(player)s took %(coins)s from the reserve, claiming to hold no duke."),
        _("You took %(coins)s from the reserve, claiming to hold no duke."),
    ),
}
"""Sentences about an action that took effect without a challenge or a block."""

ANSWERS: Final[Mapping[str, Sentence]] = {
    "allow": Sentence("", _("You allowed it.")),
    "block": Sentence(_("%(player)s wanted to block as %(card)s."), _("You wanted to block as %(card)s.")),
    "challenge": Sentence(_("%(player)s wanted to challenge."), _("You wanted to challenge.")),
}
"""Sentences about an answer in a reaction. Others read one only after the end, and only if the answer had no effect."""

CHALLENGED: Final = Sentence(
    _("%(player)s challenged %(target)s."), _("You challenged %(target)s."), _("%(player)s challenged you.")
)
CHALLENGED_AND_PROVED: Final = Sentence(
    _("%(player)s challenged %(target)s, who showed the %(cards)s."),
    _("You challenged %(target)s, who showed the %(cards)s."),
    _("%(player)s challenged you, and you showed the %(cards)s."),
)
CHALLENGED_AND_CONCEDED: Final = Sentence(
    _("%(player)s challenged %(target)s, who conceded."),
    _("You challenged %(target)s, who conceded."),
    _("%(player)s challenged you, and you conceded."),
)

LOST: Final[Mapping[str, Sentence]] = {
    "coup": Sentence(_("%(player)s lost the %(card)s to the coup."), _("You lost the %(card)s to the coup.")),
    "assassination": Sentence(
        _("%(player)s lost the %(card)s to the assassin."), _("You lost the %(card)s to the assassin.")
    ),
    "challenge": Sentence(
        _("%(player)s lost the %(card)s for the challenge."), _("You lost the %(card)s for the challenge.")
    ),
    "bomb": Sentence(_("%(player)s lost the %(card)s to the bomb."), _("You lost the %(card)s to the bomb.")),
}
LOST_BRIEFLY: Final = Sentence(_("%(player)s lost the %(card)s."), _("You lost the %(card)s."))
"""The sentence about a loss whose cause was mentioned in the same turn."""

DROPPED: Final = Sentence(_("The challenge of %(player)s was dropped."), _("Your challenge was dropped."))
LAPSED: Final = Sentence(_("The block of %(player)s lapsed."), _("Your block lapsed."))
HANDED_BACK: Final = Sentence(_("%(player)s got the card back."), _("You got the card back."))
EXPLODED: Final = Sentence(_("The bomb exploded in the hands of %(player)s."), _("The bomb exploded in your hands."))
PROVED: Final = Sentence(_("%(player)s showed the %(cards)s."), _("You showed the %(cards)s."))
CONCEDED: Final = Sentence(_("%(player)s conceded the challenge."), _("You conceded the challenge."))
RETURNED: Final = Sentence(
    _("%(player)s returned %(coins)s to the treasury."), _("You returned %(coins)s to the treasury.")
)
OUT: Final = Sentence(_("%(player)s is out of the game."), _("You are out of the game."))
OUT_WITH_COINS: Final = Sentence(
    _("%(player)s is out of the game; their %(coins)s went to the treasury."),
    _("You are out of the game; your %(coins)s went to the treasury."),
)
RESIGNED: Final = Sentence(_("%(player)s resigned and showed %(cards)s."), _("You resigned and showed %(cards)s."))
RESIGNED_WITH_COINS: Final = Sentence(
    _("%(player)s resigned and showed %(cards)s; their %(coins)s went to the treasury."),
    _("You resigned and showed %(cards)s; your %(coins)s went to the treasury."),
)
DREW: Final = Sentence(_("%(player)s drew %(cards)s from the court."), _("You drew %(cards)s from the court."))
DREW_UNSEEN: Final = Sentence(_("%(player)s drew from the court."), _("You drew from the court."))
EXCHANGED: Final = Sentence(
    _("%(player)s exchanged cards as %(claim)s, drawing %(cards)s."),
    _("You exchanged cards as %(claim)s, drawing %(cards)s."),
)
EXCHANGED_UNSEEN: Final = Sentence(
    _("%(player)s exchanged cards as %(claim)s."), _("You exchanged cards as %(claim)s.")
)
KEPT: Final = Sentence(
    _("%(player)s kept %(cards)s and returned %(returned)s."), _("You kept %(cards)s and returned %(returned)s.")
)
BOMB_CLAIMED: Final = Sentence(
    _("%(player)s claimed the contessa to defuse the bomb."), _("You claimed the contessa to defuse the bomb.")
)
BOMB_PASSED: Final = Sentence(
    _("%(player)s claimed the contessa to hand the bomb on to %(target)s."),
    _("You claimed the contessa to hand the bomb on to %(target)s."),
    _("%(player)s claimed the contessa to hand the bomb on to you."),
)
SHOWN: Final = Sentence(
    _("%(player)s showed %(target)s the %(card)s."),
    _("You showed %(target)s the %(card)s."),
    _("%(player)s showed you the %(card)s."),
)
SHOWN_UNSEEN: Final = Sentence(
    _("%(player)s showed %(target)s a card."), _("You showed %(target)s a card."), _("%(player)s showed you a card.")
)
SWAPPED: Final = Sentence(
    _("%(player)s had to swap it and drew the %(card)s."), _("You had to swap it and drew the %(card)s.")
)
SWAPPED_UNSEEN: Final = Sentence(
    _("%(player)s had to swap it with the court."), _("You had to swap it with the court.")
)

BEGAN: Final = Sentence(_("The game began. %(player)s starts."), _("The game began. You start."))
DEALT: Final = Sentence(_("%(player)s was dealt %(cards)s."), _("Your cards: %(cards)s."))
REPLACED: Final = Sentence(_("%(player)s drew %(cards)s instead."), _("You drew %(cards)s instead."))
REFUNDED: Final = Sentence(_("%(player)s got %(coins)s back."), _("You got %(coins)s back."))
BLOCKED: Final = Sentence(_("%(player)s blocked as %(card)s."), _("You blocked as %(card)s."))
STOPPED: Final = Sentence(_("The action of %(player)s was blocked."), _("Your action was blocked."))
FORSAKEN: Final = Sentence(
    _("%(player)s resigned, so their action had no effect."), _("You resigned, so your action had no effect.")
)
GAINED: Final = Sentence(_("%(player)s took %(coins)s."), _("You took %(coins)s."))
STOLE: Final = Sentence(
    _("%(player)s took %(coins)s from %(target)s."),
    _("You took %(coins)s from %(target)s."),
    _("%(player)s took %(coins)s from you."),
)
EMBEZZLED: Final = Sentence(_("%(player)s took %(coins)s from the reserve."), _("You took %(coins)s from the reserve."))
CONVERTED: Final = Sentence(_("%(player)s now belongs to the %(party)s."), _("You now belong to the %(party)s."))
WON: Final = Sentence(_("%(player)s won the game."), _("You won the game!"))
KEPT_OF_FIVE: Final = Sentence(_("%(player)s kept the %(card)s."), _("You kept the %(card)s."))
PARTY_CHOSEN: Final = Sentence(
    _("%(player)s began with the %(party)s; the others alternate clockwise."),
    _("You began with the %(party)s; the others alternate clockwise."),
)
BOMB_HANDED: Final = Sentence(
    _("%(player)s handed the bomb to %(target)s."),
    _("You handed the bomb to %(target)s."),
    _("%(player)s handed you the bomb."),
)
