"""The story of every kind of event, told in both languages to each seat and to a spectator."""

import re
import typing
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import cache
from itertools import chain
from typing import Any, Final, NamedTuple

import pytest
from django.utils import translation

from games.engine import EVERYONE, SPECTATOR, AnyRules, Event, Phrase, SeatName, SeatNumber, show_all
from games.event_log import table_events as t
from games.phrases import render_phrase
from games.rules.coup import events as coup
from games.rules.coup.expansions import draft, inquisitor, reformation
from games.rules.registry import RULES
from games.rules.sedlec import events as sedlec
from games.terms import GameTerms
from games.visibility import words
from games.visibility.shown_events import ShownEvent, line_texts, story_lines
from tests.games.rules.coup.random_play import games
from tests.games.rules.sedlec.random_play import RandomGame
from tests.games.seated import NOON

NAMES: Final = {
    "en": dict(
        enumerate(("Maryam", "Sepideh", "Bahareh", "Kaveh", "Dariush", "Mina", "Ali", "Sara", "Reza", "Nima"), 1)
    ),
    "fa": dict(enumerate(("مریم", "سپیده", "بهاره", "کاوه", "داریوش", "مینا", "علی", "سارا", "رضا", "نیما"), 1)),
}
SILENT: Final = {
    coup.TurnBegan,
    coup.WindowOpened,
    coup.WindowClosed,
    coup.AskedAnew,
    coup.LossAsked,
    draft.PutOut,
    inquisitor.ShowAsked,
    reformation.PartyAsked,
    sedlec.TurnBegan,
    t.Started,
    t.Resigned,
    t.TimeBankChanged,
    t.PauseAgreed,
    t.ResumeAgreed,
    t.Ended,
}
"""The kinds of events without a sentence: questions, bookkeeping, and events that another sentence includes."""
YOU: Final = {"en": re.compile(r"\b[Yy]ou"), "fa": re.compile("شما|ید(?![\\w\u200c])|تان(?!\\w)")}
FOREIGN: Final = {"en": re.compile("[\u0600-\u06ff]"), "fa": re.compile("[A-Za-z]")}


class Sentence(NamedTuple):
    """A sentence of the story, and the seat that reads it; None for a spectator."""

    phrase: Phrase
    reader: SeatNumber | None


def coup_logs() -> Iterator[list[Event]]:
    """The logs of games of Coup with all kinds of options."""
    for game in games(100):
        list(game.batches())
        yield game.log


def sedlec_logs() -> Iterator[list[Event]]:
    """The logs of games of Skulls of Sedlec."""
    return (RandomGame(number).played().log for number in range(20))


LOGS: Final[dict[str, Callable[[], Iterator[list[Event]]]]] = {"coup": coup_logs, "sedlec": sedlec_logs}


@cache
def sentences_by_event(name: str) -> dict[type[Event], list[Sentence]]:
    """Every sentence for each kind of event of a game, alone and after those before it, to all who may read it."""
    rules = RULES[name]
    sentences_by_kind: dict[type[Event], dict[Any, Sentence]] = {kind: {} for kind in typing.get_args(rules.event_type)}
    for log in LOGS[name]():
        for viewer in (*range(1, log[0].seats + 1), SPECTATOR, EVERYONE):
            reader = SeatNumber(viewer) if viewer > 0 else None
            for event, phrase in spoken(rules, show_all(rules, log, viewer), reader):
                sentences_by_kind[type(event)].setdefault(form(phrase, reader), Sentence(phrase, reader))
    return {kind: list(sentences.values()) for kind, sentences in sentences_by_kind.items()}


def spoken(rules: AnyRules, events: list[Event], reader: SeatNumber | None) -> Iterator[tuple[Event, Phrase]]:
    """Return the sentences for these events, together and alone, with the first event of each."""
    for index, phrase in rules.words.story(events, reader):
        yield events[index], phrase
    for event in events:
        for _, phrase in rules.words.story([event], reader):
            yield event, phrase


def form(phrase: Phrase, reader: SeatNumber | None) -> Any:
    """All that the wording of a sentence depends on."""
    seats = [value.seat == reader for value in phrase.values.values() if isinstance(value, SeatName)]
    parts = [value.text for value in phrase.values.values() if isinstance(value, Phrase)]
    return phrase.text, *seats, *parts, reader is None


def table_event(kind: type[t.TableEvent]) -> t.TableEvent:
    """An event of this kind, which Sepideh on seat 2 has to do with."""
    seat = {"seat": SeatNumber(2)} if "seat" in kind.__struct_fields__ else {}
    match kind:
        case t.GameCreated:
            return t.GameCreated(rules="coup", version=1, seat_count=3, bot_count=0, commitment="", terms=GameTerms())
        case t.PauseProposed:
            return t.PauseProposed(**seat, seconds=3600, lapses_at=NOON)
        case t.Paused:
            return t.Paused(seconds=3600, until=NOON + timedelta(hours=1))
    values = {
        "seconds": 3600,
        "until": NOON,
        "seed": "",
        "round": 1,
        "key": "",
        "head": "",
        "signature": "",
        "seat_count": 3,
        "game": "",
        "line": 1,
    }
    fields = {name: value for name, value in values.items() if name in kind.__struct_fields__}
    return kind(**seat, **fields, **({"winners": (SeatNumber(2),)} if kind is t.Ended else {}))


def told_of_table() -> dict[type[Event], list[Sentence]]:
    """Every sentence for each kind of event of the table, also of a player who does not sit there any more."""
    return {
        kind: [
            Sentence(phrase, reader)
            for reader in (SeatNumber(1), SeatNumber(2), None)
            for former in (False, True)
            if (phrase := words.event_sentence(table_event(kind), reader, former=former)) is not None
        ]
        for kind in typing.get_args(t.AnyTableEvent)
    }


def all_told() -> dict[type[Event], list[Sentence]]:
    """The sentences for every kind of event that there is."""
    return sentences_by_event("coup") | sentences_by_event("sedlec") | told_of_table()


def test_every_kind_of_event_is_told_to_its_seats_and_to_a_spectator() -> None:
    sentences_by_kind = all_told()
    assert {kind for kind, sentences in sentences_by_kind.items() if not sentences} == SILENT
    for kind, sentences in sentences_by_kind.items():
        readers = {None if sentence.reader is None else "a seat" for sentence in sentences}
        assert readers == ({None, "a seat"} if sentences else set()), kind


@pytest.mark.parametrize("language", ["en", "fa"])
def test_every_sentence_speaks_to_its_reader_and_to_nobody_else(language: str) -> None:
    names = NAMES[language]
    for phrase, reader in chain.from_iterable(all_told().values()):
        with translation.override("en"):
            speaks_to_reader = YOU["en"].search(render_phrase(phrase, NAMES["en"])) is not None
        with translation.override(language):
            line = render_phrase(phrase, names)
        assert "%(" not in line
        assert not FOREIGN[language].search(line), line
        assert reader is None or not re.search(rf"\b{names[reader]}\b", line), line
        assert reader is not None or not speaks_to_reader, line
        assert not speaks_to_reader or YOU[language].search(line), line
        assert reader is not None or language == "en" or "شما" not in line, line


def shown_line(number: int, event: t.TableEvent) -> ShownEvent:
    """Return a line of the log as all players are shown it."""
    return ShownEvent(number=number, event=event, at=NOON, via=None, seat=None, move=None)


@pytest.mark.parametrize(
    ("language", "reader", "before", "after"),
    [
        ("en", 2, "The player before you took too long to answer", "You took over this seat."),
        ("en", 1, "The player before Sepideh took too long to answer", "Sepideh took over a seat."),
        ("fa", 2, "بازیکن پیش از شما ", "شما "),
        ("fa", 1, "بازیکن پیش از سپیده ", "سپیده "),
    ],
)
def test_what_befell_a_seat_before_a_takeover_is_told_of_the_player_before(
    language: str, reader: int, before: str, after: str
) -> None:
    seat = SeatNumber(2)
    lines = [
        shown_line(number, event)
        for number, event in enumerate(
            (t.SeatOffered(seat=seat), t.PlayerTakeover(seat=seat), t.StandInNamed(seat=seat)), 1
        )
    ]
    with translation.override(language):
        offer_sentence, takeover_sentence, stand_in_sentence = line_texts(
            story_lines(RULES["coup"], NAMES[language], lines, SeatNumber(reader))
        )
    assert offer_sentence.startswith(before)
    assert takeover_sentence.startswith(after)
    assert stand_in_sentence.startswith("You’ve named" if (language, reader) == ("en", 2) else after.split()[0])
