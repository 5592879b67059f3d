from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0009_standing_order'),
        ('accounts', '0005_idempotency_key'),
    ]

    operations = [migrations.DeleteModel('IdempotencyKey')]
