import django.contrib.postgres.fields
import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('notifications', '0006_reach'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='preferences',
            name='channels',
            field=models.JSONField(default=dict),
        ),
        migrations.CreateModel(
            name='Device',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(blank=True, max_length=100)),
                ('endpoint', models.CharField(max_length=2000, unique=True)),
                ('p256dh', models.CharField(max_length=100)),
                ('auth', models.CharField(max_length=40)),
                ('created_at', models.DateTimeField()),
                ('failures', models.PositiveIntegerField(default=0)),
                ('next_attempt_at', models.DateTimeField()),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='devices', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('url', models.CharField(max_length=2000)),
                ('kinds', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), size=None)),
                ('secret_number', models.PositiveIntegerField(default=1)),
                ('rotated_at', models.DateTimeField(null=True)),
                ('created_at', models.DateTimeField()),
                ('disabled_at', models.DateTimeField(null=True)),
                ('failing_since', models.DateTimeField(null=True)),
                ('failures', models.PositiveIntegerField(default=0)),
                ('next_attempt_at', models.DateTimeField()),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='webhooks', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Delivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField()),
                ('kind', models.CharField(max_length=20)),
                ('data', models.JSONField()),
                ('at', models.DateTimeField()),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('delivered', 'Delivered'), ('failed', 'Failed')], default='waiting', max_length=10)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('next_attempt_at', models.DateTimeField()),
                ('tried_at', models.DateTimeField(null=True)),
                ('status', models.PositiveSmallIntegerField(null=True)),
                ('failure', models.CharField(blank=True, max_length=30)),
                ('webhook', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='notifications.webhook')),
            ],
        ),
        migrations.CreateModel(
            name='Signal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('xid', models.BigIntegerField()),
                ('public_id', models.UUIDField(unique=True)),
                ('kind', models.CharField(max_length=20)),
                ('data', models.JSONField()),
                ('at', models.DateTimeField()),
                ('account', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['xid', 'id'], name='signals_in_order'), models.Index(fields=['account', 'xid', 'id'], name='signals_of_account')],
            },
        ),
        migrations.AddIndex(
            model_name='webhook',
            index=models.Index(condition=models.Q(('disabled_at', None)), fields=['next_attempt_at'], name='webhooks_to_serve'),
        ),
        migrations.AddIndex(
            model_name='delivery',
            index=models.Index(fields=['webhook', 'id'], name='deliveries_of_webhook'),
        ),
        migrations.AddIndex(
            model_name='delivery',
            index=models.Index(condition=models.Q(('state', 'waiting')), fields=['webhook', 'next_attempt_at'], name='deliveries_to_make'),
        ),
    ]
