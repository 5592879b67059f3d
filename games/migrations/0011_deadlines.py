import datetime

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0010_idempotency_key_moves'),
    ]

    operations = [
        migrations.AddField('game', 'choice_length', models.DurationField(default=datetime.timedelta(days=1))),
        migrations.AddField('game', 'clock', models.JSONField(default=dict)),
        migrations.AddField('game', 'due_at', models.DateTimeField(null=True)),
        migrations.AddField('seat', 'bank', models.DurationField(null=True)),
        migrations.AddField('openquestion', 'why', models.JSONField(default=list)),
        # Until now a small choice had the time of any other answer.
        migrations.RunSQL('UPDATE games_game SET choice_length = window_length', migrations.RunSQL.noop),
    ]
