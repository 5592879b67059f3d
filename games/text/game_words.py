"""Words about one game: what it is called and what binds its chance."""

from typing import Final

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

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


def trust(game: Game) -> str:
    """Return what keeps the deal of a game from being chosen, and whom the game trusts (``docs/fairness.md``)."""
    people = [seat for seat in game.seats.all() if not seat.bot]
    if game.beacon_round is not None:
        sentence = _(
            "Nobody can choose the cards, not even the operator of this server: round %(round)s of the public beacon "
            "drand is mixed into them. The operator could see them."
        )
        return sentence % {"round": game.beacon_round}
    if any(seat.seed_commitment and seat.seed for seat in people):
        return _(
            "Secret numbers that players promised before the table was full are mixed into the cards. If one of them "
            "is yours, nobody has chosen the cards, not even the operator of this server, who could see them."
        )
    if game.state == Game.State.OPEN and settings.BEACON_URL and game.seat_count - game.bot_count > 1:
        return _(
            "When the table is full, the deal waits for the public beacon drand. Nobody can choose the cards then, not "
            "even the operator of this server, who could see them."
        )
    return _(
        "No player can choose the cards. The operator of this server could see or choose them: "
        "this game trusts the operator."
    )


def waits_for(game: Game) -> tuple[str, ...]:
    """Sentences on what the deal of a game waits for that is starting."""
    if game.beacon_round is not None:
        sentence = _("The deal waits for round %(round)s of the public beacon drand, which comes within seconds.")
        return (sentence % {"round": game.beacon_round}, trust(game))
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
    return (awaited % {"number": len(missing)}, after[game.terms.unprotected])
