"""Keep the newest re-check of a large tournament, which runs in a process of its own."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0002_record_is_append_only"),
    ]

    operations = [
        migrations.CreateModel(
            name="RecheckRun",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.PositiveIntegerField(default=0)),
                ("rounds", models.PositiveSmallIntegerField(default=0)),
                ("rounds_done", models.PositiveSmallIntegerField(default=0)),
                ("content", models.JSONField(null=True, verbose_name="content")),
                ("progress_at", models.DateTimeField()),
                (
                    "tournament",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="recheck_run",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "verbose_name": "re-check",
                "verbose_name_plural": "re-checks",
            },
        ),
    ]
