"""SQLite's INSERT OR REPLACE removes the row in its way, and fires no trigger on that unless the connection asks for it.

So a row may not come in under an id, or a number in its tournament, that is there already, whoever is connected.
PostgreSQL has nothing of the kind: its ON CONFLICT DO UPDATE fires the trigger on updates.
"""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

INSTALL = """
CREATE TRIGGER decision_refuses_replace BEFORE INSERT ON tournaments_decision
WHEN EXISTS (
    SELECT 1 FROM tournaments_decision
    WHERE id = NEW.id OR (tournament_id = NEW.tournament_id AND sequence = NEW.sequence)
)
BEGIN SELECT RAISE(ABORT, 'the record of decisions is append-only'); END
"""
REMOVE = "DROP TRIGGER decision_refuses_replace"


def install(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute(INSTALL)


def remove(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute(REMOVE)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0016_fingerprints")]

    operations = [migrations.RunPython(install, remove)]
