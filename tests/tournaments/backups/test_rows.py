"""The lines of a table, which go into either database."""

from __future__ import annotations

import pytest

from tests.tournaments import factories
from tournaments.backups import rows
from tournaments.models import StoredPage, Tournament

pytestmark = pytest.mark.django_db


def test_a_stored_page_keeps_its_bytes(ready: Tournament) -> None:
    """JSON has no bytes: without words of their own, no site on PostgreSQL that has published could be copied."""
    StoredPage.objects.create(
        tournament=ready,
        key="1.0",
        version=1,
        build="12345678",
        path="/t/open/",
        language="fr",
        is_part=False,
        round_number=0,
        headers={"Content-Type": "text/html"},
        gzip=bytes(range(256)),
        brotli=b"",
        sha256="0" * 64,
        stored_at=factories.NOW,
    )
    before = StoredPage.objects.get(tournament=ready)
    lines = list(rows.table_lines(StoredPage, StoredPage.objects.filter(tournament=ready)))
    ((table, columns, values),) = rows.parse(lines)
    assert table == StoredPage._meta.db_table
    StoredPage.objects.filter(tournament=ready).delete()
    rows.instance(StoredPage, columns, values).save(force_insert=True)
    after = StoredPage.objects.get(tournament=ready)
    for field in StoredPage._meta.concrete_fields:
        old, new = getattr(before, field.attname), getattr(after, field.attname)
        assert (bytes(new) if isinstance(new, memoryview) else new) == (
            bytes(old) if isinstance(old, memoryview) else old
        )
