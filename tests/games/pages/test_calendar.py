"""Sleep and vacations among the settings, and what the pages say of deadlines."""

from datetime import date, time, timedelta

import msgspec
import pytest
from django.utils import timezone
from persiantools import digits
from persiantools.jdatetime import JalaliDate

from accounts.models import Account
from games.models import Game
from games.tables import vacations
from tests.games.pages.at_home import Visitor
from tests.games.pages.conftest import opened

pytestmark = pytest.mark.django_db
CALENDAR = "/settings/calendar/"
ANNOUNCE = f"{CALENDAR}vacations/"


def ahead(days: int) -> date:
    return timezone.now().date() + timedelta(days=days)


def test_sleep_is_kept_and_both_of_its_ends_are_needed(maryam: Account) -> None:
    visitor = Visitor(maryam)
    visitor.go(CALENDAR)
    visitor.send("", sleep_from="23:00", sleep_to="07:30")
    maryam.refresh_from_db()
    assert (maryam.sleep_from, maryam.sleep_to) == (time(23), time(7, 30))
    page = visitor.send("", 422, sleep_from="", sleep_to="07:30")
    assert "Set both, or neither" in page.text
    page = visitor.send("", 422, sleep_from="07:30", sleep_to="23:00")
    assert "between a minute and 12 hours" in page.text
    maryam.refresh_from_db()
    assert maryam.sleep_from == time(23)


def test_a_vacation_is_announced_listed_and_taken_back(maryam: Account) -> None:
    visitor = Visitor(maryam)
    visitor.go(CALENDAR)
    page = visitor.send(ANNOUNCE, first=ahead(40).isoformat(), last=ahead(43).isoformat())
    assert "Vacation announced." in page.text
    maryam.refresh_from_db()
    (vacation,) = vacations.list_vacations(maryam)
    assert vacation.days == 4
    page = visitor.send(f"{ANNOUNCE}{vacation.id}/")
    assert "Undone." in page.text
    assert "You have 30 vacation days left" in page.text


def test_a_vacation_that_cannot_be_is_refused_beside_its_day_and_nothing_is_lost(maryam: Account) -> None:
    visitor = Visitor(maryam)
    visitor.go(CALENDAR)
    page = visitor.send(ANNOUNCE, 422, first=ahead(0).isoformat(), last=ahead(3).isoformat())
    assert "a day before it starts" in page.text
    assert ahead(3).isoformat() in str(page.all("input"))
    maryam.refresh_from_db()
    assert maryam.vacations == []


def jalali_fields(name: str, on: JalaliDate) -> dict[str, str]:
    return {f"{name}_day": str(on.day), f"{name}_month": str(on.month), f"{name}_year": str(on.year)}


def test_a_persian_reader_chooses_the_days_of_a_vacation_by_the_jalali_calendar(sepideh: Account) -> None:
    """D13: vacations are planned, shown and counted by the reader's own calendar."""
    visitor = Visitor(sepideh)
    page = visitor.go(CALENDAR)
    assert "date" not in {field.get("type") for field in page.all("input")}
    assert "فروردین" in page.text
    year = digits.en_to_fa(str(JalaliDate(ahead(0)).year))
    assert f"در سال {year} هنوز ۳۰ روز مرخصی دارید." in page.text
    assert "میلادی" not in page.text
    first, last = JalaliDate(ahead(40)), JalaliDate(ahead(43))
    page = visitor.send(ANNOUNCE, **jalali_fields("first", first), **jalali_fields("last", last))
    assert last.strftime("%B", locale="fa") in page.text
    sepideh.refresh_from_db()
    (vacation,) = vacations.list_vacations(sepideh)
    assert (vacation.first, vacation.last) == (ahead(40), ahead(43))


@pytest.mark.parametrize("day", ["31", ""])
def test_a_jalali_day_that_is_none_is_refused_and_stays_chosen(sepideh: Account, day: str) -> None:
    visitor = Visitor(sepideh)
    visitor.go(CALENDAR)
    year = str(JalaliDate(ahead(0)).year + 1)
    date_fields = {"first_day": day, "first_month": "7", "first_year": year}
    page = visitor.send(ANNOUNCE, 422, **date_fields, **jalali_fields("last", JalaliDate(ahead(3))))
    fields = page.form(ANNOUNCE)
    assert {name: fields[name] for name in date_fields} == date_fields
    sepideh.refresh_from_db()
    assert sepideh.vacations == []


@pytest.mark.parametrize("text", ["1406-01-01", "۱۴۰۶/۱/۱", "2027-03-21"])
def test_single_days_off_are_read_by_either_calendar(sepideh: Account, text: str) -> None:
    visitor = Visitor(sepideh)
    visitor.go("/games/new/coup/")
    visitor.send(seat_count="2", bots="1", dates_off=text)
    assert Game.objects.get().terms.schedule.dates_off == (date(2027, 3, 21),)


@pytest.mark.parametrize("text", ["1406-13-01", "1406-01", "-1-1-1", "0000-01-01", "1406-12-31"])
def test_single_days_off_that_are_no_days_are_refused(sepideh: Account, text: str) -> None:
    visitor = Visitor(sepideh)
    visitor.go("/games/new/coup/")
    page = visitor.send(status=422, seat_count="2", bots="1", dates_off=text)
    assert "شمسی یا میلادی" in page.text
    assert "۱۴۰۶-۰۱-۰۱، ۱۴۰۶-۰۱-۰۲" in {field.get("placeholder") for field in page.all("input")}
    assert not Game.objects.exists()


def test_a_table_is_opened_with_days_off_and_says_so(maryam: Account) -> None:
    visitor = Visitor(maryam)
    visitor.go("/games/new/coup/")
    visitor.send(
        seat_count="2",
        bots="1",
        choice_limit="PT2H",
        closes_at="20:00",
        days_off="friday",
        dates_off="2027-03-21",
        sleep="8",
    )
    game = Game.objects.get()
    assert game.terms.choice_limit == timedelta(hours=2)
    assert msgspec.json.decode(msgspec.json.encode(game.terms.schedule)) == {
        "zone": "Asia/Tehran",
        "closes_at": ["20:00:00"],
        "days_off": ["friday"],
        "dates_off": ["2027-03-21"],
        "time_bank": None,
        "sleep": 8,
        "vacation": 30,
    }
    text = visitor.go(f"/games/{game.pk}/").text
    assert "2 days for a turn, 1 day for a reaction, and 2 hours for a choice" in text
    assert "No time passes on days off: Friday, 21 March 2027 (Asia/Tehran)." in text
    assert "Deadlines respect 8 hours of sleep a night." in text


def test_terms_that_cannot_be_are_said_beside_their_field(maryam: Account) -> None:
    visitor = Visitor(maryam)
    visitor.go("/games/new/coup/")
    page = visitor.send(status=422, seat_count="2", bots="1", closes_at="20:00", time_bank="P3D", dates_off="yesterday")
    assert "Write days as year, month and day" in page.text
    page = visitor.send(status=422, closes_at="20:00", time_bank="P3D", dates_off="")
    assert "fixed hours or time banks, not both" in page.text
    assert not Game.objects.exists()


def test_why_an_answer_is_due_then_is_told_to_who_is_asked_and_to_nobody_else(
    maryam: Account, sepideh: Account
) -> None:
    wakes = (timezone.now() + timedelta(hours=6)).astimezone(timezone.get_fixed_timezone(210)).time()
    maryam.sleep_to = time(wakes.hour)
    maryam.sleep_from = time((wakes.hour - 11) % 24)
    maryam.save()
    game = opened(maryam, sepideh, seat_count=3, bots=1)
    row = game.open_questions.get(seat=1)
    assert row.why[-1]["code"] == "sleep"
    for path in (f"/games/{game.pk}/", "/"):
        assert "because you sleep until then" in Visitor(maryam).go(path).text
        assert "خوابید" not in Visitor(sepideh).go(path).text
    assert "مهلت تا" in Visitor(sepideh).go(f"/games/{game.pk}/").text
