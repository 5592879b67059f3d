import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('games', '0005_record_of_play'),
    ]

    operations = [
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('address', models.EmailField(blank=True, max_length=254)),
                ('mailbox', models.BinaryField(max_length=32)),
                ('domain', models.BinaryField(max_length=32)),
                ('language', models.CharField(max_length=2)),
                ('state', models.CharField(choices=[('open', 'Open'), ('joined', 'Joined'), ('declined', 'Declined'), ('withdrawn', 'Withdrawn')], default='open', max_length=9)),
                ('created_at', models.DateTimeField()),
                ('answered_at', models.DateTimeField(null=True)),
                ('account', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='games.game')),
                ('inviter', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [
                    models.Index(fields=['created_at'], name='invitation_by_age'),
                ],
            },
        ),
    ]
