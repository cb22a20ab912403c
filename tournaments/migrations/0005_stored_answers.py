"""Store the answers to writes of the API that had an Idempotency-Key."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0004_trf_openings"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="StoredAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=64)),
                ("address", models.CharField(max_length=255, verbose_name="address")),
                ("digest", models.CharField(max_length=64)),
                ("status", models.PositiveSmallIntegerField(db_default=0, default=0)),
                ("headers", models.JSONField(default=dict)),
                ("body", models.TextField(blank=True)),
                ("at", models.DateTimeField(db_index=True)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="stored_answers",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "stored answer",
                "verbose_name_plural": "stored answers",
                "ordering": ("at",),
                "constraints": [
                    models.UniqueConstraint(fields=("account", "key"), name="one_answer_for_a_key")
                ],
            },
        ),
    ]
