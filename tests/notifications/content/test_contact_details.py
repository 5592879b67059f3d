"""Links, addresses and phone numbers are found in names, and become no links in emails."""

from typing import Any

import pytest

from notifications.content import find_contact, without_links
from tests.examples import for_each, read_examples

EXAMPLES = read_examples(__file__)


@for_each("text", EXAMPLES["contacts"])
def test_a_link_an_address_or_a_phone_number_is_found(text: str) -> None:
    assert find_contact(text)
    assert find_contact(f"Maryam {text} Bahareh")


@for_each("name", EXAMPLES["names"])
def test_names_of_people_clubs_and_tournaments_are_none(name: str) -> None:
    assert find_contact(name) == ""


@pytest.mark.parametrize(("text", "result"), EXAMPLES["without_links"])
def test_mail_programs_find_no_link_in_a_text(text: str, result: str, settings: Any) -> None:
    settings.PUBLIC_URL, settings.MAIL_DOMAIN = "https://darbar.example", "mail.darbar.example"
    assert without_links(text) == result


def test_addresses_of_this_server_stay(settings: Any) -> None:
    settings.PUBLIC_URL, settings.MAIL_DOMAIN = "https://darbar.example", "mail.darbar.example"
    text = "Write to “darbar@mail.darbar.example”, or open https://darbar.example/games/."
    assert without_links(text) == text
