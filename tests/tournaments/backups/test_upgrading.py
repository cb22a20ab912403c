"""A site that an unreleased version made is recognised before anything is copied or changed."""

from pathlib import Path

import pytest
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from pytest_django import Settings

from tournaments.backups.checks import is_from_before_release
from tournaments.backups.copy_file import CopyError
from tournaments.backups.upgrading import upgrade

OLDER = {
    "a column is missing": "ALTER TABLE tournaments_tournament DROP COLUMN handed_over_address",
    "a table is missing": "DROP TABLE tournaments_passkey",
}


@pytest.mark.django_db
def test_a_site_from_before_the_first_release_is_left_alone(tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path
    connection.check_constraints()
    for change in OLDER.values():
        with transaction.atomic():
            MigrationRecorder.Migration.objects.filter(app="tournaments", name__gt="0003").delete()
            assert not is_from_before_release()
            with connection.cursor() as cursor:
                cursor.execute(change)
            with pytest.raises(CopyError) as refused:
                upgrade(say=lambda _: None)
            transaction.set_rollback(True)
        said = str(refused.value)
        assert said.startswith("This site was made by a version before the first release")
        assert "Nothing was changed. Go on with the program that made it. Or move each event: save its report" in said
        assert list(tmp_path.iterdir()) == []
