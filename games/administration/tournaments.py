"""Tournaments, for moderators: the public description of a tournament, and its host."""

from typing import Any

from django.contrib.admin import display
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import pgettext_lazy

from games.administration.read_only import ModeratorAdmin


class TournamentAdmin(ModeratorAdmin):
    """Tournaments. A moderator acts on their host."""

    list_display = ("created_at", "name", "about", "organizer", "state")
    list_filter = ("state", "created_at")
    list_select_related = ("host",)
    search_fields = ("name", "about", "host__name")
    ordering = ("-created_at",)
    fields = ("name", "about", "organizer", "state", "created_at")

    @display(description=pgettext_lazy("of a tournament", "host"))
    def organizer(self, tournament: Any) -> SafeString:
        """Return the host, with a link to the page on which moderators act."""
        if tournament.host is None:
            return SafeString("–")
        account = reverse("admin:accounts_account_change", args=[tournament.host_id])
        return format_html('<a href="{}">{}</a>', account, tournament.host.name)
