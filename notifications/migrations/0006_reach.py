from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):

    dependencies = [
        ('notifications', '0005_silence'),
    ]

    operations = [
        migrations.CreateModel(
            name='Reach',
            fields=[
                ('id', models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ('why', models.CharField(blank=True, choices=[('bounced', 'Bounced'), ('complained', 'Complained')], max_length=10)),
                ('since', models.DateTimeField(null=True)),
                ('failures', models.PositiveSmallIntegerField(default=0)),
                ('counted_since', models.DateTimeField(null=True)),
                ('asked_at', models.DateTimeField(null=True)),
                ('confirmed_at', models.DateTimeField(null=True)),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(
                        condition=Q(why='', since__isnull=True) | (~Q(why='') & Q(since__isnull=False)),
                        name='reach_is_lost_since_some_time',
                    ),
                ],
            },
        ),
    ]
