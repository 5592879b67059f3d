"""A code works only for its purpose, and a second request with the same address gains nothing."""

import pytest

from accounts.models import Account, CodeRequest
from accounts.tasks import delete_expired
from notifications.models import Notification
from tests.accounts.people import PASSWORD, Person, forget_tries, later, problem
from tests.games.pages.at_home import Visitor

THEIRS = "eleven cats in a boat"
ADDRESS = "maryam@darbar.example"


@pytest.fixture
def thief() -> Person:
    """A stranger who signs up with Maryam's address and another password."""
    person = Person("Maryam")
    person.form |= {"name": "Mina", "password": THEIRS}
    return person


def codes() -> list[str]:
    """The codes that were mailed to Maryam's address, the oldest first."""
    return Person("Maryam").codes()


def test_the_latest_code_does_not_confirm_the_sign_up_of_before(maryam: Person, thief: Person) -> None:
    assert maryam.sign_up().status_code == 202
    with later(minutes=1):
        assert thief.sign_up().status_code == 202
        own_code, other_code = codes()
        body = problem(maryam.confirm(other_code), 400, "malformed")
        assert (body["errors"][0]["pointer"], body["errors"][0]["code"]) == ("#/code", "wrong-code")
        assert not Account.objects.exists()
        assert maryam.confirm(own_code).json()["name"] == "Maryam"
        problem(thief.ask_for_token(password=THEIRS), 401, "unauthenticated")
        assert maryam.ask_for_token().status_code == 201


def test_a_sign_up_of_before_does_not_stand_in_the_way(maryam: Person, thief: Person) -> None:
    assert thief.sign_up().status_code == 202
    with later(minutes=1):
        assert maryam.sign_up().status_code == 202
        other_code, own_code = codes()
        problem(maryam.confirm(other_code), 400, "malformed")
        account = maryam.confirm(own_code).json()
        assert (account["name"], Account.objects.get().check_password(PASSWORD)) == ("Maryam", True)
        problem(thief.confirm(other_code), 400, "malformed")
        problem(thief.ask_for_token(password=THEIRS), 401, "unauthenticated")


def test_name_language_and_zone_are_those_of_the_sign_up_that_the_code_was_sent_for(
    maryam: Person, thief: Person
) -> None:
    maryam.sign_up(language="fa", time_zone="Asia/Tehran")
    with later(minutes=1):
        thief.sign_up(language="en", time_zone="Europe/Berlin", is_bot=True)
        account = maryam.confirm(codes()[0]).json()
    fields = [account[field] for field in ("name", "language", "time_zone", "is_bot")]
    assert fields == ["Maryam", "fa", "Asia/Tehran", False]


def test_on_the_page_a_code_confirms_what_this_browser_has_asked_for(thief: Person) -> None:
    visitor = Visitor()
    visitor.go("/signup/")
    visitor.send(name="Maryam", email=ADDRESS)
    with later(minutes=1):
        thief.sign_up()
        own_code, other_code = codes()
        assert "This code is wrong" in visitor.send(status=422, code=other_code, password=PASSWORD).text
        assert not Account.objects.exists()
        visitor.send(code=own_code, password=PASSWORD)
        assert "Log out" in visitor.page.text
    assert Account.objects.get().check_password(PASSWORD)


def test_in_another_browser_the_password_is_asked_for_with_the_code(maryam: Person, thief: Person) -> None:
    maryam.sign_up()
    with later(minutes=1):
        thief.sign_up()
        own_code, other_code = codes()
        visitor = Visitor()
        visitor.go("/signup/code/")
        assert "This code is wrong" in visitor.send(status=422, email=ADDRESS, code=other_code, password=PASSWORD).text
        assert "This code is wrong" in visitor.send(status=422, email=ADDRESS, code=own_code, password=THEIRS).text
        visitor.send(email=ADDRESS, code=own_code, password=PASSWORD)
        assert "Log out" in visitor.page.text


def test_on_the_page_the_code_of_a_strangers_sign_up_opens_nothing_to_the_stranger() -> None:
    stranger, owner = Visitor(), Visitor()
    stranger.go("/")
    stranger.send("/try/", rules="coup")
    guest = Account.objects.get()
    stranger.go("/signup/")
    stranger.send("", name="Mina", email=ADDRESS)
    owner.go("/signup/code/")
    owner.send(email=ADDRESS, code=codes()[0], password=PASSWORD)
    assert "Log out" in owner.page.text
    account = Account.objects.get(email=ADDRESS)
    assert (account.pk != guest.pk, account.check_password(PASSWORD), account.name) == (True, True, "Mina")
    assert "You’re playing as a guest" in stranger.go("/").text


def test_a_form_that_is_sent_twice_has_two_codes_that_both_hold() -> None:
    visitor = Visitor()
    for minute in (0, 1):
        with later(minutes=minute):
            visitor.go("/signup/")
            visitor.send(name="Maryam", email=ADDRESS)
    with later(minutes=2):
        first, _second = codes()
        visitor.send(code=first, password=PASSWORD)
        assert "Log out" in visitor.page.text


def test_a_name_that_went_to_somebody_else_meanwhile_is_said_to_be_taken_and_the_code_holds(
    maryam: Person, kaveh: Person
) -> None:
    maryam.sign_up(name="Mina")
    kaveh.sign_up(name="Mina")
    kaveh.confirm()
    body = problem(maryam.confirm(), 400, "malformed")
    assert [(error["pointer"], error["code"]) for error in body["errors"]] == [("#/name", "name-taken")]
    Account.objects.filter(name="Mina").delete()
    assert maryam.confirm().json()["name"] == "Mina"


def test_on_the_page_a_name_that_is_taken_meanwhile_leads_back_to_the_form(kaveh: Person) -> None:
    visitor = Visitor()
    visitor.go("/signup/")
    visitor.send(name="Kaveh", email=ADDRESS)
    kaveh.settle()
    page = visitor.send(status=422, code=codes()[-1], password=PASSWORD)
    assert "This name is taken. Choose another one." in page.text


def test_a_code_for_a_new_password_holds_whoever_else_asks_for_one(maryam: Person) -> None:
    maryam.settle()
    Notification.objects.all().delete()
    forget_tries()
    owner, stranger = Visitor(), Visitor()
    owner.go("/password/")
    owner.send(email=ADDRESS)
    with later(minutes=1):
        stranger.go("/password/")
        stranger.send(email=ADDRESS)
        own_code, other = codes()
        assert own_code != other
        for _ in range(5):
            stranger.send(status=422, code="AAAA-AAAA", password=THEIRS)
        owner.send(code=own_code, password=THEIRS)
        assert "Password changed." in owner.page.text
        stranger.send(status=422, code=other, password=PASSWORD)
    assert Account.objects.get().check_password(THEIRS)


def test_a_code_to_sign_up_sets_no_password_and_one_for_a_password_confirms_nothing(maryam: Person) -> None:
    maryam.settle()
    forget_tries()
    visitor = Visitor()
    visitor.go("/password/")
    with later(minutes=1):
        visitor.send(email=ADDRESS)
        problem(maryam.confirm(codes()[-1]), 400, "malformed")
        kaveh = Person("Kaveh")
        kaveh.sign_up()
        other = Visitor()
        other.go("/password/code/")
        other.send(status=422, email=kaveh.email, code=kaveh.code(), password=THEIRS)


def test_an_operators_address_is_confirmed_by_whoever_knows_the_password() -> None:
    Account.objects.create_superuser(ADDRESS, PASSWORD, name="Maryam")
    owner = Visitor()
    owner.go("/login/")
    owner.send(email=ADDRESS, password=PASSWORD)
    assert owner.path == "/signup/code/"
    stranger = Person("Maryam")
    problem(
        stranger.send("accounts/confirm/", {"email": ADDRESS, "code": codes()[0], "password": THEIRS}), 400, "malformed"
    )
    owner.send(code=codes()[0])
    assert "Log out" in owner.page.text


def test_of_a_sign_up_that_nobody_confirms_nothing_is_left_after_a_day(maryam: Person) -> None:
    maryam.sign_up()
    with later(hours=23):
        delete_expired()
        assert CodeRequest.objects.count() == Notification.objects.filter(address=ADDRESS).count() == 1
    with later(hours=25):
        delete_expired()
        assert not CodeRequest.objects.exists()
        assert not Notification.objects.filter(address=ADDRESS).exists()


def test_no_code_stands_in_the_row_of_its_request(maryam: Person) -> None:
    maryam.sign_up()
    row_text = str(CodeRequest.objects.values().get())
    assert codes()[0] not in row_text
    assert codes()[0].replace("-", "") not in row_text.upper()
    assert PASSWORD not in row_text
