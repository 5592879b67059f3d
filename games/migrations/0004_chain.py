from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0003_rematch'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='head',
            field=models.BinaryField(default=bytes, max_length=32),
        ),
        migrations.AddField(
            model_name='game',
            name='public_head',
            field=models.BinaryField(default=bytes, max_length=32),
        ),
        migrations.AddField(
            model_name='seat',
            name='seed',
            field=models.CharField(blank=True, max_length=64),
        ),
    ]
