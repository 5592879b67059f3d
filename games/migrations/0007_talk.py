import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import games.models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0006_invitation'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='talk',
            field=models.CharField(choices=[('all', 'All'), ('table', 'Table'), ('none', 'None')], default='all', max_length=5),
        ),
        migrations.CreateModel(
            name='Remark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('seat', models.PositiveSmallIntegerField()),
                ('to', models.PositiveSmallIntegerField(null=True)),
                ('text', models.TextField(blank=True)),
                ('said_at', models.DateTimeField()),
                ('hidden', models.BooleanField(default=False)),
                ('author', models.ForeignKey(null=True, on_delete=games.models.take_back, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='remarks', to='games.game')),
                ('reader', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['author', 'said_at'], name='remarks_of_somebody')],
            },
        ),
    ]
