"""Deleted personal data are nowhere in the database, and the record can still be verified."""

from __future__ import annotations

import json
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from pairing.cli.main import main
from pairing.record import private
from pairing.rounds.corrections import Report, rating_correct
from pairing.rules.personal_data import FORGOTTEN
from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tests.tournaments.setup.conftest import LATER
from tests.tournaments.web.test_access_pages import addresses
from tournaments.core import record
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.core.frame import tournament_frame
from tournaments.entries.desk_data import desk_data_set
from tournaments.entries.entries import entry_check_in, entry_remove, entry_update
from tournaments.models import Correction, Decision, Entry, Registration, Tournament
from tournaments.people.accounts.store import SessionStore
from tournaments.people.people import Access, person_appoint
from tournaments.reports.record_against_tables import differences, people_differences
from tournaments.reports.record_file import record_file
from tournaments.setup.personal_data import (
    data_delete,
    data_delete_due,
    data_of,
    deletion_due_at,
    found,
)
from tournaments.setup.tournaments import tournament_update
from tournaments.standings.final import standings_make_final

PRIVATE: Final = (
    "1987/06/05",
    "1975/03/02",
    "0699123456",
    "no gluten",
    "ada@example",
    "in hospital",
    "Lovelace",
    "Quetzal",
    "98765432",
)


def delete(tournament: Tournament, actor: User, **more: object) -> object:
    given: dict[str, Any] = {"now": LATER, "confirmed": True, **more}
    return data_delete(tournament_id=tournament.pk, actor=actor, **given)


def in_the_database() -> str:
    """Return every value of every table of ours, and of the sessions."""
    names = [
        name
        for name in connection.introspection.table_names()
        if name.startswith(("tournaments_", "django_s"))
    ]
    found = []
    with connection.cursor() as cursor:
        for name in names:
            cursor.execute(f"SELECT * FROM {name}")  # noqa: S608 - names of our own tables
            found += [str(value) for row in cursor.fetchall() for value in row]
    return "\n".join(found)


def files(tournament: Tournament) -> list[list[str]]:
    """Return the lines of the record in the file of arbiters, and in that of visitors."""
    return [list(record_file(tournament_frame(tournament, runs=runs))) for runs in (True, False)]


def faults(tournament: Tournament) -> list[str]:
    return record.verify(tournament) + differences(tournament) + people_differences(tournament)


@pytest.mark.on_postgres("the protection of the record")
def test_nothing_is_left_in_any_table(over: Tournament, chief_arbiter: User) -> None:
    there = in_the_database()
    assert [text for text in PRIVATE if text not in there] == []
    delete(over, chief_arbiter)
    left = in_the_database()
    assert [text for text in PRIVATE if text in left] == []
    assert not found(over)


@pytest.mark.costly
def test_the_record_stays_as_it_was_published(
    over: Tournament, chief_arbiter: User, tmp_path: Path
) -> None:
    assert faults(over) == []
    whole, public = files(over)
    delete(over, chief_arbiter)
    over.refresh_from_db()
    whole_now, public_now = files(over)
    assert (public_now[1:-2], whole_now[1:-2]) == (public[1:-1], whole[1:-1])
    assert "action" not in json.loads(public_now[-2])
    assert json.loads(whole_now[-2])["action"] == "data.deleted"
    assert faults(over) == []
    for lines in (whole_now, public_now):
        file = tmp_path / "record.jsonl"
        file.write_text("".join(lines))
        assert main(["verify", str(file)]) == 0


@pytest.mark.costly
def test_results_names_and_public_pages_stay(
    over: Tournament, chief_arbiter: User, client: Client
) -> None:
    urls = {
        name: reverse(f"api:{name}", args=[over.slug])
        for name in ("standings", "crosstable", "entries")
    }
    before = {name: client.get(url).json() for name, url in urls.items()}
    file = reverse("trf-export", args=[over.slug])
    assert b" 1987/00/00 " in client.get(file).content
    delete(over, chief_arbiter)
    after = {name: client.get(url).json() for name, url in urls.items()}
    for answers in (before, after):
        for answer in answers.values():
            answer.pop("version", None)
    assert after == before
    assert b"1987" not in client.get(file).content


@pytest.mark.costly
def test_pages_of_the_arbiter_open_after_the_deletion(
    over: Tournament, chief_arbiter: User, client: Client
) -> None:
    delete(over, chief_arbiter)
    client.force_login(chief_arbiter)
    wanted = [
        "record",
        "event-report",
        "corrections",
        "entries",
        "entry-edit",
        "check-in",
        "personal-data",
    ]
    answers = {
        name: client.get(url)
        for name, url in addresses([*wanted, "personal-data-of"], over).items()
    }
    assert {
        name: answer.status_code for name, answer in answers.items() if answer.status_code != 200
    } == {}
    assert "There are no personal data" in answers["personal-data"].content.decode()


@pytest.mark.costly
@pytest.mark.on_postgres("the protection of the record")
def test_the_database_lets_go_private_values_only_after_a_line_that_says_so(
    over: Tournament,
) -> None:
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        record.delete_private_values(Decision.objects.filter(tournament=over))


@pytest.mark.costly
@pytest.mark.on_postgres("the protection of the record")
def test_after_that_line_too_nothing_else_of_a_line_can_change(
    over: Tournament, chief_arbiter: User
) -> None:
    first = Decision.objects.filter(tournament=over).order_by("sequence")[3]
    delete(over, chief_arbiter, entry_id=factories.entry_of(over, 1).pk)
    assert first.salt
    for change in (
        {"salt": "", "article": "1"},
        {"salt": "", "hash": "0" * 64},
        {"salt": "0" * 32},
        {"reason": "x"},
    ):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            Decision.objects.filter(pk=first.pk).update(**change)
    # A value can be replaced in the place of a deletion; the fingerprint then no longer fits.
    with transaction.atomic():
        Decision.objects.filter(pk=first.pk).update(salt="", after={**first.after, "rating": 2900})
        assert record.verify(over) == [f"#{first.sequence}: its content was altered."]
        transaction.set_rollback(True)


@pytest.mark.costly
@pytest.mark.on_postgres("the protection of the record")
def test_a_private_value_that_is_changed_instead_of_deleted_is_found(
    over: Tournament, chief_arbiter: User
) -> None:
    lines = Decision.objects.filter(tournament=over, action="entry.updated").order_by("sequence")
    born = next(line for line in lines if line.after.get("birth_date") == "1987/06/05")
    delete(over, chief_arbiter, entry_id=factories.entry_of(over, 2).pk)
    deleted = private.delete(record.line_of(born), born.salt)
    hashes = [[list(path), value] for path, value in deleted.hashes.items()]
    # The database lets it pass, and the fingerprint covers only the hash of the value.
    other = {**deleted.after, "birth_date": "1999/01/01"}
    Decision.objects.filter(pk=born.pk).update(
        before=deleted.before, after=other, salt="", deleted=hashes
    )
    assert record.verify(over) == [f"#{born.sequence}: there is a value where one was deleted."]


@pytest.mark.costly
def test_data_are_kept_while_they_are_needed(full: Tournament, chief_arbiter: User) -> None:
    with pytest.raises(RuleRefused) as refused:
        delete(full, chief_arbiter)
    assert refused.value.code == "data.needed"
    last = Decision.objects.filter(tournament=full).latest("sequence").at
    with pytest.raises(RuleRefused):
        delete(full, chief_arbiter, now=last + FORGOTTEN)
    delete(full, chief_arbiter, now=last + FORGOTTEN + timedelta(seconds=1))
    assert not found(full)


@pytest.mark.costly
def test_only_the_chief_arbiter_deletes(over: Tournament, deputy: User, stranger: User) -> None:
    for actor in (deputy, stranger):
        with pytest.raises(PermissionDenied):
            delete(over, actor)
    assert found(over)


@pytest.mark.costly
def test_unconfirmed_stale_and_twice(over: Tournament, chief_arbiter: User) -> None:
    with pytest.raises(BadInput, match="cannot be undone"):
        delete(over, chief_arbiter, confirmed=False)
    with pytest.raises(Conflict):
        delete(over, chief_arbiter, seen_version=over.version - 1)
    delete(over, chief_arbiter, seen_version=over.version)
    lines = Decision.objects.filter(tournament=over).count()
    delete(over, chief_arbiter)
    assert Decision.objects.filter(tournament=over).count() == lines


@pytest.mark.costly
@pytest.mark.on_postgres("the protection of the record")
def test_one_player_and_the_others_keep_theirs(over: Tournament, chief_arbiter: User) -> None:
    one, two = factories.entry_of(over, 1), factories.entry_of(over, 2)
    delete(over, chief_arbiter, entry_id=one.pk)
    over.refresh_from_db()
    left = in_the_database()
    assert left.count("1987/06/05") == 1  # of the row that waits, with another name
    assert "0699123456" not in left
    assert "in hospital" not in left
    two.refresh_from_db()
    assert two.birth_date == "1975/03/02"
    assert faults(over) == []
    assert not found(over, one)
    assert found(over, two)


@pytest.mark.costly
def test_the_file_for_a_player_has_everything_about_this_player_alone(full: Tournament) -> None:
    text = json.dumps(data_of(factories.entry_of(full, 1)), default=str)
    for wanted in ("1987/06/05", "0699123456", "no gluten", "ada@example.org"):
        assert wanted in text
    assert "1975/03/02" not in text
    assert "Lovelace" not in text


@pytest.mark.costly
@pytest.mark.on_postgres("the protection of the record")
def test_data_of_a_namesake_are_neither_in_the_file_nor_deleted(
    over: Tournament, chief_arbiter: User
) -> None:
    one, two = factories.entry_of(over, 1), factories.entry_of(over, 3)
    links = iter("abc")

    def registered(entry: Entry | None, **fields: str) -> None:
        Registration.objects.create(
            tournament=over, link=next(links) * 64, state="accepted", entry=entry, created_at=NOW,
            fields={"name": one.name, **fields}, email=f"{fields.get('birth_date', 'own')[:4]}@namesake.example",
        )  # fmt: skip

    registered(two)
    registered(None, birth_date="1944/01/01")
    registered(None, birth_date="1987/06/05")
    text = json.dumps(data_of(one), default=str)
    assert ("own@namesake" in text, "1944@namesake" in text, "1987@namesake" in text) == (
        False,
        False,
        True,
    )
    delete(over, chief_arbiter, entry_id=one.pk)
    left = Registration.objects.filter(email__endswith="@namesake.example").order_by("pk")
    assert [row.email[:4] for row in left] == ["own@", "1944"]


def test_the_page_deletes_and_offers_the_file(
    over: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    one = factories.entry_of(over, 1)
    file = client.get(reverse("personal-data-file", args=[over.slug, one.pk]))
    assert file.json()["player"]["birth_date"] == "1987/06/05"
    assert file["Cache-Control"] == "private, no-store"
    url = reverse("personal-data", args=[over.slug])
    assert client.post(url, {"seen_version": over.version}).status_code == 400
    assert client.post(url, {"seen_version": over.version, "confirmed": "yes"}).status_code == 302
    assert not found(over)


def command_output(*arguments: str, **options: Any) -> str:
    out = StringIO()
    call_command("delete_personal_data", *arguments, stdout=out, **options)
    return out.getvalue()


@pytest.mark.costly
@pytest.mark.on_postgres("the protection of the record")
def test_data_are_due_so_many_days_after_the_end(full: Tournament, chief_arbiter: User) -> None:
    tournament_update(tournament_id=full.pk, actor=chief_arbiter, now=NOW, keeps_data_days=30)
    assert deletion_due_at(full) is None
    over = standings_make_final(
        tournament_id=full.pk, actor=chief_arbiter, now=LATER, ties_stay=True
    )
    due = LATER + timedelta(days=30)
    assert deletion_due_at(over) == due
    assert data_delete_due(tournament_id=over.pk, now=due - timedelta(microseconds=1)) is None
    assert found(over)
    assert data_delete_due(tournament_id=over.pk, now=due)
    assert not found(over)


@pytest.mark.costly
def test_the_command_deletes_what_is_due_and_nothing_else(
    full: Tournament, chief_arbiter: User
) -> None:
    tournament_update(tournament_id=full.pk, actor=chief_arbiter, now=NOW, keeps_data_days=0)
    assert command_output() == "No personal data are due to be deleted.\n"
    assert "2 birth dates" in command_output(full.slug)
    over = standings_make_final(
        tournament_id=full.pk, actor=chief_arbiter, now=timezone.now(), ties_stay=True
    )
    assert f"{over.slug}: 2 birth dates" in command_output()
    assert found(over)
    assert "2 birth dates" in command_output(due=True)
    assert command_output() == "No personal data are due to be deleted.\n"
    over.refresh_from_db()
    assert faults(over) == []
    line = Decision.objects.filter(tournament=over).latest("sequence")
    assert (line.actor, line.after) == (
        None,
        {"entry": None, "fide_ids": [factories.entry_of(over, 2).pk], "days": 0},
    )


@pytest.mark.costly
def test_the_setting_of_the_site_counts_where_the_tournament_says_nothing(over: Tournament) -> None:
    assert deletion_due_at(over) is None
    with override_settings(KEEP_PERSONAL_DATA_DAYS=0):
        assert deletion_due_at(over) == LATER
        over.keeps_data_days = 7
        assert deletion_due_at(over) == LATER + timedelta(days=7)


@pytest.mark.costly
@pytest.mark.on_postgres("the protection of the record")
def test_sessions_of_helpers_whose_role_has_ended_go(full: Tournament, chief_arbiter: User) -> None:
    helper = person_appoint(
        tournament_id=full.pk, name="Hal Helper", role="result_desk", access=Access("a-secret", "123456"),
        actor=chief_arbiter, now=NOW,
    )  # fmt: skip
    for person in (helper.person, chief_arbiter):
        session = SessionStore()
        session["_auth_user_id"] = str(person.pk)
        session.create()
    over = standings_make_final(
        tournament_id=full.pk, actor=chief_arbiter, now=LATER, ties_stay=True
    )
    delete(over, chief_arbiter)
    assert [row.get_decoded()["_auth_user_id"] for row in Session.objects.all()] == [
        str(chief_arbiter.pk)
    ]


@pytest.mark.costly
@pytest.mark.on_postgres("the protection of the record")
def test_data_of_a_removed_player_leave_the_record_too(chief_arbiter: User) -> None:
    tournament = factories.make_tournament(chief_arbiter)
    entry = factories.make_entries(tournament, chief_arbiter, 2)[0]
    entry_update(entry_id=entry.pk, actor=chief_arbiter, now=NOW, birth_date="1987/06/05")
    entry_remove(entry_id=entry.pk, actor=chief_arbiter, now=NOW)
    delete(tournament, chief_arbiter, now=NOW + FORGOTTEN * 2)
    assert "1987/06/05" not in in_the_database()
    tournament.refresh_from_db()
    assert faults(tournament) == []


@pytest.mark.costly
def test_a_check_in_leaves_no_mark(chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=4)
    entry = factories.entry_of(tournament, 1)
    entry_check_in(entry_id=entry.pk, actor=chief_arbiter, now=NOW, checked_in=True)
    delete(tournament, chief_arbiter, now=NOW + FORGOTTEN * 2)
    assert not Entry.objects.get(pk=entry.pk).checked_in
    tournament.refresh_from_db()
    assert faults(tournament) == []


def test_the_file_for_a_player_has_the_boards_and_the_record_of_this_player_alone(
    ready: Tournament,
) -> None:
    # Of the player next door with the same name and number, the record says that she withdrew.
    last = data_of(factories.entry_of(ready, 8))
    assert last["player"]["name"] == "Hollis, Player 8"  # type: ignore[index]
    assert [row["action"] for row in last["record"]] == ["entry.added", "numbers.assigned"]  # type: ignore[attr-defined]
    factories.play_rounds(ready, [1], ready.created_by)
    desk_data_set(
        entry_id=factories.entry_of(ready, 2).pk, phone="0699", note="", fee_due=None, fee_paid=0,
        actor=ready.created_by, now=NOW,
    )  # fmt: skip
    whole = data_of(factories.entry_of(ready, 1))
    assert whole["games"] == [
        {
            "round": 1,
            "colour": "w",
            "bye": "",
            "board": 1,
            "result": "10",
            "opponent": "Eriksen, Player 5",
        }
    ]
    assert whole["check_in_desk"] == []


@pytest.mark.costly
def test_the_reason_of_a_corrected_rating_goes_with_the_player(
    over: Tournament, chief_arbiter: User
) -> None:
    tournament = factories.make_ready(chief_arbiter, name="Other", players=6)
    factories.play_rounds(tournament, [1], chief_arbiter)
    for tpn in (1, 2):
        rating_correct(
            entry_id=factories.entry_of(tournament, tpn).pk, ratings={"fide_rating": 2200 + tpn},
            report=Report(NOW, "a letter about an illness"), actor=chief_arbiter, now=NOW,
        )  # fmt: skip
    one = factories.entry_of(tournament, 1)
    delete(tournament, chief_arbiter, entry_id=one.pk, now=NOW + FORGOTTEN * 2)
    left = Correction.objects.filter(entry__tournament=tournament).order_by("pk")
    assert [bool(row.reason) for row in left] == [False, True]
