"""Two-factor login as pages, without a script: setting it up, logging in with it, and proving again who one is."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.utils import timezone

from accounts import second_factors
from accounts.authentication import sessions
from accounts.models import Account, Token
from accounts.tokens import ALL
from notifications.models import Notification
from tests.accounts.oauth.app import app_of
from tests.factors import SECRET, code, passed, with_app
from tests.games.pages.at_home import Page, Visitor
from tests.games.pages.test_every_page import sound

pytestmark = pytest.mark.django_db
PASSWORD = "seven goats on a roof"
STARTED = timezone.now()


@pytest.fixture(autouse=True)
def _at_a_time_that_stands_still(db: None) -> Iterator[None]:
    """No code goes out of date between the moment it is computed and the moment it is shown."""
    with time_machine.travel(STARTED, tick=False):
        yield


@pytest.fixture
def member(maryam: Account) -> Account:
    """Has a password and has confirmed her address."""
    maryam.set_password(PASSWORD)
    maryam.last_login = timezone.now() - timedelta(days=1)
    maryam.save()
    maryam.emailaddress_set.create(email=maryam.email, verified=True, primary=True)
    return maryam


@pytest.fixture
def guarded(member: Account) -> Account:
    """Return an account with an authenticator app."""
    return with_app(member)


def log_in(account: Account, **more: Any) -> Visitor:
    """To the page that follows the password."""
    visitor = Visitor(**more)
    visitor.go("/login/")
    visitor.send(email=account.email, password=PASSWORD)
    return visitor


def headlines() -> list[str]:
    """Return the headlines of all notifications, oldest first."""
    return [notification.content().headline for notification in Notification.objects.order_by("created_at")]


def later(**how_long: float) -> time_machine.travel:
    """A block that runs some time later."""
    return time_machine.travel(timezone.now() + timedelta(**how_long), tick=False)


def secret_on(page: Page) -> str:
    """The key that a page shows as text."""
    return next(word for word in page.text.split() if len(word) == 32 and word.isupper())


def test_an_app_is_set_up_from_a_picture_a_link_or_a_key(member: Account) -> None:
    elsewhere, visitor = log_in(member), log_in(member)
    visitor.go("/settings/two-factor/")
    visitor.go("/settings/two-factor/app/")
    secret = secret_on(visitor.page)
    (link,) = [element["href"] for element in visitor.page.all("a") if element["href"].startswith("otpauth:")]
    assert f"secret={secret}" in link
    (picture,) = visitor.page.all("svg")
    assert picture["role"] == "img"
    assert picture["aria-label"]
    assert "shows a different code" in visitor.send(status=422, code="000000").text
    assert secret_on(visitor.page) == secret
    visitor.send(code=code(secret=secret))
    assert visitor.path == "/settings/two-factor/codes/"
    assert len(visitor.page.all("code")) == 10
    assert "An authenticator app was added to your account." in headlines()
    elsewhere.go("/settings/")
    assert elsewhere.path.startswith("/login/"), "a session that has not passed the factor ends"
    assert visitor.go("/settings/").all("h1")


def test_the_code_of_the_set_up_logs_nobody_in(member: Account) -> None:
    visitor = log_in(member)
    secret = secret_on(visitor.go("/settings/two-factor/app/"))
    visitor.send(code=code(secret=secret))
    stranger = log_in(member)
    assert "has been used" in stranger.send(status=422, code=code(secret=secret)).text


def test_logging_in_asks_for_the_second_factor(guarded: Account) -> None:
    visitor = Visitor()
    visitor.go("/games/new/coup/")
    visitor.send(email=guarded.email, password=PASSWORD)
    assert visitor.path == "/login/second-factor/"
    assert "Log out" not in visitor.go("/").text
    visitor.go("/login/second-factor/")
    visitor.send(status=422, code="000000")
    visitor.send(code=code())
    assert visitor.path == "/games/new/coup/"
    assert "Log out" in visitor.page.text
    assert visitor.go("/settings/").all("h1")


def test_the_second_step_is_nothing_without_the_first(guarded: Account) -> None:
    visitor = Visitor()
    visitor.go("/login/second-factor/")
    assert visitor.path == "/login/"


@pytest.mark.parametrize("change", ["late", "password", "closed"])
def test_the_second_step_ends_when_the_first_no_longer_holds(guarded: Account, change: str) -> None:
    visitor = log_in(guarded)
    if change == "password":
        guarded.set_password("a rook on the seventh rank")
        guarded.save()
    if change == "closed":
        Account.objects.update(is_active=False)
    with later(minutes=11 if change == "late" else 0):
        visitor.send(code=code())
    assert visitor.path == "/login/"


def test_a_recovery_code_opens_once(guarded: Account) -> None:
    first = second_factors.recovery_codes(guarded)[0]
    visitor = log_in(guarded)
    visitor.send(code=f"{first[:4]} {first[4:]}")
    assert "Log out" in visitor.page.text
    assert "A recovery code of your account was used. Codes left: 9." in headlines()
    log_in(guarded).send(status=422, code=first)


def test_guesses_of_the_second_factor_are_limited(guarded: Account) -> None:
    visitor = log_in(guarded)
    for _ in range(5):
        visitor.send(status=422, code="000000")
    visitor.send(status=429, code=code())
    with later(minutes=6):
        visitor.send(code=code())
        assert "Log out" in visitor.page.text


def test_the_code_of_a_sign_up_logs_in_only_up_to_the_second_factor(guarded: Account) -> None:
    guarded.emailaddress_set.update(verified=False)
    visitor = log_in(guarded)
    assert visitor.path == "/signup/code/"
    sent = str(Notification.objects.latest("created_at").content().blocks[1].text)
    visitor.send(code=sent)
    assert visitor.path == "/login/second-factor/"


def test_a_forgotten_password_is_no_way_round_the_second_factor(guarded: Account) -> None:
    visitor = Visitor()
    visitor.go("/password/")
    visitor.send(email=guarded.email)
    sent = str(Notification.objects.latest("created_at").content().blocks[1].text)
    visitor.send(code=sent, password="a rook on the seventh rank")
    visitor.send(email=guarded.email, password="a rook on the seventh rank")
    assert visitor.path == "/login/second-factor/"


@pytest.mark.parametrize("path", ["/settings/", "/settings/emails/", "/settings/tokens/", "/settings/account/export/"])
def test_a_session_that_has_not_passed_the_factor_sees_no_settings(guarded: Account, path: str) -> None:
    visitor = Visitor(guarded)
    visitor.go(path)
    assert visitor.path.startswith("/login/again/?next=")
    if not path.endswith("export/"):
        visitor.send(password=PASSWORD, code=code())
        assert visitor.path == path


def test_nor_does_it_allow_apps_anything(guarded: Account) -> None:
    app = app_of(None)
    answer = Visitor(guarded).client.get("/oauth/authorize", app.asks())
    assert answer.headers["Location"].startswith("/login/again/?next=%2Foauth%2Fauthorize")
    visitor = log_in(guarded)
    visitor.send(code=code())
    assert visitor.client.get("/oauth/authorize", app.asks()).status_code == 200


def test_what_is_hard_to_undo_asks_again_after_a_while(guarded: Account) -> None:
    visitor = log_in(guarded)
    visitor.send(code=code())
    for path in ("/settings/tokens/", "/settings/password/", "/settings/account/"):
        assert any("password" in form["fields"] for form in visitor.go(path).forms)
    with later(minutes=11):
        for path in ("/settings/tokens/", "/settings/password/", "/settings/account/"):
            assert not any("password" in form["fields"] for form in visitor.go(path).forms)
        for path in ("app/", "passkey/", "codes/"):
            visitor.go(f"/settings/two-factor/{path}")
            assert visitor.path.startswith("/login/again/")
        visitor.go("/settings/tokens/")
        fields = {"csrfmiddlewaretoken": visitor.page.forms[0]["fields"]["csrfmiddlewaretoken"]}
        fields_of_token = {"name": "bot", "scopes": list(ALL), "password": PASSWORD, **fields}
        answer = visitor.client.post("/settings/tokens/", fields_of_token)
        assert answer.headers["Location"] == "/login/again/?next=%2Fsettings%2Ftokens%2F"
        assert not Token.objects.exists()
        factor = Authenticator.objects.get(type="totp")
        visitor.client.post(f"/settings/two-factor/{factor.pk}/remove/", fields)
        assert second_factors.has_factor(guarded)
        visitor.go("/login/again/?next=/settings/tokens/")
        visitor.send(status=422, password="wrong", code=code())
        visitor.send(status=422, password=PASSWORD, code="000000")
        visitor.send(password=PASSWORD, code=code())
        visitor.send(name="bot", scopes=list(ALL), password=PASSWORD)
        assert Token.objects.count() == 1


def test_without_a_factor_the_password_proves_it_again(member: Account) -> None:
    visitor = log_in(member)
    with later(minutes=11):
        visitor.go("/settings/two-factor/app/")
        assert visitor.path.startswith("/login/again/")
        visitor.send(status=422, password="wrong")
        visitor.send(password=PASSWORD)
        assert visitor.path == "/settings/two-factor/app/"


def test_removing_the_last_factor_ends_the_recovery_codes(guarded: Account) -> None:
    visitor = log_in(guarded)
    visitor.send(code=code())
    visitor.go("/settings/two-factor/")
    factor = Authenticator.objects.get(type="totp")
    visitor.send(f"/settings/two-factor/{factor.pk}/remove/")
    assert not Authenticator.objects.exists()
    assert "The authenticator app was removed from your account." in headlines()
    assert "Log out" in log_in(guarded).page.text


def test_nobody_removes_anothers_factor(guarded: Account, sepideh: Account) -> None:
    visitor = Visitor(sepideh)
    passed(visitor.client, sepideh)
    visitor.go("/settings/two-factor/")
    fields = {"csrfmiddlewaretoken": visitor.page.forms[0]["fields"]["csrfmiddlewaretoken"]}
    factor = Authenticator.objects.get(user=guarded, type="totp")
    assert visitor.client.post(f"/settings/two-factor/{factor.pk}/remove/", fields).status_code == 404
    assert second_factors.has_factor(guarded)


def test_new_recovery_codes_replace_the_old_ones(guarded: Account) -> None:
    old = second_factors.recovery_codes(guarded)
    visitor = log_in(guarded)
    visitor.send(code=code())
    visitor.go("/settings/two-factor/codes/")
    assert f"{old[0][:4]} {old[0][4:]}" in visitor.page.text
    visitor.send()
    assert not set(old) & set(second_factors.recovery_codes(guarded))


def test_codes_that_another_secret_key_encrypted_can_be_replaced(guarded: Account, settings: Any) -> None:
    client = passed(Visitor(guarded).client, guarded)
    Authenticator.objects.filter(type="recovery_codes").update(data={"seed": "x", "used_mask": 0})
    assert "can no longer be read" in client.get("/settings/two-factor/codes/").content.decode()


def test_an_unfit_passkey_is_refused(member: Account) -> None:
    visitor = log_in(member)
    visitor.go("/settings/two-factor/passkey/")
    for credential in ("", "{}", "[]", "x", "[" * 15_000, '{"id": 1, "response": null}'):
        visitor.send(status=422, name="key", credential=credential)
    assert not Authenticator.objects.exists()


@pytest.mark.parametrize("language", ["en", "fa"])
def test_every_page_is_sound_in_both_languages(guarded: Account, language: str) -> None:
    Account.objects.update(language=language)
    visitor = log_in(guarded, language=language)
    sound(visitor.page, language)
    visitor.send(code=code())
    for path in ("/login/again/", *(f"/settings/two-factor/{part}" for part in ("", "app/", "passkey/", "codes/"))):
        sound(visitor.go(path), language)
    sound(visitor.go("/settings/tokens/"), language)


def test_a_new_device_is_mailed_once_and_in_the_readers_language(member: Account) -> None:
    member.language = "fa"
    member.save()
    visitor = log_in(member)
    (content,) = [notification.content() for notification in Notification.objects.all()]
    assert content.language == "fa"
    assert "127.0.0.1" in str(content.blocks)
    assert "/settings/tokens/" in str(content.blocks)
    visitor.send("/logout/")
    visitor.go("/login/")
    visitor.send(email=member.email, password=PASSWORD)
    assert Notification.objects.count() == 1, "the same browser"
    log_in(member)
    assert Notification.objects.count() == 2, "another browser"


def test_the_first_log_in_of_all_is_no_news(member: Account) -> None:
    Account.objects.update(last_login=None)
    log_in(member)
    assert not Notification.objects.exists()


def test_a_cookie_that_was_made_up_makes_no_device_known(member: Account, settings: Any) -> None:
    visitor = Visitor()
    visitor.client.cookies[settings.DEVICE_COOKIE_NAME] = "WyJ4Il0:1:1"
    visitor.go("/login/")
    visitor.send(email=member.email, password=PASSWORD)
    assert Notification.objects.count() == 1
    cookie = visitor.client.cookies[settings.DEVICE_COOKIE_NAME]
    assert cookie["httponly"]
    assert cookie["max-age"] == sessions.DEVICE_KEPT.total_seconds()


def test_sessions_are_listed_and_ended_on_a_page(member: Account) -> None:
    other, here = log_in(member), log_in(member)
    cache.clear()
    page = here.go("/settings/tokens/")
    assert page.text.count("An unknown browser") == 2
    assert "this browser" in page.text
    action = next(form["action"] for form in page.forms if "/sessions/" in form["action"])
    here.send(action)
    assert "That browser is logged out." in here.page.text
    other.go("/settings/")
    assert other.path.startswith("/login/")


@pytest.mark.parametrize("also", [{}, {"tokens": "on"}])
def test_signing_out_everywhere_keeps_this_browser(member: Account, also: dict[str, str]) -> None:
    other, here = log_in(member), log_in(member)
    here.go("/settings/tokens/")
    here.send(name="bot", scopes=list(ALL), password=PASSWORD)
    here.send("/settings/tokens/sign-out/", **also)
    assert "You’re logged out everywhere else." in here.page.text
    assert Token.objects.count() == (0 if also else 1)
    other.go("/settings/")
    assert other.path.startswith("/login/")


def test_the_secret_of_an_app_lies_in_no_session_in_the_clear(member: Account) -> None:
    visitor = log_in(member)
    secret = secret_on(visitor.go("/settings/two-factor/app/"))
    assert secret not in str(dict(visitor.client.session))
    assert secret != SECRET


def test_a_page_that_looks_for_changes_keeps_the_challenge_of_its_passkey(member: Account) -> None:
    client = log_in(member).client
    path = "/settings/two-factor/passkey/"
    assert client.get(path).status_code == 200
    begun = dict(client.session)
    assert client.get(path, headers={"X-Live": "chat=x"}).status_code == 200
    assert dict(client.session) == begun
    assert client.get(path).status_code == 200
    assert dict(client.session) != begun
