"""The end of a game in words: the winners, and links to look back and to play again."""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.engine.analysis import can_be_analysed
from games.text import links
from games.text.phrases import isolated, names_of
from games.visibility.player_view import PlayerView
from notifications.content.rendered_notification import Block, Link, Links, Prose


def who_won(player_view: PlayerView) -> str:
    """Return the headline about the winners."""
    outcome = player_view.rules.outcome(player_view.state)
    winners = () if outcome is None else outcome.winners
    others = [seat for seat in winners if seat != player_view.seat or player_view.for_another]
    values = {**player_view.name_values, "winners": names_of(others, player_view.names)}
    if not winners:
        return _("%(game)s, game %(code)s, is over. Nobody won.") % values
    if not others:
        return _("You won %(game)s, game %(code)s!") % values
    if len(others) < len(winners):
        return _("You won %(game)s, game %(code)s, together with %(winners)s!") % values
    if len(others) > 1:
        return _("%(winners)s won %(game)s, game %(code)s, together.") % values
    return _("%(winners)s won %(game)s, game %(code)s.") % values


def looking_back(player_view: PlayerView) -> tuple[Link, ...]:
    """Return links to watch a finished game again, to analyse it and to check it."""
    pages = {"replay": _("Watch it again")}
    if can_be_analysed(player_view.rules):
        pages["analysis"] = _("Analyse the game")
    pages["record"] = _("Record of the game")
    return tuple(Link(label, links.game_page(player_view.game.id, name)) for name, label in pages.items())


def playing_again(player_view: PlayerView) -> tuple[Block, ...]:
    """Return links to a game with the same players. None for a stand-in and for games of the arena."""
    if player_view.for_another or player_view.game.arena:
        return ()
    command = pgettext("command in an email", "rematch")
    seat = links.seat_address(player_view.game.id, player_view.own_seat)
    sentence = _("To play again with the same people, reply with the word: %(command)s") % {
        "command": isolated(command)
    }
    by_mail = Link(_("Play again by email"), links.reply_link(seat, player_view.subject, command))
    return (Prose((sentence,)), Link(_("Play again"), links.game_page(player_view.game.id)), Links((by_mail,)))
