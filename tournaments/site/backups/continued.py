"""Let a newer copy of an event replace the older copy here, with which it begins."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db import connection, models

from tournaments.core import page_store
from tournaments.models import Appointment, Decision, Event, PublishedList, Role, Tournament

STAYING: tuple[type[models.Model], ...] = (Event, Tournament, Decision, PublishedList)
"""Their rows stay under their numbers: addresses lead to them,
or the database lets none of them go.
"""


class Replaced:
    """The older tournaments here, and what of them stays."""

    def __init__(self, older: Collection[Tournament]) -> None:
        self._older = {tournament.identity: tournament for tournament in older}
        self._ids = [tournament.pk for tournament in older]
        self._event = (
            Event.objects.filter(sections__tournament__in=self._ids).order_by("pk").first()
        )
        lines = Decision.objects.filter(tournament__in=self._ids)
        self._lines = {
            (row, sequence): pk
            for row, sequence, pk in lines.values_list("tournament", "sequence", "pk")
        }
        lists = PublishedList.objects.filter(tournament__in=self._ids)
        self._lists = {
            (row, number): pk for row, number, pk in lists.values_list("tournament", "number", "pk")
        }
        self._deleted: list[Decision] = []
        roles = Appointment.objects.filter(tournament__in=self._ids, until=None, accepted=True)
        self.had_a_role = {
            (tournament, person): Role(role)
            for tournament, person, role in roles.values_list("tournament", "person", "role")
        }
        """The roles before the file came, by the numbers of the tournament and of the account."""

    def empty(self, tables: dict[type[models.Model], str]) -> None:
        """Remove the rows of *tables* that do not stay; references are checked at the commit."""
        if not self._ids:
            return
        Tournament.objects.filter(pk__in=self._ids).update(group_a_last=None)
        found = {
            model: list(
                model._base_manager.filter(**{f"{lookup}__in": self._ids})
                .values_list("pk", flat=True)
                .distinct()
            )
            for model, lookup in tables.items()
            if model not in STAYING
        }
        for model in reversed(found):
            column = model._meta.pk.column
            with connection.cursor() as cursor:
                cursor.executemany(
                    f"DELETE FROM {model._meta.db_table} WHERE {column} = %s",  # noqa: S608 - names of the program
                    [[pk] for pk in found[model]],
                )

    def row_for(self, row: models.Model) -> int | None:
        """Return the number of the row that stays for *row* of the file; None if it is new."""
        if isinstance(row, Tournament):
            return self._put_tournament(row)
        if isinstance(row, Event) and self._event is not None:
            Event.objects.filter(pk=self._event.pk).update(name=row.name)
            return self._event.pk
        if isinstance(row, PublishedList):
            return self._lists.get((row.tournament_id, row.number))
        if isinstance(row, Decision):
            there = self._lines.get((row.tournament_id, row.sequence))
            if there is not None and row.deleted:
                row.pk = there
                self._deleted.append(row)
            return there
        return None

    def _put_tournament(self, row: Tournament) -> int | None:
        there = self._older.get(row.identity)
        if there is None:
            return None
        row.pk, row.slug, row.automatic_by = there.pk, there.slug, None
        row.save(force_update=True)
        page_store.forget_tournament(row.pk)
        return there.pk

    def delete_values(self) -> None:
        """Delete the private values deleted elsewhere; the lines that say so are saved before."""
        for row in _with_values(self._deleted):
            Decision.objects.filter(pk=row.pk).update(
                before=row.before, after=row.after, reason=row.reason, salt="", deleted=row.deleted
            )


def _with_values(rows: Iterable[Decision]) -> list[Decision]:
    kept = {row.pk: row for row in rows}
    return [
        kept[pk]
        for pk in Decision.objects.filter(pk__in=kept).exclude(salt="").values_list("pk", flat=True)
    ]
