"""Games, notifications, emails, news, and work that was set aside: their state, without secrets or texts."""

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Final

from django import forms
from django.contrib import messages
from django.contrib.admin import SimpleListFilter, TabularInline, action
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from accounts.models import Account, Language
from config.core import clock
from games.models import Game, Seat, Stall
from games.operations import retrying
from games.operations.admin.read_only import ReadOnlyAdmin
from games.phrases import number
from games.play import outages
from games.visibility.words import is_named
from notifications import outbox, server_emails
from notifications.models import News, Notification
from notifications.server_emails import LONGEST_SUBJECT, LONGEST_TEXT, AlreadySent, Words
from notifications.set_aside import SetAside


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
    # Django by itself joins only tables of fields that are never null.
    list_select_related = ("host",)
    list_filter = ("state", "rules", "private", "created_at")
    search_fields = ("id",)
    search_help_text = gettext_lazy("A game’s id or short code, such as EYU2, or a player’s name or email address")
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

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Game], search_term: str
    ) -> tuple[QuerySet[Game], bool]:
        """Find games also by their players, and by the short code that emails show. More of the code is secret."""
        games, may_have_duplicates = super().get_search_results(request, queryset, search_term)
        if not search_term.split():
            return games, may_have_duplicates
        games |= queryset.filter(is_named(search_term))
        # Subqueries read each table once. Joins would read a row for each seat and sort all of them.
        players = Account.objects.filter(Q(name__icontains=search_term) | Q(email__icontains=search_term))
        seats = Seat.objects.filter(account__in=players)
        return games | queryset.filter(id__in=seats.values("game")), may_have_duplicates


@action(description=gettext_lazy("Try again"))
def send_again(page: "NotificationAdmin", request: HttpRequest, rows: QuerySet[Notification]) -> None:
    """Send the selected notifications again that failed, and messages to webhooks and group chats in any state."""
    for row in rows:
        page.log_change(request, row, "sent again")
    count = sum(outbox.send_again(row.pk, clock.now()) for row in rows)
    messages.success(request, _("Will be tried within a few seconds: %(count)s.") % {"count": number(count)})


class NotificationAdmin(ReadOnlyAdmin):
    """Notifications in progress: recipient, reason and state, without their text."""

    list_display = ("created_at", "reason", "account", "channel", "state", "attempts", "sent_at")
    list_select_related = ("account",)
    list_filter = ("state", "reason", "channel", "created_at")
    search_fields = ("account__name", "account__email", "address", "topic")
    ordering = ("-created_at",)
    fields = (
        "id",
        "account",
        "address",
        "endpoint",
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
        "status",
        "failure",
    )
    actions = (send_again,)


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


_WRITTEN: Final = tuple(f"{part}_{language}" for language in Language.values for part in ("subject", "text"))


class NewsForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in its stubs only
    """The subject and the text in every language."""

    subject_en = forms.CharField(label=gettext_lazy("Subject in English"), max_length=LONGEST_SUBJECT)
    text_en = forms.CharField(
        label=gettext_lazy("Text in English"), max_length=LONGEST_TEXT, widget=forms.Textarea(attrs={"dir": "ltr"})
    )
    subject_fa = forms.CharField(label=gettext_lazy("Subject in Persian"), max_length=LONGEST_SUBJECT)
    text_fa = forms.CharField(
        label=gettext_lazy("Text in Persian"),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"dir": "rtl"}),
        help_text=gettext_lazy("When you save this, it goes to everyone who wants news."),
    )

    def words(self) -> Words:
        """Return the text of the news by language."""
        data = self.cleaned_data
        return {
            language: {part: data[f"{part}_{language}"] for part in ("subject", "text")} for language in Language.values
        }

    def clean(self) -> dict[str, Any]:
        """Refuse news that has been sent already."""
        data = super().clean() or self.cleaned_data
        if not self.errors and server_emails.is_news_sent(self.words()):
            raise ValidationError(_("News with these words has been sent already. Nobody gets it twice."))
        return data


class NewsAdmin(ReadOnlyAdmin):
    """News that was sent. An account with all rights can write more."""

    form = NewsForm
    list_display = ("written_at", "subject", "readers")
    ordering = ("-written_at",)
    fields = ("written_at", "readers", "subject", "text")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return _WRITTEN if obj is None else self.fields

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return () if obj is None else self.fields

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def save_model(self, request: HttpRequest, obj: News, form: Any, change: bool) -> None:
        try:
            news = server_emails.send_news(form.words(), clock.now())
        except AlreadySent as sent:  # the button was pressed twice at the same time
            news = sent.news
        obj.pk = news.pk
        message = _("Emails on their way: %(count)s.") % {"count": number(news.readers)}
        messages.success(request, message)


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
    message = ngettext("%(tried)s will be tried again.", "%(tried)s will be tried again.", tried) % {
        "tried": number(tried)
    }
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
    count = outages.retry_all(clock.now(), [row.pk for row in rows])
    messages.success(request, _("Will be tried within a few seconds: %(count)s.") % {"count": number(count)})


class StallAdmin(ReadOnlyAdmin):
    """Games whose moves cannot be resolved, with the time of the next attempt."""

    list_display = ("game_id", "since", "tries", "try_at", "error")
    ordering = ("since",)
    fields = ("game_id", "since", "tries", "try_at", "error")
    actions = (retry_now,)
