"""Add the facts that FIDE asks for: columns of the tournament with defaults, and a help text."""

import django.core.validators
from django.db import migrations, models

import tournaments.models.fide_facts


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0019_entered_results"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="arbiter_in_hall",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Confirmed for norms [B.01 1.1.5].",
                verbose_name="An IA or FA is always in the hall",
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="encoded_time_control",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="In seconds, such as 5400+30. Empty: from the time control, if it is one of minutes and seconds.",
                max_length=60,
                validators=[tournaments.models.fide_facts.require_encoded],
                verbose_name="Time control in the report file",
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="event_code",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="From the registration on ratings.fide.com; each section has its own.",
                max_length=10,
                validators=[django.core.validators.RegexValidator("\\A[0-9]+\\Z", "Digits only.")],
                verbose_name="FIDE event number",
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="event_kind",
            field=models.CharField(
                choices=[
                    ("ordinary", "ordinary tournament"),
                    ("national_final", "final of a national championship"),
                    ("national_team", "national team championship"),
                    ("zonal", "zonal or sub-zonal tournament"),
                    ("team_championship", "world or continental team championship"),
                    ("world_cup", "World Cup"),
                ],
                db_default="ordinary",
                default="ordinary",
                help_text="Some need fewer games, or no other federations [B.01 1.4.1, 1.4.3].",
                max_length=20,
                verbose_name="Kind of event for norms",
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="no_arbiter_plays",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Found by the FIDE IDs of all arbiters, or confirmed here [B.01 1.1.6].",
                verbose_name="No arbiter plays",
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="no_favour",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Confirmed for norms [B.01 1.4.2d].",
                verbose_name="No round, order or opponent was changed in favour of a player",
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="organiser",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="With FIDE ID, such as Rossi, Anna (2000016).",
                max_length=200,
                verbose_name="Organiser",
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="registered_on",
            field=models.DateField(
                blank=True,
                help_text="For norms at least 30 days before the first day [B.01 1.1.1].",
                null=True,
                verbose_name="Registered with FIDE on",
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="system_approved",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Needed if there are matches of two games [B.01 1.4.2e].",
                verbose_name="Pairing system approved by the FIDE Qualification Commission",
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="time_approved",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Then no game is too short for the rating [B.02 1.1]; norms stay impossible.",
                verbose_name="Shorter time control approved by the FIDE Qualification Commission",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="deputy_arbiters",
            field=models.TextField(
                blank=True,
                help_text="All of them, one per line; a role may follow: FA Roy, Luc (2000024), fair play.",
                verbose_name="Deputy arbiters",
            ),
        ),
    ]
