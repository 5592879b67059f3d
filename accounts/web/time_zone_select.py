"""The field in which people choose a time zone."""

from functools import cache
from typing import Any, Final

from django import forms
from django.forms.utils import flatatt
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from accounts.profile import time_zones

_OPTION: Final = '<option value="{}">{}</option>'


class TimeZoneSelect(forms.Select):
    """A list of all time zones.

    The list of a language is always the same, so it is rendered once. Django's own widget renders each of its 600
    options by a template, which took most of the time of the pages that have it.
    """

    def render(self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None) -> SafeString:
        """Return the list with ``value`` chosen."""
        options, chosen = _options(get_language()), format_html('<option value="{}"', value or "")
        attributes = flatatt({**self.attrs, **(attrs or {}), "name": name})
        return mark_safe(f"<select{attributes}>{options.replace(f'{chosen}>', f'{chosen} selected>', 1)}</select>")


@cache
def _options(_language: str | None) -> str:
    return "".join(
        format_html(_OPTION, *choice)
        if isinstance(choice[1], str)
        else format_html('<optgroup label="{}">{}</optgroup>', choice[0], format_html_join("", _OPTION, choice[1]))
        for choice in time_zones.choices()
    )
