"""Pages about people: blocking, muting, reporting; taking one's data along, and leaving."""

import json

import pytest

from accounts import blocks
from accounts.models import Account, Block, Mute, Report
from games.tables.chat import send_message
from notifications.content import Code
from notifications.models import Notification
from tests.games.pages.at_home import Visitor
from tests.games.pages.conftest import opened
from tests.games.seated import NOON

pytestmark = pytest.mark.django_db
SECRET = "correct horse battery"


def at(account: Account, path: str) -> Visitor:
    visitor = Visitor(account)
    visitor.go(path)
    return visitor


def test_on_the_page_of_a_player_one_blocks_and_mutes_and_takes_it_back(maryam: Account, sepideh: Account) -> None:
    opened(maryam, sepideh, seat_count=2)
    visitor = at(maryam, "/players/سپیده/")
    page = visitor.send("/people/keep/", do="block")
    assert blocks.has_blocked(maryam.pk, sepideh.pk)
    assert "Unblock" in page.text
    assert "Unmute" in visitor.send("/people/keep/", do="mute").text
    assert Mute.objects.get().other == sepideh
    visitor.send("/people/keep/", do="unblock")
    visitor.send("/people/keep/", do="unmute")
    assert not Block.objects.exists()
    assert not Mute.objects.exists()
    assert "Block or mute" not in at(maryam, "/players/Maryam/").page.text


@pytest.mark.parametrize("sent", [{"name": "\0"}, {"do": "\0"}, {"do": "admire"}, {"name": "Nobody"}])
def test_nobody_is_kept_away_by_a_form_that_names_nobody_or_nothing(
    maryam: Account, sepideh: Account, sent: dict[str, str]
) -> None:
    opened(maryam, sepideh, seat_count=2)
    at(maryam, "/players/سپیده/").send("/people/keep/", status=404, **{"do": "block", **sent})
    assert not Block.objects.exists()


def test_what_was_said_is_reported_from_the_table(maryam: Account, sepideh: Account) -> None:
    game = opened(maryam, sepideh, seat_count=2)
    message = send_message(game, sepideh, None, "<b>something bad</b>", NOON)
    own_message = send_message(game, maryam, None, "what?", NOON)
    page = Visitor(maryam).go(f"/games/{game.pk}/")
    links = [link["href"] for link in page.all("a") if "/report/" in link["href"]]
    assert links == [f"/games/{game.pk}/report/{message.public_id}/", f"/games/{game.pk}/report/"]
    visitor = at(maryam, links[0])
    assert "<b>something bad</b>" in visitor.page.text
    assert "will look at it" in visitor.send(reason="An insult.").text
    assert Report.objects.get().evidence["text"] == "<b>something bad</b>"
    at(maryam, f"/games/{game.pk}/report/{own_message.public_id}/").send(status=422, reason="It is mine.")
    assert Report.objects.count() == 1


def test_a_player_is_reported_from_the_table(maryam: Account, sepideh: Account) -> None:
    game = opened(maryam, sepideh, seat_count=3, bots=1)
    visitor = at(maryam, f"/games/{game.pk}/report/")
    assert len(visitor.page.all("option")) == 1 + 2
    visitor.send(status=422, seat="2", kind="name", reason="")
    assert not Report.objects.exists()
    visitor.send(seat="2", kind="name", reason="The name.")
    assert (Report.objects.get().accused, Report.objects.get().kind) == (sepideh, "name")


def test_what_one_may_not_hear_cannot_be_reported(maryam: Account, sepideh: Account, bahareh: Account) -> None:
    game = opened(maryam, sepideh, seat_count=2)
    secret = send_message(game, maryam, 2, "Psst", NOON)
    Visitor(bahareh).go(f"/games/{game.pk}/report/{secret.public_id}/", 404)
    Visitor(sepideh).go(f"/games/{game.pk}/report/{secret.public_id}/")


def test_everything_about_me_is_one_file(maryam: Account) -> None:
    answer = Visitor(maryam).client.get("/settings/account/export/")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="darbar.json"'
    assert json.loads(answer.content)["account"]["email"] == "maryam@example.org"


def test_the_account_is_deleted_with_the_password_and_with_no_other(maryam: Account) -> None:
    maryam.set_password(SECRET)
    maryam.save()
    visitor = at(maryam, "/settings/account/")
    assert "This isn’t your password" in visitor.send(status=422, password="wrong").text
    assert "This isn’t the code" in visitor.send(status=422).text
    assert Account.objects.filter(pk=maryam.pk).exists()
    assert "Your account is deleted." in visitor.send(password=SECRET).text
    assert not Account.objects.filter(pk=maryam.pk).exists()


def test_without_a_password_a_code_comes_by_mail(maryam: Account) -> None:
    visitor = at(maryam, "/settings/account/")
    visitor.send("/settings/account/code/")
    (code,) = [block.text for block in Notification.objects.get().content().blocks if isinstance(block, Code)]
    assert "Your account is deleted." in visitor.send(code=code).text
    assert not Account.objects.exists()
