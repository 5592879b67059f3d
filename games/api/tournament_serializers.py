"""Serializers of tournaments."""

from typing import Any, ClassVar

from rest_framework import serializers

from accounts.web.pagination import PageSerializer
from accounts.web.serializers import PeriodField, StrictSerializer
from games.api.shared.fields import OptionsField
from games.models import LONGEST_ABOUT, LONGEST_NAME, Tournament, TournamentEntry
from games.terms import SPEEDS, USUAL
from games.tournaments.core import points
from games.tournaments.entering import MOST_NAMED
from games.tournaments.new_tournament import MOST_DIVISION, MOST_ROUNDS
from games.tournaments.progress import RankedEntry, TableView

_SHORTEST, _LONGEST = "PT1H", "P90D"
_MOVEMENTS = TournamentEntry.Movement.choices
_MOVES = "The direction in which the player of a league changes the division; blank: in none, or it is not over yet."
_ENDED = (Tournament.State.OVER, Tournament.State.CANCELLED)


class NewTournamentSerializer(StrictSerializer):
    """A tournament to create. Its format and the terms of its games cannot be changed later."""

    name = serializers.CharField(max_length=LONGEST_NAME)
    about = serializers.CharField(
        max_length=LONGEST_ABOUT, allow_blank=True, default="", help_text="A line about it, without links."
    )
    club = serializers.UUIDField(
        allow_null=True, default=None, help_text="Your club: only members see it and may enter. Null: it is public."
    )
    format = serializers.ChoiceField(
        choices=Tournament.Format.choices,
        help_text="`swiss`: players with about equal points meet; `round-robin`: everyone meets everyone; "
        "`knock-out`: the first at each table go on, until there is a final; `league`: divisions, in seasons.",
    )
    rules = serializers.CharField(max_length=40, help_text="The game's name, one of those at `rules/`.")
    options = OptionsField(default=dict, help_text="The options of the games. Others have their defaults.")
    speed = serializers.ChoiceField(choices=list(SPEEDS), default=USUAL, help_text="The speed of the games.")
    spectator_delay = PeriodField(
        shortest="PT10M",
        longest="P7D",
        allow_null=True,
        default=None,
        help_text="The time by which people who do not play see less of a game than has happened. Null: no delay.",
    )
    table_size = serializers.IntegerField(
        min_value=1, max_value=100, help_text="The most players at a table. Tables are as few and as even as can be."
    )
    rounds = serializers.IntegerField(
        min_value=1,
        max_value=MOST_ROUNDS,
        allow_null=True,
        default=None,
        help_text="The number of rounds of `swiss`. Null in other formats, which end by themselves.",
    )
    advance = serializers.IntegerField(
        min_value=1,
        max_value=100,
        allow_null=True,
        default=None,
        help_text="The number of players who go on at each table of `knock-out`. Null in other formats.",
    )
    division_size = serializers.IntegerField(
        min_value=1,
        max_value=MOST_DIVISION,
        allow_null=True,
        default=None,
        help_text="The number of players in a division of `league`; the last one has those who are left. "
        "In each division everyone meets everyone. Null in other formats.",
    )
    promoted = serializers.IntegerField(
        min_value=1,
        max_value=MOST_DIVISION,
        allow_null=True,
        default=None,
        help_text="The number of players of `league` who go up from each division after a season, and of those who go "
        "down. At most half a division. Null in other formats.",
    )
    season_break = PeriodField(
        shortest=_SHORTEST,
        longest=_LONGEST,
        allow_null=True,
        default=None,
        help_text="The time from the end of a season of `league` to the start of the next. Null in other formats.",
    )
    most = serializers.IntegerField(
        min_value=1,
        max_value=256,
        allow_null=True,
        default=None,
        help_text="The most players: from 3 to 256, in a `round-robin` to 24. Null: as many as may be.",
    )
    round_length = PeriodField(
        shortest=_SHORTEST,
        longest=_LONGEST,
        help_text="A round ends when its games are over, and after this time at the latest.",
    )
    starts_at = serializers.DateTimeField(help_text="The time at which it starts, unless you start it before.")


class TournamentChangesSerializer(StrictSerializer):
    """The changes of a tournament. Fields that are left out do not change."""

    name = serializers.CharField(max_length=LONGEST_NAME, required=False)
    about = serializers.CharField(max_length=LONGEST_ABOUT, allow_blank=True, required=False)
    starts_at = serializers.DateTimeField(
        required=False, help_text="Only before it has started. Those who have entered are told."
    )


class TournamentsFilterSerializer(PageSerializer):
    """The tournaments that are listed."""

    state = serializers.ChoiceField(
        choices=Tournament.State.choices, required=False, help_text="Only those in this state."
    )
    club = serializers.UUIDField(required=False, help_text="Only those of this club.")
    league = serializers.UUIDField(required=False, help_text="Only the seasons of this league.")
    mine = serializers.BooleanField(default=False, help_text="Only those that you take part in.")


class TournamentSerializer(serializers.ModelSerializer[Tournament]):
    """A tournament. `standings/` and `rounds/` tell how it is going."""

    club = serializers.UUIDField(source="club_id", allow_null=True, help_text="Null: it is public.")
    host = serializers.CharField(
        source="host.name", default=None, allow_null=True, help_text="Null if the account was deleted."
    )
    format = serializers.ChoiceField(choices=Tournament.Format.choices)
    options = OptionsField()
    speed = serializers.ChoiceField(choices=list(SPEEDS))
    spectator_delay = PeriodField(shortest="PT10M", longest="P7D", allow_null=True)
    league = serializers.UUIDField(
        allow_null=True, help_text="The id of the first season of the league; null if this is no season of one."
    )
    season = serializers.IntegerField(allow_null=True, help_text="The number of the season, from 1; or null.")
    season_break = PeriodField(
        shortest=_SHORTEST,
        longest=_LONGEST,
        allow_null=True,
        help_text="The time from the end of the season to the start of the next one, which opens at the end.",
    )
    round_length = PeriodField(shortest=_SHORTEST, longest=_LONGEST)
    state = serializers.ChoiceField(
        choices=Tournament.State.choices,
        help_text="`open`: you may enter; `starting`: the first draw waits for the public beacon.",
    )
    commitment = serializers.CharField(help_text="The digest of the seed by which rounds are drawn.")
    seed = serializers.SerializerMethodField(help_text="The seed in hexadecimal; null until the tournament has ended.")
    beacon_round = serializers.IntegerField(
        allow_null=True, help_text="The round of the public beacon that is mixed into the draws; null if there is none."
    )
    beacon_signature = serializers.CharField(help_text="The beacon's signature of it; blank until it is known.")
    entries = serializers.IntegerField(source="entry_count", help_text="The number of players.")
    round = serializers.IntegerField(source="round_number", help_text="The number of rounds that are drawn so far.")
    round_ends_at = serializers.DateTimeField(
        allow_null=True, help_text="The time at which the current round ends at the latest; null if there is none."
    )
    number = serializers.IntegerField(
        source="my_number", allow_null=True, help_text="Your number among the players; null if you take no part."
    )

    class Meta:
        model = Tournament
        fields: ClassVar = [
            "id",
            "name",
            "about",
            "club",
            "host",
            "format",
            "rules",
            "options",
            "speed",
            "spectator_delay",
            "table_size",
            "rounds",
            "advance",
            "league",
            "season",
            "division_size",
            "promoted",
            "season_break",
            "most",
            "round_length",
            "starts_at",
            "state",
            "commitment",
            "seed",
            "beacon_round",
            "beacon_signature",
            "entries",
            "round",
            "round_ends_at",
            "number",
            "created_at",
            "started_at",
            "ended_at",
        ]

    def get_seed(self, tournament: Tournament) -> str | None:
        return bytes(tournament.seed).hex() if tournament.state in _ENDED else None


class EntrySerializer(serializers.ModelSerializer[TournamentEntry]):
    """Your part in a tournament."""

    number = serializers.IntegerField(help_text="Your number, in the order in which people entered.")
    division = serializers.IntegerField(
        allow_null=True, help_text="Your division in a league, from 1, the highest; null until the season starts."
    )
    sits_out = serializers.ListField(
        child=serializers.IntegerField(), help_text="The rounds that you sit out, as you announced."
    )
    notify = serializers.BooleanField(
        source="hears", help_text="You get a notification of each new round and of the end."
    )
    withdrawn_at = serializers.DateTimeField(
        allow_null=True, help_text="The time at which you left it; null if you take part."
    )
    place = serializers.IntegerField(
        allow_null=True, help_text="Your final place, in a league in your division; null until the end."
    )

    movement = serializers.ChoiceField(choices=_MOVEMENTS, allow_blank=True, help_text=_MOVES)

    class Meta:
        model = TournamentEntry
        fields: ClassVar = [
            "number",
            "division",
            "sits_out",
            "notify",
            "withdrawn_at",
            "place",
            "movement",
            "joined_at",
        ]


class EntryChangesSerializer(StrictSerializer):
    """The changes of your entry. Fields that are left out do not change."""

    sits_out = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MOST_NAMED),
        max_length=MOST_NAMED,
        required=False,
        help_text="The later rounds that you sit out. The first one of all gives 50 points, and any other none.",
    )
    notify = serializers.BooleanField(
        required=False, help_text="True: you get a notification of each new round and of the end."
    )


class EntrantSerializer(serializers.Serializer[Any]):
    """A player of a tournament."""

    number = serializers.IntegerField()
    name = serializers.CharField(source="account.name", default="", help_text="Blank if the account was deleted.")


class StandingSerializer(serializers.Serializer[Any]):
    """A place in the standings, after the rounds that have ended."""

    division = serializers.IntegerField(
        source="entry.division",
        allow_null=True,
        help_text="The division of a league, from 1, the highest. Before the season starts, the one if it started now.",
    )
    place = serializers.IntegerField(
        source="standing.place", help_text="From 1, in a league in the division; equals share it."
    )
    number = serializers.IntegerField(source="entry.number", help_text="The number of the player.")
    name = serializers.CharField(source="entry.account.name", default="", help_text="Blank if the account was deleted.")
    points = serializers.IntegerField(
        source="standing.points",
        help_text="100 for each table at which nobody else was first and for a bye, less for other places.",
    )
    opponents = serializers.SerializerMethodField(
        help_text="The mean points of the opponents of the player: it decides between equal points."
    )
    wins = serializers.IntegerField(source="standing.wins", help_text="The number of tables with 100 points.")
    games = serializers.IntegerField(source="standing.games")
    withdrawn = serializers.SerializerMethodField(help_text="True if the player has left the tournament.")
    movement = serializers.ChoiceField(source="entry.movement", choices=_MOVEMENTS, allow_blank=True, help_text=_MOVES)

    def get_opponents(self, placed: RankedEntry) -> float:
        return round(float(placed.standing.opponents), 2)

    def get_withdrawn(self, placed: RankedEntry) -> bool:
        return placed.entry.withdrawn_at is not None


class TableSeatSerializer(serializers.Serializer[Any]):
    """A seat at a table of a tournament."""

    seat = serializers.IntegerField()
    number = serializers.IntegerField(help_text="The number of the player.")
    name = serializers.CharField(help_text="Blank if the account was deleted.")
    place = serializers.IntegerField(allow_null=True, help_text="Null until the game, or the round, is over.")
    points = serializers.IntegerField(allow_null=True, help_text="Null until then.")


class TournamentTableSerializer(serializers.Serializer[Any]):
    """A table of a round."""

    table = serializers.IntegerField(source="number", help_text="From 1.")
    game = serializers.SerializerMethodField(help_text="The id of its game; null if the game was deleted.")
    seats = serializers.SerializerMethodField()

    def get_game(self, table: TableView) -> serializers.UUIDField(allow_null=True):  # type: ignore[valid-type]
        return next((str(pairing.game_id) for pairing in table.pairings if pairing.game_id), None)

    def get_seats(self, table: TableView) -> TableSeatSerializer(many=True):  # type: ignore[valid-type]
        gained = (
            points({pairing.entry.number: pairing.place or 1 for pairing in table.pairings}) if table.is_over else {}
        )
        return [
            {
                "seat": pairing.seat,
                "number": pairing.entry.number,
                "name": pairing.entry.account.name if pairing.entry.account else "",
                "place": pairing.place,
                "points": gained.get(pairing.entry.number),
            }
            for pairing in table.pairings
        ]


class TournamentRoundSerializer(serializers.Serializer[Any]):
    """A round of a tournament."""

    number = serializers.IntegerField(source="row.number")
    starts_at = serializers.DateTimeField(source="row.begins_at")
    ends_at = serializers.DateTimeField(source="row.ends_at", help_text="The time at which it ends at the latest.")
    ended_at = serializers.DateTimeField(source="row.ended_at", allow_null=True)
    tables = TournamentTableSerializer(many=True)
    byes = EntrantSerializer(many=True, help_text="The players without a seat in this round: 100 points.")
    rests = EntrantSerializer(many=True, help_text="The players who sat it out: 50 points the first time, then none.")
