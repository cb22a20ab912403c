from __future__ import annotations

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    """Players who cannot move, and the tables of their boards."""

    dependencies = [
        ("tournaments", "0011_second_games"),
    ]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="fixed_table",
            field=models.PositiveSmallIntegerField(
                blank=True,
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(9999),
                ],
                verbose_name="cannot move from table",
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="table",
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="table"),
        ),
    ]
