"""Remove the stored pages: they are files now (core/page_store.py). They were nine tenths of most databases."""

import logging

from django.db import OperationalError, migrations

logger = logging.getLogger(__name__)


def give_back_space(apps, schema_editor):
    """Make the SQLite file smaller; PostgreSQL removes the files of a table with it. Nothing needs it."""
    if schema_editor.connection.vendor != "sqlite" or schema_editor.connection.in_atomic_block:
        return
    try:
        schema_editor.execute("VACUUM")
    except OperationalError as error:
        logger.warning("The file of the database stays as large as it was: %s", error)


class Migration(migrations.Migration):
    atomic = False  # VACUUM does not run in a transaction.

    dependencies = [("tournaments", "0011_entry_national_id")]

    operations = [
        migrations.DeleteModel(name="StoredPage"),
        migrations.RunPython(give_back_space, migrations.RunPython.noop),
    ]
