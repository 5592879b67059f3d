"""Words about one game: what it is called and what binds its chance."""

from typing import Final

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.models import Game
from games.rules.registry import find_rules
from games.text.phrases import isolated, render_phrase

_SHORT: Final = 4
"""The length of the part of a table's code that names it to people; the whole code is for those who may join."""


def title_of(game: Game) -> str:
    """Return the title of the rules that are played; their bare name where this server does not have them any more."""
    rules = find_rules(game.rules, game.rules_version)
    return render_phrase(rules.words.title, {}) if rules else game.rules


def short_code(game: Game) -> str:
    """Return what a table is called: part of its code, which lets nobody in."""
    return game.code[:_SHORT].upper()


def bound(game: Game) -> str:
    """Return what binds the server to its chance."""
    sentence = _("Fingerprint of the deck: %(commitment)s. After the game you can check the cards with it.")
    return sentence % {"commitment": isolated(game.commitment)}


def bound_so_far(game: Game) -> str:
    """Return what binds the server to the log as far as everybody knows of it; it tells nothing."""
    over = game.state == Game.State.OVER
    sentence = _("Fingerprint of the game: %(head)s") if over else _("Fingerprint of the game so far: %(head)s")
    return sentence % {"head": isolated(bytes(game.public_head).hex())}


def bound_deal(game: Game) -> tuple[str, ...]:
    """Return the head of the list of the deal as a sentence; nothing if there is no list."""
    if not game.deal_list:
        return ()
    sentence = _("Fingerprint of the deal: %(head)s. Keep it: it shows that the deal was fixed.")
    return (sentence % {"head": isolated(game.deal_head)},)


def missing_seeds(game: Game) -> str:
    """Return the names of the players who have not revealed the seeds that they had promised; blank if all have."""
    missing = (seat for seat in game.seats.all() if seat.seed_commitment and not seat.seed)
    return pgettext("between the items of a list", ", ").join(
        isolated(seat.player) or str(seat.number) for seat in missing
    )


def kept_back(game: Game) -> tuple[str, ...]:
    """Name the players who kept back a promised seed, in a game whose time for that is over."""
    names = missing_seeds(game)
    sentence = _("These players did not reveal the secret numbers that they had promised: %(players)s.")
    return (sentence % {"players": names},) if names else ()


def trust(game: Game) -> str:
    """Return what keeps the deal of a game from being chosen, and whom the game trusts (``docs/fairness.md``)."""
    is_dealt = game.state not in (Game.State.OPEN, Game.State.STARTING)
    if is_dealt and (missing := missing_seeds(game)):
        sentence = _(
            "These players did not reveal the secret numbers that they had promised: %(players)s. So nothing is proven "
            "about the deal, and the operator of this server could have chosen the cards."
        )
        return sentence % {"players": missing}
    if game.beacon_round is not None:
        sentence = _(
            "Round %(round)s of the public beacon drand is mixed into the cards. If you kept the fingerprint of the "
            "deal before that round was published, you can prove that nobody chose the cards, not even the operator of "
            "this server. The operator could see them."
        )
        return sentence % {"round": game.beacon_round}
    if is_dealt and game.deal_list and '"key":""' not in game.deal_list:
        return _trusts_operator()
    if any(seat.seed_commitment for seat in game.seats.all()):
        return _(
            "Secret numbers that players promise are mixed into the cards. If an app of your own promises one, and "
            "keeps the fingerprint of the deal before it reveals it, you can prove that nobody chose the cards. The "
            "scripts of these pages come from the operator of this server. So they do not protect against an operator "
            "who cheats on purpose. The operator could see the cards."
        )
    if game.state == Game.State.OPEN and settings.BEACON_URL and game.seat_count - game.bot_count > 1:
        return _(
            "When the table is full, the deal waits for the public beacon drand. If you keep the fingerprint of the "
            "deal before the beacon gives its number, you can prove that nobody chose the cards, not even the operator "
            "of this server. The operator could see them."
        )
    return _trusts_operator()


def _trusts_operator() -> str:
    return _(
        "No player can choose the cards. The operator of this server could see or choose them: "
        "this game trusts the operator."
    )


def waits_for(game: Game) -> tuple[str, ...]:
    """Sentences on what the deal of a game waits for that is starting."""
    if game.beacon_round is not None:
        sentence = _("The deal waits for round %(round)s of the public beacon drand, which comes within a minute.")
        return (sentence % {"round": game.beacon_round}, *bound_deal(game), trust(game))
    missing = [seat for seat in game.seats.all() if seat.account_id and seat.seed_commitment and not seat.seed]
    awaited = ngettext(
        "The deal waits for the secret number of %(number)s player.",
        "The deal waits for the secret numbers of %(number)s players.",
        len(missing),
    )
    after = {
        "deal": _("Without them the cards are dealt a day after the table was full."),
        "cancel": _("Without them the game is cancelled a day after the table was full."),
    }
    return (awaited % {"number": len(missing)}, after[game.terms.unprotected], *bound_deal(game), trust(game))
