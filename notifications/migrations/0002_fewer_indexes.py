"""Two indexes less that each change of a notification wrote: of prefixes of keys, and of leads where there is none."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("notifications", "0001_initial"),
    ]

    operations = [
        # First what locks the table against everybody: who has it read, and waits to write, would be a deadlock.
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL("DROP INDEX notifications_notification_key_21d62a12_like"),
                migrations.RunSQL("DROP INDEX notifications_notification_lead_id_3a386c16"),
            ],
            state_operations=[
                migrations.AlterField(
                    model_name="notification", name="key", field=models.CharField(max_length=200)
                ),
                migrations.AddConstraint(
                    model_name="notification",
                    constraint=models.UniqueConstraint(fields=("key",), name="notifications_notification_key_key"),
                ),
                migrations.AlterField(
                    model_name="notification",
                    name="lead",
                    field=models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="gathered",
                        to="notifications.notification",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="notification",
            index=models.Index(
                condition=models.Q(("lead__isnull", False)), fields=["lead"], name="notifications_gathered"
            ),
        ),
    ]
