from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):

    dependencies = [('games', '0014_orders')]

    operations = [
        migrations.AddIndex(
            'move', models.Index(fields=['received_at'], condition=Q(state='failed'), name='move_set_aside'),
        ),
    ]
