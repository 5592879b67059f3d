"""Tests of players' texts in chats: they cause no mention, no command, no formatting and no link."""

import json
import re
from datetime import UTC, datetime
from typing import Any, Final

import pytest

from notifications.channels.base import ChatApp, ChatMessage, PostingChannel
from notifications.channels.registry import chat_apps, posting
from notifications.content import RenderedNotification, encode
from notifications.models import Notification
from tests.examples import for_each, read_examples

EXAMPLES = read_examples(__file__)

NOON: Final = datetime(2026, 3, 22, 12, tzinfo=UTC)
PLACES: Final = {
    "discord": ("", "https://discord.com/api/webhooks/42/abc"),
    "slack": ("", "https://hooks.slack.com/services/T0/B0/abc"),
    "telegram": ("987654321", "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"),
    "matrix": ("https://matrix.example.org/!court:example.org", "syt_a2F2ZWg_qMzVYtRw_1k2l3m"),
    "gotify": ("https://gotify.example.org/", "AbC.123"),
    "ntfy": ("https://ntfy.example.org/topic", ""),
}
MENTIONS: Final = re.compile(r"[@＠](?:channel|all|here|room|everyone|user|maryam|[!&]?\d|U\d)|<[!@#]|#general|~town")
COMMANDS: Final = re.compile(r"(?<!\w)/(?:start|kick)|\$ABC")
LINKS: Final = re.compile(r"https?://(?!darbar\.example/)|(?:evil|matrix|example)\.(?:example|to|org)")
CONTROLS: Final = re.compile("[\r\u2028\u200f\u202e]")
FORMATS: Final = {
    "discord": re.compile(r"(?<!\\)(?:[*_~`|<]|\[(?=login))|^[#>-]|^\d\.|(?<!\\):smile:", re.M),
    "slack": re.compile(r"[*~`<>]|(?<!\u2060)_|\](?=[(\[])|^[#-]|^\d\.|&(?!(?:amp|lt|gt);)|:smile:", re.M),
}
"""Formatting that an app knows. The others get a plain text."""


def test_every_channel_that_posts_a_text_is_tried_here() -> None:
    assert set(posting()) == {*PLACES, "push"}


def posted(channel: PostingChannel, text: str) -> dict[str, Any]:
    """Return the message that is posted for a notification whose headline and subject are this text."""
    address, secret = PLACES[channel.name]
    rendered = RenderedNotification(language="en", subject=text, headline=text)
    notification = Notification(reason="chat", rendered=encode(rendered), channel=channel.name)
    request = channel.request_with_secret(address, secret, notification, NOON)  # type: ignore[attr-defined]
    content: dict[str, Any] = json.loads(request.body)
    return content


def texts_in(content: dict[str, Any]) -> list[str]:
    """Return the lines of a message that came from the text."""
    texts = [str(content[field]) for field in ("content", "text", "body", "title", "message") if field in content]
    return [line for text in texts for line in text.split("\n") if not line.startswith("https://darbar.example/")]


@for_each("text", EXAMPLES["texts"])
@for_each("app", PLACES)
def test_what_a_player_writes_is_text_and_nothing_else(app: str, text: str, settings: Any) -> None:
    settings.PUBLIC_URL, settings.MAIL_DOMAIN = "https://darbar.example", "darbar.example"
    lines = texts_in(posted(posting()[app], text))
    assert len(lines) == 2
    for line in lines:
        for pattern in (MENTIONS, COMMANDS, LINKS, CONTROLS, *([FORMATS[app]] if app in FORMATS else [])):
            assert not pattern.search(line), (line, pattern.pattern)


@for_each("text", ["Your move in Coup, game K7QM2.", "3-6 players, 2.5 > 2, #4", "مریم ۳ سکه گرفت.",
                                  "Until 23 March 2026, 03:22:10 (UTC)", "J. R. R. Tolkien & O'Neil won."])  # fmt: skip
@for_each("app", ["telegram", "matrix", "gotify", "ntfy"])
def test_an_ordinary_text_stays_as_it_is(app: str, text: str) -> None:
    assert posting()[app].escaped(text) == text


def test_each_app_is_told_by_its_own_switches_that_nobody_is_mentioned() -> None:
    contents = {name: posted(channel, "Ali") for name, channel in posting().items() if name in PLACES}
    assert contents["discord"]["allowed_mentions"] == {"parse": []}
    slack = contents["slack"]
    assert (slack["link_names"], slack["parse"], slack["mrkdwn"], slack["unfurl_links"]) == (
        False,
        "none",
        False,
        False,
    )
    assert contents["matrix"]["m.mentions"] == {}
    assert "formatted_body" not in contents["matrix"]
    assert "parse_mode" not in contents["telegram"]
    assert contents["telegram"]["link_preview_options"] == {"is_disabled": True}
    assert contents["ntfy"]["markdown"] is False
    assert contents["gotify"]["extras"]["client::display"] == {"contentType": "text/plain"}


@pytest.mark.parametrize(
    ("app", "handle", "mention"),
    [
        ("discord", "123456789012345678", "<@123456789012345678>"),
        ("slack", "U012AB3CD", "<@U012AB3CD>"),
        ("slack", "@maryam.k_r", "@maryam.k_r"),
        ("telegram", "@maryam_k", "@maryam_k"),
        ("matrix", "@maryam:example.org", "@maryam:example.org"),
    ],
)
def test_a_reminder_mentions_one_person_and_nobody_else(app: str, handle: str, mention: str) -> None:
    channel: ChatApp = chat_apps()[app]
    message = ChatMessage(f"A reminder for {channel.mention(handle)}.\n@all *b* played.", "1", handle=handle)
    content = json.loads(channel.chat_request(*PLACES[app], message).body)
    first, second = str(content.get("content", content.get("text", content.get("body")))).split("\n")
    assert mention in first
    assert "@all" not in second


def test_a_push_is_plain_text_too(settings: Any) -> None:
    assert posting()["push"].escaped("@all https://evil.example") == "@\u2060all https[:]//evil[.]example"
