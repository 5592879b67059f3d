"""A server where not everybody may sign up."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import Account, CodeRequest
from games.lobby import invitations
from games.models import Invitation
from games.refusals import Refusal
from tests.third_game.table import NOON, create_fist, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["with_fist"]
BAHAREH = {"email": "bahareh@example.org", "password": "a long walk home", "name": "Bahareh"}
SAID = {
    "invitation": "New players join this server by invitation. Ask somebody who plays here to invite you to a game.",
    "closed": "This server takes no new players. Its operator makes the accounts.",
}


@pytest.fixture(params=["invitation", "closed"])
def way(request: pytest.FixtureRequest, settings: Any) -> str:
    settings.SIGN_UP = request.param
    return str(request.param)


def test_nobody_signs_up_or_tries_it_as_a_guest(way: str, client: Client) -> None:
    refused = client.post("/api/v1/accounts/", BAHAREH, "application/json")
    assert (refused.status_code, refused.json()["code"], refused.json()["detail"]) == (403, "forbidden", SAID[way])
    for answer in (
        client.get("/signup/"),
        client.post("/signup/", BAHAREH),
        client.post("/try/", {"rules": "coup"}, follow=True),
    ):
        assert (answer.status_code, SAID[way] in answer.text) == (403, True)
    assert not Account.objects.exists()
    assert not CodeRequest.objects.exists()


def test_the_first_page_offers_what_there_is(way: str, client: Client, settings: Any) -> None:
    buttons = ("Try it now", "Make an account")
    assert not any(button in client.get("/").text for button in buttons)
    settings.SIGN_UP = "open"
    assert all(button in client.get("/").text for button in buttons)


def invited(host: Account) -> Invitation:
    game = create_fist(host, seat_count=3)
    invitation = invitations.invite(game.pk, host, BAHAREH["email"], "en", NOON)
    return Invitation.objects.select_related("game", "inviter", "account").get(pk=invitation.pk)


def test_an_invitation_makes_an_account_unless_the_server_is_closed(settings: Any) -> None:
    host = Account.objects.create_user("maryam@example.org", name="Maryam")
    settings.SIGN_UP = "closed"
    with pytest.raises(Refusal, match="no new players"):
        invitations.join(invited(host), "Bahareh", "mail", NOON)
    assert Account.objects.get() == host
    settings.SIGN_UP = "invitation"
    assert invitations.join(invited(host), "Bahareh", "mail", NOON).email == BAHAREH["email"]
