"""Discord, Slack, Telegram and Matrix: each message as the service documents it, and the secret nowhere else."""

import json
from datetime import UTC, datetime
from typing import Any, Final

import pytest

from accounts.account_data import export_account
from accounts.models import Account
from games import links
from games.models import Game
from notifications import preferences
from notifications.channels.registry import chat_apps
from notifications.deliver import dispatch_due
from notifications.models import BACK_OFF, Notification, Preferences, State
from tests.cast import program, signed_in
from tests.notifications.channels.test_ntfy import order_question
from tests.notifications.outgoing.receiver import Receiver

pytestmark = pytest.mark.django_db
NOON: Final = datetime(2026, 3, 22, 12, tzinfo=UTC)
BOT: Final = "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"
TOKEN: Final = "syt_a2F2ZWg_qMzVYtRw_1k2l3m"
SECRETS: Final = {"discord": "wnD3-v_9xQz1", "slack": "XXXXq9z1", "telegram": BOT, "matrix": TOKEN}
"""The parts of each secret that must not be shown."""


def places(receiver: Receiver) -> dict[str, dict[str, Any]]:
    here = f"http://localhost:{receiver.port}"
    return {
        "discord": {"secrets": {"discord": f"{here}/api/webhooks/42/{SECRETS['discord']}"}},
        "slack": {"secrets": {"slack": f"{here}/services/T0/B0/{SECRETS['slack']}"}},
        "telegram": {"addresses": {"telegram": "987654321"}, "secrets": {"telegram": BOT}},
        "matrix": {"addresses": {"matrix": f"{here}/!court:example.org"}, "secrets": {"matrix": TOKEN}},
    }


@pytest.fixture(params=SECRETS)
def app(request: pytest.FixtureRequest, receiver: Receiver, maryam: Account, settings: Any) -> str:
    """A chat app by which Maryam hears of everything."""
    settings.TELEGRAM_SERVER = f"http://localhost:{receiver.port}"
    name = str(request.param)
    channels = {"question": [name], "game": [name]}
    preferences.change(maryam, {"channels": channels, **places(receiver)[name]}, NOON)
    return name


def stored_preferences(account: Account) -> Preferences:
    return preferences.of(Account.objects.get(pk=account.pk))


def test_a_question_is_posted_as_the_service_documents_it(
    app: str, receiver: Receiver, maryam: Account, sepideh: Account
) -> None:
    order_question(maryam, sepideh)
    (posted,) = receiver.taken
    message = json.loads(posted.body)
    order = Notification.objects.get(channel=app, question__gt="")
    content = order.content()
    text = f"{content.headline}\n{content.subject}\n{links.game_page(Game.objects.get().pk)}"
    assert order.state == State.SENT
    assert posted.headers["content-type"] == "application/json"
    match app:
        case "discord":
            assert (posted.method, posted.path) == ("POST", f"/api/webhooks/42/{SECRETS[app]}?wait=true")
            assert message == {"content": chat_apps()[app].escaped(text), "allowed_mentions": {"parse": []}}
        case "slack":
            assert (posted.method, posted.path) == ("POST", f"/services/T0/B0/{SECRETS[app]}")
            switches = {"link_names": False, "parse": "none", "unfurl_links": False, "unfurl_media": False}
            assert message == {"text": text, "mrkdwn": False, **switches}
        case "telegram":
            assert (posted.method, posted.path) == ("POST", f"/bot{BOT}/sendMessage")
            quiet = {"link_preview_options": {"is_disabled": True}, "disable_notification": False}
            assert message == {"chat_id": "987654321", "text": text, **quiet}
        case "matrix":
            path = f"/_matrix/client/v3/rooms/%21court%3Aexample.org/send/m.room.message/{order.pk}"
            assert (posted.method, posted.path) == ("PUT", path)
            assert posted.headers["authorization"] == f"Bearer {TOKEN}"
            assert message == {"msgtype": "m.text", "body": text, "m.mentions": {}}


def test_what_asks_nothing_makes_no_sound_where_the_app_can_tell(
    app: str, receiver: Receiver, maryam: Account, sepideh: Account
) -> None:
    order_question(sepideh, maryam)
    (posted,) = receiver.taken
    message = json.loads(posted.body)
    assert message.get("disable_notification", True) is True
    assert message.get("msgtype", "m.notice") == "m.notice"


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_a_place_that_is_gone_is_not_tried_again_and_the_question_comes_by_email(
    app: str, receiver: Receiver, maryam: Account, sepideh: Account, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    receiver.answers = [status]
    order_question(maryam, sepideh)
    assert Notification.objects.get(channel=app, question__gt="").state == State.FAILED
    assert SECRETS[app] not in caplog.text
    assert Notification.objects.get(channel="mail", question__gt="", account=maryam).next_attempt_at == NOON


def test_the_secret_is_stored_encrypted_and_shown_nowhere(app: str, maryam: Account) -> None:
    html = program(maryam).get("/api/v1/me/").content.decode()
    page = signed_in(maryam).get("/settings/channels/").content.decode()
    stored = stored_preferences(maryam)
    assert json.loads(html)["preferences"]["secrets"][app] == "***"
    places = (html, page, str(export_account(maryam, NOON)), str(stored.secrets), str(stored.addresses))
    assert not [place for place in places if SECRETS[app] in place]


@pytest.mark.parametrize(
    ("app", "wrong_preferences"),
    [
        ("discord", {"secrets": {"discord": "https://discord.com/channels/1/2"}}),
        ("discord", {"secrets": {"discord": "http://discord.com/api/webhooks/1/a"}}),
        ("slack", {"secrets": {"slack": "https://10.0.0.1/services/T/B/X"}}),
        ("telegram", {"addresses": {"telegram": "Maryam"}, "secrets": {"telegram": BOT}}),
        ("telegram", {"addresses": {"telegram": "1"}, "secrets": {"telegram": "a/../b"}}),
        ("telegram", {"addresses": {"telegram": "1"}}),
        ("matrix", {"addresses": {"matrix": "https://matrix.example.org/#court:a"}, "secrets": {"matrix": TOKEN}}),
        ("matrix", {"addresses": {"matrix": "https://matrix.example.org/!a:b"}, "secrets": {"matrix": "a\r\nb: c"}}),
    ],
)  # fmt: skip
def test_what_cannot_be_a_place_is_refused_with_a_sentence_and_changes_nothing(
    maryam: Account, app: str, wrong_preferences: dict[str, Any]
) -> None:
    refused = program(maryam).patch("/api/v1/me/", {"preferences": wrong_preferences}, content_type="application/json")
    assert refused.status_code == 400
    assert app in refused.json()["errors"][0]["pointer"]
    assert (stored_preferences(maryam).addresses, stored_preferences(maryam).secrets) == ({}, {})


@pytest.mark.parametrize(
    ("text", "result"),
    [
        (
            "*Ali* <@1> ||x||\nhttps://darbar.example/a_b_c",
            "\\*Ali\\* \\<\u2060@\u20601> \\|\\|x\\|\\|\nhttps://darbar.example/a_b_c",
        ),
        (":smile: [a](https://b.example)", "\\:smile: \\[a](https\\[:]//b\\[.]example)"),
        ("https: http://evil.example", "https: http\\[:]//evil\\[.]example"),
        (" - ۰۳:۲۲:۱۰", " \\- ۰۳:۲۲:۱۰"),
        ("# a\n> b\n- c\n1. d", "\\# a\n\\> b\n\\- c\n1\\. d"),
        ("Until 23 March 2026, 03:22:10 (UTC)\n3-6 players, 2.5 > 2, #4", None),
    ],
)
def test_a_name_is_neither_formatting_nor_a_mention_on_discord_and_a_time_is_as_written(
    text: str, result: str | None, settings: Any
) -> None:
    settings.PUBLIC_URL = "https://darbar.example"
    assert chat_apps()["discord"].escaped(text) == (result or text)


def test_a_webhook_is_given_tested_kept_and_forgotten_on_the_page(receiver: Receiver, maryam: Account) -> None:
    client, hook = signed_in(maryam), places(receiver)["discord"]["secrets"]["discord"]
    assert client.post("/settings/channels/discord/test/").status_code == 404
    assert client.post("/settings/channels/", {"secret-discord": hook}).status_code == 302
    assert client.post("/settings/channels/discord/test/").status_code == 302
    dispatch_due(Notification.objects.get(reason="test").created_at)
    assert "A test message from Darbar" in json.loads(receiver.taken[0].body)["content"]
    page = client.get("/settings/channels/").content.decode()
    assert 'value="***"' in page
    assert "The last message was accepted" in page
    again = client.post("/settings/channels/", {"secret-discord": "***", "question": ["discord"]})
    assert again.status_code == 302
    assert stored_preferences(maryam).secret_of("discord") == hook
    assert client.post("/settings/channels/", {"secret-discord": "", "question": ["mail"]}).status_code == 302
    assert stored_preferences(maryam).secrets == {}


def test_a_test_that_is_refused_is_told_beside_its_fields(receiver: Receiver, maryam: Account) -> None:
    preferences.change(maryam, places(receiver)["slack"], NOON)
    client, receiver.answers = signed_in(maryam), [404]
    client.post("/settings/channels/slack/test/")
    dispatch_due(Notification.objects.get(reason="test").created_at)
    assert "The last message wasn’t accepted" in client.get("/settings/channels/").content.decode()


def test_a_personal_chat_that_has_moved_is_followed(receiver: Receiver, maryam: Account, settings: Any) -> None:
    settings.TELEGRAM_SERVER = f"http://localhost:{receiver.port}"
    preferences.change(maryam, places(receiver)["telegram"], NOON)
    signed_in(maryam).post("/settings/channels/telegram/test/")
    receiver.answers = [400]
    receiver.bodies = [json.dumps({"ok": False, "parameters": {"migrate_to_chat_id": -1009876543210}}).encode()]
    now = Notification.objects.get(reason="test").created_at
    dispatch_due(now)
    dispatch_due(now + BACK_OFF)
    assert [json.loads(posted.body)["chat_id"] for posted in receiver.taken] == ["987654321", "-1009876543210"]
    assert Notification.objects.get(reason="test").state == State.SENT
