"""Links in mails: opening them changes nothing, whether a person or a program does it. Only pressing a button does."""

import re
from html import unescape
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import resolve
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import Account
from games import links as addressing
from games.announcements.batches import topic_of
from games.models import FormerPlayer, Game, Move, OpenQuestion, StandIn
from notifications.email.message import message
from notifications.models import Notification
from tests.browser import Visit
from tests.every_notification import Scene, kinds
from tests.games.seated import begin
from tests.table_digests import table_digests

pytestmark = pytest.mark.django_db(transaction=True)

COUNTED: Final = {"accounts_allowance"}
"""The table in which every request is counted."""
LINK: Final = re.compile(r"https?://[^\s\"'<>]+")


@pytest.fixture
def server(live_server: LiveServer, settings: Any) -> LiveServer:
    """The server under test, whose mails link to itself."""
    settings.PUBLIC_URL = live_server.url
    settings.CSRF_TRUSTED_ORIGINS = [live_server.url]
    settings.OPERATOR_EMAIL = "operator@darbar.example"
    return live_server


def links(notification: Notification) -> list[str]:
    """Every address of a page in a notification's mail: in its text, its HTML and its headers."""
    mail = message(notification)
    html = unescape(str(mail.alternatives[0].content))
    texts = [str(mail.body), html, *map(str, mail.extra_headers.values())]
    return list(dict.fromkeys(link.rstrip(".") for piece in texts for link in LINK.findall(piece)))


def left() -> set[tuple[str, int | None]]:
    """Return games with accounts that are no longer stand-ins. They have no page of the game."""
    over = StandIn.objects.exclude(ended_at=None).values_list("game", "account")
    former = FormerPlayer.objects.values_list("game", "account")
    return {(topic_of(game), account) for game, account in (*over, *former)}


def page(link: str) -> str:
    """Return which kind of page a link leads to."""
    return str(resolve(urlsplit(link).path).route)


def test_every_link_of_every_kind_of_mail_changes_nothing_when_it_is_opened(server: LiveServer, visit: Visit) -> None:
    notifications = Scene().write_everything()
    assert kinds() <= {notification.reason for notification in notifications}, (
        "a kind of letter has no case in tests/every_notification.py"
    )
    here = [
        notification for notification in notifications if (notification.topic, notification.account_id) not in left()
    ]
    reasons_and_links = [(notification.reason, link) for notification in here for link in links(notification)]
    assert {urlsplit(link).netloc for _, link in reasons_and_links} == {urlsplit(server.url).netloc}
    links_by_page = {(reason, page(link)): link for reason, link in reasons_and_links}
    assert len(links_by_page) > 15
    before = table_digests(without=COUNTED)
    assert {"games_move", "notifications_notification", "django_session"} <= set(before)
    statuses = {}
    for link in set(links_by_page.values()):
        path = link.removeprefix(server.url)
        # A page of the settings asks first who is there.
        statuses[link] = {getattr(Client(), how)(path, follow=True).status_code for how in ("get", "head")}
    assert {link: status for link, status in statuses.items() if status != {200}} == {}
    assert table_digests(without=COUNTED) == before
    maryam = visit(server.url)
    for link in {page(link): link for link in links_by_page.values()}.values():
        assert maryam.go(link).status == 200
    assert maryam.complaints == []
    assert table_digests(without=COUNTED) == before


@pytest.fixture
def game_with_link(server: LiveServer) -> tuple[Game, str]:
    """A game that asks Maryam, and the link to its question's page."""
    maryam = Account.objects.create_user("maryam@example.org", name="Maryam")
    game = begin([maryam, None, None])
    OpenQuestion.objects.update(due_at="2100-01-01T00:00Z")
    question = OpenQuestion.objects.get(game=game, seat=1).question
    return game, addressing.question_page(game.id, question, maryam.pk)


def press(page: Any) -> None:
    page.get_by_role("main").get_by_role("button").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("is closed")


def test_the_button_of_a_link_from_a_mail_moves(
    game_with_link: tuple[Game, str], server: LiveServer, visit: Visit
) -> None:
    game, link = game_with_link
    maryam = visit(server.url)
    maryam.go(link)
    assert not Move.objects.exists()
    press(maryam.page)
    assert Move.objects.get(game=game, seat=1).state == "applied"


@pytest.mark.parametrize("policy", ["no-referrer", "unsafe-url"])
def test_the_button_moves_too_for_whoever_comes_from_a_page_of_another_origin(
    game_with_link: tuple[Game, str], server: LiveServer, visit: Visit, policy: str
) -> None:
    """Like a link in webmail, which sends no referrer, or that of the mail page."""
    _, link = game_with_link
    maryam = visit(server.url)
    maryam.context.route(
        "http://127.0.0.1:9/inbox",
        lambda route: route.fulfill(
            content_type="text/html", body=f'<meta name="referrer" content="{policy}"><a href="{link}">answer</a>'
        ),
    )
    maryam.go("http://127.0.0.1:9/inbox")
    maryam.page.get_by_text("answer").click()
    press(maryam.page)
    assert Move.objects.get(seat=1).state == "applied"


def test_a_page_of_another_origin_cannot_press_the_button_itself(
    game_with_link: tuple[Game, str], server: LiveServer, visit: Visit
) -> None:
    _, link = game_with_link
    maryam = visit(server.url)
    maryam.go(link)
    form = f'<form method="post" action="{link}"><input name="answer" value="1"></form>'
    body = f"{form}<script src='press.js'></script>"
    maryam.context.route(
        "http://127.0.0.1:9/**",
        lambda route: route.fulfill(
            content_type="text/javascript" if route.request.url.endswith("js") else "text/html",
            body="document.forms[0].submit()" if route.request.url.endswith("js") else body,
        ),
    )
    with maryam.page.expect_response(lambda response: response.request.method == "POST") as answered:
        maryam.go("http://127.0.0.1:9/trap")
    assert answered.value.status == 403
    assert not Move.objects.exists()
