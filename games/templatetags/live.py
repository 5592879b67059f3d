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
ATTENDED_HEADER: Final = "X-Attended"
"""An open page sends ``yes`` in this header while its tab is visible or was used lately."""
CLOSED: Final = "closed"
"""An open page sends this in place of the digest of a lazy part that its reader has closed."""
_DIGITS: Final = 12
_CHANGING_VALUES: Final = re.compile(r'name="(csrfmiddlewaretoken|key)" value="[^"]*"|data-csrf="[^"]*"')
"""Values of forms that differ each time a page is rendered. Older values stay valid."""


class LivePart(template.Node):
    """A named part of a page. A lazy part is left out while it is closed."""

    def __init__(self, name: str, nodes: NodeList, is_lazy: bool) -> None:
        self.name, self.nodes, self.is_lazy = name, nodes, is_lazy

    def render(self, context: template.Context) -> SafeString:
        """Return the part, or an empty element if the open page already has it."""
        present_parts, unchanged = (
            known_parts(context.get("request")),
            f'<div id="part-{self.name}" data-unchanged></div>',
        )
        if self.is_lazy and f"{self.name}={CLOSED}" in present_parts:
            return mark_safe(unchanged)
        content = self.nodes.render(context)
        digest = hashlib.sha256(_CHANGING_VALUES.sub("", content).encode()).hexdigest()[:_DIGITS]
        if f"{self.name}={digest}" in present_parts:
            return mark_safe(unchanged)
        wrapped = '<div id="part-{}" class="part" data-digest="{}"{}>{}</div>'
        lazy = mark_safe(" data-lazy") if self.is_lazy else ""
        return format_html(wrapped, self.name, digest, lazy, mark_safe(content))


@register.tag("livepart")
def live_part(parser: Parser, token: Token) -> LivePart:
    """Parse ``{% livepart name %}…{% endlivepart %}``: a part of a page that is sent again only after a change.

    ``{% livepart name lazy %}`` contains a ``details`` element, and is sent again only while that is open.
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
    """Return the parts that the open page has sent in its header, or nothing for a new page."""
    return frozenset() if request is None else frozenset(request.headers.get(HEADER, "").split())
