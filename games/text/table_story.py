"""Sentences about table events: joining, stand-ins, takeovers and pauses."""

from typing import Final

from games.engine import Phrase, SeatNumber, Sentence, gettext_noop
from games.event_log.table_events import (
    AnyPauseEvent,
    AnySeatEvent,
    BeaconAwaited,
    BeaconPublished,
    BotTakeover,
    DeadlinesMoved,
    DealListed,
    DueLater,
    EmailOutage,
    Forfeited,
    GameCancelled,
    GameCreated,
    Joined,
    Left,
    Paused,
    PauseDeclined,
    PauseProposed,
    PlayerTakeover,
    Resumed,
    Returned,
    SeatOffered,
    SeedMissing,
    SeedRevealed,
    SeedsAwaited,
    StandInLeft,
    StandInNamed,
    TableEvent,
    TemporaryTakeover,
)

_SEAT_SENTENCES: Final[dict[type[TableEvent], Sentence]] = {
    Joined: Sentence(gettext_noop("%(player)s joined the table."), gettext_noop("You joined the table.")),
    SeedRevealed: Sentence(
        gettext_noop("%(player)s revealed a secret number."), gettext_noop("You revealed your secret number.")
    ),
    SeedMissing: Sentence(
        gettext_noop("%(player)s did not reveal the secret number that they had promised."),
        gettext_noop("You did not reveal the secret number that you had promised."),
    ),
    BotTakeover: Sentence(
        gettext_noop("A player has left the server; %(player)s, a bot, took the seat."),
        gettext_noop("A bot took your seat."),
    ),
    TemporaryTakeover: Sentence(
        gettext_noop("%(player)s has not answered for too long; a bot sits in."),
        gettext_noop("You have not answered for too long; a bot sits in for you."),
    ),
    SeatOffered: Sentence(
        gettext_noop("%(player)s has not answered for too long; a bot sits in, and a new player may be invited."),
        gettext_noop("You have not answered for too long; a bot sits in, and a new player may be invited."),
    ),
    Returned: Sentence(gettext_noop("%(player)s is back."), gettext_noop("You are back.")),
    PlayerTakeover: Sentence(gettext_noop("%(player)s took over a seat."), gettext_noop("You took over this seat.")),
    Forfeited: Sentence(
        gettext_noop("%(player)s has not answered for too long, and is out of the game."),
        gettext_noop("You have not answered for too long, and are out of the game."),
    ),
    StandInNamed: Sentence(
        gettext_noop("%(player)s has named a stand-in for some time."),
        gettext_noop("You have named a stand-in for some time."),
    ),
    StandInLeft: Sentence(
        gettext_noop("%(player)s no longer has a stand-in."), gettext_noop("You no longer have a stand-in.")
    ),
    PauseProposed: Sentence(gettext_noop("%(player)s asked for a pause."), gettext_noop("You asked for a pause.")),
}
"""Sentences for events about the seat of one player."""

_FORMER_PLAYER: Final = Sentence(gettext_noop("The player before %(player)s"), gettext_noop("The player before you"))
"""The player of a seat before somebody took it over, as the beginning of sentences about them."""

_GAME_SENTENCES: Final[dict[type[TableEvent], str]] = {
    GameCreated: gettext_noop("The game was created."),
    Left: gettext_noop("A player has left."),
    DealListed: gettext_noop("The table is full, and the list of the deal is fixed."),
    SeedsAwaited: gettext_noop("The deal waits for the secret numbers of players."),
    BeaconAwaited: gettext_noop("The deal waits for the public beacon."),
    BeaconPublished: gettext_noop("The public beacon has given its number."),
    GameCancelled: gettext_noop("The game was cancelled."),
    DeadlinesMoved: gettext_noop("The server was down: every deadline is %(minutes)s minutes later."),
    EmailOutage: gettext_noop("Emails could not be sent for a time: every deadline is %(minutes)s minutes later."),
    DueLater: gettext_noop("There is more time to answer now."),
    PauseDeclined: gettext_noop("Not everybody agreed to a pause."),
    Paused: gettext_noop("All agreed to a pause: the game is paused."),
    Resumed: gettext_noop("The pause is over: the game goes on."),
}
"""Sentences for events about a whole game. Other events of this kind have no sentence."""


def event_sentence(event: TableEvent, reader: SeatNumber | None = None, *, former: bool = False) -> Phrase | None:
    """Return a table event as a sentence for the player on the seat ``reader``, or None if it has no sentence.

    With ``former``, the sentence is about the former player of the seat.
    """
    if isinstance(event, Joined | SeedRevealed | SeedMissing | BotTakeover | PauseProposed | AnySeatEvent):
        sentences = _SEAT_SENTENCES[type(event)]
        if former:
            return Phrase(sentences.others, {"player": _FORMER_PLAYER.phrase(reader, event.seat)})
        return sentences.phrase(reader, event.seat)
    if isinstance(event, DeadlinesMoved | EmailOutage):
        return Phrase(_GAME_SENTENCES[type(event)], {"minutes": -(-event.seconds // 60)})
    sentence = _GAME_SENTENCES.get(type(event))
    return None if sentence is None else Phrase(sentence)


def story_sentence(event: TableEvent, reader: SeatNumber | None = None, *, former: bool = False) -> Phrase | None:
    """Return the sentence about a table event that is part of the story of a game, or None."""
    story_events = BotTakeover | AnySeatEvent | AnyPauseEvent | DeadlinesMoved | EmailOutage
    return event_sentence(event, reader, former=former) if isinstance(event, story_events) else None
