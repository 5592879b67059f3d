"""Text with Unicode isolates as HTML."""

from django import template
from django.utils.safestring import SafeString, mark_safe

from notifications.content import with_bdi

register = template.Library()


@register.filter
def bdi(text: str) -> SafeString:
    """Return a text as HTML."""
    return mark_safe(with_bdi(text))
