"""Absent players: counted misses, their consequences, and returning, on a virtual clock."""

from datetime import datetime, timedelta

import msgspec
import pytest

from accounts.models import Account
from games.announcements import notify
from games.api.shared.events import shown_lines
from games.archive import game_audit, ratings
from games.engine import SeatNumber
from games.event_log import log_store
from games.event_log.table_events import TableEvent
from games.models import Game, Heartbeat, Invitation, Move, Result, Seat
from games.play import absence, bots, plans, timeouts
from games.play.resolve import resolve
from games.play.submit import WrittenMove, store_move
from games.refusals import Refusal
from games.rules.registry import RULES
from games.tables import invitations, stand_ins
from games.tables.joining import join_game
from games.tables.new_game import NewGame
from games.tables.starting import create_game
from games.visibility.access import access_to_game
from games.visibility.player_view import PlayerView
from notifications.models import Notification
from tests.games.seated import NOON, absent, agree, begin, play
from tests.third_game.table import fresh

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
Cast = tuple[Account, Account, Account]
_OPENING = {"table.created", "table.joined", "table.started"}


@pytest.fixture
def cast(maryam: Account, sepideh: Account, bahareh: Account) -> Cast:
    return maryam, sepideh, bahareh


def opened(cast: Cast, rules: str = "coup", **terms: object) -> Game:
    """A table of these three at which seat 1 begins; two misses in a row are enough."""
    new_game = NewGame(rules=rules, seat_count=3, options={"starting_player": 1}, **{"misses": 2, **terms})
    game = create_game(cast[0], new_game, "api", NOON)
    for account in cast[1:]:
        game = join_game(game.id, account, game.code, "api", NOON)
    return fresh(game)


class Time:
    """The time at a table; it goes on from deadline to deadline."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.now = NOON

    def pass_by(self) -> datetime:
        """Let the time of all people who are asked pass by, and the bots play then."""
        self.now = max(row.due_at for row in self.game.open_questions.filter(bot=False)) + timeouts.GRACE
        Heartbeat.objects.update_or_create(defaults={"at": self.now})
        timeouts.sweep(self.now)
        bots.sweep(self.now)
        return self.now

    def play(self, *lines: str) -> None:
        """Moves, each answered an hour after the one before."""
        for line in lines:
            self.now += timedelta(hours=1)
            play(self.game, line, at=self.now)

    def miss(self, seat: int) -> None:
        """Let all other players answer until this seat has missed one more question."""
        before = clocked(self.game, seat)
        while clocked(self.game, seat) == before:
            others = self.game.open_questions.filter(bot=False).exclude(seat=seat)
            if (row := others.first()) is None:
                self.pass_by()
            else:
                self.play(f"{row.seat} {'income' if row.kind == 'turn' else 'allow'}")


def clocked(game: Game, seat: int) -> int:
    return Move.objects.filter(game=game, seat=seat, via="timeout").count()


def takeover_events(game: Game) -> list[tuple[str, int]]:
    """The table's events of the game so far, each with its seat."""
    events = (line.event for line in log_store.read(fresh(game)) if isinstance(line.event, TableEvent))
    return [
        (event.__struct_config__.tag, getattr(event, "seat", 0))
        for event in events
        if event.__struct_config__.tag not in _OPENING
    ]


def seat_row(game: Game, seat: int) -> Seat:
    return game.seats.get(number=seat)


@pytest.fixture
def game(cast: Cast) -> Game:
    return opened(cast)


@pytest.fixture
def time(game: Game) -> Time:
    return Time(game)


def test_the_first_miss_of_a_game_is_not_counted(game: Game, time: Time) -> None:
    time.miss(1)
    assert (seat_row(game, 1).missed, seat_row(game, 1).spared) == (0, True)
    time.miss(1)
    time.miss(1)
    assert (seat_row(game, 1).missed, seat_row(game, 1).away) == (2, False)
    assert takeover_events(game) == []


def test_after_too_many_misses_a_bot_sits_in_once_the_player_is_asked_again(game: Game, time: Time) -> None:
    for _ in range(3):
        time.miss(1)
    time.play("2 income", "3 income")
    assert takeover_events(game) == [("table.temporary-takeover", 1)]
    assert game.open_questions.get().bot
    bots.sweep(time.now)
    assert Move.objects.filter(game=game, seat=1).latest("received_at").via == "bot"
    assert game_audit.find_faults(fresh(game)) == []


def test_who_comes_back_is_asked_themselves_with_all_the_time_there_is(cast: Cast, game: Game, time: Time) -> None:
    away(time, 1)
    absence.come_back(game.id, cast[0], time.now)
    row = game.open_questions.get()
    assert (row.bot, row.due_at) == (False, time.now + 2 * DAY)
    assert takeover_events(game) == [("table.temporary-takeover", 1), ("table.returned", 1)]
    assert (seat_row(game, 1).missed, seat_row(game, 1).away) == (0, False)
    time.play("1 income")
    assert game_audit.find_faults(fresh(game)) == []


def test_an_answer_of_ones_own_brings_one_back(game: Game, time: Time) -> None:
    away(time, 1)
    time.play("1 income")
    assert takeover_events(game)[-1] == ("table.returned", 1)
    assert not seat_row(game, 1).away


def away(time: Time, seat: int) -> None:
    """Make this seat, whose first turn it is, miss as many questions as are too many, and be asked again."""
    before = len(takeover_events(time.game))
    for _ in range(time.game.terms.misses + 1):
        time.miss(seat)
    while len(takeover_events(time.game)) == before:
        row = time.game.open_questions.filter(bot=False).first()
        time.play(f"{row.seat} {'income' if row.kind == 'turn' else 'allow'}")
    assert takeover_events(time.game)[-1][1] == seat


def test_who_does_not_answer_forfeits_where_the_table_says_so(cast: Cast) -> None:
    game = opened(cast, absence="forfeit")
    time = Time(game)
    away(time, 1)
    assert takeover_events(game) == [("table.forfeited", 1)]
    lines = log_store.read(fresh(game))
    resigned = next(line for line in lines if line.event.__struct_config__.tag == "resigned")
    assert (resigned.via, resigned.seat) == ("timeout", 1)
    assert [row.seat for row in game.open_questions.all()] == [2]
    assert game_audit.find_faults(fresh(game)) == []


def test_a_forfeited_seat_of_sedlec_is_played_on_and_cannot_win(cast: Cast) -> None:
    game = opened(cast, "sedlec", absence="forfeit", misses=1)
    time = Time(game)
    while fresh(game).state == Game.State.RUNNING:
        rows = [row for row in game.open_questions.all() if row.seat != 1]
        if rows:
            time.now += timedelta(hours=1)
            clock_free(game, rows[0].seat, time.now)
        else:
            time.pass_by()
    assert takeover_events(game)[0] == ("table.forfeited", 1)
    assert 1 not in log_store.position(fresh(game)).table.winners
    assert game_audit.find_faults(fresh(game)) == []


def clock_free(game: Game, seat: int, now: datetime) -> None:
    """The first answer that a seat is offered, by its player."""
    state = log_store.position(fresh(game)).state
    rules = log_store.rules_of(fresh(game))
    question = next(question for question in rules.questions(state) if question.seat == seat)
    play(game, f"{seat} {rules.text(rules.legal_moves(state, question)[0])}", at=now)


def test_a_seat_that_is_offered_is_taken_by_invitation_and_its_player_is_out_for_good(
    cast: Cast, dariush: Account
) -> None:
    game = opened(cast, absence="invite", private=True)
    time = Time(game)
    away(time, 1)
    assert takeover_events(game) == [("table.seat-offered", 1)]
    assert game.open_questions.update(seen_at=time.now) == 1
    invitation = invited(game, cast[1], "dariush@example.org", time.now)
    invitations.join(invitation, "", "mail", time.now)
    assert [seat.account for seat in game.seats.all()] == [dariush, cast[1], cast[2]]
    assert takeover_events(game)[-1] == ("table.player-takeover", 1)
    row = game.open_questions.get()
    assert (row.seat, row.bot, row.due_at, row.seen_at) == (1, False, time.now + 2 * DAY, None)
    with pytest.raises(Refusal, match="not-found"):
        access_to_game(cast[0], game.id)
    assert "out of this game for good" in repr(Notification.objects.get(reason="replaced", account=cast[0]).content())
    assert game_audit.find_faults(fresh(game)) == []


def test_who_takes_a_seat_over_reads_that_the_player_before_did_not_answer(cast: Cast, dariush: Account) -> None:
    game = opened(cast, absence="invite", private=True)
    time = Time(game)
    away(time, 1)
    invitations.join(invited(game, cast[1], "dariush@example.org", time.now), "", "mail", time.now)
    for account, seat, before in ((dariush, 1, "you"), (cast[1], 2, "Dariush")):
        told_in_story = " ".join(PlayerView(fresh(game), SeatNumber(seat), account).history(99))
        lines, _ = shown_lines(access_to_game(account, game.id), 0, 999)
        told_by_api = " ".join(line["text"] for line in lines if line["text"])
        for sentence in (told_in_story, told_by_api):
            assert f"The player before {before} took too long to answer; a bot sits in" in sentence
            assert "You took too long" not in sentence
        assert f"The player before {before} joined the game." in told_by_api


def invited(game: Game, inviter: Account, address: str, now: datetime) -> Invitation:
    """An invitation to the owner of an address, held so that it can be answered."""
    invitation = invitations.invite(game.id, inviter, address, "en", now)
    notify.write_due(now)
    assert Notification.objects.get(key=f"invitation:{invitation.pk}").rendered is not None
    lock_invitation = invitations.lock_invitation(invitation.pk)
    assert lock_invitation is not None
    return lock_invitation


def test_until_somebody_has_taken_the_seat_its_player_may_come_back(cast: Cast, dariush: Account) -> None:
    game = opened(cast, absence="invite")
    time = Time(game)
    away(time, 1)
    invitation = invited(game, cast[1], "dariush@example.org", time.now)
    absence.come_back(game.id, cast[0], time.now)
    with pytest.raises(Refusal, match="no longer open"):
        invitations.join(invitation, "", "mail", time.now)
    assert game.seats.get(number=1).account == cast[0]


@pytest.mark.parametrize("is_back", [False, True])
def test_who_wants_the_seat_in_an_open_window_does_not_learn_whether_its_player_is_back(
    cast: Cast, dariush: Account, is_back: bool
) -> None:
    game = begin(cast)
    agree(game, absence="invite")
    play(game, "1 tax", at=NOON)
    absent(game, 3, NOON)
    invitation = invited(game, cast[0], "dariush@example.org", NOON)
    if is_back:
        absence.come_back(game.id, cast[2], NOON)
    with pytest.raises(Refusal) as refused:
        invitations.join(invitation, "", "mail", NOON)
    assert refused.value.phrase.text.startswith("Players are being asked for reactions.")
    play(game, "2 allow", *(["3 allow"] if is_back else []), at=NOON)
    bots.play(game.pk, NOON)
    assert game.seats.get(number=3).away == (not is_back)
    if is_back:
        with pytest.raises(Refusal, match="no longer open"):
            invitations.join(invitation, "", "mail", NOON)
    else:
        invitations.join(invitation, "", "mail", NOON)
        assert game.seats.get(number=3).account == dariush


def test_nobody_takes_a_seat_who_has_known_another_hand_there(cast: Cast, dariush: Account) -> None:
    game = opened(cast, absence="invite")
    time = Time(game)
    stand_ins.name_stand_in(game.id, cast[2], dariush, time.now + DAY, time.now)
    stand_ins.withdraw(game.id, cast[2], time.now)
    away(time, 1)
    with pytest.raises(Refusal, match="can’t join this game"):
        invitations.join(invited(game, cast[1], "dariush@example.org", time.now), "", "mail", time.now)


def test_of_two_who_miss_one_window_together_only_its_target_is_counted(cast: Cast) -> None:
    game = opened(cast, misses=1)
    time = Time(game)
    time.play("1 steal 3")
    time.pass_by()
    time.play("2 income")
    time.pass_by()
    time.play("1 tax")
    missed = {seat.number: (seat.missed, seat.spared) for seat in game.seats.all()}
    assert missed == {1: (0, False), 2: (0, False), 3: (0, True)}
    assert takeover_events(game) == [("table.temporary-takeover", 3)], (
        "who was robbed in silence, and has missed the turn after it"
    )


def test_an_answer_about_others_does_not_end_the_row_and_one_that_is_aimed_does(cast: Cast) -> None:
    game = opened(cast, misses=3)
    time = Time(game)
    for _ in range(3):
        time.miss(1)
    assert seat_row(game, 1).missed == 2
    turn = game.open_questions.exclude(seat=1).get(kind="turn")
    plans.store_plan(game.id, cast[0], {"type": "allow-others"}, time.now)
    time.play(f"{turn.seat} tax")
    time.now = game.open_questions.get(seat=1).planned_at
    timeouts.answer_all(time.now)
    assert Move.objects.get(game=game, seat=1, plan__isnull=False).body == '{"type":"allow"}'
    assert seat_row(game, 1).missed == 2, "who is gone for good may have left one"
    while (row := game.open_questions.first()) and row.seat != 1:
        time.play(f"{row.seat} {'income' if row.kind == 'turn' else 'allow'}")
    time.play("1 income")
    assert seat_row(game, 1).missed == 0


def test_a_bot_who_sits_in_answers_when_any_bot_does(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = msgspec.structs.replace(RULES["coup"], bot_move=lambda knowledge, question, moves, chance: moves[0])
    monkeypatch.setitem(RULES, "coup", plain)
    game = opened(cast)
    time = Time(game)
    away(time, 1)
    bots.sweep(time.now)
    turn = game.open_questions.get(bot=False, kind="turn")
    time.play(f"{turn.seat} tax")
    rows = {row.seat: row for row in game.open_questions.all()}
    people = [row.due_at for seat, row in rows.items() if seat != 1]
    assert rows[1].bot
    assert rows[1].due_at == max(people), "after the people, whatever it holds"


def test_what_a_bot_answered_is_nobodys_answer_and_wins_nothing(cast: Cast, game: Game, time: Time) -> None:
    away(time, 1)
    bots.sweep(time.now)
    for seat in (2, 3):
        if fresh(game).state == Game.State.RUNNING:
            give_up(game, seat, time.now)
    ratings.count_all(time.now)
    result = Result.objects.get(game=game, seat=1)
    assert (result.account, result.won) == (cast[0], False)
    assert (result.asked, result.in_time) == (clocked(game, 1), 0)
    assert 1 in log_store.position(fresh(game)).table.winners


def give_up(game: Game, seat: int, now: datetime) -> None:
    store_move(fresh(game), game.seats.get(number=seat).account, WrittenMove("", "resign yes"), "api", now)
    resolve(game.id, now)


@pytest.mark.parametrize(
    ("rule", "event"),
    [("bot", "table.temporary-takeover"), ("invite", "table.seat-offered"), ("forfeit", "table.forfeited")],
)
def test_what_follows_and_when_does_not_depend_on_the_hand(cast: Cast, rule: str, event: str) -> None:
    schedules = []
    for deal in ("contessa duke", "captain assassin"):
        rest = "captain contessa assassin duke" if deal == "contessa duke" else "duke contessa contessa duke"
        game = begin(cast, [*deal.split(), *rest.split()])
        agree(game, misses=1, absence=rule)
        game.seats.update(spared=True)
        time = Time(fresh(game))
        for _ in range(3):
            time.pass_by()
        lines = [(line.event.__struct_config__.tag, line.at, line.seat) for line in log_store.read(fresh(game))]
        first = next(index for index, (tag, *_) in enumerate(lines) if tag == event)
        schedules.append(lines[: first + 1])
    assert schedules[0] == schedules[1]
