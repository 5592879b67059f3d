"""The list of deleted accounts: a file outside the database, so that a restored backup does not bring them back.

Each line has the time of the deletion, the number of the account and the time of its creation. The number alone is not
enough, because a restored database may give it to another account.
"""

import logging
import os
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Final

from django.conf import settings

from config.core.clock import write_moment
from config.core.logs import describe_error

logger = logging.getLogger(__name__)

# The name of the file in ``DATA_DIR``.
NAME: Final = "deleted-accounts"


class UnreadableList(Exception):
    """A file is not a list of deleted accounts. The message names the first bad line."""


# The number of an account, and the time of its creation.
Identity = tuple[int, datetime]


def own_list() -> Path:
    """Return the path of the list in this machine's ``DATA_DIR``."""
    return Path(settings.DATA_DIR) / NAME


def add(account: Identity, now: datetime) -> None:
    """Add a deleted account to the list. If the disk refuses it, the error is logged."""
    number, made_at = account
    line = f"{write_moment(now)} {number} {write_moment(made_at)}\n".encode()
    try:
        file = os.open(own_list(), os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            os.write(file, line)
            os.fsync(file)
        finally:
            os.close(file)
    except OSError as error:
        logger.error("account %d is deleted and not on the list of deleted accounts: %s", number, describe_error(error))


def read(files: Iterable[Path]) -> set[Identity]:
    """Return the accounts on these lists. Raises UnreadableList."""
    return {account for file in files for account in _parse(file)}


def _parse(file: Path) -> Iterable[Identity]:
    try:
        lines = file.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableList(f"{file} is no list of deleted accounts that can be read.") from error
    for number, line in enumerate(lines, 1):
        try:
            _, account, made_at = line.split(" ")
            yield int(account), datetime.fromisoformat(made_at)
        except ValueError:
            raise UnreadableList(
                f"{file} is no list of deleted accounts: its line {number} is {line[:60]!r}."
            ) from None
