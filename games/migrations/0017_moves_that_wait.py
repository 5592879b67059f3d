from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):

    dependencies = [('games', '0016_orders_given_during_a_turn')]

    operations = [
        migrations.AddIndex(
            'move', models.Index(fields=['received_at'], condition=Q(state='received'), name='move_waiting')
        ),
    ]
