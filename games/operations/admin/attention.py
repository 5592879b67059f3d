"""The page with all that waits for the operator, and what to do about it. It names no player, game or address."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Min, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import Report
from config.core import clock
from games.models import Game, Stall, TableChannel
from games.phrases import number, period
from notifications import set_aside
from notifications.endpoints import Webhook
from notifications.models import Deliverability
from notifications.set_aside import SetAside

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True)
class Line:
    """Work of one kind: a row of the table."""

    title: "StrOrPromise"
    rows: QuerySet[Any]
    since: str
    """The field with the time since which a row waits."""
    advice: "StrOrPromise"
    link: str = ""
    """The name of the URL of the list, if it has one."""
    permission: str = ""
    """The permission to open the list."""
    query: str = ""
    """The query parameters by which the list has only these rows."""


_REPAIR: "StrOrPromise" = gettext_lazy("Fix what the error names. Then try it again, or acknowledge it.")


def lines() -> Iterator[Line]:
    """Yield every kind of work that can wait for the operator."""
    aside = "admin:notifications_setaside_changelist"
    for kind, title in (
        (SetAside.Kind.MOVE, gettext_lazy("Moves that were set aside")),
        (SetAside.Kind.MAIL, gettext_lazy("Emails from players that were set aside")),
    ):
        query = f"?kind__exact={kind}"
        yield Line(title, set_aside.unsettled(kind), "at", _REPAIR, aside, "notifications.view_setaside", query)
    yield Line(
        gettext_lazy("Notifications we gave up on"),
        set_aside.unsettled(SetAside.Kind.NOTIFICATION),
        "at",
        gettext_lazy("Some mailboxes refuse everything: acknowledge those. If there are many, run darbar doctor."),
        aside,
        "notifications.view_setaside",
        f"?kind__exact={SetAside.Kind.NOTIFICATION}",
    )
    yield Line(
        gettext_lazy("Stalled games"),
        Stall.objects.all(),
        "since",
        gettext_lazy(
            "Fix what the error names. The server keeps trying by itself, and no deadline passes in the meantime."
        ),
        "admin:games_stall_changelist",
        "games.view_stall",
    )
    yield Line(
        gettext_lazy("Webhooks that stopped"),
        Webhook.objects.exclude(disabled_at=None),
        "disabled_at",
        gettext_lazy(
            "Their owners have been told, and can turn them on again. If there are many, check the server’s internet "
            "connection."
        ),
    )
    stopped = TableChannel.objects.exclude(stopped_at=None)
    yield Line(
        gettext_lazy("Group chats that stopped"),
        stopped.filter(game__state__in=(Game.State.OPEN, Game.State.RUNNING)),
        "stopped_at",
        gettext_lazy("The host or the organizer has been told, and can connect the chat again."),
    )
    closed = Deliverability.objects.filter(since__isnull=False)
    for why, title in (
        (Deliverability.Why.BOUNCED, gettext_lazy("Email addresses that bounced")),
        (Deliverability.Why.COMPLAINED, gettext_lazy("Email addresses whose owners marked our email as spam")),
    ):
        advice = gettext_lazy("The pages ask their owners to confirm them. If there are many, run darbar doctor.")
        yield Line(title, closed.filter(why=why), "since", advice)
    yield Line(
        gettext_lazy("Open reports"),
        Report.objects.filter(state=Report.State.OPEN),
        "made_at",
        gettext_lazy("Decide on each one. Its page has the evidence."),
        "admin:accounts_report_changelist",
        "accounts.moderate",
        "?state__exact=open",
    )


@require_safe
@never_cache
def page(request: HttpRequest, site: Mapping[str, Any]) -> HttpResponse:
    """Return the page. ``site`` is the context of all pages of the admin."""
    now = clock.now()
    rows = [_row(line, request, now) for line in lines()]
    context = {**site, "title": _("Waiting for you"), "rows": [row for row in rows if row["count"]]}
    return render(request, "games/administration/attention.html", context)


def _row(line: Line, request: HttpRequest, now: datetime) -> dict[str, Any]:
    sums = line.rows.order_by().aggregate(count=Count("pk"), since=Min(line.since))
    may_open = bool(line.link) and request.user.has_perm(line.permission)
    return {
        "title": line.title,
        "count": sums["count"],
        "number": number(sums["count"]),
        "oldest": period(max(now - sums["since"], timedelta())) if sums["since"] else "",
        "advice": line.advice,
        "address": f"{reverse(line.link)}{line.query}" if may_open else "",
    }
