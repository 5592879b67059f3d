from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('notifications', '0004_mails_or_none'),
    ]

    operations = [
        migrations.CreateModel(
            name='Silence',
            fields=[
                ('digest', models.BinaryField(max_length=32, primary_key=True, serialize=False)),
                ('since', models.DateTimeField()),
            ],
        ),
    ]
