"""Settings for games: sleep hours, vacations, the calendar feed, and emails."""

from datetime import time
from typing import Any, Final
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import conditional_page, require_http_methods, require_POST, require_safe

from accounts import local_times
from accounts.authentication import flows
from accounts.local_times import in_digits
from accounts.web.requests import AccountHttpRequest
from config.core import clock
from games.announcements.batches import TOPIC, topic_of
from games.deadlines.deadline_words import hour
from games.deadlines.reminder_schedule import PART
from games.models import Game
from games.pages.form_fields import DayField
from games.pages.posted_forms import refusal_text
from games.phrases import number, render_phrase
from games.refusals import Refusal
from games.rules.registry import RULES
from games.tables import calendar_feed, vacations
from games.visibility.access import visible
from notifications import preferences
from notifications.models import ALONE, Preferences


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
        if {"sleep_from", "sleep_to"} <= cleaned.keys() and (error := local_times.find_sleep_error(*cleaned.values())):
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
            messages.success(request, _("Vacation announced. Your deadlines don’t pass on these days."))
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


@require_POST
@never_cache
@login_required
def change_feed(request: AccountHttpRequest) -> HttpResponse:
    """Give the feed a new address, or switch it off."""
    if request.POST.get("do") == "remove":
        calendar_feed.turn_off(request.user)
        messages.success(request, _("The calendar feed is off. Its old address no longer works."))
    else:
        calendar_feed.renew(request.user)
        messages.success(request, _("The calendar feed has a new address. An old one no longer works."))
    return redirect("pages:settings-calendar")


@require_safe
@conditional_page
def calendar_document(request: HttpRequest, token: str) -> HttpResponse:
    """Return the deadlines and vacations of an account as iCalendar. Raises Http404 for an unknown address."""
    account = calendar_feed.account_of_token(token)
    if account is None:
        raise Http404
    headers = {
        "Cache-Control": "private, no-cache",
        "Content-Disposition": 'inline; filename="darbar.ics"',
        "Referrer-Policy": "no-referrer",
        "X-Robots-Tag": "noindex",
    }
    return HttpResponse(calendar_feed.document(account), content_type="text/calendar; charset=utf-8", headers=headers)


_USUAL: Final = {
    ALONE: gettext_lazy("early, when everyone is waiting just for me"),
    "50%": gettext_lazy("when half of the time is over"),
    "80%": gettext_lazy("when four fifths of the time is over"),
    "P1D": gettext_lazy("a day before the deadline"),
    "PT6H": gettext_lazy("six hours before the deadline"),
    "PT1H": gettext_lazy("an hour before the deadline"),
}
"""The reminders that the page offers. It keeps other ones, which API clients may set."""


class EmailForm(forms.Form):
    """The form for emails and their times."""

    mails = forms.BooleanField(label=gettext_lazy("Send me emails about my games"), required=False)
    receipts = forms.BooleanField(
        label=gettext_lazy("Email me a receipt for moves I send by email"),
        required=False,
    )
    only_aimed = forms.BooleanField(
        label=gettext_lazy("Only ask me when it concerns me"),
        help_text=gettext_lazy(
            "In games that start from now on, Darbar allows moves that don’t concern you. Other players can’t tell."
        ),
        required=False,
    )
    news = forms.BooleanField(
        label=gettext_lazy("Send me news from this server"),
        help_text=gettext_lazy("The operator writes when there is something new, such as another game."),
        required=False,
    )
    digest = forms.ChoiceField(
        label=gettext_lazy("How often"),
        choices=[
            (Preferences.Digest.AT_ONCE.value, gettext_lazy("right away")),
            (Preferences.Digest.HOURS.value, gettext_lazy("together, every few hours at most")),
            (Preferences.Digest.DAILY.value, gettext_lazy("together, once a day")),
        ],
        help_text=gettext_lazy("Urgent turns are always sent in time."),
    )
    digest_every = forms.TypedChoiceField(label=gettext_lazy("Every few hours"), coerce=int)
    digest_at = forms.TypedChoiceField(label=gettext_lazy("Once a day at"), coerce=int)
    quiet_from = forms.TypedChoiceField(
        label=gettext_lazy("Quiet from"), required=False, coerce=time.fromisoformat, empty_value=None
    )
    quiet_to = forms.TypedChoiceField(
        label=gettext_lazy("Quiet to"), required=False, coerce=time.fromisoformat, empty_value=None
    )
    reminders = forms.MultipleChoiceField(
        label=gettext_lazy("Remind me of an open question"), required=False, widget=forms.CheckboxSelectMultiple
    )
    learns_hours = forms.BooleanField(
        label=gettext_lazy("Remind me shortly before the hours at which I usually answer"),
        help_text=gettext_lazy(
            "We work these hours out from your finished games. Only you see them. Questions that are already open "
            "keep their reminders."
        ),
        required=False,
    )

    def __init__(self, preferences: Preferences, data: Any = None) -> None:
        values = {name: getattr(preferences, name) for name in self.base_fields}
        values["mails"] = preferences.mails is not False
        values |= {name: value and value.strftime("%H:%M") for name, value in values.items() if isinstance(value, time)}
        super().__init__(data, initial=values)
        hours = sorted({1, 2, 3, 4, 6, 8, 12, 24, 48, preferences.digest_every})
        self._offer("digest_every", [(hour, number(hour)) for hour in hours])
        self._offer("digest_at", [(hour, in_digits(f"{hour:02}:00")) for hour in range(24)])
        for name in ("quiet_from", "quiet_to"):
            halves = {f"{hour:02}:{minute:02}" for hour in range(24) for minute in (0, 30)}
            times = sorted(halves | ({values[name]} if values[name] else set()))
            self._offer(name, [("", pgettext("quiet hours", "none")), *((time_, in_digits(time_)) for time_ in times)])
        self._suggest_hours(preferences.usual_hours)
        own_steps = [(step, step) for step in preferences.reminders if step not in _USUAL]
        self._offer("reminders", [*_USUAL.items(), *own_steps])

    def _suggest_hours(self, hours: list[int]) -> None:
        """Add the reader's usual hours to the help texts: the middle of each part of the day."""
        if hours:
            middles = (in_digits(f"{hour + PART.seconds // 7200:02}:00") for hour in hours)
            listed = pgettext("between the items of a list", ", ").join(middles)
            sentence = _("You usually answer around %(hours)s.") % {"hours": listed}
            self.fields["learns_hours"].help_text = f"{self.fields['learns_hours'].help_text} {sentence}"
            self.fields["digest_at"].help_text = sentence

    def _offer(self, name: str, choices: list[tuple[Any, Any]]) -> None:
        field: Any = self.fields[name]
        field.choices = choices

    def clean(self) -> dict[str, Any]:
        """Check that quiet hours have both a beginning and an end, or neither."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if ("quiet_from" in cleaned and "quiet_to" in cleaned) and (cleaned["quiet_from"] is None) != (
            cleaned["quiet_to"] is None
        ):
            self.add_error("quiet_to", _("Quiet hours need a start and an end. Choose both, or neither."))
        return cleaned


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def email_settings(request: AccountHttpRequest) -> HttpResponse:
    """Show and save the settings for emails."""
    account = request.user
    own_preferences = preferences.of(account)
    form = EmailForm(own_preferences, request.POST if request.method == "POST" else None)
    if form.is_valid():
        changes = dict(form.cleaned_data)
        if changes["mails"] == (own_preferences.mails is not False):
            del changes["mails"]
        preferences.change(account, changes, clock.now())
        messages.success(request, pgettext("message", "Saved."))
        return redirect("pages:settings-emails")
    context = {"place": "settings", "part": "emails", "form": form, "muted": _muted(request, own_preferences)}
    return render(request, "games/settings/emails.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def unmute_game(request: AccountHttpRequest, game: UUID) -> HttpResponse:
    """Unmute a game."""
    account = request.user
    if topic_of(game) not in preferences.of(account).muted:
        raise Http404
    preferences.unmute(account.pk, [topic_of(game)])
    messages.success(request, _("You’ll get emails about this game again."))
    return redirect("pages:settings-emails")


def _muted(request: AccountHttpRequest, own_preferences: Preferences) -> list[tuple[Game, str]]:
    """Return the muted games with their titles, newest first."""
    account = request.user
    ids = [topic.removeprefix(TOPIC) for topic in own_preferences.muted]
    games = list(visible(account).filter(pk__in=[id_ for id_ in ids if _is_id(id_)]).order_by("-created_at"))
    titles = {name: render_phrase(rules.words.title, {}) for name, rules in RULES.items()}
    return [(game, titles.get(game.rules, game.rules)) for game in games]


def _is_id(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True
