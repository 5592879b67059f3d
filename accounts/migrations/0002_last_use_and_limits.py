"""When a token was last used, codes and refresh tokens that are spent, and the rate limits' table.

The last one is unlogged: it is written at every request, and losing it in a crash gives everybody a full allowance.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_first")]

    operations = [
        migrations.AddField("token", "last_used_at", models.DateTimeField(null=True)),
        migrations.CreateModel(
            name="Spent",
            fields=[
                ("digest", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("client", models.CharField(max_length=100)),
                ("spent_at", models.DateTimeField()),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.RunSQL(
            """CREATE UNLOGGED TABLE accounts_allowance (
                key varchar(120) PRIMARY KEY,
                full_at timestamptz NOT NULL
            ) WITH (fillfactor = 50)""",
            "DROP TABLE accounts_allowance",
        ),
    ]
