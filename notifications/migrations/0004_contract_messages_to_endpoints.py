"""Messages to webhooks and group chats become notifications with an endpoint and a place in its queue."""

from django.conf import settings
from django.db import migrations, models

CARRY_DELIVERIES = """
    INSERT INTO notifications_notification (
        id, key, channel, endpoint, place, reason, topic, data, state, created_at, next_attempt_at, sent_at, tried_at,
        status, failure, attempts, address, question, standing_by, held
    )
    SELECT gen_random_uuid(), concat(public_id, ':', webhook_id), 'webhooks', webhook_id,
        nextval('notifications_places'), kind, coalesce('game:' || (data->>'game'), ''), data,
        CASE state WHEN 'waiting' THEN 'ready' WHEN 'delivered' THEN 'sent' ELSE 'failed' END, at, next_attempt_at,
        CASE state WHEN 'delivered' THEN tried_at END, tried_at, status, failure, attempts, '', '', false, false
    FROM notifications_delivery ORDER BY id
"""


class Migration(migrations.Migration):

    dependencies = [
        ('notifications', '0003_count_one_failure_a_day'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL("CREATE SEQUENCE notifications_places", "DROP SEQUENCE notifications_places"),
        migrations.RemoveConstraint(
            model_name='notification',
            name='notification_has_an_address',
        ),
        migrations.RemoveConstraint(
            model_name='notification',
            name='notification_is_rendered_before_it_is_sent',
        ),
        migrations.RemoveIndex(
            model_name='webhook',
            name='webhooks_to_serve',
        ),
        migrations.RemoveField(
            model_name='webhook',
            name='failures',
        ),
        migrations.RemoveField(
            model_name='webhook',
            name='next_attempt_at',
        ),
        migrations.AddField(
            model_name='notification',
            name='data',
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name='notification',
            name='endpoint',
            field=models.UUIDField(null=True),
        ),
        migrations.AddField(
            model_name='notification',
            name='failure',
            field=models.CharField(blank=True, db_default='', default='', max_length=30),
        ),
        migrations.AddField(
            model_name='notification',
            name='leased',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name='notification',
            name='place',
            field=models.BigIntegerField(null=True),
        ),
        migrations.AddField(
            model_name='notification',
            name='status',
            field=models.PositiveSmallIntegerField(null=True),
        ),
        migrations.AddField(
            model_name='notification',
            name='tried_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddIndex(
            model_name='notification',
            index=models.Index(condition=models.Q(('endpoint__isnull', False), ('state', 'ready')), fields=['endpoint', 'topic', 'place'], name='notifications_in_order'),
        ),
        migrations.AddIndex(
            model_name='notification',
            index=models.Index(condition=models.Q(('endpoint__isnull', False)), fields=['endpoint', 'created_at', 'key'], name='notifications_of_endpoint'),
        ),
        migrations.AddConstraint(
            model_name='notification',
            constraint=models.CheckConstraint(condition=models.Q(('account__isnull', False), models.Q(('address', ''), _negated=True), ('endpoint__isnull', False), _connector='OR'), name='notification_has_an_address'),
        ),
        migrations.AddConstraint(
            model_name='notification',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'ready'), _negated=True), ('rendered__isnull', False), ('endpoint__isnull', False), _connector='OR'), name='notification_is_rendered_before_it_is_sent'),
        ),
        migrations.RunSQL(CARRY_DELIVERIES, migrations.RunSQL.noop),
        migrations.DeleteModel(
            name='Delivery',
        ),
        migrations.RemoveField(
            model_name='deliverability',
            name='failures',
        ),
        migrations.RemoveField(
            model_name='deliverability',
            name='counted_since',
        ),
    ]
