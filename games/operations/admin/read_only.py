"""Base classes of read-only pages."""

from collections.abc import Sequence
from typing import Any

from django.contrib.admin import ModelAdmin
from django.contrib.admin.models import LogEntry
from django.http import HttpRequest


class ReadOnlyAdmin(ModelAdmin):  # type: ignore[type-arg]  # generic in its stubs only
    """A page of rows that can only be viewed. Only the fields in ``fields`` are shown."""

    actions: Sequence[Any] = ()
    show_full_result_count = False

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.fields or ()

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> LogEntry:
        """Log a change as Django does, but with the key of the row instead of its text, which may contain a name."""
        entry = super().log_change(request, obj, message)
        LogEntry.objects.filter(pk=entry.pk).update(object_repr=str(obj.pk))
        return entry


class ModeratorAdmin(ReadOnlyAdmin):
    """Rows that moderators see."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.has_perm("accounts.moderate"))
