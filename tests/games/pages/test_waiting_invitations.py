"""Invitations on the pages of those who are invited, and of those who invite."""

import pytest
from django.utils import timezone

from accounts import blocks
from accounts.models import Account
from games.tables import invitations
from tests.games.pages.at_home import Visitor
from tests.games.pages.conftest import opened

pytestmark = pytest.mark.django_db


def test_the_first_page_shows_who_invites_me_and_the_host_sees_who_has_not_answered(
    maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    game = opened(maryam, seat_count=3)
    host = Visitor(maryam)
    host.go(f"/games/{game.pk}/")
    host.send(f"/games/{game.pk}/invite/", address=sepideh.email, language="fa")
    assert sepideh.email in host.go(f"/games/{game.pk}/").text
    assert "invites you" not in Visitor(bahareh).go("/").text
    guest = Visitor(sepideh)
    page = guest.go("/")
    assert "Maryam" in page.text
    (link,) = (element["href"] for element in page.all("a") if "/invitation/" in element["href"])
    assert guest.client.get(link).status_code == 200
    withdrawal = next(form["action"] for form in host.page.forms if "/invite/" in form["action"][:-20])
    assert "Invitation withdrawn." in host.send(withdrawal).text
    assert sepideh.email not in host.page.text
    assert not [element for element in guest.go("/").all("a") if "/invitation/" in element["href"]]


def test_an_invitation_of_somebody_whom_i_block_is_not_on_my_first_page(maryam: Account, sepideh: Account) -> None:
    game = opened(maryam, seat_count=3)
    invitations.invite(game.pk, maryam, sepideh.email, "fa", timezone.now())
    assert "/invitation/" in str(Visitor(sepideh).go("/").all("a"))
    blocks.block(sepideh, maryam, timezone.now())
    assert "/invitation/" not in str(Visitor(sepideh).go("/").all("a"))
