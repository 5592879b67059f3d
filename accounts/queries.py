"""The SQL of ``accounts``: tokens, and rate limits, whose unlogged table has no model. Other queries are querysets."""

from typing import Final

# Takes units from a limit. Returns no row for a key without enough units. A key cannot owe more than a window: if it
# seems to, its row was written by a clock that has been set back.
TAKE_UNITS: Final = """
    INSERT INTO accounts_allowance AS mine (key, full_at) VALUES (%(key)s, %(now)s + %(each)s)
    ON CONFLICT (key) DO UPDATE
    SET full_at = excluded.full_at
        + CASE WHEN mine.full_at BETWEEN %(now)s AND %(full)s THEN mine.full_at - %(now)s ELSE interval '0' END
    WHERE mine.full_at + (excluded.full_at - %(now)s) <= %(full)s OR mine.full_at > %(full)s
    RETURNING full_at
"""

# Reads the time at which a limit is full again.
FULL_AT: Final = "SELECT full_at FROM accounts_allowance WHERE key = %s"

# Gives units back to a limit.
GIVE_BACK_UNITS: Final = "UPDATE accounts_allowance SET full_at = full_at - %s WHERE key = %s"

# Deletes the limits that are full since a time. Rows that are locked elsewhere are in use, and skipped.
DELETE_FULL_LIMITS: Final = """
    DELETE FROM accounts_allowance
    WHERE key IN (SELECT key FROM accounts_allowance WHERE full_at < %s FOR UPDATE SKIP LOCKED)
"""

# Finds a valid personal token, and its account. Every request of a program needs it, and Django builds a queryset more
# slowly than PostgreSQL runs it.
VALID_TOKEN: Final = """
    SELECT {token}, {account}
    FROM accounts_token AS token JOIN accounts_account AS account ON account.id = token.user_id
    WHERE token.digest = %(digest)s AND account.is_active AND (token.expiry IS NULL OR token.expiry >= %(now)s)
"""
