import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def against(name):
    return migrations.CreateModel(
        name=name,
        fields=[
            ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
            ('since', models.DateTimeField()),
            ('other', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
        ],
        options={
            'abstract': False,
            'constraints': [
                models.UniqueConstraint(fields=('owner', 'other'), name=f'{name.lower()}_once'),
                models.CheckConstraint(condition=models.Q(('owner', models.F('other')), _negated=True), name=f'{name.lower()}_of_another'),
            ],
        },
    )


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0002_last_use_and_limits'),
    ]

    operations = [against('Block'), against('Mute')]
