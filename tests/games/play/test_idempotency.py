"""An idempotency key has one effect."""

import hashlib
from datetime import timedelta
from typing import Any

import pytest

from accounts import idempotency
from accounts.idempotency import Effect, IdempotencyConflict, Request, Run
from accounts.models import Account, IdempotencyKey
from games.models import Game
from games.play import timeouts
from games.refusals import Refusal, not_found
from tests.third_game.table import LATER, NOON, create_fist, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["with_fist"]


def request(account: Account, key: str = "k", body: bytes = b"{}", path: str = "/a", method: str = "POST") -> Request:
    return Request(account, method, path, key, body)


class Counting:
    """An effect that says how often it was had."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> Effect:
        self.times += 1
        return Effect(f"/made/{self.times}")


def test_a_repeated_request_has_its_effect_once_and_gives_the_same_location(maryam: Account) -> None:
    effect = Counting()
    assert idempotency.run_once(request(maryam), effect, NOON) == Run("/made/1")
    assert idempotency.run_once(request(maryam), effect, LATER) == Run("/made/1", first_at=NOON)
    assert effect.times == 1


def test_a_key_with_another_body_is_refused(maryam: Account) -> None:
    idempotency.run_once(request(maryam), Counting(), NOON)
    with pytest.raises(IdempotencyConflict, match="key-reused"):
        idempotency.run_once(request(maryam, body=b"[]"), Counting(), NOON)


def test_a_key_belongs_to_an_account(maryam: Account, bahareh: Account) -> None:
    effect = Counting()
    for other in (request(maryam), request(bahareh), request(maryam, key="l")):
        idempotency.run_once(other, effect, NOON)
    assert effect.times == 3


@pytest.mark.parametrize("other", [{"path": "/b"}, {"method": "PUT"}], ids=["path", "method"])
def test_a_key_at_another_address_is_refused(other: dict[str, str], maryam: Account) -> None:
    idempotency.run_once(request(maryam), Counting(), NOON)
    with pytest.raises(IdempotencyConflict, match="key-reused"):
        idempotency.run_once(request(maryam, **other), Counting(), NOON)


def test_nobody_who_reads_the_database_can_try_out_what_a_body_said(maryam: Account) -> None:
    idempotency.run_once(request(maryam, body=b"secret"), Counting(), NOON)
    assert bytes(IdempotencyKey.objects.get().fingerprint) != hashlib.sha256(b"secret").digest()


def test_a_key_outlives_a_change_of_the_secret_key(maryam: Account, settings: Any) -> None:
    idempotency.run_once(request(maryam), Counting(), NOON)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another" * 10
    assert idempotency.run_once(request(maryam), Counting(), LATER).first_at == NOON


def test_an_effect_that_fails_leaves_no_key(maryam: Account) -> None:
    def failing() -> Effect:
        raise Refusal("conflict", not_found().phrase)

    with pytest.raises(Refusal):
        idempotency.run_once(request(maryam), failing, NOON)
    assert idempotency.run_once(request(maryam), Counting(), NOON) == Run("/made/1")


def test_without_a_key_every_request_has_its_effect(maryam: Account) -> None:
    effect = Counting()
    idempotency.run_once(request(maryam, key=""), effect, NOON)
    idempotency.run_once(request(maryam, key=""), effect, NOON)
    assert effect.times == 2
    assert not IdempotencyKey.objects.exists()


def test_keys_are_kept_to_the_games_end_else_for_thirty_days(maryam: Account, bahareh: Account) -> None:
    running, over = create_fist(maryam, bahareh), create_fist(maryam, bahareh)
    for key, game in (("running", running.id), ("over", over.id), ("none", None)):
        idempotency.run_once(request(maryam, key=key), lambda game=game: Effect("/x", game), NOON)
    Game.objects.filter(pk=over.id).update(state=Game.State.OVER, ended_at=NOON)
    timeouts.forget_keys(NOON + timedelta(days=29))
    assert {idempotency_key.key for idempotency_key in IdempotencyKey.objects.all()} == {"running", "none"}
    timeouts.forget_keys(NOON + timedelta(days=31))
    assert {idempotency_key.key for idempotency_key in IdempotencyKey.objects.all()} == {"running"}
