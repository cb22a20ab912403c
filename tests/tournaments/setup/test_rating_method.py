"""The rating that ranks the players, chosen for the tournament [C.04.2/2026 2.1]."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.corrections import Report, rating_correct
from tests.tournaments.factories import NOW, make_ready, make_tournament, play_rounds
from tournaments.core import record
from tournaments.core.errors import RuleRefused
from tournaments.entries.entries import entry_add, entry_update
from tournaments.imports.entry_lists import tournament_import_trf
from tournaments.models import Entry, Tournament
from tournaments.reports.record_against_tables import differences
from tournaments.reports.trf_export import trf_export
from tournaments.setup.tournaments import tournament_update


@pytest.fixture
def rated(chief_arbiter: User) -> Tournament:
    tournament = make_tournament(chief_arbiter, federation="FRA")
    given = {"tournament_id": tournament.pk, "actor": chief_arbiter, "now": NOW}
    entry_add(**given, name="Both, Béa", fide_rating=1800, national_rating=1900)
    entry_add(**given, name="Fide, Fritz", fide_rating=1700)
    entry_add(**given, name="National, Nora", national_rating=1600)
    entry_add(**given, name="Estimated, Emil", fide_rating=1500, rating=1550)
    return tournament


def ratings(tournament: Tournament) -> list[tuple[int, str]]:
    return list(Entry.objects.filter(tournament=tournament).order_by("pk").values_list("rating", "rating_source"))


@pytest.mark.parametrize(
    "method, expected",
    [
        ("FIDON", [(1800, "fide"), (1700, "fide"), (1600, "national"), (1550, "estimate")]),
        ("NIDOF", [(1900, "national"), (1700, "fide"), (1600, "national"), (1550, "estimate")]),
        ("HBFN", [(1900, "national"), (1700, "fide"), (1600, "national"), (1550, "estimate")]),
        ("FIDE", [(1800, "fide"), (1700, "fide"), (0, ""), (1550, "estimate")]),
        ("NRO", [(1900, "national"), (0, ""), (1600, "national"), (1550, "estimate")]),
        ("OTHER", [(0, ""), (0, ""), (0, ""), (1550, "estimate")]),
    ],
)
def test_c04_2_2_1_another_method_chooses_all_ratings_again_except_estimates(
    rated: Tournament, chief_arbiter: User, method: str, expected: list[tuple[int, str]]
) -> None:
    by = {"actor": chief_arbiter, "now": NOW}
    rated = tournament_update(tournament_id=rated.pk, rating_method=method, **by)
    assert ratings(rated) == expected
    entry = entry_add(tournament_id=rated.pk, name="New, Nils", fide_rating=2000, national_rating=1400, **by)
    assert (entry.rating, entry.rating_source) == {
        "NIDOF": (1400, "national"),
        "NRO": (1400, "national"),
        "OTHER": (0, ""),
    }.get(method, (2000, "fide"))
    entry_update(entry_id=entry.pk, national_rating=2100, **by)
    entry.refresh_from_db()
    assert entry.rating == {"FIDON": 2000, "FIDE": 2000, "OTHER": 0}.get(method, 2100)
    rated.refresh_from_db()
    assert record.verify(rated) == []
    assert differences(rated) == []


def test_c04_2_2_1_the_method_is_announced_before_round_1(chief_arbiter: User) -> None:
    tournament = make_ready(chief_arbiter, rating_method="HBFN")
    play_rounds(tournament, [1], chief_arbiter)
    with pytest.raises(RuleRefused) as refused:
        tournament_update(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, rating_method="FIDE")
    assert (refused.value.code, refused.value.article) == ("tournament.begun", "C.04.2 2.1")


def test_c04_2_4_3_3_a_corrected_rating_follows_the_method(chief_arbiter: User) -> None:
    tournament = make_ready(chief_arbiter, rating_method="HBFN")
    play_rounds(tournament, [1], chief_arbiter)
    entry = Entry.objects.get(tournament=tournament, tpn=8)
    rating_correct(
        entry_id=entry.pk,
        ratings={"national_rating": 2390},
        report=Report(NOW, "wrong list"),
        actor=chief_arbiter,
        now=NOW,
    )
    entry.refresh_from_db()
    assert (entry.rating, entry.rating_source) == (2390, "national")
    tournament.refresh_from_db()
    assert differences(tournament) == []


def test_c04_2_2_1_the_report_names_the_method_and_an_import_keeps_it(rated: Tournament, chief_arbiter: User) -> None:
    by = {"actor": chief_arbiter, "now": NOW}
    Entry.objects.filter(tournament=rated, rating_source="estimate").delete()
    rated = tournament_update(tournament_id=rated.pk, rating_method="NIDOF", **by)
    for tpn, entry in enumerate(Entry.objects.filter(tournament=rated).order_by("pk"), start=1):
        Entry.objects.filter(pk=entry.pk).update(tpn=tpn)
    text = trf_export(rated, public=False)
    assert "172 FRA NIDOF" in text.splitlines()
    again = tournament_import_trf(data=text.encode(), **by)
    assert again.rating_method == "NIDOF"
    assert ratings(again) == ratings(rated)


def test_c04_2_2_1_the_form_and_the_public_page_name_the_method(
    rated: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    form = client.get(reverse("tournament-edit", args=[rated.slug])).content.decode()
    assert 'name="rating_method"' in form
    page = reverse("tournament", args=[rated.slug])
    assert "Rating that ranks the players" not in client.get(page).content.decode()
    tournament_update(tournament_id=rated.pk, actor=chief_arbiter, now=NOW, rating_method="HBFN")
    assert "the higher of both ratings" in client.get(page).content.decode()
