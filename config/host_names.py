"""Names of hosts in the public DNS."""

import re
from typing import Final

_LABEL: Final = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)")
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
_PRIVATE_TOP_LEVELS: Final = frozenset(
    (
        *("alt", "arpa", "corp", "home", "internal", "intranet", "invalid", "lan", "local", "localdomain", "localhost"),
        *("onion", "private", "test"),
    )
)
"""Last labels that no public host has (RFC 2606, 6761, 6762, 7686, 8375 and 9476, and names of home routers).

``example`` is not in the list: documents and tests use it, and it leads nowhere.
"""


def is_public_name(host: str) -> bool:
    """Return whether a name in ASCII and lower case can be that of a public host."""
    labels = host.split(".")
    if len(host) > 253 or len(labels) < 2 or not all(map(_LABEL.fullmatch, labels)):
        return False
    # Some resolvers read a name that ends in a number as an IPv4 address.
    return labels[-1] not in _PRIVATE_TOP_LEVELS and not _NUMBER.fullmatch(labels[-1])
