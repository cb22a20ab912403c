"""The list of tie-breaks of a tournament, and the codes of the editions of C.07 [C.07/2026 4.1]."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

BEFORE = "BH,SB"
"""What tournaments were ranked by before they had a list: those that have begun keep it."""


def keep_what_was_announced(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    tournaments = apps.get_model("tournaments", "Tournament").objects
    begun = apps.get_model("tournaments", "Round").objects.filter(number=1).exclude(state="planned")
    tournaments.filter(pk__in=begun.values("tournament_id")).update(tie_breaks=BEFORE)
    tournaments.filter(tie_break_edition="c07_2026").update(tie_break_edition="fide-2026")


def name_the_edition_as_before(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    tournaments = apps.get_model("tournaments", "Tournament").objects
    tournaments.update(tie_break_edition="c07_2026")


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0005_limits_of_byes"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="tie_breaks",
            field=models.CharField(blank=True, default="BH/C1,BH,SB,DE,WIN", max_length=200, verbose_name="tie-breaks"),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="tie_break_edition",
            field=models.CharField(
                choices=[
                    ("fide-2026", "C.07, applied from 1 March 2026"),
                    ("fide-2024", "C.07, applied from 1 August 2024 to 28 February 2026"),
                ],
                default="fide-2026",
                max_length=20,
                verbose_name="edition of the tie-break rules",
            ),
        ),
        migrations.RunPython(keep_what_was_announced, name_the_edition_as_before),
    ]
