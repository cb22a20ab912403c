"""End all sessions once: from now on the table has the hash of each key, and not the key itself.

Copies from before have the keys, so the sessions of these keys must not go on.
"""

from typing import Any

from django.db import migrations


def end_sessions(apps: Any, schema_editor: Any) -> None:
    """Delete all sessions; everybody logs in again."""
    apps.get_model("sessions", "Session").objects.using(
        schema_editor.connection.alias
    ).all().delete()


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0008_log_in_label"),
        ("sessions", "0001_initial"),
    ]

    operations = [migrations.RunPython(end_sessions, end_sessions)]
