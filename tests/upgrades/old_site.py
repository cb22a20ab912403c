"""Put an old site into an empty database: ``python -m tests.upgrades.old_site FILE``.

SQLite gets the database of the copy as it is. PostgreSQL gets the tables that the program of that
time had, by the migrations of that time, which never change, and the rows of the copy.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from urllib.parse import quote


def fill(path: Path) -> None:
    """Fill the database of this site, which has no tables, with the site in the copy *path*."""
    from django.conf import settings
    from django.db import connection, connections, transaction
    from django.db.migrations.executor import MigrationExecutor

    from config.env import database_from_url
    from tournaments.site.backups import rows
    from tournaments.site.backups.copy_file import extract, read_manifest
    from tournaments.site.backups.copying import SQLITE, database_file

    if (file := database_file()) is not None:
        extract(path, SQLITE, file)
        return
    with tempfile.TemporaryDirectory() as folder:
        extract(path, SQLITE, Path(folder) / SQLITE)
        url = f"sqlite:///{quote(folder)}/{SQLITE}"
        old = database_from_url(url, base_dir=settings.BASE_DIR)
        connections.settings["old"] = connections.configure_settings({"default": {}, "old": old})[
            "old"
        ]
        executor = MigrationExecutor(connection)
        newest = dict(name.split(".", 1) for name in sorted(read_manifest(path).migrations))
        targets = list(newest.items())
        executor.migrate(targets)
        apps = MigrationExecutor(connection).loader.project_state(targets).apps
        with transaction.atomic(using="old"):
            rows.load(rows.dump(apps, "old"), apps, connection)
        connections["old"].close()


if __name__ == "__main__":
    import django

    django.setup()
    fill(Path(sys.argv[1]))
