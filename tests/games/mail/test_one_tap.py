"""Tests of links in an email that answer two questions, or choose which questions are asked, with one tap."""

from email.message import EmailMessage
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from accounts.models import Account
from games import links
from games.announcements.notify import write_due
from games.event_log import log_store
from games.models import Game, Move, Plan
from games.play import plans
from notifications import preferences
from notifications.content import Answers, Links, Prose, RenderedNotification
from tests.games.mail.test_road import LATER, notifications, send
from tests.games.seated import agree, begin, play, seat_address
from tests.third_game.table import fresh

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(sepideh: Account, maryam: Account, bahareh: Account) -> Game:
    """Sepideh takes tax; Maryam is asked and is next."""
    game = begin([sepideh, maryam, bahareh])
    agree(game, plans="quick")
    play(game, "1 tax")
    write_due(LATER)
    return game


def question_email(account: Account) -> RenderedNotification:
    rendered = notifications(account, "question")[-1].content()
    assert rendered is not None
    return rendered


def tap(link: str, account: Account) -> None:
    """Send the email that a link prepares, as an email program does."""
    parts = urlsplit(link)
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Message-ID"] = (
        account.email,
        unquote(parts.path),
        f"<{abs(hash(link))}@example.org>",
    )
    mail["Subject"] = "Re: Coup"
    mail.set_content(parse_qs(parts.query)["body"][0] + "\n")
    send(mail.as_bytes(), unquote(parts.path), envelope=account.email)


def links_of(rendered: RenderedNotification) -> dict[str, str]:
    blocks = [block for block in rendered.blocks if isinstance(block, Links)]
    return {link.label: link.url for block in blocks for link in block.links}


def test_one_tap_answers_a_window_and_says_the_turn_after_it(game: Game, maryam: Account, bahareh: Account) -> None:
    _, second = [block for block in question_email(maryam).blocks if isinstance(block, Answers)]
    assert second.title == "You’re next. After “Allow it”, add your turn on the line below:"
    tap(next(answer.mail for answer in second.answers if answer.notation == "plan next-turn income"), maryam)
    assert Move.objects.get(account=maryam).body == '{"type":"allow"}'
    assert Plan.objects.get(account=maryam).body == '{"type":"next-turn","move":{"type":"income"}}'
    play(game, "3 allow")
    assert log_store.position(fresh(game)).state.turn == 3, "her turn is over too"


def test_who_is_not_next_has_one_line_about_their_next_turn_and_answers_both_in_one_reply(
    game: Game, maryam: Account, bahareh: Account
) -> None:
    email = question_email(bahareh)
    assert len([block for block in email.blocks if isinstance(block, Answers)]) == 1
    lines = [line for block in email.blocks if isinstance(block, Prose) for line in block.lines]
    text = "Already know your next turn? Add it below your move, or choose it on the page. Example: "
    assert f"{text}plan next-turn income" in lines
    assert email.reply_to is not None
    tap(links.reply_link(email.reply_to, "Coup", "1\nplan next-turn tax"), bahareh)
    assert Move.objects.get(account=bahareh).body == '{"type":"allow"}'
    assert Plan.objects.get(account=bahareh).body == '{"type":"next-turn","move":{"type":"tax"}}'
    play(game, "2 allow", "2 income")
    assert log_store.position(fresh(game)).state.action.seat == 3, "her turn is played as she said"


def test_one_tap_asks_less_and_another_asks_everything_again(game: Game, maryam: Account) -> None:
    tap(links_of(question_email(maryam))["Only ask me when it concerns me"], maryam)
    assert preferences.of(Account.objects.get(pk=maryam.pk)).only_aimed
    assert Move.objects.get(account=maryam).plan == '{"type":"allow-others"}', "what was open is answered too"
    answer = notifications(maryam, "answer")[-1].content()
    assert answer is not None
    assert answer.headline == "From now on, we’ll only ask you what concerns you."
    tap(links_of(answer)["Ask me everything again"], maryam)
    assert not preferences.of(Account.objects.get(pk=maryam.pk)).only_aimed
    assert plans.active_plans(game, maryam) == []


def test_who_plays_in_persian_asks_less_in_persian(game: Game, sepideh: Account) -> None:
    play(game, "2 allow", "3 allow", "2 tax")
    write_due(LATER)
    link = links_of(question_email(sepideh))["فقط پرسش‌های مربوط به من"]
    assert parse_qs(urlsplit(link).query)["body"] == ["پرسش کمتر"]
    assert seat_address(game, 1) in unquote(link)
    tap(link, sepideh)
    assert preferences.of(Account.objects.get(pk=sepideh.pk)).only_aimed
