from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):

    dependencies = [('notifications', '0009_standing_by')]

    operations = [
        migrations.AddIndex(
            'rawmail', models.Index(fields=['received_at'], condition=Q(state='failed'), name='mail_set_aside'),
        ),
        migrations.AddIndex(
            'letter', models.Index(fields=['created_at'], condition=Q(state='failed'), name='letters_given_up'),
        ),
    ]
