"""Client of a Darbar server: ``Darbar`` for threads, ``AsyncDarbar`` for asyncio."""

from darbar_client._generated import types
from darbar_client.aio import AsyncDarbar
from darbar_client.client import Darbar
from darbar_client.errors import DarbarError, NotModified, Refused, Unreachable
from darbar_client.messages import Message
from darbar_client.promises import DealRefused, Promises

__all__ = [
    "AsyncDarbar",
    "Darbar",
    "DarbarError",
    "DealRefused",
    "Message",
    "NotModified",
    "Promises",
    "Refused",
    "Unreachable",
    "types",
]
__version__ = "2026.11.29"
"""The version of the API that it was generated from, and of the client."""
