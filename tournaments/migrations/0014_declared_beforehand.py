from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    """What the regulations say of the numbers, of late entries and of byes."""

    dependencies = [
        ("tournaments", "0013_abnormal_points"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="byes_in_advance",
            field=models.BooleanField(default=False, verbose_name="byes with points asked for a round ahead"),
        ),
        migrations.AddField(
            model_name="tournament",
            name="late_entry_bye",
            field=models.CharField(
                choices=[("Z", "nothing"), ("H", "half a point")],
                default="Z",
                max_length=1,
                verbose_name="late entries get for each round missed",
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="rating_list",
            field=models.CharField(blank=True, max_length=100, verbose_name="rating list"),
        ),
        migrations.AddField(
            model_name="tournament",
            name="third_criterion",
            field=models.CharField(
                blank=True,
                choices=[
                    ("", "alphabetical order"),
                    ("national", "national rating, the higher first"),
                    ("entered", "order of entry"),
                ],
                default="",
                max_length=10,
                verbose_name="order of equal strength and title",
            ),
        ),
    ]
