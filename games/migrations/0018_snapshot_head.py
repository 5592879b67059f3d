from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [('games', '0017_moves_that_wait')]

    operations = [
        # Snapshots are disposable, and those there are do not say which chain and law they follow from.
        migrations.RunSQL('TRUNCATE games_snapshot', migrations.RunSQL.noop),
        migrations.AddField('snapshot', 'head', models.BinaryField(max_length=32, default=b''), preserve_default=False),
        migrations.AddField('snapshot', 'law', models.BinaryField(max_length=32, default=b''), preserve_default=False),
    ]
