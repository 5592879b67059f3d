"""Tests of received email on its way to a move: allowed senders, replies, and delayed deadlines."""

from datetime import timedelta
from email import message_from_bytes
from email.message import EmailMessage
from itertools import pairwise
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.db import InterfaceError, OperationalError, ProgrammingError

from accounts.models import Account
from games import links
from games.announcements.notify import write_due
from games.mail import game_handler
from games.mail import tasks as mail_tasks
from games.mail.intake import receive
from games.models import ChatMessage, Game, Move, OpenQuestion
from games.operations import retrying
from notifications import preferences, received_mail, reply_addresses
from notifications import set_aside as notes
from notifications.content import Prose
from notifications.email.message import message
from notifications.models import Notification, RawMail
from notifications.set_aside import SetAside
from tests.games.seated import NOON, begin, chat_address, play, question_address, seat_address, sweep

pytestmark = pytest.mark.django_db

LATER = NOON + timedelta(hours=1)
SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)


def open_question(game: Game, seat: int = 1) -> OpenQuestion:
    return OpenQuestion.objects.get(game=game, seat=seat)


def email_bytes(text: str, sender: str = "Maryam <Maryam@Example.org>", id: str = "", **headers: str) -> bytes:
    """A mail as a person's program writes it."""
    mail = EmailMessage()
    mail["From"] = sender
    mail["To"] = "somebody@localhost"
    mail["Subject"] = "Re: Coup"
    mail["Message-ID"] = f"<{id or abs(hash((text, sender)))}@example.org>"
    for name, value in headers.items():
        mail[name.replace("_", "-")] = value
    mail.set_content(f"{text}\n")
    return mail.as_bytes()


def send(raw: bytes, *to: str, at: Any = LATER, envelope: str | None = "maryam@example.org") -> None:
    """Receive and read an email."""
    receive(raw, envelope, to, at)
    mail_tasks.read_due(at)


def notifications(account: Account, *reasons: str) -> list[Notification]:
    """Return the notifications to an account for these reasons, the oldest first."""
    return list(Notification.objects.filter(account=account, reason__in=reasons).order_by("created_at", "pk"))


def message_id(raw: bytes) -> str:
    return str(message_from_bytes(raw)["Message-ID"])


def text_of(notification: Notification) -> str:
    return repr(notification.content())


@pytest.mark.parametrize("line", ["2", "foreign aid", "کمک خارجی", "۲", "2. foreign-aid"])
def test_a_reply_with_the_number_the_notation_or_the_persian_words_is_the_move(game: Game, line: str) -> None:
    send(email_bytes(line), question_address(game))
    move = Move.objects.get(game=game)
    assert (move.via, move.state, move.received_at, move.seat) == ("mail", "applied", LATER, 1)
    assert not OpenQuestion.objects.filter(game=game, seat=1).exists()


@pytest.mark.parametrize("spelling", ["maryam@دربار.org", "Maryam@XN--MGBBUIC.org"])
@pytest.mark.parametrize("stored", ["maryam@دربار.org", "maryam@xn--mgbbuic.org"])
def test_a_reply_is_from_the_account_in_both_forms_of_its_domain(
    game: Game, maryam: Account, stored: str, spelling: str
) -> None:
    maryam.email = stored
    maryam.save()
    raw = email_bytes("2").replace(b"Maryam@Example.org", spelling.encode())
    send(raw, question_address(game))
    assert Move.objects.get(game=game).state == "applied"


@pytest.mark.parametrize(("language", "played"), [("en", "Your move was played: income"), ("fa", "انجام شد: درآمد")])
def test_a_receipt_goes_to_those_who_want_one_after_an_hour(
    game: Game, maryam: Account, language: str, played: str
) -> None:
    Account.objects.filter(pk=maryam.pk).update(language=language)
    send(email_bytes("income"), question_address(game))
    write_due(LATER + HOUR - SECOND)
    (receipt,) = notifications(maryam, "receipt")
    assert receipt.state == "scheduled"
    write_due(LATER + HOUR)
    (receipt,) = notifications(maryam, "receipt")
    assert played in text_of(receipt)
    assert receipt.topic == f"game:{game.id}"


def test_no_receipt_goes_out_where_the_next_question_tells_of_the_move(game: Game, maryam: Account) -> None:
    send(email_bytes("income"), question_address(game))
    play(game, "2 income", at=LATER + MINUTE)
    play(game, "3 income", at=LATER + MINUTE)
    write_due(LATER + HOUR)
    (receipt,) = notifications(maryam, "receipt")
    assert receipt.state == "dropped"
    *_, notification = notifications(maryam, "question")
    assert "You took income" in text_of(notification).replace("\u2068", "").replace("\u2069", "")


def test_no_receipt_goes_to_those_who_want_none(game: Game, maryam: Account) -> None:
    preferences.change(maryam, {"receipts": False}, NOON)
    send(email_bytes("income"), question_address(game))
    assert Move.objects.get().state == "applied"
    assert notifications(maryam, "receipt", "answer") == []


def test_the_same_mail_delivered_five_times_moves_once(game: Game, maryam: Account) -> None:
    address = question_address(game)
    for copy in range(5):
        hop = b"Received: from mx%d.example.org\r\n" % copy
        receive(hop + email_bytes("income"), "maryam@example.org", [address.upper()], LATER + copy * SECOND)
    mail_tasks.read_due(LATER + 9 * SECOND)
    assert Move.objects.filter(game=game).count() == 1
    assert len(notifications(maryam, "receipt", "answer")) == 1
    assert set(RawMail.objects.values_list("state", flat=True)) == {"read"}


@pytest.mark.parametrize(
    "sender", ["Sepideh <sepideh@example.org>", "maryam@example.com", "a@b.org, maryam@example.org"]
)
def test_from_another_address_nothing_moves_and_the_accounts_own_is_asked_once(
    game: Game, maryam: Account, sepideh: Account, sender: str
) -> None:
    address = question_address(game)
    send(email_bytes("income", sender), address)
    send(email_bytes("foreign aid", sender), address)
    assert not Move.objects.exists()
    assert notifications(sepideh, "answer") == []
    (doubt,) = notifications(maryam, "answer")
    assert doubt.destination() == "maryam@example.org"
    page = links.question_page(game.id, open_question(game).question, maryam.pk, 1)
    assert page in text_of(doubt)
    assert doubt.content().in_reply_to == ""


def test_each_confirmed_address_of_the_seats_person_may_answer_and_no_other(game: Game, maryam: Account) -> None:
    for address, verified in (("maryam@example.org", True), ("m@work.example", True), ("old@example.org", False)):
        EmailAddress.objects.create(user=maryam, email=address, verified=verified)
    send(email_bytes("income", "old@example.org"), question_address(game))
    assert not Move.objects.exists()
    send(email_bytes("income", "M@Work.example"), question_address(game))
    assert Move.objects.get().state == "applied"


def test_a_failed_authentication_is_believed_from_our_own_mail_server_only(game: Game, settings: Any) -> None:
    settings.AUTHENTICATION_SERVER = "mx.darbar.example"
    for server, moves in (("mx.darbar.example", 0), ("mx.elsewhere.example", 1)):
        failed = f"{server}; dmarc=fail header.from=example.org"
        send(email_bytes("income", id=server, Authentication_Results=failed), question_address(game))
        assert Move.objects.count() == moves


@pytest.mark.parametrize(
    ("headers", "envelope"),
    [
        ({"Auto_Submitted": "auto-replied"}, "maryam@example.org"),
        ({"Precedence": "auto_reply"}, "maryam@example.org"),
        ({}, ""),
    ],
)
@pytest.mark.parametrize("line", ["income", "?", "nonsense", "resign yes"])
def test_what_a_machine_wrote_moves_nothing_and_is_not_answered(
    game: Game, maryam: Account, headers: dict[str, str], envelope: str, line: str
) -> None:
    send(email_bytes(line, **headers), question_address(game), envelope=envelope)
    assert not Move.objects.exists()
    assert notifications(maryam, "answer", "again", "receipt") == []
    assert RawMail.objects.get().state == "read"


def test_what_cannot_be_read_is_answered_once_with_what_is_possible_now(game: Game, maryam: Account) -> None:
    send(email_bytes("tax the rich"), question_address(game))
    (answer,) = notifications(maryam, "answer")
    assert not Move.objects.exists()
    assert "tax the rich" in text_of(answer)
    assert "foreign-aid" in text_of(answer)
    assert answer.content().reply_to == question_address(game)
    assert answer.content().in_reply_to == message_id(email_bytes("tax the rich"))


def test_an_answer_to_a_closed_question_is_answered_with_what_is_asked_now(game: Game, sepideh: Account) -> None:
    first = question_address(game)
    play(game, "1 income", at=NOON)
    send(email_bytes("tax"), first)
    assert Move.objects.filter(via="mail").count() == 0
    (answer,) = Notification.objects.filter(reason="answer")
    assert "answered or is over" in text_of(answer)


def test_an_answer_that_came_after_its_time_is_refused(game: Game, maryam: Account) -> None:
    late = open_question(game).due_at + SECOND
    send(email_bytes("income"), question_address(game), at=late)
    assert Move.objects.get().state == "rejected"
    (answer,) = notifications(maryam, "answer")
    assert "after its deadline" in text_of(answer)


def test_a_persian_reader_is_answered_in_persian(game: Game, sepideh: Account) -> None:
    play(game, "1 tax", at=NOON)
    send(email_bytes("چه؟", "sepideh@example.org"), question_address(game, 2))
    (answer,) = notifications(sepideh, "answer")
    assert answer.content().language == "fa"
    assert answer.content().headline == "ایمیل شما چیزی را تغییر نداد."


@pytest.mark.parametrize("to_seat", [True, False])
def test_a_question_mark_has_the_question_put_once_more(game: Game, maryam: Account, to_seat: bool) -> None:
    address = seat_address(game, 1) if to_seat else question_address(game)
    send(email_bytes("?"), address)
    write_due(LATER)
    (again,) = notifications(maryam, "again")
    assert again.question == open_question(game).question
    assert again.content().reply_to == question_address(game)


@pytest.mark.parametrize(
    ("line", "nearest"), [("incomme please", "income"), ("I'd like forein aid", "foreign-aid"), ("2nd", "foreign-aid")]
)
def test_a_mistyped_move_is_answered_with_the_one_that_was_probably_meant_and_not_played(
    game: Game, maryam: Account, line: str, nearest: str
) -> None:
    send(email_bytes(line), question_address(game))
    (answer,) = notifications(maryam, "answer")
    assert f"Did you mean “{nearest}”?" in str(answer.content().blocks[0])
    assert not Move.objects.exists()


def test_a_question_mark_of_somebody_who_is_asked_nothing_is_answered(game: Game, sepideh: Account) -> None:
    send(email_bytes("?", "sepideh@example.org"), seat_address(game, 2))
    assert len(notifications(sepideh, "answer")) == 1


def test_a_question_mark_after_the_end_is_answered_with_who_won(game: Game, maryam: Account) -> None:
    for seat, sender in ((1, "maryam@example.org"), (2, "sepideh@example.org")):
        send(email_bytes("resign yes", sender), seat_address(game, seat))
    send(email_bytes("?"), seat_address(game, 1))
    assert "won Coup" in notifications(maryam, "answer")[-1].content().headline


def test_resigning_is_asked_back_first_and_done_when_it_is_meant(game: Game, maryam: Account) -> None:
    send(email_bytes("resign"), seat_address(game, 1))
    (sure,) = notifications(maryam, "answer")
    assert not Move.objects.exists()
    send(email_bytes("Resign yes"), sure.content().reply_to)
    assert Move.objects.get().state == "applied"
    assert not OpenQuestion.objects.filter(game=game, seat=1).exists()


@pytest.mark.parametrize("line", ["chat I have the duke", "Chat: I have the duke", "گفتگو I have the duke"])
@pytest.mark.parametrize("to_seat", [True, False])
def test_chat_is_said_to_all_and_moves_nothing(game: Game, maryam: Account, line: str, to_seat: bool) -> None:
    send(email_bytes(line), seat_address(game, 1) if to_seat else question_address(game))
    chat_message = ChatMessage.objects.get(game=game)
    assert (chat_message.seat, chat_message.to, chat_message.text, chat_message.sent_at) == (
        1,
        None,
        "I have the duke",
        LATER,
    )
    assert not Move.objects.exists()
    (receipt,) = notifications(maryam, "receipt")
    assert "You wrote to all: I have the duke" in text_of(receipt)
    assert notifications(maryam, "answer") == []


@pytest.mark.parametrize("line", ["chat 2 shall we?", "chat سپیده shall we?", "chat: سپیده: shall we?"])
def test_chat_that_names_a_seat_or_its_player_is_a_private_message(
    game: Game, maryam: Account, sepideh: Account, line: str
) -> None:
    send(email_bytes(line), seat_address(game, 1))
    chat_message = ChatMessage.objects.get(game=game)
    assert (chat_message.to, chat_message.reader, chat_message.text) == (2, sepideh, "shall we?")
    (receipt,) = notifications(maryam, "receipt")
    (prose,) = receipt.content().blocks
    assert prose == Prose(("You wrote just to \u2067سپیده\u2069: shall we?",))


def test_chat_that_cannot_be_said_is_answered_with_the_reason(game: Game, maryam: Account) -> None:
    send(email_bytes("chat 3 hello machine"), seat_address(game, 1))
    (answer,) = notifications(maryam, "answer")
    assert answer.content().headline == "Your message wasn’t sent."
    assert "bots don’t chat" in text_of(answer)
    assert not ChatMessage.objects.exists()


def test_the_same_chat_delivered_five_times_is_said_once(game: Game) -> None:
    for _copy in range(5):
        receive(email_bytes("chat hello", id="one"), "maryam@example.org", [seat_address(game, 1)], LATER)
    mail_tasks.read_due(LATER)
    assert ChatMessage.objects.count() == 1


def test_chat_from_another_address_is_not_said(game: Game, maryam: Account, sepideh: Account) -> None:
    send(email_bytes("chat I give up", "sepideh@example.org"), seat_address(game, 1))
    send(email_bytes("chat I give up", Auto_Submitted="auto-replied"), seat_address(game, 1))
    assert not ChatMessage.objects.exists()


def test_what_is_quoted_below_chat_is_not_said(game: Game, maryam: Account, sepideh: Account) -> None:
    play(game, "1 tax", at=NOON)
    write_due(NOON)
    (turn,) = notifications(sepideh, "question")
    quoted = "\n".join(f"> {line}" for line in str(message(turn).body).splitlines())
    reply = f"chat no idea\n\nOn Sunday Darbar wrote:\n{quoted}"
    send(email_bytes(reply, "sepideh@example.org"), seat_address(game, 2), envelope="sepideh@example.org")
    assert ChatMessage.objects.get().text == "no idea"


def test_a_move_sent_to_the_seats_address_moves_nothing(game: Game, maryam: Account) -> None:
    send(email_bytes("income"), seat_address(game, 1))
    assert not Move.objects.exists()
    assert len(notifications(maryam, "answer")) == 1


def test_whoever_writes_without_end_is_not_answered_without_end(game: Game, maryam: Account) -> None:
    for number in range(game_handler.HOURLY_LIMIT + 5):
        send(email_bytes("on holiday", id=f"holiday-{number}"), question_address(game))
        send(email_bytes("?", id=f"again-{number}"), question_address(game))
    assert len(notifications(maryam, "answer", "again")) == game_handler.HOURLY_LIMIT


def test_whoever_chats_without_end_is_heard_and_no_longer_told_so(game: Game, maryam: Account) -> None:
    for number in range(game_handler.HOURLY_LIMIT + 5):
        send(email_bytes("chat all I am away.", id=f"chat-{number}"), seat_address(game, 1))
    assert ChatMessage.objects.count() == game_handler.HOURLY_LIMIT + 5
    assert len(notifications(maryam, "receipt")) == game_handler.HOURLY_LIMIT


def digest_address(account: Account) -> str:
    """Return the reply address of a digest to an account."""
    lead, *others = Notification.objects.filter(account=account, reason="question").order_by("created_at", "pk")
    Notification.objects.filter(pk__in=[game_row.pk for game_row in others]).update(lead=lead, state="merged")
    return reply_addresses.address(reply_addresses.DIGEST, reply_addresses.short(lead.pk))


def test_a_reply_to_a_digest_without_a_code_moves_nothing_and_is_answered(game: Game, maryam: Account) -> None:
    write_due(NOON)
    to = digest_address(maryam)
    for line in ("income", "1", f"thanks, {game.code[:4]}", f"not {game.code[:4]}: 1", "VED: 1"):
        send(email_bytes(line), to)
    send(email_bytes(f"{game.code[:4]}: income", "sepideh@example.org"), to)
    assert not Move.objects.filter(via="mail").exists()
    answers = notifications(maryam, "answer")
    assert len(answers) == 5
    for answer in answers:
        assert "several questions" in text_of(answer)
        assert f"{game.code[:4].upper()}: 1" in text_of(answer)


def test_a_reply_to_a_digest_answers_the_games_whose_codes_it_bears(
    game: Game, maryam: Account, sepideh: Account
) -> None:
    other, third = begin([maryam, sepideh, None]), begin([maryam, None, sepideh])
    write_due(NOON)
    one, two, three = (own_game.code[:4].upper() for own_game in (game, other, third))
    send(
        email_bytes(f"Hi Darbar,\n\n{one}: 2\n{two.lower()} - Take income: 1 coin\n\nThanks!\nMaryam"),
        digest_address(maryam),
    )
    assert {move.game_id: move.text for move in Move.objects.filter(via="mail")} == {
        game.id: "foreign-aid",
        other.id: "income",
    }
    assert three != one
    assert len(notifications(maryam, "receipt")) == 2


def test_what_is_refused_in_one_game_of_a_digest_is_played_in_the_other(
    game: Game, maryam: Account, sepideh: Account
) -> None:
    other = begin([maryam, sepideh, None])
    write_due(NOON)
    send(email_bytes(f"{game.code[:4]}: coup Sepideh\n{other.code[:4]}: tax"), digest_address(maryam))
    assert [move.game_id for move in Move.objects.filter(via="mail")] == [other.id]
    (answer,) = notifications(maryam, "answer")
    assert "coup Sepideh" in text_of(answer)


@pytest.mark.parametrize(
    "body", ["{0}: 1\n{0}: 2", "I had rather\n{0}: 1", "> quoted\n{0}: 1\nbut\n{0}: 2", "{0}: 1 or 2"]
)
def test_a_reply_to_a_digest_is_never_guessed_at(game: Game, maryam: Account, body: str) -> None:
    write_due(NOON)
    send(email_bytes(body.format(game.code[:4])), digest_address(maryam))
    assert not Move.objects.filter(via="mail").exists()


def test_a_question_of_a_digest_that_is_over_is_not_answered(game: Game, maryam: Account) -> None:
    write_due(NOON)
    to = digest_address(maryam)
    send(email_bytes(f"{game.code[:4]}: income"), to)
    send(email_bytes(f"{game.code[:4]}: tax"), to)
    assert [move.text for move in Move.objects.filter(via="mail")] == ["income"]
    assert "answered or is over" in text_of(notifications(maryam, "answer")[-1])


def test_only_our_own_reply_addresses_take_mail(game: Game, maryam: Account) -> None:
    page = links.question_page(game.id, open_question(game).question, maryam.pk).rstrip("/").rpartition("/")[2]
    assert received_mail.takes(question_address(game).upper())
    for address in (f"{page}@localhost", "maryam@example.org", question_address(game)[1:], "", "postmaster@localhost"):
        assert not received_mail.takes(address)


def test_the_clock_waits_for_a_mail_that_came_in_time_and_is_not_read_yet(game: Game) -> None:
    due = open_question(game).due_at
    receive(email_bytes("income"), "maryam@example.org", [question_address(game)], due)
    sweep(due + 11 * SECOND)
    assert not Move.objects.exists()
    mail_tasks.read_due(due + 12 * SECOND)
    assert Move.objects.get().via == "mail"
    assert Move.objects.get().state == "applied"


def test_the_clock_does_not_wait_for_a_mail_that_came_too_late(game: Game) -> None:
    due = open_question(game).due_at
    receive(email_bytes("income"), "maryam@example.org", [question_address(game)], due + SECOND)
    sweep(due + 11 * SECOND)
    assert Move.objects.get().via == "timeout"


def test_a_mail_that_nobody_can_read_is_set_aside_after_three_attempts_and_holds_nothing_up(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    due = open_question(game).due_at
    receive(email_bytes("income"), "maryam@example.org", [question_address(game)], due)
    receive(email_bytes("?", "sepideh@example.org"), "sepideh@example.org", [seat_address(game, 2)], due)
    unreadable(monkeypatch, b"income")
    for moment, state in ((0, "received"), (5, "received"), (11, "received"), (32, "failed")):
        mail_tasks.read_due(due + moment * SECOND)
        broken, other = RawMail.objects.order_by("pk")
        assert (broken.state, other.state) == (state, "read")
    assert Notification.objects.filter(reason="failed").count() == 1
    sweep(due + 33 * SECOND)
    assert Move.objects.get().via == "timeout"


def test_a_mail_from_which_nothing_can_follow_is_tried_for_hours_with_growing_pauses(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    receive_income(game)
    breaking(monkeypatch, ValueError())
    tries, now = [], LATER
    while (mail := RawMail.objects.get()).state == "received":
        now = max(now, mail.next_attempt_at)
        tries.append(now)
        mail_tasks.read_due(now)
    pauses = [after - before for before, after in pairwise(tries)]
    assert pauses[:4] == [10 * SECOND, 20 * SECOND, 40 * SECOND, 80 * SECOND]
    assert pauses[-1] == received_mail.LONGEST_PAUSE
    assert timedelta(hours=5) < tries[-1] - LATER < received_mail.PATIENCE
    assert (mail.failures, notes.unsettled().get().at) == (received_mail.FAILURES, now)
    assert bytes(mail.raw) == email_bytes("income")


@pytest.mark.parametrize(
    "error", [OperationalError(), InterfaceError(), ProgrammingError(), OSError(), MemoryError()], ids=repr
)
def test_errors_of_the_server_never_set_a_mail_aside(
    game: Game, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    receive_income(game)
    with monkeypatch.context() as patch:
        breaking(patch, error)
        for day in range(30):
            mail_tasks.read_due(LATER + day * timedelta(days=1))
    mail = RawMail.objects.get()
    assert (mail.state, mail.attempts, mail.failures) == ("received", 30, 0)
    mail_tasks.read_due(mail.next_attempt_at)
    assert RawMail.objects.get().state == "read"


def test_the_clock_waits_six_hours_for_a_mail_whose_readers_die(game: Game) -> None:
    due = open_question(game).due_at
    receive(email_bytes("income"), "maryam@example.org", [question_address(game)], due)
    received_mail.begin(due + SECOND, ())
    sweep(due + received_mail.PATIENCE)
    assert not Move.objects.exists()
    sweep(due + received_mail.PATIENCE + 2 * SECOND)
    assert Move.objects.get().via == "timeout"
    assert RawMail.objects.get().state == "received"


def test_what_a_mail_said_is_forgotten_as_soon_as_it_is_read(game: Game) -> None:
    receive_income(game)
    mail_tasks.read_due(LATER)
    mail = RawMail.objects.get()
    assert (mail.state, bytes(mail.raw)) == ("read", b"")


def test_a_mail_that_was_set_aside_can_be_tried_again_and_counts_from_when_it_came(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        unreadable(patch, b"income")
        set_aside(game)
    assert retrying.retry(notes.unsettled(), LATER + timedelta(hours=1)) == (1, 0)
    mail_tasks.read_due(LATER + timedelta(hours=1))
    assert RawMail.objects.get().state == "read"
    assert (Move.objects.get().state, Move.objects.get().received_at) == ("applied", LATER)


def test_a_mail_that_was_set_aside_is_red_until_it_is_acknowledged(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    unreadable(monkeypatch, b"income")
    set_aside(game)
    assert notes.unsettled(SetAside.Kind.MAIL).count() == 1
    assert retrying.acknowledge(notes.unsettled(), LATER) == 1
    assert notes.unsettled().count() == 0


def test_of_too_many_mails_that_were_set_aside_the_oldest_lose_their_text(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    unreadable(monkeypatch, b"income")
    for number in range(3):
        set_aside(game, LATER + number * SECOND)
    monkeypatch.setattr(received_mail, "MOST_KEPT", 2 * len(email_bytes("income")))
    received_mail.forget(LATER)
    assert [bool(mail.raw) for mail in RawMail.objects.order_by("received_at")] == [False, True, True]
    assert retrying.retry(notes.unsettled(), LATER) == (2, 1)


def receive_income(game: Game, at: Any = LATER) -> None:
    receive(email_bytes("income"), "maryam@example.org", [question_address(game)], at)


def set_aside(game: Game, at: Any = LATER) -> None:
    """Make a mail come in that cannot be read, and be tried as often as it takes."""
    receive_income(game, at)
    for moment in (0, 11, 32):
        mail_tasks.read_due(at + moment * SECOND)


def test_of_a_mail_that_somebody_else_sent_only_the_operator_hears_once_an_hour(
    game: Game, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.OPERATOR_EMAIL = "operator@darbar.example"
    unreadable(monkeypatch, b"income")
    for number in range(3):
        raw = email_bytes("income", "kaveh@example.org", str(number))
        receive(raw, "kaveh@example.org", [question_address(game)], LATER)
    for moment in (0, 11, 32):
        mail_tasks.read_due(LATER + moment * SECOND)
    assert {mail.state for mail in RawMail.objects.all()} == {"failed"}
    assert not Notification.objects.filter(reason="failed").exists()
    (operator_email,) = Notification.objects.filter(reason="operator")
    assert (operator_email.account, operator_email.address) == (None, "operator@darbar.example")
    assert "income" not in text_of(operator_email)


def test_a_mail_that_was_read_is_forgotten_after_a_month_and_no_other(game: Game) -> None:
    send(email_bytes("income"), question_address(game))
    receive(email_bytes("?"), "maryam@example.org", [seat_address(game, 1)], LATER)
    received_mail.forget(LATER + received_mail.KEPT)
    assert RawMail.objects.count() == 2
    received_mail.forget(LATER + received_mail.KEPT + SECOND)
    assert RawMail.objects.get().state == "received"


def breaking(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Make what follows from mails fail with this error."""

    def failing(*args: Any) -> None:
        raise error

    monkeypatch.setattr(mail_tasks, "_dispatch", failing)


def unreadable(monkeypatch: pytest.MonkeyPatch, word: bytes) -> None:
    """Make the parser fail on emails with this word."""
    original = mail_tasks.parser.read

    def failing(raw: bytes, *args: Any, **keywords: Any) -> Any:
        if word in raw:
            raise RecursionError
        return original(raw, *args, **keywords)

    monkeypatch.setattr(mail_tasks.parser, "read", failing)


def test_a_pause_is_asked_for_and_agreed_to_by_mail_in_both_languages(game: Game, sepideh: Account) -> None:
    due = open_question(game).due_at
    send(email_bytes("pause 3 days"), question_address(game))
    assert not notifications(game.seats.get(number=1).account, "answer")
    write_due(LATER)
    (proposal,) = notifications(sepideh, "pause-proposed")
    assert "موافقم" in text_of(proposal)
    send(email_bytes("موافقم", "sepideh@example.org"), proposal.content().reply_to, envelope="sepideh@example.org")
    assert open_question(game).due_at == due + timedelta(days=3)
    for sender, word in (("maryam@example.org", "resume"), ("sepideh@example.org", "ادامه")):
        to = seat_address(game, 1 if word == "resume" else 2)
        send(email_bytes(word, sender), to, envelope=sender)
    assert open_question(game).due_at == due


def test_a_pause_that_cannot_be_is_answered_with_why_not(game: Game, maryam: Account) -> None:
    send(email_bytes("pause 30"), question_address(game))
    send(email_bytes("agree"), question_address(game))
    text = "".join(map(text_of, notifications(maryam, "answer")))
    assert "7 days, 0 hours" in text
    assert "No pause is proposed." in text


@pytest.mark.parametrize("sender", ["Darbar <darbar@localhost>", "DARBAR@LOCALHOST", "feedback@localhost"])
def test_a_mail_that_bears_our_own_address_moves_nothing_and_asks_nobody(
    game: Game, maryam: Account, sender: str
) -> None:
    send(email_bytes("income", sender=sender), question_address(game), envelope="somebody@example.org")
    send(email_bytes("join", sender=sender), seat_address(game, 1), envelope="somebody@example.org")
    assert not Move.objects.exists()
    assert notifications(maryam, "answer", "receipt") == []


def test_an_operators_other_addresses_on_the_servers_domain_are_peoples(game: Game, maryam: Account) -> None:
    send(email_bytes("income", sender="somebody@localhost"), question_address(game), envelope="somebody@localhost")
    assert len(notifications(maryam, "answer")) == 1


def test_the_label_of_an_answer_moves(game: Game) -> None:
    send(email_bytes("Hi Darbar,\n\n3. Collect tax with the duke: 3 coins\n\nThanks!"), question_address(game))
    assert Move.objects.get(game=game).text == "tax"


def test_form_text_in_an_unmarked_quotation_moves_nothing(game: Game) -> None:
    raw = email_bytes("").replace(b"text/plain", b"text/html").rstrip() + b"\n\n<textarea>income</textarea>\n"
    send(raw, question_address(game))
    assert not Move.objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        "Well played!",
        "Hi all,\n\nWell played!\n\nMaryam Rahimi\n+49 30 1234",
        "آفرین به همه!",
        "You are bluffing, admit it, Sepideh.",
    ],
)
def test_plain_text_that_answers_chat_with_all_is_chat_with_all(game: Game, body: str) -> None:
    send(email_bytes(body), chat_address(game, 1, None))
    message = ChatMessage.objects.get()
    assert (message.to, message.text) == (None, body.removeprefix("Hi all,\n\n").partition("\n")[0])


def test_plain_text_that_answers_a_private_message_stays_private(game: Game) -> None:
    send(email_bytes("Agreed, let us do that"), chat_address(game, 1, 2))
    assert ChatMessage.objects.get().to == 2


@pytest.mark.parametrize(
    "body", ["lose duke", "3", "3. tax", "I block as contessa", "prove", "رو بزرگ‌زاده", "duk lose", "lose dukee", "?"]
)
def test_a_move_in_the_answer_to_chat_is_told_to_nobody(game: Game, maryam: Account, body: str) -> None:
    send(email_bytes(body), chat_address(game, 1, None))
    assert not ChatMessage.objects.exists()
    assert not Move.objects.filter(via="mail").exists()
    assert len(Notification.objects.filter(account=maryam).exclude(reason="started")) > 0


def test_commands_work_in_the_answer_to_chat(game: Game) -> None:
    send(email_bytes("chat 2 shall we?"), chat_address(game, 1, None))
    assert ChatMessage.objects.get().to == 2
    send(email_bytes("resign yes"), chat_address(game, 1, None))
    assert Move.objects.get(via="mail").text == "resign yes"


def test_a_stranger_does_not_chat_for_a_player(game: Game) -> None:
    send(email_bytes("Well played!", "mallory@example.org"), chat_address(game, 1, None))
    assert not ChatMessage.objects.exists()


def test_plain_text_at_the_address_of_a_seat_is_asked_back(game: Game, maryam: Account) -> None:
    send(email_bytes("Well played!"), seat_address(game, 1))
    assert not ChatMessage.objects.exists()
    assert len(notifications(maryam, "answer")) == 1


def test_a_refusal_keeps_the_board_the_cards_the_deadline_and_the_links(maryam: Account, bahareh: Account) -> None:
    game = begin([maryam, bahareh, None])
    send(email_bytes("perhaps"), question_address(game))
    [refusal] = notifications(maryam, "answer")
    text = " ".join(str(message(refusal).body).split())
    row = open_question(game)
    for part in (
        "Your email changed nothing.",
        "It’s your turn.",
        "Reply by ",
        "You: 2 coins; hand: contessa, duke",
        links.question_page(game.id, row.question, maryam.pk),
    ):
        assert part in text, part
    assert "Write in the chat" in str(message(refusal).alternatives[0].content)
    assert refusal.content().pictures
    assert refusal.content().reply_to == question_address(game)
