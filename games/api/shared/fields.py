"""Serializer fields for games: values that belong to the rules, ids, seeds, player stats, schedules and terms."""

from functools import lru_cache
from typing import Any, Final
from uuid import UUID

import msgspec
from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction
from msgspec import inspect
from rest_framework import serializers
from rest_framework.fields import empty

from accounts.web.serializers import LocalTimeField, PeriodField, ShownSerializer, StrictSerializer
from games.api.shared.schema import CHOSEN_OPTIONS, ref
from games.terms import (
    MOST_DATES,
    MOST_HOURS,
    MOST_SLEEP,
    MOST_VACATION,
    TERMS,
    WEEKDAYS,
    Described,
    Schedule,
    TimeBank,
)

# The most games that one request may name.
MOST_IDS: Final = 50
_ID: Final = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_IDS: Final = f"^{_ID}(,{_ID}){{0,{MOST_IDS - 1}}}$"
_AN_ID: Final = "8a1f7b1e-3c1d-4a53-9d2f-0b7a5f7f2d11"
_SEED: Final = r"^([0-9a-f]{64})?$"


class RulesOwnField(serializers.JSONField):
    """A value whose shape depends on the rules of the game."""

    def __init__(self, component: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.component = component


class RulesOwnFieldSchema(OpenApiSerializerFieldExtension):
    """Describes the field by a reference to the component with the shapes of all games."""

    target_class = RulesOwnField

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        return ref(self.target.component)


class OptionsField(RulesOwnField):
    """The options of a game. Options that the host leaves out have their defaults."""

    def __init__(self, component: str = CHOSEN_OPTIONS, **kwargs: Any) -> None:
        super().__init__(component, **kwargs)

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict):
            self.fail("invalid")
        return data


class OptionsFieldSchema(RulesOwnFieldSchema):
    target_class = OptionsField


class GameIdsField(serializers.RegexField):
    """Ids of games in a query, separated by commas."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs["help_text"] = f"{kwargs['help_text']} At most {MOST_IDS} ids, with commas between them."
        super().__init__(_IDS, **kwargs)

    def run_validation(self, data: Any = empty) -> Any:
        return [UUID(text) for text in super().run_validation(data).split(",")]


class GameIdsFieldSchema(OpenApiSerializerFieldExtension):
    target_class = GameIdsField

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        return {"type": "string", "pattern": _IDS, "example": _AN_ID}


class SeedField(serializers.RegexField):
    """A seed that a player contributes to the draws of a game."""

    def __init__(self) -> None:
        super().__init__(
            _SEED,
            default="",
            allow_blank=True,
            help_text="32 random bytes of your own in hexadecimal, for the game's chance. Without it: made for you.",
        )


_COMMITMENT: Final = (
    "Instead of `seed`: SHA-256 of `darbar-seed|SEED`, in hexadecimal. SEED are 32 random bytes of your own in "
    "hexadecimal, which you reveal at `seed/` once all seats are taken."
)


class SeedCommitmentField(serializers.RegexField):
    """The digest of a seed that a player reveals later."""

    def __init__(self, help_text: str = _COMMITMENT) -> None:
        super().__init__(_SEED, default="", allow_blank=True, help_text=help_text)


class SeedFieldSchema(OpenApiSerializerFieldExtension):
    """Describes a seed as 64 hexadecimal digits, or an empty string."""

    target_class: Any = SeedField

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        return {"type": "string", "pattern": _SEED, "maxLength": 64}


class SeedCommitmentFieldSchema(SeedFieldSchema):
    target_class = SeedCommitmentField


RATING: Final = (
    "The rating that openskill's Plackett-Luce model is sure of (mean less three deviations); newcomers start at 1500."
)
RELIABILITY: Final = "The share of questions that this player answered in time: 0 to 1. Null without any."

ANSWER_TIMES: Final = (
    "The usual times in which this player answers. Null if unknown, or if the player does not show it."
)


class AnswerTimesSerializer(ShownSerializer):
    """The usual times in which a player answers, from at least 20 answers in finished games with turns of a day or
    more. Rounded up."""

    half_within = PeriodField(
        shortest="PT1H", longest="P9999D", read_only=True, help_text="Half of the answers took no longer."
    )
    most_within = PeriodField(
        shortest="PT1H", longest="P9999D", read_only=True, help_text="Nine of ten answers took no longer."
    )


class SeatStatsSerializer(ShownSerializer):
    """The games that a player at a table has finished before: with these rules, at tables of people."""

    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    rating = serializers.IntegerField(allow_null=True, help_text=f"{RATING} Null before the first game.")
    reliability = serializers.FloatField(allow_null=True, help_text=f"{RELIABILITY} In all games.")
    answer_times = AnswerTimesSerializer(allow_null=True, help_text=ANSWER_TIMES)


# Shared by all seats, because creating a serializer takes longer than using it.
SEAT_STATS: Final = SeatStatsSerializer()


class TimeBankSerializer(StrictSerializer):
    """The time bank that each seat has."""

    time = PeriodField(shortest="PT1M", longest="P30D", help_text="The time in it at the start.")
    increment = PeriodField(
        shortest="PT1M",
        longest="P30D",
        help_text="The time that every move adds, also one made by timeout: an empty time bank then has this much.",
    )


class ScheduleSerializer(StrictSerializer):
    """The schedule of a game: its terms about time beside the limits."""

    zone = serializers.CharField(
        max_length=64,
        default="UTC",
        help_text="The time zone of these hours and days, from the IANA list: Asia/Tehran.",
    )
    closes_at = serializers.ListField(
        child=LocalTimeField(),
        max_length=MOST_HOURS,
        default=list,
        help_text="The hours of the day at which deadlines fall: the first one that leaves the whole limit.",
    )
    days_off = serializers.ListField(
        child=serializers.ChoiceField(choices=WEEKDAYS),
        max_length=len(WEEKDAYS) - 1,
        default=list,
        help_text="Days of the week on which no time passes.",
    )
    dates_off = serializers.ListField(
        child=serializers.DateField(), max_length=MOST_DATES, default=list, help_text="Single days like these."
    )
    time_bank = TimeBankSerializer(
        default=None,
        allow_null=True,
        help_text="Instead of `turn_limit` and `choice_limit`: time that is used up. If a time bank is empty a "
        "question times out immediately. Reactions keep their limit.",
    )
    sleep = serializers.IntegerField(
        min_value=0,
        max_value=MOST_SLEEP,
        default=MOST_SLEEP,
        help_text="The hours of a player's sleep that are respected, at most: none of their deadlines pass in "
        "them. 0: none.",
    )
    vacation = serializers.IntegerField(
        min_value=0,
        max_value=MOST_VACATION,
        default=MOST_VACATION,
        help_text="The days of vacation that are respected, at most, for a player in a year: none of their time "
        "passes on them. 0: none.",
    )

    def to_internal_value(self, data: Any) -> Schedule:
        values = super().to_internal_value(data)
        time_bank = values["time_bank"] and TimeBank(**values["time_bank"])
        lists = {name: tuple(dict.fromkeys(values[name])) for name in ("closes_at", "days_off", "dates_off")}
        return Schedule(**{**values, **lists, "time_bank": time_bank})

    @lru_cache(maxsize=100)  # noqa: B019  # there is one for all games, and most of these have the same schedule
    def to_representation(self, schedule: Schedule) -> dict[str, Any]:
        values: dict[str, Any] = super().to_representation(msgspec.structs.asdict(schedule))
        return {
            **values,
            "time_bank": schedule.time_bank and TimeBankSerializer(msgspec.structs.asdict(schedule.time_bank)).data,
        }


class ReasonSerializer(serializers.Serializer[Any]):
    """A step that led to a deadline."""

    code = serializers.ChoiceField(
        choices=["turn", "reaction", "choice", "time-bank", "days-off", "vacation", "fixed-hour", "sleep", "moved"],
        help_text="`turn`, `reaction`, `choice` or `time-bank`: how much time there was; then what made it later.",
    )
    text = serializers.CharField(help_text="As a sentence, in your language.")
    until = serializers.DateTimeField(help_text="The deadline by this reason and those before it.")


def chosen_fields() -> dict[str, serializers.Field[Any, Any, Any, Any]]:
    """Return the fields for the terms that a host may choose. A term that is left out has its default."""
    return {name: _field(described, default=_default(described)) for name, described in TERMS.items()}


def _default(described: Described) -> Any:
    """Return the default of a field. A schedule's default is not described, because client generators accept no object
    there."""
    return Schedule if isinstance(described.default, Schedule) else described.default


def agreed_fields() -> dict[str, serializers.Field[Any, Any, Any, Any]]:
    """Return read-only fields for the terms of an existing game."""
    return {name: _field(described, source=f"terms.{name}", read_only=True) for name, described in TERMS.items()}


def _field(described: Described, **kwargs: Any) -> serializers.Field[Any, Any, Any, Any]:
    term = described.term
    kwargs["help_text"] = term.description
    match described.shape:
        case inspect.BoolType():
            return serializers.BooleanField(**kwargs)
        case inspect.IntType():
            return serializers.IntegerField(min_value=term.least, max_value=term.most, **kwargs)
        case inspect.LiteralType():
            return serializers.ChoiceField(choices=described.values, **kwargs)
        case inspect.TimeDeltaType():
            return PeriodField(shortest=_to_text(term.least), longest=_to_text(term.most), **kwargs)
        case _:
            return ScheduleSerializer(**kwargs)


def _to_text(length: Any) -> str:
    return PeriodField(shortest="PT0S", longest="P60D").to_representation(length)
