"""The settings of one's own calendar: when one sleeps, and when one is away."""

from datetime import time
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.authentication import flows
from accounts.profile import sleep_hours
from accounts.web.requests import AccountHttpRequest
from config.database import database_clock
from games.away import calendar_feed, vacations
from games.deadlines.deadline_words import hour
from games.pages.shared.days import DayField
from games.pages.shared.views import refusal_text
from games.refusals import Refusal


def _halves() -> list[tuple[str, Any]]:
    none = pgettext_lazy("sleeping hours", "none")
    return [("", none), *((f"{each:02}:{half:02}", hour(time(each, half))) for each in range(24) for half in (0, 30))]


class Sleep(forms.Form):
    """The form for the hours of sleep."""

    sleep_from = forms.TypedChoiceField(
        label=gettext_lazy("Asleep from"), choices=_halves, required=False, coerce=time.fromisoformat, empty_value=None
    )
    sleep_to = forms.TypedChoiceField(
        label=gettext_lazy("Asleep to"), choices=_halves, required=False, coerce=time.fromisoformat, empty_value=None
    )

    def __init__(self, account: Any, sent: Any = None) -> None:
        known = {name: getattr(account, name) for name in self.base_fields}
        super().__init__(sent, initial={name: at and at.strftime("%H:%M") for name, at in known.items()})
        for name, at in known.items():
            field: Any = self.fields[name]
            if at and f"{at:%H:%M}" not in dict(_halves()):
                field.choices = [*field.choices, (f"{at:%H:%M}", hour(at))]

    def clean(self) -> dict[str, Any]:
        """Sleep has a beginning and an end, or neither."""
        chosen: dict[str, Any] = super().clean() or self.cleaned_data
        if {"sleep_from", "sleep_to"} <= chosen.keys() and (wrong := sleep_hours.find_error(*chosen.values())):
            self.add_error("sleep_to", str(wrong))
        return chosen


class Away(forms.Form):
    """A vacation."""

    first = DayField(label=gettext_lazy("First day"))
    last = DayField(label=gettext_lazy("Last day"))


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def calendar(request: AccountHttpRequest) -> HttpResponse:
    """Return when I sleep, and my vacations."""
    account = request.user
    form = Sleep(account, request.POST if request.method == "POST" else None)
    if form.is_valid():
        flows.update_account(account, form.cleaned_data)
        messages.success(request, pgettext("message", "Saved."))
        return redirect("pages:settings-calendar")
    return _shown(request, form, Away())


@never_cache
@login_required
@require_POST
def announce(request: AccountHttpRequest) -> HttpResponse:
    """Announce a vacation. Errors are shown beside their fields."""
    account = request.user
    form = Away(request.POST)
    if form.is_valid():
        try:
            vacations.announce(account, **form.cleaned_data, now=database_clock.now())
        except Refusal as refusal:
            form.add_error(refusal.field or None, refusal_text(refusal))
        else:
            messages.success(request, _("Vacation announced. Your deadlines do not run on these days."))
            return redirect("pages:settings-calendar")
    return _shown(request, Sleep(account), form)


@login_required
@require_POST
def withdraw(request: AccountHttpRequest, id: UUID) -> HttpResponse:
    """Take a vacation back."""
    account = request.user
    try:
        vacations.withdraw(account, id, database_clock.now())
    except Refusal as refusal:
        if refusal.code == "not-found":
            raise Http404 from None
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, pgettext("message", "Undone."))
    return redirect("pages:settings-calendar")


def _shown(request: AccountHttpRequest, form: Sleep, away: Away) -> HttpResponse:
    account = request.user
    year = vacations.year_of(account, timezone.localdate())
    context = {
        "place": "settings",
        "part": "calendar",
        "form": form,
        "away": away,
        "vacations": vacations.list_vacations(account),
        "today": timezone.localtime().date(),
        "feed": calendar_feed.address(account),
        "left": [(each, vacations.days_left(account, each)) for each in (year, year + 1)],
    }
    return render(request, "games/settings/calendar.html", context, status=422 if form.errors or away.errors else 200)
