"""What the regulations say about changes of published pairings [C.04.2/2026 4.4.2, 4.4.5]."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0003_corrections_and_their_deadline"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="change_clause",
            field=models.TextField(blank=True, verbose_name="regulation that allows changes of published pairings"),
        ),
        migrations.AddField(
            model_name="tournament",
            name="top_boards",
            field=models.PositiveSmallIntegerField(default=0, verbose_name="top boards of the last round"),
        ),
    ]
