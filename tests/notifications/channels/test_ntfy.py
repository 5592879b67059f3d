"""ntfy: a topic is given on the page or over the API, and is sent the headline and nothing else."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from accounts.models import Account
from games.announcements.notify import write_due
from notifications.delivery.deliver import dispatch_due
from notifications.models import BACK_OFF, Notification, State
from notifications.recipients import preferences
from tests.cast import program, signed_in
from tests.games.seated import begin
from tests.notifications.outgoing.receiver import Receiver

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 22, 12, tzinfo=UTC)


def subscribe(account: Account, receiver: Receiver) -> None:
    topic = f"http://localhost:{receiver.port}/maryams-games"
    preferences.change(account, {"channels": {"question": ["ntfy"]}, "addresses": {"ntfy": topic}}, NOON)


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
    assert message.keys() == {"topic", "title", "message", "markdown", "click"}
    assert message["topic"] == "maryams-games"
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
