"""The shape of somebody's preferences in the API: which emails they want, and when."""

import re
from datetime import timedelta
from typing import Any, ClassVar, Final

from django.utils.dateparse import parse_duration
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail

from accounts.web.serializers import LocalTimeField, StrictSerializer
from notifications.models import Preferences
from notifications.recipients import channel_choice, preferences
from notifications.recipients.preferences import MOST_MUTED

MOST_REMINDERS: Final = 8
_PART: Final = re.compile(r"[1-9][0-9]?%", re.ASCII)
_LONGEST: Final = timedelta(days=30)
_SHORTEST: Final = timedelta(minutes=1)


class StepField(serializers.CharField):
    """A step of the reminder schedule."""

    default_error_messages: ClassVar = {
        "step": _("Write a part of the time to answer, such as 50%, or a duration before its end, such as PT1H.")
    }

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=20, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        step = str(super().to_internal_value(data))
        if not (_PART.fullmatch(step) or _is_period(step)):
            self.fail("step")
        return step


def _is_period(step: str) -> bool:
    try:
        period = parse_duration(step) if step.startswith("P") else None
    except OverflowError:
        return False
    return period is not None and _SHORTEST <= period <= _LONGEST


class WaysField(serializers.ListField):
    """By which ways a kind of rendered notification comes."""

    def __init__(self, **kwargs: Any) -> None:
        ways_there_are = [(way, way) for way in channel_choice.WAYS]
        super().__init__(child=serializers.ChoiceField(choices=ways_there_are), required=False, **kwargs)

    def to_internal_value(self, data: Any) -> list[str]:
        return list(dict.fromkeys(super().to_internal_value(data)))


class ChannelsSerializer(StrictSerializer):
    """By which ways each kind of rendered notification comes to me."""

    question = WaysField(
        help_text="I am asked something. It comes by one way that works: where none of these does, or nothing has been "
        "taken for ten minutes, by email."
    )
    reminder = WaysField(help_text="A question still waits. It comes by email where no way that is named works.")
    game = WaysField(help_text="A game of mine has begun or ended.")
    chat = WaysField(help_text="Somebody wrote in the chat of a game of mine.")
    invitation = WaysField(help_text="I am asked to a table.")

    def to_representation(self, channels: dict[str, list[str]]) -> dict[str, list[str]]:
        return {kind: list(channels.get(kind, channel_choice.USUAL)) for kind, _field in self.fields.items()}


class PreferencesSerializer(StrictSerializer):
    """The emails that I want from my games, and when."""

    mails = serializers.BooleanField(
        required=False,
        help_text="Whether emails about tables come at all. By default for people yes, for `is_bot` accounts no.",
    )
    digest = serializers.ChoiceField(
        choices=Preferences.Digest.choices,
        required=False,
        help_text="`at-once`: each as it happens; `hours`: at most one in `digest_every` hours; "
        "`daily`: at the hour `digest_at` of my time zone. A question never waits longer than there is time to answer.",
    )
    digest_every = serializers.IntegerField(min_value=1, max_value=168, required=False, help_text="Hours.")
    digest_at = serializers.IntegerField(min_value=0, max_value=23, required=False, help_text="A local hour.")
    quiet_from = LocalTimeField(
        allow_null=True, required=False, help_text="From then to `quiet_to`, local time, no email comes that can wait."
    )
    quiet_to = LocalTimeField(
        allow_null=True, required=False, help_text="Set together with `quiet_from`; both null: none."
    )
    reminders = serializers.ListField(
        child=StepField(),
        max_length=MOST_REMINDERS,
        required=False,
        help_text="When to be reminded of a question: `80%` of its time, or `PT1H` before its end.",
    )
    receipts = serializers.BooleanField(required=False, help_text="Whether an answer by email gets a receipt.")
    channels = ChannelsSerializer(
        required=False,
        help_text="For each kind of notice the ways by which it comes: `mail`, `push` (to my devices), `webhook` (my "
        "program is told, so no email is needed). Kinds that are not named stay as they are.",
    )
    muted = serializers.ListField(
        child=serializers.CharField(max_length=100),
        max_length=MOST_MUTED,
        required=False,
        help_text="Of what no emails are wanted: `game:<id>`, `chat:<id>` (its chat), or `chat` (all chats).",
    )

    def to_representation(self, wanted: Preferences) -> dict[str, Any]:
        return {**super().to_representation(wanted), "mails": wanted.wants_mails}

    def get_attribute(self, account: Any) -> Preferences:
        """Return the preferences; the defaults for an account that never said anything."""
        return preferences.of(account)

    def validate_reminders(self, steps: list[str]) -> list[str]:
        return list(dict.fromkeys(steps))

    def validate_muted(self, topics: list[str]) -> list[str]:
        return list(dict.fromkeys(topics))

    def validate(self, chosen: dict[str, Any]) -> dict[str, Any]:
        ends = [chosen[field] for field in ("quiet_from", "quiet_to") if field in chosen]
        if len(ends) == 1 or (ends and (ends[0] is None) != (ends[1] is None)):
            sentence = _("Quiet hours have a beginning and an end; set both, or both to null.")
            raise serializers.ValidationError({"quiet_from": ErrorDetail(str(sentence), code="quiet-hours")})
        return chosen
