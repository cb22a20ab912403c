"""Add the federation that gets the report: a column with a default."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0026_screen_pages"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="report_profile",
            field=models.CharField(
                blank=True,
                choices=[
                    ("", "that of the event"),
                    ("fide", "FIDE"),
                    ("ffe", "FFE (FRA)"),
                    ("dsb", "DSB (GER)"),
                    ("ecf", "ECF (ENG)"),
                    ("knsb", "KNSB (NED)"),
                    ("us_chess", "US Chess (USA)"),
                ],
                db_default="",
                default="",
                help_text="It decides what is checked before sending, and the files.",
                max_length=10,
                verbose_name="Federation that gets the report",
            ),
        ),
    ]
