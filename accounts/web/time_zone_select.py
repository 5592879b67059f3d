"""The select widget for time zones."""

from functools import cache
from typing import Any, Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from accounts.profile import time_zones
from accounts.web.plain_select import PlainSelect

_OPTION: Final = '<option value="{}">{}</option>'


class TimeZoneSelect(PlainSelect):
    """A select widget with all time zones.

    The options of a language never change, so they are rendered once.
    """

    def render_options(self, value: Any) -> SafeString:
        """Return the zones by part of the world, with ``value`` selected."""
        options, selected = _options(get_language()), format_html('<option value="{}"', value or "")
        return mark_safe(options.replace(f"{selected}>", f"{selected} selected>", 1))


@cache
def _options(_language: str | None) -> str:
    return "".join(
        format_html(_OPTION, *choice)
        if isinstance(choice[1], str)
        else format_html('<optgroup label="{}">{}</optgroup>', choice[0], format_html_join("", _OPTION, choice[1]))
        for choice in time_zones.choices()
    )
