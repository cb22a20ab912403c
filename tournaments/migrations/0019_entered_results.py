"""Add who reads results before they are published: the players of the game, as before."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0018_arbiters_with_title"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="entered_results",
            field=models.CharField(
                choices=[
                    ("own", "the players of the game, on My board and at their table"),
                    ("all", "everybody, on a page that marks them as provisional"),
                    ("none", "nobody"),
                ],
                db_default="own",
                default="own",
                help_text="My board needs no account: whoever chooses a player's name there reads that player's result. What is published does not change [C.04.2 4.2].",
                max_length=4,
                verbose_name="Who reads results before they are published",
            ),
        ),
    ]
