"""Games, notifications and emails: their state, without secrets or texts."""

from typing import Any, ClassVar

from django.contrib.admin import TabularInline
from django.http import HttpRequest

from games.administration.read_only import ReadOnlyAdmin
from games.models import Seat


class SeatInline(TabularInline):  # type: ignore[type-arg]  # generic in its stubs only
    """The seats of a game."""

    model = Seat
    fields: ClassVar = ("number", "account", "bot", "name")
    readonly_fields: ClassVar = fields
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class GameAdmin(ReadOnlyAdmin):
    """Tables. The position of a game is never shown, not even after its end."""

    list_display = ("created_at", "rules", "state", "seat_count", "bot_count", "private", "host")
    list_filter = ("state", "rules", "private", "created_at")
    search_fields = ("id", "seats__account__name", "seats__account__email")
    ordering = ("-created_at",)
    fields = (
        "id",
        "rules",
        "rules_version",
        "options",
        "seat_count",
        "bot_count",
        "terms",
        "private",
        "state",
        "host",
        "commitment",
        "created_at",
        "started_at",
        "ended_at",
    )
    inlines: ClassVar = [SeatInline]


class NotificationAdmin(ReadOnlyAdmin):
    """Notifications in progress: recipient, reason and state, without their text."""

    list_display = ("created_at", "reason", "account", "channel", "state", "attempts", "sent_at")
    list_filter = ("state", "reason", "channel", "created_at")
    search_fields = ("account__name", "account__email", "address", "topic")
    ordering = ("-created_at",)
    fields = (
        "id",
        "account",
        "address",
        "channel",
        "reason",
        "topic",
        "state",
        "attempts",
        "next_attempt_at",
        "created_at",
        "sent_at",
        "held",
        "latest_at",
    )


class UnreadReplyAdmin(ReadOnlyAdmin):
    """Replies of players that were received and could not be read: the time and the reason, without the account."""

    list_display = ("received_at", "why", "game_id")
    list_filter = ("why", "received_at")
    ordering = ("-received_at",)
    fields = ("received_at", "why", "game_id")


class RawMailAdmin(ReadOnlyAdmin):
    """Received emails: sender and time, without their text."""

    list_display = ("received_at", "sender", "state", "attempts")
    list_filter = ("state", "received_at")
    search_fields = ("sender",)
    ordering = ("-received_at",)
    fields = ("sender", "received_at", "state", "attempts", "first_attempt_at", "next_attempt_at")
