"""The shapes of games, questions and moves in the API."""

from typing import Any, ClassVar

from rest_framework import serializers

from accounts.web.serializers import PeriodField, QuerySerializer, StrictSerializer
from games.api.shared.codes import QUESTION_KINDS, QUESTION_REASONS
from games.api.shared.game_fields import GameIdsField, OptionsField, RulesOwnField, SeedCommitmentField, SeedField
from games.api.shared.pagination import LARGEST_SIZE, USUAL_SIZE
from games.api.shared.problems import WHY_NOT
from games.api.shared.schedule import ReasonSerializer
from games.api.shared.schema import GAME_EVENT, GAME_MOVE, GAME_OPTIONS, GAME_VIEW
from games.api.shared.seat_stats import SeatStatsSerializer
from games.api.shared.terms import agreed_fields, chosen_fields
from games.archive import player_stats
from games.deadlines import timing
from games.engine.thinking.names import BALANCED, LEVEL_NAMES, NORMAL, STYLES
from games.models import Game, Move, Seat
from games.play.submit import LONGEST
from games.rules.registry import RULES
from games.visibility.access import seat_of


class BotSerializer(StrictSerializer):
    """A Darbar bot: how well it plays, and in which manner."""

    level = serializers.ChoiceField(choices=LEVEL_NAMES, default=NORMAL)
    style = serializers.ChoiceField(  # type: ignore[assignment]  # a field, which leaves ``Field.style`` alone
        choices=STYLES, default=BALANCED
    )


class NewGameSerializer(StrictSerializer):
    """A game as its host wants it."""

    rules = serializers.CharField(max_length=40, help_text="The game's name, one of those at `rules/`.")
    options = OptionsField(default=dict, help_text="The game's own; what is not named is as `rules/{game}/` says.")
    seat_count = serializers.IntegerField(min_value=1, max_value=100, help_text="How many play, bots included.")
    bots = BotSerializer(  # type: ignore[call-arg]  # the list of ``many`` takes it
        many=True, default=list, max_length=100, help_text="The Darbar bots among them."
    )
    private = serializers.BooleanField(default=False, help_text="Seen and joined only by those who have its code.")
    seed = SeedField()
    seed_commitment = SeedCommitmentField()

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {**super().get_fields(), **chosen_fields()}


class JoinSerializer(StrictSerializer):
    """The request of somebody who joins a game."""

    code = serializers.CharField(
        max_length=40, default="", allow_blank=True, help_text="The table's code; needed where it is private."
    )
    seed = SeedField()
    seed_commitment = SeedCommitmentField()


class RevealSerializer(StrictSerializer):
    """The seed that a player committed to."""

    seed = serializers.RegexField(r"^[0-9a-f]{64}$", help_text="The 32 bytes in hexadecimal.")
    next_seed_commitment = SeedCommitmentField(
        "The same for another seed of mine: I commit to it for a rematch of this game, and reveal it then."
    )


class RematchSerializer(StrictSerializer):
    """The changes that a rematch is to have."""

    options = OptionsField(default=dict, help_text="Options that are to differ, for example `starting_player`.")


class GameSeatSerializer(serializers.Serializer[Any]):
    """A taken seat."""

    seat = serializers.IntegerField(source="number")
    name = serializers.CharField(source="player", help_text="Blank for one who deleted their account.")
    bot = serializers.BooleanField(help_text="A Darbar bot sits here.")
    bot_account = serializers.BooleanField(
        source="account.is_bot", default=False, help_text="A bot account sits here: a program plays for it."
    )
    away = serializers.SerializerMethodField(help_text="A bot sits in, because this player has not answered too often.")
    offered = serializers.SerializerMethodField(help_text="And somebody else may be invited to the seat.")
    stand_in = serializers.SerializerMethodField(
        help_text="What somebody is called who may answer for this player; null where there is nobody."
    )
    seed = serializers.CharField(help_text="What this player added to the game's chance; blank for a bot.")
    seed_commitment = serializers.CharField(
        help_text="The digest of the seed that this player reveals once all seats are taken; blank where there is none."
    )
    player_stats = serializers.SerializerMethodField(help_text="Null for a bot, and for one who left the server.")
    time_bank = serializers.SerializerMethodField(
        help_text="What its time bank held when it was last asked or had moved; null where the game has none."
    )

    def get_time_bank(self, seat: Seat) -> PeriodField(  # type: ignore[valid-type]
        shortest="PT0S", longest="P30D", allow_null=True
    ):
        left = timing.time_bank_of(seat.game, seat)
        return None if left is None else PeriodField(shortest="PT0S", longest="P30D").to_representation(left)

    def get_away(self, seat: Seat) -> bool:
        return seat.away and seat.game.state == Game.State.RUNNING

    def get_offered(self, seat: Seat) -> bool:
        return seat.offered

    def get_stand_in(self, seat: Seat) -> str | None:
        named = seat.stand_in.account if seat.stand_in and seat.game.state == Game.State.RUNNING else None
        return None if named is None else named.name

    def get_player_stats(self, seat: Seat) -> SeatStatsSerializer(allow_null=True):  # type: ignore[valid-type]
        shown = player_stats.standing(seat.account, seat.game.rules)
        return None if shown is None else SeatStatsSerializer(shown).data


class GameSerializer(serializers.ModelSerializer[Game]):
    """A table, and the game at it."""

    options = OptionsField(GAME_OPTIONS)
    due_at = serializers.DateTimeField(
        allow_null=True,
        help_text="The latest moment until which those who are asked may answer; whose it is, is not told.",
    )
    paused_until = serializers.DateTimeField(
        allow_null=True, help_text="Until when the game is paused; null where it is not."
    )
    bots = BotSerializer(many=True, help_text="The Darbar bots for whom seats are kept, or who sit here.")
    seats = GameSeatSerializer(many=True)
    seat = serializers.SerializerMethodField(help_text="Where I sit.")
    host = serializers.SerializerMethodField(help_text="Where its host sits.")
    code = serializers.SerializerMethodField(help_text="By which others join a private table; for those who sit here.")
    head = serializers.SerializerMethodField(
        help_text="Of the chain of the log, as of the last event that everybody knows of. It binds the server to it."
    )
    beacon_round = serializers.IntegerField(
        allow_null=True, help_text="The round of the public beacon that is mixed into its draws; null where none is."
    )
    seed = serializers.SerializerMethodField(help_text="What the commitment binds to, once the game is over.")

    class Meta:
        model = Game
        fields: ClassVar = [
            "id",
            "code",
            "rules",
            "rules_version",
            "options",
            "seat_count",
            "bots",
            "private",
            "paused_until",
            "state",
            "beacon_round",
            "due_at",
            "seats",
            "seat",
            "host",
            "commitment",
            "head",
            "seed",
            "rematch",
            "created_at",
            "started_at",
            "ended_at",
        ]

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {**super().get_fields(), **agreed_fields()}

    def _me(self) -> Any:
        return self.context["account"]

    def get_seat(self, game: Game) -> int | None:
        return seat_of(game, self._me())

    def get_host(self, game: Game) -> int | None:
        return next(
            (seat.number for seat in game.seats.all() if game.host_id and seat.account_id == game.host_id), None
        )

    def get_code(self, game: Game) -> str | None:
        return game.code if seat_of(game, self._me()) else None

    def get_head(self, game: Game) -> str:
        return bytes(game.public_head).hex()

    def get_seed(self, game: Game) -> str | None:
        return bytes(game.seed).hex() if game.state == Game.State.OVER else None


class GamesFilterSerializer(QuerySerializer):
    """A filter of games."""

    state = serializers.ChoiceField(choices=Game.State.choices, required=False, help_text="Only those that stand so.")
    rules = serializers.ChoiceField(choices=sorted(RULES), required=False, help_text="Only those of this game.")
    mine = serializers.BooleanField(required=False, help_text="Only those at which I sit, or only the others.")
    followed = serializers.BooleanField(
        required=False, help_text="True: only those at which people sit whom I follow (`me/follows/`)."
    )
    ids = GameIdsField(required=False, help_text="Only these games.")
    limit = serializers.IntegerField(
        min_value=1, max_value=LARGEST_SIZE, default=USUAL_SIZE, help_text="So many on a page at most."
    )
    cursor = serializers.CharField(required=False, help_text="As the page before says.")


class ManyGamesSerializer(QuerySerializer):
    """The games that a request is about."""

    games = GameIdsField(help_text="The games.")


class SeenGameSerializer(serializers.Serializer[Any]):
    """A game, and what I may know of it."""

    game = serializers.UUIDField()
    view = RulesOwnField(GAME_VIEW, allow_null=True, help_text="Null before the game has begun.")


class GameCommitmentSerializer(serializers.ModelSerializer[Game]):
    """The commitment that binds the server to the chance of a game: SHA-256 of `darbar-2|id|seed`."""

    class Meta:
        model = Game
        fields: ClassVar = ["id", "commitment"]


class EventsFilterSerializer(QuerySerializer):
    """A filter of events."""

    after = serializers.IntegerField(
        min_value=0, max_value=2**31 - 1, default=0, help_text="Only those with a higher number."
    )
    limit = serializers.IntegerField(min_value=1, max_value=500, default=500, help_text="At most so many.")


class ShownEventSerializer(serializers.Serializer[Any]):
    """An event as I may know it."""

    number = serializers.IntegerField(help_text="Counted over what I am shown, from 1, without gaps.")
    at = serializers.DateTimeField(
        allow_null=True, help_text="Null for another's reaction while others may still react."
    )
    via = serializers.CharField(
        allow_null=True, help_text="How my own move came; `timeout` where somebody's time was over."
    )
    seat = serializers.IntegerField(allow_null=True, help_text="My seat, where my own move led to it.")
    move = serializers.UUIDField(allow_null=True, help_text="My own move that led to it.")
    event = RulesOwnField(GAME_EVENT)
    text = serializers.CharField(allow_null=True, help_text="The event as a sentence, in my language.")


class EventPageSerializer(serializers.Serializer[Any]):
    """A part of the log."""

    events = ShownEventSerializer(many=True)
    more = serializers.BooleanField(help_text="There are later ones.")


class AnswerSerializer(serializers.Serializer[Any]):
    """One of the answers that a question offers."""

    number = serializers.IntegerField(help_text="May stand for it as `text`.")
    text = serializers.CharField(help_text="In notation.")
    move = RulesOwnField(GAME_MOVE)
    label = serializers.CharField(  # type: ignore[assignment]  # a field, which leaves ``Field.label`` alone
        help_text="In my language."
    )


class SlotChoiceSerializer(serializers.Serializer[Any]):
    """A word that may stand in a slot."""

    text = serializers.CharField(help_text="In notation.")
    label = serializers.CharField(  # type: ignore[assignment]  # a field, which leaves ``Field.label`` alone
        help_text="In my language."
    )


class SlotSerializer(serializers.Serializer[Any]):
    """A field of a move that I fill in: a number, or words from a list."""

    name = serializers.CharField(help_text="The member of the move.")
    label = serializers.CharField(  # type: ignore[assignment]  # a field, which leaves ``Field.label`` alone
        help_text="In my language."
    )
    lowest = serializers.IntegerField(allow_null=True, help_text="Of a number; null for words.")
    highest = serializers.IntegerField(allow_null=True, help_text="Of a number; null for words.")
    choices = SlotChoiceSerializer(many=True, allow_null=True, help_text="The words; null for a number.")
    least = serializers.IntegerField(allow_null=True, help_text="How many words I have to choose; null for a number.")
    most = serializers.IntegerField(
        allow_null=True, help_text="How many different words I may choose. The member is a list unless both are 1."
    )


class FormSerializer(serializers.Serializer[Any]):
    """Answers of one kind that are too many to be listed. However I fill the slots in, the move is legal."""

    type = serializers.CharField(help_text="The verb: the `type` of the move, and the first word of its notation.")
    label = serializers.CharField(  # type: ignore[assignment]  # a field, which leaves ``Field.label`` alone
        help_text="In my language."
    )
    slots = SlotSerializer(many=True, help_text="In the order of the notation.")


class QuestionSerializer(serializers.Serializer[Any]):
    """Something a game waits for from me."""

    id = serializers.CharField(help_text="Unique within its game.")
    game = serializers.UUIDField()
    seat = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=QUESTION_KINDS, help_text="What is asked.")
    reason = serializers.ChoiceField(choices=QUESTION_REASONS, help_text="What it is about.")
    asked_at = serializers.DateTimeField()
    due_at = serializers.DateTimeField(help_text="After this it times out: a default move is made.")
    planned_at = serializers.DateTimeField(allow_null=True, help_text="When my plan answers it, unless I do before.")
    why = ReasonSerializer(
        many=True, help_text="Why it is due then, step by step. For whoever answers for another it is empty."
    )
    moves = AnswerSerializer(many=True)
    forms = FormSerializer(many=True, help_text="Answers that I fill in, besides those in `moves`.")


class MoveSerializer(StrictSerializer):
    """An answer to a question: either `move` or `text`, and never both."""

    field_count = 2

    question = serializers.CharField(max_length=20, help_text="The id of the question.")
    move = RulesOwnField(GAME_MOVE, required=False)
    text = serializers.CharField(required=False, max_length=LONGEST, help_text="Notation, a number, or `resign yes`.")


class WhySerializer(serializers.Serializer[Any]):
    """The reason why a move was not applied."""

    code = serializers.ChoiceField(choices=WHY_NOT, help_text="What programs go by.")
    status = serializers.IntegerField(help_text="The status that a refusal of this kind would have.")
    detail = serializers.CharField(help_text="In my language.")
    ruling = serializers.CharField(
        allow_null=True, help_text="The ruling of the game's rules that it follows from, such as C19; null elsewhere."
    )


class StoredMoveSerializer(serializers.Serializer[Any]):
    """A move as it was sent, and what became of it."""

    id = serializers.UUIDField()
    game = serializers.UUIDField()
    question = serializers.CharField()
    text = serializers.CharField(allow_null=True)
    move = RulesOwnField(GAME_MOVE, allow_null=True)
    received_at = serializers.DateTimeField()
    state = serializers.ChoiceField(choices=Move.State.choices)
    problem = WhySerializer(allow_null=True)
    events = ShownEventSerializer(many=True, help_text="What came of it, as I may know it.")


class RulesSerializer(serializers.Serializer[Any]):
    """A game that can be played here."""

    name = serializers.CharField()
    version = serializers.IntegerField()
    title = serializers.CharField()
    least = serializers.IntegerField(help_text="The least number of players.")
    most = serializers.IntegerField(help_text="The greatest number of players.")


class RulesQuerySerializer(QuerySerializer):
    """For which table the summary is wanted."""

    seat_count = serializers.IntegerField(required=False, help_text="Else the least number.")
    options = OptionsField(required=False, help_text="As JSON; else the defaults.")


class RulesDetailSerializer(RulesSerializer):
    """A game, with all that is needed to open a table and to move."""

    options = serializers.JSONField(help_text="JSON Schema of its options.")
    moves = serializers.JSONField(help_text="JSON Schema of its moves.")
    summary = serializers.ListField(child=serializers.CharField(), help_text="The summary card, a line each.")
