"""Messages to group chats are delivered by the outbox."""

import django.contrib.postgres.functions
import django.db.models.functions.datetime
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0008_lists_in_order'),
    ]

    operations = [
        migrations.RemoveField(
            model_name='tablechannel',
            name='attempts',
        ),
        migrations.RemoveField(
            model_name='tablechannel',
            name='next_attempt_at',
        ),
        migrations.AddField(
            model_name='clubchannel',
            name='endpoint',
            field=models.UUIDField(db_default=django.contrib.postgres.functions.RandomUUID(), db_index=True, default=uuid.uuid4),
        ),
        migrations.AddField(
            model_name='tablechannel',
            name='endpoint',
            field=models.UUIDField(db_default=django.contrib.postgres.functions.RandomUUID(), db_index=True, default=uuid.uuid4),
        ),
        migrations.AddField(
            model_name='tablechannel',
            name='next_change_at',
            field=models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True),
        ),
        migrations.AddField(
            model_name='tablechannel',
            name='stopped_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.DeleteModel(
            name='TournamentPost',
        ),
    ]
