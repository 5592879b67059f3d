from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0005_idempotency_key'),
    ]

    operations = [
        migrations.AddField('account', 'sleep_from', models.TimeField(null=True, blank=True)),
        migrations.AddField('account', 'sleep_to', models.TimeField(null=True, blank=True)),
        migrations.AddField('account', 'vacations', models.JSONField(default=list, blank=True)),
        migrations.AddConstraint(
            'account',
            models.CheckConstraint(
                condition=models.Q(sleep_from__isnull=True, sleep_to__isnull=True)
                | models.Q(sleep_from__isnull=False, sleep_to__isnull=False),
                name='sleep_begins_and_ends',
            ),
        ),
    ]
