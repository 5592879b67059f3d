"""The terms of a game, which its players agree on before it starts, and speeds: named presets of the terms about time.

A new term is one field of ``GameTerms``, with its texts, bounds and choices beside it. The API, the page, the event of
the game's creation, its record and its check follow from the field. There is no framework and no clock here.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, time, timedelta
from typing import Annotated, Any, Final, Literal, get_args, get_type_hints

import msgspec
from msgspec import inspect
from msgspec.structs import replace

from games.engine.phrases import gettext_noop

MOST_SLEEP: Final = 12
"""The maximum number of hours of sleep a day that move deadlines."""
MOST_VACATION: Final = 30
"""The maximum number of vacation days of a person in a year."""
MOST_HOURS: Final = 24
"""The maximum number of fixed hours in a day."""
MOST_DATES: Final = 60
"""The maximum number of single days off."""
SHORTEST: Final = timedelta(minutes=1)
LONGEST: Final = timedelta(days=30)
WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


class TimeBank(msgspec.Struct, frozen=True):
    """A time bank of a seat. Turns and choices take their time from it."""

    time: timedelta
    """The time in the bank at the start."""
    increment: timedelta
    """The time that every move adds, including moves by timeout or by a stand-in."""


class Schedule(msgspec.Struct, frozen=True):
    """Fixed hours, days off, time banks, and how much sleep and vacation move deadlines."""

    zone: str = "UTC"
    """The time zone of the hours and days below."""
    closes_at: tuple[time, ...] = ()
    """The hours at which a limit ends. It ends at the first of them that leaves the whole length."""
    days_off: tuple[Weekday, ...] = ()
    """Days on which no time passes."""
    dates_off: tuple[date, ...] = ()
    time_bank: TimeBank | None = None
    """A time bank in place of the limits of turns and choices. Reactions keep their limit, because the rest of a time
    bank would reveal the time of a secret answer.
    """
    sleep: int = MOST_SLEEP
    """The number of hours of a player's sleep that move deadlines: the last hours before the player wakes."""
    vacation: int = MOST_VACATION
    """The number of a player's vacation days that move deadlines: the first days of vacation in each year."""


ChatRule = Literal["all", "table", "none"]
CHAT_RULES: Final = get_args(ChatRule)
MOST_PAUSED: Final = timedelta(days=60)
_NOTHING: Final = timedelta()
_LIMIT: Final = gettext_noop("A time limit must be from one minute to 30 days.")
_PAUSE: Final = gettext_noop("The total pause time must be at most %(most)s days.")


@dataclass(frozen=True)
class Term:
    """The texts and bounds of a field of ``GameTerms``."""

    label: str
    """The label of the field on the page. Translated."""
    description: str
    """The description of the field in the API."""
    help: str = ""
    """The text below the field on the page. Translated."""
    choices: Mapping[str, str] = field(default_factory=dict)
    """The page's words for each value, if the values are listed. Translated."""
    least: Any = None
    most: Any = None
    refusal: str = ""
    """The sentence for an invalid value. ``%(least)s`` and ``%(most)s`` are the bounds; those of lengths are in days.
    """


class GameTerms(msgspec.Struct, frozen=True):
    """The terms that the players of a game agree on before it starts. They are visible to all who may see the game."""

    turn_limit: Annotated[
        timedelta, Term(gettext_noop("Turn limit"), "The time for a turn.", "", {}, SHORTEST, LONGEST, _LIMIT)
    ] = timedelta(days=2)
    reaction_limit: Annotated[
        timedelta,
        Term(
            gettext_noop("Reaction limit"),
            "The time for a reaction that concerns the player who is asked: as the target, or because their "
            "action is blocked.",
            gettext_noop("You’re the target, or your action is blocked."),
            least=SHORTEST,
            most=LONGEST,
            refusal=_LIMIT,
        ),
    ] = timedelta(days=1)
    open_limit: Annotated[
        timedelta,
        Term(
            gettext_noop("Open reaction limit"),
            "The time for a reaction to what others do to others: anyone may react, and nobody has to. One "
            "that times out is no missed question (`misses`).",
            gettext_noop("Anyone can challenge, and nobody has to. Silence here is never counted as a miss."),
            least=SHORTEST,
            most=LONGEST,
            refusal=_LIMIT,
        ),
    ] = timedelta(days=1)
    """The limit for open reactions. The game's plans decide from public facts whether one is open
    (``PlanRules.is_aimed``).
    """
    choice_limit: Annotated[
        timedelta,
        Term(
            gettext_noop("Choice limit"),
            "The time to pick a card to show, keep or lose.",
            gettext_noop("To pick a card to show, keep or lose."),
            least=SHORTEST,
            most=LONGEST,
            refusal=_LIMIT,
        ),
    ] = timedelta(days=1)
    """The limit for choices. The game's ``paces`` say which questions are choices."""
    schedule: Annotated[
        Schedule,
        Term(gettext_noop("Schedule"), "Fixed hours, days off, time banks, players' sleep and vacations."),
    ] = Schedule()
    chat: Annotated[
        ChatRule,
        Term(
            gettext_noop("Players can chat"),
            "`all`: chat and private messages between two seats; `table`: chat only; `none`.",
            choices={
                "all": gettext_noop("with everyone, and in private messages"),
                "table": gettext_noop("with everyone only"),
                "none": gettext_noop("not at all"),
            },
            refusal=gettext_noop("The chat of a game must be all, table (no private messages) or none."),
        ),
    ] = "all"
    pauses: Annotated[
        timedelta,
        Term(
            gettext_noop("Total pause time"),
            "For how long the game may be paused in all, if everyone agrees; `PT0S`: never.",
            gettext_noop("All pauses of the game together. Every player must agree to each of them."),
            least=_NOTHING,
            most=MOST_PAUSED,
            refusal=_PAUSE,
        ),
    ] = timedelta(days=14)
    longest_pause: Annotated[
        timedelta,
        Term(
            gettext_noop("Longest pause"),
            "The longest that one pause may be.",
            least=_NOTHING,
            most=MOST_PAUSED,
            refusal=_PAUSE,
        ),
    ] = timedelta(days=7)
    misses: Annotated[
        int,
        Term(
            gettext_noop("Missed questions in a row before a bot steps in"),
            "The number of questions in a row that a player may miss before `absence` decides. The first one "
            "that a player misses in a game is not included.",
            gettext_noop("A question is missed when it times out. The first miss in a game is free."),
            least=1,
            most=20,
            refusal=gettext_noop("Choose from %(least)s to %(most)s missed questions in a row."),
        ),
    ] = 3
    absence: Annotated[
        Literal["bot", "invite", "forfeit"],
        Term(
            gettext_noop("A player who misses this many"),
            "The fate of the seat then. `bot`: a bot plays until its player is back; `invite`: a bot plays "
            "too, and someone else may be invited to the seat; `forfeit`: the player is out of the game.",
            choices={
                "bot": gettext_noop("has a bot sit in until they are back"),
                "invite": gettext_noop("may lose the seat to a player the others invite"),
                "forfeit": gettext_noop("is out of the game"),
            },
            refusal=gettext_noop("The seat of an absent player must be bot, invite or forfeit."),
        ),
    ] = "bot"
    plans: Annotated[
        Literal["private", "quick"],
        Term(
            gettext_noop("Answers by plan"),
            "The time at which plans answer the moves of others. `private`: after about as long as their owner usually "
            "takes, so that nobody can tell a plan from an answer by hand; `quick`: immediately, which shows "
            "everyone that it was planned. Planned turns are played immediately in both.",
            gettext_noop("When plans answer the moves of others. Planned turns are always played right away."),
            choices={
                "private": gettext_noop(
                    "after as long as the player usually takes: nobody can tell that the answer was planned"
                ),
                "quick": gettext_noop(
                    "right away: the game is faster, and the timing tells everyone that the answer was planned"
                ),
            },
            refusal=gettext_noop("Plans must answer like their player (private) or right away (quick)."),
        ),
    ] = "private"
    unprotected: Annotated[
        Literal["deal", "cancel"],
        Term(
            gettext_noop("If the deal can’t be protected"),
            "The outcome if someone does not reveal a seed within a day, or the public beacon has "
            "no number. `deal`: it is dealt without; `cancel`: it is cancelled.",
            gettext_noop("A player doesn’t reveal the seed they promised, or the public beacon is out of reach."),
            choices={
                "deal": gettext_noop("deal anyway"),
                "cancel": gettext_noop("cancel the game"),
            },
            refusal=gettext_noop("A game whose deal can’t be protected must be dealt (deal) or cancelled (cancel)."),
        ),
    ] = "deal"


class Described(msgspec.Struct, frozen=True):
    """A field of ``GameTerms`` as the API, the page and the check use it."""

    name: str
    shape: inspect.Type
    default: Any
    term: Term

    @property
    def values(self) -> tuple[Any, ...]:
        """The possible values, or an empty tuple if they are not listed."""
        return tuple(self.shape.values) if isinstance(self.shape, inspect.LiteralType) else ()


def _described() -> Iterator[Described]:
    hints = get_type_hints(GameTerms, include_extras=True)
    shape = inspect.type_info(GameTerms)
    assert isinstance(shape, inspect.StructType)
    for term_field in shape.fields:
        (term,) = (metadata for metadata in hints[term_field.name].__metadata__ if isinstance(metadata, Term))
        yield Described(term_field.name, term_field.type, getattr(GameTerms(), term_field.name), term)


TERMS: Final[Mapping[str, Described]] = {described.name: described for described in _described()}


_TERMS: Final = GameTerms()


@dataclass(frozen=True)
class Speed:
    """A preset of limits, and of the hours of sleep and days of vacation that move deadlines."""

    label: str
    """The name on the page. Translated."""
    help: str
    """The purpose of the speed. Translated."""
    turn_limit: timedelta = _TERMS.turn_limit
    reaction_limit: timedelta = _TERMS.reaction_limit
    open_limit: timedelta = _TERMS.open_limit
    choice_limit: timedelta = _TERMS.choice_limit
    sleep: int = MOST_SLEEP
    """The hours a night that count."""
    vacation: int = MOST_VACATION
    """The days a year that count."""

    @property
    def limits(self) -> dict[str, timedelta]:
        """The limits by their field names in ``GameTerms``."""
        return {name: getattr(self, name) for name in LIMITS}

    @property
    def terms(self) -> GameTerms:
        """The terms of a game at this speed, with defaults for everything else."""
        return replace(GameTerms(), schedule=Schedule(sleep=self.sleep, vacation=self.vacation), **self.limits)


LIMITS: Final = ("turn_limit", "reaction_limit", "open_limit", "choice_limit")
USUAL: Final = "daily"
"""The speed of a game whose host has chosen none. It has the defaults of ``GameTerms``."""
SPEEDS: Final[Mapping[str, Speed]] = {
    "live": Speed(
        gettext_noop("Live"),
        gettext_noop("5 minutes a turn, for players who are all here now."),
        timedelta(minutes=5),
        timedelta(minutes=2),
        timedelta(minutes=2),
        timedelta(minutes=2),
        sleep=0,
        vacation=0,
    ),
    "evening": Speed(
        gettext_noop("Evening"),
        gettext_noop("30 minutes a turn, over in an evening or two."),
        timedelta(minutes=30),
        timedelta(minutes=15),
        timedelta(minutes=15),
        timedelta(minutes=15),
        sleep=0,
        vacation=0,
    ),
    USUAL: Speed(gettext_noop("Daily"), gettext_noop("2 days a turn. Nights and vacations don’t count.")),
    "slow": Speed(
        gettext_noop("Slow"),
        gettext_noop("5 days a turn, for players who look in twice a week."),
        timedelta(days=5),
        timedelta(days=3),
        timedelta(days=3),
        timedelta(days=3),
    ),
}


def name_speed(terms: GameTerms) -> str | None:
    """Return the name of the speed with the limits of these terms, or None if the host has chosen other limits."""
    limits = {name: getattr(terms, name) for name in LIMITS}
    return next((name for name, speed in SPEEDS.items() if speed.limits == limits), None)
