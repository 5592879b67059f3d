"""Days, times and addresses in a sentence: “from 3 to 10 December”, «تا ۱۵ دی», “for a week”, “from 11pm to 7am”."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Final

from persiantools.jdatetime import JalaliDate

from games.engine.reading import fold

COUNTS: Final[Mapping[str, int]] = {
    word: count
    for count, words in enumerate(
        (
            *("", "a an one یک یه", "two دو", "three سه", "four چهار", "five پنج"),
            *("six شش شیش", "seven هفت", "eight هشت", "nine نه", "ten ده"),
        )
    )
    for word in words.split()
}
IN_WORDS: Final = "|".join(COUNTS)
ADDRESS: Final = re.compile(r"(?:my \w+,? )?<?(?:mailto:)?([^\s@<>,;:\"()]+@[^\s@<>,;:\"()]+\.[^\s@<>,;:\"().]+)>?")
"""An email address in a command, perhaps after words such as “my friend”."""


def count_of(text: str) -> int:
    """Return a number that is written in digits or as a word."""
    return COUNTS.get(text) or int(text)


_MONTHS: Final = (
    "january jan ژانویه|february feb فوریه|march mar مارس|april apr آوریل|may مه|june jun ژوئن|july jul ژوئیه جولای"
    "|august aug اوت آگوست|september sep sept سپتامبر|october oct اکتبر|november nov نوامبر|december dec دسامبر"
)
_PERSIAN_MONTHS: Final = "فروردین|اردیبهشت|خرداد|تیر|مرداد|شهریور|مهر|آبان|آذر|دی|بهمن|اسفند"
_MONTH_NUMBERS: Final[Mapping[str, tuple[int, bool]]] = {
    fold(word): (number, is_persian)
    for months, is_persian in ((_MONTHS, False), (_PERSIAN_MONTHS, True))
    for number, words in enumerate(months.split("|"), 1)
    for word in words.split()
}
"""The number of each month, and whether it is a month of the Jalali calendar."""
_MONTH: Final = rf"(?:{'|'.join(sorted(_MONTH_NUMBERS, key=len, reverse=True))})(?!\w)"
_DAY: Final = r"(?:\d{1,2}|اول)(?:st|nd|rd|th|ام|م)?(?![\w:])"
_DATE: Final = (
    rf"(?:\d{{4}}-\d{{2}}-\d{{2}}(?!\w)|(?:the )?{_DAY}(?: of)? {_MONTH}(?: ماه)?(?:,? \d{{4}}(?!\w))?"
    rf"|{_MONTH} (?:the )?{_DAY}(?:,? \d{{4}}(?!\w))?)"
)
_TO: Final = r"(?: ?- ?| (?:to|until|till|through|and|تا|و) )"
_PERIOD: Final = re.compile(
    rf"(?<![\w-])(?:(?:(?:from|between|از|بین) )?(?P<first>{_DATE}|{_DAY}){_TO}(?P<last>{_DATE})"
    rf"|(?:(?:from|between) )?(?P<opening>{_MONTH} (?:the )?{_DAY}){_TO}(?P<closing>{_DAY})"
    rf"|(?:from|starting(?: on| from)?|beginning|از|از روز) (?P<start>{_DATE})"
    rf"|(?:until|till|through|up to|تا|تا روز) (?P<end>{_DATE}))"
)
_DURATION: Final = re.compile(
    rf"(?<![\w-])(?<!\bin )(?<!within )(?!a day)(?P<count>\d{{1,3}}|{IN_WORDS})"
    r"[ -]?(?:days?|روزه?|(?P<weeks>weeks?|هفته))(?!\w| (?:to|until|ago)\b)"
)
_CLOCK: Final = re.compile(
    r"(?<![\w.:])(?<!\s-)(?<!^-)(?:(?:at|ساعت) )?(?P<hour>\d{1,2})(?::(?P<minute>\d{2}))?(?: ?(?P<half>am|pm|h|o'clock"
    r"|in the (?:morning|afternoon|evening)|at night|صبح|شب|عصر|بعد از ظهر))?(?![\w:.])"
)
_EVERY: Final = re.compile(rf"(?:every|each|هر) (?P<hours>\d{{1,3}}|{IN_WORDS}) ?(?:hours?|ساعت)(?: ی[که] ?بار)?(?!\w)")
_NUMBER_OF_DATE: Final = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class MonthDay:
    """A day of a month without a year."""

    month: int
    day: int
    is_persian: bool = False
    """True for the Jalali calendar."""

    def __str__(self) -> str:
        return f"{self.day}/{self.month}" + ("*" if self.is_persian else "")

    def next_from(self, start: date) -> date:
        """Return the first such day on or after a day. Raises ValueError if there is none in eight years."""
        year = JalaliDate(start).year if self.is_persian else start.year
        for later in range(9):
            with suppress(ValueError):
                day = self._in(year + later)
                if day >= start:
                    return day
        raise ValueError(self)

    def _in(self, year: int) -> date:
        if not self.is_persian:
            return date(year, self.month, self.day)
        gregorian: date = JalaliDate(year, self.month, self.day).to_gregorian()
        return gregorian


@dataclass(frozen=True, slots=True)
class Period:
    """Days in a sentence: the first, the last, or both."""

    first: date | MonthDay | None
    last: date | MonthDay | None


def period_of(match: re.Match[str]) -> Period | None:
    """Return the days that ``VALUES`` has matched, or None if they do not exist."""
    first, last = (
        (match["first"] or match["opening"] or match["start"]),
        (match["last"] or match["closing"] or match["end"]),
    )
    # “3 to 10 December” and “December 3 to 10” name the month once.
    month = next(
        (match_of_month[0] for text in (last, first) if text and (match_of_month := re.search(_MONTH, text))), ""
    )
    with suppress(ValueError, StopIteration):
        days = (
            _day(f"{text} {month}" if re.fullmatch(_DAY, text) else text) if text else None for text in (first, last)
        )
        return Period(*days)
    return None


def _day(text: str) -> date | MonthDay:
    """Return the day that a text names. Raises ValueError if it does not exist."""
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        return date.fromisoformat(text)
    month, is_persian = next(_MONTH_NUMBERS[word[0]] for word in re.finditer(_MONTH, text))
    numbers = [int(number) for number in _NUMBER_OF_DATE.findall(text)] or [1]
    day = MonthDay(month, numbers[0], is_persian)
    day.next_from(date(2024, 1, 1))
    if len(numbers) == 1:
        return day
    if is_persian:
        return JalaliDate(numbers[1], month, numbers[0]).to_gregorian()
    return date(numbers[1], month, numbers[0])


def days_of(match: re.Match[str]) -> int:
    """Return the number of days of a duration."""
    return count_of(match["count"]) * (7 if match["weeks"] else 1)


VALUES: Final = (
    ("address", ADDRESS),
    ("period", _PERIOD),
    ("duration", _DURATION),
    ("every", _EVERY),
    ("clock", _CLOCK),
)
"""The kinds of values in sentences and their patterns, in the order in which they are looked for."""
