"""Clubs, for moderators: the public description of a club, and its owner. Its link and its games are not shown."""

from typing import Any

from django.contrib.admin import display
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import pgettext_lazy

from games.administration.read_only import ModeratorAdmin
from games.clubs.rights import Role
from games.models import Club


class ClubAdmin(ModeratorAdmin):
    """Clubs. A moderator acts on their owner."""

    list_display = ("created_at", "name", "about", "owner")
    list_filter = ("created_at",)
    search_fields = ("name", "about", "memberships__account__name")
    ordering = ("-created_at",)
    fields = ("name", "about", "owner", "created_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Club]:
        """Return the clubs, each with its owner."""
        owned: QuerySet[Club] = super().get_queryset(request).filter(memberships__role=Role.OWNER)
        return owned.annotate(owner_id=F("memberships__account"), owner_name=F("memberships__account__name"))

    @display(description=pgettext_lazy("role in a club", "owner"))
    def owner(self, club: Any) -> SafeString:
        """Return the owner, with a link to the page on which moderators act."""
        account = reverse("admin:accounts_account_change", args=[club.owner_id])
        return format_html('<a href="{}">{}</a>', account, club.owner_name)
