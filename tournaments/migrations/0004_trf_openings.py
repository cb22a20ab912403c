"""Keep a large TRF file while it is opened in processes of their own."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0003_recheck_runs"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="TrfOpening",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("data", models.BinaryField(verbose_name="file")),
                ("system", models.CharField(blank=True, max_length=30)),
                ("tie_break_edition", models.CharField(blank=True, max_length=30)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("reading", "the file is being read"),
                            ("read", "the file was read"),
                            ("saving", "the tournament is being saved"),
                            ("saved", "the tournament was saved"),
                        ],
                        default="reading",
                        max_length=10,
                    ),
                ),
                ("run", models.PositiveIntegerField(default=1)),
                ("done", models.PositiveSmallIntegerField(default=0)),
                ("content", models.JSONField(null=True, verbose_name="content")),
                ("progress_at", models.DateTimeField()),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="trf_openings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="trf_openings",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "verbose_name": "file being opened",
                "verbose_name_plural": "files being opened",
            },
        ),
    ]
