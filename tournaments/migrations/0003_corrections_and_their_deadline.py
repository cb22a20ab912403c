"""Corrections [C.04.2/2026 4.3], their deadline, and the edition of the handling rules."""

import django.core.validators
import django.db.models.deletion
from django.db import migrations, models

import tournaments.models.tournament


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0002_record_is_append_only"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="correction_minutes",
            field=models.PositiveSmallIntegerField(
                blank=True,
                null=True,
                validators=[django.core.validators.MaxValueValidator(10080)],
                verbose_name="deadline for reporting mistakes",
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="corrections_until",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="tournament",
            name="handling_edition",
            field=models.CharField(
                choices=tournaments.models.tournament._handling_choices,
                default="c04_2_2026",
                max_length=20,
                verbose_name="edition of the handling rules",
            ),
        ),
        migrations.CreateModel(
            name="Correction",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("result", "a result"), ("colours", "the colours of a game"), ("rating", "a rating")],
                        max_length=10,
                        verbose_name="what was wrong",
                    ),
                ),
                ("round_number", models.PositiveSmallIntegerField(verbose_name="round")),
                ("reported_at", models.DateTimeField(verbose_name="reported")),
                ("entered_at", models.DateTimeField(verbose_name="entered")),
                (
                    "effect",
                    models.CharField(
                        choices=[
                            ("next_round", "standings and next pairing"),
                            ("next_pairing", "standings and the pairing after the published one"),
                            ("rating_only", "rating report only"),
                        ],
                        max_length=15,
                        verbose_name="touches",
                    ),
                ),
                ("waiting", models.BooleanField(default=False, verbose_name="waiting for the next publication")),
                ("before", models.JSONField(verbose_name="before")),
                ("after", models.JSONField(verbose_name="after")),
                ("reason", models.TextField(verbose_name="reason")),
                (
                    "entry",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="corrections",
                        to="tournaments.entry",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="corrections",
                        to="tournaments.game",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="corrections",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "verbose_name": "correction",
                "verbose_name_plural": "corrections",
                "ordering": ("pk",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("entry__isnull", False), ("game__isnull", True), ("kind", "rating")),
                            models.Q(
                                ("entry__isnull", True), ("game__isnull", False), ("kind__in", ["result", "colours"])
                            ),
                            _connector="OR",
                        ),
                        name="correction_of_a_game_or_a_player",
                    )
                ],
            },
        ),
    ]
