"""Serializers of deadlines: the schedule of a game, and the reasons for a deadline."""

from functools import lru_cache
from typing import Any

import msgspec
from rest_framework import serializers

from accounts.web.serializers import LocalTimeField, PeriodField, StrictSerializer
from games.terms.schedule import MOST_DATES, MOST_HOURS, MOST_SLEEP, MOST_VACATION, WEEKDAYS, Schedule, TimeBank


class TimeBankSerializer(StrictSerializer):
    """The time bank that each seat has."""

    time = PeriodField(shortest="PT1M", longest="P30D", help_text="The time in it at the beginning.")
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
