"""The text of emails: which lines carry a mark of their direction."""

from notifications.content.rendered_notification import Footnote, Listing, Prose, RenderedNotification
from notifications.email.text_body import text_body


def test_no_empty_line_or_rule_carries_the_mark_of_the_line_below() -> None:
    blocks = (Prose(("سپیده said",)), Footnote(("سپیده",)), Listing("Seats", ("5. سپیده", "Maryam: سپیده")))
    text = text_body(RenderedNotification("en", "Coup", "Hello", blocks), "", "ltr")
    assert text == (
        "Hello\n\n\u200eسپیده said\n\n--------\n\u200eسپیده\n\nSeats\n\u200e  * 5. سپیده\n  * Maryam: سپیده\n"
    )
