import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q


def somebody():
    return models.ForeignKey(
        null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL
    )


class Migration(migrations.Migration):

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('games', '0012_pauses'),
    ]

    operations = [
        migrations.AddField('game', 'misses', models.PositiveSmallIntegerField(default=3)),
        migrations.AddField(
            'game',
            'absence',
            models.CharField(
                choices=[('house', 'House'), ('invite', 'Invite'), ('forfeit', 'Forfeit')], default='house', max_length=7
            ),
        ),
        migrations.AddField('seat', 'missed', models.PositiveSmallIntegerField(default=0)),
        migrations.AddField('seat', 'spared', models.BooleanField(default=False)),
        migrations.AddField('seat', 'away', models.BooleanField(default=False)),
        migrations.AddField('invitation', 'seat', models.PositiveSmallIntegerField(null=True)),
        migrations.CreateModel(
            name='Delegation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('began_at', models.DateTimeField()),
                ('until', models.DateTimeField()),
                ('ended_at', models.DateTimeField(null=True)),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='delegations', to='games.game')),
                ('owner', somebody()),
                ('delegate', somebody()),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=['game', 'seat'], condition=Q(ended_at=None), name='one_delegate_a_seat'),
                    models.UniqueConstraint(fields=['game', 'delegate'], condition=Q(ended_at=None), name='one_seat_a_delegate'),
                ],
                'indexes': [models.Index(fields=['until'], condition=Q(ended_at=None), name='delegation_due')],
            },
        ),
        migrations.CreateModel(
            name='FormerPlayer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('left_at', models.DateTimeField()),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='former_players', to='games.game')),
                ('account', somebody()),
            ],
        ),
        migrations.AddField(
            'seat',
            'delegation',
            models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='games.delegation'),
        ),
    ]
