"""The shapes of deadlines in the API: what a table agrees on about time, and why an answer is due when it is."""

from typing import Any

import msgspec
from rest_framework import serializers

from accounts.web.serializers import LocalTimeField, PeriodField, StrictSerializer
from games.deadlines import calculation
from games.deadlines.calculation import MOST_SLEEP, MOST_VACATION, WEEKDAYS, Clock
from games.deadlines.terms import MOST_DATES, MOST_HOURS


class BankSerializer(StrictSerializer):
    """A store of time that each seat has."""

    time = PeriodField(shortest="PT1M", longest="P30D", help_text="What it holds at the beginning.")
    increment = PeriodField(
        shortest="PT1M",
        longest="P30D",
        help_text="What it gets when a question is answered, by the clock too: an empty bank holds as much next time.",
    )


class ClockSerializer(StrictSerializer):
    """What a table agrees on about time, beside the three lengths."""

    zone = serializers.CharField(
        max_length=64, default="UTC", help_text="Where the hours and days are, of the IANA list: Asia/Tehran."
    )
    closes_at = serializers.ListField(
        child=LocalTimeField(),
        max_length=MOST_HOURS,
        default=list,
        help_text="Hours of the day at which alone time is over: at the first that leaves the whole length.",
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
    bank = BankSerializer(
        default=None,
        allow_null=True,
        help_text="In place of `turn` and `choice`: time that is used up. Where a bank is empty the clock answers at "
        "once. Windows keep their length.",
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
        help_text="On so many days of a year a player's vacation stops their clock. 0: none.",
    )

    def to_internal_value(self, data: Any) -> Clock:
        said = super().to_internal_value(data)
        bank = said["bank"] and calculation.Bank(**said["bank"])
        lists = {name: tuple(dict.fromkeys(said[name])) for name in ("closes_at", "days_off", "dates_off")}
        return Clock(**{**said, **lists, "bank": bank})

    def to_representation(self, clock: Clock) -> dict[str, Any]:
        shown: dict[str, Any] = super().to_representation(msgspec.structs.asdict(clock))
        return {**shown, "bank": clock.bank and BankSerializer(msgspec.structs.asdict(clock.bank)).data}


class ReasonSerializer(serializers.Serializer[Any]):
    """One of the steps that led to a deadline."""

    code = serializers.ChoiceField(
        choices=["turn", "window", "choice", "bank", "days-off", "vacation", "fixed-hour", "sleep", "moved"],
        help_text="`turn`, `window`, `choice` or `bank`, how long there was; then what made it later.",
    )
    text = serializers.CharField(help_text="As a sentence, in my language.")
    until = serializers.DateTimeField(help_text="When it would be due by this and the steps before it.")
