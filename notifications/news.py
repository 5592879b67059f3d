"""News: emails from the operator to accounts that have agreed to get them."""

import uuid
from typing import ClassVar

from django.db import models


class News(models.Model):
    """A text of the operator in all languages of the server. It is stored once and never changed."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    words = models.JSONField()
    """``subject`` and ``text`` by language."""
    digest = models.BinaryField(max_length=32, unique=True)
    """SHA-256 of the words, so that the same text is sent only once."""
    written_at = models.DateTimeField()
    readers = models.PositiveIntegerField()
    """The number of accounts that it was ordered for."""

    class Meta:
        ordering: ClassVar = ["-written_at"]

    def __str__(self) -> str:
        return str(self.id)

    @property
    def subject(self) -> str:
        """The subjects in all languages."""
        return " · ".join(words["subject"] for words in self.words.values())

    @property
    def text(self) -> str:
        """The texts in all languages, one after another."""
        return "\n\n".join(words["text"] for words in self.words.values())
