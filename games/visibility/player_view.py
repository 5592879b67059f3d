"""A player's view of one game, as texts in the active language.

Notifications and pages are made from it. All its content is visible to the player's seat.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property
from itertools import chain
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from accounts.local_times import format_moment
from accounts.models import Account
from games import links
from games.engine import EVERYONE, SPECTATOR, Question, ScriptedChance, SeatNumber, Viewer
from games.engine.forms import forms_of
from games.engine.hindsight import Statistics
from games.event_log import log_store
from games.event_log.log_store import Line
from games.event_log.table_events import PlayerTakeover, StandInNamed, TableEvent
from games.models import Game, Move, Plan
from games.phrases import isolated, localized, number, player, render_phrase
from games.visibility.picture import draw, png
from games.visibility.seats import stand_in_of
from games.visibility.shown_events import (
    ShownEvent,
    StorySentence,
    claims_so_far,
    line_texts,
    show_log,
    story_lines,
    takeovers,
)
from games.visibility.words import Form, render_forms, short_code
from notifications.content import Answer, Answers, Listing, Picture


def viewer_of(game: Game, seat: SeatNumber | None) -> Viewer:
    """Return the viewer for a seat: everything after the end of the game, before it the seat's cards or only public
    ones.
    """
    if game.state == Game.State.OVER:
        return EVERYONE
    return seat or SPECTATOR


def rules_in_short(game: Game) -> Listing:
    """Return the summary of the rules with the options of this game."""
    rules = log_store.rules_of(game)
    lines = rules.words.summary(msgspec.convert(game.options, rules.option_type), game.seat_count)
    return Listing(_("The rules in short"), tuple(render_phrase(line, {}) for line in lines))


class PlayerView:
    """The view of ``account`` on ``seat``, or of a spectator (None). ``viewer`` overrides how much it shows.

    ``log`` is the position and the lines of the log, if they have been read already.
    """

    def __init__(
        self,
        game: Game,
        seat: SeatNumber | None,
        account: Account | None,
        viewer: Viewer | None = None,
        log: tuple[log_store.Position, list[Line]] | None = None,
    ) -> None:
        self.game = game
        self.seat = seat
        self._account = account
        self.viewer: Viewer = viewer_of(game, seat) if viewer is None else viewer
        self.rules = log_store.rules_of(game)
        self.names = dict(game.names())
        self.position, lines = log or (log_store.position(game), log_store.read(game))
        self._lines = lines[: self.position.version]
        self.log = show_log(self.rules, self._lines, self.viewer)
        self.state: Any = self.position.state
        self.title = render_phrase(self.rules.words.title, self.names)
        self.short_code = short_code(game)
        self.name_values = {
            "player": isolated(account.name if account else "") if seat is None else player(seat, self.names),
            "game": self.title,
            "code": isolated(self.short_code),
        }
        """Values for sentences to the reader about this game."""
        self._offered: dict[Question, tuple[Answer, ...]] = {}

    @property
    def reader(self) -> Account:
        """Return the account of a signed-in reader."""
        assert self._account is not None
        return self._account

    @property
    def own_seat(self) -> SeatNumber:
        """Return the seat of a reader who has one."""
        assert self.seat is not None
        return self.seat

    @cached_property
    def seat_address(self) -> str:
        """Return the email address to which the reader sends commands for the seat."""
        return links.seat_address(self.game.id, self.own_seat, self.reader.pk)

    def question_address(self, question: Question) -> str:
        """Return the email address to which the reader sends the answer to a question."""
        return links.question_address(self.game.id, question.id, self.reader.pk)

    @cached_property
    def for_another(self) -> bool:
        """Return whether the reader answers for the seat as a stand-in."""
        stand_in = None if self.seat is None else stand_in_of(self.game, self.reader.pk)
        return stand_in is not None and stand_in.seat == self.seat

    @property
    def subject(self) -> str:
        """Return the name of the game in subjects. It is short, constant and contains no secrets."""
        return f"{self.title} {self.short_code}"

    def moment(self, at: datetime) -> str:
        """Return a time in the reader's time zone and calendar."""
        return format_moment(at, ZoneInfo(self.reader.time_zone))

    def questions(self) -> list[Question]:
        """Return the open questions of the reader."""
        questions = () if self.state is None else self.rules.questions(self.state)
        return [question for question in questions if question.seat == self.seat]

    def asks(self, question: Question) -> str:
        """Return a question as a sentence."""
        return render_phrase(self.rules.words.asks(self.rules.view(self.state, question.seat), question), self.names)

    def asks_publicly(self, question: Question) -> str:
        """Return a question as a sentence in which nothing is hidden from spectators, for the subject of an email."""
        return render_phrase(self.rules.words.asks(self.rules.view(self.state, SPECTATOR), question), self.names)

    def default_label(self, question: Question) -> str | None:
        """Return the label of the move that is played for the reader at their deadline, or None if it is random."""
        try:
            move = self.rules.default_move(self.state, question, ScriptedChance())
        except ValueError:
            return None
        return render_phrase(self.rules.words.label(move), self.names)

    def offered(self, question: Question) -> tuple[Answer, ...]:
        """Return the answers to a question, without links."""
        if question not in self._offered:
            self._offered[question] = tuple(
                Answer(
                    number(index),
                    localized(self.rules, self.rules.text(move)),
                    render_phrase(self.rules.words.label(move), self.names),
                )
                for index, move in enumerate(self.rules.legal_moves(self.state, question), start=1)
            )
        return self._offered[question]

    def forms(self, question: Question) -> tuple[Form, ...]:
        """Return the forms for answers to a question."""
        return render_forms(self.rules, forms_of(self.rules, self.state, question), self.names)

    def answers(self, question: Question) -> Answers:
        """Return a question with its answers."""
        return Answers(self.asks(question), self.offered(question))

    def only_aimed(self) -> bool | None:
        """Return whether the reader gets only questions that concern them. None if the game has no other questions, and
        for spectators and stand-ins.
        """
        plan_rules = self.rules.plans
        if plan_rules is None or plan_rules.usual is None or self.seat is None or self.for_another:
            return None
        return plan_rules.usual in self._plans

    def second_answers(self, question: Question) -> tuple[Answer, ...]:
        """Return the plans for the next turn that can be chosen together with an answer during another player's turn.

        Empty for a stand-in, and if the reader has already planned their turn.
        """
        plan_rules = self.rules.plans
        if plan_rules is None or self.for_another:
            return ()
        offered = plan_rules.second(self.rules.view(self.state, question.seat), question)
        if not offered or any(plan_rules.subject(plan) is None for plan in self._plans):
            return ()
        return tuple(Answer("", plan_rules.text(plan), render_phrase(label, self.names)) for plan, label in offered)

    def is_next(self, question: Question) -> bool:
        """Return whether the player with the question has the turn after this one."""
        plan_rules = self.rules.plans
        return plan_rules is not None and plan_rules.is_next(self.rules.view(self.state, question.seat), question.seat)

    @property
    def has_planned(self) -> bool:
        """Return whether plans were given from the reader's seat.

        Plans of other seats are not counted: that would take time, and reveal them.
        """
        return any(seat.plan_count for seat in self.game.seats.all() if seat.number == self.seat)

    @cached_property
    def _plans(self) -> list[Any]:
        """Return the reader's active plans."""
        if not self.has_planned:
            return []
        rows = Plan.objects.filter(game=self.game, account=self.reader, done_at=None)
        return [self._read_plan(body) for body in rows.values_list("body", flat=True)]

    def summary(self) -> Listing:
        """Return the summary of the rules with the options of this game."""
        return rules_in_short(self.game)

    @cached_property
    def board(self) -> str | None:
        """Return the picture as SVG in the active language, for a page that shows the reader's question beside it.

        None if the rules have no picture, or the game has not started.
        """
        if self.state is None:
            return None
        view = self.rules.view(self.state, self.viewer)
        return draw(self.rules, view, self.names, get_language(), seat=self._addressee, asked_beside=True)

    def table(self) -> Listing:
        """Return the table with the reader's own cards, as sentences. The line of the reader's seat says "You"."""
        view = self.rules.view(self.state, self.viewer)
        names = dict(self.names)
        if self._addressee is not None:
            names[self._addressee] = pgettext("a line of the board", "You")
        return Listing(_("The board"), tuple(render_phrase(phrase, names) for phrase in self.rules.words.table(view)))

    def claims(self) -> tuple[Listing, ...]:
        """Return the claims so far and their results, or nothing if there are none."""
        lines = claims_so_far(self.rules, self.names, self._lines)
        return (Listing(_("Claims so far"), lines),) if lines else ()

    @cached_property
    def statistics(self) -> Statistics:
        """Return the statistics of a finished game, such as its bluffs."""
        events = (line.event for line in self.log if not isinstance(line.event, TableEvent))
        return self.rules.statistics(events)

    @cached_property
    def outs(self) -> Mapping[SeatNumber | None, int]:
        """Return the number of the line with which each seat has gone out of the game."""
        lines = [line for line in self.log if line.event.puts_out]
        return {getattr(line.event, "seat", None): line.number for line in reversed(lines)}

    @property
    def place_out(self) -> int | None:
        """Return the place of a reader who has gone out of the game before its end: the first one out has the last."""
        if self.seat not in self.outs:
            return None
        return self.game.seat_count - sum(number < self.outs[self.seat] for number in self.outs.values())

    def status(self) -> tuple[str, ...]:
        """Return sentences about the present position."""
        view = self.rules.view(self.state, self.viewer)
        return tuple(render_phrase(phrase, self.names) for phrase in self.rules.words.status(view, self._addressee))

    def history(self, most: int) -> tuple[str, ...]:
        """Return the last ``most`` lines of the story as texts."""
        return tuple(line_texts(self.story_lines(most)))

    def story_lines(self, most: int) -> list[list[StorySentence]]:
        """Return the last ``most`` lines of the story."""
        return self._story(self.log[self._beginning(most) :])[-most:]

    def new_sentences(self, lines: Sequence[Sequence[StorySentence]], most: int) -> frozenset[StorySentence]:
        """Return the sentences of these lines that the story did not have at the player's last own decision.

        ``lines`` are among the last ``most`` lines. The sentence about an action changes when it takes effect, and is
        new again. Nothing is new to a spectator.
        """
        if self.seat is None:
            return frozenset()
        last_answer = self.last_answer()
        end = 0 if last_answer is None else last_answer + 1
        known_lines = self._story(self.log[self._beginning(most) : end], takeovers(self.log))
        return frozenset(chain.from_iterable(lines)).difference(*known_lines)

    def _beginning(self, most: int) -> int:
        """Return the index at which the last ``most`` lines of the story begin in the log."""
        begins = [index for index, line in enumerate(self.log) if line.event.begins_line]
        return begins[-most] if len(begins) > most else 0

    def pictures(self, most: int | None = None) -> tuple[Picture, ...]:
        """Return the picture as PNG of at most ``most`` bytes for emails. Empty if there is none, or none so small."""
        view = self.rules.view(self.state, self.viewer)
        svg = draw(self.rules, view, self.names, self.reader.language, seat=self._addressee)
        image = None if svg is None else png(svg, most=most)
        return () if image is None else (msgspec.structs.replace(self.blank_picture(), png=image),)

    def blank_picture(self) -> Picture:
        """Return the picture without its pixels."""
        return Picture(f"table-{self.game.id}", b"", _("The board as a picture. The text below says the same."))

    def story(self) -> Listing:
        """Return the story since the turn of the reader's last answer, one line for each turn, without the winners."""
        last_answer = self.last_answer()
        title = _("What happened") if last_answer is None else _("Since your last answer")
        begins = [index for index, line in enumerate(self.log[: (last_answer or 0) + 1]) if line.event.begins_line]
        since = self.log[begins[-1] if begins and last_answer else 0 :]
        return Listing(title, tuple(line_texts(self._story([line for line in since if not line.event.tells_winners]))))

    def last_answer(self) -> int | None:
        """Return the index of the first line of the reader's last own decision, or None."""
        own_lines = [
            (index, line.move)
            for index, line in enumerate(self.log)
            if self.seat
            and line.seat == self.seat
            and line.via not in (Move.Via.TIMEOUT, Move.Via.BOT)
            and line.move not in self.planned
            and line.move not in self.answered_by
            and not isinstance(line.event, TableEvent)
        ]
        return next((index for index, move in own_lines if move == own_lines[-1][1]), None)

    def public_story(self, move: UUID | None) -> tuple[str, ...]:
        """Return the public story from this move on, one line for each turn, or nothing without a move."""
        first = next((line.number for line in self._lines if move is not None and line.move == move), None)
        if first is None:
            return ()
        line_count = len(show_log(self.rules, self._lines[: first - 1], SPECTATOR))
        return tuple(line_texts(self._story(show_log(self.rules, self._lines, SPECTATOR)[line_count:])))

    @cached_property
    def planned(self) -> Mapping[UUID, str]:
        """Return the reader's moves that were made by a plan, with the plan as a sentence."""
        if self.rules.plans is None or not self.has_planned:
            return {}
        moves = Move.objects.filter(game=self.game, seat=self.own_seat, account=self.reader, plan__isnull=False)
        return {
            move: render_phrase(self.rules.plans.describe(self._read_plan(body)), self.names)
            for move, body in moves.values_list("pk", "plan")
        }

    @cached_property
    def answered_by(self) -> Mapping[UUID, str]:
        """Return the moves of the seat that another account made, a stand-in or the player, with the names of these
        accounts.
        """
        shared = (StandInNamed, PlayerTakeover)
        if self.seat is None or not any(
            isinstance(line.event, shared) and line.event.seat == self.seat for line in self._lines
        ):
            return {}
        others = Move.objects.filter(game=self.game, seat=self.own_seat, account__isnull=False).exclude(
            account=self.reader
        )
        return dict(others.values_list("pk", "account__name"))

    def _read_plan(self, body: str | None) -> Any:
        assert self.rules.plans is not None
        return msgspec.json.decode(body or "", type=self.rules.plans.plan_type)

    @property
    def _addressee(self) -> SeatNumber | None:
        """Return the seat whose player is called "you", or None for stand-ins and spectators."""
        return None if self.for_another else self.seat

    def _story(
        self, lines: Sequence[ShownEvent], taken_over: Mapping[SeatNumber, int] | None = None
    ) -> list[list[StorySentence]]:
        return story_lines(self.rules, self.names, lines, self._addressee, self.planned, self.answered_by, taken_over)
