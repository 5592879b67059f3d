"""My account, and changing it."""

import pytest

from tests.accounts.people import Person, problem


def test_a_person_reads_and_changes_who_they_are(maryam: Person) -> None:
    maryam.settle()
    assert maryam.get("me/").json()["time_zone"] == "Asia/Tehran"
    changed = maryam.send("me/", {"name": "مریم", "language": "fa", "time_zone": "Europe/Berlin"}, "patch")
    assert changed.status_code == 200
    assert changed.json() == maryam.get("me/").json()
    assert (changed.json()["name"], changed.json()["language"]) == ("مریم", "fa")


def test_a_profile_is_for_players_only_until_its_owner_opens_it(maryam: Person) -> None:
    maryam.settle()
    assert maryam.get("me/").json()["public_profile"] is False
    assert maryam.send("me/", {"public_profile": True}, "patch").json()["public_profile"] is True
    assert maryam.get("me/export/").json()["account"]["public_profile"] is True


def test_nobody_is_answered_without_a_token(maryam: Person) -> None:
    for method in ("get", "patch", "put", "delete"):
        problem(maryam.send("me/", {}, method), 401, "unauthenticated")
    problem(maryam.get("tokens/"), 401, "unauthenticated")


@pytest.mark.parametrize("name", ["KAVEH", "ＫＡＶＥＨ", " kaveh ", "Ka\u200bveh"])
def test_a_name_that_reads_like_another_players_is_refused(maryam: Person, kaveh: Person, name: str) -> None:
    maryam.settle()
    kaveh.settle()
    body = problem(maryam.send("me/", {"name": name}, "patch"), 400, "malformed")
    assert body["errors"][0]["pointer"] == "#/name"
    assert maryam.get("me/").json()["name"] == "Maryam"


def test_ones_own_name_may_be_written_in_another_way(maryam: Person) -> None:
    maryam.settle()
    assert maryam.send("me/", {"name": "MARYAM"}, "patch").json()["name"] == "MARYAM"


def test_a_name_that_a_sign_up_waits_with_is_free(maryam: Person, kaveh: Person) -> None:
    maryam.settle()
    kaveh.sign_up(name="Mina")
    assert maryam.send("me/", {"name": "Mina"}, "patch").status_code == 200


@pytest.mark.parametrize("field", ["email", "created_at"])
def test_what_can_only_be_read_is_refused_by_name(maryam: Person, field: str) -> None:
    maryam.settle()
    before = maryam.get("me/").json()
    body = problem(maryam.send("me/", {field: "x", "time_zone": "UTC"}, "patch"), 400, "malformed")
    assert body["errors"] == [
        {"pointer": f"#/{field}", "code": "read-only", "detail": "This field is read-only: leave it out."}
    ]
    assert maryam.get("me/").json() == before


@pytest.mark.parametrize("field", ["is_staff", "is_superuser", "password", "folded_name", "id", "groups"])
def test_what_is_nobodys_business_is_refused_by_name(maryam: Person, field: str) -> None:
    maryam.settle()
    body = problem(maryam.send("me/", {field: True}, "patch"), 400, "malformed")
    assert body["errors"][0]["code"] == "unknown-field"


@pytest.mark.parametrize(
    ("field", "value"), [("name", "7"), ("name", None), ("language", "de"), ("time_zone", "Mars"), ("time_zone", "")]
)
def test_a_wrong_value_is_refused(maryam: Person, field: str, value: object) -> None:
    maryam.settle()
    body = problem(maryam.send("me/", {field: value}, "patch"), 400, "malformed")
    assert body["errors"][0]["pointer"] == f"#/{field}"


def test_answers_are_in_the_accounts_language_unless_the_request_names_one(maryam: Person) -> None:
    maryam.form["language"] = "fa"
    maryam.settle()
    refused = maryam.send("me/", {"name": "7"}, "patch")
    assert refused.headers["Content-Language"] == "fa"
    assert "نام باید دست‌کم یک حرف داشته باشد" in refused.json()["detail"]
    english = maryam.client.patch("/api/v1/me/", {"name": "7"}, format="json", headers={"Accept-Language": "en"})
    assert "at least one letter" in english.json()["detail"]
