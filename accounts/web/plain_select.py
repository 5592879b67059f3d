"""A select widget whose options need no template."""

from typing import Any

from django import forms
from django.forms.utils import flatatt
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

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
