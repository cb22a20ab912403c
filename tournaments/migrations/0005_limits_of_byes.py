"""What the regulations say about byes with points [C.04.2/2026 3.3]."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0004_changes_of_published_pairings"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="last_bye_round",
            field=models.PositiveSmallIntegerField(
                blank=True, null=True, verbose_name="last round for byes with points"
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="max_byes",
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="byes with points per player"),
        ),
    ]
