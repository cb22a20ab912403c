"""One event as one file: it keeps its record, and comes completely or not at all."""

import json
import random
import secrets
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import models
from pytest_django import Settings

from config.data_folder import data_option
from pairing.standings.prize_rules import Choice, Division
from tests.plugins.empty_tables import empty_tables
from tests.tournaments import factories
from tournaments.core import signing
from tournaments.core.numbers import OWN
from tournaments.models import Appointment, Decision, Eligible, Entry, Tournament
from tournaments.site.backups.checks import event_faults
from tournaments.site.backups.copy_file import CopyError, extract, read_manifest, write
from tournaments.site.backups.copying import ROWS
from tournaments.site.backups.event_tables import NOT_IN_A_FILE, TABLES
from tournaments.site.backups.one_event import export_event, import_event
from tournaments.site.backups.upgrading import draw_numbers
from tournaments.standings.prize_plan import CategoryPlan, PrizePlan, plan_of
from tournaments.standings.prizes import prizes_set

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.alone("the lines of the tournament next door are not signed"),
]


@pytest.fixture
def file(tmp_path: Path, chief_arbiter: User) -> Path:
    tournament = factories.make_ready(actor=chief_arbiter, players=9, automatic_results=True)
    factories.play_rounds(tournament, [1, 2], chief_arbiter)
    User.objects.filter(pk=chief_arbiter.pk).update(is_superuser=True)
    export_event(tournament.slug, tmp_path / "autumn.event", now=factories.NOW)
    return tmp_path / "autumn.event"


def hashes() -> list[tuple[object, ...]]:
    return list(
        Decision.objects.order_by("sequence").values_list(
            "sequence", "hash", "signature", "actor_id"
        )
    )


def go_elsewhere() -> None:
    from django.db import connection

    empty_tables(connection)


@pytest.mark.costly
@pytest.mark.on_postgres("numbers of rows that refer to others")
def test_an_event_keeps_its_record_in_another_site(file: Path) -> None:
    before, players = hashes(), list(Entry.objects.order_by("pk").values_list("pk", "name", "tpn"))
    go_elsewhere()
    stranger = User.objects.create_user("somebody here", password="a-secret")
    factories.make_ready(actor=stranger, players=4, name="Another one")
    there = Decision.objects.count()
    (imported,) = import_event(file).tournaments
    assert event_faults(imported) == []
    assert (imported.automatic_results, imported.automatic_by) == (
        True,
        None,
    )  # nothing is published by itself
    own = Decision.objects.filter(tournament=imported).order_by("sequence")
    assert list(own.values_list("sequence", "hash", "signature", "actor_id")) == before
    assert list(imported.entries.order_by("pk").values_list("pk", "name", "tpn")) == players
    assert Decision.objects.count() == there + len(before)
    # The next round goes on from there, and the record with it.
    factories.play_rounds(imported, [3], User.objects.get(username="chief"))
    assert event_faults(imported) == []


@pytest.mark.costly
def test_the_prizes_come_with_all_their_rules(tmp_path: Path, chief_arbiter: User) -> None:
    tournament = factories.make_ready(actor=chief_arbiter, players=9)
    girls = CategoryPlan(
        "",
        Eligible.WOMEN,
        "",
        (20_000, 10_000),
        ((Eligible.AGE_UNTIL, "15"), (Eligible.CLUB, "Lyon")),
        ("Cup", "Book", "Book"),
        3,
    )
    excluded = tuple(tournament.entries.order_by("pk").values_list("pk", flat=True)[:2])
    plan = PrizePlan(
        "EUR", Division.HORT, 2, (girls,), Choice.IN_ORDER, 1_000, 50_000, 2_000, False, excluded
    )
    pk = tournament.pk
    prizes_set(tournament_id=pk, actor=chief_arbiter, now=factories.NOW, plan=plan)
    export_event(tournament.slug, tmp_path / "prizes.event", now=factories.NOW)
    go_elsewhere()
    (imported,) = import_event(tmp_path / "prizes.event").tournaments
    assert plan_of(imported) == plan
    assert event_faults(imported) == []


@pytest.mark.costly
def test_the_import_names_the_command_that_checks_the_lines_from_before(
    file: Path, settings: Settings
) -> None:
    key, out = signing.public_key(), StringIO()
    go_elsewhere()
    factories.make_ready(
        actor=User.objects.create_user("somebody here", password="a-secret"), players=4
    )
    settings.SIGNING_KEY = "34" * 32
    call_command("import_event", str(file), stdout=out)
    assert (
        f"./run manage verify_record autumn-open-2 --key {key}{data_option()}\n" in out.getvalue()
    )
    call_command("verify_record", "autumn-open-2", "--key", key, stdout=out)
    assert "The record of “Autumn Open” is whole" in out.getvalue()


def test_an_account_comes_without_rights_on_the_site(file: Path) -> None:
    go_elsewhere()
    import_event(file)
    assert list(User.objects.values_list("username", "is_superuser", "is_staff")) == [
        ("chief", False, False)
    ]


@pytest.mark.costly
def test_a_name_that_is_taken_gets_a_number(file: Path) -> None:
    go_elsewhere()
    User.objects.create_user("chief")
    done = import_event(file)
    assert done.remarks == ["The account 'chief' of the file is 'chief-2' here."]


@pytest.mark.costly
def test_an_account_that_got_another_name_here_is_the_same_person(file: Path) -> None:
    """It came with another event of the same laptop, when its name was taken here."""
    person = User.objects.get()
    go_elsewhere()
    renamed = User.objects.create_user("chief-2", pk=person.pk, date_joined=person.date_joined)
    done = import_event(file)
    assert (done.remarks, done.renamed) == ([], [])
    assert Appointment.objects.get(tournament=done.tournaments[0]).person == renamed
    assert User.objects.count() == 1


@pytest.mark.costly
def test_an_event_that_is_here_already_is_refused(file: Path) -> None:
    before = hashes()
    with pytest.raises(CopyError, match="is here already, at /t/autumn-open/"):
        import_event(file)
    assert hashes() == before


@pytest.mark.costly
@pytest.mark.on_postgres("numbers of rows that refer to others")
def test_a_number_of_another_player_or_person_is_refused_and_nothing_is_saved(file: Path) -> None:
    tournament = Tournament.objects.get()
    entry, person = tournament.entries.order_by("pk").last(), tournament.created_by
    assert entry is not None
    go_elsewhere()
    other = User.objects.create_user("other", password="a-secret")
    elsewhere = factories.make_tournament(other, name="Another one")
    Entry.objects.create(
        pk=entry.pk, tournament=elsewhere, name="Somebody", created_at=factories.NOW
    )
    with pytest.raises(CopyError, match=rf"The number {entry.pk} of .* belongs to Somebody"):
        import_event(file)
    assert Tournament.objects.count() == 1
    assert User.objects.count() == 1
    User.objects.create_user("taken", pk=person.pk)
    with pytest.raises(
        CopyError, match=f"Account {person.pk} is 'chief' in the file and 'taken' here"
    ):
        import_event(file)


@pytest.mark.costly
def test_a_cut_or_altered_file_is_refused(file: Path) -> None:
    content = file.read_bytes()
    go_elsewhere()
    for place in random.Random(3).sample(range(len(content)), 20):
        file.write_bytes(content[:place])
        with pytest.raises(CopyError):
            import_event(file)
        file.write_bytes(content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :])
        with pytest.raises(CopyError):
            import_event(file)
    assert not Tournament.objects.exists()


@pytest.mark.on_postgres("numbers of rows that refer to others")
def test_a_new_site_draws_numbers_of_its_own(
    chief_arbiter: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of a player does not say that of an account."""
    go_elsewhere()
    blocks = iter((5, 9))
    monkeypatch.setattr(secrets, "randbelow", lambda most: next(blocks))
    draw_numbers()
    person = User.objects.create_user("first", password="a-secret")
    (entry,) = factories.make_entries(factories.make_tournament(person), person, 1)
    assert (person.pk, entry.pk) == (5 * OWN[User] + 1, 9 * OWN[Entry] + 1)
    draw_numbers()
    assert User.objects.create_user("second", password="a-secret").pk == person.pk + 1


def test_every_table_of_a_tournament_is_in_the_file() -> None:
    ours: set[type[models.Model]] = set(apps.get_app_config("tournaments").get_models())
    assert {model._meta.model_name for model in ours - TABLES.keys()} == NOT_IN_A_FILE


def altered(file: Path, change: Callable[[str, dict[str, Any]], None], more: str = "") -> Path:
    """Return a file like *file*, with a good fingerprint,
    in which *change* has changed the rows of each table.
    """
    part = file.with_name("rows")
    extract(file, ROWS, part)
    lines, table, columns = list[str](), "", list[str]()
    for line in part.read_text().splitlines():
        value = json.loads(line)
        if isinstance(value, dict):
            table, columns = value["table"], value["columns"]
        else:
            row = dict(zip(columns, value, strict=True))
            change(table, row)
            value = [row[name] for name in columns]
        lines.append(json.dumps(value))
    write(
        file.with_name("altered"),
        read_manifest(file, "event"),
        {ROWS: ("\n".join(lines) + "\n" + more).encode()},
    )
    return file.with_name("altered")


@pytest.mark.costly
@pytest.mark.on_postgres("numbers of rows that refer to others")
def test_a_file_reaches_no_player_and_no_account_that_is_not_in_it(file: Path) -> None:
    go_elsewhere()
    here = User.objects.create_user("somebody here", pk=900, password="a-secret")
    other = factories.make_tournament(here, name="Another one")
    Entry.objects.create(pk=901, tournament=other, name="Somebody", created_at=factories.NOW)

    def seat(table: str, row: dict[str, Any]) -> None:
        if table == "tournaments_seat" and row["colour"] == "w":
            row["entry_id"] = 901

    def chief(table: str, row: dict[str, Any]) -> None:
        if table == "tournaments_appointment":
            row["person_id"] = 900

    desk = {"table": "tournaments_deskdata", "columns": ["entry_id", "note"]}
    more = f"{json.dumps(desk)}\n{json.dumps([901, 'no fee'])}\n"
    for change, added in ((seat, ""), (chief, ""), (lambda table, row: None, more)):
        hostile = altered(file, change, added)
        with pytest.raises(CopyError, match=r"refers to \w+ 90[01], not in the file"):
            import_event(hostile, despite_faults=True)
        hostile.unlink()
        file.with_name("rows").unlink()
    assert list(Tournament.objects.all()) == [other]


@pytest.mark.costly
def test_the_last_player_of_group_a_plays_in_the_tournament_of_the_file(file: Path) -> None:
    go_elsewhere()
    here = User.objects.create_user("somebody here", pk=900, password="a-secret")
    other = factories.make_tournament(here, name="Another one")
    Entry.objects.create(pk=901, tournament=other, name="Somebody", created_at=factories.NOW)

    def last(table: str, row: dict[str, Any]) -> None:
        if table == "tournaments_tournament":
            row["group_a_last_id"] = 901

    with pytest.raises(CopyError, match="refers to group_a_last 901, who does not play in it"):
        import_event(altered(file, last), despite_faults=True)
    assert list(Tournament.objects.all()) == [other]


@pytest.mark.costly
@pytest.mark.on_postgres("numbers of rows that refer to others")
def test_values_that_no_form_would_save_are_refused_with_their_place(file: Path) -> None:
    go_elsewhere()
    wrong = {
        ("tournaments_tournament", "slug"): "../admin",
        ("tournaments_entry", "name"): "Somebody\x00own",
        ("tournaments_entry", "id"): (1 << 63) - 1,
        ("auth_user", "id"): 0,
        ("tournaments_decision", "at"): "yesterday",
        ("tournaments_seat", "colour"): ["w"],
    }
    for (place, column), value in wrong.items():

        def change(table: str, row: dict[str, Any]) -> None:
            if table == place:  # noqa: B023
                row[column] = value  # noqa: B023

        hostile = altered(file, change)
        with pytest.raises(CopyError, match="cannot be read"):
            import_event(hostile, despite_faults=True)
        hostile.unlink()
        file.with_name("rows").unlink()
    assert not Tournament.objects.exists()


@pytest.mark.costly
def test_a_tournament_that_the_manifest_does_not_name_is_a_fault(file: Path) -> None:
    hidden = Tournament.objects.values().get() | {"id": 77, "identity": "ab" * 16, "slug": "hidden"}
    hidden = {
        name: str(value) if name.endswith("_at") and value else value
        for name, value in hidden.items()
    }
    go_elsewhere()
    head = json.dumps({"table": "tournaments_tournament", "columns": [*hidden]})
    rows = f"{head}\n{json.dumps([*hidden.values()])}\n"
    with pytest.raises(CopyError, match="not those in the manifest"):
        import_event(altered(file, lambda table, row: None, rows))
    assert not Tournament.objects.exists()


@pytest.mark.costly
def test_a_small_file_that_unpacks_to_a_full_disk_is_refused(file: Path, tmp_path: Path) -> None:
    write(tmp_path / "bomb", read_manifest(file, "event"), {ROWS: b" " * 100_000})
    with pytest.raises(CopyError, match="unpacks to more than 99,999 bytes"):
        extract(tmp_path / "bomb", ROWS, tmp_path / "part", most=99_999)
    assert not (tmp_path / "part").exists()


@pytest.mark.costly
@pytest.mark.parametrize("number", [1 << 31, 0, -5, 77_777])
def test_an_account_with_a_number_that_no_site_gives_or_that_nothing_names_is_refused(
    file: Path, number: int
) -> None:
    """Its number would decide which number the next account of this site gets."""
    go_elsewhere()
    row = [number, "nobody", "", "", factories.NOW.isoformat()]
    heading = {
        "table": "auth_user",
        "columns": ["id", "username", "first_name", "last_name", "date_joined"],
    }
    more = f"{json.dumps(heading)}\n{json.dumps(row)}\n"
    with pytest.raises(
        CopyError, match=f"{number} is no number of a row|no row refers to account {number}"
    ):
        import_event(altered(file, lambda _table, _row: None, more))
    assert not User.objects.exists()
