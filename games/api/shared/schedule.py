"""The shapes of deadlines in the API: what a table agrees on about time, and why an answer is due when it is."""

from typing import Any

import msgspec
from rest_framework import serializers

from accounts.web.serializers import LocalTimeField, PeriodField, StrictSerializer
from games.terms.schedule import MOST_DATES, MOST_HOURS, MOST_SLEEP, MOST_VACATION, WEEKDAYS, Schedule, TimeBank


class TimeBankSerializer(StrictSerializer):
    """The time bank that each seat has."""

    time = PeriodField(shortest="PT1M", longest="P30D", help_text="What it holds at the beginning.")
    increment = PeriodField(
        shortest="PT1M",
        longest="P30D",
        help_text="What it gets with every move, also one made by timeout: an empty time bank holds as much next time.",
    )


class ScheduleSerializer(StrictSerializer):
    """The schedule of a game: its terms about time beside the three limits."""

    zone = serializers.CharField(
        max_length=64, default="UTC", help_text="Where the hours and days are, of the IANA list: Asia/Tehran."
    )
    closes_at = serializers.ListField(
        child=LocalTimeField(),
        max_length=MOST_HOURS,
        default=list,
        help_text="Hours of the day at which alone time is over: at the first that leaves the whole limit.",
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
        help_text="In place of `turn_limit` and `choice_limit`: time that is used up. Where a time bank is empty a "
        "question times out at once. Reactions keep their limit.",
    )
    sleep = serializers.IntegerField(
        min_value=0,
        max_value=MOST_SLEEP,
        default=MOST_SLEEP,
        help_text="So many hours of a player's sleep count: no deadline of theirs falls into them. 0: none.",
    )
    vacation = serializers.IntegerField(
        min_value=0,
        max_value=MOST_VACATION,
        default=MOST_VACATION,
        help_text="So many days of a player's vacation count in a year: no time of theirs passes on them. 0: none.",
    )

    def to_internal_value(self, data: Any) -> Schedule:
        said = super().to_internal_value(data)
        time_bank = said["time_bank"] and TimeBank(**said["time_bank"])
        lists = {name: tuple(dict.fromkeys(said[name])) for name in ("closes_at", "days_off", "dates_off")}
        return Schedule(**{**said, **lists, "time_bank": time_bank})

    def to_representation(self, schedule: Schedule) -> dict[str, Any]:
        shown: dict[str, Any] = super().to_representation(msgspec.structs.asdict(schedule))
        return {
            **shown,
            "time_bank": schedule.time_bank and TimeBankSerializer(msgspec.structs.asdict(schedule.time_bank)).data,
        }


class ReasonSerializer(serializers.Serializer[Any]):
    """One of the steps that led to a deadline."""

    code = serializers.ChoiceField(
        choices=["turn", "reaction", "choice", "time-bank", "days-off", "vacation", "fixed-hour", "sleep", "moved"],
        help_text="`turn`, `reaction`, `choice` or `time-bank`, how long there was; then what made it later.",
    )
    text = serializers.CharField(help_text="As a sentence, in my language.")
    until = serializers.DateTimeField(help_text="When it would be due by this and the steps before it.")
