"""An index that finds the pushes with a question that has closed, so that devices no longer show them."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('notifications', '0004_contract_messages_to_endpoints'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='notification',
            index=models.Index(condition=models.Q(('channel', 'push'), ('state', 'sent')), fields=['topic', 'question'], name='notifications_pushed'),
        ),
    ]
