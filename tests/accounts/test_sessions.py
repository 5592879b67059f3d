"""Sessions in the API: listing them, ending one, signing out everywhere."""

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from accounts.authentication import sessions
from accounts.models import Account, Token
from accounts.tasks import delete_expired
from tests.accounts.people import PASSWORD, Person, forget_tries, later

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0"
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.5 Mobile/15E148 Safari/604.1"
)
EDGE = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 "
    "Safari/537.36 Edg/140.0.0.0"
)


def log_in(person: Person, user_agent: str = FIREFOX) -> Client:
    """Return a browser with a session of the account."""
    browser = Client(headers={"User-Agent": user_agent})
    assert browser.post("/login/", {"email": person.email, "password": PASSWORD}).status_code == 302
    return browser


def is_in(browser: Client) -> bool:
    return browser.get("/settings/").status_code == 200


def test_sessions_are_listed_with_device_address_and_time(maryam: Person, kaveh: Person) -> None:
    log_in(maryam.settle())
    log_in(maryam, SAFARI)
    log_in(kaveh.settle())
    listed = maryam.get("me/sessions/").json()["results"]
    assert [session["device"] for session in listed] == ["Safari on iPhone", "Firefox on Linux"]
    assert {session["address"] for session in listed} == {"127.0.0.1"}
    assert listed[0].keys() == {"id", "device", "address", "created_at", "last_seen_at"}


def test_one_session_is_ended_and_nobody_elses(maryam: Person, kaveh: Person) -> None:
    one, other, his = log_in(maryam.settle()), log_in(maryam), log_in(kaveh.settle())
    ids = [session["id"] for session in maryam.get("me/sessions/").json()["results"]]
    assert kaveh.delete(f"me/sessions/{ids[0]}/").status_code == 404
    assert maryam.delete(f"me/sessions/{ids[0]}/").status_code == 204
    assert maryam.delete(f"me/sessions/{ids[0]}/").status_code == 404
    assert (is_in(one), is_in(other), is_in(his)) == (True, False, True)


@pytest.mark.parametrize(("choices", "left"), [({}, 2), ({"tokens": True}, 1), ({"tokens": False, "grants": True}, 2)])
def test_signing_out_everywhere_ends_sessions_and_tokens_as_asked(
    maryam: Person, kaveh: Person, choices: dict[str, bool], left: int
) -> None:
    one, other, his = log_in(maryam.settle()), log_in(maryam), log_in(kaveh.settle())
    maryam.ask_for_token()
    assert maryam.send("me/sign-out-everywhere/", choices).status_code == 204
    assert (is_in(one), is_in(other), is_in(his)) == (False, False, True)
    assert Token.objects.filter(user__email=maryam.email).count() == left
    assert maryam.get("me/").status_code == 200


def test_a_new_password_ends_the_other_sessions(maryam: Person) -> None:
    here, elsewhere = log_in(maryam.settle()), log_in(maryam)
    new = {"old": PASSWORD, "password": "a rook on the seventh rank", "keep": "on"}
    assert here.post("/settings/password/", new).status_code == 302
    # Before the other one is used: Django deletes a session whose password has changed when it is used.
    assert len(maryam.get("me/sessions/").json()["results"]) == Session.objects.count() == 1
    assert (is_in(here), is_in(elsewhere)) == (True, False)


def test_a_password_that_is_set_with_a_code_ends_every_session(maryam: Person) -> None:
    log_in(maryam.settle())
    forget_tries()
    browser = Client()
    browser.post("/password/", {"email": maryam.email})
    new = {"email": maryam.email, "code": maryam.code(), "password": "a rook on the seventh rank"}
    assert browser.post("/password/code/", new).status_code == 302
    assert not UserSession.objects.exists()
    assert maryam.get("me/").status_code == 401


def test_what_is_over_is_forgotten_with_its_address(maryam: Person) -> None:
    log_in(maryam.settle())
    ended = log_in(maryam)
    ended.post("/logout/")
    assert len(maryam.get("me/sessions/").json()["results"]) == 1
    assert UserSession.objects.count() == 2
    delete_expired()
    assert UserSession.objects.count() == 1
    with later(days=15):
        delete_expired()
    assert not UserSession.objects.exists()
    assert not Session.objects.exists()


def test_use_is_noted_once_in_an_hour(maryam: Person) -> None:
    browser = log_in(maryam.settle())
    (then,) = UserSession.objects.values_list("last_seen_at", flat=True)
    with later(minutes=59):
        assert is_in(browser)
        assert UserSession.objects.get().last_seen_at == then
    with later(minutes=61):
        assert is_in(browser)
        assert UserSession.objects.get().last_seen_at > then


def test_a_session_ends_two_weeks_after_the_log_in_however_often_it_is_used(maryam: Person) -> None:
    browser = log_in(maryam.settle())
    for day in (5, 10, 13):
        with later(days=day):
            assert is_in(browser)
    with later(days=15):
        assert not is_in(browser)


def test_sessions_are_exported_and_go_with_the_account(maryam: Person) -> None:
    log_in(maryam.settle())
    (paper,) = maryam.get("me/export/").json()["sessions"]
    assert (paper["ip"], paper["user_agent"]) == ("127.0.0.1", FIREFOX)
    maryam.send("me/deletion/", {"password": PASSWORD})
    assert not UserSession.objects.exists()


@pytest.mark.parametrize(
    ("user_agent", "device"),
    [
        (FIREFOX, "Firefox on Linux"),
        (SAFARI, "Safari on iPhone"),
        (EDGE, "Edge on Windows"),
        ("curl/8.0", "An unknown browser"),
        ("<script>", "An unknown browser"),
        ("", "An unknown browser"),
    ],
)
def test_a_browser_is_named_in_words(user_agent: str, device: str) -> None:
    assert sessions.describe_device(user_agent) == device


def test_only_open_sessions_are_listed(maryam: Person) -> None:
    log_in(maryam.settle())
    account = Account.objects.get()
    assert len(sessions.sessions_of(account, timezone.now())) == 1
    Session.objects.all().delete()
    assert sessions.sessions_of(account, timezone.now()) == []
