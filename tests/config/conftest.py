"""The cast."""

from tests.cast import bahareh, maryam, sepideh

__all__ = ["bahareh", "maryam", "sepideh"]
