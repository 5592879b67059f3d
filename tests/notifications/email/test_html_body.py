"""Tests of the lines of HTML in emails: they are short enough to be quoted, and look the same."""

from html.parser import HTMLParser
from typing import Any

import pytest

from notifications.content import Answer, Answers, Picture, Prose, RenderedNotification
from notifications.email import html_body as writing
from notifications.email.html_body import LONGEST, html_body
from notifications.models import Notification
from tests.every_notification import Scene


class VisibleText(HTMLParser):
    """HTML as a browser reads it: tags with their attributes, and text in which several blanks count as one."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[Any] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        style = [word.strip() for word in (dict(attrs).get("style") or "").split(";")]
        self.found.append((tag, [attr for attr in attrs if attr[0] != "style"], style))

    def handle_endtag(self, tag: str) -> None:
        self.found.append(tag)

    def handle_data(self, data: str) -> None:
        self.found.append(" ".join(data.replace("\n", " ").split(" ")))


@pytest.mark.slow  # it writes every email there is
@pytest.mark.django_db(transaction=True)
def test_no_line_of_any_email_is_long_and_all_is_shown_as_before(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.OPERATOR_EMAIL = "operator@darbar.example"
    notifications = Scene("A story of foreign aid; یک داستان دراز دربارهٔ کمک خارجی؛ ").write_everything()
    assert {"en", "fa"} <= {notification.content().language for notification in notifications}
    wrapped = {notification.pk: html_of(notification) for notification in notifications}
    monkeypatch.setattr(writing, "LONGEST", 1_000_000)
    for notification in notifications:
        html = wrapped[notification.pk]
        longest = max(html.split("\n"), key=lambda line: len(line.encode()))
        assert len(longest.encode()) <= LONGEST or " " not in longest.strip(), (notification.reason, longest)
        assert VisibleText(html).found == VisibleText(html_of(notification)).found


def html_of(notification: Notification) -> str:
    rendered = notification.content()
    return html_body(rendered, rendered.marker, "rtl" if rendered.language == "fa" else "ltr")


def test_only_the_styles_of_elements_and_what_is_shown_are_broken() -> None:
    words = "word " * 60
    picture = Picture("table", bytes(20), f"{words}> ;x")
    rendered = RenderedNotification("en", "Coup", "Hello", (Prose((f'"{words}',)), picture))
    html = html_body(rendered, "", "ltr")
    assert f'alt="{words}&gt; ;x"' in html
    assert "'Times New Roman'" in html
    assert max(len(line) for line in html.split("\n") if "alt=" not in line) <= LONGEST


def test_an_address_with_a_space_is_not_broken() -> None:
    address = "http://localhost:8000/a page/" + "x" * LONGEST
    rendered = RenderedNotification("en", "Coup", "Hello", (Answers("Reply", (Answer("1", "tax", "Tax", address),)),))
    assert f'href="{address.replace(" ", "%20")}"' in html_body(rendered, "", "ltr")


def test_words_stay_as_they_are_in_short_lines() -> None:
    rendered = RenderedNotification("en", "Coup", "Hello", (Prose(("one  two", "three")),))
    assert "<p>one  two</p>\n<p>three</p>\n" in html_body(rendered, "", "ltr")


def test_inboxes_show_the_headline_and_not_the_marker_first() -> None:
    rendered = RenderedNotification("en", "Coup", "Maryam claims the duke. Do you?")
    html = html_body(rendered, "##- Reply above this line -##", "ltr")
    above, _, below = html.partition("##- Reply above this line -##")
    preview = above.rpartition("<p ")[2]
    assert "display:none" in preview
    assert "Maryam claims the duke. Do you?" in " ".join(preview.split())
    assert "<h1" in below


def test_a_picture_that_is_not_loaded_makes_an_email_no_wider_than_the_screen() -> None:
    """Mail programs show an empty box of the picture's width. A table of fixed layout does not grow with it."""
    html = html_body(RenderedNotification("en", "Coup", "Hello"), "", "ltr")
    tables = [tag for tag in html.split("<table")[1:] if 'class="answers"' not in tag]
    assert len(tables) == 2
    assert all("width:100%" in tag and "table-layout:fixed" in tag for tag in tables)
