"""Rate limits on requests: for each account, and for each address and network of visitors."""

from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
import time_machine
from django.db import connection
from django.test import Client, override_settings
from django.utils import timezone
from rest_framework.test import APIClient

from accounts import rate_limits, tokens
from accounts.models import Account
from accounts.rate_limits import Policy, take
from tests import limits_table
from tests.games.api.conftest import client

pytestmark = pytest.mark.django_db
FIVE = Policy("account", 5, timedelta(seconds=60))
ME = "/api/v1/me/"
LOST = "/api/v1/games/0f2f5a9e-7a31-4d8a-9a55-0f6d5b0c6c11/"


@pytest.fixture(autouse=True)
def _few(settings: Any) -> Iterator[None]:
    settings.REQUESTS_PER_ACCOUNT = 5
    settings.REQUESTS_PER_ADDRESS = 3
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM accounts_allowance")
    with time_machine.travel(timezone.now(), tick=False):
        yield


def test_an_allowance_is_used_up_and_comes_back_bit_by_bit() -> None:
    now = timezone.now()
    assert [take("maryam", FIVE, now).left for _ in range(5)] == [4, 3, 2, 1, 0]
    refused = take("maryam", FIVE, now)
    assert (refused.granted, refused.left, refused.wait, refused.full_in) == (False, 0, 12, 60)
    assert not take("maryam", FIVE, now + timedelta(seconds=11)).granted
    assert take("maryam", FIVE, now + timedelta(seconds=12)).granted
    assert take("kaveh", FIVE, now).left == 4
    assert take("maryam", FIVE, now + timedelta(seconds=72)).left == 4


def test_what_is_refused_costs_nothing() -> None:
    now = timezone.now()
    for _ in range(20):
        take("maryam", FIVE, now)
    assert take("maryam", FIVE, now + timedelta(seconds=12)).granted


def test_a_clock_that_is_set_back_locks_nobody_out() -> None:
    now = timezone.now()
    take("maryam", FIVE, now)
    an_hour_ago = now - timedelta(hours=1)
    assert [take("maryam", FIVE, an_hour_ago).left for _ in range(5)] == [4, 3, 2, 1, 0]
    assert not take("maryam", FIVE, an_hour_ago).granted


def test_rows_of_those_who_are_long_gone_are_forgotten() -> None:
    now = timezone.now()
    take("maryam", FIVE, now)
    assert rate_limits.delete_idle(now + timedelta(minutes=30)) == 0
    assert rate_limits.delete_idle(now + timedelta(hours=2)) == 1


def test_every_answer_says_what_is_left_and_the_refusal_when_to_come_back(maryam: Account, kaveh: Account) -> None:
    program = client(maryam)
    first = program.get(ME)
    assert first.headers["RateLimit-Policy"] == '"account";q=5;w=60'
    assert first.headers["RateLimit"] == '"account";r=4;t=12'
    assert [program.get(path).status_code for path in (ME, "/api/v1/games/", LOST, ME)] == [200, 200, 404, 200]
    refused = program.get(ME)
    assert (refused.status_code, refused.json()["code"], refused.headers["Retry-After"]) == (429, "rate-limited", "12")
    assert refused.headers["Content-Type"] == "application/problem+json"
    assert refused.json()["detail"] == "You sent too many requests. Try again in 12 seconds."
    assert refused.headers["RateLimit"] == '"account";r=0;t=12', "it agrees with Retry-After"
    assert client(maryam).get(ME).status_code == 429, "all of her tokens share it"
    assert client(kaveh).get(ME).status_code == 200
    with time_machine.travel(timezone.now() + timedelta(seconds=12), tick=False):
        assert program.get(ME).status_code == 200


def test_what_was_too_much_has_no_effect_and_is_told_in_the_accounts_language(sepideh: Account) -> None:
    program = client(sepideh)
    for _ in range(5):
        program.get(ME)
    refused = program.patch(ME, {"name": "Another"}, format="json")
    assert refused.status_code == 429
    assert refused.json()["detail"] == "درخواست‌های زیادی فرستاده‌اید. ۱۲ ثانیهٔ دیگر دوباره امتحان کنید."
    sepideh.refresh_from_db()
    assert sepideh.name == "سپیده"


def test_who_shows_no_token_or_a_wrong_one_draws_on_their_address(maryam: Account) -> None:
    stranger = APIClient(REMOTE_ADDR="203.0.113.7")
    assert stranger.get("/api/v1/rules/").headers["RateLimit-Policy"] == '"address";q=3;w=60'
    for wrong in ("darbar_" + "0" * 64, "x" * 86):
        stranger.credentials(HTTP_AUTHORIZATION=f"Bearer {wrong}")
        assert stranger.get(ME).status_code == 401
    assert stranger.get(ME).status_code == 429
    assert APIClient(REMOTE_ADDR="203.0.113.8").get("/api/v1/rules/").status_code == 200
    _, token_text = tokens.issue(maryam, "phone", ["account"])
    stranger.credentials(HTTP_AUTHORIZATION=f"Bearer {token_text}")
    assert stranger.get(ME).status_code == 200, "a right one has its own allowance"


PUBLIC: Final = ("/api/v1/rules/", "/api/v1/rules/coup/", "/api/schema/")


@pytest.mark.parametrize("path", PUBLIC)
def test_a_valid_token_counts_for_its_account_at_public_addresses_too(maryam: Account, path: str) -> None:
    program = client(maryam)
    assert program.get(path).headers["RateLimit-Policy"] == '"account";q=5;w=60'
    assert program.get(ME).headers["RateLimit"].startswith('"account";r=3;')


def test_a_public_address_answers_in_the_language_of_the_account(sepideh: Account) -> None:
    program = client(sepideh)
    assert program.get("/api/v1/rules/").headers["Content-Language"] == "fa"
    assert program.post("/api/v1/accounts/", {}).headers["Content-Language"] == "fa"
    assert program.post("/api/v1/tokens/", {}).headers["Content-Language"] == "fa"


@pytest.mark.parametrize("path", PUBLIC)
def test_a_public_address_takes_a_wrong_token_as_none(path: str) -> None:
    stranger = APIClient(headers={"Authorization": "Bearer wrong"})
    answer = stranger.get(path)
    assert (answer.status_code, answer.headers["RateLimit-Policy"]) == (200, '"address";q=3;w=60')


@pytest.mark.parametrize("path", PUBLIC)
def test_a_refusal_is_json_where_other_answers_are_not(path: str) -> None:
    stranger = APIClient()
    for _ in range(3):
        stranger.get("/api/v1/rules/")
    refused = stranger.get(path)
    assert (refused.status_code, refused.headers["Content-Type"]) == (429, "application/problem+json")
    assert refused.json()["code"] == "rate-limited"


def test_an_ipv6_sender_is_their_network() -> None:
    statuses = [
        APIClient(REMOTE_ADDR=f"2001:db8:1:2::{host}").get("/api/v1/rules/").status_code
        for host in ("1", "2", "3", "4")
    ]
    assert statuses == [200, 200, 200, 429]
    assert APIClient(REMOTE_ADDR="2001:db8:1:3::1").get("/api/v1/rules/").status_code == 200


def test_x_forwarded_for_is_believed_only_behind_our_own_proxies(settings: Any) -> None:
    def ask(forwarded: str) -> int:
        return int(APIClient().get("/api/v1/rules/", headers={"X-Forwarded-For": forwarded}).status_code)

    assert [ask(f"203.0.113.{host}") for host in range(4)] == [200, 200, 200, 429]
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    assert [ask(f"203.0.113.{host}") for host in range(4)] == [200] * 4
    assert [ask(f"198.51.100.{host}, 203.0.113.9") for host in range(4)] == [200, 200, 200, 429]


@pytest.mark.parametrize("forwarded", ["203.0.113.7", "nobody, 203.0.113.7", "", "a, b, c"])
def test_who_comes_past_our_proxies_is_counted_by_the_address_of_the_connection(settings: Any, forwarded: str) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 2
    ask = partial(APIClient().get, "/api/v1/rules/", headers={"X-Forwarded-For": forwarded})
    assert [ask().status_code for _ in range(4)] == [200, 200, 200, 429]


def test_the_oauth_endpoints_have_a_smaller_allowance_of_their_own(settings: Any) -> None:
    settings.REQUESTS_PER_ADDRESS = 20
    stranger = APIClient()
    answers = [stranger.post("/oauth/token", {"client_id": "x"}, format="multipart") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [400, 400, 429]
    assert answers[-1].headers["RateLimit-Policy"] == '"secrets";q=2;w=60'
    assert answers[-1].headers["Content-Type"] == "application/problem+json"
    assert stranger.get("/api/v1/rules/").status_code == 200


def test_a_hundred_tokens_of_an_account_share_its_allowance(maryam: Account) -> None:
    programs = [client(maryam) for _ in range(100)]
    assert [program.get(ME).status_code for program in programs] == [200] * 5 + [429] * 95


def test_pages_of_somebody_signed_in_draw_on_the_same_allowance(maryam: Account) -> None:
    browser, program = Client(), client(maryam)
    browser.force_login(maryam)
    assert [browser.get("/leaders/").status_code for _ in range(3)] == [200] * 3
    assert [program.get(ME).status_code for _ in range(3)] == [200, 200, 429]
    refused = browser.get("/leaders/")
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "12")
    assert refused.headers["RateLimit"] == '"account";r=0;t=12', "it agrees with Retry-After"
    assert refused.headers["Content-Type"].startswith("text/html")


def test_who_is_not_signed_in_gets_more_pages_than_answers_and_then_a_page_that_says_when(db: None) -> None:
    visitor = Client()
    statuses = [visitor.get(path).status_code for path in ("/rules/", "/login/", "/", "/x/", "/admin/", "/rules/")]
    assert statuses == [200, 200, 200, 404, 302, 200]
    english, persian = (visitor.get("/rules/", headers={"Accept-Language": language}) for language in ("en", "fa"))
    assert (english.status_code, english.headers["Retry-After"]) == (429, "10")
    assert english.headers["RateLimit-Policy"] == '"pages";q=6;w=60'
    assert "Try again in 10 seconds." in english.content.decode()
    assert "دوباره" in persian.content.decode()
    assert APIClient().get("/api/v1/rules/").status_code == 200, "pages leave the API's allowance alone"


def test_a_network_has_ten_times_as_much_as_an_address(db: None) -> None:
    statuses = [
        APIClient(REMOTE_ADDR=f"203.0.113.{host}").get("/api/v1/rules/").status_code
        for host in range(11)
        for _ in range(3)
    ]
    assert statuses == [200] * 30 + [429] * 3
    assert APIClient(REMOTE_ADDR="203.0.114.1").get("/api/v1/rules/").status_code == 200


def test_what_an_address_is_refused_costs_its_network_nothing(db: None) -> None:
    greedy = APIClient(REMOTE_ADDR="2001:db8:1:2::1")
    for _ in range(40):
        greedy.get("/api/v1/rules/")
    assert APIClient(REMOTE_ADDR="2001:db8:1:3::1").get("/api/v1/rules/").status_code == 200


def test_mail_providers_have_an_allowance_of_their_own(db: None) -> None:
    answers = [Client().post("/anymail/postmark/inbound/") for _ in range(6)]
    assert [answer.status_code for answer in answers] == [404] * 5 + [429]
    assert answers[-1].headers["RateLimit-Policy"] == '"providers";q=5;w=60'


def test_a_path_that_leads_nowhere_is_counted_too(db: None) -> None:
    with override_settings(REQUESTS_PER_ADDRESS=2):
        answers = [Client().post("/api/v1/nowhere/") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [404, 404, 429]


def test_the_health_check_and_static_files_are_free(db: None) -> None:
    for path in ("/healthz", "/static/darbar/darbar.css"):
        for _ in range(10):
            answer = Client().get(path)
            assert answer.status_code != 429
            assert "RateLimit" not in answer.headers
            answer.close()


def test_the_limits_are_told_as_they_are() -> None:
    settings_of_page = override_settings(REQUESTS_PER_ACCOUNT=3000, REQUESTS_PER_ADDRESS=600)
    with settings_of_page:
        assert limits_table.markdown_table() in Path("docs/limits.md").read_text()


def test_pages_are_served_under_the_largest_allowances_that_can_be_set(settings: Any) -> None:
    settings.REQUESTS_PER_ACCOUNT, settings.REQUESTS_PER_ADDRESS = 10_000_000, 1_000_000
    assert Client().get("/").status_code == 200
