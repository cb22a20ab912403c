"""The record only grows, and shows when somebody changed it."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from tests.plugins.empty_tables import guard_lifted
from tests.tournaments.factories import NOW, make_ready, make_tournament, play_rounds
from tests.tournaments.neighbour import own
from tournaments.core import record
from tournaments.models import Decision

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(minutes=5)


@pytest.fixture
def three_rows(tournament, chief_arbiter):
    """A record of three lines: the creation, and two actions with every field filled."""
    for number in (1, 2):
        record.append(
            tournament=tournament,
            action="test.action",
            actor=chief_arbiter,
            now=LATER,
            article="C.04.2 4.4",
            round_number=number,
            before={"b": "ő", "a": [1, 2]},
            after={"z": None, "nested": {"2": 2, "10": 1}},
            reason="because",
        )
    return tournament


def tamper(**changes):
    """Change the second line with the guard switched off."""
    with guard_lifted(connection):
        own(Decision).filter(sequence=2).update(**changes)


def test_an_untouched_record_verifies(three_rows):
    assert (own(Decision).count(), record.verify(three_rows)) == (3, [])


def test_every_line_has_the_fingerprint_of_the_line_before(three_rows):
    rows = list(own(Decision).order_by("sequence"))
    assert [row.sequence for row in rows] == [1, 2, 3]
    assert [row.previous_hash for row in rows] == ["", rows[0].hash, rows[1].hash]
    assert {len(row.hash) for row in rows} == {64}


def test_a_row_says_who_when_and_why(three_rows, chief_arbiter):
    row = own(Decision).get(sequence=3)
    assert (row.action, row.actor, row.actor_name, row.at, row.article, row.round_number, row.reason) == (
        "test.action", chief_arbiter, "Clara Chief", LATER, "C.04.2 4.4", 2, "because",
    )  # fmt: skip


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tournaments_decision SET reason = 'another'",
        "UPDATE tournaments_decision SET sequence = sequence + 10",
        "DELETE FROM tournaments_decision",
        "DELETE FROM tournaments_decision WHERE sequence = 3",
    ],
)
def test_the_database_refuses_to_change_or_remove_a_row(three_rows, statement):
    with (
        pytest.raises(DatabaseError, match="the record of decisions is append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)
    assert record.verify(three_rows) == []


@pytest.mark.parametrize("how", ["", " CASCADE"])
def test_the_database_refuses_to_empty_the_table(three_rows, how):
    """PostgreSQL needs its own trigger (TRUNCATE fires none of the others); SQLite has no TRUNCATE.

    Alone, the table is refused because the published lists refer to it.
    """
    connection.check_constraints()  # pending rows would be another reason to refuse
    refusal = (
        "the record of decisions is append-only"
        if how
        else "referenced in a foreign key constraint"
    )
    values = {"sqlite": "syntax error", "postgresql": refusal}[connection.vendor]
    with (
        pytest.raises(DatabaseError, match=values),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"TRUNCATE tournaments_decision{how}")
    assert own(Decision).count() == 3


@pytest.mark.parametrize(
    "changes",
    [
        {"reason": "because of"},
        {"actor_name": "Somebody Else"},
        {"at": LATER + timedelta(microseconds=1)},
        {"article": ""},
        {"round_number": None},
        {"before": {"b": "o", "a": [1, 2]}},
        {"after": {"z": None, "nested": {"2": 2, "10": 1}, "more": 0}},
        {"action": "test.actions"},
    ],
)
def test_a_changed_line_is_found_and_located(three_rows, changes):
    tamper(**changes)
    assert record.verify(three_rows) == ["#2: its content was altered."]


def test_a_row_altered_with_a_new_fingerprint_breaks_the_chain(three_rows):
    row = own(Decision).get(sequence=2)
    row.reason = "another"
    tamper(reason="another", hash=record.fingerprint(row))
    assert record.verify(three_rows) == ["#3: does not follow from the row before it."]


def test_a_removed_row_is_found(three_rows):
    with guard_lifted(connection):
        own(Decision).filter(sequence=2).delete()
    assert record.verify(three_rows) == [
        "#3: expected #2 here; rows are missing.",
        "#3: does not follow from the row before it.",
    ]


@pytest.mark.costly
def test_the_record_of_a_played_tournament_verifies(chief_arbiter):
    tournament = make_ready(chief_arbiter, players=5, rounds=3)
    play_rounds(tournament, [1, 2], chief_arbiter)
    assert record.verify(tournament) == []
    assert [row.action for row in tournament.decisions.order_by("sequence")] == [
        "tournament.created",
        *["entry.added"] * 5,
        "numbers.assigned",
        "colour.drawn",
        *[
            "round.paired",
            "pairings.published",
            "result.recorded",
            "result.recorded",
            "results.published",
        ]
        * 2,
    ]


@pytest.mark.costly
@pytest.mark.alone("its tables are taken away")
@pytest.mark.django_db(transaction=True)
def test_the_guard_can_be_removed_and_restored():
    """The migration is reversible: without it a line can be removed, with it again none."""
    actor = User.objects.create_user("chief", password="chief-secret")
    tournament = make_tournament(actor)
    call_command("migrate", "tournaments", "0001", verbosity=0)
    try:
        own(Decision).all().delete()
        assert own(Decision).count() == 0
    finally:
        call_command("migrate", "tournaments", verbosity=0)
    record.append(tournament=tournament, action="test.action", actor=actor, now=NOW)
    with pytest.raises(DatabaseError, match="the record of decisions is append-only"):
        own(Decision).all().delete()


COLUMNS = (
    "tournament_id, sequence, action, article, actor_name, at, before, after, reason, "
    "previous_hash, hash,"
    " round_number, actor_id, is_public, salt, deleted, key, signature"
)
ALTERED = COLUMNS.replace("reason,", "'another',")
ROW = "FROM tournaments_decision WHERE sequence = 2 AND tournament_id = %s"
REPLACING = {
    "its id": f"INSERT OR REPLACE INTO tournaments_decision (id, {COLUMNS}) SELECT id, {ALTERED} {ROW}",
    "its number": f"INSERT OR REPLACE INTO tournaments_decision (id, {COLUMNS}) SELECT id + 9, "
    f"{ALTERED} {ROW}",
    "no id": f"REPLACE INTO tournaments_decision ({COLUMNS}) SELECT {ALTERED} {ROW}",
    "an update": "UPDATE OR REPLACE tournaments_decision SET sequence = 3 WHERE sequence = 2 AND "
    "tournament_id = %s",
}


@pytest.mark.parametrize("recursive", ["ON", "OFF"])
@pytest.mark.parametrize("how", REPLACING)
@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="INSERT OR REPLACE is SQLite's own")
def test_no_line_replaces_another(three_rows, how, recursive):
    """Neither from our own connections nor from another program's,
    for which a removed row fires no trigger.
    """
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA recursive_triggers").fetchone() == (1,)
        cursor.execute(f"PRAGMA recursive_triggers={recursive}")
        try:
            with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
                cursor.execute(REPLACING[how], [three_rows.pk])
        finally:
            cursor.execute("PRAGMA recursive_triggers=ON")
    assert record.verify(three_rows) == []
    assert not three_rows.decisions.filter(reason="another").exists()
