"""Work that was set aside and games that are stalled: ids, places of errors and times, and never any content."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.contrib import messages
from django.contrib.admin import SimpleListFilter, action
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from config.core import clock
from games.administration.read_only import ReadOnlyAdmin
from games.models import Stall
from games.operations import retrying
from games.play import stalls
from games.text.phrases import number
from notifications.set_aside import SetAside


class SettledFilter(SimpleListFilter):
    """Shows open rows by default, and all on request."""

    title = pgettext_lazy("state of a mail", "settled")
    parameter_name = "settled"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", pgettext_lazy("filter", "Yes")), ("all", pgettext_lazy("filter", "All"))]

    def choices(self, changelist: Any) -> Iterator[Any]:
        first, *rest = super().choices(changelist)
        yield {**first, "display": pgettext_lazy("filter", "No")}
        yield from rest

    def queryset(self, request: HttpRequest, queryset: QuerySet[SetAside]) -> QuerySet[SetAside]:
        if self.value() == "all":
            return queryset
        return queryset.filter(settled_at__isnull=self.value() != "yes")


@action(description=gettext_lazy("Try again"))
def retry(page: "SetAsideAdmin", request: HttpRequest, rows: QuerySet[SetAside]) -> None:
    """Queue the selected rows for another attempt by a worker."""
    page.log_changes(request, rows, "retried")
    tried, missing = retrying.retry(rows, clock.now())
    message = ngettext("%(tried)s is tried again.", "%(tried)s are tried again.", tried) % {"tried": number(tried)}
    more = _("%(gone)s no longer exist.") % {"gone": number(missing)} if missing else ""
    messages.success(request, f"{message} {more}".strip())


@action(description=pgettext_lazy("button", "Acknowledge"))
def acknowledge(page: "SetAsideAdmin", request: HttpRequest, rows: QuerySet[SetAside]) -> None:
    """Mark the selected rows as settled."""
    page.log_changes(request, rows, "acknowledged")
    count = retrying.acknowledge(rows, clock.now())
    messages.success(request, _("%(count)s acknowledged.") % {"count": number(count)})


class SetAsideAdmin(ReadOnlyAdmin):
    """Moves, emails and notifications that were given up. They can be retried or acknowledged."""

    list_display = ("at", "kind", "subject", "about", "error", "outcome")
    list_filter = (SettledFilter, "kind")
    ordering = ("-at",)
    fields = ("kind", "subject", "about", "error", "at", "settled_at", "outcome")
    actions = (retry, acknowledge)

    def log_changes(self, request: HttpRequest, rows: Iterable[SetAside], message: str) -> None:
        """Log the action of an operator for each row."""
        for row in rows:
            self.log_change(request, row, message)


@action(description=gettext_lazy("Try again now"))
def retry_now(page: "StallAdmin", request: HttpRequest, rows: QuerySet[Stall]) -> None:
    """Retry the selected games at the next tick."""
    count = stalls.retry_all(clock.now(), [row.pk for row in rows])
    messages.success(request, _("Tried within a few seconds: %(count)s.") % {"count": number(count)})


class StallAdmin(ReadOnlyAdmin):
    """Games whose moves cannot be resolved, with the time of the next attempt."""

    list_display = ("game_id", "since", "tries", "try_at", "error")
    ordering = ("since",)
    fields = ("game_id", "since", "tries", "try_at", "error")
    actions = (retry_now,)
