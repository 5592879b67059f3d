"""Invitations over HTTP: who may do what with them, and that the answers tell nothing about the invited."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from accounts import blocks
from accounts.models import Account
from games.models import Game, Invitation
from games.tables import invitations
from notifications import deliverability
from notifications.models import Notification
from tests.games.api.conftest import client
from tests.third_game.table import create_fist

pytestmark = pytest.mark.django_db

ASKED = {"email": "Dariush@Example.com", "language": "fa"}


@pytest.fixture
def table(maryam: Account, bahareh: Account) -> Game:
    """A public table at which two sit, with room for one more."""
    return create_fist(maryam, bahareh, seat_count=3)


def at(game: Game, invitation: Any = None) -> str:
    path = f"/api/v1/games/{game.id}/invitations/"
    return f"{path}{invitation}/" if invitation else path


def invite(account: Account, game: Game, data: Any = None, **headers: str) -> Any:
    return client(account).post(at(game), data or ASKED, format="json", headers=headers)


def test_an_invitation_is_made_and_can_be_looked_at(table: Game, maryam: Account) -> None:
    answer = invite(maryam, table)
    assert answer.status_code == 201, answer.content
    invitation = answer.json()
    assert answer["Location"] == at(table, invitation["id"])
    assert client(maryam).get(answer["Location"]).json() == invitation
    assert invitation | {"id": "", "created_at": ""} == {
        "id": "",
        "email": "dariush@example.com",
        "inviter": "Maryam",
        "language": "fa",
        "seat": None,
        "state": "open",
        "created_at": "",
        "answered_at": None,
    }
    assert Notification.objects.get(reason="invitation").destination() == "dariush@example.com"


def test_a_line_of_the_inviters_own_goes_with_it(table: Game, maryam: Account) -> None:
    assert invite(maryam, table, {**ASKED, "note": "Come and play!"}).status_code == 201
    assert Invitation.objects.get().note == "Come and play!"


@pytest.mark.parametrize(
    ("data", "pointer"),
    [
        ({"language": "en"}, "#/email"),
        ({"email": "dariush", "language": "en"}, "#/email"),
        ({"email": "a@b.example\nBcc: c@d.example", "language": "en"}, "#/email"),
        ({"email": "a@b.example"}, "#/language"),
        ({"email": "a@b.example", "language": "tlh"}, "#/language"),
        ({"email": "a@b.example", "language": "en", "text": "Buy!"}, "#/text"),
        ({"email": "a@b.example", "language": "en", "note": "x" * 201}, "#/note"),
        ({"email": "a@b.example", "language": "en", "note": "See https://example.com"}, "#/note"),
    ],
)
def test_a_wrong_field_is_named_and_nobody_is_invited(
    table: Game, maryam: Account, data: dict[str, Any], pointer: str
) -> None:
    answer = invite(maryam, table, data)
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, pointer)
    assert not Invitation.objects.exists()


def test_each_role_may_do_its_own(table: Game, maryam: Account, bahareh: Account, kaveh: Account) -> None:
    invitation_id = invite(maryam, table).json()["id"]
    private = create_fist(maryam, seat_count=3, private=True)
    secret = invite(maryam, private, {"email": "sara@example.com", "language": "en"}).json()["id"]
    other = {"email": "mina@example.com", "language": "en"}

    def statuses(program: APIClient, game: Game, invitation: str) -> list[int]:
        one = at(game, invitation)
        answers = [program.get(at(game)), program.get(one), program.delete(one)]
        return [*(answer.status_code for answer in answers), program.post(at(game), other, format="json").status_code]

    assert statuses(APIClient(), table, invitation_id) == [401, 401, 401, 401]
    assert statuses(client(kaveh), private, secret) == [404, 404, 404, 404]
    assert statuses(client(kaveh), table, invitation_id) == [403, 403, 403, 403]
    assert statuses(client(bahareh, "games:read"), table, invitation_id) == [200, 200, 403, 403]
    assert statuses(client(bahareh), table, invitation_id) == [200, 200, 403, 201]
    assert statuses(client(maryam), table, invitation_id) == [200, 200, 204, 201]
    assert client(maryam).get(at(table, secret)).status_code == 404


def test_players_see_what_came_of_an_invitation_and_only_its_sender_sees_the_address(
    table: Game, maryam: Account, bahareh: Account
) -> None:
    invitation = invite(maryam, table).json()
    for account, address in ((maryam, "dariush@example.com"), (bahareh, None)):
        (listed,) = client(account).get(at(table)).json()["results"]
        assert listed == invitation | {"email": address}
    client(maryam).post(f"/api/v1/games/{table.id}/start/")
    (listed,) = client(bahareh).get(at(table)).json()["results"]
    assert listed["state"] == "lapsed"
    assert invite(maryam, table, {"email": "sara@example.com", "language": "en"}).status_code == 409


def test_the_answer_is_the_same_whoever_owns_the_address_and_whatever_they_want(
    maryam: Account, kaveh: Account, sepideh: Account
) -> None:
    deliverability.suppress("silent@example.org", timezone.now())
    blocks.block(sepideh, maryam, timezone.now())
    answers = []
    for address in ("nobody@example.org", "silent@example.org", kaveh.email, sepideh.email, maryam.email):
        answer = invite(maryam, create_fist(maryam, seat_count=3), {"email": address, "language": "en"})
        body = answer.json() | {"id": "", "email": "", "created_at": ""}
        answers.append((answer.status_code, body, sorted(answer.headers)))
    assert answers == [answers[0]] * 5


def test_too_many_invitations_are_refused_with_the_bound(table: Game, maryam: Account, bahareh: Account) -> None:
    assert invite(maryam, table).status_code == 201
    assert invite(bahareh, table).status_code == 201
    assert invite(maryam, create_fist(maryam, seat_count=3)).status_code == 201
    answer = invite(bahareh, create_fist(bahareh, seat_count=3), ASKED | {"email": "dariush+games@example.com"})
    assert (answer.status_code, answer.json()["code"]) == (429, "rate-limited")
    assert "at most 3 invitations a day" in answer.json()["detail"]
    assert 0 < int(answer["Retry-After"]) <= timedelta(days=1).total_seconds()


def test_one_key_invites_once(table: Game, maryam: Account) -> None:
    answers = [invite(maryam, table, **{"Idempotency-Key": "k1"}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 201]
    assert len({answer["Location"] for answer in answers}) == Invitation.objects.count() == 1


def test_an_accepted_invitation_is_not_taken_back_and_a_declined_one_is(table: Game, maryam: Account) -> None:
    first, second = (
        invite(maryam, table, {"email": f"{name}@example.com", "language": "en"}).json()["id"] for name in "ab"
    )
    now = timezone.now()
    invitations.decline(Invitation.objects.select_related("game").get(pk=second), now)
    assert client(maryam).get(at(table, second)).json()["state"] == "declined"
    assert client(maryam).delete(at(table, second)).status_code == 204
    assert client(maryam).delete(at(table, second)).status_code == 204
    assert client(maryam).get(at(table, second)).json()["state"] == "withdrawn"
    invitations.join(Invitation.objects.select_related("game", "inviter").get(pk=first), "Anahita", "mail", now)
    assert client(maryam).delete(at(table, first)).status_code == 409
    assert client(maryam).get(at(table, first)).json()["state"] == "joined"
