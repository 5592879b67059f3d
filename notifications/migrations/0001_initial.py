"""The tables of notifications."""

import django.contrib.postgres.fields
import django.db.models.deletion
import notifications.models
import uuid
from config.core.database.schema import CreateModels
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='Epoch',
                fields=[
                    ('mark', models.CharField(max_length=16, primary_key=True, serialize=False)),
                    ('cluster', models.CharField(max_length=100)),
                ],
            ),
            migrations.CreateModel(
                name='StreamListener',
                fields=[
                    ('account', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to=settings.AUTH_USER_MODEL)),
                    ('hears_all', models.BooleanField(default=False)),
                ],
            ),
            migrations.CreateModel(
                name='StreamFollower',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('topic', models.UUIDField()),
                    ('until', models.DateTimeField(db_index=True)),
                    ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('topic', 'account'), name='followers_of_topic')],
                },
            ),
            migrations.CreateModel(
                name='MailOutage',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('since', models.DateTimeField()),
                    ('until', models.DateTimeField(null=True)),
                    ('lasts', models.BooleanField(default=True, null=True, unique=True)),
                ],
            ),
            migrations.CreateModel(
                name='Suppression',
                fields=[
                    ('digest', models.BinaryField(max_length=32, primary_key=True, serialize=False)),
                    ('since', models.DateTimeField()),
                ],
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
                    ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='devices', to=settings.AUTH_USER_MODEL)),
                ],
            ),
            migrations.CreateModel(
                name='Preferences',
                fields=[
                    ('account', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='preferences', serialize=False, to=settings.AUTH_USER_MODEL)),
                    ('mails', models.BooleanField(null=True)),
                    ('digest', models.CharField(choices=[('at-once', 'At Once'), ('hours', 'Hours'), ('daily', 'Daily')], default='at-once', max_length=10)),
                    ('digest_every', models.PositiveSmallIntegerField(default=6)),
                    ('digest_at', models.PositiveSmallIntegerField(default=8)),
                    ('quiet_from', models.TimeField(null=True)),
                    ('quiet_to', models.TimeField(null=True)),
                    ('reminders', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), default=notifications.models._usual_reminders, size=None)),
                    ('receipts', models.BooleanField(default=True)),
                    ('only_aimed', models.BooleanField(default=False)),
                    ('muted', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=100), default=list, size=None)),
                    ('channels', models.JSONField(default=dict)),
                    ('addresses', models.JSONField(default=dict)),
                    ('secrets', models.JSONField(default=dict)),
                    ('last_at', models.DateTimeField(null=True)),
                    ('news', models.BooleanField(db_default=False, default=False)),
                    ('learns_hours', models.BooleanField(db_default=True, default=True)),
                    ('usual_hours', django.contrib.postgres.fields.ArrayField(base_field=models.PositiveSmallIntegerField(), db_default=[], default=list, size=None)),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('quiet_from__isnull', True), ('quiet_to__isnull', True)), models.Q(('quiet_from__isnull', False), ('quiet_to__isnull', False)), _connector='OR'), name='quiet_hours_begin_and_end')],
                },
            ),
            migrations.CreateModel(
                name='RawMail',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('raw', models.BinaryField()),
                    ('sender', models.CharField(max_length=320, null=True)),
                    ('recipients', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=320), size=None)),
                    ('relayed', models.BooleanField(default=True)),
                    ('about', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=64), size=None)),
                    ('received_at', models.DateTimeField()),
                    ('identity', models.CharField(max_length=64, null=True, unique=True)),
                    ('state', models.CharField(choices=[('received', 'Received'), ('read', 'Read'), ('failed', 'Failed')], default='received', max_length=8)),
                    ('attempts', models.PositiveSmallIntegerField(default=0)),
                    ('failures', models.PositiveSmallIntegerField(default=0)),
                    ('first_attempt_at', models.DateTimeField(null=True)),
                    ('next_attempt_at', models.DateTimeField()),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('state', 'received')), fields=['received_at', 'id'], name='mail_unread'), models.Index(condition=models.Q(('state', 'failed')), fields=['received_at'], name='mail_set_aside')],
                },
            ),
            migrations.CreateModel(
                name='Deliverability',
                fields=[
                    ('id', models.UUIDField(editable=False, primary_key=True, serialize=False)),
                    ('why', models.CharField(blank=True, choices=[('bounced', 'Bounced'), ('complained', 'Complained')], max_length=10)),
                    ('since', models.DateTimeField(null=True)),
                    ('failures', models.PositiveSmallIntegerField(default=0)),
                    ('counted_since', models.DateTimeField(null=True)),
                    ('asked_at', models.DateTimeField(null=True)),
                    ('confirmed_at', models.DateTimeField(null=True)),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('since__isnull', True), ('why', '')), models.Q(models.Q(('why', ''), _negated=True), ('since__isnull', False)), _connector='OR'), name='reach_is_lost_since_some_time')],
                },
            ),
            migrations.CreateModel(
                name='SetAside',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('kind', models.CharField(choices=[('move', 'Move'), ('mail', 'Mail'), ('notification', 'Notification')], max_length=12)),
                    ('subject', models.CharField(max_length=40)),
                    ('about', models.CharField(blank=True, max_length=100)),
                    ('error', models.CharField(max_length=300)),
                    ('at', models.DateTimeField()),
                    ('settled_at', models.DateTimeField(null=True)),
                    ('outcome', models.CharField(blank=True, choices=[('retried', 'Retried'), ('acknowledged', 'Acknowledged'), ('gone', 'Gone')], max_length=12)),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('settled_at__isnull', True)), fields=['kind', 'at'], name='set_aside_unsettled')],
                    'constraints': [models.UniqueConstraint(condition=models.Q(('settled_at__isnull', True)), fields=('kind', 'subject'), name='set_aside_once')],
                },
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
                options={
                    'indexes': [models.Index(condition=models.Q(('disabled_at', None)), fields=['next_attempt_at'], name='webhooks_to_serve')],
                },
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
                options={
                    'indexes': [models.Index(fields=['webhook', 'id'], name='deliveries_of_webhook'), models.Index(condition=models.Q(('state', 'waiting')), fields=['webhook', 'next_attempt_at'], name='deliveries_to_make')],
                },
            ),
            migrations.CreateModel(
                name='Notification',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('key', models.CharField(max_length=200, unique=True)),
                    ('address', models.EmailField(blank=True, max_length=320)),
                    ('channel', models.CharField(default='mail', max_length=20)),
                    ('reason', models.CharField(max_length=40)),
                    ('topic', models.CharField(blank=True, max_length=100)),
                    ('question', models.CharField(blank=True, max_length=40)),
                    ('rendered', models.BinaryField(null=True)),
                    ('state', models.CharField(choices=[('scheduled', 'Scheduled'), ('ready', 'Ready'), ('merged', 'Merged'), ('sent', 'Sent'), ('dropped', 'Dropped'), ('failed', 'Failed')], default='scheduled', max_length=10)),
                    ('attempts', models.PositiveSmallIntegerField(default=0)),
                    ('next_attempt_at', models.DateTimeField()),
                    ('created_at', models.DateTimeField()),
                    ('sent_at', models.DateTimeField(null=True)),
                    ('standing_by', models.BooleanField(default=False)),
                    ('held', models.BooleanField(default=False)),
                    ('latest_at', models.DateTimeField(null=True)),
                    ('told', models.PositiveBigIntegerField(null=True)),
                    ('account', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notifications', to=settings.AUTH_USER_MODEL)),
                    ('lead', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='gathered', to='notifications.notification')),
                    ('trace', models.CharField(blank=True, db_default='', default='', max_length=60)),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('state', 'scheduled')), fields=['next_attempt_at'], name='notifications_to_write'), models.Index(condition=models.Q(('state__in', ['ready', 'merged'])), fields=['topic', 'question'], name='notifications_on_their_way'), models.Index(condition=models.Q(('state', 'ready')), fields=['next_attempt_at'], name='notifications_to_deliver'), models.Index(condition=models.Q(('state', 'sent')), fields=['-sent_at'], name='notifications_sent'), models.Index(condition=models.Q(('state', 'failed')), fields=['created_at'], name='notifications_given_up'), models.Index(condition=models.Q(('rendered__isnull', False)), fields=['created_at'], name='notifications_with_content')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('account__isnull', False), models.Q(('address', ''), _negated=True), _connector='OR'), name='notification_has_an_address'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'ready'), _negated=True), ('rendered__isnull', False), _connector='OR'), name='notification_is_rendered_before_it_is_sent')],
                },
            ),
            migrations.CreateModel(
                name='StreamEvent',
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
            migrations.CreateModel(
                name='News',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('words', models.JSONField()),
                    ('digest', models.BinaryField(max_length=32, unique=True)),
                    ('written_at', models.DateTimeField()),
                    ('readers', models.PositiveIntegerField()),
                ],
                options={
                    'ordering': ['-written_at'],
                },
            ),
        ]),
    ]
