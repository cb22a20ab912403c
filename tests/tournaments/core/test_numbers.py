"""New accounts and players get numbers of this site's own block,
also while people of another site are here.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from config.first_account import main as first_account
from tests.plugins.empty_tables import empty_tables
from tests.tournaments import factories
from tests.tournaments.core.test_concurrency import at_once
from tests.tournaments.factories import NOW
from tests.tournaments.site.backups.test_hand_over import LATER, hand_over
from tests.tournaments.site.backups.test_one_event import altered
from tournaments.core.numbers import OWN, _set_last_number, reserve_keys
from tournaments.entries.entries import entry_add, entry_remove
from tournaments.lists.imports.trf_tournament import tournament_import_trf
from tournaments.models import Appointment, Entry, Role, Tournament
from tournaments.people.people import new_access, person_appoint
from tournaments.site.backups import rows
from tournaments.site.backups.checks import event_faults
from tournaments.site.backups.one_event import export_event, export_tournaments, import_event
from tournaments.site.backups.taking_over import take_over
from tournaments.site.backups.upgrading import draw_numbers

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.alone("the tables are emptied, as if it were another computer"),
]
A, E = 5, 9
LARGEST = 2_147_483_647


def site(block: int, *files: Path) -> None:
    """Begin a new site with the numbers of *block* and the events in *files*,
    without the tables from before.
    """
    empty_tables(connection)
    with patch.object(secrets, "randbelow", lambda most: block):
        draw_numbers()
    for file in files:
        import_event(file)


def block_of(row: User | Entry) -> int:
    return row.pk // OWN[type(row)]


def chief_and_event(block: int) -> tuple[User, Tournament]:
    site(block)
    chief = User.objects.create_user(
        "chief", password="a-secret", first_name="Clara", last_name="Chief"
    )
    return chief, factories.make_ready(actor=chief, players=4)


def add(tournament: Tournament, name: str) -> Entry:
    chief = Appointment.objects.get(tournament=tournament, role=Role.CHIEF, until=None).person
    return entry_add(tournament_id=tournament.pk, actor=chief, now=LATER, name=name)


def appoint(tournament: Tournament, name: str) -> User:
    chief = Appointment.objects.get(tournament=tournament, role=Role.CHIEF, until=None).person
    return person_appoint(
        tournament_id=tournament.pk,
        name=name,
        role=Role.READER,
        access=new_access(),
        actor=chief,
        now=LATER,
    ).person


@pytest.mark.costly
def test_an_event_goes_there_and_back_though_both_sites_get_new_people(tmp_path: Path) -> None:
    chief, ours = chief_and_event(A)
    export_tournaments([hand_over(ours, chief).pk], tmp_path / "there", now=LATER)

    site(E)
    take_over(tmp_path / "there", now=LATER)
    there = Tournament.objects.get()
    new = [add(there, "Nora There"), add(there, "Nils There")]
    helper = appoint(there, "Hana There")
    boss = User.objects.create_user("arbiter there", password="a-secret")
    other = factories.make_ready(actor=boss, players=2, name="Another one")
    assert {block_of(each) for each in (*new, helper, boss, *other.entries.all())} == {E}
    chief = User.objects.get(username="chief")
    export_tournaments([hand_over(there, chief).pk], tmp_path / "back", now=LATER)

    # Meanwhile the first site goes on with another event.
    site(A, tmp_path / "there")
    own = User.objects.create_user("arbiter here", password="a-secret")
    second = factories.make_ready(actor=own, players=8, name="Second one")
    appoint(second, "Hugo Here")
    take_over(tmp_path / "back", now=LATER)
    back = Tournament.objects.get(slug=ours.slug)
    assert event_faults(back) == []
    assert {each.pk for each in new} <= set(back.entries.values_list("pk", flat=True))
    last = [add(back, "Nina Here"), appoint(back, "Hedy Here"), add(second, "Noah Here")]
    assert {block_of(each) for each in last} == {A}
    assert event_faults(back) == event_faults(second) == []


@pytest.mark.costly
@pytest.mark.parametrize("number", [LARGEST, A * OWN[User] + OWN[User] - 1])
def test_a_file_with_the_largest_number_moves_no_counter_out_of_its_block(
    tmp_path: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last number of the own block uses it up: the site draws another one."""
    chief, ours = chief_and_event(E)
    export_event(ours.slug, tmp_path / "event", now=NOW)

    def change(table: str, row: dict[str, Any]) -> None:
        row.update({column: number for column, value in row.items() if value == chief.pk})

    hostile = altered(tmp_path / "event", change)
    site(A)
    first = User.objects.create_user("first")
    import_event(hostile, despite_faults=True)
    assert User.objects.filter(pk=number).exists()
    drawn = iter((A, 77))  # The first one has rows.
    monkeypatch.setattr("secrets.randbelow", lambda most: next(drawn))
    second, third = User.objects.create_user("second"), User.objects.create_user("third")
    expected = first.pk + 1 if number == LARGEST else 77 * OWN[User] + 1
    assert (second.pk, third.pk) == (expected, expected + 1)


def _by_admin_site(name: str) -> None:
    boss = User.objects.get(username="boss")
    client = Client()
    client.force_login(boss)
    secret = "a-long-enough-secret-7"
    given = {"username": name, "password1": secret, "password2": secret, "usable_password": "true"}
    assert client.post(reverse("admin:auth_user_add"), given).status_code == 302


def _by_django(name: str) -> None:
    call_command("createsuperuser", username=name, email="", interactive=False, verbosity=0)


def _by_first_start(name: str) -> None:
    User.objects.update(is_superuser=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SWISS_ADMIN_USER", name)
        patch.setenv("SWISS_ADMIN_PASSWORD", "a-long-enough-secret-7")
        assert first_account() == 0


@pytest.mark.costly
@pytest.mark.parametrize("make", [_by_admin_site, _by_django, _by_first_start])
def test_every_way_to_make_an_account_gives_a_number_of_the_own_block(
    tmp_path: Path, make: Callable[[str], None]
) -> None:
    _, ours = chief_and_event(E)
    export_event(ours.slug, tmp_path / "event", now=NOW)
    site(A)
    boss = User.objects.create_superuser("boss", password="a-secret")
    import_event(tmp_path / "event")
    make("newcomer")
    assert User.objects.get(username="newcomer").pk == boss.pk + 1


@pytest.mark.costly
def test_the_players_of_a_file_get_numbers_of_the_own_block(tmp_path: Path) -> None:
    _, ours = chief_and_event(E)
    export_event(ours.slug, tmp_path / "event", now=NOW)
    site(A, tmp_path / "event")
    data = "".join(
        f"001 {n:4}      {name:62}    0.0 {n:4}\n" for n, name in ((1, "One"), (2, "Two"))
    )
    own = User.objects.create_user("arbiter here", password="a-secret")
    made = tournament_import_trf(data=f"012 Test\nXXR 5\n{data}".encode(), actor=own, now=NOW)
    assert {block_of(each) for each in made.entries.all()} == {A}


def test_a_number_that_came_with_a_file_is_left_out_and_one_of_a_removed_player_is_not_given_again() -> (
    None
):
    chief, ours = chief_and_event(A)
    gone = add(ours, "Gone, Gus")
    with transaction.atomic(), connection.cursor() as cursor:
        _set_last_number(
            cursor, Entry._meta.db_table, A * OWN[Entry]
        )  # as after a copy of the site from the first day
    assert add(ours, "Next, Nora").pk == gone.pk + 1
    newest = add(ours, "Newest, Ned")
    entry_remove(entry_id=newest.pk, actor=chief, now=LATER)
    assert add(ours, "Last, Lea").pk == newest.pk + 1
    assert reserve_keys(Entry, 3) == [newest.pk + 2, newest.pk + 3, newest.pk + 4]


def test_a_site_restored_from_rows_goes_on_in_a_block_without_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The largest number may be that of another site,
    and the copy does not say which block was drawn.
    """
    chief_and_event(A)
    with transaction.atomic():
        lines = list(rows.dump(apps, "default"))
    kept = _of_tables(lines, without=("django_content_type", "auth_permission"))
    drawn = iter((A, 20, A, 30))
    monkeypatch.setattr("secrets.randbelow", lambda most: next(drawn))
    empty_tables(connection)
    rows.load(kept, apps, connection)
    new = User.objects.create_user("new", password="a-secret")
    assert (block_of(new), block_of(add(Tournament.objects.get(), "New, Nora"))) == (20, 30)


def _of_tables(lines: list[str], *, without: tuple[str, ...]) -> list[str]:
    found, is_left_out = [], False
    for line in lines:
        if line.startswith("{"):
            is_left_out = any(f'"{name}"' in line for name in without)
        if not is_left_out:
            found.append(line)
    return found


@pytest.mark.costly
def test_two_people_who_make_accounts_and_players_at_once_both_succeed(tmp_path: Path) -> None:
    _, ours = chief_and_event(E)
    export_event(ours.slug, tmp_path / "event", now=NOW)
    site(A, tmp_path / "event")
    people = [User.objects.create_user(name, password="a-secret") for name in ("one", "two")]
    mine = [factories.make_ready(actor=each, players=2, name=each.username) for each in people]
    made = at_once(
        *(
            lambda each=each: [
                (add(each, f"{n} {each}"), appoint(each, f"Helper {n} {each}"))
                for n in ("A", "B", "C")
            ]
            for each in mine
        )
    )
    assert [each for each in made if isinstance(each, Exception)] == []
    pairs: list[Any] = [pair for each in made if isinstance(each, list) for pair in each]
    assert len({entry.pk for entry, _ in pairs}) == len({person.pk for _, person in pairs}) == 6
    assert {block_of(row) for pair in pairs for row in pair} == {A}
