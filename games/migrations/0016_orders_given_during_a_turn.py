from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [('games', '0015_set_aside')]

    operations = [
        migrations.AddField('standingorder', 'after', models.CharField(max_length=20, default='')),
    ]
