from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0007_talk")]

    operations = [migrations.AddField("game", "shown", models.JSONField(default=list))]
