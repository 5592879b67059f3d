"""Signatures of the server, as the libraries of Standard Webhooks take them in Python and in JavaScript."""

import json
from pathlib import Path
from typing import Final

import pytest
from django.utils import timezone
from standardwebhooks import Webhook as Checker
from standardwebhooks import WebhookVerificationError

from accounts.models import Account
from bench.node import NODE
from notifications import webhooks
from notifications.endpoints import Webhook
from tests.clients.conftest import run
from tests.clients.test_generated import typescript

pytestmark = pytest.mark.django_db

CHECK: Final = """
import { createRequire } from "node:module";
const { Webhook } = createRequire("%s/")("standardwebhooks");
const { secret, headers, body } = JSON.parse(process.argv[2]);
console.log(new Webhook(secret).verify(body, headers).type);
try {
    new Webhook(secret).verify(body.replace("test", "game"), headers);
} catch (error) {
    console.log(error.message);
}
"""
"""The type of a message, and the error in another one."""


def test_a_message_is_taken_in_both_languages_and_a_forged_one_is_not(maryam: Account, tmp_path: Path) -> None:
    now = timezone.now()
    webhook = Webhook.objects.create(account=maryam, url="https://darbar.example/", kinds=["question"], created_at=now)
    request = webhooks.outgoing_request(webhooks.test(webhook, now), webhook, now)
    secret, body = webhooks.secret(webhook), request.body.decode()
    assert Checker(secret).verify(body, request.headers)["type"] == "test"
    with pytest.raises(WebhookVerificationError):
        Checker(secret).verify(body.replace("test", "game"), request.headers)
    program = tmp_path / "check.mjs"
    program.write_text(CHECK % typescript())
    text = run([NODE, program, json.dumps({"secret": secret, "headers": dict(request.headers), "body": body})])
    assert text == "test\nNo matching signature found\n"
