"""No name or description that others read has a link, an address or a phone number, wherever it is given."""

from collections.abc import Callable
from typing import Any

import pytest
from allauth.idp.oidc.models import Client as App
from django.apps import apps
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import models

from accounts import email_addresses
from accounts.authentication.sign_up import SignupForm
from accounts.models import Account
from accounts.tokens import validate_app_name
from games.clubs import change_club, create_club
from games.models import Club, Game, Invitation, Seat, Tournament
from games.refusals import Refusal
from games.tables import invitations
from games.tables.new_game import NewGame
from games.tables.starting import create_game
from games.user_texts import check_about, check_name
from tests.examples import read_examples
from tests.third_game.table import NOON

EXAMPLES = read_examples(__file__)

BAD = EXAMPLES["bad"]
CHECKED = {
    (Account, "name"), (Club, "name"), (Club, "about"), (Tournament, "name"), (Tournament, "about"), (App, "name"),
    (Invitation, "note"),
}  # fmt: skip
"""Fields that the tests below try."""
EXEMPT = EXAMPLES["exempt"]
_WORDS = ("name", "title", "about", "note", "label", "slogan", "motto")


def test_every_name_is_tried_here_or_has_a_reason_not_to_be() -> None:
    all_models = [model for model in apps.get_models() if model._meta.app_label != "migrations"]
    fields = {
        (model, field.name)
        for model in all_models
        for field in model._meta.local_concrete_fields
        if isinstance(field, models.CharField | models.TextField) and field.name.rpartition("_")[2] in _WORDS
    }
    others = {f"{model._meta.app_label}.{model.__name__}.{name}" for model, name in fields - CHECKED}
    assert others <= EXEMPT.keys(), f"neither tried nor exempt: {others - EXEMPT.keys()}"
    assert fields >= CHECKED
    assert Seat in apps.get_models()


@pytest.fixture
def game(maryam: Account) -> Game:
    return create_game(maryam, NewGame(rules="coup", seat_count=3), "api", NOON)


@pytest.mark.parametrize("text", BAD)
def test_no_such_name_or_text_is_taken_anywhere(maryam: Account, game: Game, text: str) -> None:
    club = create_club(maryam, "The club", "", NOON)
    attempts: dict[str, Callable[[], Any]] = {
        "account": lambda: email_addresses.rename(maryam, text),
        "full account": lambda: Account(email="a@darbar.example", name=text).full_clean(),
        "app": lambda: validate_app_name(text),
        "club": lambda: create_club(maryam, text, "", NOON),
        "club's description": lambda: create_club(maryam, "Another club", text, NOON),
        "club's new name": lambda: change_club(club, name=text),
        "club's new description": lambda: change_club(club, about=text),
        "tournament's name": lambda: check_name(text),
        "tournament's description": lambda: check_about(text),
        "note": lambda: invitations.invite(game.pk, maryam, "kaveh@example.org", "en", NOON, note=text),
        "createaccount": lambda: call_command("createaccount", "b@darbar.example", text),
        "register_app": lambda: call_command("register_app", text, "https://bot.example/back"),
    }
    for place, attempt in attempts.items():
        with pytest.raises((ValidationError, Refusal, CommandError)) as refused:
            attempt()
        assert "looks like a link" in _words(refused.value), place
    assert "looks like a link" in str(SignupForm({"email": "c@darbar.example", "name": text}).errors["name"])


def _words(error: Exception) -> str:
    if isinstance(error, Refusal):
        return error.phrase.text + str(error.phrase.values)
    return str(error)


def test_a_newcomer_by_email_is_not_called_after_a_link(maryam: Account) -> None:
    account = email_addresses.create_account_for("kaveh@example.org", "evil.example", "en", NOON)
    assert account.name == "Kaveh"
