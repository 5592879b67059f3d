from datetime import timedelta

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):

    dependencies = [('games', '0011_deadlines')]

    operations = [
        migrations.AddField('game', 'pauses', models.DurationField(default=timedelta(days=14))),
        migrations.AddField('game', 'longest_pause', models.DurationField(default=timedelta(days=7))),
        migrations.AddField('game', 'paused_until', models.DateTimeField(null=True)),
        migrations.AddIndex(
            'game', models.Index(fields=['paused_until'], condition=Q(paused_until__isnull=False), name='game_paused'),
        ),
    ]
