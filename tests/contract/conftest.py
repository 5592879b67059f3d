"""The cast of the API's tests."""

from tests.games.api.conftest import bahareh, kaveh, maryam, sepideh

__all__ = ["bahareh", "kaveh", "maryam", "sepideh"]
