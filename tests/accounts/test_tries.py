"""Guesses by others lock no account, and do not fill its mailbox with codes."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import time_machine
from django.db import connections
from django.test import RequestFactory
from django.utils import timezone
from rest_framework.test import APIClient

from accounts import rate_limits
from accounts.rate_limits import take
from notifications.models import Notification
from tests.accounts.people import PASSWORD, Person, later, problem
from tests.games.pages.at_home import Visitor


def at(person: Person, address: str) -> Person:
    """Return a client with the same email address and another IP address."""
    other = Person(person.name)
    other.client = APIClient(REMOTE_ADDR=address)
    return other


def elsewhere(number: int) -> str:
    """An address for each number, each in a network of its own."""
    return f"198.18.{number // 200}.{number % 200 + 1}"


def mails() -> int:
    return Notification.objects.filter(reason="account").count()


def test_wrong_passwords_from_elsewhere_do_not_shut_the_owner_out(maryam: Person) -> None:
    maryam.settle()
    thief = at(maryam, "203.0.113.9")
    answers = [thief.ask_for_token(password="wrong").status_code for _ in range(8)]
    assert answers == [401] * 5 + [429] * 3
    assert maryam.ask_for_token().status_code == 201


def test_wrong_passwords_of_neighbours_in_an_ipv6_network_count_together(maryam: Person) -> None:
    maryam.settle()
    answers = [at(maryam, f"2001:db8:1:1::{number}").ask_for_token(password="wrong") for number in range(1, 8)]
    assert [answer.status_code for answer in answers] == [401] * 5 + [429] * 2
    assert at(maryam, "2001:db8:1:2::1").ask_for_token().status_code == 201


def test_right_passwords_count_nothing(maryam: Person) -> None:
    maryam.settle()
    assert [maryam.ask_for_token().status_code for _ in range(8)] == [201] * 8


def test_guesses_from_everywhere_at_one_account_are_bounded(maryam: Person, kaveh: Person) -> None:
    maryam.settle()
    kaveh.settle()
    answers = [at(maryam, elsewhere(number)).ask_for_token(password="wrong").status_code for number in range(105)]
    assert answers == [401] * rate_limits.PASSWORDS_FROM_ANYWHERE.quota + [429] * 5
    problem(maryam.ask_for_token(), 429, "rate-limited")
    assert maryam.get("me/").status_code == 200, "what she has works on"
    assert kaveh.ask_for_token().status_code == 201, "others notice nothing"
    with later(minutes=1):
        assert maryam.ask_for_token().status_code == 201, "some are let through all the time"


def guessed_at_from_everywhere(maryam: Person) -> None:
    """Leave nothing of what strangers may try at her password."""
    for number in range(rate_limits.PASSWORDS_FROM_ANYWHERE.quota):
        rate_limits.count_attempt(
            rate_limits.password_attempt(RequestFactory(REMOTE_ADDR=elsewhere(number)).post("/"), maryam.email)
        )
    problem(maryam.ask_for_token(), 429, "rate-limited")


def log_in(visitor: Visitor, maryam: Person, password: str = PASSWORD, status: int = 200) -> None:
    visitor.go("/login/")
    visitor.send(status=status, email=maryam.email, password=password)


def test_a_browser_that_has_logged_in_before_passes_while_strangers_guess(maryam: Person) -> None:
    maryam.settle()
    known_browser, new = Visitor(), Visitor()
    log_in(known_browser, maryam)
    known_browser.send("/logout/")
    guessed_at_from_everywhere(maryam)
    log_in(new, maryam, status=429)
    log_in(known_browser, maryam)
    assert "Log out" in known_browser.page.text


def test_a_browser_that_has_logged_in_to_another_account_does_not_pass(maryam: Person, kaveh: Person) -> None:
    maryam.settle()
    kaveh.settle()
    browser = Visitor()
    log_in(browser, kaveh)
    browser.send("/logout/")
    guessed_at_from_everywhere(maryam)
    log_in(browser, maryam, status=429)


def test_tries_in_a_browser_that_is_known_are_bounded_too(maryam: Person) -> None:
    maryam.settle()
    known_browser = Visitor()
    log_in(known_browser, maryam)
    known_browser.send("/logout/")
    for _ in range(10):
        log_in(known_browser, maryam, "wrong", 422)
    log_in(known_browser, maryam, status=429)


def test_a_code_from_the_mail_lets_the_owner_pass_while_strangers_guess(maryam: Person) -> None:
    maryam.settle()
    guessed_at_from_everywhere(maryam)
    visitor = Visitor()
    visitor.go("/password/")
    with later(seconds=15):
        visitor.send(email=maryam.email)
        visitor.send(code=maryam.code(), password="eleven cats in a boat")
        log_in(visitor, maryam, "eleven cats in a boat")
        assert "Log out" in visitor.page.text


def test_codes_do_not_fill_a_mailbox(maryam: Person) -> None:
    answers = []
    for number in range(10):
        with later(seconds=11 * number):
            answers.append(at(maryam, elsewhere(number)).sign_up().status_code)
    assert answers == [202] * 5 + [429] * 5
    assert mails() == 5


def test_whatever_stands_behind_a_plus_sign_is_the_same_mailbox(maryam: Person) -> None:
    answers = []
    for number in range(10):
        with later(seconds=11 * number):
            answers.append(at(maryam, elsewhere(number)).sign_up(email=f"maRyam+{number}@darbar.example").status_code)
    assert answers == [202] * 5 + [429] * 5
    assert mails() == 5


def test_the_codes_of_a_day_are_bounded(maryam: Person) -> None:
    sent = 0
    for hour in range(24):
        for minute in (0, 15, 30, 45):
            with later(hours=hour, minutes=minute):
                sent += at(maryam, elsewhere(4 * hour)).sign_up().status_code == 202
    assert rate_limits.MAILS_IN_DAY.quota <= sent <= 2 * rate_limits.MAILS_IN_DAY.quota
    assert mails() == sent


def test_sign_ups_of_strangers_do_not_use_up_the_codes_for_a_new_password(maryam: Person) -> None:
    maryam.settle()
    for number in range(6):
        with later(seconds=11 * number + 11):
            at(maryam, elsewhere(number)).sign_up()
    before = maryam.codes()
    owner = Visitor()
    with later(seconds=90):
        owner.go("/password/")
        owner.send(email=maryam.email)
    assert len(maryam.codes()) == len(before) + 1


def test_one_network_has_only_so_many_codes_sent(settings: Any) -> None:
    settings.CODE_MAILS_PER_NETWORK = 3
    people = [Person(name) for name in ("Maryam", "Kaveh", "Dariush", "Bahareh")]
    assert [person.sign_up().status_code for person in people] == [202, 202, 202, 429]
    assert at(people[3], "203.0.113.9").sign_up().status_code == 202


def test_a_refusal_says_when_to_come_again(maryam: Person) -> None:
    maryam.sign_up()
    answer = maryam.sign_up()
    problem(answer, 429, "rate-limited")
    assert 0 < int(answer.headers["Retry-After"]) <= 10


def test_wrong_codes_from_elsewhere_do_not_void_a_code(maryam: Person) -> None:
    maryam.sign_up()
    thief = at(maryam, "203.0.113.9")
    answers = [thief.confirm("XXXX-XXXX").status_code for _ in range(25)]
    assert answers == [400] * 20 + [429] * 5
    assert maryam.confirm().status_code == 200


def test_codes_of_one_mailbox_can_be_tried_from_everywhere_a_thousand_times_an_hour(maryam: Person) -> None:
    maryam.sign_up()
    with time_machine.travel(timezone.now(), tick=False):
        *_, (key, policy) = rate_limits.code_attempt(RequestFactory().post("/"), maryam.email)
        assert take(key, policy, timezone.now(), 999).granted
        answers = [at(maryam, elsewhere(number)).confirm("XXXX-XXXX").status_code for number in range(2)]
    assert answers == [400, 429]


@pytest.mark.django_db(transaction=True)
def test_of_guesses_made_at_once_exactly_as_many_are_looked_at_as_may_be(maryam: Person) -> None:
    maryam.settle()

    def guess(_: int) -> int:
        try:
            return int(at(maryam, "203.0.113.9").ask_for_token(password="wrong").status_code)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(12) as pool:
        answers = sorted(pool.map(guess, range(12)))
    assert answers == [401] * 5 + [429] * 7
