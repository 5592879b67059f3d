"""Neutral texts for chats: the words of players cause no mention, command or link there.

``PostingChannel.escaped`` applies the steps below, which all apps need, and then escapes the app's formatting. If an
app has a setting against mentions or links, its request uses that as well.
"""

import re
from collections.abc import Callable
from typing import Final

from django.conf import settings

from notifications.content.contact_details import without_links

BREAK: Final = "\u2060"
"""A word joiner. It is invisible and separates the characters around it, so that they are not one word."""
_CONTROLS: Final = re.compile("[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e]")
"""Control characters, and marks that change the direction of text. Isolates are set by this server and stay."""
_TRIGGERS: Final = re.compile(r"[@＠﹫](?=\S)|[#＃$~](?=[^\W\d_])|(?<![\w/])/(?=[^\W\d_])|<(?=[!@#])")
"""Signs before the name of an account, a room, a topic, a share or a command."""


def neutral(text: str, escape_line: Callable[[str], str]) -> str:
    """Return a text with each line neutral and escaped, except lines that are a page of this server."""
    lines = _CONTROLS.sub("", text).split("\n")
    return "\n".join(line if _is_own_page(line) else escape_line(_neutral_line(line)) for line in lines)


def _neutral_line(line: str) -> str:
    return _TRIGGERS.sub(rf"\g<0>{BREAK}", without_links(line))


def _is_own_page(line: str) -> bool:
    return line.startswith(f"{settings.PUBLIC_URL}/") and " " not in line
