"""An index of idempotency keys by account and key: a key belongs to one request, at whatever address."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [('accounts', '0001_initial')]

    operations = [
        migrations.AddIndex(
            model_name='idempotencykey',
            index=models.Index(fields=['account', 'key'], name='idempotency_key_of_account'),
        ),
    ]
