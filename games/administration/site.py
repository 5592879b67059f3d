"""The admin site, and access to it."""

from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.auth.models import Group
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext_lazy as _

from accounts.authentication.reauthentication import has_passed_factor
from accounts.authentication.second_factor_middleware import redirect_to_reauthentication
from accounts.models import Account, ModerationAction, Report
from accounts.second_factor.factors import has_factor
from games.administration import company, health, waiting
from games.administration.clubs import ClubAdmin
from games.administration.field_names import name_fields
from games.administration.games import GameAdmin, NotificationAdmin, RawMailAdmin, UnreadReplyAdmin
from games.administration.news import NewsAdmin
from games.administration.people import AccountAdmin, GroupAdmin, ModerationActionAdmin, ReportAdmin
from games.administration.set_aside import SetAsideAdmin, StallAdmin
from games.administration.tournaments import TournamentAdmin
from games.models import Club, Game, Stall, Tournament, UnreadReply
from notifications.models import News, Notification, RawMail
from notifications.set_aside import SetAside


class DarbarAdminSite(AdminSite):
    """The admin site. It uses the server's own log-in page and requires a second factor."""

    site_header = site_title = _("Darbar: for the operator and the moderators")
    index_title = _("Overview of the tables")
    site_url = "/"
    index_template = "games/administration/index.html"

    def get_urls(self) -> list[Any]:
        """Return Django's URLs and those of our own pages: health, waiting, and accounts that may belong together."""
        return [
            path("health/", self.admin_view(self.health), name="health"),
            path("waiting/", self.admin_view(self.waiting), name="waiting"),
            path("company/", self.admin_view(self.company), name="company"),
            *super().get_urls(),
        ]

    def health(self, request: HttpRequest) -> HttpResponse:
        """Show the signs of health."""
        return health.page(request, self.each_context(request))

    def company(self, request: HttpRequest) -> HttpResponse:
        """Show moderators the accounts that may belong together."""
        if not request.user.has_perm("accounts.moderate"):
            raise PermissionDenied
        return company.page(request, _account(request), self.each_context(request))

    def waiting(self, request: HttpRequest) -> HttpResponse:
        """Show how long games have been waiting, by cause."""
        return waiting.page(request, self.each_context(request))

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
name_fields(site._registry)
