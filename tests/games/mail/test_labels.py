"""Every label that an email shows is read when it is sent as text, and commands for an account in any reply."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.utils.translation import gettext, override

from accounts.models import Account
from games import links
from games.announcements.email_blocks import seat_links, way_back
from games.announcements.invitation_emails import InvitationText
from games.announcements.notify import write_due
from games.engine import SeatNumber
from games.mail.commands import AskAgain, AskOnlyAimed, Chat, NotUnderstood
from games.mail.reading.command_reader import read_invitation_reply
from games.models import ChatMessage, Game, Move
from games.tables import chat, invitations, pausing
from games.visibility.player_view import PlayerView
from notifications import deliverability, preferences, reply_addresses
from notifications.content import Answers, Link, Links, RenderedNotification
from notifications.mail_parsing.parser import SenderText
from notifications.models import Notification
from tests.examples import for_each, read_examples
from tests.games.mail.tables import TURN
from tests.games.mail.test_people import read_chat
from tests.games.mail.test_road import LATER, email_bytes, notifications, send
from tests.games.seated import NOON, chat_address, question_address, seat_address

EXAMPLES = read_examples(__file__)

pytestmark = pytest.mark.django_db


def read(text: str) -> Any:
    return TURN.read(SenderText(((text,),)))


def body_of(link: Link) -> str:
    """The prepared text of a link to an email."""
    return parse_qs(urlsplit(link.url).query).get("body", [""])[0]


def links_in(rendered: RenderedNotification) -> Iterator[Link]:
    """The links of a notification without those of its answers."""
    for block in rendered.blocks:
        yield from block.links if isinstance(block, Links) else [block] if isinstance(block, Link) else ()


@pytest.mark.parametrize("language", ["en", "fa"])
def test_each_label_at_the_foot_of_an_email_is_read_as_the_command_of_its_link(
    game: Game, maryam: Account, language: str
) -> None:
    with override(language):
        view = PlayerView(game, SeatNumber(1), maryam)
        back_blocks = way_back(game, SeatNumber(1), maryam.pk)
        back = [link for block in back_blocks if isinstance(block, Links) for link in block.links]
        preferences.change(maryam, {}, NOON)
        all_links = [*seat_links(view), *back]
    labels = {link.label: body_of(link) for link in all_links if link.url.startswith("mailto:")}
    assert len(labels) == 3
    for label, body in labels.items():
        for text in (label, f"{label}.", label.upper(), f"{label}:"):
            command, expected = read(text), read(body.strip())
            assert getattr(command, "reason", command) == getattr(expected, "reason", expected), text


@pytest.mark.parametrize("language", ["en", "fa"])
def test_each_label_of_a_page_asks_the_question_again(game: Game, maryam: Account, language: str) -> None:
    Account.objects.filter(pk=maryam.pk).update(language=language)
    write_due(NOON)
    (question,) = notifications(maryam, "question")
    pages = [link.label for link in links_in(question.content()) if not link.url.startswith("mailto:")]
    for label in pages[:-2]:  # Then follow the rules and the page that stops emails.
        assert read(label) == AskAgain(), label


@pytest.mark.parametrize("language", ["en", "fa"])
def test_each_label_of_a_vote_on_a_pause_is_read(game: Game, maryam: Account, sepideh: Account, language: str) -> None:
    Account.objects.update(language=language)
    pausing.propose(game.pk, maryam, None, "web", NOON)
    write_due(NOON)
    (vote,) = notifications(sepideh, "pause-proposed")
    labels = {link.label: body_of(link) for link in links_in(vote.content()) if link.url.startswith("mailto:")}
    assert len(labels) == 2
    for label, body in labels.items():
        assert read(label) == read(body), label


def test_the_ways_to_ask_for_fewer_questions_and_for_all_again_are_read_in_both_languages() -> None:
    for text in ("ask less", "پرسش کمتر", "کمتر بپرس", "کمتر بپرسید"):
        assert read(text) == AskOnlyAimed(enabled=True), text
    for text in ("ask all", "همهٔ پرسش‌ها", "همه‌ی پرسش‌ها", "همه پرسش‌ها", "همه را بپرسید"):
        assert read(text) == AskOnlyAimed(enabled=False), text


@pytest.mark.parametrize("language", ["en", "fa"])
def test_each_label_of_an_offer_of_a_rematch_is_read(language: str) -> None:
    with override(language):
        labels = {"rematch": gettext("Accept the rematch"), "decline": gettext("No rematch")}
        labels |= {"rematch ": gettext("Offer a rematch")}
    for command, label in labels.items():
        assert read(label) == read(command.strip()), label


@pytest.mark.parametrize("language", ["en", "fa"])
def test_each_label_of_an_invitation_is_read_as_its_answer(maryam: Account, language: str, game: Game) -> None:
    open_game = Game.objects.get(pk=game.pk)
    invitation = invitations.Invitation(game=open_game, inviter=maryam, address="kaveh@example.com")
    with override(language):
        invitation_answers: Answers = InvitationText(invitation).answers()
    for answer in invitation_answers.answers:
        expected = read_invitation_reply(SenderText(((answer.notation,),)))
        assert not isinstance(expected, NotUnderstood)
        for text in (answer.label, f"{answer.notation} - {answer.label}", f"{answer.label}."):
            assert read_invitation_reply(SenderText(((text,),))) == expected, text


COMMANDS = EXAMPLES["commands"]
STOPS = ("stop", "unsubscribe", "Unsubscribe me, please", "توقف", "لغو اشتراک", "Hello,\n\nstop\n\nThanks\nMaryam")


def answered(text: str, to: str) -> str:
    """The headline of the one answer to a reply of Maryam to her newest email."""
    write_due(NOON)
    newest = Notification.objects.filter(account__email="maryam@example.org").latest("created_at")
    send(email_bytes(text, In_Reply_To=f"<{newest.pk}@localhost>"), to)
    (answer,) = Notification.objects.filter(reason__in=("command", "answer"))
    return answer.content().headline


@pytest.mark.parametrize("text", COMMANDS)
def test_a_command_for_the_account_works_in_reply_to_a_question(game: Game, maryam: Account, text: str) -> None:
    assert answered(text, question_address(game)).startswith(COMMANDS[text])
    assert not Move.objects.exists()
    assert preferences.of(maryam).wants_mails == (text not in STOPS)


@pytest.mark.parametrize("text", ["help", "stop", "vacation 3 days", "مرخصی ۳ روز"])
def test_a_command_for_the_account_works_in_reply_to_any_email(game: Game, maryam: Account, text: str) -> None:
    write_due(NOON)
    assert answered(text, seat_address(game, 1)).startswith(COMMANDS[text])
    Notification.objects.filter(reason="command").delete()
    Game.objects.filter(pk=game.pk).update(state=Game.State.CANCELLED)
    send(email_bytes(text, id="two"), seat_address(game, 1))
    (again,) = notifications(maryam, "command")
    assert "command" in again.key


@pytest.mark.parametrize("text", ["help", "stop", "status", "توقف"])
def test_a_command_for_the_account_works_in_reply_to_several_questions(game: Game, maryam: Account, text: str) -> None:
    write_due(NOON)
    (lead,) = notifications(maryam, "question")
    digest = reply_addresses.address(reply_addresses.DIGEST, reply_addresses.short(lead.pk))
    assert answered(text, digest).startswith(COMMANDS[text])


@pytest.mark.parametrize(
    "text", ["help", "stop", "games", "راهنما", "stop\n\nMaryam", "stop\nThanks!", "Hi\n\nstop\n\nBest\nMaryam"]
)
def test_a_command_for_the_account_works_in_reply_to_a_chat_message(
    game: Game, maryam: Account, sepideh: Account, text: str
) -> None:
    assert answered(text, chat_address(game, 1, None)).startswith(COMMANDS.get(text, COMMANDS["stop"]))
    assert not ChatMessage.objects.exists()


@pytest.mark.parametrize("text", ["No more emails about this chat", "قطع ایمیل‌های این گفت‌وگو"])
def test_the_label_of_the_link_that_stops_emails_about_a_chat_stops_them(
    game: Game, maryam: Account, sepideh: Account, text: str
) -> None:
    chat.send_message(game, sepideh, None, "Hello!", NOON)
    assert answered(text, chat_address(game, 1, None)).startswith("These are your settings")
    assert preferences.of(maryam).muted
    assert preferences.of(maryam).wants_mails
    assert not ChatMessage.objects.exclude(text="Hello!").exists()


CHAT = EXAMPLES["chat"]


@pytest.mark.parametrize("text", CHAT)
def test_a_chat_message_that_resembles_a_command_is_sent(game: Game, maryam: Account, text: str) -> None:
    send(email_bytes(text), chat_address(game, 1, None))
    assert ChatMessage.objects.get().text == text.partition("\n")[0]
    assert not notifications(maryam, "command", "answer")


def test_the_word_for_the_chat_makes_any_word_a_chat_message(game: Game) -> None:
    send(email_bytes("chat stop"), chat_address(game, 1, None))
    assert ChatMessage.objects.get().text == "stop"


EVERYDAY = EXAMPLES["everyday"]


@for_each("text", EVERYDAY)
def test_an_everyday_sentence_in_reply_to_a_chat_message_is_a_chat_message(text: str) -> None:
    assert read_chat(SenderText((tuple(text.split("\n")),))) == Chat(None, " ".join(text.split()))


@pytest.mark.parametrize("text", ["pause", "Pause 3", "resign", "resign yes", "plans", "?", "وقفه ۳", "انصراف"])
def test_a_word_that_is_only_a_command_is_one_in_reply_to_a_chat_message_too(text: str) -> None:
    assert read_chat(SenderText(((text,),))) == read(text)


def test_a_command_for_the_account_from_another_address_does_nothing(game: Game, maryam: Account) -> None:
    send(email_bytes("stop", "Eve <eve@example.net>"), question_address(game))
    assert preferences.of(maryam).wants_mails
    assert not Notification.objects.filter(reason="command").exists()


def test_a_command_beside_a_move_is_asked_back(game: Game, maryam: Account) -> None:
    for number, text in enumerate(("income\nstop", "stop\nincome", "stop. Actually no", "vacation 3 days, or not")):
        send(email_bytes(text, id=str(number)), question_address(game))
    assert not Move.objects.exists()
    assert preferences.of(maryam).wants_mails
    assert len(notifications(maryam, "answer", "command")) == 4


@pytest.mark.parametrize("text", ["help\n\nallow", "confirm\nallow", "yes\n\nincome", "games\nincome or tax"])
def test_a_move_below_a_command_that_changes_nothing_is_asked_back(game: Game, maryam: Account, text: str) -> None:
    send(email_bytes(text), question_address(game))
    assert not Move.objects.exists()
    assert [answer.reason for answer in notifications(maryam, "answer", "command")] == ["answer"]


@pytest.mark.parametrize("text", ["No more emails from this game", "قطع ایمیل‌های این بازی"])
def test_the_label_of_the_link_that_stops_a_games_emails_stops_them(game: Game, maryam: Account, text: str) -> None:
    assert answered(text, question_address(game)).startswith("These are your settings")
    assert preferences.of(maryam).muted == [f"game:{game.pk}"]
    assert preferences.of(maryam).wants_mails


@pytest.mark.parametrize(("sender", "stopped"), [("example.org", True), ("example.net", False)])
def test_without_a_message_id_the_address_names_the_game_whose_emails_a_verified_sender_stops(
    game: Game, maryam: Account, settings: Any, sender: str, stopped: bool
) -> None:
    settings.AUTHENTICATION_SERVER = "mx.darbar.example"
    verdict = f"mx.darbar.example; dkim=pass header.d={sender}"
    send(email_bytes("No more emails from this game", Authentication_Results=verdict), question_address(game))
    assert preferences.of(maryam).muted == ([f"game:{game.pk}"] if stopped else [])
    (answer,) = notifications(maryam, "command")
    assert ("To stop all emails about games" in repr(answer.content())) == (not stopped)


def test_who_is_invited_without_an_account_stops_all_emails(game: Game, maryam: Account) -> None:
    Game.objects.filter(pk=game.pk).update(state=Game.State.OPEN)
    for number, text in enumerate(("unsubscribe", "stop", "توقف")):
        address = f"kaveh{number}@example.com"
        invitation = invitations.Invitation.objects.create(
            game=game, inviter=maryam, address=address, mailbox=deliverability.suppression_digest(address),
            language="en", created_at=NOON,
        )  # fmt: skip
        raw = email_bytes(text, f"Kaveh <{address}>")
        send(raw, links.invitation_address(invitation.pk), envelope=address, at=LATER)
        assert deliverability.is_suppressed(address), text
