"""Tables of one person with bots, and the person's replies to the mails from there."""

from email.message import EmailMessage
from uuid import UUID

from notifications import reply_addresses
from tests.server.darbar import wait_until
from tests.server.player import Player


def opened(player: Player, turn_limit: str = "PT30M") -> str:
    """A game of Coup with bots, in which the person begins."""
    opening = {
        "rules": "coup",
        "seat_count": 3,
        "bots": [{}, {}],
        "turn_limit": turn_limit,
        "options": {"starting_player": 1},
    }
    game = str(player.post("games/", opening, 201)["id"])
    player.question(game)
    return game


def asked_by_mail(player: Player, game: str) -> str:
    """The address that answers the question which a mail puts in this game; blank while none has come."""
    prefix = f"q-{reply_addresses.short(UUID(game))}-"
    own_addresses = [address for mail in player.mails() for address in mail["reply_to"]]
    return next((address for address in own_addresses if address.startswith(prefix)), "")


def reply_to_the_mail(player: Player, game: str, number: int) -> EmailMessage:
    """An answer to the question which a mail has put in this game."""
    wait_until(lambda: asked_by_mail(player, game), "she is asked")
    reply = EmailMessage()
    reply["From"], reply["To"] = player.email, asked_by_mail(player, game)
    reply["Message-ID"] = f"<late-{number}@darbar.example>"
    reply.set_content("income\n")
    return reply


def answered(player: Player, game: str) -> str | None:
    """Return how the first answer of a game came, as far as this player knows."""
    events = player.get(f"games/{game}/events/")["results"]
    begun = [line["event"]["type"] for line in events].index("coup.turn-began")
    return next((line["via"] for line in events[begun:] if line["via"]), None)
