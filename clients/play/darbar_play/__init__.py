"""Play on a Darbar server in a terminal."""

__version__ = "2026.11.29"
