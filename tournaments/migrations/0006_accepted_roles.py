"""Keep whether an account has accepted a role that came with the file of an event."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0005_stored_answers"),
    ]

    operations = [
        migrations.AddField(
            model_name="appointment",
            name="accepted",
            field=models.BooleanField(db_default=True, default=True),
        ),
    ]
