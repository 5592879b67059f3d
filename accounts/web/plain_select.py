"""A list to choose from whose options need no template."""

from typing import Any

from django import forms
from django.forms.utils import flatatt
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

_SELECTED = mark_safe(" selected")


class PlainSelect(forms.Select):
    """A list in which something is always chosen, without groups.

    Django's own widget renders each option by a template, which took most of the time of a form with many lists.
    """

    def use_required_attribute(self, initial: Any) -> bool:
        """Return False. Django's own method evaluates the choices a second time."""
        return False

    def render(self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None) -> SafeString:
        """Return the list with ``value`` chosen."""
        attributes = flatatt({**self.attrs, **(attrs or {}), "name": name})
        return format_html("<select{}>{}</select>", attributes, self.render_options(value))

    def render_options(self, value: Any) -> SafeString:
        """Return the options, with ``value`` chosen."""
        chosen = self.format_value(value)
        options = ((each, _SELECTED if str(each) in chosen else "", label) for each, label in self.choices)
        return format_html_join("", '<option value="{}"{}>{}</option>', options)
