"""Parts of a page that are sent again only after a change.

The script of an open page (``live.js``) sends a header with the names of its parts and their digests. A part with the
same digest is sent as an empty element, and the script keeps the one that it has.
"""

import hashlib
import re
from typing import Any, Final

from django import template
from django.http import HttpRequest
from django.template.base import NodeList, Parser, Token
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

HEADER: Final = "X-Live"
CLOSED: Final = "closed"
"""Said by an open page in place of the digest of a lazy part that its reader has closed."""
_DIGITS: Final = 12
_ONE_SHOWING: Final = re.compile(r'name="(csrfmiddlewaretoken|key)" value="[^"]*"|data-csrf="[^"]*"')
"""The values that differ from one showing of a form to the next; those of the one before are as good."""


class LivePart(template.Node):
    """A named part of a page. A lazy part is left out as long as it is closed."""

    def __init__(self, name: str, nodes: NodeList, is_lazy: bool) -> None:
        self.name, self.nodes, self.is_lazy = name, nodes, is_lazy

    def render(self, context: template.Context) -> SafeString:
        """Return the part; the empty element where the page that is open has it already."""
        known, unchanged = known_parts(context.get("request")), f'<div id="part-{self.name}" data-unchanged></div>'
        if self.is_lazy and f"{self.name}={CLOSED}" in known:
            return mark_safe(unchanged)
        content = self.nodes.render(context)
        digest = hashlib.sha256(_ONE_SHOWING.sub("", content).encode()).hexdigest()[:_DIGITS]
        if f"{self.name}={digest}" in known:
            return mark_safe(unchanged)
        wrapped = '<div id="part-{}" class="part" data-digest="{}"{}>{}</div>'
        lazy = mark_safe(" data-lazy") if self.is_lazy else ""
        return format_html(wrapped, self.name, digest, lazy, mark_safe(content))


@register.tag("livepart")
def live_part(parser: Parser, token: Token) -> LivePart:
    """``{% livepart name %}…{% endlivepart %}``: a part of a page that is sent again only when it has changed.

    ``{% livepart name lazy %}`` holds a ``details``, and is sent again only while that is open.
    """
    _tag, name, *lazy = token.split_contents()
    nodes = parser.parse(("endlivepart",))
    parser.delete_first_token()
    return LivePart(name, nodes, lazy == ["lazy"])


def is_look(request: HttpRequest) -> bool:
    """Return whether an open page only asks for changes. If so, a session challenge, for example, must not be
    restarted.
    """
    return HEADER in request.headers


def known_parts(request: Any) -> frozenset[str]:
    """Return the parts that the requesting page says it has, or nothing for a new page."""
    return frozenset() if request is None else frozenset(request.headers.get(HEADER, "").split())
