"""The chat of a game: senders, readers, and that other players learn nothing of private messages."""

import threading
from datetime import timedelta

import pytest
from django.db import connections, transaction

from accounts import blocks
from accounts.models import Account
from games.models import ChatMessage, Event, Game, Move
from games.play.resolve import resolve
from games.refusals import Refusal
from games.tables.chat import HOUR, MAX_LENGTH, MOST_PER_HOUR, clean_text, send_message
from games.visibility import table
from tests.games.seated import DEAL, NOON, agree, begin

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)


@pytest.fixture
def game(maryam: Account, sepideh: Account, bahareh: Account) -> Game:
    """Maryam, Sepideh, Bahareh and a bot."""
    return begin([maryam, sepideh, bahareh, None], [*DEAL, "ambassador", "captain"])


def hears(game: Game, account: Account) -> list[str | None]:
    return [table.visible_message(message).text for message in table.visible_messages(game, account)]


def give_up(game: Game, *seats: int) -> None:
    for seat in seats:
        Move.objects.create(game=game, seat=seat, text="resign yes", via=Move.Via.API, received_at=NOON)
        resolve(game.id, NOON)


def refusal(game: Game, author: Account, to: int | None, text: str = "Hello") -> tuple[str, str]:
    """The code and the field with which saying this is refused; nothing is said."""
    before = ChatMessage.objects.count()
    with pytest.raises(Refusal) as refused:
        send_message(game, author, to, text, NOON)
    assert ChatMessage.objects.count() == before
    return refused.value.code, refused.value.field


def test_chat_is_read_by_all_who_sit_there_and_by_nobody_else(
    game: Game, maryam: Account, sepideh: Account, bahareh: Account, dariush: Account
) -> None:
    send_message(game, maryam, None, "I have the duke", NOON)
    send_message(game, sepideh, None, "باور نمی‌کنم", NOON)
    for account in (maryam, sepideh, bahareh):
        assert hears(game, account) == ["I have the duke", "باور نمی‌کنم"]
    assert hears(game, dariush) == []


def test_a_private_message_is_read_by_its_two_only_also_after_the_end(
    game: Game, maryam: Account, sepideh: Account, bahareh: Account, dariush: Account
) -> None:
    send_message(game, maryam, 2, "Shall we?", NOON)
    send_message(game, sepideh, 1, "We shall.", NOON)
    give_up(game, 1, 2, 3)
    assert Game.objects.get(pk=game.pk).state == "over"
    for account in (maryam, sepideh):
        assert hears(game, account) == ["Shall we?", "We shall."]
    for account in (bahareh, dariush):
        assert hears(game, account) == []


def test_private_messages_between_others_leave_no_trace_in_what_somebody_is_given(
    game: Game, maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    def messages_for() -> list[table.VisibleMessage]:
        return [table.visible_message(message) for message in table.visible_messages(game, bahareh)]

    first = send_message(game, maryam, None, "one", NOON)
    send_message(game, maryam, 2, "secret", NOON)
    last = send_message(game, maryam, None, "two", NOON)
    assert [message.id for message in messages_for()] == [first.public_id, last.public_id]
    after = table.messages_after(table.visible_messages(game, bahareh), game, bahareh, first.public_id)
    assert after is not None
    assert [message.text for message in after] == ["two"]


def test_a_message_that_one_may_not_hear_is_no_place_to_go_on_from(
    game: Game, maryam: Account, bahareh: Account
) -> None:
    secret = send_message(game, maryam, 2, "secret", NOON)
    assert table.messages_after(table.visible_messages(game, bahareh), game, bahareh, secret.public_id) is None


def test_whoever_takes_a_seat_over_does_not_get_the_private_messages_of_who_sat_there(
    game: Game, maryam: Account, sepideh: Account, dariush: Account
) -> None:
    send_message(game, maryam, 2, "for Sepideh only", NOON)
    send_message(game, maryam, None, "for all", NOON)
    game.seats.filter(number=2).update(account=dariush)
    assert hears(game, dariush) == ["for all"]
    assert hears(game, sepideh) == ["for Sepideh only"]


def test_who_is_out_chats_on_and_so_do_all_after_the_end(game: Game, maryam: Account, sepideh: Account) -> None:
    give_up(game, 2)
    send_message(game, sepideh, None, "Good luck", NOON)
    send_message(game, maryam, 2, "Thank you", NOON)
    give_up(game, 3, 1)
    send_message(Game.objects.get(pk=game.pk), sepideh, None, "Well played", NOON)
    assert hears(game, sepideh) == ["Good luck", "Thank you", "Well played"]


def test_what_is_said_does_not_stand_in_the_log(game: Game, maryam: Account) -> None:
    before = list(Event.objects.filter(game_id=game.id).values())
    send_message(game, maryam, None, "I have the duke", NOON)
    assert list(Event.objects.filter(game_id=game.id).values()) == before


def test_the_host_chooses_what_may_be_said(game: Game, maryam: Account) -> None:
    agree(game, chat="table")
    assert refusal(game, maryam, 2) == ("forbidden", "")
    send_message(game, maryam, None, "to all", NOON)
    agree(game, chat="none")
    assert refusal(game, maryam, None) == refusal(game, maryam, 2) == ("forbidden", "")


def test_a_private_message_goes_to_the_seat_of_another_person(game: Game, maryam: Account, bahareh: Account) -> None:
    game.seats.filter(number=3).update(account=None)
    for seat in (0, 1, 3, 4, 5):
        assert refusal(game, maryam, seat) == ("malformed", "to"), seat


def test_a_stranger_says_nothing_and_learns_nothing_of_a_private_table(game: Game, dariush: Account) -> None:
    assert refusal(game, dariush, None) == ("forbidden", "")
    game.private = True
    assert refusal(game, dariush, None) == ("not-found", "")


def test_chat_begins_with_the_game(game: Game, maryam: Account) -> None:
    game.state = Game.State.OPEN
    assert refusal(game, maryam, None) == ("conflict", "")


@pytest.mark.parametrize("text", ["", "  \n ", "\u200b\u200c", "\u202e", "\x00\x07", "\u2066\u2069"])
def test_what_cannot_be_seen_is_not_said(game: Game, maryam: Account, text: str) -> None:
    assert refusal(game, maryam, None, text) == ("malformed", "text")


def test_a_message_has_a_greatest_length(game: Game, maryam: Account) -> None:
    send_message(game, maryam, None, "م" * MAX_LENGTH, NOON)
    assert refusal(game, maryam, None, "م" * (MAX_LENGTH + 1)) == ("malformed", "text")


@pytest.mark.parametrize(
    ("text", "stored_text"),
    [
        ("<script>alert(1)</script> & co", "<script>alert(1)</script> & co"),
        ("a\x00b\x1bc\x7f\x9bd", "abcd"),
        ("\u202eevil\u202c \u2066x\u2069 \u200fy\ufeff", "evil x y"),
        ("می‌خواهم 👩‍🚀", "می‌خواهم 👩‍🚀"),
        ("one\r\ntwo\rthree\u2028four", "one\ntwo\nthree\nfour"),
        ("one\n\n\n\n\ntwo  \n", "one\n\ntwo"),
        ("a\tb", "a b"),
        ("\ud800x", "x"),
        ("\U0001fae8", "\U0001fae8"),
    ],
)
def test_what_is_said_is_kept_as_it_was_written_without_marks_that_deceive(text: str, stored_text: str) -> None:
    assert clean_text(text) == stored_text


def test_nobody_says_more_than_a_limit_within_an_hour_at_all_tables_together(
    game: Game, maryam: Account, sepideh: Account
) -> None:
    other = begin([maryam, sepideh])
    for number in range(MOST_PER_HOUR):
        send_message(
            other if number % 2 else game, maryam, None, f"message {number}", NOON + number * timedelta(seconds=1)
        )
    late = NOON + 30 * MINUTE
    with pytest.raises(Refusal) as refused:
        send_message(game, maryam, None, "one more", late)
    assert (refused.value.code, refused.value.wait) == ("rate-limited", 30 * 60)
    send_message(game, sepideh, None, "I may", late)
    send_message(game, maryam, None, "again", NOON + HOUR)


def test_who_is_blocked_writes_as_always_and_is_not_heard(game: Game, maryam: Account, sepideh: Account) -> None:
    blocks.block(sepideh, maryam, NOON)
    message = send_message(game, maryam, 2, "Hello", NOON)
    assert hears(game, maryam) == ["Hello"]
    assert hears(game, sepideh) == []
    assert table.visible_message(message).text == "Hello"


def test_whom_one_has_blocked_one_does_not_write_to(game: Game, maryam: Account, sepideh: Account) -> None:
    blocks.block(sepideh, maryam, NOON)
    assert refusal(game, sepideh, 1) == ("conflict", "")


def test_who_is_muted_is_not_heard_by_who_muted_them_and_by_all_others(
    game: Game, maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    blocks.mute(sepideh, maryam, NOON)
    first = send_message(game, bahareh, None, "Hello", NOON)
    send_message(game, maryam, None, "Hi", NOON)
    send_message(game, maryam, 2, "Psst", NOON)
    send_message(game, bahareh, None, "Quiet here", NOON)
    assert hears(game, sepideh) == ["Hello", "Quiet here"]
    assert hears(game, bahareh) == ["Hello", "Hi", "Quiet here"]
    rest = table.messages_after(table.visible_messages(game, sepideh), game, sepideh, first.public_id)
    assert rest is not None
    assert [message.text for message in rest] == ["Quiet here"]


def test_what_somebody_said_goes_with_their_account_and_its_place_stays(
    game: Game, maryam: Account, sepideh: Account
) -> None:
    first = send_message(game, maryam, None, "I was here", NOON)
    send_message(game, sepideh, 1, "Were you?", NOON)
    send_message(game, sepideh, None, "She was", NOON)
    maryam.delete()
    assert not ChatMessage.objects.filter(text__contains="I was").exists()
    assert hears(game, sepideh) == [None, "Were you?", "She was"]
    rest = table.messages_after(table.visible_messages(game, sepideh), game, sepideh, first.public_id)
    assert rest is not None
    assert rest.count() == 2


def test_what_a_moderator_hides_is_shown_to_nobody(game: Game, maryam: Account, sepideh: Account) -> None:
    chat_message = send_message(game, maryam, None, "something bad", NOON)
    ChatMessage.objects.filter(pk=chat_message.pk).update(hidden=True)
    assert hears(game, maryam) == hears(game, sepideh) == [None]


@pytest.mark.django_db(transaction=True)
def test_whoever_reads_on_from_the_last_message_misses_none_that_was_being_said(
    game: Game, maryam: Account, sepideh: Account
) -> None:
    speaking, stop = threading.Event(), threading.Event()

    def slowly() -> None:
        with transaction.atomic():
            send_message(game, maryam, None, "first", NOON)
            speaking.set()
            stop.wait(30)
        connections.close_all()

    def quickly() -> None:
        send_message(game, sepideh, None, "second", NOON)
        connections.close_all()

    slow, quick = threading.Thread(target=slowly), threading.Thread(target=quickly)
    slow.start()
    assert speaking.wait(30)
    quick.start()
    quick.join(0.5)
    heard_meanwhile = hears(game, maryam)
    stop.set()
    slow.join(30)
    quick.join(30)
    assert (heard_meanwhile, hears(game, maryam)) == ([], ["first", "second"])
