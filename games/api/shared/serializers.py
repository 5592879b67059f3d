"""Serializers of games, questions and moves."""

from typing import Any, ClassVar, Final

from django.utils.translation import gettext_lazy
from rest_framework import serializers

from accounts.web.pagination import PageSerializer
from accounts.web.serializers import PeriodField, QuerySerializer, ShownSerializer, StrictSerializer
from games.api.shared.fields import (
    SEAT_STATS,
    GameIdsField,
    OptionsField,
    ReasonSerializer,
    RulesOwnField,
    SeatStatsSerializer,
    SeedCommitmentField,
    SeedField,
    agreed_fields,
    chosen_fields,
)
from games.api.shared.problems import WHY_NOT
from games.api.shared.schema import GAME_EVENT, GAME_MOVE, GAME_OPTIONS, GAME_VIEW, QUESTION_KINDS, QUESTION_REASONS
from games.archive import player_stats
from games.deadlines import calculation
from games.engine.types import BALANCED, LEVEL_NAMES, NORMAL, STYLES
from games.models import Game, Move, Seat
from games.play.submit import MAX_TEXT_LENGTH
from games.rules.registry import RULES


class BotSerializer(StrictSerializer):
    """A Darbar bot: its level and its style."""

    level = serializers.ChoiceField(choices=LEVEL_NAMES, default=NORMAL)
    style = serializers.ChoiceField(  # type: ignore[assignment]  # a field, which leaves ``Field.style`` alone
        choices=STYLES, default=BALANCED
    )


class NewGameSerializer(StrictSerializer):
    """A game to create."""

    rules = serializers.CharField(max_length=40, help_text="The game's name, one of those at `rules/`.")
    options = OptionsField(
        default=dict,
        help_text="The options of the game. An option that is left out has the default of `rules/{game}/`.",
    )
    seat_count = serializers.IntegerField(min_value=1, max_value=100, help_text="The number of players, bots included.")
    bots = BotSerializer(  # type: ignore[call-arg]  # the list of ``many`` takes it
        many=True, default=list, max_length=100, help_text="The Darbar bots among the players."
    )
    private = serializers.BooleanField(default=False, help_text="Seen and joined only by those who have its code.")
    club = serializers.UUIDField(
        allow_null=True,
        default=None,
        help_text="Your club: the game is private, and the members may join.",
    )
    spectator_delay = PeriodField(
        shortest="PT10M",
        longest="P7D",
        allow_null=True,
        default=None,
        help_text="The time by which people who do not play see less than has happened. Null: no delay.",
    )
    seed = SeedField()
    seed_commitment = SeedCommitmentField()

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {**super().get_fields(), **chosen_fields()}


class GameSeatSerializer(ShownSerializer):
    """A taken seat."""

    seat = serializers.IntegerField(source="number")
    name = serializers.CharField(source="player", help_text="Blank if the account was deleted.")
    bot = serializers.BooleanField(help_text="A Darbar bot sits here.")
    bot_account = serializers.SerializerMethodField(help_text="A bot account sits here: a program plays for it.")
    away = serializers.SerializerMethodField(
        help_text="A bot plays for now, because this player has missed too many questions."
    )
    offered = serializers.SerializerMethodField(help_text="Someone else may be invited to the seat.")
    stand_in = serializers.SerializerMethodField(
        help_text="The name of the stand-in of this player; null if there is none."
    )
    seed = serializers.CharField(help_text="The seed that this player added to the game's chance; blank for a bot.")
    seed_commitment = serializers.CharField(
        help_text="The digest of the seed that this player reveals once all seats are taken; blank if there is none."
    )
    player_stats = serializers.SerializerMethodField(help_text="Null for a bot, and for a deleted account.")
    time_bank = serializers.SerializerMethodField(
        help_text="The time in its time bank when it was last asked or had moved; null if the game has no time banks."
    )

    def get_time_bank(self, seat: Seat) -> PeriodField(  # type: ignore[valid-type]
        shortest="PT0S", longest="P30D", allow_null=True
    ):
        left = calculation.time_bank_of(seat.game, seat)
        return None if left is None else PeriodField(shortest="PT0S", longest="P30D").to_representation(left)

    def get_bot_account(self, seat: Seat) -> bool:
        return seat.account is not None and seat.account.is_bot

    def get_away(self, seat: Seat) -> bool:
        return seat.away and seat.game.state == Game.State.RUNNING

    def get_offered(self, seat: Seat) -> bool:
        return seat.offered

    def get_stand_in(self, seat: Seat) -> str | None:
        stand_in = seat.stand_in.account if seat.stand_in and seat.game.state == Game.State.RUNNING else None
        return None if stand_in is None else stand_in.name

    def get_player_stats(self, seat: Seat) -> SeatStatsSerializer(allow_null=True):  # type: ignore[valid-type]
        stats = player_stats.standing(seat.account, seat.game.rules)
        return None if stats is None else SEAT_STATS.to_representation(stats)


class GameSerializer(ShownSerializer, serializers.ModelSerializer[Game]):
    """A table, and the game at it."""

    options = OptionsField(GAME_OPTIONS)
    due_at = serializers.DateTimeField(
        allow_null=True,
        help_text="The latest deadline of all who are asked now. It is not told whose deadline that is.",
    )
    paused_until = serializers.DateTimeField(
        allow_null=True, help_text="The time until which the game is paused; null if it is not."
    )
    bots = BotSerializer(many=True, help_text="The Darbar bots that play, or for which seats are kept.")
    club = serializers.UUIDField(
        source="club_id",
        allow_null=True,
        help_text="The club whose members see it and may join; null if there is none.",
    )
    spectator_delay = PeriodField(
        shortest="PT10M",
        longest="P7D",
        allow_null=True,
        help_text="If you do not play, you see the running game as it was that long ago, and `due_at` is null and "
        "`head` blank. Null: there is no delay.",
    )
    seats = GameSeatSerializer(many=True)
    seat = serializers.IntegerField(source="own_seat", allow_null=True, read_only=True, help_text="Your seat.")
    host = serializers.SerializerMethodField(help_text="The seat of the host.")
    code = serializers.SerializerMethodField(
        help_text="The code with which others join a private game; shown to its players only."
    )
    head = serializers.SerializerMethodField(
        help_text="The head of the log's chain, after the last event that everyone knows of. It binds the "
        "server to the log so far."
    )
    beacon_round = serializers.IntegerField(
        allow_null=True, help_text="The round of the public beacon that is mixed into its draws; null if there is none."
    )
    deal_list = serializers.CharField(
        help_text="The list that a protected deal follows from, as JSON text: the game, the server's commitment, the "
        "key and round of the beacon, and each seat with its seed or the commitment to one. It is fixed when the table "
        "is full, and only its `round` is set later. Check that your commitment is in it before you reveal your seed. "
        "Blank before that, and if nothing protects the deal."
    )
    deal_head = serializers.CharField(
        help_text="SHA-256 of `darbar-deal|` and `deal_list`. Keep it: it proves that the deal was fixed. Blank if "
        "there is no list."
    )
    seed = serializers.SerializerMethodField(help_text="The seed that the commitment binds to, once the game is over.")
    arena = serializers.BooleanField(help_text="A game of the arena: bots alone play it.")

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
            "club",
            "spectator_delay",
            "paused_until",
            "state",
            "beacon_round",
            "due_at",
            "seats",
            "seat",
            "host",
            "commitment",
            "head",
            "deal_list",
            "deal_head",
            "seed",
            "rematch",
            "arena",
            "created_at",
            "started_at",
            "ended_at",
        ]

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {**super().get_fields(), **agreed_fields()}

    def get_host(self, game: Game) -> int | None:
        return next(
            (seat.number for seat in game.seats.all() if game.host_id and seat.account_id == game.host_id), None
        )

    def get_code(self, game: Game) -> str | None:
        return game.code if game.own_seat else None

    def get_head(self, game: Game) -> str:
        return bytes(game.public_head).hex()

    def get_seed(self, game: Game) -> str | None:
        return bytes(game.seed).hex() if game.state == Game.State.OVER else None


# Shared by all requests, because creating it takes as long as using it for ten games.
GAMES: Final = GameSerializer()


class GamesFilterSerializer(PageSerializer):
    """A filter of games."""

    state = serializers.ChoiceField(choices=Game.State.choices, required=False, help_text="Only games in this state.")
    rules = serializers.ChoiceField(choices=sorted(RULES), required=False, help_text="Only games with these rules.")
    mine = serializers.BooleanField(required=False, help_text="True: only games that you play. False: only the others.")
    arena = serializers.BooleanField(required=False, help_text="True: only games in the arena. False: only the others.")
    followed = serializers.BooleanField(
        required=False, help_text="Only games of players you follow (`me/people/follows/`)."
    )
    club = serializers.UUIDField(required=False, help_text="Only games of this club.")
    ids = GameIdsField(required=False, help_text="Only these games.")


class ManyGamesSerializer(QuerySerializer):
    """The games that a request is about."""

    games = GameIdsField(help_text="The games.")


class SeenGameSerializer(serializers.Serializer[Any]):
    """A game with the view that you may see."""

    game = serializers.UUIDField()
    view = RulesOwnField(GAME_VIEW, allow_null=True, help_text="Null before the game has started.")


class EventsFilterSerializer(QuerySerializer):
    """A filter of events."""

    after = serializers.IntegerField(
        min_value=0, max_value=2**31 - 1, default=0, help_text="Only events with a higher number."
    )
    limit = serializers.IntegerField(min_value=1, max_value=500, default=500, help_text="The most results.")


class ShownEventSerializer(serializers.Serializer[Any]):
    """An event as you may know it."""

    number = serializers.IntegerField(
        help_text="The number of the event among those that you are shown, from 1, without gaps."
    )
    at = serializers.DateTimeField(
        allow_null=True, help_text="Null for another player's reaction while others may still react."
    )
    via = serializers.CharField(
        allow_null=True, help_text="The way in which your own move came; `timeout` if someone's time was over."
    )
    seat = serializers.IntegerField(allow_null=True, help_text="Your seat, if your own move led to it.")
    move = serializers.UUIDField(allow_null=True, help_text="Your own move that led to it.")
    event = RulesOwnField(GAME_EVENT)
    text = serializers.CharField(allow_null=True, help_text="The event as a sentence, in your language.")


class AnswerSerializer(serializers.Serializer[Any]):
    """An answer that a question offers."""

    number = serializers.IntegerField(help_text="The number of the answer; `text` may be the number too.")
    text = serializers.CharField(help_text="In notation.")
    move = RulesOwnField(GAME_MOVE)
    label = serializers.CharField(  # type: ignore[assignment]  # a field, which leaves ``Field.label`` alone
        help_text="In your language."
    )


class SlotChoiceSerializer(serializers.Serializer[Any]):
    """A word that a slot may have."""

    text = serializers.CharField(help_text="In notation.")
    label = serializers.CharField(  # type: ignore[assignment]  # a field, which leaves ``Field.label`` alone
        help_text="In your language."
    )


class SlotSerializer(serializers.Serializer[Any]):
    """A field of a move that you fill in: a number, or words from a list."""

    name = serializers.CharField(help_text="The member of the move.")
    label = serializers.CharField(  # type: ignore[assignment]  # a field, which leaves ``Field.label`` alone
        help_text="In your language."
    )
    lowest = serializers.IntegerField(allow_null=True, help_text="For a number; null for words.")
    highest = serializers.IntegerField(allow_null=True, help_text="For a number; null for words.")
    choices = SlotChoiceSerializer(many=True, allow_null=True, help_text="The words; null for a number.")
    least = serializers.IntegerField(allow_null=True, help_text="The fewest words to choose; null for a number.")
    most = serializers.IntegerField(
        allow_null=True,
        help_text="The most different words to choose. The member is a list unless both are 1.",
    )


class FormSerializer(serializers.Serializer[Any]):
    """Answers of one kind, too many to list. Every combination of its slots is a legal move."""

    type = serializers.CharField(help_text="The `type` of the move.")
    verb = serializers.CharField(help_text="The first word of the text of the move. The slots follow.")
    label = serializers.CharField(  # type: ignore[assignment]  # a field, which leaves ``Field.label`` alone
        help_text="In your language."
    )
    slots = SlotSerializer(many=True, help_text="In the order of the notation.")


class QuestionSerializer(serializers.Serializer[Any]):
    """A question that a game asks you."""

    id = serializers.CharField(help_text="Unique within its game.")
    game = serializers.UUIDField()
    seat = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=QUESTION_KINDS, help_text="The kind of question.")
    reason = serializers.ChoiceField(choices=QUESTION_REASONS, help_text="The reason why it is asked.")
    asked_at = serializers.DateTimeField()
    due_at = serializers.DateTimeField(help_text="The time after which a default move is played.")
    planned_at = serializers.DateTimeField(
        allow_null=True, help_text="The time at which your plan answers it, unless you do before."
    )
    why = ReasonSerializer(many=True, help_text="The reasons for its deadline, step by step. Empty for a stand-in.")
    moves = AnswerSerializer(many=True)
    forms = FormSerializer(many=True, help_text="Answers that you fill in, beside those in `moves`.")


QUESTION_ID: Final = r"^[1-9][0-9]*\.[1-9][0-9]*$"


class MoveSerializer(StrictSerializer):
    """An answer to a question: either `move` or `text`, and never both."""

    one_of = ("move", "text")
    one_of_sentence = gettext_lazy("Send a move either as text or as JSON.")

    question = serializers.RegexField(QUESTION_ID, max_length=20, help_text="The id of the question.")
    move = RulesOwnField(GAME_MOVE, required=False)
    text = serializers.CharField(
        required=False, max_length=MAX_TEXT_LENGTH, help_text="Notation, a number, or `resign yes`."
    )


class WhySerializer(serializers.Serializer[Any]):
    """The reason why a move was not applied."""

    code = serializers.ChoiceField(choices=WHY_NOT, help_text="The code, for programs.")
    status = serializers.IntegerField(help_text="The status that a refusal of this kind would have.")
    detail = serializers.CharField(help_text="In your language.")
    ruling = serializers.CharField(
        allow_null=True, help_text="The ruling of the game's rules that it follows from, such as C19; null elsewhere."
    )


class StoredMoveSerializer(serializers.Serializer[Any]):
    """A move and its outcome."""

    id = serializers.UUIDField()
    game = serializers.UUIDField()
    question = serializers.CharField()
    text = serializers.CharField(allow_null=True)
    move = RulesOwnField(GAME_MOVE, allow_null=True)
    received_at = serializers.DateTimeField()
    state = serializers.ChoiceField(choices=Move.State.choices)
    problem = WhySerializer(allow_null=True)
    events = ShownEventSerializer(many=True, help_text="The events that it led to, as you may know them.")
