from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("notifications", "0003_raw_mail")]

    operations = [migrations.AddField("preferences", "mails", models.BooleanField(null=True))]
