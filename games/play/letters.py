"""What a letter from a table says: the story, the table and the question as one reader may know them.

Everything in it has passed the gate for that reader's seat.
"""

import json
import uuid
from collections.abc import Iterator
from itertools import groupby
from typing import Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import override

from games import log_store
from games.engine import Question, Seat
from games.models import Game, OpenQuestion
from games.play.envelope import Shown, shown
from games.play.speak import isolated, moment, number, player, speak
from games.play.table_events import TableEvent
from notifications.models import Letter
from notifications.notice import Answer, Answers, Block, Footnote, Listing, Notice, Prose

QUESTION: Final = "question"
REMINDER: Final = "reminder"
STARTED: Final = "started"
ENDED: Final = "ended"

_TOPIC: Final = "game:"
_CLOCK: Final = "clock"
_SHORT: Final = 4
"""So many letters of a table's code name it in a subject; the whole code is for those who may join."""


def topic_of(game: uuid.UUID) -> str:
    """What all letters from one table share."""
    return f"{_TOPIC}{game}"


def compose(letter: Letter) -> Notice | None:
    """What a letter says as its game stands now; None where there is nothing to say to its reader any more."""
    games = Game.objects.prefetch_related("places__account")
    game = games.filter(id=letter.topic.removeprefix(_TOPIC)).first()
    if game is None or letter.account is None:
        return None
    seat = next((Seat(place.number) for place in game.places.all() if place.account_id == letter.account_id), None)
    if seat is None:
        return None
    asked = OpenQuestion.objects.filter(game=game, question=letter.question, seat=seat).first()
    if letter.question and asked is None:
        return None
    with override(letter.account.language):
        return _Reader(game, seat, letter).notice(asked)


class _Reader:
    """One person at one table, and what they may be told in the language that is active."""

    def __init__(self, game: Game, seat: Seat, letter: Letter) -> None:
        self.game = game
        self.seat = seat
        self.letter = letter
        self.rules = log_store.rules_of(game)
        self.names = dict(game.names())
        position = log_store.position(game)
        self.log = shown(self.rules, log_store.read(game)[: position.version], seat)
        self.state = position.state
        self.called = {
            "player": player(seat, self.names),
            "game": speak(self.rules.words.title, self.names),
            "table": isolated(game.code[:_SHORT].upper()),
        }

    def notice(self, asked: OpenQuestion | None) -> Notice | None:
        """The letter; ``asked`` is the open question that it is about, if it is about one."""
        if self.state is None:
            return None
        match self.letter.reason:
            case "question" | "reminder" if asked is not None:
                return self._asked(asked)
            case "started":
                return self._started()
            case "ended":
                return self._ended()
        raise ValueError(f"no letter is known for the reason {self.letter.reason!r}")

    def _asked(self, asked: OpenQuestion) -> Notice | None:
        question = next((each for each in self._questions() if each.id == asked.question), None)
        if question is None:
            return None
        due = moment(asked.due_at, ZoneInfo(self.letter.account.time_zone))
        headline = _("%(player)s, it is your move in %(game)s, table %(table)s.")
        if self.letter.reason == REMINDER:
            headline = _("%(player)s, it is still your move in %(game)s, table %(table)s.")
        return self._notice(
            headline,
            Prose((_("Please answer by %(due)s. If you do not, the clock will answer for you.") % {"due": due},)),
            self._story(),
            self._table(),
            self._answers(question),
            self._how_to_answer(question),
        )

    def _started(self) -> Notice | None:
        """That the game has begun, to those who do not hear it with their first question or have answered it."""
        if self.game.state != Game.State.RUNNING or self._questions() or self._last_answer() is not None:
            return None
        return self._notice(
            _("%(game)s, table %(table)s, has begun."),
            Prose((_("You will get a mail when it is your move."),)),
            self._story(),
            self._table(),
            Footnote((self._address(),)),
        )

    def _ended(self) -> Notice:
        return self._notice(
            _("%(game)s, table %(table)s, is over."),
            self._story(),
            self._table(),
            Footnote((self._address(),)),
        )

    def _notice(self, headline: str, *blocks: Block) -> Notice:
        return Notice(
            language=self.letter.account.language,
            subject=f"{self.called['game']} {self.game.code[:_SHORT].upper()}",
            headline=headline % self.called,
            blocks=blocks,
        )

    def _questions(self) -> list[Question]:
        return [question for question in self.rules.questions(self.state) if question.seat == self.seat]

    def _story(self) -> Listing:
        """What this reader was shown since their last answer, that included, a sentence each."""
        answered = self._last_answer()
        title = _("What happened") if answered is None else _("Since your last answer")
        sentences = self._sentences(self.log[answered or 0 :])
        return Listing(title, tuple(sentence for sentence, _same in groupby(sentences)))

    def _last_answer(self) -> int | None:
        """The index of the first line of the reader's last own decision; None where there is none."""
        own = [
            (index, line.move)
            for index, line in enumerate(self.log)
            if line.seat == self.seat and line.via != _CLOCK and not isinstance(line.event, TableEvent)
        ]
        return next((index for index, move in own if move == own[-1][1]), None)

    def _sentences(self, lines: list[Shown]) -> Iterator[str]:
        """The lines that there is something to tell of; where the clock played, its first one says so."""
        before = None
        for line in lines:
            phrase = None if isinstance(line.event, TableEvent) else self.rules.words.story(line.event)
            if phrase is None:
                continue
            sentence = speak(phrase, self.names)
            clock = (line.via, line.at) if line.via == _CLOCK else None
            if clock not in (None, before):
                sentence = _("%(sentence)s (The time was up.)") % {"sentence": sentence}
            yield sentence
            before = clock

    def _table(self) -> Listing:
        view = self.rules.view(self.state, self.seat)
        return Listing(_("The table"), tuple(speak(phrase, self.names) for phrase in self.rules.words.table(view)))

    def _answers(self, question: Question) -> Answers:
        words = self.rules.words
        asks = words.asks(self.rules.view(self.state, self.seat), question)
        return Answers(
            speak(asks, self.names),
            tuple(
                Answer(number(place), self.rules.text(move), speak(words.label(move), self.names))
                for place, move in enumerate(self.rules.legal_moves(self.state, question), start=1)
            ),
        )

    def _how_to_answer(self, question: Question) -> Footnote:
        first = self.rules.legal_moves(self.state, question)[0]
        body = json.dumps({"question": question.id, "text": self.rules.text(first)})
        return Footnote(
            (
                _("To answer, post the question's id and one of the answers, or its number, to this address:"),
                isolated(f"{settings.PUBLIC_URL}/api/v1/games/{self.game.id}/moves/"),
                _("For example: %(body)s") % {"body": isolated(body)},
            )
        )

    def _address(self) -> str:
        url = f"{settings.PUBLIC_URL}/api/v1/games/{self.game.id}/"
        return _("The table: %(url)s") % {"url": isolated(url)}
