"""From a stranger to a confirmed account."""

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from accounts.models import Account
from tests.accounts.people import PASSWORD, CountingHasher, Person, forget_tries, later, problem, words


def test_a_newcomer_confirms_their_address_with_the_code_from_the_mail(maryam: Person) -> None:
    answer = maryam.sign_up()
    assert (answer.status_code, answer.json()) == (202, {"email": "maryam@darbar.example"})
    (notification,) = maryam.notifications()
    assert maryam.code() not in f"{notification.subject} {notification.headline} {words(notification)}"
    answer = maryam.confirm()
    assert answer.status_code == 200
    account = answer.json()
    assert account.pop("created_at")
    assert account.pop("preferences")["digest"] == "at-once"
    assert account.pop("stream").endswith("/api/v1/stream/")
    assert len(account.pop("push_key")) == 87
    assert account == {
        "email": "maryam@darbar.example",
        "name": "Maryam",
        "language": "en",
        "time_zone": "Asia/Tehran",
        "public_profile": False,
        "shows_answer_times": True,
        "shows_presence": False,
        "is_bot": False,
        "unreachable": None,
        "sleep_from": None,
        "sleep_to": None,
    }
    assert EmailAddress.objects.get(email=maryam.email).verified


def test_an_address_is_the_same_in_any_case(maryam: Person) -> None:
    assert maryam.sign_up(email="Maryam@DARBAR.example").json() == {"email": "maryam@darbar.example"}
    data = {"email": "MARYAM@darbar.example", "code": maryam.code(), "password": PASSWORD}
    assert maryam.send("accounts/confirm/", data).status_code == 200
    assert maryam.ask_for_token(email="mAryam@darbar.example").status_code == 201


def test_the_mail_names_who_signed_up_and_speaks_their_language() -> None:
    sepideh = Person("Sepideh", language="fa")
    sepideh.sign_up(name="سپیده")
    (notification,) = sepideh.notifications()
    assert notification.language == "fa"
    assert notification.subject == "کد شما برای دربار"
    assert "\u2068سپیده\u2069" in words(notification)
    assert "۶۰ دقیقه" in words(notification)


def test_language_and_zone_are_those_of_the_request_and_utc_where_none_are_named(maryam: Person) -> None:
    maryam.form.pop("language")
    maryam.form.pop("time_zone")
    maryam.client.credentials(HTTP_ACCEPT_LANGUAGE="fa-IR,fa;q=0.9")
    maryam.sign_up()
    maryam.confirm()
    account = Account.objects.get(email=maryam.email)
    assert (account.language, account.time_zone) == ("fa", "UTC")


def test_a_code_is_read_in_any_case_and_without_its_dash(maryam: Person) -> None:
    maryam.sign_up()
    assert maryam.confirm(f" \u2068{maryam.code().lower().replace('-', '')}\u2069 ").status_code == 200


@pytest.mark.parametrize("zero", "٠۰０")
def test_a_code_is_read_in_any_digits_and_in_letters_of_full_width(maryam: Person, zero: str) -> None:
    maryam.sign_up()
    digits = {ord("0") + number: chr(ord(zero) + number) for number in range(10)}
    wide = {letter: letter + 0xFEE0 for letter in range(ord("A"), ord("Z") + 1)}
    assert maryam.confirm(maryam.code().translate(digits | wide)).status_code == 200


def test_a_wrong_code_is_refused_and_the_right_one_holds_still(maryam: Person) -> None:
    maryam.sign_up()
    body = problem(maryam.confirm("XXXX-XXXX"), 400, "malformed")
    assert body["errors"][0]["pointer"] == "#/code"
    assert maryam.confirm().status_code == 200


def test_a_code_holds_for_an_hour(maryam: Person) -> None:
    maryam.sign_up()
    with later(minutes=61):
        problem(maryam.confirm(), 400, "malformed")


def test_a_code_works_once(maryam: Person) -> None:
    maryam.sign_up()
    assert maryam.confirm().status_code == 200
    problem(maryam.confirm(), 400, "malformed")


def test_a_code_for_a_new_password_works_once(maryam: Person) -> None:
    maryam.settle()
    forget_tries()
    browser = Client()
    browser.post("/password/", {"email": maryam.email})
    data = {"email": maryam.email, "code": maryam.code()}
    passwords = ("a rook on the seventh rank", "eleven cats in a boat")
    answers = [browser.post("/password/code/", {**data, "password": password}).status_code for password in passwords]
    assert answers == [302, 422]


def test_a_code_works_for_its_own_address_only(maryam: Person, kaveh: Person) -> None:
    maryam.sign_up()
    kaveh.sign_up()
    problem(kaveh.confirm(maryam.code()), 400, "malformed")


def test_a_code_for_an_address_nobody_signed_up_with_is_answered_like_a_wrong_one(
    maryam: Person, kaveh: Person
) -> None:
    maryam.sign_up()
    assert maryam.confirm("XXXX-XXXX").content == kaveh.confirm("XXXX-XXXX").content


def test_codes_can_be_tried_only_so_often(maryam: Person) -> None:
    answers = [maryam.confirm("XXXX-XXXX").status_code for _ in range(21)]
    assert answers == [400] * 20 + [429]
    assert 150 < int(maryam.confirm("XXXX-XXXX").headers["Retry-After"]) <= 180


def test_an_account_that_exists_is_not_told_and_its_owner_is(maryam: Person, kaveh: Person) -> None:
    maryam.settle_by_api()
    hashed = len(CountingHasher.hashed)
    with later(minutes=1):
        again = Person("Maryam").sign_up(name="Bahareh", password="another 12 geese")
        new = kaveh.sign_up(password="another 13 geese")
    assert (again.status_code, again.json()) == (202, {"email": maryam.email})
    assert new.status_code == 202
    varies = {"Content-Length": "", "RateLimit": "", "X-Request-ID": ""}
    assert dict(again.headers) | varies == dict(new.headers) | varies
    assert CountingHasher.hashed[hashed:] == ["another 12 geese", "another 13 geese"], "the same work for both"
    assert Account.objects.get(email=maryam.email).name == "Maryam"
    assert len(maryam.notifications()) == 2
    assert "already has an account, under the name \u2068Maryam\u2069" in words(maryam.notifications()[-1])
    assert maryam.ask_for_token().status_code == 201, "the password is the old one"


def test_no_code_confirms_what_was_asked_for_an_address_that_has_an_account(maryam: Person) -> None:
    maryam.settle_by_api()
    with later(minutes=1):
        assert Person("Maryam").sign_up(name="Bahareh").status_code == 202
        problem(maryam.confirm(), 400, "malformed")


def test_a_name_does_not_tell_whether_the_address_it_was_asked_with_has_an_account(maryam: Person) -> None:
    maryam.settle()
    dariush, bahareh = Person("Dariush"), Person("Bahareh")
    with later(minutes=1):
        assert Person("Maryam").sign_up(name="Known").status_code == 202
        assert dariush.sign_up(name="Unknown").status_code == 202
        answers = [bahareh.sign_up(name="KNOWN"), Person("Kaveh").sign_up(name="UNKNOWN")]
        assert [answer.status_code for answer in answers] == [202, 202]


def test_no_second_mail_goes_to_an_address_within_ten_seconds_and_the_first_code_holds(maryam: Person) -> None:
    maryam.sign_up()
    problem(maryam.sign_up(name="Mina"), 429, "rate-limited")
    assert len(maryam.notifications()) == 1
    assert maryam.confirm().json()["name"] == "Maryam"


def test_one_sender_signs_up_only_so_often() -> None:
    answers = [Person(f"Player {letter}").sign_up(email=f"{letter}@x.example") for letter in "abcdefghijklmnopqrstu"]
    assert [answer.status_code for answer in answers] == [202] * 20 + [429]


def test_an_operators_account_does_not_give_way_to_a_sign_up(kaveh: Person) -> None:
    Account.objects.create_superuser(kaveh.email, PASSWORD, name="Kaveh")
    problem(kaveh.ask_for_token(), 403, "forbidden")
    with later(seconds=61):
        assert kaveh.sign_up(name="Thief", password="another 12 geese").status_code == 202
    assert Account.objects.get().name == "Kaveh"


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("email", "maryam", "valid email"),
        ("email", "maryam@darbar.example\u0000", "Null characters"),
        ("email", ["maryam@darbar.example"], "valid email"),
        ("password", "x7mqplz", "too short"),
        ("password", "739184620517", "entirely numeric"),
        ("password", "Darbar2026!", "easy to guess here"),
        ("password", "password", "easy to guess here"),
        ("password", "sunshine1", "too common"),
        ("password", "maryam@darbar", "too similar"),
        ("password", "x" * 1001, "1000"),
        ("name", "", "blank"),
        ("name", "12", "letter"),
        ("name", "Challenge", "is a word used for moves"),
        ("name", "x" * 41, "40"),
        ("language", "de", "en (English) or fa (Persian)"),
        ("time_zone", "Asia/Teheran", "Asia/Tehran"),
        ("time_zone", "Europe/berlin", "Europe/Berlin"),
        ("time_zone", "x" * 100_000, "IANA"),
    ],
)
def test_what_is_wrong_is_named(maryam: Person, field: str, value: object, sentence: str) -> None:
    body = problem(maryam.sign_up(**{field: value}), 400, "malformed")
    assert {error["pointer"] for error in body["errors"]} == {f"#/{field}"}
    assert sentence in body["detail"]
    assert not Account.objects.exists()


def test_a_refused_sign_up_leaves_the_earlier_one_as_it_was(maryam: Person) -> None:
    maryam.sign_up()
    problem(maryam.sign_up(name="12"), 400, "malformed")
    assert maryam.confirm().json()["name"] == "Maryam"


@pytest.mark.parametrize("field", ["email", "password", "name"])
def test_what_is_missing_is_named(maryam: Person, field: str) -> None:
    maryam.form.pop(field)
    body = problem(maryam.sign_up(), 400, "malformed")
    assert body["errors"] == [{"pointer": f"#/{field}", "code": "required", "detail": "This field is required."}]


@pytest.mark.parametrize("field", ["is_staff", "is_superuser", "is_active", "id", "passwd"])
def test_a_field_that_is_not_asked_for_is_refused_by_name(maryam: Person, field: str) -> None:
    body = problem(maryam.sign_up(**{field: True}), 400, "malformed")
    (error,) = body["errors"]
    assert (error["pointer"], error["code"]) == (f"#/{field}", "unknown-field")
    assert "The fields are: email, password, name, language, time_zone, is_bot." in error["detail"]


@pytest.mark.parametrize("body", [[], "maryam", None, 7])
def test_a_body_that_is_no_object_is_refused(maryam: Person, body: object) -> None:
    problem(maryam.send("accounts/", body), 400, "malformed")


def test_refusals_are_said_in_the_language_that_is_asked_for(maryam: Person) -> None:
    maryam.client.credentials(HTTP_ACCEPT_LANGUAGE="fa")
    body = problem(maryam.sign_up(name="12"), 400, "malformed")
    assert "نام باید دست‌کم یک حرف داشته باشد" in body["detail"]


def test_the_api_leaves_no_cookie(maryam: Person) -> None:
    maryam.settle()
    assert not maryam.client.cookies
