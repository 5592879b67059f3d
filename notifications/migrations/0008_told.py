from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('notifications', '0007_signals_webhooks_and_devices'),
    ]

    operations = [
        migrations.AddField(
            model_name='letter',
            name='told',
            field=models.PositiveBigIntegerField(null=True),
        ),
    ]
