"""News: what the operator writes by email to those who agreed to get it."""

import uuid
from typing import ClassVar

from django.db import models


class News(models.Model):
    """One text of the operator, in every language of the server. It is written once, and never changed."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    words = models.JSONField()
    """For each language ``{"subject", "text"}``."""
    digest = models.BinaryField(max_length=32, unique=True)
    """SHA-256 of the words: the same text goes out once."""
    written_at = models.DateTimeField()
    readers = models.PositiveIntegerField()
    """The number of people it was ordered for."""

    class Meta:
        ordering: ClassVar = ["-written_at"]

    def __str__(self) -> str:
        return str(self.id)

    @property
    def subject(self) -> str:
        """Its subjects in all languages."""
        return " · ".join(said["subject"] for said in self.words.values())

    @property
    def text(self) -> str:
        """Its texts in all languages, one after another."""
        return "\n\n".join(said["text"] for said in self.words.values())
