"""Settings for sleep hours and vacations."""

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
from config.core import clock
from games.away import calendar_feed, vacations
from games.deadlines.deadline_words import hour
from games.pages.shared.days import DayField
from games.pages.shared.views import refusal_text
from games.refusals import Refusal


def _half_hours() -> list[tuple[str, Any]]:
    none = pgettext_lazy("sleeping hours", "none")
    return [("", none), *((f"{full:02}:{half:02}", hour(time(full, half))) for full in range(24) for half in (0, 30))]


class SleepForm(forms.Form):
    """The form for sleep hours."""

    sleep_from = forms.TypedChoiceField(
        label=gettext_lazy("Asleep from"),
        choices=_half_hours,
        required=False,
        coerce=time.fromisoformat,
        empty_value=None,
    )
    sleep_to = forms.TypedChoiceField(
        label=gettext_lazy("Asleep to"),
        choices=_half_hours,
        required=False,
        coerce=time.fromisoformat,
        empty_value=None,
    )

    def __init__(self, account: Any, data: Any = None) -> None:
        times = {name: getattr(account, name) for name in self.base_fields}
        super().__init__(data, initial={name: value and value.strftime("%H:%M") for name, value in times.items()})
        for name, value in times.items():
            field: Any = self.fields[name]
            if value and f"{value:%H:%M}" not in dict(_half_hours()):
                field.choices = [*field.choices, (f"{value:%H:%M}", hour(value))]

    def clean(self) -> dict[str, Any]:
        """Check that sleep has both a beginning and an end, or neither."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if {"sleep_from", "sleep_to"} <= cleaned.keys() and (error := sleep_hours.find_error(*cleaned.values())):
            self.add_error("sleep_to", str(error))
        return cleaned


class VacationForm(forms.Form):
    """The form for a vacation."""

    first = DayField(label=gettext_lazy("First day"))
    last = DayField(label=gettext_lazy("Last day"))


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def calendar_settings(request: AccountHttpRequest) -> HttpResponse:
    """Show and save sleep hours, and show vacations."""
    account = request.user
    form = SleepForm(account, request.POST if request.method == "POST" else None)
    if form.is_valid():
        flows.update_account(account, form.cleaned_data)
        messages.success(request, pgettext("message", "Saved."))
        return redirect("pages:settings-calendar")
    return _render_calendar(request, form, VacationForm())


@never_cache
@login_required
@require_POST
def announce_vacation(request: AccountHttpRequest) -> HttpResponse:
    """Announce a vacation. Errors are shown beside their fields."""
    account = request.user
    form = VacationForm(request.POST)
    if form.is_valid():
        try:
            vacations.announce(account, **form.cleaned_data, now=clock.now())
        except Refusal as refusal:
            form.add_error(refusal.field or None, refusal_text(refusal))
        else:
            messages.success(request, _("Vacation announced. Your deadlines do not run on these days."))
            return redirect("pages:settings-calendar")
    return _render_calendar(request, SleepForm(account), form)


@login_required
@require_POST
def withdraw_vacation(request: AccountHttpRequest, id: UUID) -> HttpResponse:
    """Cancel a vacation."""
    account = request.user
    try:
        vacations.withdraw(account, id, clock.now())
    except Refusal as refusal:
        if refusal.code == "not-found":
            raise Http404 from None
        messages.error(request, refusal_text(refusal))
    else:
        messages.success(request, pgettext("message", "Undone."))
    return redirect("pages:settings-calendar")


def _render_calendar(request: AccountHttpRequest, form: SleepForm, vacation_form: VacationForm) -> HttpResponse:
    account = request.user
    year = vacations.year_of(account, timezone.localdate())
    context = {
        "place": "settings",
        "part": "calendar",
        "form": form,
        "away": vacation_form,
        "vacations": vacations.list_vacations(account),
        "today": timezone.localtime().date(),
        "feed": calendar_feed.address(account),
        "left": [(choice, vacations.days_left(account, choice)) for choice in (year, year + 1)],
    }
    return render(
        request, "games/settings/calendar.html", context, status=422 if form.errors or vacation_form.errors else 200
    )
