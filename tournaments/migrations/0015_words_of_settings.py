"""Move the labels and help texts of the settings from the form to the columns: no SQL."""

import django.core.validators
from django.db import migrations, models

import tournaments.models.tournament


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0014_actions_without_choices"),
    ]

    operations = [
        migrations.AlterField(
            model_name="tournament",
            name="acceleration",
            field=models.CharField(
                blank=True,
                choices=[("", "none"), ("baku", "Baku acceleration")],
                default="",
                help_text="Announced before the start; it cannot change once round 1 is paired [C.04.2 1.1].",
                max_length=10,
                verbose_name="Acceleration",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="automatic_pairings",
            field=models.PositiveSmallIntegerField(
                blank=True,
                help_text="The draft is published at this time if nothing on its checklist is open; empty: you publish it yourself [C.04.2 4.2].",
                null=True,
                validators=[django.core.validators.MaxValueValidator(1440)],
                verbose_name="Publish the pairings automatically (minutes before play begins)",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="automatic_results",
            field=models.BooleanField(
                default=False,
                help_text="If every board has a result and no question is open. The times are under Schedule [C.04.2 4.2].",
                verbose_name="Publish the results automatically at the announced time",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="byes_in_advance",
            field=models.BooleanField(
                default=False,
                help_text="Otherwise, until the pairings of the round itself are published [C.04.2 3.3].",
                verbose_name="Byes with points are requested one round earlier",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="change_clause",
            field=models.TextField(
                blank=True,
                help_text="As in the regulations; empty if there is no such regulation [C.04.2 4.4.2].",
                verbose_name="Regulation that allows changes of published pairings",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="chief_arbiter",
            field=models.CharField(blank=True, max_length=200, verbose_name="Chief arbiter"),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="city",
            field=models.CharField(blank=True, max_length=100, verbose_name="Place"),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="correction_minutes",
            field=models.PositiveSmallIntegerField(
                blank=True,
                help_text="After the publication of results, or after the announced time if that is later; players see the remaining time. Empty: until the next pairings are published [C.04.2 4.3].",
                null=True,
                validators=[django.core.validators.MaxValueValidator(10080)],
                verbose_name="Minutes to report mistakes",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="deputy_arbiters",
            field=models.TextField(
                blank=True, help_text="One per line.", verbose_name="Deputy arbiters"
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="end_date",
            field=models.DateField(blank=True, null=True, verbose_name="Last day"),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="explanations_public",
            field=models.BooleanField(
                default=False,
                help_text="Why two players meet, for published rounds [C.04.1 9].",
                verbose_name="Players may read the explanations of pairings",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="federation",
            field=models.CharField(
                blank=True,
                help_text="Three letters, such as FRA.",
                max_length=3,
                verbose_name="Federation",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="forecast_public",
            field=models.BooleanField(
                default=False,
                help_text="After each publication the program plays the rest of the tournament up to a thousand times: likely opponents, and chances for places and prizes.",
                verbose_name="Show everybody a forecast",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="handling_edition",
            field=models.CharField(
                choices=tournaments.models.tournament._handling_choices,
                default="c04_2_2026",
                max_length=20,
                verbose_name="Handling rules",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="keeps_data_days",
            field=models.PositiveSmallIntegerField(
                blank=True,
                help_text="After final standings and the last rating report: dates of birth, phone numbers, e-mail addresses, notes and reasons. Empty: as the site does it, or never.",
                null=True,
                validators=[django.core.validators.MaxValueValidator(3650)],
                verbose_name="Days until personal data are deleted",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="last_bye_round",
            field=models.PositiveSmallIntegerField(
                blank=True,
                help_text="Empty: no limit [C.04.2 3.3].",
                null=True,
                verbose_name="Last round for byes with points",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="late_entry_bye",
            field=models.CharField(
                choices=[("Z", "nothing"), ("H", "half a point")],
                default="Z",
                help_text="Nothing, unless the regulations say otherwise [C.04.2 2.4].",
                max_length=1,
                verbose_name="Points of late entries for each missed round",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="left_fide_mode",
            field=models.PositiveSmallIntegerField(
                blank=True, null=True, verbose_name="Round in which FIDE mode was left"
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="max_byes",
            field=models.PositiveSmallIntegerField(
                blank=True,
                help_text="Half- and full-point byes; empty: no limit [C.04.2 3.3].",
                null=True,
                verbose_name="Byes with points per player",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="name",
            field=models.CharField(max_length=200, verbose_name="Name"),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="points_absence",
            field=models.PositiveSmallIntegerField(default=0, verbose_name="Points for an absence"),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="points_draw",
            field=models.PositiveSmallIntegerField(default=5, verbose_name="Draw"),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="points_loss",
            field=models.PositiveSmallIntegerField(default=0, verbose_name="Loss"),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="points_pab",
            field=models.PositiveSmallIntegerField(
                default=10, verbose_name="Points for the pairing-allocated bye"
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="points_win",
            field=models.PositiveSmallIntegerField(default=10, verbose_name="Win"),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="rate_of_play",
            field=models.CharField(
                choices=[("standard", "standard"), ("rapid", "rapid"), ("blitz", "blitz")],
                default="standard",
                help_text="Ratings from a list are those of this rate of play; without one, the standard ratings.",
                max_length=10,
                verbose_name="Rate of play",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="rating_list",
            field=models.CharField(
                blank=True,
                help_text="Source of the ratings, such as FIDE standard, November 2026 [C.04.2 2.1].",
                max_length=100,
                verbose_name="Rating list",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="rating_method",
            field=models.CharField(
                choices=[
                    ("FIDON", "FIDE rating, otherwise the national rating"),
                    ("NIDOF", "national rating, otherwise the FIDE rating"),
                    ("HBFN", "the higher of both ratings"),
                    ("LBFN", "the lower of both ratings"),
                    ("FIDE", "FIDE rating only"),
                    ("NRO", "national rating only"),
                    ("OTHER", "entered by the arbiter"),
                ],
                default="FIDON",
                help_text="If you change it, the ratings of all players are chosen again, except estimates [C.04.2 2.1].",
                max_length=5,
                verbose_name="Rating that ranks the players",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="second_rating_method",
            field=models.CharField(
                blank=True,
                choices=[
                    ("", "no other rating"),
                    ("fide_standard", "FIDE standard rating"),
                    ("fide_rapid", "FIDE rapid rating"),
                    ("fide_blitz", "FIDE blitz rating"),
                    ("national_standard", "national standard rating"),
                    ("national_rapid", "national rapid rating"),
                    ("national_blitz", "national blitz rating"),
                ],
                default="",
                help_text="Then the arbiter’s estimate; a player without any rating has 0 [C.04.2 2.1].",
                max_length=20,
                verbose_name="Second rating, for players without the first",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="second_reading",
            field=models.BooleanField(
                default=False,
                help_text="Another person enters all results again without seeing them. They can be published once every difference is decided. Once pairings are published, only the Chief Arbiter can change this setting.",
                verbose_name="Second reading of results required",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="start_date",
            field=models.DateField(blank=True, null=True, verbose_name="First day"),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="system",
            field=models.CharField(
                choices=tournaments.models.tournament._system_choices,
                default="dutch_2026",
                help_text="Stored with the tournament; it cannot change once round 1 is paired.",
                max_length=30,
                verbose_name="Pairing system",
            ),
        ),
        migrations.AlterField(
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
                help_text="Announced before the start [C.04.2 2.2.3].",
                max_length=10,
                verbose_name="Order of players with equal rating and title",
            ),
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
                verbose_name="Edition of the tie-break rules",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="tie_breaks",
            field=models.CharField(
                blank=True,
                default="BH/C1,BH,SB,DE,WIN",
                help_text="Codes in order, such as BH-C1, BH, SB, DE, WIN; PTS may come first. Announced before the start [C.07 4.1.1].",
                max_length=200,
                verbose_name="Tie-breaks",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="time_control",
            field=models.CharField(
                blank=True,
                help_text="As in the regulations, such as 90 min + 30 s/move.",
                max_length=100,
                verbose_name="Time control",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="top_boards",
            field=models.PositiveSmallIntegerField(
                default=0,
                help_text="Number of boards; their pairings may change after an unforeseen event [C.04.2 4.4.5].",
                verbose_name="Top boards of the last round",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="total_rounds",
            field=models.PositiveSmallIntegerField(
                help_text="Announced before the start [C.04.1 1].",
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(99),
                ],
                verbose_name="Number of rounds",
            ),
        ),
    ]
