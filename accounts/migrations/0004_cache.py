"""The table of the cache, as ``createcachetable`` makes it, so that ``migrate`` alone makes a whole database."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_rate_limits")]

    operations = [
        migrations.RunSQL(
            """
            CREATE TABLE IF NOT EXISTS cache (
                cache_key varchar(255) NOT NULL PRIMARY KEY,
                value text NOT NULL,
                expires timestamp with time zone NOT NULL
            );
            CREATE INDEX IF NOT EXISTS cache_expires ON cache (expires);
            """,
            "DROP TABLE cache",
        )
    ]
