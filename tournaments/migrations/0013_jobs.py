"""Add the table of long work, and remove the columns that it replaces."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


def forget_what_runs(apps, schema_editor):
    """Forget what a process of the program before has begun: nobody goes on with it."""
    apps.get_model("tournaments", "RecheckRun").objects.filter(content__isnull=True).delete()


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("tournaments", "0012_no_stored_pages"),
    ]

    operations = [
        migrations.CreateModel(
            name="Job",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=20)),
                ("key", models.CharField(blank=True, max_length=80)),
                ("arguments", models.JSONField(default=dict)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("running", "Running"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("due", models.DateTimeField(default=django.utils.timezone.now)),
                ("attempt", models.PositiveSmallIntegerField(default=0)),
                ("token", models.CharField(blank=True, max_length=32)),
                ("beat", models.DateTimeField(null=True)),
                ("progress", models.JSONField(default=dict)),
                ("cancel", models.BooleanField(default=False)),
                ("log", models.TextField(blank=True)),
                ("result", models.JSONField(null=True)),
                ("language", models.CharField(blank=True, max_length=10)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "owner",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state", "waiting")),
                        fields=("kind", "key"),
                        name="job_waits_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state", "running")),
                        fields=("kind", "key"),
                        name="job_runs_once",
                    ),
                ],
            },
        ),
        migrations.RemoveField(model_name="ratinglist", name="bytes_read"),
        migrations.RemoveField(model_name="ratinglist", name="bytes_total"),
        migrations.RemoveField(model_name="ratinglist", name="cancel_asked"),
        migrations.RemoveField(model_name="trfopening", name="done"),
        migrations.RunPython(forget_what_runs, migrations.RunPython.noop),
        migrations.RemoveField(model_name="recheckrun", name="rounds"),
        migrations.RemoveField(model_name="recheckrun", name="rounds_done"),
        migrations.RenameField(model_name="recheckrun", old_name="progress_at", new_name="made_at"),
        migrations.AlterField(
            model_name="recheckrun", name="content", field=models.JSONField(verbose_name="content")
        ),
    ]
