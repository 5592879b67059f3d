"""Tests of requests of mail providers, which must prove their origin."""

import base64
from pathlib import Path
from typing import Any, Final

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.utils import timezone

from config import environment
from config.server.middleware import LARGEST
from games.mail import intake
from games.mail import tasks as mail_tasks
from games.models import Game, Move
from notifications.mail_parsing import parser
from notifications.models import RawMail
from tests.examples import for_each
from tests.games.mail.letters import SERVER
from tests.games.mail.providers import KEY, PROVIDERS, USER, VARIABLES, email_of, mailersend, mailgun, mandrill
from tests.games.mail.tables import ADDRESSES
from tests.games.seated import question_address as to

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("all_providers", "an_hour_later")]

CORPUS: Final = Path(__file__).parent / "corpus"


def test_every_provider_that_is_known_has_its_case_here() -> None:
    assert {provider.__name__ for provider in PROVIDERS} == {provider for provider, _ in intake.VIEWS}
    assert {(provider, kind) for provider, kind, _, _ in environment.WEBHOOKS} == set(intake.VIEWS)


@pytest.mark.parametrize("send", PROVIDERS)
def test_a_mail_that_a_provider_received_is_stored_before_it_hears_yes_and_moves(game: Game, send: Any) -> None:
    answer = send(Client(), email_of(game), "maryam@example.org", to(game))
    assert answer.status_code == 200, answer.content
    stored = RawMail.objects.get()
    assert stored.recipients == [to(game)]
    assert stored.sender == (None if send is mandrill else "maryam@example.org")
    mail_tasks.read_due(timezone.now())
    assert [move.state for move in Move.objects.filter(via="mail")] == ["applied"]


@pytest.mark.parametrize("send", [mailersend, mailgun])
def test_a_provider_may_send_more_than_others_but_not_without_end(game: Game, send: Any) -> None:
    large = email_of(game) + b"> an old mail\r\n" * (LARGEST // 10)
    assert send(Client(), large, "maryam@example.org", to(game)).status_code == 200
    assert len(RawMail.objects.get().raw) > LARGEST
    endless = email_of(game) + b"> an old mail\r\n" * (LARGEST // 2)
    assert send(Client(), endless, "maryam@example.org", to(game)).status_code == 400
    assert RawMail.objects.count() == 1


@pytest.mark.parametrize("send", PROVIDERS)
def test_a_request_with_a_wrong_proof_is_refused_and_nothing_is_stored(game: Game, send: Any) -> None:
    answer = send(Client(), email_of(game), "maryam@example.org", to(game), "another-key-that-is-wrong")
    assert answer.status_code == 400
    assert not RawMail.objects.exists()


@pytest.mark.parametrize("send", PROVIDERS)
def test_a_provider_without_a_secret_is_not_there(game: Game, settings: Any, send: Any) -> None:
    settings.MAIL_WEBHOOKS = {}
    assert send(Client(), email_of(game), "maryam@example.org", to(game)).status_code == 404
    assert not RawMail.objects.exists()


BODIES: Final = ("", "[]", "{}", '{"signature": 1}', '[{"msys": 3}]', "\x00", '{"Headers": [1], "Parts": 7}')


@pytest.mark.parametrize("key", [KEY, "wrong-key"])
@pytest.mark.parametrize("path", sorted({f"/anymail/{provider}/{kind}/" for provider, kind in intake.VIEWS}))
def test_whatever_a_stranger_sends_is_refused_and_is_no_failure_of_ours(path: str, key: str) -> None:
    user = base64.b64encode((USER if key == KEY else f"darbar:{key}").encode()).decode()
    for body in BODIES:
        for how in ({"data": body, "content_type": "application/json"}, {"data": {"event": body}}):
            answer = Client().post(path, headers={"Authorization": f"Basic {user}"}, **how)
            assert answer.status_code in (200, 400, 404), (body, answer.content)
            assert key == KEY or answer.status_code != 200
    assert not RawMail.objects.exists()


def test_mail_for_nobody_here_is_taken_off_the_providers_hands_and_not_stored(game: Game) -> None:
    raw = email_of(game, "stranger@localhost")
    assert mailgun(Client(), raw, "kaveh@example.org", "stranger@localhost").status_code == 200
    assert not RawMail.objects.exists()


def test_of_providers_that_name_no_envelope_the_headers_say_for_whom_it_is(game: Game) -> None:
    assert mandrill(Client(), email_of(game), "maryam@example.org", "inbound@localhost").status_code == 200
    assert RawMail.objects.get().recipients == [to(game)]


def test_an_unset_secret_is_no_provider_and_a_bad_one_is_refused_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name)
    assert environment.mail_webhooks() == {}
    for name, secret in (("MAILGUN_WEBHOOK_SIGNING_KEY", "short"), ("POSTMARK_WEBHOOK_SECRET", "without-its-user")):
        with monkeypatch.context() as patched:
            patched.setenv(name, secret)
            with pytest.raises(ImproperlyConfigured, match=name):
                environment.mail_webhooks()


@for_each("file", sorted((CORPUS / "honest").glob("*.eml"))[::4])
def test_a_mail_that_took_the_way_through_a_provider_reads_the_same(file: Path) -> None:
    raw = file.read_bytes()
    message = intake.AnymailInboundMessage.parse_raw_mime_bytes(raw)
    passed = intake.raw_message(message)
    assert parser.read(passed, ADDRESSES, server=SERVER) == parser.read(raw, ADDRESSES, server=SERVER)
