"""The secrets that the servers of some channels ask for, encrypted."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("notifications", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="preferences",
            name="secrets",
            field=models.JSONField(default=dict),
        ),
    ]
