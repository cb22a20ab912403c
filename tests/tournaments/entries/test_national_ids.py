"""The number of a player in the national federation:
from lists to every file, and never to visitors.
"""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments.factories import NOW, make_ready
from tests.tournaments.lists.imports.previews import sent
from tests.tournaments.web.test_hidden_pages import read_everything
from tournaments.core.frame import tournament_frame
from tournaments.core.record import lines_of
from tournaments.entries.entries import entry_add, entry_update
from tournaments.lists.imports.comparing import compare
from tournaments.lists.imports.entry_lists import Choice, list_import
from tournaments.lists.imports.reading import read_list
from tournaments.lists.imports.trf_tournament import tournament_import_trf
from tournaments.models import Entry, Tournament, WaitingEntry
from tournaments.reports.record_against_tables import differences
from tournaments.reports.record_file import record_file
from tournaments.reports.trf_export import trf_export
from tournaments.setup.personal_data import data_delete, found

pytestmark = pytest.mark.django_db
SECRET = "Q7731X"


@pytest.fixture
def ready(chief_arbiter: User) -> Tournament:
    """Three players: with a national rating, without one,
    and with a number that no record has room for.
    """
    tournament = make_ready(chief_arbiter)
    ids = {1: (SECRET, 1850), 2: ("00042", None), 3: ("LONG-NUMBER-2026-77", 1500)}
    for entry in Entry.objects.filter(tournament=tournament, tpn__lte=3):
        number, rating = ids[entry.tpn or 0]
        values = {"national_id": number, "national_rating": rating, "federation": "FRA"}
        entry_update(entry_id=entry.pk, actor=chief_arbiter, now=NOW, **values)
    return tournament


def ids_of(tournament: Tournament) -> list[str]:
    numbered = Entry.objects.filter(tournament=tournament).exclude(national_id="").order_by("tpn")
    return list(numbered.values_list("national_id", flat=True))


@pytest.mark.parametrize(
    "text, number",
    [
        ("Name;FIDE ID;ID No\nTest, Tom;1500001;990001\n", "990001"),
        ("Nom;N° licence FFE\nTest, Tom;Z99001\n", "Z99001"),
        ("Name;PKZ\nTest, Tom;'00990001'\n", "00990001"),
        ("Matricule;Nom;Prenom;Elo;FIDE\n99001;Test;Tom;1850;\n", "99001"),
        ("Relatienummer;Naam;Rating\n9900001;Test, Tom;1850\n", "9900001"),
        ("NAME;IDFIDE;ELOFIDE;IDNAT;ELONAT\nTest, Tom;0;0;990011;1850\n", "990011"),
        ("ID_No,Name,Rtg_Nat,Fide_No,Rtg_Int\n99001,Test Tom,1850,1500001,1830\n", "99001"),
        ("Name;Licencia\nTest, Tom;0\n", ""),
    ],
)
def test_lists_have_it_under_many_names(text: str, number: str) -> None:
    assert [row.national_id for row in read_list(text).rows] == [number]


def test_a_number_that_is_too_long_waits() -> None:
    (row,) = read_list(f"Name;Licence\nTest, Tom;{'9' * 21}\n").doubtful
    assert [(problem.code, problem.field) for problem in row.problems] == [
        ("csv.too_long", "national_id")
    ]


def test_the_import_enters_compares_and_keeps_it_while_a_row_waits(
    tournament: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    url = reverse("entries-import", args=[tournament.slug])
    shown = client.post(
        url, {"text": "Name;Rating;Licence\nTest, Tom;1500;A1\nProof, Pia;many;B2\n"}
    )
    assert "National ID" in shown.content.decode()
    assert client.post(url, sent(shown)).status_code == 302
    assert Entry.objects.get(tournament=tournament).national_id == "A1"
    assert WaitingEntry.objects.get(tournament=tournament).fields["national_id"] == "B2"
    newer = compare(read_list("Name;Licence\nTest, Tom;A2\n"), tournament)
    assert [(each.field, each.old, each.new) for each in newer.changed[0].changes] == [
        ("national_id", "A1", "A2")
    ]
    assert compare(read_list("Name;Licence\nTest, Tom;\n"), tournament).changed == []


@pytest.mark.costly
def test_the_form_has_it(tournament: Tournament, chief_arbiter: User, client: Client) -> None:
    client.force_login(chief_arbiter)
    page = reverse("entry-add", args=[tournament.slug])
    assert 'name="national_id"' in client.get(page).content.decode()
    assert client.post(page, {"name": "Test, Tom", "national_id": "A1"}).status_code == 302
    assert Entry.objects.get(tournament=tournament).national_id == "A1"
    assert (
        "at most 20" in client.post(page, {"name": "B", "national_id": "9" * 21}).content.decode()
    )


def test_a_report_keeps_it(ready: Tournament, chief_arbiter: User) -> None:
    report = trf_export(ready, public=False)
    assert f"{SECRET:>11}" in report
    assert "### National ID of TPN 2: 00042" in report
    again = tournament_import_trf(actor=chief_arbiter, now=NOW, data=report.encode())
    assert ids_of(again) == ids_of(ready) == [SECRET, "00042", "LONG-NUMBER-2026-77"]
    assert [line for line in again.trf_extras if line.startswith("###")] == []
    assert trf_export(again, public=False) == report
    assert differences(again) == []
    listed = read_list(report)
    assert [row.national_id for row in listed.rows if row.national_id] == ids_of(ready)


@pytest.mark.costly
def test_visitors_never_see_it(ready: Tournament, client: Client) -> None:
    everything = "".join(read_everything(client, ready).values())
    everything += trf_export(ready, public=True) + "".join(
        record_file(tournament_frame(ready, runs=False))
    )
    everything += client.get(f"/api/v1/tournaments/{ready.slug}/entries/").content.decode()
    everything += client.get(f"/api/v1/tournaments/{ready.slug}/entries/csv/").content.decode()
    for number in ids_of(ready):
        assert number not in everything, number
    # It could leak: the arbiters' record has it.
    assert SECRET in str([line.after for line in lines_of(ready, private=True)])


def test_the_people_of_the_tournament_export_it(
    ready: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    rows = json.loads(client.get(f"/api/v1/tournaments/{ready.slug}/entries/").content)["results"]
    assert [row["national_id"] for row in rows if row["national_id"]] == ids_of(ready)
    table = client.get(f"/api/v1/tournaments/{ready.slug}/entries/csv/").content
    assert [row.national_id for row in read_list(table).rows if row.national_id] == ids_of(ready)


def test_deleted_data_have_no_national_id(ready: Tournament, chief_arbiter: User) -> None:
    assert found(ready).national_ids == 3
    Tournament.objects.filter(pk=ready.pk).update(final_at=NOW)
    later = NOW + timedelta(days=400)
    data_delete(tournament_id=ready.pk, actor=chief_arbiter, now=later, confirmed=True)
    assert ids_of(ready) == []
    assert SECRET not in str([(line.before, line.after) for line in lines_of(ready, private=True)])
    ready.refresh_from_db()
    assert [each for each in differences(ready) if "national_id" in str(each)] == []


def test_the_list_of_the_record_names_it(tournament: Tournament, chief_arbiter: User) -> None:
    entry_add(
        tournament_id=tournament.pk,
        actor=chief_arbiter,
        now=NOW,
        name="Test, Tom",
        national_id="A1",
    )
    list_import(
        tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, choice=Choice(),
        reading=read_list("Name;Licence\nTest, Tom;A2\nProof, Pia;B2\n"),
    )  # fmt: skip
    tournament.refresh_from_db()
    assert differences(tournament) == []
    assert set(ids_of(tournament)) == {"A2", "B2"}
