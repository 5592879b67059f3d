"""Gotify: a server and a token are given on the page or over the API, and the token is shown nowhere again."""

import json
from datetime import UTC, datetime
from typing import Any, Final

import pytest

from accounts.account_data import export_account
from accounts.models import Account
from games import links
from games.models import Game
from notifications import preferences
from notifications.deliver import dispatch_due
from notifications.models import BACK_OFF, Notification, Preferences, State
from tests.cast import program, signed_in
from tests.notifications.channels.test_ntfy import order_question
from tests.notifications.outgoing.receiver import Receiver

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 22, 12, tzinfo=UTC)
SERVER: Final = "https://gotify.example.org/"
TOKEN: Final = "AxK3.wv_9-Qz1"


def subscribe(account: Account, receiver: Receiver, path: str = "/") -> None:
    address = f"http://localhost:{receiver.port}{path}"
    changes = {"channels": {"question": ["gotify"], "game": ["gotify"]}, "addresses": {"gotify": address}}
    preferences.change(account, {**changes, "secrets": {"gotify": TOKEN}}, NOON)


def change(account: Account, **fields: Any) -> Any:
    return program(account).patch("/api/v1/me/", {"preferences": fields}, content_type="application/json")


def stored_preferences(account: Account) -> Preferences:
    return preferences.of(Account.objects.get(pk=account.pk))


@pytest.mark.parametrize("path", ["/", "/gotify", "/gotify/"])
def test_a_message_has_the_token_in_its_header_and_nothing_that_is_hidden(
    receiver: Receiver, maryam: Account, sepideh: Account, path: str
) -> None:
    subscribe(maryam, receiver, path)
    order_question(maryam, sepideh)
    (posted,) = receiver.taken
    assert posted.path == f"{path.rstrip('/')}/message"
    assert posted.headers["x-gotify-key"] == TOKEN
    assert posted.headers["content-type"] == "application/json"
    message = json.loads(posted.body)
    assert message.keys() == {"title", "message", "priority", "extras"}
    assert message["title"].startswith("Your move in Coup, game ")
    assert message["message"]
    assert message["priority"] == 5
    assert message["extras"] == {
        "client::display": {"contentType": "text/plain"},
        "client::notification": {"click": {"url": links.game_page(Game.objects.get().pk)}},
    }
    hidden = (TOKEN, "duke", "captain", "contessa", "ambassador", "assassin")
    assert not [word for word in hidden if word in posted.body.decode()]


def test_what_asks_nothing_makes_no_sound(receiver: Receiver, maryam: Account, sepideh: Account) -> None:
    subscribe(maryam, receiver)
    order_question(sepideh, maryam)
    (posted,) = receiver.taken
    assert json.loads(posted.body)["priority"] == 2


def test_the_mail_stands_by_until_the_server_has_taken_the_question(
    receiver: Receiver, maryam: Account, sepideh: Account
) -> None:
    subscribe(maryam, receiver)
    receiver.answers = [503]
    order_question(maryam, sepideh)
    mail = Notification.objects.get(channel="mail", question__gt="", account=maryam)
    assert (mail.standing_by, mail.state) == (True, State.SCHEDULED)
    dispatch_due(NOON + BACK_OFF)
    mail.refresh_from_db()
    assert mail.state == State.DROPPED


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_server_that_refuses_the_token_is_not_tried_again(
    receiver: Receiver, maryam: Account, sepideh: Account, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    subscribe(maryam, receiver)
    receiver.answers = [status]
    order_question(maryam, sepideh)
    failed = Notification.objects.get(channel="gotify", question__gt="")
    assert failed.state == State.FAILED
    assert TOKEN not in caplog.text
    mail = Notification.objects.get(channel="mail", question__gt="", account=maryam)
    assert mail.next_attempt_at == NOON


def test_a_token_is_stored_encrypted_and_reads_as_three_stars(maryam: Account) -> None:
    answer = change(maryam, addresses={"gotify": SERVER}, secrets={"gotify": TOKEN})
    assert answer.json()["preferences"]["secrets"]["gotify"] == "***"
    assert TOKEN not in answer.content.decode()
    assert TOKEN not in program(maryam).get("/api/v1/me/").content.decode()
    assert TOKEN not in str(export_account(maryam, NOON))
    assert TOKEN not in str(stored_preferences(maryam).secrets)
    assert stored_preferences(maryam).secret_of("gotify") == TOKEN


def test_what_was_read_can_be_sent_back(maryam: Account) -> None:
    preferences = change(maryam, addresses={"gotify": SERVER}, secrets={"gotify": TOKEN}).json()["preferences"]
    assert change(maryam, **preferences).json()["preferences"] == preferences
    assert change(maryam, digest="daily").status_code == 200
    assert stored_preferences(maryam).secret_of("gotify") == TOKEN
    without_token = change(maryam, addresses={"gotify": None}).json()["preferences"]
    assert (without_token["addresses"]["gotify"], without_token["secrets"]["gotify"]) == (None, None)


@pytest.mark.parametrize(
    "preferences",
    [
        {"addresses": {"gotify": "https://other.example.org/"}},
        {"addresses": {"gotify": "https://other.example.org/"}, "secrets": {"gotify": "***"}},
        {"secrets": {"gotify": None}},
        {"secrets": {"gotify": "a token"}},
        {"secrets": {"gotify": "A\r\nHost: x"}},
        {"addresses": {"gotify": "https://gotify.example.org/?token=A"}, "secrets": {"gotify": TOKEN}},
        {"addresses": {"gotify": "https://10.0.0.1/"}, "secrets": {"gotify": TOKEN}},
    ],
)
def test_another_server_never_gets_a_token_that_was_meant_for_the_first(
    maryam: Account, preferences: dict[str, Any]
) -> None:
    change(maryam, addresses={"gotify": SERVER}, secrets={"gotify": TOKEN})
    refused = change(maryam, **preferences)
    assert refused.status_code == 400
    assert "gotify" in refused.json()["errors"][0]["pointer"]
    assert (stored_preferences(maryam).addresses["gotify"], stored_preferences(maryam).secret_of("gotify")) == (
        SERVER,
        TOKEN,
    )


def test_a_changed_address_takes_its_token_along(maryam: Account) -> None:
    change(maryam, addresses={"gotify": SERVER}, secrets={"gotify": TOKEN})
    preferences.change(maryam, {"addresses": {"gotify": "https://other.example.org/"}}, NOON)
    assert stored_preferences(maryam).secrets == {}


def test_under_another_secret_key_the_question_goes_by_email(
    receiver: Receiver, maryam: Account, sepideh: Account, settings: Any
) -> None:
    subscribe(maryam, receiver)
    settings.SECRET_KEY = "another"
    settings.SECRET_KEY_FALLBACKS = []
    order_question(maryam, sepideh)
    assert not receiver.taken
    assert not Notification.objects.get(channel="mail", question__gt="", account=maryam).standing_by


def test_a_token_is_given_on_the_page_and_not_shown_there(maryam: Account) -> None:
    client = signed_in(maryam)
    lacking = client.post("/settings/channels/", {"address-gotify": SERVER, "question": ["gotify"]})
    assert lacking.status_code == 422
    wrong = client.post("/settings/channels/", {"address-gotify": SERVER, "secret-gotify": "a token"})
    assert wrong.status_code == 422
    assert "a token" not in wrong.content.decode()
    data = {"address-gotify": SERVER, "secret-gotify": TOKEN, "question": ["gotify"]}
    assert client.post("/settings/channels/", data).status_code == 302
    page = client.get("/settings/channels/").content.decode()
    assert f'value="{SERVER}"' in page
    assert "We’ve kept a token." in page
    assert TOKEN not in page
    again = client.post("/settings/channels/", {"address-gotify": SERVER, "question": ["gotify", "mail"]})
    assert again.status_code == 302
    assert stored_preferences(maryam).secret_of("gotify") == TOKEN
    assert client.post("/settings/channels/", {"question": ["mail"]}).status_code == 302
    assert (stored_preferences(maryam).addresses, stored_preferences(maryam).secrets) == ({}, {})
