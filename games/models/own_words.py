"""Lengths of the words that people give to something of theirs."""

from typing import Final

LONGEST_NAME: Final = 60
LONGEST_ABOUT: Final = 300
