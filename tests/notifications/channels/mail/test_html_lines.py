"""Lines of the HTML that we send: short enough for whoever quotes them, and nothing else is shown."""

from html.parser import HTMLParser
from typing import Any

import pytest

from notifications.channels.mail import message as composing
from notifications.channels.mail.html_lines import LONGEST, wrap_html
from notifications.models import Notification
from tests.every_notification import Scene


class Shown(HTMLParser):
    """Holds what a browser makes of HTML: tags with their attributes, and text in which any blanks are one."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[Any] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        style = [each.strip() for each in (dict(attrs).get("style") or "").split(";")]
        self.found.append((tag, [each for each in attrs if each[0] != "style"], style))

    def handle_endtag(self, tag: str) -> None:
        self.found.append(tag)

    def handle_data(self, data: str) -> None:
        self.found.append(" ".join(data.replace("\n", " ").split(" ")))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("text", ["", "A long story of foreign aid; and more. ", "یک داستان دراز دربارهٔ کمک خارجی؛ "])
def test_no_line_of_any_email_is_long_and_all_is_shown_as_before(
    text: str, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.OPERATOR_EMAIL = "operator@darbar.example"
    notifications = Scene(text).write_everything()
    assert {"en", "fa"} <= {notification.written().language for notification in notifications}
    wrapped = {notification.pk: html_of(notification) for notification in notifications}
    monkeypatch.setattr(composing, "wrap_html", str)
    for notification in notifications:
        html = wrapped[notification.pk]
        longest = max(html.split("\n"), key=lambda line: len(line.encode()))
        assert len(longest.encode()) <= LONGEST or " " not in longest.strip(), (notification.reason, longest)
        assert Shown(html).found == Shown(html_of(notification)).found


def html_of(notification: Notification) -> str:
    return str(composing.message(notification).alternatives[0].content)


def test_values_of_attributes_are_not_broken_but_for_styles() -> None:
    words = "word " * 60
    html = f'<p><img alt="{words}> ;x" style="color: red;margin: 0;font-family: \'Times New Roman\';"> {words}</p>'
    wrapped = wrap_html(html)
    assert f'alt="{words}> ;x"' in wrapped
    assert "'Times New Roman'" in wrapped
    assert max(len(line) for line in wrapped.split("\n") if "alt=" not in line) <= LONGEST
    assert Shown(wrapped).found == Shown(html).found


def test_short_lines_stay_as_they_are() -> None:
    assert wrap_html("<p>one  two</p>\n<p>three</p>\n") == "<p>one  two</p>\n<p>three</p>\n"
