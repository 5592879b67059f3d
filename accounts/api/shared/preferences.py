"""Serializers of an account's preferences for notifications."""

import re
from datetime import timedelta
from typing import Any, ClassVar, Final

from django.utils.dateparse import parse_duration
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail
from rest_framework.fields import SkipField

from accounts.web.serializers import LocalTimeField, StrictSerializer
from notifications import preferences
from notifications.channels import registry
from notifications.channels.base import KEPT_SECRET, AddressedChannel, ForbiddenSecret, KeepsSecret
from notifications.channels.registry import CHANNELS
from notifications.endpoints import LONGEST_SECRET, LONGEST_URL
from notifications.kinds import KINDS
from notifications.models import ALONE, Preferences
from notifications.outgoing import ForbiddenAddress
from notifications.preferences import MOST_MUTED

MOST_REMINDERS: Final = 8
_PART: Final = re.compile(r"[1-9][0-9]?%", re.ASCII)
_LONGEST: Final = timedelta(days=30)
_SHORTEST: Final = timedelta(minutes=1)


class StepField(serializers.CharField):
    """A step of the reminder schedule."""

    default_error_messages: ClassVar = {
        "step": _(
            "Write a share of the time to answer, such as 50%, a duration before the deadline, such as PT1H, or the "
            "word “alone”."
        )
    }

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=20, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        step = str(super().to_internal_value(data))
        if not (step == ALONE or _PART.fullmatch(step) or _is_period(step)):
            self.fail("step")
        return step


def _is_period(step: str) -> bool:
    try:
        period = parse_duration(step) if step.startswith("P") else None
    except OverflowError:
        return False
    return period is not None and _SHORTEST <= period <= _LONGEST


class ChannelListField(serializers.ListField):
    """The channels of one kind of notification."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            child=serializers.ChoiceField(choices=[(name, name) for name in CHANNELS]), required=False, **kwargs
        )

    def to_internal_value(self, data: Any) -> list[str]:
        return list(dict.fromkeys(super().to_internal_value(data)))


class ChannelsSerializer(StrictSerializer):
    """The channels by which each kind of notification comes to you."""

    def get_fields(self) -> dict[str, Any]:
        return {name: ChannelListField(help_text=kind.description) for name, kind in KINDS.items()}

    def to_representation(self, channels: dict[str, list[str]]) -> dict[str, list[str]]:
        return {kind: list(channels.get(kind, registry.usual())) for kind in KINDS}


class AddressField(serializers.CharField):
    """The address to which a channel posts."""

    def __init__(self, channel: AddressedChannel) -> None:
        self.channel = channel
        super().__init__(max_length=LONGEST_URL, allow_null=True, required=False, help_text=channel.description)

    def to_internal_value(self, data: Any) -> str:
        address = str(super().to_internal_value(data))
        try:
            self.channel.check_address(address)
        except ForbiddenAddress as error:
            raise serializers.ValidationError(ErrorDetail(str(error), code="address")) from None
        return address


class AddressesSerializer(StrictSerializer):
    """Your address for each channel that needs one."""

    def get_fields(self) -> dict[str, Any]:
        return {name: AddressField(channel) for name, channel in registry.addressed().items()}

    def to_representation(self, addresses: dict[str, str]) -> dict[str, str | None]:
        return {name: addresses.get(name) for name in registry.addressed()}


class SecretField(serializers.CharField):
    """The secret that the server of a channel requires."""

    def __init__(self, channel: KeepsSecret) -> None:
        self.channel = channel
        super().__init__(max_length=LONGEST_SECRET, allow_null=True, required=False, help_text=channel.description)

    def to_internal_value(self, data: Any) -> str:
        secret = str(super().to_internal_value(data))
        if secret == KEPT_SECRET:
            raise SkipField
        try:
            self.channel.check_secret(secret)
        except ForbiddenSecret as error:
            raise serializers.ValidationError(ErrorDetail(str(error), code="secret")) from None
        return secret


class SecretsSerializer(StrictSerializer):
    """Your secret for each channel that needs one."""

    def get_fields(self) -> dict[str, Any]:
        return {name: SecretField(channel) for name, channel in registry.secret().items()}

    def get_attribute(self, instance: Preferences) -> Preferences:
        return instance

    def to_representation(self, row: Preferences) -> dict[str, str | None]:
        return {name: KEPT_SECRET if row.secret_of(name) else None for name in registry.secret()}


class PreferencesSerializer(StrictSerializer):
    """The emails that you want from your games, and when."""

    mails = serializers.BooleanField(
        required=False,
        help_text="True if emails about games come at all. By default true for people, false for `is_bot` accounts.",
    )
    digest = serializers.ChoiceField(
        choices=Preferences.Digest.choices,
        required=False,
        help_text="`at-once`: each as it happens; `hours`: at most one in `digest_every` hours; `daily`: at the "
        "hour `digest_at` of your time zone. A question never waits longer than there is time to answer.",
    )
    digest_every = serializers.IntegerField(min_value=1, max_value=168, required=False, help_text="Hours.")
    digest_at = serializers.IntegerField(min_value=0, max_value=23, required=False, help_text="A local hour.")
    quiet_from = LocalTimeField(
        allow_null=True,
        required=False,
        help_text="The hour, in your time zone, from which no email comes that can wait, until `quiet_to`.",
    )
    quiet_to = LocalTimeField(
        allow_null=True, required=False, help_text="Set it together with `quiet_from`; both null: no quiet hours."
    )
    reminders = serializers.ListField(
        child=StepField(),
        max_length=MOST_REMINDERS,
        required=False,
        help_text="The times at which you are reminded of a question: `80%` of its time, or `PT1H` before its "
        "end. `alone`: after a quarter of its time, if you were asked alone.",
    )
    learns_hours = serializers.BooleanField(
        required=False,
        help_text="True if reminders that are a part of the time may come shortly before hours at which you usually "
        "answer. They follow from your finished games, and nobody else learns of them. `me/export/` has them; "
        "false deletes them. Questions that are open already keep their reminders.",
    )
    receipts = serializers.BooleanField(
        required=False,
        help_text="True if a move by email is confirmed, unless another email tells of it within an hour.",
    )
    only_aimed = serializers.BooleanField(
        required=False,
        help_text="True if games that start from now on ask you only what concerns you: each starts with the "
        "plan that allows what others do to others, if the game has one (`games/{game}/plans/`).",
    )
    news = serializers.BooleanField(
        required=False,
        help_text="True if news from the operator of this server comes by email. False by default.",
    )
    channels = ChannelsSerializer(
        required=False,
        help_text="The channels for each kind of notification: "
        + ", ".join(f"`{name}` ({channel.description})" for name, channel in CHANNELS.items())
        + ". Kinds that are left out stay as they are.",
    )
    addresses = AddressesSerializer(
        required=False,
        help_text="The address for each channel that needs one; null: none. Channels that are left out stay as "
        "they are.",
    )
    secrets = SecretsSerializer(
        required=False,
        help_text="The secret for each channel that needs one: what its server asks for, or the address of a webhook; "
        f"null: none. A secret is never shown: you read `{KEPT_SECRET}`, and sending that back keeps it. A new address "
        "needs its secret in the same request.",
    )
    muted = serializers.ListField(
        child=serializers.CharField(max_length=100),
        max_length=MOST_MUTED,
        required=False,
        help_text="The subjects of which you want no emails: `game:<id>`, `chat:<id>` (its chat), or `chat` "
        "(all chats).",
    )

    def to_representation(self, row: Preferences) -> dict[str, Any]:
        return {**super().to_representation(row), "mails": row.wants_mails}

    def get_attribute(self, account: Any) -> Preferences:
        """Return the account's preferences, or the defaults if it has never set any."""
        return preferences.of(account)

    def validate_reminders(self, steps: list[str]) -> list[str]:
        return list(dict.fromkeys(steps))

    def validate_muted(self, topics: list[str]) -> list[str]:
        return list(dict.fromkeys(topics))

    def validate(self, changes: dict[str, Any]) -> dict[str, Any]:
        ends = [changes[field] for field in ("quiet_from", "quiet_to") if field in changes]
        if len(ends) == 1 or (ends and (ends[0] is None) != (ends[1] is None)):
            sentence = _("Quiet hours need a start and an end. Set both, or set both to null.")
            raise serializers.ValidationError({"quiet_from": ErrorDetail(str(sentence), code="quiet-hours")})
        self._check_secrets(changes)
        return changes

    def _check_secrets(self, changes: dict[str, Any]) -> None:
        """Raise ValidationError if a channel would have an address without its secret, or the reverse."""
        account: Any = self.root.instance
        if incomplete := preferences.incomplete(preferences.of(account), changes):
            sentence = _("This channel needs an address and a secret. Set both, or set both to null.")
            error = ErrorDetail(str(sentence), code="secret")
            raise serializers.ValidationError({"secrets": {name: [error] for name in incomplete}})
