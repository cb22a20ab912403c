from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """A match has two games: the second names the first."""

    dependencies = [("tournaments", "0010_seed_of_lots")]

    operations = [
        migrations.AlterModelOptions(
            name="game",
            options={"ordering": ("board", "pk"), "verbose_name": "game", "verbose_name_plural": "games"},
        ),
        migrations.AddField(
            model_name="game",
            name="first",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="second",
                to="tournaments.game",
            ),
        ),
        migrations.RemoveConstraint(model_name="game", name="game_board_once"),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.UniqueConstraint(
                condition=models.Q(("first__isnull", True)), fields=("round", "board"), name="game_board_once"
            ),
        ),
    ]
