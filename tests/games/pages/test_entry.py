"""Signing up, logging in and out, a new password, and the language: what a person meets at the door."""

import pytest
from django.contrib.sessions.models import Session

from accounts import tokens
from accounts.models import Account, Token
from notifications.models import Notification
from tests.accounts.people import forget_tries
from tests.games.pages.at_home import Visitor
from tests.games.pages.test_first_visit import PASSWORD, code, sign_up

pytestmark = pytest.mark.django_db
ANOTHER = "eleven cats in a boat"


@pytest.fixture
def member() -> Account:
    """Maryam, who has signed up by the page."""
    visitor = Visitor()
    sign_up(visitor, "Maryam")
    visitor.send(code=code(), password=PASSWORD)
    forget_tries()
    return Account.objects.get()


def log_in(visitor: Visitor, password: str = PASSWORD, status: int = 200) -> None:
    visitor.go("/login/")
    visitor.send(status=status, email="Maryam@Example.org", password=password)


@pytest.mark.parametrize(
    ("wrong", "field", "sentence"),
    [
        ({"name": "7"}, "id_name", "A name needs at least one letter"),
        ({"name": "Duke"}, "id_name", "is a word used for moves"),
        ({"email": "maryam"}, "id_email", "Enter a valid email address."),
    ],
)
def test_what_is_wrong_is_said_beside_its_field_and_the_rest_stays(
    wrong: dict[str, str], field: str, sentence: str
) -> None:
    visitor = Visitor()
    visitor.go("/signup/")
    right = {"name": "Maryam", "email": "maryam@example.org"}
    page = visitor.send(status=422, **(right | wrong))
    assert sentence in page.text
    marked = next(attributes for _, attributes in page.elements if attributes.get("id") == field)
    assert f"{field}_error" in marked["aria-describedby"]
    assert page.form("")["name"] == (right | wrong)["name"]
    assert page.form("")["email"] == (right | wrong)["email"]
    assert not Account.objects.exists()


def test_a_name_that_is_taken_is_said_to_be(member: Account) -> None:
    visitor = Visitor()
    visitor.go("/signup/")
    page = visitor.send(status=422, name="MARYAM", email="kaveh@example.org")
    assert "This name is taken. Choose another one." in page.text


def test_an_address_that_has_an_account_is_not_told_from_one_that_has_none(member: Account) -> None:
    texts = []
    for email in ("maryam@example.org", "kaveh@example.org"):
        visitor = Visitor()
        visitor.go("/signup/")
        texts.append(visitor.send(name="Kaveh", email=email).text)
        forget_tries()
    assert texts[0] == texts[1]


def test_a_wrong_code_confirms_nothing_and_a_right_one_signs_in() -> None:
    visitor = Visitor()
    sign_up(visitor, "Maryam")
    assert visitor.page.form("")["email"] == "maryam@example.org"
    assert "This code is wrong" in visitor.send(status=422, code="AAAA-AAAA", password=PASSWORD).text
    visitor.send(code=code(), password=PASSWORD)
    assert "Log out" in visitor.page.text


def test_a_short_password_is_refused_in_persian_too() -> None:
    visitor = Visitor(language="fa")
    sign_up(visitor, "مریم")
    page = visitor.send(status=422, code=code(), password="short")
    assert "گذرواژه خیلی کوتاه است: دست‌کم ۸ نویسه لازم دارد." in page.text


def test_a_code_from_another_browser_confirms_with_the_password_that_is_chosen_there() -> None:
    sign_up(Visitor(), "Maryam")
    other = Visitor()
    other.go("/signup/code/")
    other.send(status=422, email="maryam@example.org", code="AAAA-AAAA", password=PASSWORD)
    other.send(email="maryam@example.org", code=code(), password=PASSWORD)
    assert "Log out" in other.page.text
    assert Account.objects.get().check_password(PASSWORD)


@pytest.mark.parametrize("sentence", ["12345678", "maryam@example.org", ""])
def test_a_weak_password_is_refused_and_the_code_still_holds(sentence: str) -> None:
    visitor = Visitor()
    sign_up(visitor, "Maryam")
    page = visitor.send(status=422, code=code(), password=sentence)
    marked = next(attributes for _, attributes in page.elements if attributes.get("id") == "id_password")
    assert "id_password_error" in marked["aria-describedby"]
    assert not Account.objects.exists()
    visitor.send(code=code(), password=PASSWORD)
    assert "Log out" in visitor.page.text


@pytest.mark.parametrize(
    ("language", "sentence", "zone"),
    [("en", "Asia/Kolkata", "Asia/Kolkata"), ("en", "Mars/Olympus", "UTC"), ("fa", "", "Asia/Tehran")],
)
def test_language_and_zone_come_from_the_browser(language: str, sentence: str, zone: str) -> None:
    visitor = Visitor(language=language)
    sign_up(visitor, "Maryam", time_zone=sentence)
    visitor.send(code=code(), password=PASSWORD)
    account = Account.objects.get()
    assert (account.language, account.time_zone) == (language, zone)


def test_who_has_not_confirmed_yet_is_told_to_sign_up_when_logging_in() -> None:
    sign_up(Visitor(), "Maryam")
    visitor = Visitor()
    log_in(visitor, status=422)
    assert "sign up once more" in visitor.page.text


def test_a_wrong_password_is_not_told_from_an_address_without_account(member: Account) -> None:
    visitor = Visitor()
    log_in(visitor, ANOTHER, 422)
    assert "No account has this email and password." in visitor.page.text
    assert visitor.page.form("")["password"] == ""


def test_logging_in_leads_to_the_page_that_was_wanted(member: Account) -> None:
    visitor = Visitor()
    visitor.go("/games/new/coup/")
    visitor.send(email="maryam@example.org", password=PASSWORD)
    assert visitor.path == "/games/new/coup/"


@pytest.mark.parametrize("expected", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
def test_no_link_leads_elsewhere_after_logging_in(member: Account, expected: str) -> None:
    visitor = Visitor()
    visitor.go(f"/login/?next={expected}")
    visitor.send(email="maryam@example.org", password=PASSWORD)
    assert visitor.path == "/"


def test_a_closed_account_is_not_let_in(member: Account) -> None:
    Account.objects.update(is_active=False)
    visitor = Visitor()
    log_in(visitor, status=422)
    assert "Log out" not in visitor.page.text


def test_logging_out_takes_a_button(member: Account) -> None:
    visitor = Visitor(member)
    visitor.go("/")
    assert visitor.client.get("/logout/").status_code == 405
    visitor.send("/logout/")
    assert "Log in" in visitor.page.text


def test_logging_out_empties_the_browsers_cache(member: Account) -> None:
    visitor = Visitor(member)
    token = visitor.client.get("/").context["csrf_token"]
    answer = visitor.client.post("/logout/", {"csrfmiddlewaretoken": str(token)})
    assert (answer.status_code, answer.headers["Clear-Site-Data"]) == (302, '"cache"')


def test_a_password_counts_with_its_blanks_and_capitals(member: Account) -> None:
    member.set_password("  Seven Goats  ")
    member.save()
    for wrong in ("Seven Goats", "  seven goats  "):
        log_in(Visitor(), wrong, status=422)
    visitor = Visitor()
    log_in(visitor, "  Seven Goats  ")
    assert "Log out" in visitor.page.text


@pytest.mark.parametrize(
    "path", ["/login/", "/signup/code/", "/password/code/", "/settings/password/", "/settings/tokens/"]
)
def test_password_fields_are_masked_and_known_to_password_managers(member: Account, path: str) -> None:
    visitor = Visitor(member if path.startswith("/settings/") else None)
    visitor.go(path)
    fields = [element for element in visitor.page.all("input") if element.get("name") in ("password", "old")]
    assert fields
    for field in fields:
        assert field["type"] == "password"
        assert field["autocomplete"] in ("current-password", "new-password")


def test_logging_in_makes_a_session_of_its_own_and_logging_out_ends_it(member: Account) -> None:
    visitor = Visitor()
    visitor.client.cookies["sessionid"] = "a" * 32
    visitor.go("/password/")
    visitor.send(email="kaveh@example.org")
    session_key = visitor.client.cookies[
        "sessionid"
    ].value  # the session key of a visitor, which another person may know
    log_in(visitor)
    session = visitor.client.cookies["sessionid"].value
    assert session not in ("a" * 32, session_key)
    assert not Session.objects.filter(session_key=session_key).exists()
    visitor.go("/")
    visitor.send("/logout/")
    thief = Visitor()
    thief.client.cookies["sessionid"] = session
    assert "Log in" in thief.go("/").text


def test_a_form_of_another_site_does_nothing(member: Account) -> None:
    visitor = Visitor(member)
    answer = visitor.client.post("/logout/", {})
    assert answer.status_code == 403
    assert "This form has expired" in answer.content.decode()
    assert visitor.client.get("/logout/").status_code == 405
    assert "Log out" in visitor.go("/").text


def test_a_forgotten_password_is_replaced_with_a_code(member: Account) -> None:
    visitor, still_in = Visitor(), Visitor(member)
    tokens.issue(member, "bot", ["account"])
    visitor.go("/password/")
    visitor.send(email="maryam@example.org")
    assert visitor.path == "/password/code/"
    weak = visitor.send(status=422, code=code(), password="12345678")
    assert "entirely numeric" in weak.text
    assert Token.objects.exists()
    assert "Password changed." in visitor.send(code=code(), password=ANOTHER).text
    log_in(visitor, PASSWORD, 422)
    log_in(visitor, ANOTHER)
    assert "Log out" in visitor.page.text
    assert "Log out" not in still_in.go("/").text
    assert not Token.objects.exists()


def test_a_wrong_code_sets_no_password(member: Account) -> None:
    visitor = Visitor()
    visitor.go("/password/")
    visitor.send(email="maryam@example.org")
    visitor.send(status=422, code="AAAA-AAAA", password=ANOTHER)
    log_in(Visitor(), PASSWORD)


def test_asking_for_a_new_password_tells_nobody_whether_there_is_an_account(member: Account) -> None:
    before, texts = Notification.objects.count(), []
    for email in ("kaveh@example.org", "maryam@example.org"):
        visitor = Visitor()
        visitor.go("/password/")
        texts.append(visitor.send(email=email).text)
    assert texts[0] == texts[1]
    assert Notification.objects.count() == before + 1


def test_the_language_is_switched_for_a_visitor_and_stays() -> None:
    visitor = Visitor()
    visitor.go("/login/")
    assert visitor.send("/language/", language="fa").all("html")[0]["lang"] == "fa"
    assert visitor.path == "/login/"
    assert visitor.go("/").all("html")[0]["dir"] == "rtl"


def test_the_language_of_an_account_goes_with_it_to_every_browser(member: Account) -> None:
    visitor = Visitor(member)
    visitor.go("/")
    visitor.send("/language/", language="fa")
    member.refresh_from_db()
    assert member.language == "fa"
    assert Visitor(member, language="en").go("/").all("html")[0]["lang"] == "fa"


def test_a_page_of_somebody_signed_in_is_kept_by_no_cache(member: Account) -> None:
    visitor = Visitor(member)
    visitor.go("/games/")
    assert set(visitor.answer.headers["Cache-Control"].split(", ")) == {"private", "no-store"}
    assert "Cookie" in visitor.answer.headers["Vary"]
