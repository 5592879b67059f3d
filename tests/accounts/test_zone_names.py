"""Time zones by the names that their readers give them."""

import pytest
from django.utils.translation import override

from accounts import local_times
from accounts.web.selects import TimeZoneSelect
from tests import zone_names


def test_the_persian_names_are_those_of_the_cldr() -> None:
    assert zone_names.FILE.read_text() == zone_names.text(), "run python -m tests.zone_names"


@pytest.mark.parametrize(
    ("language", "zone", "label"),
    [
        ("fa", "Asia/Tehran", "تهران"),
        ("fa", "Asia/Kolkata", "کلکته"),
        ("fa", "Etc/GMT+5", "Etc/GMT+5"),
        ("en", "Asia/Tehran", "Asia/Tehran"),
    ],
)
def test_a_zone_has_the_name_of_the_readers_language(language: str, zone: str, label: str) -> None:
    """D14: no Latin name of a city stands in a Persian deadline."""
    with override(language):
        assert local_times.zone_label(zone) == label


def test_persian_readers_choose_from_persian_names_in_the_order_of_their_alphabet() -> None:
    with override("fa"):
        europe = dict(choice for choice in local_times.zone_choices() if isinstance(choice[1], list))["اروپا"]
        html = TimeZoneSelect().render("zone", "Asia/Tehran")
        choices = [choice for part in local_times.zone_choices() if isinstance(part[1], list) for choice in part[1]]
    assert [name for name, place in choices if place.isascii()] == []
    places = [place for _, place in europe]
    assert places.index("آتن") < places.index("برلین") < places.index("پاریس") < places.index("تیرانا")
    assert '<option value="Asia/Tehran" selected>تهران</option>' in html
    with override("en"):
        assert '<option value="Asia/Tehran" selected>Tehran</option>' in TimeZoneSelect().render("zone", "Asia/Tehran")
