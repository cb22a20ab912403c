"""Declarations of a TRF file, exported and imported:
system, edition, dates, federations of the ratings.
"""

from datetime import date

import pytest
from django.urls import reverse

from pairing.trf.document import NationalRating
from pairing.trf.reader import read
from tests.tournaments.factories import NOW, entry_of, make_ready, make_tournament, play_rounds
from tests.tournaments.lists.imports.test_trf_export import differences
from tests.trf.reports import player, report
from tournaments.entries.entries import entry_add, numbers_assign
from tournaments.lists.imports.entry_lists import tournament_import_trf, trf_preview
from tournaments.models import Tournament
from tournaments.reports import recheck
from tournaments.reports.trf_export import trf_export
from tournaments.setup.initial_colour import initial_colour_set
from tournaments.setup.tournaments import tournament_update

pytestmark = pytest.mark.django_db


@pytest.mark.costly
@pytest.mark.parametrize(
    "fields, named, plainly",
    [
        ({}, "FIDE_DUTCH_2026", "FIDE_DUTCH"),
        ({"acceleration": "baku"}, "FIDE_DUTCH_2026_BAKU", "FIDE_DUTCH"),
        ({"system": "dutch_2017"}, "FIDE_DUTCH_2017", "FIDE_DUTCH_2017"),
    ],
)
def test_the_system_has_a_plain_name_for_other_programs(
    chief_arbiter, client, fields, named, plainly
):
    made = make_ready(chief_arbiter, players=8, **fields)
    play_rounds(made, [1], chief_arbiter)
    text = trf_export(made, public=False)
    assert text.count(f"\n192 {named}\n") == 1
    client.force_login(chief_arbiter)
    response = client.get(reverse("trf-for-programs", args=[made.slug]))
    assert response.content.decode() == text.replace(f"\n192 {named}\n", f"\n192 {plainly}\n")
    assert (
        response.headers["Content-Disposition"] == 'attachment; filename="autumn-open-programs.trf"'
    )
    page = client.get(reverse("event-report", args=[made.slug])).content.decode()
    assert ("report/programs.trf" in page) == (named != plainly)
    assert differences(response.content.decode()) == []


@pytest.mark.parametrize(
    "method, rating, source",
    [
        ("", 2000, "fide"),
        ("FIDE", 2000, "fide"),
        ("NRO", 2100, "national"),
        ("FIDON", 2000, "fide"),
        ("NIDOF", 2100, "national"),
        ("HBFN", 2100, "national"),
        ("LBFN", 2000, "fide"),
        ("OTHER", 2000, "fide"),
    ],
)
def test_record_172_names_the_rating_that_orders_the_players(chief_arbiter, method, rating, source):
    data = report(f"172 FRA {method}", player(1, "0.0"), "FRA    1" + " " * 40 + "2100").encode()
    entry = entry_of(tournament_import_trf(actor=chief_arbiter, now=NOW, data=data), 1)
    assert (entry.fide_rating, entry.national_rating) == (2000, 2100)
    assert (entry.rating, entry.rating_source) == (rating, source)


@pytest.mark.parametrize(
    "ranked, method",
    [
        ({1: "fide", 2: "fide"}, "FIDON"),
        ({1: "national", 2: "national"}, "NIDOF"),
        ({1: "national", 2: "fide"}, "HBFN"),
        ({1: "fide", 2: "national"}, "LBFN"),
        ({1: "estimate", 2: "fide"}, "OTHER"),
    ],
)
def test_record_172_names_the_list_that_ordered_the_players(chief_arbiter, ranked, method):
    """Player 1 has the higher national rating, player 2 the higher FIDE rating,
    player 3 only a national rating.
    """
    made, other = (make_tournament(chief_arbiter, federation="FRA") for _ in range(2))
    given = {"actor": chief_arbiter, "now": NOW}
    for number, (fide, national) in enumerate([(2000, 2100), (2100, 2000), (None, 1900)], start=1):
        source = ranked.get(number, "national")
        rating = {"fide": fide, "national": national, "estimate": 2222}[source]
        ratings = {"fide_rating": fide, "national_rating": national}
        entry_add(
            tournament_id=made.pk,
            name=f"P{number}",
            rating=rating,
            rating_source=source,
            **ratings,
            **given,
        )
        entry_add(tournament_id=other.pk, name=f"P{number}", **ratings, **given)
    for tournament in (made, other):
        numbers_assign(tournament_id=tournament.pk, **given)
    text = trf_export(made, public=True)
    assert f"172 FRA {method}" in text.splitlines()
    assert "172 FRA FIDON" in trf_export(other, public=True).splitlines()
    again = tournament_import_trf(actor=chief_arbiter, now=NOW, data=text.encode())
    fields = ("name", "fide_rating", "national_rating", "rating", "rating_source")
    assert list(again.entries.values_list(*fields)) == list(made.entries.values_list(*fields))


@pytest.mark.costly
def test_c04_2_2_1_an_estimate_is_not_a_rating_in_the_report(chief_arbiter):
    """A comment names the estimate, and it is imported again;
    so is a national rating of an unknown federation.
    """
    made = make_tournament(chief_arbiter, tie_breaks="ARO")
    given = {"tournament_id": made.pk, "actor": chief_arbiter, "now": NOW}
    entry_add(name="Rated", fide_rating=2000, **given)
    entry_add(name="National", national_rating=1900, **given)
    entry_add(name="Estimated", rating=1650, **given)
    numbers_assign(**given)
    initial_colour_set(colour="w", **given)
    made.refresh_from_db()
    play_rounds(made, [1], chief_arbiter)
    text = trf_export(made, public=True)
    assert [player.rating for player in read(text).players] == [2000, None, None]
    assert [line for line in text.splitlines() if "Rating" in line] == [
        "### Rating of TPN 2: 1900, national",
        "### Rating of TPN 3: 1650, estimate by the arbiter",
    ]
    found = recheck.event_recheck(made)
    assert (found.problem, found.points, found.ranks) == ("", (), ())
    again = tournament_import_trf(actor=chief_arbiter, now=NOW, data=text.encode())
    assert list(
        again.entries.values_list("fide_rating", "national_rating", "rating", "rating_source")
    ) == [
        (2000, None, 2000, "fide"),
        (None, 1900, 1900, "national"),
        (None, None, 1650, "estimate"),
    ]
    assert (again.trf_extras, trf_export(again, public=True)) == ([], text)


def test_a_national_rating_stays_that_of_the_federation_that_gave_it(chief_arbiter):
    """A Belgian with a French rating, and another with a Belgian rating,
    in an event of the Netherlands.
    """
    both = player(1, "0.0"), player(2, "0.0").replace("12345678", " " * 8)
    lines = [line.replace(" FRA ", " BEL ") for line in both]
    national = [f"{code}    {tpn}" + " " * 40 + "2100" for tpn, code in ((1, "FRA"), (2, "BEL"))]
    text = report("032 NED", "172 FRA FIDON", *lines, *national)
    made = tournament_import_trf(actor=chief_arbiter, now=NOW, data=text.encode())
    assert [entry.federation for entry in made.entries.all()] == ["BEL", "BEL"]
    assert [one.federation for one in read(trf_export(made, public=True)).of(NationalRating)] == [
        "FRA",
        "BEL",
    ]
    typed = entry_add(
        tournament_id=made.pk,
        actor=chief_arbiter,
        now=NOW,
        name="Typed",
        federation="BEL",
        national_rating=1500,
    )
    numbers_assign(tournament_id=made.pk, actor=chief_arbiter, now=NOW)
    typed.refresh_from_db()
    found = read(trf_export(made, public=True)).of(NationalRating)
    assert {one.federation for one in found if one.tpn == typed.tpn} == {"NED"}


@pytest.mark.parametrize("code", ["042", "052"])
def test_a_date_that_cannot_be_read_is_named_and_kept(code, ready, chief_arbiter):
    data = (trf_export(ready, public=False) + f"{code} in spring\n").encode()
    assert [
        (w.code, w.params) for w in trf_preview(data).warnings if w.code == "trf.date_unreadable"
    ] == [("trf.date_unreadable", {"value": "in spring", "record": code})]
    again = tournament_import_trf(actor=chief_arbiter, now=NOW, data=data)
    assert f"{code} in spring" in trf_export(again, public=False).splitlines()
    day = {"042": {"start_date": date(2026, 5, 1)}, "052": {"end_date": date(2026, 5, 1)}}[code]
    dated = tournament_update(tournament_id=again.pk, actor=chief_arbiter, now=NOW, **day)
    lines = trf_export(dated, public=True).splitlines()
    assert [line for line in lines if line.startswith(code)] == [f"{code} 2026/05/01"]


@pytest.mark.costly
@pytest.mark.parametrize("edition", ["fide-2024", "fide-2026"])
def test_c07_the_edition_of_the_tie_breaks_is_kept_by_a_file(edition, eventful, chief_arbiter):
    """The first day does not matter; the page *Re-check* reads the file."""
    Tournament.objects.filter(pk=eventful.pk).update(
        tie_break_edition=edition, start_date=date(2025, 5, 4)
    )
    eventful.refresh_from_db()
    text = trf_export(eventful, public=True)
    assert f"### Tie-break rules: C.07, edition {edition}" in text.splitlines()
    again = tournament_import_trf(actor=chief_arbiter, now=NOW, data=text.encode())
    assert again.tie_break_edition == edition
    assert trf_export(again, public=True).count("### Tie-break rules") == 1
    found = recheck.event_recheck(again).found
    assert found is not None
    assert found.rank_differences == ()
