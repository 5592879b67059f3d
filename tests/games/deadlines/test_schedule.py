"""Observable times reveal no secrets: the same hours pass in two worlds on a virtual clock.

In the second world, cards that a viewer cannot see are dealt again, or a hidden answer differs in its content or time.
People, plans and a bot act alike in both. Everything that the viewer or a stranger can observe is recorded every hour:
the bytes of the API with ETags and times, notifications with their times, and stream events.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest
from rest_framework.test import APIClient

from accounts.models import Account
from games.announcements import notify
from games.engine import Chance, Move, Question, SeatNumber, SeededChance
from games.event_log import log_store
from games.models import Game
from games.play import bots, plans, timeouts
from games.play.resolve import resolve
from games.rules.coup.views import other_cards
from games.rules.registry import RULES
from notifications.deliver import deliver_due
from notifications.endpoints import StreamEvent
from notifications.models import Notification
from tests.games.api.conftest import client
from tests.games.seated import NOON, agree, begin, play
from tests.games.unseen import RANDOM, world
from tests.third_game.table import fresh, sent

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
MARYAM, SEPIDEH, BAHAREH, BOT = (SeatNumber(number) for number in (1, 2, 3, 4))
DEAL = ("contessa", "duke", "captain", "contessa", "assassin", "duke", "captain", "ambassador")
PATHS = (
    *("games/", "games/{}/", "games/{}/view/", "games/{}/events/", "games/{}/questions/", "questions/"),
    "players/Bahareh/",
)
WISHES = ("steal 1", "allow", "prove", "lose contessa", "lose captain", "lose duke", "lose assassin", "lose ambassador")
"""The moves of the bot, the first one that is legal. None of them differs from one hand to another."""
Act = Callable[[Game, datetime], None]


def without_randomness(content: bytes) -> str:
    """Return the text with all random values replaced by their order of appearance."""
    placeholders: dict[str, str] = {}
    return RANDOM.sub(lambda match: placeholders.setdefault(match[0], f"random {len(placeholders)}"), content.decode())


class Eyes:
    """Everything that Maryam, who plays, and Dariush, who only watches, can read."""

    def __init__(self, game: Game, maryam: Account, dariush: Account) -> None:
        self.game, self.maryam = game, maryam
        self.programs: list[APIClient] = [client(maryam), client(dariush)]
        self.etags: dict[Any, str] = {}

    def look(self) -> list[Any]:
        """Return everything that the viewer can observe now. ETags are compared with those of the last look."""
        observations: list[Any] = []
        for number, program in enumerate(self.programs):
            for path in PATHS:
                got = program.get(f"/api/v1/{path.format(self.game.pk)}")
                etag, self.etags[number, path] = self.etags.get((number, path)), got.get("ETag", "")
                observations.append(
                    (path, got.status_code, without_randomness(got.content), etag == self.etags[number, path])
                )
        for notification in Notification.objects.filter(account=self.maryam).order_by("created_at", "key"):
            text = None if notification.rendered is None else without_randomness(bytes(notification.rendered))
            times = (notification.created_at, notification.next_attempt_at, notification.sent_at)
            observations.append((without_randomness(notification.key.encode()), notification.state, *times, text))
        events = StreamEvent.objects.filter(account=self.maryam).order_by("xid", "id")
        observations += [
            (event.kind, without_randomness(msgspec.json.encode(event.data)), event.at) for event in events
        ]
        return observations


def hours(game: Game, eyes: Eyes, acts: Sequence[Sequence[Act]]) -> list[Any]:
    """Let hours pass with the acts of each hour. Return the observations at the ends of the hours."""
    observations = []
    for number, acts_of_hour in enumerate(acts, start=2):
        at = NOON + number * HOUR
        for act in acts_of_hour:
            act(game, at)
        resolve(game.pk, at)
        timeouts.record_heartbeat(at)
        timeouts.sweep(at)
        bots.sweep(at)
        notify.write_due(at)
        deliver_due(at)
        observations.append(eyes.look())
    return observations


def same(world: Sequence[Any], other: Sequence[Any]) -> None:
    """Both were seen alike, hour by hour."""
    for here, there in zip(world, other, strict=True):
        for one, another in zip(here, there, strict=True):
            assert one == another


def answer_act(seat: SeatNumber, text: str) -> Act:
    """Return an act: a person answers their open question, if there is one."""

    def act(game: Game, at: datetime) -> None:
        if game.open_questions.filter(seat=seat).exists():
            move = sent(game, seat, text, at)
            resolve(game.pk, at)
            move.refresh_from_db()
            assert move.state == "applied", (seat, text, move.phrase)

    return act


def plain(knowledge: Any, question: Question, moves: Sequence[Move], chance: Chance) -> Move:
    """A bot that does what any hand can do."""
    moves_by_text = {RULES["coup"].text(move): move for move in moves}
    return next((moves_by_text[wish] for wish in WISHES if wish in moves_by_text), moves[0])


@pytest.fixture
def plain_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots play so."""
    monkeypatch.setitem(RULES, "coup", msgspec.structs.replace(RULES["coup"], bot_move=plain))


def deal_anew(game: Game, luck: int) -> None:
    """Deal the cards that Maryam cannot see again, in the snapshot that the server uses."""
    position = log_store.position(game)
    state = other_cards(position.state, MARYAM, SeededChance(luck.to_bytes(32)))
    assert state.hands != position.state.hands
    log_store.keep([(Game.objects.get(pk=game.pk), msgspec.structs.replace(position, state=state))])


HOURS: tuple[Sequence[Act], ...] = (
    [],
    [answer_act(BAHAREH, "allow")],
    [answer_act(MARYAM, "allow")],
    [answer_act(BAHAREH, "foreign-aid")],
    [answer_act(MARYAM, "allow")],
    [answer_act(MARYAM, "allow"), answer_act(BAHAREH, "allow"), answer_act(MARYAM, "tax")],
)
"""Sepideh steals from Bahareh, as she has planned; Bahareh takes foreign aid; bot and plans do the rest."""


def with_plans(game: Game, account: Account) -> None:
    """Store all plans that answer for Sepideh in this game: quick ones, and those that wait for hours for others."""
    agree(game, plans="quick", open_limit=timedelta(hours=8))
    for plan in (
        {"type": "allow-others"},
        {"type": "if-challenged", "lose": "contessa"},
        {"type": "if-losing", "lose": "duke"},
    ):
        plans.store_plan(game.pk, account, plan, NOON)
    plans.store_plan(game.pk, account, {"type": "next-turn", "move": {"type": "steal", "target": 3}}, NOON)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("waiting", "answers"), [("hidden", "sealed"), ("public", "first")])
def test_the_same_hours_pass_whatever_hands_the_others_hold(
    maryam: Account, sepideh: Account, bahareh: Account, dariush: Account, plain_bot: None, waiting: str, answers: str
) -> None:
    game = begin([maryam, sepideh, bahareh, None], DEAL, waiting=waiting, answers=answers)
    with_plans(game, sepideh)
    play(game, "1 income")
    worlds = []
    for luck in (0, 2):
        with world():
            if luck:
                deal_anew(fresh(game), luck)
            worlds.append(hours(game, Eyes(game, maryam, dariush), HOURS))
    for other in worlds[1:]:
        same(worlds[0], other)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("claimant", [SEPIDEH, BOT])
def test_who_is_challenged_answers_at_the_same_moment_with_the_card_and_without(
    maryam: Account, sepideh: Account, bahareh: Account, dariush: Account, plain_bot: None, claimant: SeatNumber
) -> None:
    by_bot = claimant == BOT
    seated = [maryam, bahareh, None] if by_bot else [maryam, sepideh, bahareh]
    before = ["1 income", "2 income"] if by_bot else ["1 income"]
    happened = []
    for hand in ("captain", "ambassador"):
        with world():
            deck = ["duke", "contessa", "duke", "duke"]
            deal = [*deck, hand, "contessa"] if by_bot else [*deck[:2], hand, "contessa", *deck[2:]]
            game = begin(seated, deal)
            if not by_bot:
                with_plans(game, sepideh)
            play(game, *before)
            hours(game, Eyes(game, maryam, dariush), [[], [answer_act(MARYAM, "challenge")], []])
            assert game.open_questions.filter(kind="challenge").count() == 0
            happened.append(moments(game, maryam))
    assert happened[0] == happened[1]


def moments(game: Game, account: Account) -> set[datetime]:
    """Return the times of all events that are visible to this player."""
    lines = {line.at for line in log_store.read(fresh(game))}
    notifications = {notification.created_at for notification in Notification.objects.filter(account=account)}
    return lines | notifications | set(StreamEvent.objects.filter(account=account).values_list("at", flat=True))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("waiting", ["number", "hidden"])
def test_of_an_answer_in_a_sealed_window_nothing_is_seen_before_it_has_closed(
    maryam: Account, sepideh: Account, bahareh: Account, dariush: Account, plain_bot: None, waiting: str
) -> None:
    game = begin([maryam, sepideh, bahareh, None], DEAL, waiting=waiting, answers="sealed")
    play(game, "1 steal 3")
    early, late = [answer_act(BAHAREH, "challenge")], [answer_act(BAHAREH, "block captain")]
    days: list[list[list[Act]]] = [[[], early, []], [[], late, []], [[], [answer_act(BAHAREH, "allow")], []]]
    if waiting == "hidden":
        days += [[early, [], []], [[], [], late], [[], [], []]]
    worlds = []
    for day in days:
        with world():
            worlds.append(hours(game, Eyes(game, maryam, dariush), day))
    for other in worlds[1:]:
        same(worlds[0], other)
