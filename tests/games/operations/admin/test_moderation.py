"""Tests of what moderators may do, what comes of it, and that every act is kept."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction
from django.utils.translation import override

from accounts import blocks
from accounts.models import Account, ModerationAction, Report
from games import moderation
from games.models import ChatMessage, Game
from games.moderation import DAILY_LIMIT, Kind, NewModerationAction, moderate, report_message, report_player
from games.refusals import Refusal
from games.tables.chat import send_message
from games.visibility import table
from notifications.models import Notification
from tests.accounts.oauth.app import acting, app_of, tokens_for
from tests.cast import signed_in
from tests.games.api.conftest import client as program
from tests.games.seated import NOON, begin

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def game(maryam: Account, bahareh: Account) -> Game:
    return begin([maryam, bahareh])


@pytest.fixture
def chat_message(game: Game, maryam: Account) -> ChatMessage:
    return send_message(game, maryam, None, "something bad", NOON)


@pytest.fixture
def report(game: Game, chat_message: ChatMessage, bahareh: Account) -> Report:
    """Bahareh reports what Maryam said."""
    return report_message(game, bahareh, chat_message.public_id, "An insult.", NOON)


def refusal(moderator: Account, order: NewModerationAction) -> tuple[str, str]:
    with pytest.raises(Refusal) as refused:
        moderate(moderator, order, NOON)
    assert not ModerationAction.objects.exists()
    return refused.value.code, refused.value.field


def test_a_report_is_dismissed_without_a_word_to_anybody(report: Report, maryam: Account, kaveh: Account) -> None:
    moderate(kaveh, NewModerationAction(Kind.DISMISS, "It is a joke.", maryam, report), NOON)
    assert Report.objects.get().state == Report.State.DISMISSED
    assert ModerationAction.objects.get().kind == Kind.DISMISS
    assert not Notification.objects.filter(reason="moderation").exists()


def test_a_message_is_hidden_and_shown_again(
    game: Game, chat_message: ChatMessage, report: Report, maryam: Account, bahareh: Account, kaveh: Account
) -> None:
    def sentences() -> list[str | None]:
        return [table.visible_message(message).text for message in table.visible_messages(game, bahareh)]

    moderate(kaveh, NewModerationAction(Kind.HIDE, "An insult.", maryam, report), NOON)
    assert sentences() == [None]
    moderate(kaveh, NewModerationAction(Kind.SHOW, "A mistake.", maryam, report), NOON)
    assert sentences() == ["something bad"]
    assert [row.kind for row in report.actions.order_by("at", "pk")] == ["hide", "show"]
    assert report.evidence["text"] == "something bad"


def test_who_is_silenced_says_nothing_for_so_long(game: Game, maryam: Account, kaveh: Account) -> None:
    moderate(kaveh, NewModerationAction(Kind.SILENCE, "Insults.", maryam, days=3), NOON)
    maryam.refresh_from_db()
    with pytest.raises(Refusal) as refused:
        send_message(game, maryam, None, "Hello", NOON + 3 * DAY - timedelta(seconds=1))
    assert refused.value.code == "forbidden"
    assert str(refused.value.phrase) == "A moderator has stopped you from chatting until 2026-03-25 12:00 UTC."
    send_message(game, maryam, None, "Hello", NOON + 3 * DAY)
    moderate(kaveh, NewModerationAction(Kind.UNSILENCE, "Enough.", maryam), NOON)
    maryam.refresh_from_db()
    send_message(game, maryam, None, "Hello", NOON)


def test_a_suspended_account_is_shut_out_and_let_in_again_when_its_time_is_over(
    maryam: Account, kaveh: Account
) -> None:
    api = program(maryam)
    moderate(kaveh, NewModerationAction(Kind.SUSPEND, "Insults.", maryam, days=7), NOON)
    assert api.get("/api/v1/me/").status_code == 401
    assert blocks.lift_suspensions(NOON + 7 * DAY - timedelta(seconds=1)) == 0
    assert blocks.lift_suspensions(NOON + 7 * DAY) == 1
    assert api.get("/api/v1/me/").status_code == 200


def test_a_closed_account_stays_closed_until_a_moderator_opens_it(
    maryam: Account, kaveh: Account, bahareh: Account
) -> None:
    client, browser = program(maryam), signed_in(maryam)
    app = acting(tokens_for(app_of(bahareh, "account"), maryam)["access_token"])
    assert (client.get("/api/v1/me/").status_code, app.get("/api/v1/me/").status_code) == (200, 200)
    assert browser.get("/settings/").status_code == 200
    moderate(kaveh, NewModerationAction(Kind.CLOSE, "A machine that insults.", maryam), NOON)
    assert blocks.lift_suspensions(NOON + 5000 * DAY) == 0
    assert not Account.objects.get(pk=maryam.pk).is_active
    assert (client.get("/api/v1/me/").status_code, app.get("/api/v1/me/").status_code) == (401, 401)
    assert browser.get("/settings/").status_code == 302
    moderate(kaveh, NewModerationAction(Kind.REOPEN, "It was another.", maryam), NOON)
    assert Account.objects.get(pk=maryam.pk).is_active


def test_whom_it_concerns_is_told_in_their_language(maryam: Account, bahareh: Account, kaveh: Account) -> None:
    moderate(kaveh, NewModerationAction(Kind.SILENCE, "Insults.", bahareh, days=3), NOON)
    rendered = Notification.objects.get(account=bahareh).content()
    assert rendered.headline == "تا چهارشنبه ۵ فروردین، ساعت ۱۲:۰۰ \u2066UTC\u2069 نمی‌توانید گفت‌وگو کنید."
    assert "Insults." in repr(rendered)
    assert "Kaveh" not in repr(rendered)


def test_nobody_acts_without_the_right_or_in_a_matter_of_their_own(
    report: Report, maryam: Account, bahareh: Account, kaveh: Account, dariush: Account
) -> None:
    for nobody in (maryam, bahareh):
        assert refusal(nobody, NewModerationAction(Kind.CLOSE, "Revenge", kaveh))[0] == "forbidden"
    assert refusal(kaveh, NewModerationAction(Kind.WARN, "Me?", kaveh))[0] == "forbidden"
    Report.objects.update(reporter=kaveh)
    assert refusal(kaveh, NewModerationAction(Kind.WARN, "I say so", maryam, Report.objects.get()))[0] == "forbidden"
    assert refusal(kaveh, NewModerationAction(Kind.CLOSE, "Revenge", dariush))[0] == "forbidden"
    moderate(dariush, NewModerationAction(Kind.CLOSE, "It is so.", kaveh), NOON)


def test_what_is_missing_is_named(
    game: Game, report: Report, maryam: Account, bahareh: Account, kaveh: Account
) -> None:
    name = report_player(game, bahareh, 1, Report.Kind.NAME, "The name.", NOON)
    assert refusal(kaveh, NewModerationAction(Kind.WARN, " ", maryam)) == ("malformed", "why")
    assert refusal(kaveh, NewModerationAction(Kind.SUSPEND, "x", maryam, days=0)) == ("malformed", "days")
    assert refusal(kaveh, NewModerationAction(Kind.SILENCE, "x", maryam, days=366)) == ("malformed", "days")
    assert refusal(kaveh, NewModerationAction(Kind.HIDE, "x", maryam, name)) == ("malformed", "kind")
    assert refusal(kaveh, NewModerationAction(Kind.HIDE, "x", maryam)) == ("malformed", "kind")
    assert refusal(kaveh, NewModerationAction(Kind.CLOSE, "x", None, report)) == ("malformed", "kind")


def test_what_was_done_is_never_changed_nor_deleted(report: Report, maryam: Account, kaveh: Account) -> None:
    row = moderate(kaveh, NewModerationAction(Kind.WARN, "Be kind", maryam, report), NOON)
    changes = [{"why": "nothing"}, {"kind": "close"}, {"account": kaveh}, {"moderator": maryam}, {"at": NOON + DAY}]
    for change in changes:
        with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
            ModerationAction.objects.filter(pk=row.pk).update(**change)
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        ModerationAction.objects.filter(pk=row.pk).delete()


def test_a_report_outlives_the_accounts_it_is_about(
    report: Report, maryam: Account, bahareh: Account, kaveh: Account
) -> None:
    moderate(kaveh, NewModerationAction(Kind.WARN, "Be kind", maryam, report), NOON)
    for account in (maryam, bahareh, kaveh):
        account.delete()
    row = ModerationAction.objects.get()
    assert (row.kind, row.why, row.account, row.moderator, row.report) == ("warn", "Be kind", None, None, report)


def test_the_operator_makes_moderators_from_the_command_line(maryam: Account) -> None:
    call_command("moderator", "Maryam@example.org")
    maryam = Account.objects.get(pk=maryam.pk)
    assert (maryam.is_staff, maryam.is_superuser, maryam.has_perm("accounts.moderate")) == (True, False, True)
    call_command("moderator", "maryam@example.org", "--remove")
    maryam = Account.objects.get(pk=maryam.pk)
    assert (maryam.is_staff, maryam.has_perm("accounts.moderate")) == (False, False)
    with pytest.raises(CommandError, match="no account"):
        call_command("moderator", "nobody@example.org")


def test_the_handbook_has_a_row_for_each_action_and_its_limits() -> None:
    handbook = (Path(__file__).parents[4] / "docs" / "site" / "en" / "host" / "moderating.md").read_text()
    rows = dict(re.findall(r"^\| ([a-z ]+) \| [^|]+ \| (yes|no) \|$", handbook, re.M))
    with override("en"):
        has_sentence = {
            str(kind.label): "yes" if kind in moderation._SENTENCES else "no" for kind in ModerationAction.Kind
        }
    assert rows == has_sentence
    assert f"Days are from 1 to {moderation.LONGEST}." in handbook
    assert f"at most {DAILY_LIMIT} reports in a day" in handbook
