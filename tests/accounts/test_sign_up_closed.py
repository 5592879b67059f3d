"""A server with closed sign-up."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import Account, CodeRequest
from games.models import Invitation
from games.refusals import Refusal
from games.tables import invitations
from tests.accounts.people import PASSWORD, Person
from tests.games.pages.at_home import Visitor
from tests.third_game.table import NOON, create_fist, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["with_fist"]
BAHAREH = {"email": "bahareh@example.org", "password": "a long walk home", "name": "Bahareh"}
SAID = {
    "invitation": "New players join this server by invitation. Ask someone who plays here to invite you to a game.",
    "closed": "This server isn’t taking new players. Its operator makes the accounts.",
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
    with pytest.raises(Refusal, match="isn’t taking new players"):
        invitations.join(invited(host), "Bahareh", "mail", NOON)
    assert Account.objects.get() == host
    settings.SIGN_UP = "invitation"
    assert invitations.join(invited(host), "Bahareh", "mail", NOON).email == BAHAREH["email"]


def test_the_operator_makes_an_account_whose_owner_sets_the_password_with_a_code(settings: Any) -> None:
    settings.SIGN_UP = "closed"
    output = StringIO()
    call_command("createaccount", BAHAREH["email"], "Bahareh", "--language", "fa", stdout=output)
    assert (
        output.getvalue()
        == f"Bahareh now has an account. They can set a password at {settings.PUBLIC_URL}/password/.\n"
    )
    assert not Account.objects.get().has_usable_password()
    bahareh, visitor = Person("Bahareh"), Visitor()
    bahareh.email = BAHAREH["email"]
    visitor.go("/password/")
    visitor.send(email=bahareh.email)
    visitor.send(code=bahareh.code(), password=PASSWORD)
    assert bahareh.ask_for_token(email=bahareh.email).status_code == 201
    assert Account.objects.get().language == "fa"


@pytest.mark.parametrize(
    ("address", "name", "problem"),
    [
        ("nowhere", "Bahareh", "email: Enter a valid email address."),
        ("bahareh@example.org", "", "name: This field is required."),
        ("maryam@example.org", "Maryam", "maryam@example.org already has an account."),
        ("bahareh@example.org", "Maryam", "name: This name is taken. Choose another one."),
    ],
)
def test_an_account_that_cannot_be_made_is_refused_with_its_fault(address: str, name: str, problem: str) -> None:
    host = Account.objects.create_user("maryam@example.org", name="Maryam")
    with pytest.raises(CommandError) as refused:
        call_command("createaccount", address, name)
    assert str(refused.value) == problem
    assert Account.objects.get() == host
