"""The cast, each with a program that has a token."""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from django.db import connections
from rest_framework.test import APIClient

from accounts import tokens
from accounts.models import Account
from accounts.tokens import ALL
from games.models import Game
from games.play.locked_game import lock_game
from tests.third_game.table import create_fist, with_fist

__all__ = ["with_fist"]


def client(account: Account, *scopes: str) -> APIClient:
    """A program with a token of this account."""
    _, token_text = tokens.issue(account, "test", list(scopes or ALL))
    program = APIClient()
    program.credentials(HTTP_AUTHORIZATION=f"Bearer {token_text}")
    return program


@pytest.fixture
def game(maryam: Account, bahareh: Account, sepideh: Account) -> Game:
    """A public table at which three play."""
    return create_fist(maryam, bahareh, sepideh)


@pytest.fixture
def hidden(maryam: Account, bahareh: Account) -> Game:
    """A private table at which two play."""
    return create_fist(maryam, bahareh, private=True)


@pytest.fixture
def lie_in_wait() -> Callable[[Game], AbstractContextManager[None]]:
    """Holds a game on a connection of its own."""

    @contextmanager
    def holding(game: Game) -> Iterator[None]:
        has_lock, may_release = threading.Event(), threading.Event()

        def hold() -> None:
            with lock_game(game.id, game.created_at):
                has_lock.set()
                may_release.wait(30)
            connections.close_all()

        thread = threading.Thread(target=hold)
        thread.start()
        assert has_lock.wait(10)
        yield
        may_release.set()
        thread.join(10)

    return holding
