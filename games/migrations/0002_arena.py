"""The arena of bot accounts: seeks that stand, their games, and their ratings."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ArenaStats',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rules', models.CharField(max_length=40)),
                ('games', models.PositiveIntegerField(default=0)),
                ('wins', models.PositiveIntegerField(default=0)),
                ('asked', models.PositiveIntegerField(default=0)),
                ('in_time', models.PositiveIntegerField(default=0)),
                ('mean', models.FloatField(default=25)),
                ('doubt', models.FloatField(default=8.333333333333334)),
                ('account', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='arena_stats', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('account', 'rules'), name='one_arena_row_a_player', nulls_distinct=False)],
            },
        ),
        migrations.AddField(
            model_name='game',
            name='arena',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('arena', True)), fields=['state', 'created_at'], name='game_of_arena'),
        ),
        migrations.AddField(
            model_name='seek',
            name='games_at_once',
            field=models.PositiveSmallIntegerField(null=True),
        ),
        # The choices of a field are Django's alone.
        migrations.SeparateDatabaseAndState(state_operations=[
            migrations.AlterField(
                model_name='seek',
                name='state',
                field=models.CharField(choices=[('open', 'Open'), ('matched', 'Matched'), ('withdrawn', 'Withdrawn'), ('lapsed', 'Lapsed'), ('removed', 'Removed')], default='open', max_length=9),
            ),
        ]),
    ]
