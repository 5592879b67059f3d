"""Links, addresses and phone numbers are found in names, and become no links in emails."""

from typing import Any

import pytest

from notifications.content.text import find_contact, without_links
from tests.examples import for_each

CONTACTS = [
    "Security: https://evil.example/a5311", "hxxp://evil.example", "hxxps evil", "evil.example", "EVIL.EXAMPLE",
    "evil . example", "evil .example", "evil dot example", "evil (dot) example", "evil{.}example", "evil[.]example",
    "evil نقطه com", "evil دات کام", "دربار.ایران", "evil.भारत", "evil。com", "evil․com", "evil．com", "evil·com",
    "evil۔com", "ｅｖｉｌ.ｅｘａｍｐｌｅ", "evil. com", "xn--80ak6aa92e.com", "a.xn--p1ai", "www evil", "www.evil",
    "t.me/evil", "bit.ly/x", "//evil", "mailto:a", "tel: 12", "javascript:alert(1)", "h ttp://x", "http evil",
    "e\u200bvil.ex\u200bample", "a@darbar.example", "maryam@home", "＠channel", "@all", "call 0912 345 6789",
    "10.0.0.1", "+98 21 555", "۰۹۱۲۳۴۵۶۷۸۹", "٠٩١٢٣٤٥٦٧٨٩", "०९१२३४५६७८", "①②③④⑤⑥⑦", "(030) 123-45678", "St.John",
]  # fmt: skip
NAMES = [
    "J. R. R. Tolkien", "J.R.R. Tolkien", "Dr. Anna", "St. John", "Dr. Dev Patel", "Anna B.", "O'Neil", "Ali.R",
    "Jean-Luc", "J. de Vries", "Mr. T", "مریم", "علی‌رضا", "Ayşe", "Nguyễn Thị Ánh", "مُحَمَّد", "李小龍",
    "रवि कुमार", "Gal·la",
    "ジョン・スミス", "Player0", "Anna 2", "Guest 123456", "Dot Cotton", "Anna... Bob", "U.S.A. Club",
    "Coup 2.0", "Ph.D. Anna",
    "Spring cup 2026-03-01", "Season 2025/2026", "27.11.2026", "League 1403/05/12", "Club 1984", "Bonn e.V.", "C++",
    "Mondays, 20:30-22:00", "8 to 10 players", "Tel Aviv", "Robin Hood & Co.", "こんにちは。ようこそ",
]  # fmt: skip


@for_each("text", CONTACTS)
def test_a_link_an_address_or_a_phone_number_is_found(text: str) -> None:
    assert find_contact(text)
    assert find_contact(f"Maryam {text} Bahareh")


@for_each("name", NAMES)
def test_names_of_people_clubs_and_tournaments_are_none(name: str) -> None:
    assert find_contact(name) == ""


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("see https://evil.example/a?b=c", "see https[:]//evil[.]example/a?b=c"),
        ("evil.co.uk, EVIL.COM and دربار.ایران", "evil[.]co[.]uk, EVIL[.]COM and دربار[.]ایران"),
        ("write to a@evil.example", "write to a@evil[.]example"),
        ("evil。com evil．com xn--a.xn--p1ai", "evil[.]com evil[.]com xn--a[.]xn--p1ai"),
        ("https://darbar.example.evil.com/", "https[:]//darbar[.]example[.]evil[.]com/"),
        ("a@mail.darbar.example.evil.com", "a@mail[.]darbar[.]example[.]evil[.]com"),
        ("J. R. R. Tolkien won 2.5 points. Anna lost... Why?", "J. R. R. Tolkien won 2.5 points. Anna lost... Why?"),
    ],
)
def test_mail_programs_find_no_link_in_a_text(text: str, result: str, settings: Any) -> None:
    settings.PUBLIC_URL, settings.MAIL_DOMAIN = "https://darbar.example", "mail.darbar.example"
    assert without_links(text) == result


def test_addresses_of_this_server_stay(settings: Any) -> None:
    settings.PUBLIC_URL, settings.MAIL_DOMAIN = "https://darbar.example", "mail.darbar.example"
    text = "Write to “darbar@mail.darbar.example”, or open https://darbar.example/games/."
    assert without_links(text) == text
