"""Texts of people never run as scripts and never load anything, in pages, mails and pictures.

All text fields contain payloads. Chromium follows links from page to page as a player, as a moderator and as a visitor.
A page that it does not reach makes the test fail, so that new pages are covered.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import pytest
from django.conf import settings as configured
from django.test import Client
from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve
from django.utils import timezone
from playwright.sync_api import Error
from pytest_django.live_server_helper import LiveServer

from accounts import tokens
from accounts.models import Account, Report
from accounts.tokens import ALL, NewApp, register_app
from games.models import ChatMessage, Club, Game, Membership
from games.tables.seeks import NewSeek, create_seek
from notifications.email.message import message, stop_link
from notifications.endpoints import Device, Webhook
from notifications.models import Notification, State
from tests.accounts.oauth.app import BACK, App
from tests.browser import Visit, Visitor
from tests.every_notification import Scene
from tests.factors import passed
from tests.games.pages.payloads import PAYLOADS
from tests.games.seated import NOON
from tests.games.tournaments.tournament_cast import create_cup
from tests.long import SCALE

pytestmark = pytest.mark.django_db(transaction=True)

TOGETHER: Final = 5
"""The number of payloads on one page that has room for several."""
GROUPS: Final = [PAYLOADS[at : at + TOGETHER] for at in range(0, len(PAYLOADS) * SCALE // 20, TOGETHER)]
OFTEN: Final = 1
"""The number of pages of one kind, with the same parameters, that one walk looks at."""
ELSEWHERE: Final = (
    *("api/", "anymail/", "docs/", "static/", ".well-known/", "healthz", "sitemap.xml"),
    *("oauth/token", "oauth/revoke", "oauth/register", "feeds/", "calendar/", "cards/"),
)
"""Paths that are not for people and contain no HTML."""


def walkable(patterns: Any = None, before: str = "") -> Iterator[tuple[str, URLPattern]]:
    """The patterns of pages for people, with their routes."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from walkable(pattern.url_patterns, route)
        elif not route.lstrip("^").startswith((*ELSEWHERE, "admin/")):
            yield route, pattern


def is_for_forms_only(pattern: URLPattern) -> bool:
    """Return whether a page cannot be looked at, only sent to."""
    allowed = getattr(pattern.callback, "view_class", None)
    if allowed is not None:
        return not hasattr(allowed, "get")
    closure = [cell.cell_contents for cell in getattr(pattern.callback, "__closure__", None) or ()]
    return any(isinstance(item, list | tuple) and "POST" in item and "GET" not in item for item in closure)


GUEST_TOKEN: Final = "x" * 22


class StoredScripts:
    """A server on which all texts are payloads."""

    def __init__(self, payloads: Sequence[str]) -> None:
        self.short = min(payloads, key=len)
        self.text = " ".join(payloads)
        self.scene = Scene(self.text[:1500])
        for person in (self.scene.maryam, self.scene.sepideh, self.scene.bahareh):
            person.name = f"{person.name[:1]} {self.short}"[:40]
            person.save()
        self.notifications = self.scene.write_everything()
        self._belongings(self.scene.maryam)
        Notification.objects.filter(pk__in=[notification.pk for notification in self.notifications]).update(
            state=State.SENT, sent_at=NOON
        )

    def _belongings(self, maryam: Account) -> None:
        create_seek(maryam, NewSeek("coup", 3, 4), timezone.now())
        Game.objects.filter(pk=self._table(Game.State.OPEN).pk).update(guest_token=GUEST_TOKEN)
        self.tournament = create_cup(maryam, [maryam], name=self.text[:60], about=self.text[:100])
        tokens.issue(maryam, self.text[:100], list(ALL))
        client, _ = register_app(NewApp("Corner table", [BACK], ALL, False), maryam)
        type(client).objects.filter(pk=client.pk).update(name=self.text[:100])
        self.app = App(client.id)
        Device.objects.create(account=maryam, name=self.text[:100], endpoint="https://p.example/1", created_at=NOON)
        Webhook.objects.create(account=maryam, url=f"https://b.example/{self.text}"[:200], kinds=[], created_at=NOON)
        Report.objects.create(
            reporter=maryam, accused=self.scene.sepideh, kind="conduct", reason=self.text, made_at=NOON,
            evidence={"text": self.text, "name": self.text, "sent_at": self.text},
        )  # fmt: skip

    def _table(self, state: str) -> Game:
        """The latest of the tables that stand so."""
        return next(game for game in reversed(self.scene.games) if Game.objects.get(pk=game.pk).state == state)

    def for_strangers(self) -> list[str]:
        """Return the first pages of a visitor who is not signed in."""
        quoted_text = quote(self.text[:300])
        paths = ["/", "/signup/", "/signup/code/", "/password/", "/password/code/", f"/join/{GUEST_TOKEN}/"]
        paths += [f"/clubs/join/{club.code}/" for club in Club.objects.all()]
        return [
            *paths,
            f"/login/?next={quoted_text}",
            f"/signup/?next={quoted_text}",
            f"/invitation/{quoted_text}/",
            f"/answer/{quoted_text}/",
        ]

    def beginnings(self) -> list[str]:
        """Return the first pages of a player: pages without a link to them, and results of a search."""
        quoted_text = quote(self.text[:300])
        running, over = (self._table(state) for state in (Game.State.RUNNING, Game.State.OVER))
        return [
            "/", "/games/", "/settings/", "/leaders/", "/rules/", "/mailbox/", "/api/docs/",
            "/rules/coup/picture.css", "/rules/coup/art.svg", "/manifest.webmanifest", "/robots.txt", "/llms.txt",
            f"/join/?code={quoted_text}", f"/mailbox/?to={quoted_text}",
            f"/games/?rules={quoted_text}", f"/players/{quote(self.scene.sepideh.name)}/", f"/players/{quoted_text}/",
            f"/{quoted_text}", f"/games/{running.pk}/?said={quoted_text}",
            f"/games/{over.pk}/replay/", f"/games/{over.pk}/analysis/",
            *(f"/clubs/{membership.club_id}/close/" for membership in Membership.objects.filter(role="owner")),
            *(f"/tournaments/{self.tournament.pk}/{action}/" for action in ("edit", "leave", "cancel")),
            *(f"/games/{message.game_id}/report/{message.public_id}/" for message in ChatMessage.objects.all()),
            f"/oauth/authorize?{urlencode(self.app.asks())}",
            f"/login/again/?next={quoted_text}", "/settings/two-factor/app/",
            *(urlsplit(link).path for notification in self.notifications for link in _pages_of(notification)),
        ]  # fmt: skip


def _pages_of(notification: Notification) -> list[str]:
    blocks: list[Any] = list(notification.content().blocks)
    linked = [block for block in blocks if hasattr(block, "url")]
    linked += [link for block in blocks for link in getattr(block, "links", ())]
    urls = [link.url for link in linked if link.url.startswith("http")]
    return [*urls, *([stop_link(notification)] if notification.account else [])]


def sign_in(visitor: Visitor, account: Account) -> Visitor:
    """Make a visitor be signed in."""
    client = Client()
    client.force_login(account, backend=configured.AUTHENTICATION_BACKENDS[0])
    passed(client, account)
    cookie = client.cookies[configured.SESSION_COOKIE_NAME]
    visitor.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": visitor.home}])
    return visitor


def walk(visitor: Visitor, beginnings: Sequence[str], within: str = "/") -> set[str]:
    """Follow every link, some of each kind; the routes that were come to. Lists are not looked at in every order."""
    waiting, visited, tried, come_to = list(beginnings), set[str](), Counter[tuple[str, ...]](), set[str]()
    while waiting:
        path = waiting.pop(0)
        route = _route(path)
        kind = (route or path, *sorted(name for name, _ in parse_qsl(urlsplit(path).query)))
        if path in visited or route is None or not path.startswith(within) or tried[kind] >= OFTEN:
            continue
        visited.add(path)
        status = _opened(visitor, path)
        unrun(visitor, path)
        if status == 200:
            tried[kind] += 1
            come_to.add(route)
            waiting += [link for link in _linked(visitor) if within == "/" or "?" not in link]
    return come_to


def _opened(visitor: Visitor, path: str) -> int:
    """Return the status of a page. A download counts as seen."""
    try:
        status = visitor.go(path).status
    except Error as error:
        if "Download is starting" not in str(error):
            raise
        return 200
    assert status < 500, path
    return status


def _route(path: str) -> str | None:
    """Return the URL pattern of a path. It is blank for a missing page, and None for a path that is not for people."""
    bare = urlsplit(path).path
    if bare.lstrip("/").startswith(tuple(prefix for prefix in ELSEWHERE)) and bare != "/api/docs/":
        return None
    try:
        return resolve(bare).route
    except Resolver404:
        return ""


def _linked(visitor: Visitor) -> list[str]:
    """Return the links, pictures and frames of a page on this server."""
    script = "all => all.map(each => each.href || each.src || each.data).filter(each => typeof each === 'string')"
    links = visitor.page.eval_on_selector_all("a[href], img[src], iframe[src], object[data]", script)
    return [link.removeprefix(visitor.home).partition("#")[0] for link in links if link.startswith(f"{visitor.home}/")]


def unrun(visitor: Visitor, where: str) -> None:
    """Check that no script ran, no resource was loaded from elsewhere, and no policy was violated."""
    assert visitor.dialogs == [], where
    assert visitor.elsewhere == [], where
    assert visitor.page.evaluate("window.ran") is None, where
    complaints = [complaint for complaint in visitor.complaints if "status of 4" not in complaint]
    assert complaints == [], where
    visitor.complaints.clear()


@pytest.fixture
def server(live_server: LiveServer, settings: Any) -> LiveServer:
    settings.PUBLIC_URL = live_server.url
    settings.OPERATOR_EMAIL = "operator@darbar.example"
    settings.MAILBOX = True
    return live_server


@pytest.mark.long
@pytest.mark.parametrize("payloads", GROUPS, ids=lambda payloads: payloads[0])
def test_what_people_write_runs_in_no_page_mail_or_picture(
    server: LiveServer, visit: Visit, payloads: Sequence[str]
) -> None:
    scripts = StoredScripts(payloads)
    moderator = Account.objects.get(email="dariush@example.org")
    come_to = walk(sign_in(visit(server.url), scripts.scene.maryam), scripts.beginnings())
    come_to |= walk(sign_in(visit(server.url), moderator), ["/admin/"], "/admin/")
    come_to |= walk(visit(server.url), scripts.for_strangers(), "/")
    missed = {route for route, pattern in walkable() if route not in come_to and not is_for_forms_only(pattern)}
    assert missed <= UNREACHED, f"no walk comes to {missed - UNREACHED}"

    reader = visit(server.url)
    for notification in {
        (notification.reason, notification.account and notification.account.language): notification
        for notification in scripts.notifications
    }.values():
        reader.page.set_content(str(message(notification).alternatives[0].content), wait_until="commit")
        reader.page.wait_for_load_state("load")
        reader.complaints = [complaint for complaint in reader.complaints if "ERR_UNKNOWN_URL_SCHEME" not in complaint]
        unrun(reader, notification.reason)


UNREACHED: Final = {
    *("offline/", "service-worker.js", "games/<uuid:game>/leave/", "invitation/<str:token>/stop/", "people/keep/"),
    *("emails/second-address/<str:token>/", "settings/account/code/", "settings/account/export/<uuid:id>/"),
    *("settings/calendar/vacations/", "settings/channels/<slug:channel>/test/"),
    *("settings/calendar/vacations/<uuid:id>/", "settings/devices/<uuid:device>/", "settings/emails/<uuid:game>/"),
    *("login/second-factor/", "settings/tokens/apps/<slug:client_id>/", "settings/tokens/sessions/<int:session>/"),
    *("settings/tokens/sign-out/", "settings/two-factor/<int:factor>/remove/", "settings/tokens/<uuid:public_id>/"),
    *("settings/webhooks/<uuid:id>/", "settings/webhooks/<uuid:id>/test/"),
}
"""Addresses of forms, and paths that are not pages. Pages of Django's admin count only if a page links to them."""
