"""The data that a page needs to offer pushes."""

from django import template

from notifications.channels.push import public_key

register = template.Library()


@register.simple_tag
def push_key() -> str:
    """Return the public key for a subscription."""
    return public_key()
