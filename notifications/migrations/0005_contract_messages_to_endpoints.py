"""Messages to webhooks and group chats become notifications with an endpoint and a place in its queue."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('notifications', '0004_lists_in_order'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL("CREATE SEQUENCE notifications_places", "DROP SEQUENCE notifications_places"),
        migrations.RemoveField(
            model_name='delivery',
            name='webhook',
        ),
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
        migrations.DeleteModel(
            name='Delivery',
        ),
    ]
