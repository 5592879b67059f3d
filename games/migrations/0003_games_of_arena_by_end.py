"""An index of games of the arena that go on or have ended of late."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [('games', '0002_arena')]

    operations = [
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('arena', True)), fields=['ended_at'], name='game_of_arena_by_end'),
        ),
    ]
