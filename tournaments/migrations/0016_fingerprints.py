from __future__ import annotations

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import OuterRef, Subquery, Value
from django.db.models.functions import Coalesce


def from_the_record(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Take the newest fingerprint of each record for both: open pages are told once that something is new."""
    decisions = apps.get_model("tournaments", "Decision").objects.filter(tournament=OuterRef("pk"))
    newest = Coalesce(Subquery(decisions.order_by("-sequence").values("hash")[:1]), Value(""))
    apps.get_model("tournaments", "Tournament").objects.update(fingerprint=newest, public_fingerprint=newest)


class Migration(migrations.Migration):
    """What a page is kept under follows the record, so that a restored backup gives no old pages."""

    dependencies = [
        ("tournaments", "0015_public_version"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="fingerprint",
            field=models.CharField(blank=True, default="", editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name="tournament",
            name="public_fingerprint",
            field=models.CharField(blank=True, default="", editable=False, max_length=64),
        ),
        migrations.RunPython(from_the_record, migrations.RunPython.noop),
    ]
