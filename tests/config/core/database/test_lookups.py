"""Lookups that Django does not have."""

from uuid import uuid4

import pytest

from accounts.models import Account
from games.models import Game, Move

pytestmark = pytest.mark.django_db


def test_any_finds_the_same_rows_as_in(maryam: Account, kaveh: Account, bahareh: Account) -> None:
    ids = {maryam.pk, bahareh.pk}
    for accounts in (Account.objects.all(), Account.objects.exclude(pk=maryam.pk)):
        assert {*accounts.filter(pk__any=ids)} == {*accounts.filter(pk__in=ids)}
        assert {*accounts.exclude(pk__any=ids)} == {*accounts.exclude(pk__in=ids)}
    assert not Account.objects.filter(pk__any=[]).exists()


def test_any_takes_more_ids_than_a_statement_takes_parameters(maryam: Account) -> None:
    ids = [uuid4() for _ in range(70_000)]
    assert not Move.objects.filter(game__any=ids).exists()
    assert not Game.objects.exclude(pk__any=ids).exists()
