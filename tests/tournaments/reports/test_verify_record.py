"""``verify_record`` proves the record to an arbiter, and finds a change of the database file."""

import io
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from tests.plugins.empty_tables import guard_lifted
from tests.tournaments.factories import make_ready, play_rounds
from tournaments.core import record, signing
from tournaments.models import Decision, Tournament

REPO = Path(__file__).resolve().parents[3]


@pytest.fixture
def played(chief_arbiter):
    tournament = make_ready(chief_arbiter, players=4, rounds=3)
    play_rounds(tournament, [1], chief_arbiter)
    return tournament


def verify(*arguments):
    """Return the output of the command, with the last sentence of a failure."""
    out = io.StringIO()
    try:
        call_command("verify_record", *arguments, stdout=out)
    except CommandError as error:
        out.write(f"{error}\n")
    return out.getvalue().splitlines()


def test_an_unchanged_record_is_valid(played):
    last = played.decisions.last()
    chain = (
        f"The record of “Autumn Open” is whole: {last.sequence} rows, the last "
        f"#{last.sequence} {last.hash}."
    )
    assert verify("autumn-open") == [f"{chain} The tables are what it says."]


def test_a_printed_fingerprint_names_its_line(played):
    published = played.decisions.get(action="pairings.published")
    first, last = verify("autumn-open", "--fingerprint", f" {published.hash.upper()} ")
    assert (
        first
        == f"The fingerprint is that of row #{published.sequence}, {published.at:%Y-%m-%d %H:%M} UTC."
    )
    assert last.startswith("The record of “Autumn Open” is whole: ")


@pytest.mark.on_postgres("the protection of the record")
def test_a_printed_fingerprint_reveals_lines_removed_from_the_end(played):
    last = played.decisions.last()
    with guard_lifted(connection):
        last.published_lists.all().delete()
        Decision.objects.filter(pk=last.pk).delete()
    ending = (
        f"The record ends with #{last.sequence - 1}, and the tournament with #{last.sequence}: "
    )
    ending += "the end was removed or altered."
    assert verify("autumn-open") == [
        ending,
        "The record of “Autumn Open” is not as it was written.",
    ]
    assert record.verify(played) == []
    before = played.decisions.last()
    shown = played.decisions.filter(is_public=True).last()
    fields = {
        "version": before.sequence,
        "fingerprint": before.hash,
        "public_fingerprint": shown.hash,
    }
    Tournament.objects.filter(pk=played.pk).update(**fields)
    at = last.at.isoformat(timespec="microseconds")
    assert verify("autumn-open") == [
        "Round 1: the record says “pairings_published”, the tables “results_published”.",
        f"Round 1, results_published_at: the record says nothing, the tables “{at}”.",
        "The tables of “Autumn Open” are not what its record says.",
    ]
    assert verify("autumn-open", "--fingerprint", last.hash) == [
        f"No row has the fingerprint “{last.hash}”: the list it was printed on was made from other rows.",
        "The record of “Autumn Open” is not as it was written.",
    ]


@pytest.mark.on_postgres("the protection of the record")
def test_a_changed_byte_is_found_and_located(played):
    """On either database: change one letter of one value by SQL, with the guard removed."""
    row = played.decisions.get(action="pairings.published")
    with guard_lifted(connection), connection.cursor() as cursor:
        cursor.execute(
            "UPDATE tournaments_decision SET actor_name = replace(actor_name, 'C', 'K') WHERE id = %s",
            [row.pk],
        )
    assert verify("autumn-open") == [
        f"#{row.sequence}: its content was altered.",
        "The record of “Autumn Open” is not as it was written.",
    ]


@pytest.mark.costly
def test_an_unknown_tournament_is_answered_with_the_existing_ones(played):
    assert verify("spring-open") == [
        "There is no tournament “spring-open”. There are: autumn-open, next-door."
    ]


@pytest.mark.costly
@pytest.mark.on_postgres("the protection of the record")
@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="the database is a server")
@pytest.mark.alone("the file has the rows of one tournament")
def test_a_byte_changed_in_the_database_file_is_found_and_located(played, tmp_path):
    """Without SQL: change the file of a database like any other file."""
    database = tmp_path / "swiss.sqlite3"
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{database}",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    database.write_bytes(connection.connection.serialize())

    def verified():
        command = [sys.executable, "manage.py", "verify_record", played.slug]
        return subprocess.run(
            command, cwd=REPO, env=environment, capture_output=True, text=True, check=False
        )

    whole = verified()
    assert (whole.returncode, whole.stdout[:36]) == (0, "The record of “Autumn Open” is whole")
    # White won a game of round 1: with one byte changed the file says 1=, which is not a result.
    content, written = database.read_bytes(), results_in(database)
    expected = b'"result": "10"'
    assert expected in content
    database.write_bytes(content.replace(expected, b'"result": "1="', 1))
    assert sum(one != other for one, other in zip(content, database.read_bytes(), strict=True)) == 1
    read = results_in(database)
    (changed,) = (row for row in written if read[row] != written[row])
    altered = verified()
    assert (altered.returncode, altered.stdout.splitlines()) == (
        1,
        [f"#{changed}: its content was altered."],
    )


def results_in(database):
    """Return the results in every line of the record in a database file, by number of the line."""
    with closing(sqlite3.connect(database)) as connection:
        return dict(
            connection.execute("SELECT sequence, before || after FROM tournaments_decision")
        )


@pytest.mark.costly
def test_what_is_no_public_key_is_bad_input(played):
    with pytest.raises(CommandError, match="“zz” is no public key") as refused:
        call_command("verify_record", "autumn-open", "--key", "zz")
    assert refused.value.returncode == 3


@pytest.mark.costly
def test_lines_of_another_installation_are_one_line_and_no_change(played, settings):
    """As after an import: the exit code says that nobody has named the key,
    and nothing else is wrong.
    """
    old, count = signing.public_key(), played.decisions.count()
    settings.SIGNING_KEY = "12" * 32
    message = (
        f"{count} lines are signed with the key of another installation (fingerprint {old[:12]}): "
    )
    first, last = verify("autumn-open")
    assert first == f"{message}check them with --key {old}"
    assert last.startswith(
        "Nothing else was found in the record of “Autumn Open”. Compare the key with that installa"
    )
    with pytest.raises(CommandError) as raised:
        call_command("verify_record", "autumn-open", stdout=io.StringIO())
    assert raised.value.returncode == 4
    assert verify("autumn-open", "--key", old)[0].startswith(
        "The record of “Autumn Open” is whole: "
    )
    # A record that goes on with another key without a hand-over is a fault, as if its end was
    # computed again.
    settings.SIGNING_KEY = "34" * 32
    play_rounds(played, [2], played.created_by)
    other = signing.public_key()
    settings.SIGNING_KEY = "12" * 32
    expected = (
        f"#{count + 1}: from here on another key signs ({other}), and the event was not "
        f"handed over before."
    )
    assert [line.startswith(expected) for line in verify("autumn-open", "--key", old)] == [
        True,
        False,
    ]
    assert verify("autumn-open")[-1] == "The record of “Autumn Open” is not as it was written."
    assert verify("autumn-open", "--key", old, "--key", other)[0].startswith(
        "The record of “Autumn Open” is whole: "
    )
    # The change is found all the same, first of all a signature that does not fit the key of
    # its line.
    row = played.decisions.filter(action="pairings.published").earliest("sequence")
    with guard_lifted(connection):
        Decision.objects.filter(pk=row.pk).update(signature="0" * 128)
    assert verify("autumn-open") == [
        f"#{row.sequence}: its signature does not fit its fingerprint.",
        "The record of “Autumn Open” is not as it was written.",
    ]
