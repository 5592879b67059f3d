"""Digests of the whole database, for tests of requests that must change nothing."""

from django.db import connection


def table_digests(*, without: set[str]) -> dict[str, str | None]:
    """Return a digest of the rows of each table, by its name. One statement reads all tables."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        tables = {name for (name,) in cursor.fetchall()} - without
        cursor.execute(
            " UNION ALL ".join(
                f"SELECT '{table}', md5(string_agg(t::text, chr(10) ORDER BY t::text)) FROM \"{table}\" AS t"
                for table in sorted(tables)
            )
        )
        return dict(cursor.fetchall())
