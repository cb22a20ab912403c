"""Let a rating list wait that is much smaller than the one in use."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0009_session_keys"),
    ]

    operations = [
        migrations.AlterField(
            model_name="ratinglist",
            name="state",
            field=models.CharField(
                choices=[
                    ("loading", "loading"),
                    ("loaded", "loaded"),
                    ("failed", "failed"),
                    ("cancelled", "cancelled"),
                    ("waiting", "waits for an answer"),
                ],
                default="loading",
                max_length=10,
                verbose_name="state",
            ),
        ),
    ]
