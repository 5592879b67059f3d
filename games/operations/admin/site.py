"""The admin site, access to it, and the names of tables and fields.

The names are set when the pages are built and not in the models: there each would need a migration, and no other page
shows them.
"""

from collections.abc import Iterable
from typing import Any, Final

from django.contrib.admin import AdminSite
from django.contrib.auth.models import Group
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.authentication.sessions import has_passed_factor, redirect_to_reauthentication
from accounts.models import Account, ModerationAction, Report
from accounts.second_factors import has_factor
from games.models import Club, Game, Stall, Tournament, UnreadReply
from games.operations.admin import attention, figures
from games.operations.admin.games import (
    GameAdmin,
    NewsAdmin,
    NotificationAdmin,
    RawMailAdmin,
    SetAsideAdmin,
    StallAdmin,
    UnreadReplyAdmin,
)
from games.operations.admin.people import (
    AccountAdmin,
    ClubAdmin,
    GroupAdmin,
    ModerationActionAdmin,
    ReportAdmin,
    TournamentAdmin,
)
from notifications.models import News, Notification, RawMail
from notifications.set_aside import SetAside


class DarbarAdminSite(AdminSite):
    """The admin site. It uses the server's own log-in page and requires a second factor."""

    site_header = site_title = _("Darbar: for the operator and the moderators")
    index_title = _("Overview of the games")
    site_url = "/"
    index_template = "games/administration/index.html"

    def get_urls(self) -> list[Any]:
        """Return Django's URLs and those of our own pages."""
        return [
            path("health/", self.admin_view(self.health), name="health"),
            path("attention/", self.admin_view(self.attention), name="attention"),
            path("waiting/", self.admin_view(self.waiting), name="waiting"),
            path("company/", self.admin_view(self.company), name="company"),
            *super().get_urls(),
        ]

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """Show the red signs of health, and moderators the number of open reports, above Django's list."""
        open_reports = Report.objects.filter(state=Report.State.OPEN).count()
        more = {"red_signs": figures.red_titles(), "open_reports": open_reports}
        return super().index(request, {**(extra_context or {}), **more})

    def health(self, request: HttpRequest) -> HttpResponse:
        """Show the signs of health."""
        return figures.health_page(request, self.each_context(request))

    def attention(self, request: HttpRequest) -> HttpResponse:
        """Show everything that waits for the operator, and what to do about it."""
        return attention.page(request, self.each_context(request))

    def company(self, request: HttpRequest) -> HttpResponse:
        """Show moderators the accounts that may belong together."""
        if not request.user.has_perm("accounts.moderate"):
            raise PermissionDenied
        return figures.company_page(request, _account(request), self.each_context(request))

    def waiting(self, request: HttpRequest) -> HttpResponse:
        """Show how long games have been waiting, by cause."""
        return figures.waiting_page(request, self.each_context(request))

    def has_permission(self, request: HttpRequest) -> bool:
        """Return whether a staff account has a second factor and this session has passed it."""
        return super().has_permission(request) and has_passed_factor(request) and has_factor(_account(request))

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Redirect anonymous visitors to the log-in page and staff to their second factor. Refuse other accounts."""
        next_url = request.GET.get("next") or reverse("admin:index")
        if not request.user.is_authenticated:
            return redirect_to_login(next_url)
        if not super().has_permission(request):
            raise PermissionDenied
        return redirect_to_reauthentication(next_url) if has_factor(_account(request)) else redirect("settings-factors")

    def password_change(  # type: ignore[override]  # Django's shows a page of its own
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Redirect to the settings, where changing a password requires a recent proof of identity."""
        return redirect("settings-password")


def _account(request: HttpRequest) -> Account:
    """Return the account of a staff request."""
    assert isinstance(request.user, Account)
    return request.user


site = DarbarAdminSite(name="admin")
site.register(Account, AccountAdmin)
site.register(Group, GroupAdmin)
site.register(Report, ReportAdmin)
site.register(ModerationAction, ModerationActionAdmin)
site.register(Club, ClubAdmin)
site.register(Tournament, TournamentAdmin)
site.register(Game, GameAdmin)
site.register(Notification, NotificationAdmin)
site.register(RawMail, RawMailAdmin)
site.register(UnreadReply, UnreadReplyAdmin)
site.register(News, NewsAdmin)
site.register(SetAside, SetAsideAdmin)
site.register(Stall, StallAdmin)


FIELDS: Final = {
    "about": pgettext_lazy("field in the administration", "about"),
    "setaside.about": pgettext_lazy("field in the administration", "belongs to"),
    "account": pgettext_lazy("field in the administration", "account"),
    "accused": pgettext_lazy("field in the administration", "accused"),
    "address": pgettext_lazy("field in the administration", "address"),
    "at": pgettext_lazy("field in the administration", "at"),
    "attempts": pgettext_lazy("field in the administration", "attempts"),
    "bot_count": pgettext_lazy("field in the administration", "bot count"),
    "channel": pgettext_lazy("field in the administration", "channel"),
    "commitment": pgettext_lazy("field in the administration", "commitment"),
    "created_at": pgettext_lazy("field in the administration", "created at"),
    "ended_at": pgettext_lazy("field in the administration", "ended at"),
    "endpoint": pgettext_lazy("field in the administration", "endpoint"),
    "error": pgettext_lazy("field in the administration", "error"),
    "evidence": pgettext_lazy("field in the administration", "evidence"),
    "failure": pgettext_lazy("field in the administration", "failure"),
    "first_attempt_at": pgettext_lazy("field in the administration", "first attempt at"),
    "game_id": pgettext_lazy("field in the administration", "game id"),
    "held": pgettext_lazy("field in the administration", "held"),
    "host": pgettext_lazy("field in the administration", "host"),
    "is_active": pgettext_lazy("field in the administration", "is active"),
    "is_staff": pgettext_lazy("field in the administration", "is staff"),
    "kind": pgettext_lazy("field in the administration", "kind"),
    "latest_at": pgettext_lazy("field in the administration", "latest at"),
    "made_at": pgettext_lazy("field in the administration", "made at"),
    "moderator": pgettext_lazy("field in the administration", "moderator"),
    "name": pgettext_lazy("field in the administration", "name"),
    "next_attempt_at": pgettext_lazy("field in the administration", "next attempt at"),
    "options": pgettext_lazy("field in the administration", "options"),
    "outcome": pgettext_lazy("field in the administration", "outcome"),
    "place": pgettext_lazy("field in the administration", "place"),
    "private": pgettext_lazy("field in the administration", "private"),
    "readers": pgettext_lazy("field in the administration", "readers"),
    "reason": pgettext_lazy("field in the administration", "reason"),
    "received_at": pgettext_lazy("field in the administration", "received at"),
    "report": pgettext_lazy("field in the administration", "report"),
    "reporter": pgettext_lazy("field in the administration", "reporter"),
    "rules": pgettext_lazy("field in the administration", "rules"),
    "rules_version": pgettext_lazy("field in the administration", "rules version"),
    "seat_count": pgettext_lazy("field in the administration", "seat count"),
    "sender": pgettext_lazy("field in the administration", "sender"),
    "sent_at": pgettext_lazy("field in the administration", "sent at"),
    "settled_at": pgettext_lazy("field in the administration", "settled at"),
    "silent_until": pgettext_lazy("field in the administration", "silent until"),
    "since": pgettext_lazy("field in the administration", "since"),
    "started_at": pgettext_lazy("field in the administration", "started at"),
    "state": pgettext_lazy("field in the administration", "state"),
    "status": pgettext_lazy("field in the administration", "HTTP status"),
    "subject": pgettext_lazy("field in the administration", "subject"),
    "setaside.subject": pgettext_lazy("field in the administration", "identifier"),
    "suspended_until": pgettext_lazy("field in the administration", "suspended until"),
    "terms": pgettext_lazy("field in the administration", "terms"),
    "topic": pgettext_lazy("field in the administration", "topic"),
    "tries": pgettext_lazy("field in the administration", "tries"),
    "try_at": pgettext_lazy("field in the administration", "try at"),
    "until": pgettext_lazy("field in the administration", "until"),
    "why": pgettext_lazy("field in the administration", "why"),
    "written_at": pgettext_lazy("field in the administration", "written at"),
}
"""Labels by the name of the field, or by table and field if the name has another meaning there."""

TABLES: Final = {
    "account": (
        pgettext_lazy("row in the administration", "account"),
        pgettext_lazy("table in the administration", "accounts"),
    ),
    "club": (
        pgettext_lazy("row in the administration", "club"),
        pgettext_lazy("table in the administration", "clubs"),
    ),
    "game": (
        pgettext_lazy("row in the administration", "game"),
        pgettext_lazy("table in the administration", "games"),
    ),
    "moderationaction": (
        pgettext_lazy("row in the administration", "moderation action"),
        pgettext_lazy("table in the administration", "moderation actions"),
    ),
    "news": (
        pgettext_lazy("row in the administration", "piece of news"),
        pgettext_lazy("table in the administration", "news"),
    ),
    "notification": (
        pgettext_lazy("row in the administration", "notification"),
        pgettext_lazy("table in the administration", "notifications"),
    ),
    "rawmail": (
        pgettext_lazy("row in the administration", "received email"),
        pgettext_lazy("table in the administration", "received emails"),
    ),
    "report": (
        pgettext_lazy("row in the administration", "report"),
        pgettext_lazy("table in the administration", "reports"),
    ),
    "setaside": (
        pgettext_lazy("row in the administration", "piece of work set aside"),
        pgettext_lazy("table in the administration", "set aside"),
    ),
    "stall": (
        pgettext_lazy("row in the administration", "stalled game"),
        pgettext_lazy("table in the administration", "stalled games"),
    ),
    "tournament": (
        pgettext_lazy("row in the administration", "tournament"),
        pgettext_lazy("table in the administration", "tournaments"),
    ),
    "unreadreply": (
        pgettext_lazy("row in the administration", "unread reply"),
        pgettext_lazy("table in the administration", "unread replies"),
    ),
}


def name_fields(models: Iterable[type[Model]]) -> None:
    """Set the verbose names of these models, and of those of their fields that have none."""
    for model in models:
        if (names := TABLES.get(model._meta.model_name or "")) is None:
            continue
        model._meta.verbose_name, model._meta.verbose_name_plural = names
        for field in model._meta.concrete_fields:
            if "verbose_name" not in field.deconstruct()[3]:
                keys = (f"{model._meta.model_name}.{field.name}", field.name, field.attname)
                field.verbose_name = next((FIELDS[key] for key in keys if key in FIELDS), field.verbose_name)


name_fields(site._registry)
