"""Select widgets whose options need no template."""

from functools import cache
from typing import Any, Final

from django import forms
from django.forms.utils import flatatt
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from accounts import local_times

_SELECTED = mark_safe(" selected")


class PlainSelect(forms.Select):
    """A select widget without groups, in which an option is always selected.

    Django's own widget renders each option with a template, which took most of the time of a form with many selects.
    """

    def use_required_attribute(self, initial: Any) -> bool:
        """Return False. Django's own method evaluates the choices a second time."""
        return False

    def render(self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None) -> SafeString:
        """Return the widget with ``value`` selected."""
        attributes = flatatt({**self.attrs, **(attrs or {}), "name": name})
        return format_html("<select{}>{}</select>", attributes, self.render_options(value))

    def render_options(self, value: Any) -> SafeString:
        """Return the options, with ``value`` selected."""
        selected = self.format_value(value)
        options = ((option, _SELECTED if str(option) in selected else "", label) for option, label in self.choices)
        return format_html_join("", '<option value="{}"{}>{}</option>', options)


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
        for choice in local_times.zone_choices()
    )
