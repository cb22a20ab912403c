from __future__ import annotations

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F


def as_before(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Open pages go on from the version they know."""
    apps.get_model("tournaments", "Tournament").objects.update(public_version=F("version"))


class Migration(migrations.Migration):
    """Pages of visitors stay as they are while results are entered that nobody may see yet."""

    dependencies = [
        ("tournaments", "0014_declared_beforehand"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="public_version",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.RunPython(as_before, migrations.RunPython.noop),
    ]
