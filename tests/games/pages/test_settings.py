"""The settings: forms that do what the API does, for oneself alone."""

from datetime import time
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from accounts import blocks, tokens
from accounts.models import Account, Block, Mute, Token
from accounts.tokens import ALL
from notifications import preferences, webhooks
from notifications.channels import push
from notifications.endpoints import Device, Webhook
from tests.accounts.oauth.app import acting, app_of, tokens_for
from tests.cast import signed_in
from tests.games.pages.at_home import Visitor
from tests.games.pages.conftest import opened

pytestmark = pytest.mark.django_db
SECRET = "correct horse battery"


@pytest.fixture
def maryam(maryam: Account) -> Account:
    """Has a password, and has confirmed her address."""
    maryam.set_password(SECRET)
    maryam.save()
    EmailAddress.objects.create(user=maryam, email=maryam.email, verified=True, primary=True)
    return maryam


def at(account: Account, path: str) -> Visitor:
    """Return a visitor on a page of their settings."""
    visitor = Visitor(account)
    visitor.go(f"/settings/{path}")
    return visitor


def test_name_language_and_time_zone_are_kept_and_said_in_the_new_language(maryam: Account) -> None:
    page = at(maryam, "").send(name=" Maryam  M. ", language="fa", time_zone="Europe/Berlin")
    maryam.refresh_from_db()
    assert (maryam.name, maryam.language, maryam.time_zone) == ("Maryam M.", "fa", "Europe/Berlin")
    assert "ذخیره شد." in page.text
    assert page.all("html")[0]["dir"] == "rtl"


@pytest.mark.parametrize(
    ("field", "wrong", "sentence"),
    [
        ("name", "سپیده", "name"),
        ("name", "duke", "a word used for moves"),
        ("name", "", "required"),
        ("time_zone", "Mars/Base", "valid choice"),
        ("language", "tlh", "valid choice"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_changes(
    maryam: Account, sepideh: Account, field: str, wrong: str, sentence: str
) -> None:
    page = at(maryam, "").send("", 422, **{field: wrong})
    assert sentence in page.text
    assert "Nothing has changed" in page.text
    before = getattr(maryam, field)
    maryam.refresh_from_db()
    assert getattr(maryam, field) == before


def test_mails_come_as_they_are_wanted(maryam: Account) -> None:
    at(maryam, "emails/").send(
        digest="daily", digest_at="7", quiet_from="22:30", quiet_to="07:00", receipts=None, reminders=["80%", "P1D"]
    )
    accounts = preferences.of(Account.objects.get(pk=maryam.pk))
    assert (accounts.digest, accounts.digest_at, accounts.receipts) == ("daily", 7, False)
    assert (accounts.quiet_from, accounts.quiet_to) == (time(22, 30), time(7))
    assert accounts.reminders == ["80%", "P1D"]
    assert accounts.mails is None  # Fields that were not changed are not stored.


def test_mails_can_be_stopped_and_taken_again(maryam: Account) -> None:
    visitor = at(maryam, "emails/")
    visitor.send(mails=None)
    assert preferences.of(Account.objects.get(pk=maryam.pk)).mails is False
    visitor.go("/settings/emails/")
    visitor.send(mails="on")
    assert preferences.of(Account.objects.get(pk=maryam.pk)).mails is True


def test_quiet_hours_need_both_ends(maryam: Account) -> None:
    page = at(maryam, "emails/").send("", 422, quiet_from="22:00")
    assert "Quiet hours need a start and an end" in page.text
    assert preferences.of(Account.objects.get(pk=maryam.pk)).quiet_from is None


def test_what_a_program_has_set_is_offered_and_kept(maryam: Account) -> None:
    preferences.change(
        maryam, {"reminders": ["33%"], "digest_every": 5, "quiet_from": time(1, 7), "quiet_to": time(5)}, timezone.now()
    )
    at(maryam, "emails/").send(receipts=None)
    accounts = preferences.of(Account.objects.get(pk=maryam.pk))
    assert (accounts.reminders, accounts.digest_every, accounts.quiet_from) == (["33%"], 5, time(1, 7))


def test_a_muted_table_can_be_heard_again_and_a_foreign_one_is_not_named(maryam: Account, sepideh: Account) -> None:
    own_table, foreign = opened(maryam, seat_count=3), opened(sepideh, seat_count=3, private=True)
    preferences.mute(maryam.pk, [f"game:{own_table.pk}", f"game:{foreign.pk}", "game:nonsense"])
    visitor = at(maryam, "emails/")
    assert str(own_table.pk) in str(visitor.page.forms)
    assert str(foreign.pk) not in str(visitor.page.forms)
    visitor.send(f"/settings/emails/{own_table.pk}/")
    assert f"game:{own_table.pk}" not in preferences.of(Account.objects.get(pk=maryam.pk)).muted


def test_the_password_changes_for_who_knows_the_old_one(maryam: Account) -> None:
    elsewhere, here = Visitor(maryam), at(maryam, "password/")
    here.send(old=SECRET, password="a rook on the seventh rank")
    maryam.refresh_from_db()
    assert maryam.check_password("a rook on the seventh rank")
    here.go("/settings/")
    assert here.path == "/settings/"
    elsewhere.go("/settings/")
    assert elsewhere.path.startswith("/login/")


@pytest.mark.parametrize(("keep", "status"), [(None, 401), ("on", 200)])
def test_a_new_password_ends_what_programs_may_do_unless_they_are_kept(
    maryam: Account, sepideh: Account, keep: str | None, status: int
) -> None:
    app = app_of(sepideh, "account")
    foreign = tokens.issue(sepideh, "bot", ["account"])[1]
    own_tokens = [tokens.issue(maryam, "bot", ["account"])[1], tokens_for(app, maryam)["access_token"]]
    at(maryam, "password/").send(old=SECRET, password="a rook on the seventh rank", keep=keep)
    assert [acting(own_token).get("/api/v1/me/").status_code for own_token in own_tokens] == [status] * 2
    assert acting(foreign).get("/api/v1/me/").status_code == 200


@pytest.mark.parametrize(("old", "new"), [("wrong", "a rook on the seventh rank"), (SECRET, "12345678"), (SECRET, "")])
def test_a_wrong_old_or_a_weak_new_password_is_refused(maryam: Account, old: str, new: str) -> None:
    at(maryam, "password/").send("", 422, old=old, password=new)
    maryam.refresh_from_db()
    assert maryam.check_password(SECRET)


def test_a_new_token_is_shown_once_and_works_as_far_as_it_was_allowed(maryam: Account) -> None:
    visitor = at(maryam, "tokens/")
    page = visitor.send(name="the bot", scopes=["games:play", "games:read"], holds="30", password=SECRET)
    [token_text] = [word for word in page.text.split() if word.startswith("darbar_") and not word.endswith("…")]
    token = Token.objects.get()
    assert (token.name, token.scopes, token.user) == ("the bot", ["games:read", "games:play"], maryam)
    assert token.expiry is not None
    program = {"HTTP_AUTHORIZATION": f"Bearer {token_text}"}
    assert visitor.client.get("/api/v1/questions/", **program).status_code == 200
    assert visitor.client.get("/api/v1/tokens/", **program).status_code == 403
    again = visitor.go("/settings/tokens/").text
    assert token_text not in again
    assert "the bot" in again
    assert "no-store" in visitor.answer["Cache-Control"]


@pytest.mark.parametrize("wrong", [{"password": "wrong"}, {"scopes": []}, {"scopes": ["everything"]}, {"name": ""}])
def test_a_token_is_not_made_of_a_wrong_form(maryam: Account, wrong: dict[str, str]) -> None:
    fields = {"name": "the bot", "scopes": list(ALL), "password": SECRET, **wrong}
    at(maryam, "tokens/").send("", 422, **fields)
    assert not Token.objects.exists()


def test_only_ones_own_tokens_are_revoked(maryam: Account, sepideh: Account) -> None:
    own_token, _text = Token.objects.create(maryam, name="mine", scopes=list(ALL))
    hers, _text = Token.objects.create(sepideh, name="hers", scopes=list(ALL))
    visitor = at(maryam, "tokens/")
    assert "hers" not in visitor.page.text
    secret = visitor.page.forms[-1]["fields"]["csrfmiddlewaretoken"]
    for token, status in ((hers, 404), (own_token, 302)):
        answer = visitor.client.post(f"/settings/tokens/{token.public_id}/", {"csrfmiddlewaretoken": secret})
        assert answer.status_code == status
    assert [token.name for token in Token.objects.all()] == ["hers"]


def test_who_is_blocked_or_muted_is_listed_and_let_go(maryam: Account, sepideh: Account, bahareh: Account) -> None:
    blocks.block(maryam, sepideh, timezone.now())
    blocks.mute(maryam, bahareh, timezone.now())
    blocks.block(bahareh, maryam, timezone.now())
    visitor = at(maryam, "people/")
    assert visitor.page.text.count("Remove") == 2
    secret = visitor.page.forms[-1]["fields"]["csrfmiddlewaretoken"]
    against_me = Block.objects.get(owner=bahareh)
    for kind, listed_id, status in (
        ("block", Block.objects.get(owner=maryam).pk, 302),
        ("mute", Mute.objects.get(owner=maryam).pk, 302),
        ("block", against_me.pk, 404),
        ("block", "nonsense", 404),
    ):
        answer = visitor.client.post(
            "/settings/people/", {"csrfmiddlewaretoken": secret, "kind": kind, "id": str(listed_id)}
        )
        assert answer.status_code == status
    assert [block.owner for block in Block.objects.all()] == [bahareh]
    assert not Mute.objects.exists()


def test_looking_at_settings_makes_no_row(maryam: Account) -> None:
    for path in ("", "emails/", "channels/", "people/", "tokens/", "password/", "webhooks/"):
        at(maryam, path)
    assert not preferences.Preferences.objects.exists()


def test_each_kind_of_rendered_comes_by_the_ways_that_were_chosen(maryam: Account) -> None:
    visitor = at(maryam, "channels/")
    visitor.send(question=["push"], chat=None, game=["mail", "webhook"])
    channels = preferences.of(Account.objects.get(pk=maryam.pk)).channels
    assert (channels["question"], channels["chat"], channels["game"]) == (["push"], [], ["mail", "webhook"])
    visitor.go("/settings/channels/")
    visitor.send("", 422, question=["pigeon"])


def test_only_ones_own_devices_are_listed_and_removed(maryam: Account, sepideh: Account) -> None:
    for account, name in ((maryam, "my phone"), (sepideh, "her phone")):
        push.add_device(account, f"https://push.example.org/{name}", "p", "a", name, timezone.now())
    visitor = at(maryam, "channels/")
    assert "my phone" in visitor.page.text
    assert "her phone" not in visitor.page.text
    secret = visitor.page.forms[-1]["fields"]["csrfmiddlewaretoken"]
    for device, status in ((sepideh.devices.get(), 404), (maryam.devices.get(), 302)):
        answer = visitor.client.post(f"/settings/devices/{device.pk}/", {"csrfmiddlewaretoken": secret})
        assert answer.status_code == status
    assert [device.name for device in Device.objects.all()] == ["her phone"]


def test_a_webhook_is_made_tried_and_removed_and_its_secret_is_shown_once(maryam: Account) -> None:
    visitor = at(maryam, "webhooks/")
    page = visitor.send(url="https://hooks.example.org/darbar", kinds=["question", "chat"])
    webhook = Webhook.objects.get()
    assert (webhook.account, webhook.kinds) == (maryam, ["question", "chat"])
    assert webhooks.secret(webhook) in page.text
    again = visitor.go("/settings/webhooks/").text
    assert "https://hooks.example.org/darbar" in again
    assert webhooks.secret(webhook) not in again
    assert "already" in visitor.send("", 422, url=webhook.url, kinds=["chat"]).text
    Webhook.objects.update(disabled_at=timezone.now())
    visitor.go("/settings/webhooks/")
    visitor.send(f"/settings/webhooks/{webhook.pk}/test/")
    webhook.refresh_from_db()
    assert (webhook.disabled_at, webhooks.messages(webhook).get().reason) == (None, "test")
    visitor.send(f"/settings/webhooks/{webhook.pk}/")
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"url": "http://hooks.example.org/"},
        {"url": "https://10.0.0.1/"},
        {"url": "\0"},
        {"kinds": ["test"]},
        {"kinds": []},
    ],
)
def test_a_webhook_that_cannot_be_is_refused(maryam: Account, wrong: dict[str, Any]) -> None:
    fields = {"url": "https://hooks.example.org/darbar", "kinds": ["question"], **wrong}
    at(maryam, "webhooks/").send("", 422, **fields)
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(
    ("path", "sentence"), [("tokens/", "هنوز توکنی ندارید."), ("webhooks/", "هنوز وب‌هوکی ندارید.")]
)
def test_an_empty_list_says_in_persian_that_there_is_nothing(maryam: Account, path: str, sentence: str) -> None:
    maryam.language = "fa"
    maryam.save()
    page = signed_in(maryam).get(f"/settings/{path}").content.decode()
    assert sentence in page
    assert "مرخصی‌ای" not in page
