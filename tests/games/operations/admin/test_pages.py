"""The pages at /admin/: access, content, and actions that they must not offer."""

import re
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from uuid import uuid4

import pytest
import time_machine
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.translation import override

from accounts.models import Account, ModerationAction, Report
from config.core.logs import describe_error
from games import clubs
from games.announcements.notify import write_due
from games.clubs import join_club
from games.mail.intake import receive
from games.models import ChatMessage, Game, Move, Stall, TableChannel
from games.moderation import report_message, report_player
from games.operations.admin import site
from games.play import outages
from games.tables.chat import send_message
from notifications import deliverability, outbox, server_emails
from notifications.deliverability import Failure
from notifications.endpoints import Webhook
from notifications.models import Notification, RawMail, State
from notifications.set_aside import SetAside
from tests.games.operations.admin.conftest import browser
from tests.games.seated import NOON, begin, play, seat_address
from tests.games.tournaments.tournament_cast import create_cup

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(maryam: Account, bahareh: Account) -> Game:
    """A running game in which cards were dealt, a move was made, mails went out and came in, and notifications were
    said.
    """
    game = begin([maryam, bahareh, None])
    write_due(NOON)
    play(game, "1 exchange", at=NOON)
    write_due(NOON)
    send_message(game, maryam, 2, "I hold the contessa", NOON)
    receive(b"From: bahareh@example.org\n\nchallenge", "bahareh@example.org", [seat_address(game, 2)], NOON)
    outages.begin(game.id, KeyError("contessa"), NOON)
    error = describe_error(KeyError("assassin"))
    server_emails.set_aside_and_notify(SetAside.Kind.MOVE, Move.objects.first().id, f"game:{game.id}", error, NOON)
    return game


def pages(most: int = 1) -> Iterator[str]:
    """Return the pages of the admin: all lists, and the page and history of a few rows of each kind."""
    yield reverse("admin:index")
    yield reverse("admin:attention")
    for model in site._registry:
        url_name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield reverse(f"{url_name}_changelist")
        for row in model.objects.all()[:most]:
            yield reverse(f"{url_name}_change", args=[row.pk])
            yield reverse(f"{url_name}_history", args=[row.pk])


def test_nothing_is_in_it_but_what_is_meant_to_be() -> None:
    assert {model.__name__ for model in site._registry} == {
        "Account", "Club", "ModerationAction", "Game", "Group", "News", "Notification", "RawMail", "Report", "SetAside",
        "Stall",
        "Tournament",
        "UnreadReply",
    }  # fmt: skip


def test_no_page_shows_what_is_secret_in_a_running_game(
    game: Game, maryam: Account, bahareh: Account, dariush: Account
) -> None:
    operator, pages_by_address = browser(dariush), {}
    for address in pages(most=100):
        answer = operator.get(address)
        assert answer.status_code == 200, address
        pages_by_address[address] = answer.content.decode()
    assert len(pages_by_address) > 20
    secrets = ["contessa", "assassin", "captain", "exchange", "challenge", "I hold", game.code, bytes(game.seed).hex()]
    secrets += [seat.seed for seat in game.seats.all() if seat.seed]
    for address, page in pages_by_address.items():
        for secret in secrets:
            assert secret not in page, (address, secret)


def test_no_page_of_a_list_can_be_searched_for_what_is_secret(game: Game, dariush: Account) -> None:
    operator = browser(dariush)
    for model, page_admin in site._registry.items():
        url_name = f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"
        for word in ("contessa", "exchange", game.code):
            assert (
                not page_admin.search_fields
                or not operator.get(reverse(url_name), {"q": word}).context["cl"].result_count
            )


def test_a_game_is_found_by_the_short_code_that_emails_show(game: Game, dariush: Account) -> None:
    operator, games = browser(dariush), reverse("admin:games_game_changelist")
    for text in (game.code[:4].upper(), f"Coup {game.code[:4]}"):
        assert list(operator.get(games, {"q": text}).context["cl"].result_list) == [game]
    for text in (game.code[:3], game.code[:5], game.code[1:5]):
        assert not operator.get(games, {"q": text}).context["cl"].result_count


def test_a_list_takes_as_many_queries_for_many_rows_as_for_one(
    maryam: Account, bahareh: Account, dariush: Account
) -> None:
    operator = browser(dariush)

    def counts(games: int) -> dict[str, int]:
        """Create games with notifications and reports, and return the number of queries of each list."""
        for number in range(games):
            game = begin([maryam, bahareh])
            kind = (Report.Kind.NAME, Report.Kind.CONDUCT)[number % 2]
            report = Report.objects.create(
                kind=kind, accused=maryam, reporter=bahareh, subject=str(game.pk), place=f"game:{game.pk}", made_at=NOON
            )
            ModerationAction.objects.create(
                kind=ModerationAction.Kind.WARN, moderator=dariush, account=maryam, report=report, at=NOON
            )
        queries = {}
        for model in (Game, Notification, Report, ModerationAction):
            address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
            operator.get(address)
            with CaptureQueriesContext(connection) as captured:
                assert operator.get(address).context["cl"].result_count >= games
            queries[address] = len(captured)
        return queries

    assert counts(1) == counts(5)


def test_the_first_page_shows_red_signs_and_moderators_the_number_of_open_reports(
    game: Game, maryam: Account, bahareh: Account, kaveh: Account, dariush: Account
) -> None:
    report_player(game, bahareh, 1, Report.Kind.NAME, "The name.", NOON)
    for account in (kaveh, dariush):
        page = browser(account).get("/admin/").content.decode()
        assert "Moves that were set aside, to be tried again or acknowledged" in page
        assert "1 open report" in " ".join(page.split())


def test_a_page_lists_all_that_waits_for_the_operator_and_says_what_to_do(
    game: Game, maryam: Account, bahareh: Account, kaveh: Account, dariush: Account
) -> None:
    Webhook.objects.create(account=maryam, url="https://maryam.example", kinds=[], created_at=NOON, disabled_at=NOON)
    deliverability.note(bahareh.email, Failure.FOR_GOOD, NOON, NOON)
    deliverability.note(maryam.email, Failure.COMPLAINT, NOON, NOON)
    TableChannel.objects.create(game=game, app="slack", secret="", language="en", stopped_at=NOON)
    report_player(game, bahareh, 1, Report.Kind.NAME, "The name.", NOON)
    with time_machine.travel(NOON + timedelta(hours=3), tick=False):
        operator, moderator = (
            browser(account).get(reverse("admin:attention")).content.decode() for account in (dariush, kaveh)
        )
    rows = [
        " ".join(re.sub("<[^>]+>", " ", row).split())
        for row in re.findall('<tr>\n +<th scope="row">.*?</tr>', operator, re.S)
    ]
    assert [re.sub(" 3 hours .*", "", row) for row in rows] == [
        "Moves that were set aside 1",
        "Stalled games 1",
        "Webhooks that stopped 1",
        "Group chats that stopped 1",
        "Email addresses that bounced 1",
        "Email addresses whose owners marked our email as spam 1",
        "Open reports 1",
    ]
    stalls_address = reverse("admin:games_stall_changelist")
    assert f'<a href="{stalls_address}">Stalled games</a>' in operator
    assert "Stalled games" in moderator
    assert stalls_address not in moderator
    for address in re.findall('<th scope="row">\n +<a href="([^"]+)"', operator):
        assert browser(dariush).get(unescape(address)).context["cl"].result_count == 1, address


def test_the_page_of_what_waits_says_when_nothing_does(dariush: Account) -> None:
    assert "Nothing is waiting for you." in browser(dariush).get(reverse("admin:attention")).content.decode()


def test_whoever_is_not_on_the_staff_sees_nothing(game: Game, bahareh: Account) -> None:
    addresses = list(pages())
    player, stranger = browser(bahareh), Client()
    for address in addresses:
        for method in ("get", "post"):
            answer = getattr(stranger, method)(address)
            assert answer.status_code == 302
            assert answer.headers["Location"].startswith("/admin/login/")
            assert getattr(player, method)(address, follow=True).status_code == 403
    assert stranger.get("/admin/login/?next=/admin/").headers["Location"] == f"{reverse('account_login')}?next=/admin/"


def test_a_moderator_sees_reports_acts_accounts_clubs_and_tournaments_only(
    game: Game, kaveh: Account, dariush: Account
) -> None:
    moderator = browser(kaveh)
    for address in pages():
        allowed = address in ("/admin/", "/admin/attention/") or any(
            part in address
            for part in (
                *("/accounts/account/", "/accounts/report/", "/accounts/moderationaction/"),
                *("/games/club/", "/games/tournament/"),
            )
        )
        assert moderator.get(address).status_code == (200 if allowed else 403), address
    for model, id in (
        ("game", game.id),
        ("notification", Notification.objects.first().pk),
        ("rawmail", RawMail.objects.get().pk),
    ):
        app = "games" if model == "game" else "notifications"
        assert moderator.post(f"/admin/{app}/{model}/{id}/delete/", {"post": "yes"}).status_code == 403


def test_a_moderator_finds_a_tournament_and_its_host_and_not_its_seed(maryam: Account, kaveh: Account) -> None:
    cup = create_cup(maryam, about="Two rounds.")
    moderator, listed = browser(kaveh), reverse("admin:games_tournament_changelist")
    html = moderator.get(listed, {"q": "spring"}).content.decode()
    text = moderator.get(reverse("admin:games_tournament_change", args=[cup.pk])).content.decode()
    for page in (html, text):
        assert all(word in page for word in ("Spring cup", "Two rounds.", "Maryam"))
        assert bytes(cup.seed).hex() not in page


def test_a_moderator_finds_a_club_by_its_name_and_who_owns_it_and_not_its_link(
    maryam: Account, bahareh: Account, kaveh: Account
) -> None:
    club = clubs.create_club(maryam, "Thursday liars", "We meet on Thursdays.", NOON).club
    join_club(bahareh, club.code, NOON)
    moderator, listed = browser(kaveh), reverse("admin:games_club_changelist")
    html = moderator.get(listed, {"q": "thursday"}).content.decode()
    text = moderator.get(reverse("admin:games_club_change", args=[club.pk])).content.decode()
    for page in (html, text):
        assert all(word in page for word in ("Thursday liars", "We meet on Thursdays.", "Maryam"))
        assert reverse("admin:accounts_account_change", args=[maryam.pk]) in page
        assert club.code not in page
        assert "Bahareh" not in page
    assert not moderator.get(listed, {"q": club.code}).context["cl"].result_count
    assert "<h2>Thursday liars</h2>" in text
    assert str(club.pk) not in re.sub(r'="[^"]*"', "", text)
    assert moderator.get(listed, {"q": "Bahareh"}).context["cl"].result_count == 1


def test_every_field_and_table_of_ours_has_a_persian_name(dariush: Account) -> None:
    english = []
    with override("fa"):
        for model, admin in site._registry.items():
            if model is not Group:
                shown_fields = {*admin.list_display, *(admin.fields or ())} & {
                    field.name for field in model._meta.fields
                }
                names = {name: str(model._meta.get_field(name).verbose_name) for name in shown_fields - {"id"}}
                names[model.__name__] = f"{model._meta.verbose_name} {model._meta.verbose_name_plural}"
                english += [item for item, name in names.items() if re.search("[a-z]", name)]
        of_another = [str(SetAside._meta.get_field(field).verbose_name) for field in ("subject", "about")]
    assert english == []
    assert of_another == ["شناسه", "مربوط به"]
    Account.objects.filter(pk=dariush.pk).update(language="fa")
    page = browser(Account.objects.get(pk=dariush.pk)).get(reverse("admin:games_game_changelist")).content.decode()
    assert "زمان ساخت" in page
    assert "بازی را برای مشاهده انتخاب کنید" in page


def test_nothing_is_added_or_deleted_on_these_pages_and_no_field_is_changed(
    game: Game, maryam: Account, dariush: Account
) -> None:
    operator = browser(dariush)
    for model in site._registry:
        if model.__name__ in ("Group", "News"):
            continue
        url_name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        assert operator.get(reverse(f"{url_name}_add")).status_code == 403
        for row in model.objects.all():
            assert operator.post(reverse(f"{url_name}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
    assert operator.post(reverse("admin:games_game_change", args=[game.id]), {"state": "over"}).status_code == 403
    saved = acted(operator, maryam, name="Kaveh", email="x@example.org", is_superuser="on", is_staff="on")
    assert saved.status_code == 302
    maryam.refresh_from_db()
    assert (maryam.name, maryam.email, maryam.is_superuser) == ("Maryam", "maryam@example.org", False)


def acted(browser: Client, row: Account | Report, **fields: object) -> object:
    """Send the form of an account or a report."""
    address = reverse(f"admin:accounts_{row._meta.model_name}_change", args=[row.pk])
    counts = {f"actions-{name}_FORMS": "0" for name in ("TOTAL", "INITIAL")} if isinstance(row, Report) else {}
    return browser.post(address, {"act": "", "days": "", "why": "", **counts, **fields})


def test_a_moderator_acts_on_a_report_and_it_is_recorded_and_told(
    game: Game, maryam: Account, bahareh: Account, kaveh: Account
) -> None:
    chat_message = send_message(game, maryam, None, "something bad", NOON)
    report = report_message(game, bahareh, chat_message.public_id, "An insult.", NOON)
    page = browser(kaveh).get(reverse("admin:accounts_report_change", args=[report.pk])).content.decode()
    assert "something bad" in page
    assert acted(browser(kaveh), report, act="hide", why="It is an insult").status_code == 302
    assert ChatMessage.objects.get(pk=chat_message.pk).hidden
    act = ModerationAction.objects.get()
    assert (act.moderator, act.account, act.kind, act.report, act.why) == (
        kaveh, maryam, "hide", report, "It is an insult",
    )  # fmt: skip
    report.refresh_from_db()
    assert report.state == Report.State.ACTED
    assert Notification.objects.get(reason="moderation").account == maryam
    assert (
        "It is an insult"
        in browser(kaveh).get(reverse("admin:accounts_report_change", args=[report.pk])).content.decode()
    )


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"act": "hide"}, "Say why"),
        ({"act": "silence", "why": "x"}, "Say for how many days"),
        ({"act": "silence", "why": "x", "days": "0"}, "greater than or equal to 1"),
        ({"act": "dance", "why": "x"}, "not one of the available choices"),
    ],
)
def test_what_is_wrong_with_an_act_is_said_and_nothing_is_done(
    game: Game, maryam: Account, bahareh: Account, kaveh: Account, fields: dict[str, str], error: str
) -> None:
    report = report_message(game, bahareh, send_message(game, maryam, None, "bad", NOON).public_id, "An insult.", NOON)
    answer = acted(browser(kaveh), report, **fields)
    assert answer.status_code == 200
    assert error in answer.content.decode()
    assert not ModerationAction.objects.exists()


def test_the_admins_own_log_holds_no_name(maryam: Account, kaveh: Account) -> None:
    assert acted(browser(kaveh), maryam, act="warn", why="Be kind").status_code == 302
    assert list(LogEntry.objects.values_list("object_repr", flat=True)) == [str(maryam.pk)]


def test_only_who_has_every_right_says_who_is_on_the_staff(
    maryam: Account, bahareh: Account, kaveh: Account, dariush: Account
) -> None:
    acted(browser(kaveh), bahareh, is_staff="on")
    acted(browser(dariush), maryam, is_staff="on")
    assert set(Account.objects.filter(is_staff=True)) == {maryam, kaveh, dariush}


def test_the_operator_retries_and_acknowledges_what_was_set_aside_and_moderators_do_not(
    game: Game, dariush: Account, kaveh: Account
) -> None:
    mail = RawMail.objects.get()
    RawMail.objects.update(state=RawMail.State.FAILED)
    server_emails.set_aside_and_notify(SetAside.Kind.MAIL, mail.pk, "", "KeyError in read", NOON)
    first, second = SetAside.objects.order_by("kind")
    address = reverse("admin:notifications_setaside_changelist")
    assert browser(kaveh).get(address).status_code == 403
    assert browser(kaveh).post(address, {"action": "retry", "_selected_action": [first.pk]}).status_code == 403
    for row, action in ((first, "retry"), (second, "acknowledge")):
        assert browser(dariush).post(address, {"action": action, "_selected_action": [row.pk]}).status_code == 302
    mail.refresh_from_db()
    assert mail.state == RawMail.State.RECEIVED
    assert [row.outcome for row in SetAside.objects.order_by("kind")] == ["retried", "acknowledged"]
    assert LogEntry.objects.count() == 2
    assert str(first.pk) not in browser(dariush).get(address).content.decode().partition("<tbody")[2]
    assert f"/{first.pk}/" in browser(dariush).get(address, {"settled": "yes"}).content.decode()


def test_the_operator_sends_a_message_again_whatever_became_of_it_and_moderators_do_not(
    game: Game, dariush: Account, kaveh: Account
) -> None:
    messages = [outbox.add_message("webhooks", uuid4(), "event", NOON) for _ in range(2)]
    for message, state in zip(messages, (State.FAILED, State.SENT), strict=True):
        Notification.objects.filter(pk=message.pk).update(state=state)
    address = reverse("admin:notifications_notification_changelist")
    selected = {"action": "send_again", "_selected_action": [message.pk for message in messages]}
    assert browser(kaveh).post(address, selected).status_code == 403
    browser(dariush).post(address, selected)
    assert {message.state for message in Notification.objects.filter(channel="webhooks")} == {State.READY}


def test_the_operator_has_a_stalled_game_tried_at_once(game: Game, dariush: Account) -> None:
    before = Stall.objects.get().try_at
    address = reverse("admin:games_stall_changelist")
    browser(dariush).post(address, {"action": "retry_now", "_selected_action": [game.pk]})
    assert Stall.objects.get().try_at > before
