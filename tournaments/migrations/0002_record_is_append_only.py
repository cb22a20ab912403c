"""Make the record append-only: the database refuses to change or remove a line.

PostgreSQL also refuses TRUNCATE, which fires no row trigger. SQLite's INSERT OR REPLACE removes the row in its way and
fires no trigger on that unless the connection asks for it, so a line may not come in under an id, or a number in its
tournament, that exists already. PostgreSQL's ON CONFLICT DO UPDATE fires the trigger on updates.
"""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

REFUSAL = "the record of decisions is append-only"

INSTALL = {
    "sqlite": (
        f"""
        CREATE TRIGGER decision_refuses_update BEFORE UPDATE ON tournaments_decision
        BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END
        """,
        f"""
        CREATE TRIGGER decision_refuses_delete BEFORE DELETE ON tournaments_decision
        BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END
        """,
        f"""
        CREATE TRIGGER decision_refuses_replace BEFORE INSERT ON tournaments_decision
        WHEN EXISTS (
            SELECT 1 FROM tournaments_decision
            WHERE id = NEW.id OR (tournament_id = NEW.tournament_id AND sequence = NEW.sequence)
        )
        BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END
        """,  # noqa: S608 - a constant
    ),
    "postgresql": (
        f"""
        CREATE FUNCTION decision_refuses_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'integrity_constraint_violation';
        END $$
        """,
        """
        CREATE TRIGGER decision_refuses_change BEFORE UPDATE OR DELETE ON tournaments_decision
        FOR EACH ROW EXECUTE FUNCTION decision_refuses_change()
        """,
        """
        CREATE TRIGGER decision_refuses_truncate BEFORE TRUNCATE ON tournaments_decision
        FOR EACH STATEMENT EXECUTE FUNCTION decision_refuses_change()
        """,
    ),
}
REMOVE = {
    "sqlite": (
        "DROP TRIGGER decision_refuses_replace",
        "DROP TRIGGER decision_refuses_update",
        "DROP TRIGGER decision_refuses_delete",
    ),
    "postgresql": (
        "DROP TRIGGER decision_refuses_truncate ON tournaments_decision",
        "DROP TRIGGER decision_refuses_change ON tournaments_decision",
        "DROP FUNCTION decision_refuses_change()",
    ),
}


def install(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for statement in INSTALL[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


def remove(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for statement in REMOVE[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_tables")]

    operations = [migrations.RunPython(install, remove)]
