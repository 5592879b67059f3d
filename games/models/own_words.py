"""Maximum lengths of names and descriptions that people write."""

from typing import Final

LONGEST_NAME: Final = 60
LONGEST_ABOUT: Final = 300
