"""Accounts, clubs, tournaments, reports and actions of moderators."""

from typing import Any, ClassVar

from django import forms
from django.contrib.admin import TabularInline, display
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.core.exceptions import ValidationError
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import Account, ModerationAction, Report
from config.core import clock
from games import moderation
from games.clubs import Role
from games.models import Club
from games.operations.admin.read_only import ModeratorAdmin
from games.phrases import render_phrase
from games.refusals import Refusal


class ModerationForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in its stubs only
    """The action to take, and its reason."""

    act = forms.ChoiceField(label=_("What to do"), required=False)
    days = forms.IntegerField(label=_("For how many days"), min_value=1, max_value=moderation.LONGEST, required=False)
    why = forms.CharField(
        label=pgettext_lazy("label of a field", "Why"),
        widget=forms.Textarea,
        required=False,
        help_text=_("Recorded, and sent to the player."),
    )
    moderator: ClassVar[Account]
    """The moderator who fills the form in. Each request has its own subclass."""
    kinds: ClassVar[tuple[ModerationAction.Kind, ...]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        act = self.fields["act"]
        assert isinstance(act, forms.ChoiceField)
        act.choices = [("", "---------"), *((kind.value, kind.label) for kind in self.kinds)]

    def action(self) -> moderation.NewModerationAction | None:
        """Return the chosen action, or None."""
        if not self.cleaned_data.get("act"):
            return None
        report = self.instance if isinstance(self.instance, Report) else None
        account = report.accused if report else self.instance
        kind = ModerationAction.Kind(self.cleaned_data["act"])
        return moderation.NewModerationAction(
            kind, self.cleaned_data["why"], account, report, self.cleaned_data.get("days") or 0
        )

    def clean(self) -> dict[str, Any]:
        """Validate the form together with the chosen action."""
        cleaned = super().clean() or self.cleaned_data
        action = None if self.errors else self.action()
        if action is not None:
            try:
                moderation.check(self.moderator, action)
            except Refusal as refusal:
                field = {"why": "why", "days": "days", "kind": "act"}.get(refusal.field)
                raise ValidationError({field or "act": render_phrase(refusal.phrase, {})}) from None
        return cleaned


class Acting(ModeratorAdmin):
    """A base class for rows on which moderators act. Saving runs the action of the form and changes no field."""

    form = ModerationForm
    kinds: ClassVar[tuple[ModerationAction.Kind, ...]]
    DOING: ClassVar = (_("To do"), {"fields": ("act", "days", "why")})

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_view_permission(request)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        return ((None, {"fields": self.fields}), self.DOING)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change, **kwargs)
        return type(form.__name__, (form,), {"moderator": request.user, "kinds": self.kinds})

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        action = form.action()
        if action is not None:
            assert isinstance(request.user, Account)
            moderation.moderate(request.user, action, clock.now())


class ModerationActionInline(TabularInline):  # type: ignore[type-arg]  # generic in its stubs only
    """The actions that were taken because of a report."""

    model = ModerationAction
    fields: ClassVar = ("at", "moderator", "kind", "until", "why")
    readonly_fields: ClassVar = fields
    extra = 0
    can_delete = False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.has_perm("accounts.moderate"))

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReportAdmin(Acting):
    """Reports, with their evidence and the actions taken."""

    list_display = ("made_at", "kind", "accused", "reporter", "state")
    list_filter = ("state", "kind", "made_at")
    list_select_related = ("accused", "reporter")
    search_fields = ("accused__name", "reporter__name", "reason", "evidence__text", "place")
    ordering = ("-made_at",)
    fields = ("kind", "accused", "reporter", "reason", "evidence", "subject", "place", "made_at", "state")
    inlines: ClassVar = [ModerationActionInline]
    kinds = tuple(ModerationAction.Kind)


class AccountAdmin(Acting):
    """Accounts. An account with all rights chooses here who is on the staff."""

    list_display = ("name", "email", "language", "is_active", "is_bot", "created_at", "last_login")
    list_filter = ("is_active", "is_staff", "is_bot", "language", "created_at")
    search_fields = ("name", "folded_name", "email")
    ordering = ("-created_at",)
    fields = (
        "name",
        "email",
        "language",
        "time_zone",
        "is_bot",
        "is_active",
        "suspended_until",
        "silent_until",
        "created_at",
        "last_login",
    )
    kinds = (
        ModerationAction.Kind.WARN,
        ModerationAction.Kind.SILENCE,
        ModerationAction.Kind.UNSILENCE,
        ModerationAction.Kind.SUSPEND,
        ModerationAction.Kind.CLOSE,
        ModerationAction.Kind.REOPEN,
        ModerationAction.Kind.PASS_CLUBS,
    )
    filter_horizontal = ("groups",)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        sets = super().get_fieldsets(request, obj)
        return (
            (*sets, (pgettext_lazy("title of a page or section", "Rights"), {"fields": ("is_staff", "groups")}))
            if request.user.is_superuser
            else sets
        )

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if "is_staff" in form.cleaned_data:
            Account.objects.filter(pk=obj.pk).update(is_staff=form.cleaned_data["is_staff"])


class ModerationActionAdmin(ModeratorAdmin):
    """The actions of moderators, read-only."""

    list_display = ("at", "kind", "account", "moderator", "until")
    list_filter = ("kind", "at")
    list_select_related = ("account", "moderator")
    search_fields = ("account__name", "moderator__name", "why")
    ordering = ("-at",)
    fields = ("at", "moderator", "kind", "account", "report", "subject", "until", "why")


class GroupAdmin(DjangoGroupAdmin):
    """Groups of rights, for accounts with all rights."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)


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
