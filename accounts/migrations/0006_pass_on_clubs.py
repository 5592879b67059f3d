"""A new kind of action of moderators. The column holds any text of ten letters, so the database changes nothing."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ('accounts', '0005_follows'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name='moderationaction',
                    name='kind',
                    field=models.CharField(choices=[('dismiss', 'dismiss the report'), ('warn', 'warn by email'), ('hide', 'hide the message'), ('show', 'show the message again'), ('silence', 'stop them from chatting for some days'), ('unsilence', 'let them chat again'), ('suspend', 'suspend the account for some days'), ('close', 'close the account'), ('reopen', 'open the account again'), ('pass-clubs', 'pass on the clubs of an account that is suspended or closed')], max_length=10),
                ),
            ],
        ),
    ]
