"""The rate limits' table.

It is unlogged: it is written at every request, and losing it in a crash gives everybody a full allowance.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_moderation_actions_are_kept")]

    operations = [
        migrations.RunSQL(
            """CREATE UNLOGGED TABLE accounts_allowance (
                key varchar(120) PRIMARY KEY,
                full_at timestamptz NOT NULL
            ) WITH (fillfactor = 50)""",
            "DROP TABLE accounts_allowance",
        ),
    ]
