"""ntfy: a topic is given on the page or over the API, and is sent the headline and nothing else."""

import json
from datetime import UTC, datetime
from typing import Any, Final

import pytest

from accounts.models import Account
from games import links
from games.announcements.notify import write_due
from games.models import Game
from notifications import preferences
from notifications.deliver import dispatch_due
from notifications.models import BACK_OFF, Notification, State
from tests.cast import program, signed_in
from tests.games.seated import begin
from tests.notifications.outgoing.receiver import Receiver

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 22, 12, tzinfo=UTC)
TOKEN: Final = "tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2"


def subscribe(account: Account, receiver: Receiver, **secrets: str) -> None:
    topic = f"http://localhost:{receiver.port}/maryams-games"
    changes = {"channels": {"question": ["ntfy"], "game": ["ntfy"]}, "addresses": {"ntfy": topic}, "secrets": secrets}
    preferences.change(account, changes, NOON)


def order_question(account: Account, other: Account) -> None:
    begin([account, other, None])
    write_due(NOON)
    dispatch_due(NOON)


def test_a_topic_is_sent_the_headline_and_nothing_that_is_hidden(
    receiver: Receiver, maryam: Account, sepideh: Account
) -> None:
    subscribe(maryam, receiver)
    order_question(maryam, sepideh)
    (posted,) = receiver.taken
    message = json.loads(posted.body)
    assert posted.path == "/"
    assert message.keys() == {"topic", "title", "message", "markdown", "priority", "tags", "click"}
    assert message["topic"] == "maryams-games"
    assert (message["priority"], message["tags"]) == (4, ["game_die"])
    assert message["click"] == links.game_page(Game.objects.get().pk)
    assert "authorization" not in posted.headers
    assert message["title"].startswith("Your move in Coup, game ")
    assert not [card for card in ("duke", "captain", "contessa", "ambassador", "assassin") if card in str(message)]
    assert not Notification.objects.get(channel="ntfy", state=State.SENT).content().blocks


def test_the_mail_stands_by_until_the_topic_has_taken_the_question(
    receiver: Receiver, maryam: Account, sepideh: Account
) -> None:
    subscribe(maryam, receiver)
    receiver.answers = [503, 204]
    order_question(maryam, sepideh)
    mail = Notification.objects.get(channel="mail", question__gt="", account=maryam)
    assert (mail.standing_by, mail.state) == (True, State.SCHEDULED)
    dispatch_due(NOON + BACK_OFF)
    mail.refresh_from_db()
    assert mail.state == State.DROPPED


def test_a_topic_that_is_taken_away_gets_nothing_more(receiver: Receiver, maryam: Account, sepideh: Account) -> None:
    subscribe(maryam, receiver)
    begin([maryam, sepideh, None])
    write_due(NOON)
    preferences.change(maryam, {"addresses": {"ntfy": None}}, NOON)
    dispatch_due(NOON)
    assert not receiver.taken
    states = {notification.state for notification in Notification.objects.filter(channel="ntfy", question__gt="")}
    assert states == {State.FAILED}


@pytest.mark.parametrize(
    "address",
    ["https://ntfy.sh/", "https://ntfy.sh/a/b", "https://ntfy.sh/a?auth=1", "http://ntfy.sh/a", "https://10.0.0.1/a"],
)
def test_only_the_topic_of_a_public_server_is_an_address(maryam: Account, address: str) -> None:
    data = {"preferences": {"addresses": {"ntfy": address}}}
    refused = program(maryam).patch("/api/v1/me/", data, content_type="application/json")
    assert refused.status_code == 400
    assert "ntfy" in str(refused.json()["errors"])
    assert not preferences.Preferences.objects.exists()


def test_an_address_is_set_kept_and_taken_away_over_the_api(maryam: Account) -> None:
    def changed(addresses: dict[str, Any]) -> Any:
        data = {"preferences": {"addresses": addresses}}
        answer = program(maryam).patch("/api/v1/me/", data, content_type="application/json")
        return answer.json()["preferences"]["addresses"]["ntfy"]

    assert changed({"ntfy": "https://ntfy.sh/maryam"}) == "https://ntfy.sh/maryam"
    assert changed({}) == "https://ntfy.sh/maryam"
    assert changed({"ntfy": None}) is None


def test_an_address_is_set_on_the_page_which_says_what_is_wrong_with_one(maryam: Account) -> None:
    client = signed_in(maryam)
    refused = client.post("/settings/channels/", {"address-ntfy": "ntfy.sh/maryam", "question": ["mail"]})
    assert refused.status_code == 422
    assert "https://" in refused.content.decode()
    response = client.post("/settings/channels/", {"address-ntfy": "https://ntfy.sh/maryam", "question": ["ntfy"]})
    assert response.status_code == 302
    accounts = preferences.of(Account.objects.get(pk=maryam.pk))
    assert (accounts.addresses, accounts.channels["question"]) == ({"ntfy": "https://ntfy.sh/maryam"}, ["ntfy"])
    assert 'value="https://ntfy.sh/maryam"' in client.get("/settings/channels/").content.decode()


def change(account: Account, **fields: Any) -> Any:
    return program(account).patch("/api/v1/me/", {"preferences": fields}, content_type="application/json")


def test_news_of_a_game_makes_no_sound(receiver: Receiver, maryam: Account, sepideh: Account) -> None:
    subscribe(maryam, receiver)
    order_question(sepideh, maryam)
    message = json.loads(receiver.taken[0].body)
    assert (message["priority"], message["tags"]) == (2, ["checkered_flag"])


def test_a_topic_with_a_token_is_sent_the_token_in_the_header_alone(
    receiver: Receiver, maryam: Account, sepideh: Account, caplog: pytest.LogCaptureFixture
) -> None:
    subscribe(maryam, receiver, ntfy=TOKEN)
    receiver.answers = [403]
    order_question(maryam, sepideh)
    (posted,) = receiver.taken
    assert posted.headers["authorization"] == f"Bearer {TOKEN}"
    assert TOKEN not in posted.body.decode() + caplog.text
    failed = Notification.objects.get(channel="ntfy", question__gt="")
    assert failed.state == State.FAILED, "a server that refuses the token is not tried again"


def test_a_token_is_optional_and_is_never_sent_to_another_topic(maryam: Account) -> None:
    first, second = "https://ntfy.sh/maryam", "https://ntfy.example.org/maryam"
    assert change(maryam, secrets={"ntfy": TOKEN}).status_code == 400, "a token without a topic"
    changed = change(maryam, addresses={"ntfy": first}, secrets={"ntfy": TOKEN})
    assert changed.json()["preferences"]["secrets"]["ntfy"] == "***"
    assert TOKEN not in changed.content.decode()
    assert change(maryam, secrets={"ntfy": "a token"}).status_code == 400
    moved = change(maryam, addresses={"ntfy": second}, secrets={"ntfy": "***"}).json()["preferences"]
    assert (moved["addresses"]["ntfy"], moved["secrets"]["ntfy"]) == (second, None)
    assert change(maryam, secrets={"ntfy": TOKEN}).json()["preferences"]["secrets"]["ntfy"] == "***"
    assert change(maryam, secrets={"ntfy": None}).json()["preferences"]["secrets"]["ntfy"] is None


def test_under_another_secret_key_no_message_is_sent_without_its_token(
    receiver: Receiver, maryam: Account, sepideh: Account, settings: Any
) -> None:
    subscribe(maryam, receiver, ntfy=TOKEN)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", []
    order_question(maryam, sepideh)
    assert not receiver.taken
    assert not Notification.objects.get(channel="mail", question__gt="", account=maryam).standing_by


def test_a_token_is_set_and_deleted_on_the_page(maryam: Account) -> None:
    client, topic = signed_in(maryam), {"address-ntfy": "https://ntfy.sh/maryam", "question": ["ntfy"]}
    assert client.post("/settings/channels/", {"secret-ntfy": TOKEN}).status_code == 422
    assert client.post("/settings/channels/", {**topic, "secret-ntfy": TOKEN}).status_code == 302
    page = client.get("/settings/channels/").content.decode()
    assert TOKEN not in page
    assert 'value="***"' in page
    assert client.post("/settings/channels/", {**topic, "secret-ntfy": "***"}).status_code == 302
    assert preferences.of(Account.objects.get(pk=maryam.pk)).secret_of("ntfy") == TOKEN
    assert client.post("/settings/channels/", {**topic, "secret-ntfy": ""}).status_code == 302
    accounts = preferences.of(Account.objects.get(pk=maryam.pk))
    assert (accounts.secrets, accounts.addresses) == ({}, {"ntfy": topic["address-ntfy"]})
