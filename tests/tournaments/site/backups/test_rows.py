"""The lines of a table, which go into either database."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from tournaments.models import Passkey
from tournaments.site.backups import rows

pytestmark = pytest.mark.django_db


def test_a_passkey_keeps_its_bytes(chief_arbiter: User) -> None:
    """JSON has no bytes: without words of their own, no site on
    PostgreSQL that has passkeys could be copied.
    """
    made = Passkey.objects.create(
        user=chief_arbiter, name="phone", host="a.example", credential="x", data=bytes(range(256))
    )
    before = Passkey.objects.get(pk=made.pk)
    ((table, columns, values),) = rows.parse(list(rows.table_lines(Passkey, Passkey.objects.all())))
    assert table == Passkey._meta.db_table
    made.delete()
    rows.instance(Passkey, columns, values).save(force_insert=True)
    after = Passkey.objects.get()
    assert (bytes(after.data), after.pk, after.host) == (bytes(before.data), before.pk, before.host)
