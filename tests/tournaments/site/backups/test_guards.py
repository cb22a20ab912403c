"""The check of the site says when the database no longer protects the record."""

from typing import Final

import pytest
from django.db import connection, transaction

from tournaments.site.backups.checks import check_site, guard_faults

REMOVED = {
    "sqlite": ("DROP TRIGGER publishedlist_refuses_delete",),
    "postgresql": (
        "DROP TRIGGER publishedlist_refuses_truncate ON tournaments_publishedlist",
        "ALTER TABLE tournaments_publishedlist DISABLE TRIGGER publishedlist_refuses_change",
    ),
}
SAID = (
    "The database no longer refuses to change the table tournaments_publishedlist: somebody "
    "removed its protection. "
    "A restored copy of this site from before has it."
)


@pytest.mark.django_db
def test_a_site_as_it_is_made_protects_its_record() -> None:
    assert guard_faults() == []


@pytest.mark.django_db
def test_a_protection_that_was_removed_is_a_fault() -> None:
    # PostgreSQL alters no table while checks of its rows are waiting.
    connection.check_constraints()
    for statement in REMOVED[connection.vendor]:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(statement)
            assert guard_faults() == [SAID]
            transaction.set_rollback(True)
    assert guard_faults() == []


@pytest.mark.django_db
def test_the_check_of_the_site_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.site.backups.checks.guard_faults", lambda: [SAID])
    assert check_site(seconds=0).faults[0] == SAID


OTHER: Final = "Start the version of the program that made this database."
OLDER: Final = (
    "These are the tables of an older version: ./run copies the site first, and brings "
    "them up to date."
)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "missing, advice", [([], OTHER), (["tournaments.0004_trf_openings"], OLDER)]
)
def test_five_tables_of_another_version_are_named_and_nothing_is_counted(
    missing: list[str], advice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.site.backups.checks.missing_migrations", lambda: missing)
    tables = [f"The table {name} is missing." for name in "abcdef"]
    monkeypatch.setattr("tournaments.site.backups.checks.table_faults", lambda **_: tables)
    report = check_site(seconds=0)
    assert report.faults == [*tables[:5], "And 1 more.", advice]
    assert str(report) == "The tables cannot be read, so nothing else was checked"
