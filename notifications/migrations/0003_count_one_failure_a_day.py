from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("notifications", "0002_fewer_indexes"),
    ]

    operations = [
        migrations.AddField(
            model_name="deliverability",
            name="failed_at",
            field=ArrayField(models.DateTimeField(), null=True),
        ),
    ]
