"""Sentences about players who do not answer, in the active language: for these players, and about a game's terms."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.engine import SeatNumber
from games.event_log import log_store
from games.models import Game
from games.text import links
from games.text.game_words import short_code
from games.text.phrases import number, render_phrase
from notifications.content.rendered_notification import Block, Link, Links, Prose


def questions_missed(times: int) -> str:
    """Return a sentence about the number of questions that the reader has missed."""
    sentence = ngettext(
        "You missed a question.",
        "You missed %(times)s questions in a row.",
        times,
    )
    return sentence % {"times": number(times)}


def terms_of_absence(game: Game) -> str:
    """Return the sentence about the consequence of missing too many questions in this game."""
    if game.terms.absence == "forfeit":
        sentence = ngettext(
            "A player who misses a question is out of the game. The first miss in a game is free.",
            "A player who misses %(misses)s questions in a row is out of the game. The first miss in a game is free.",
            game.terms.misses,
        )
    elif game.terms.absence == "invite":
        sentence = ngettext(
            "A bot sits in for a player who misses a question, and the others may invite "
            "somebody to the seat. The first miss in a game is free.",
            "A bot sits in for a player who misses %(misses)s questions in a row, and the "
            "others may invite somebody to the seat. The first miss in a game is free.",
            game.terms.misses,
        )
    else:
        sentence = ngettext(
            "A bot sits in for a player who misses a question, until they are back. The first miss in a game is free.",
            "A bot sits in for a player who misses %(misses)s questions in a row, until they "
            "are back. The first miss in a game is free.",
            game.terms.misses,
        )
    return sentence % {"misses": number(game.terms.misses)}


def way_back(game: Game, seat: SeatNumber) -> tuple[Block, ...]:
    """Return the sentence about how an absent player can return."""
    how = _("A bot sits in for you. To play again yourself, reply to this email: back")
    subject = f"{render_phrase(log_store.rules_of(game).words.title, {})} {short_code(game)}"
    mail = links.reply_link(links.seat_address(game.id, seat), subject, pgettext("command in an email", "back"))
    page = Link(_("To the game"), links.game_page(game.id))
    return (Prose((how,)), Links((Link(_("I am back"), mail), page)))
