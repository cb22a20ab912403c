"""Make the record and the published lists append-only: the database refuses to change or remove a row.

There are two exceptions. The rows of a tournament that was deleted while nothing of it was public may go once it is in
the log of deleted tournaments, which is append-only itself. And the private values of a line may go, with its salt,
once a later line says that data were deleted; everything else of the line stays, its fingerprint and signature too. The
fingerprint covers the hashes of these values, so whoever changes something else that way is found by the next check.

PostgreSQL also refuses TRUNCATE, which fires no row trigger. SQLite's INSERT OR REPLACE removes the row in its way and
fires no trigger on that unless the connection asks for it, so a row may not come in under an id, or other unique
values, that exist already. PostgreSQL's ON CONFLICT DO UPDATE fires the trigger on updates.
"""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

GUARDED = {
    "decision": (
        "the record of decisions is append-only",
        "tournament_id = NEW.tournament_id AND sequence = NEW.sequence",
    ),
    "publishedlist": (
        "the published lists are append-only",
        """
        (decision_id = NEW.decision_id AND kind = NEW.kind AND round_number = NEW.round_number)
        OR (tournament_id = NEW.tournament_id AND number = NEW.number)
        """,
    ),
    "deletedtournament": (
        "the log of deleted tournaments is append-only",
        "tournament = NEW.tournament",
    ),
}
"""The tables, with the refusal and the condition that a row has the unique values of another."""
DELETED = (
    "EXISTS (SELECT 1 FROM tournaments_deletedtournament WHERE tournament = OLD.tournament_id)"
)
"""The condition that the tournament of a row was deleted."""
OF_A_TOURNAMENT = ("decision", "publishedlist")
KEPT = (
    "id", "tournament_id", "sequence", "action", "article", "actor_id", "actor_name", "at", "round_number",
    "previous_hash", "hash", "is_public", "key", "signature",
)  # fmt: skip
"""The columns of a line that stay when its private values are deleted."""


def deletes_values(vendor: str) -> str:
    """Return the condition that an update of a line only deletes its private values."""
    same = "IS" if vendor == "sqlite" else "IS NOT DISTINCT FROM"
    unchanged = " AND ".join(f"NEW.{column} {same} OLD.{column}" for column in KEPT)
    said = """
        EXISTS (SELECT 1 FROM tournaments_decision said WHERE said.tournament_id = OLD.tournament_id
        AND said.action = 'data.deleted' AND said.sequence > OLD.sequence)
    """
    return f"({unchanged} AND OLD.salt <> '' AND NEW.salt = '' AND {said})"


def installing(vendor: str, name: str) -> tuple[str, ...]:
    """Return the statements that guard the table *name*."""
    table = f"tournaments_{name}"
    refusal, same = GUARDED[name]
    unless = f"WHEN NOT {DELETED}" if name in OF_A_TOURNAMENT else ""
    let_go = f"IF TG_OP = 'DELETE' THEN IF {DELETED} THEN RETURN OLD; END IF; END IF;"
    but = f"WHEN NOT {deletes_values(vendor)}" if name == "decision" else ""
    if name == "decision":
        let_go += (
            f"IF TG_OP = 'UPDATE' THEN IF {deletes_values(vendor)} THEN RETURN NEW; END IF; END IF;"
        )
    if vendor == "sqlite":
        return (
            f"""
            CREATE TRIGGER {name}_refuses_update BEFORE UPDATE ON {table} {but}
            BEGIN SELECT RAISE(ABORT, '{refusal}'); END
            """,
            f"""
            CREATE TRIGGER {name}_refuses_delete BEFORE DELETE ON {table} {unless}
            BEGIN SELECT RAISE(ABORT, '{refusal}'); END
            """,
            f"""
            CREATE TRIGGER {name}_refuses_replace BEFORE INSERT ON {table}
            WHEN EXISTS (SELECT 1 FROM {table} WHERE id = NEW.id OR ({same}))
            BEGIN SELECT RAISE(ABORT, '{refusal}'); END
            """,  # noqa: S608 - constants
        )
    return (
        f"""
        CREATE FUNCTION {name}_refuses_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            {let_go if name in OF_A_TOURNAMENT else ""}
            RAISE EXCEPTION '{refusal}' USING ERRCODE = 'integrity_constraint_violation';
        END $$
        """,
        f"""
        CREATE TRIGGER {name}_refuses_change BEFORE UPDATE OR DELETE ON {table}
        FOR EACH ROW EXECUTE FUNCTION {name}_refuses_change()
        """,
        f"""
        CREATE TRIGGER {name}_refuses_truncate BEFORE TRUNCATE ON {table}
        FOR EACH STATEMENT EXECUTE FUNCTION {name}_refuses_change()
        """,
    )


def removing(vendor: str, name: str) -> tuple[str, ...]:
    """Return the statements that remove the guard of the table *name*."""
    if vendor == "sqlite":
        return tuple(
            f"DROP TRIGGER {name}_refuses_{what}" for what in ("replace", "update", "delete")
        )
    return (
        f"DROP TRIGGER {name}_refuses_truncate ON tournaments_{name}",
        f"DROP TRIGGER {name}_refuses_change ON tournaments_{name}",
        f"DROP FUNCTION {name}_refuses_change()",
    )


def install(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for name in GUARDED:
        for statement in installing(schema_editor.connection.vendor, name):
            schema_editor.execute(statement)


def remove(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for name in GUARDED:
        for statement in removing(schema_editor.connection.vendor, name):
            schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_tables")]

    operations = [migrations.RunPython(install, remove)]
