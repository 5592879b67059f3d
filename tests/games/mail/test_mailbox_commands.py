"""Mail to the server's own address: who is answered, what, and how often."""

from datetime import date, time, timedelta
from email.message import EmailMessage
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from accounts.models import Account
from accounts.names import validate_name
from games.announcements.batches import topic_of
from games.announcements.notify import write_due
from games.deadlines.deadline_words import day
from games.mail import mailbox_reader
from games.mail import tasks as mail_tasks
from games.mail.intake import receive
from games.mail.mailbox_commands import read_titles
from games.mail.mailbox_handler import DAILY_LIMIT, DAILY_LIMIT_TRUSTED
from games.mail.mailbox_reader import read_command_line
from games.models import Game, Heartbeat, Invitation, Seek
from games.tables.seeks import MOST_OPEN
from games.tables.vacations import list_vacations
from notifications import preferences, received_mail
from notifications.content import Answers
from notifications.email.message import stop_link
from notifications.models import Notification, RawMail
from tests.examples import for_each, read_examples
from tests.games.seated import NOON, play, seat_address

EXAMPLES = read_examples(__file__)

pytestmark = pytest.mark.django_db

LATER = NOON + timedelta(hours=1)
MAILBOX = "darbar@localhost"
ANSWERED = EXAMPLES["answered"]
HEADLINES = {
    "help": "You can send Darbar these commands",
    "games": "These are your games",
    "rules": "The rules in short",
    "coup": "The rules in short",
    "status": "These are your settings",
}


def email_bytes(text: str, sender: str = "Maryam <maryam@example.org>", **headers: str) -> bytes:
    mail = EmailMessage()
    mail["From"] = sender
    mail["To"] = "Darbar <darbar@localhost>"
    mail["Subject"] = "Hello"
    mail["Message-ID"] = f"<{abs(hash((text, sender)))}@example.org>"
    for name, value in headers.items():
        mail[name.replace("_", "-")] = value
    mail.set_content(f"{text}\n")
    return mail.as_bytes()


def with_subject(subject: str, body: str = "") -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "maryam@example.org", MAILBOX, subject
    mail.set_content(f"{body}\n")
    return mail.as_bytes()


def send(raw: bytes, to: str = MAILBOX, at: Any = LATER) -> None:
    receive(raw, "somebody@example.org", [to], at)
    mail_tasks.read_due(at)


def answers() -> list[Notification]:
    return list(Notification.objects.filter(reason="command").order_by("created_at", "pk"))


@pytest.mark.parametrize("text", ANSWERED)
def test_what_changes_nothing_is_answered_to_the_accounts_own_address(
    game: Game, maryam: Account, sepideh: Account, text: str
) -> None:
    send(email_bytes(text), "DARBAR@localhost")
    (answer,) = answers()
    assert answer.account == maryam
    assert answer.destination() == "maryam@example.org"
    assert answer.content().headline.startswith(HEADLINES[ANSWERED[text]])


@for_each("text", [text for text in ANSWERED if "\n" not in text])
@for_each("body", ["", "-- \nMaryam", "> Hello"], undone=True)
def test_a_command_may_stand_in_the_subject_of_a_mail_without_a_body(
    game: Game, maryam: Account, text: str, body: str
) -> None:
    send(with_subject(text, body))
    (answer,) = answers()
    assert answer.account == maryam
    assert answer.content().headline.startswith(HEADLINES[ANSWERED[text]])


def test_a_command_in_the_subject_that_changes_something_is_asked_back(maryam: Account) -> None:
    send(with_subject("Stop"))
    (answer,) = answers()
    assert answer.content().command == "Stop"
    assert last_answer().headline == "Was this email from you?"
    assert preferences.stored(account_of(maryam)) is None


@pytest.mark.parametrize(
    "raw",
    [
        b"Subject: stop\nIn-Reply-To: <1@example.org>\n\n",
        b"Subject: stop\nReferences: <1@example.org>\n\n",
        b"Subject: stop\nSubject: help\n\n",
        b"Subject: Re: stop\n\n",
        b"Subject: stop\n\nHow are you?\n",
        b"Subject: \n\n",
        b"\n",
    ],
    ids=["an answer", "in a thread", "two", "Re", "a body", "blank", "none"],
)
def test_a_subject_that_is_not_all_that_its_writer_wrote_is_no_command(maryam: Account, raw: bytes) -> None:
    send(b"From: maryam@example.org\nTo: darbar@localhost\nMessage-ID: <9@example.org>\n" + raw)
    (answer,) = answers()
    assert not answer.content().command
    assert answer.content().headline == "Your email changed nothing."


@pytest.mark.parametrize(("line", "nearest"), EXAMPLES["mistyped"])
def test_a_mistyped_command_is_answered_with_the_one_that_was_probably_meant(
    maryam: Account, line: str, nearest: str
) -> None:
    send(email_bytes(line))
    (answer,) = answers()
    assert nearest in str(answer.content().blocks[0]).partition("Did you mean")[2]
    assert preferences.of(maryam).wants_mails
    assert not Game.objects.exists()
    assert not list_vacations(maryam)


@pytest.mark.parametrize(
    "text", ["hello there", "yess", "stop by my house", "I love these games a lot, you know", "stop\nemails daily"]
)
def test_other_text_suggests_no_command(maryam: Account, text: str) -> None:
    send(email_bytes(text))
    assert "Did you mean" not in str(answers()[0].content().blocks)


def test_the_rules_of_one_game_are_of_that_game_alone(maryam: Account) -> None:
    send(email_bytes("rules coup"))
    send(email_bytes("rules"))
    one, all_games = sorted((repr(answer.content()) for answer in answers()), key=len)
    assert "Skulls of Sedlec" not in one
    assert "Skulls of Sedlec" in all_games


def test_the_list_of_games_says_which_wait(game: Game, sepideh: Account) -> None:
    send(email_bytes("games"))
    play(game, "1 income", at=LATER)
    send(email_bytes("my games"), at=LATER + timedelta(hours=1))
    before, after = (repr(answer.content()) for answer in answers())
    assert f"{game.code[:4].upper()}: a question is waiting for your answer" in before
    assert str(game.pk) in before
    assert "waiting for others" in after


def test_the_status_says_when_emails_come_and_when_one_is_away(maryam: Account) -> None:
    preferences.change(maryam, {"digest": "daily", "digest_at": 7}, NOON)
    Account.objects.filter(pk=maryam.pk).update(sleep_from=time(23), sleep_to=time(7, 30), time_zone="Asia/Tehran")
    send(email_bytes("status"))
    (answer,) = answers()
    for piece in ("once a day at 07:00", "from 23:00 to 07:30", "Asia/Tehran"):
        assert piece in repr(answer.content())


def test_the_answer_is_in_the_accounts_language(sepideh: Account) -> None:
    send(email_bytes("help", "sepideh@example.org"))
    (answer,) = answers()
    assert answer.content().language == "fa"
    assert "وضعیت" in repr(answer.content())


@pytest.mark.parametrize("text", ["hullo there", "help\ngames", "rules of chess", "income", "", "\u202ehelp"])
def test_what_is_no_command_or_several_is_answered_with_the_commands(maryam: Account, text: str) -> None:
    send(email_bytes(text))
    (answer,) = answers()
    assert answer.content().headline == "Your email changed nothing."
    assert "status" in repr(answer.content())


@pytest.mark.parametrize(
    "raw",
    [
        email_bytes("help", "stranger@example.net"),
        email_bytes("help", "maryam@example.net"),
        email_bytes("help", "a@example.net, maryam@example.org"),
        email_bytes("help", Auto_Submitted="auto-replied"),
        email_bytes("help", Precedence="auto_reply"),
        email_bytes("help", f"Darbar <{MAILBOX}>"),
        email_bytes("help", Authentication_Results="mx.darbar.example; dmarc=fail header.from=example.org"),
    ],
    ids=["stranger", "other-domain", "two-senders", "automatic", "bulk", "ourselves", "forged"],
)
def test_strangers_machines_and_ourselves_get_no_answer(maryam: Account, settings: Any, raw: bytes) -> None:
    settings.AUTHENTICATION_SERVER = "mx.darbar.example"
    send(raw)
    assert answers() == []
    assert RawMail.objects.get().state == "read"


def test_somebody_who_is_gone_gets_no_answer(maryam: Account) -> None:
    Account.objects.filter(pk=maryam.pk).update(is_active=False)
    send(email_bytes("help"))
    assert answers() == []


LAST = "Replies to this email still work."


def test_a_few_answers_a_day_and_more_where_the_sender_is_vouched_for(maryam: Account, settings: Any) -> None:
    settings.AUTHENTICATION_SERVER = "mx.darbar.example"
    for number in range(DAILY_LIMIT + 3):
        send(email_bytes("help", Message_Number=str(number)) + b"\n" * number + b"-- \n%d" % number)
        send(email_bytes(f"help\n-- \n{number}"))
    assert len(answers()) == DAILY_LIMIT
    assert [LAST in str(answer.content().blocks) for answer in answers()].count(True) == 1
    for number in range(DAILY_LIMIT_TRUSTED):
        vouched = "mx.darbar.example; dkim=pass header.d=example.org"
        send(email_bytes(f"help\n-- \nvouched {number}", Authentication_Results=vouched))
    assert len(answers()) == DAILY_LIMIT_TRUSTED
    assert ["our last answer today" in str(answer.content().blocks) for answer in answers()].count(True) == 1
    send(email_bytes("help\n-- \ntomorrow"), at=LATER + timedelta(days=2))
    assert len(answers()) == DAILY_LIMIT_TRUSTED + 1


def test_a_copy_that_came_with_an_answer_to_a_question_is_left_to_the_question(game: Game) -> None:
    receive(email_bytes("?"), "maryam@example.org", [MAILBOX, seat_address(game, 1)], LATER)
    mail_tasks.read_due(LATER)
    assert answers() == []


def test_the_mailbox_takes_mail_and_its_neighbours_do_not() -> None:
    assert received_mail.takes(MAILBOX)
    assert received_mail.takes("Darbar@LOCALHOST")
    for address in ("darbar2@localhost", "darbar@example.org", "darbar"):
        assert not received_mail.takes(address)


VOUCHED = {"Authentication_Results": "mx.darbar.example; dkim=pass header.d=example.org"}


def last_answer() -> Any:
    return answers()[-1].content()


def reply_address() -> str:
    return str(last_answer().reply_to)


@pytest.fixture
def vouched(settings: Any) -> dict[str, str]:
    """Headers of a mail for whose sender our mail server vouches."""
    settings.AUTHENTICATION_SERVER = "mx.darbar.example"
    return VOUCHED


@pytest.mark.parametrize(
    ("text", "seats", "bots", "state"),
    [
        ("new coup 4", 4, 0, "open"),
        ("Hello,\nNew game of Coup for 4 players, please", 4, 0, "open"),
        ("new coup with two bots", 3, 2, "running"),
        ("new coup 3 with 1 bot", 3, 1, "open"),
        ("بازی تازه کودتا ۴", 4, 0, "open"),
        ("بازی جدید کودتا ۳ نفره با ۲ ربات", 3, 2, "running"),
        ("new skulls of sedlec 3", 3, 0, "open"),
    ],
)
def test_a_new_game_is_asked_back_and_created_by_yes_once(
    maryam: Account, text: str, seats: int, bots: int, state: str
) -> None:
    Heartbeat.objects.create(at=NOON)
    send(email_bytes(text))
    assert not Game.objects.exists()
    assert last_answer().headline == "Was this email from you?"
    address = reply_address()
    send(email_bytes("Yes, please\n\nMaryam"), address, LATER + timedelta(hours=1))
    game = Game.objects.get()
    assert (game.seat_count, game.bot_count, game.state, game.private) == (seats, bots, state, False)
    assert game.host == maryam
    assert game.code[:4].upper() in last_answer().headline
    send(email_bytes("yes"), address, LATER + timedelta(hours=2))
    assert Game.objects.count() == 1
    assert last_answer().headline == "Your email changed nothing."


def test_a_new_game_with_an_address_and_a_bot_is_private_and_invites(maryam: Account, vouched: dict[str, str]) -> None:
    send(email_bytes("new coup with Ali@Example.com and 1 bot", **vouched))
    game = Game.objects.get()
    assert (game.seat_count, game.bot_count, game.private) == (3, 1, True)
    assert Invitation.objects.get(game=game).address == "ali@example.com"
    assert "ali@example.com" in repr(last_answer())


def test_whoever_our_mail_server_vouches_for_is_not_asked_back(maryam: Account, vouched: dict[str, str]) -> None:
    send(email_bytes("new coup 4", **vouched))
    assert Game.objects.count() == 1


@pytest.mark.parametrize("verdict", ["dkim=pass header.d=example.net", "dmarc=none header.from=example.org"])
def test_a_pass_of_another_domain_or_none_is_asked_back(maryam: Account, settings: Any, verdict: str) -> None:
    settings.AUTHENTICATION_SERVER = "mx.darbar.example"
    send(email_bytes("new coup 4", Authentication_Results=f"mx.darbar.example; {verdict}"))
    assert not Game.objects.exists()


def test_the_word_of_our_mail_server_counts_only_in_mail_that_came_by_it(
    maryam: Account, vouched: dict[str, str]
) -> None:
    receive(email_bytes("new coup 4", **vouched), "maryam@example.org", [MAILBOX], LATER, relayed=False)
    mail_tasks.read_due(LATER)
    assert not Game.objects.exists()
    assert last_answer().headline == "Was this email from you?"


def test_a_reply_to_any_answer_gives_commands_for_a_week(maryam: Account) -> None:
    send(email_bytes("help"))
    address = reply_address()
    send(email_bytes("new coup 4", "sepideh@example.org"), address)
    assert not Game.objects.exists()
    send(email_bytes("new coup 4"), address, LATER + timedelta(days=6))
    assert Game.objects.count() == 1
    send(email_bytes("new coup 5"), address, LATER + timedelta(days=8))
    assert Game.objects.count() == 1


def test_a_yes_of_somebody_else_or_to_the_mailbox_does_nothing(maryam: Account, sepideh: Account) -> None:
    send(email_bytes("new coup 4"))
    send(email_bytes("yes", "sepideh@example.org"), reply_address())
    send(email_bytes("yes"))
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    "text",
    ["new", "new coup", "new chess 4", "new coup 3 with 3 bots", "new coup with my friends", "new coup 4\nleave",
     "new coup with ali@example.com or 1 bot", "new coup four"],
)  # fmt: skip
def test_what_may_mean_several_games_or_none_creates_none(maryam: Account, vouched: dict[str, str], text: str) -> None:
    send(email_bytes(text, **vouched))
    assert not Game.objects.exists()
    assert last_answer().headline == "Your email changed nothing."


IMPOSSIBLE = EXAMPLES["impossible"]


@pytest.mark.parametrize("text", IMPOSSIBLE)
def test_what_cannot_be_is_answered_with_why_and_changes_nothing(
    maryam: Account, vouched: dict[str, str], text: str
) -> None:
    send(email_bytes(text, **vouched))
    assert not Game.objects.exists()
    assert not Seek.objects.exists()
    assert last_answer().headline == "Your email changed nothing."
    assert text in repr(last_answer())
    assert IMPOSSIBLE[text] in repr(last_answer())


def test_a_search_by_mail_is_that_of_the_pages_and_is_stopped_by_mail(maryam: Account, vouched: dict[str, str]) -> None:
    send(email_bytes("seek coup 3 to 5 slow with inquisitor, no anarchist, bots after 2 days", **vouched), at=LATER)
    (seek,) = Seek.objects.filter(account=maryam)
    assert (seek.rules, seek.least, seek.most, seek.speed) == ("coup", 3, 5, "slow")
    assert (seek.options, seek.fill_after, seek.state) == (
        {"inquisitor": True, "anarchist": False},
        timedelta(days=2),
        "open",
    )
    answer = last_answer()
    assert answer.headline == "You’re looking for players for Coup."
    assert answer.blocks[0].lines[:3] == ("3 to 5 players", "Slow", "The inquisitor replaces the ambassador")
    assert answer.blocks[0].lines[3] == "Without: Anarchist: the bomb"
    assert answer.blocks[0].lines[4] == "Bots take the free seats after 2 days."
    send(email_bytes("seek coup", **vouched))
    assert [(row.least, row.most) for row in Seek.objects.filter(speed="daily")] == [(3, 6)]
    send(email_bytes("stop seeking", **vouched))
    assert {row.state for row in Seek.objects.all()} == {"withdrawn"}


def test_a_confirmed_sentence_may_begin_with_a_greeting(maryam: Account) -> None:
    Heartbeat.objects.create(at=NOON)
    send(email_bytes("Hi, I'd like to play Coup with two bots please"))
    assert not Game.objects.exists()
    send(email_bytes("yes"), reply_address(), LATER + timedelta(hours=1))
    assert Game.objects.get().bot_count == 2


def test_a_search_is_answered_in_persian(sepideh: Account, vouched: dict[str, str]) -> None:
    send(email_bytes("هم‌بازی کودتا ۳ تا ۵ نفر", f"Sepideh <{sepideh.email}>", **vouched))
    assert Seek.objects.get(account=sepideh).most == 5
    assert last_answer().headline == "برای کودتا دنبال هم‌بازی می‌گردید."


def test_the_limits_of_searches_hold_by_mail(maryam: Account, vouched: dict[str, str]) -> None:
    for players in range(2, MOST_OPEN + 3):
        send(email_bytes(f"seek coup {players}", **vouched))
    assert Seek.objects.count() == MOST_OPEN
    assert sum("which is the limit" in str(answer.content().blocks) for answer in answers()) == 1


@pytest.mark.parametrize("text", ["leave", "Leave the game", "leave game {code}", "ترک میز", "ترک {code}"])
def test_leaving_a_table_by_mail(maryam: Account, vouched: dict[str, str], text: str) -> None:
    send(email_bytes("new coup 4", **vouched))
    game = Game.objects.get()
    send(email_bytes(text.format(code=game.code[:4]), **vouched), at=LATER + timedelta(hours=1))
    assert Game.objects.get().state == "cancelled"
    assert game.code[:4].upper() in last_answer().headline
    assert not last_answer().marker, "nothing is asked"


def test_leaving_one_of_several_tables_needs_its_code(maryam: Account, vouched: dict[str, str]) -> None:
    send(email_bytes("new coup 4", **vouched))
    send(email_bytes("new coup 3", **vouched))
    send(email_bytes("leave", **vouched), at=LATER + timedelta(hours=1))
    assert "Several of your games" in repr(last_answer())
    assert Game.objects.filter(state="open").count() == 2


@pytest.mark.parametrize("text", ["rematch", "rematch {code}", "بازی دوباره"])
def test_a_rematch_by_mail(game: Game, vouched: dict[str, str], text: str) -> None:
    play(game, "1 resign yes", "2 resign yes", at=LATER)
    send(email_bytes(text.format(code=game.code[:4].upper()), **vouched), at=LATER + timedelta(hours=1))
    assert game.code[:4].upper() in last_answer().headline
    assert game.rematch_offer.answers.get().accepted


@pytest.mark.parametrize("language", ["en", "fa"])
def test_every_command_that_the_help_shows_is_understood(maryam: Account, language: str) -> None:
    Account.objects.filter(pk=maryam.pk).update(language=language)
    send(email_bytes("help"))
    [commands] = [block for block in last_answer().blocks if isinstance(block, Answers)]
    titles = read_titles()
    assert [answer.notation for answer in commands.answers if read_command_line(answer.notation, titles) is None] == []


def account_of(maryam: Account) -> Account:
    return Account.objects.get(pk=maryam.pk)


@pytest.mark.parametrize(
    "text", ["invite Ali@Example.com", "invite <ali@example.com> to {code}", "دعوت ali@example.com به بازی {code}"]
)
def test_inviting_to_the_only_table_or_to_one_by_its_code(maryam: Account, vouched: dict[str, str], text: str) -> None:
    send(email_bytes("new coup 4", **vouched))
    code = Game.objects.get().code[:4].upper()
    if "{code}" in text:
        send(email_bytes("new coup 3", **vouched))
    send(email_bytes(text.format(code=code), **vouched), at=LATER + timedelta(hours=1))
    invitation = Invitation.objects.select_related("game").get()
    assert (invitation.address, invitation.game.code[:4].upper()) == ("ali@example.com", code)


@pytest.mark.parametrize("text", ["invite ali@example.com: {}", "new coup with ali@example.com and 2 bots: {}"])
def test_words_of_ones_own_stand_in_the_invitation_as_they_were_written(
    maryam: Account, vouched: dict[str, str], text: str
) -> None:
    send(email_bytes("new coup 4", **vouched))
    note = "Dear Ali: <b>come</b> & play!"
    send(email_bytes(text.format(note), **vouched), at=LATER + timedelta(hours=1))
    assert Invitation.objects.get().note == note


@pytest.mark.parametrize(
    "text", ["invite myself", "invite maryam@example.org", "invite ali@example.com bob@example.com"]
)
def test_invitations_to_nobody_oneself_or_two_are_refused(maryam: Account, vouched: dict[str, str], text: str) -> None:
    send(email_bytes("new coup 4", **vouched))
    send(email_bytes(text, **vouched), at=LATER + timedelta(hours=1))
    assert not Invitation.objects.exists()
    assert last_answer().headline == "Your email changed nothing."


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("vacation 3 days", NOON.date() + timedelta(days=2), NOON.date() + timedelta(days=4)),
        ("مرخصی ۲ هفته", NOON.date() + timedelta(days=2), NOON.date() + timedelta(days=15)),
        (f"vacation 1 day from {NOON.date() + timedelta(days=9)}", *[NOON.date() + timedelta(days=9)] * 2),
    ],
)
def test_a_vacation_by_mail(maryam: Account, vouched: dict[str, str], text: str, first: date, last: date) -> None:
    send(email_bytes(text, **vouched))
    assert [(vacation.first, vacation.last) for vacation in list_vacations(account_of(maryam))] == [(first, last)]
    assert day(first) in repr(last_answer())


@pytest.mark.parametrize(
    "text", ["vacation 300 days", "vacation 3 days from 2020-01-01", "vacation 3 days from 2026-13-01", "vacation soon"]
)
def test_a_vacation_that_cannot_be_is_refused(maryam: Account, vouched: dict[str, str], text: str) -> None:
    send(email_bytes(text, **vouched))
    assert list_vacations(account_of(maryam)) == []
    assert last_answer().headline == "Your email changed nothing."


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("sleep 23-7", (time(23), time(7))),
        ("Sleep from 22:30 to 6:15", (time(22, 30), time(6, 15))),
        ("خواب ۲۳ تا ۷", (time(23), time(7))),
        ("sleep 23 – 7", (time(23), time(7))),
        ("sleep off", (None, None)),
        ("sleep 7-23", (time(1), time(2))),
        ("sleep 24-7", (time(1), time(2))),
        ("sleep 23", (time(1), time(2))),
    ],
)
def test_sleep_hours_by_mail(maryam: Account, vouched: dict[str, str], text: str, hours: Any) -> None:
    Account.objects.filter(pk=maryam.pk).update(sleep_from=time(1), sleep_to=time(2))
    send(email_bytes(text, **vouched))
    assert (account_of(maryam).sleep_from, account_of(maryam).sleep_to) == hours


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("mails daily", "digest", "daily"),
        ("emails daily at 7", "digest_at", 7),
        ("mails every 12 hours", "digest_every", 12),
        ("e-mails at once", "digest", "at-once"),
        ("ایمیل‌ها روزانه", "digest", "daily"),
        ("ایمیل‌ها هر ۳ ساعت", "digest_every", 3),
        ("stop", "mails", False),
        ("Unsubscribe", "mails", False),
        ("unsubscribe", "news", False),
        ("توقف", "mails", False),
        ("start", "mails", True),
        ("شروع", "mails", True),
    ],
)
def test_the_settings_of_emails_by_mail(
    maryam: Account, vouched: dict[str, str], text: str, field: str, value: Any
) -> None:
    preferences.change(maryam, {"news": True}, LATER)
    send(email_bytes(text, **vouched))
    assert getattr(preferences.of(account_of(maryam)), field) == value
    assert last_answer().headline == "These are your settings."


def test_nothing_that_changes_settings_is_done_without_being_asked_back(maryam: Account) -> None:
    for hours, text in enumerate(("stop", "sleep 23-7", "mails daily", "vacation 3 days", "invite ali@example.com")):
        send(email_bytes(text), at=LATER + timedelta(hours=hours))
        assert last_answer().headline == "Was this email from you?"
    account = account_of(maryam)
    assert (account.sleep_from, account.vacations, preferences.stored(account)) == (None, [], None)


def test_start_brings_back_what_one_click_has_ended(game: Game, maryam: Account, vouched: dict[str, str]) -> None:
    write_due(LATER)
    notification = Notification.objects.filter(account=maryam, topic=topic_of(game.pk)).first()
    assert notification is not None
    page = Client().post(stop_link(notification), {"List-Unsubscribe": "One-Click"})
    assert MAILBOX in page.content.decode()
    send(email_bytes("status", **vouched))
    assert f"{game.code[:4].upper()}. Reply “start" in repr(last_answer())
    send(email_bytes("start", **vouched), at=LATER + timedelta(hours=1))
    assert preferences.of(account_of(maryam)).muted == []


@pytest.mark.parametrize("language", ["en", "fa"])
def test_a_word_that_begins_a_command_is_no_name(maryam: Account, language: str) -> None:
    Account.objects.filter(pk=maryam.pk).update(language=language)
    send(email_bytes("help"))
    [commands] = [block for block in last_answer().blocks if isinstance(block, Answers)]
    for word in {answer.notation.split()[0] for answer in commands.answers}:
        with pytest.raises(ValidationError):
            validate_name(word)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("I'm away until 12 April", (date(2026, 3, 24), date(2026, 4, 12))),
        ("on holiday from December 30 to 3 January", (date(2026, 12, 30), date(2027, 1, 3))),
        ("از ۱۵ تا ۲۰ فروردین نیستم", (date(2026, 4, 4), date(2026, 4, 9))),
        ("a week of vacation starting 2 May 2026", (date(2026, 5, 2), date(2026, 5, 8))),
    ],
)
def test_a_vacation_may_name_its_days(
    maryam: Account, vouched: dict[str, Any], text: str, days: tuple[date, date]
) -> None:
    send(email_bytes(text, **vouched))
    assert [(vacation.first, vacation.last) for vacation in list_vacations(account_of(maryam))] == [days]
    send(email_bytes("cancel my vacation", **vouched))
    assert not list_vacations(account_of(maryam))


def test_days_that_do_not_exist_are_refused(maryam: Account, vouched: dict[str, Any]) -> None:
    for text in ("vacation until 31 June", "vacation from 9 to 3 April 2026"):
        send(email_bytes(text, **vouched))
        assert not list_vacations(account_of(maryam))


def test_a_player_who_is_back_plays_again_in_every_game(game: Game, maryam: Account, vouched: dict[str, Any]) -> None:
    game.seats.filter(account=maryam).update(missed=1)
    send(email_bytes("I'm back from holiday", **vouched))
    assert game.seats.get(account=maryam).missed == 0
    assert last_answer().headline == "These are your games."


LONG_LINES = (
    *(f"{part} " * 500 for part in ("can you please", "i want to play coup", "from 3 to 10 december", "for a week")),
    *(f"{part} " * 500 for part in ("بازی ها", "می خواهم")),
    *("@ " * 10_000, "@" * 10_000 + " " * 10_000, "a@" + " " * 20_000, "invite my a" + "@" * 20_000),
)


@for_each("line", LONG_LINES)
def test_a_long_line_is_no_command_and_is_read_in_linear_time(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mailbox_reader, "_LONGEST", len(line))
    assert read_command_line(line, read_titles()) is None  # the time limit of tests would end it
