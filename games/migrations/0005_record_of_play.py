import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0004_chain'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='counted',
            field=models.BooleanField(default=False),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('counted', False), ('state', 'over')), fields=['ended_at', 'id'], name='game_to_count'),
        ),
        migrations.CreateModel(
            name='Result',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('house', models.BooleanField()),
                ('won', models.BooleanField()),
                ('asked', models.PositiveIntegerField()),
                ('in_time', models.PositiveIntegerField()),
                ('account', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='results', to=settings.AUTH_USER_MODEL)),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='results', to='games.game')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('game', 'seat'), name='one_result_a_seat')],
            },
        ),
        migrations.CreateModel(
            name='Record',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rules', models.CharField(max_length=40)),
                ('seats', models.PositiveSmallIntegerField()),
                ('with_house', models.BooleanField()),
                ('games', models.PositiveIntegerField(default=0)),
                ('wins', models.PositiveIntegerField(default=0)),
                ('asked', models.PositiveIntegerField(default=0)),
                ('in_time', models.PositiveIntegerField(default=0)),
                ('mean', models.FloatField(default=25)),
                ('doubt', models.FloatField(default=25 / 3)),
                ('account', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='records', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['rules', 'seats', 'with_house'], name='record_by_table')],
                'constraints': [models.UniqueConstraint(fields=('account', 'rules', 'seats', 'with_house'), name='one_record_a_player', nulls_distinct=False)],
            },
        ),
    ]
