import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [('accounts', '0004_reports')]

    operations = [
        migrations.CreateModel(
            name='IdempotencyKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('method', models.CharField(max_length=10)),
                ('path', models.CharField(max_length=200)),
                ('key', models.CharField(max_length=200)),
                ('fingerprint', models.BinaryField(max_length=32)),
                ('location', models.CharField(max_length=200)),
                ('game', models.UUIDField(null=True)),
                ('created_at', models.DateTimeField()),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('account', 'method', 'path', 'key'), name='one_effect_an_idempotency_key')],
            },
        ),
    ]
