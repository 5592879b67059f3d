"""The database tables of games: small rows, and a log to which lines are only added.

The log of a game is the only source of truth. The snapshot, the open questions and the counts in the game's row are
written in the same transaction, and can be made from the log again (``manage.py verify``).
"""

from games.models.archive import Analysis, StampedHead, TimeStamp, WaitingTime
from games.models.clubs import (
    LONGEST_ABOUT,
    LONGEST_HANDLE,
    LONGEST_NAME,
    Club,
    ClubChannel,
    ClubHandle,
    Membership,
    TableChannel,
    TableHandle,
)
from games.models.game import (
    GOING,
    SEED_BYTES,
    Bot,
    Game,
    Invitation,
    Seat,
    commitment_of,
    new_code,
    new_seed,
    player_id,
    player_ids,
)
from games.models.log import ArchivedLog, Event, Heartbeat, Move, OpenQuestion, Plan, Snapshot, Stall
from games.models.people import (
    AnswerTimes,
    ArenaStats,
    ChatMessage,
    FormerPlayer,
    PlayerStats,
    Presence,
    Result,
    StandIn,
    Stats,
    UnreadReply,
    blank_messages_of_author,
)
from games.models.seeks import Seek
from games.models.tournaments import Pairing, Tournament, TournamentEntry, TournamentPost, TournamentRound

__all__ = [
    "GOING",
    "LONGEST_ABOUT",
    "LONGEST_HANDLE",
    "LONGEST_NAME",
    "SEED_BYTES",
    "Analysis",
    "AnswerTimes",
    "ArchivedLog",
    "ArenaStats",
    "Bot",
    "ChatMessage",
    "Club",
    "ClubChannel",
    "ClubHandle",
    "Event",
    "FormerPlayer",
    "Game",
    "Heartbeat",
    "Invitation",
    "Membership",
    "Move",
    "OpenQuestion",
    "Pairing",
    "Plan",
    "PlayerStats",
    "Presence",
    "Result",
    "Seat",
    "Seek",
    "Snapshot",
    "Stall",
    "StampedHead",
    "StandIn",
    "Stats",
    "TableChannel",
    "TableHandle",
    "TimeStamp",
    "Tournament",
    "TournamentEntry",
    "TournamentPost",
    "TournamentRound",
    "UnreadReply",
    "WaitingTime",
    "blank_messages_of_author",
    "commitment_of",
    "new_code",
    "new_seed",
    "player_id",
    "player_ids",
]
