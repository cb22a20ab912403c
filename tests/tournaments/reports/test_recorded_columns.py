"""Every column that a record is compared with has a default there, the same as in the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from django.db.models import NOT_PROVIDED, Field

from pairing.record import defaults
from pairing.standings.prize_rules import Choice
from tournaments.reports.recorded_columns import (
    DEFAULTS,
    IN_ANOTHER_FORM,
    NOT_RECORDED,
    columns_without_default,
)
from tournaments.setup.tournaments import FIELDS as OF_A_TOURNAMENT
from tournaments.standings.prize_plan import PrizePlan, described, plan_from

OTHERWISE: Final[Mapping[str, object]] = {}
"""By column, the present default of columns whose default was changed after their release."""


def test_every_column_has_a_default_in_the_record() -> None:
    assert columns_without_default() == [], (
        "Old lines of the record do not name these columns. Add what old rows have to the table of the "
        "model in pairing/record/defaults.py, for a setting in pairing/rules/settings.py, for a "
        "player in pairing/record/player_fields.py, or say "
        "in tournaments/reports/recorded_columns.py that no line names them: "
        "docs/developer/add-a-column.md"
    )


def test_the_defaults_of_the_record_are_those_of_the_tables() -> None:
    for model, known in DEFAULTS.items():
        columns = {field.name: field for field in model._meta.concrete_fields}
        assert known.keys() <= columns.keys(), model.__name__
        assert not known.keys() & (IN_ANOTHER_FORM[model] | NOT_RECORDED[model]), model.__name__
        for name, default in known.items():
            column = f"{model.__name__}.{name}"
            wanted = OTHERWISE.get(column, default)
            for found in defaults_of(columns[name]):
                assert found == wanted, (
                    f"{column} begins with {found!r}, and pairing/record/defaults.py has "
                    f"{default!r}. If the column is "
                    "new, write the same there. If its default has changed, leave the one there, "
                    "which is that of old "
                    "lines, and add the new one to OTHERWISE in this module."
                )


def defaults_of(field: Field[Any, Any]) -> Iterator[object]:
    """Yield the defaults of the column in the program and in the database;
    none if every row names a value.
    """
    if field.has_default() or field.null or field.blank:
        yield field.get_default()
    of_the_database = field.db_default
    if of_the_database is not NOT_PROVIDED:
        yield getattr(of_the_database, "value", of_the_database)


def test_the_lines_of_the_program_name_only_values_with_a_default() -> None:
    assert defaults.SETTINGS.keys() == OF_A_TOURNAMENT
    nothing: Any = {"categories": []}
    assert described(PrizePlan()).keys() == {*defaults.PRIZES, "categories"}
    # A new event pays the more valuable prize; a line without a word about it means the old rule.
    assert described(plan_from(nothing)) == {**defaults.PRIZES, "categories": []}
    assert PrizePlan() == replace(plan_from(nothing), choice=Choice.MOST_VALUABLE)


def test_prizes_of_an_old_line_can_be_set_again() -> None:
    old: Any = {"categories": [{"name": "U12", "amounts": [100]}]}
    assert described(plan_from(old))["categories"] == [
        {**defaults.PRIZE_CATEGORY, "name": "U12", "amounts": [100], "things": []}
    ]
    older: Any = [{"one_each": True}, {"one_each": False}]
    limits = [plan_from(values).most_each for values in older]
    assert limits == [1, 0]
