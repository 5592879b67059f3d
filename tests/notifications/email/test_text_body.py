"""The text of emails: which lines carry a mark of their direction."""

from notifications.content import Footnote, Link, Links, Listing, Prose, RenderedNotification
from notifications.email.text_body import text_body


def test_no_empty_line_or_rule_carries_the_mark_of_the_line_below() -> None:
    blocks = (Prose(("سپیده said",)), Footnote(("سپیده",)), Listing("Seats", ("5. سپیده", "Maryam: سپیده")))
    text = text_body(RenderedNotification("en", "Coup", "Hello", blocks), "", "ltr")
    assert text == (
        "Hello\n\n\u200eسپیده said\n\n--------\n\u200eسپیده\n\nSeats\n\u200e  * 5. سپیده\n  * Maryam: سپیده\n"
    )


def test_small_print_has_one_rule_and_no_links_that_only_write_an_email() -> None:
    links = Links((Link("Write in the chat", "mailto:s@localhost"), Link("Stop", "http://localhost/stop/")))
    rendered = RenderedNotification("en", "Coup", "Hello", (Prose(("One",)), Footnote(("Two",)), Footnote(()), links))
    assert text_body(rendered, "", "ltr") == "Hello\n\nOne\n\n--------\nTwo\nStop: http://localhost/stop/\n"
    only_mail = RenderedNotification("en", "Coup", "Hello", (Links(links.links[:1]), Prose(("One",))))
    assert text_body(only_mail, "", "ltr") == "Hello\n\nOne\n"


def test_the_first_line_has_the_headline_before_the_marker() -> None:
    rendered = RenderedNotification("en", "Coup", "Do you believe it?", (Prose(("One",)),))
    assert text_body(rendered, "##- Above -##", "ltr") == "Do you believe it? ##- Above -##\n\nOne\n"
