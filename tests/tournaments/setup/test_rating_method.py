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
from tournaments.lists.imports.entry_lists import tournament_import_trf
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
    return list(
        Entry.objects.filter(tournament=tournament)
        .order_by("pk")
        .values_list("rating", "rating_source")
    )


@pytest.mark.costly
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
    entry = entry_add(
        tournament_id=rated.pk, name="New, Nils", fide_rating=2000, national_rating=1400, **by
    )
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


@pytest.mark.costly
def test_c04_2_2_1_the_method_is_announced_before_round_1(chief_arbiter: User) -> None:
    tournament = make_ready(chief_arbiter, rating_method="HBFN")
    play_rounds(tournament, [1], chief_arbiter)
    with pytest.raises(RuleRefused) as refused:
        tournament_update(
            tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, rating_method="FIDE"
        )
    assert (refused.value.code, refused.value.article) == ("tournament.begun", "C.04.2 2.1")


@pytest.mark.costly
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


@pytest.mark.costly
def test_c04_2_2_1_the_report_names_the_method_and_an_import_keeps_it(
    rated: Tournament, chief_arbiter: User
) -> None:
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


@pytest.mark.costly
def test_c04_2_2_1_the_report_says_that_fide_ratings_do_not_count_if_nobody_has_a_national_one(
    chief_arbiter: User,
) -> None:
    tournament = make_ready(chief_arbiter, rating_method="NRO", players=4, federation="FRA")
    text = trf_export(tournament, public=True)
    assert "172 FRA NRO" in text.splitlines()
    again = tournament_import_trf(data=text.encode(), actor=chief_arbiter, now=NOW)
    assert again.rating_method == "NRO"
    assert {*again.entries.values_list("rating", flat=True)} == {0}


@pytest.mark.costly
def test_c04_2_2_1_the_form_and_the_public_page_name_the_method(
    rated: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    form = client.get(reverse("settings-ratings", args=[rated.slug])).content.decode()
    assert 'name="rating_method"' in form
    page = reverse("tournament", args=[rated.slug])
    assert "Rating that ranks the players" not in client.get(page).content.decode()
    tournament_update(tournament_id=rated.pk, actor=chief_arbiter, now=NOW, rating_method="HBFN")
    assert "the higher of both ratings" in client.get(page).content.decode()


@pytest.fixture
def of_two_methods(rated: Tournament, chief_arbiter: User) -> Tournament:
    """A rapid event: FIDE's rapid rating, else the national one, else FIDE's standard rating."""
    by = {"actor": chief_arbiter, "now": NOW}
    tournament = tournament_update(
        tournament_id=rated.pk, second_rating_method="fide_standard", **by
    )
    entry_add(tournament_id=rated.pk, name="Slow, Sam", second_rating=1750, **by)
    entry_add(tournament_id=rated.pk, name="Both, Bea", fide_rating=1650, second_rating=1950, **by)
    return tournament


@pytest.mark.costly
def test_c04_2_2_1_the_second_method_counts_only_without_a_rating_by_the_first(
    of_two_methods: Tournament, chief_arbiter: User
) -> None:
    by = {"actor": chief_arbiter, "now": NOW}
    tournament = of_two_methods
    assert ratings(tournament)[3:] == [(1550, "estimate"), (1750, "second"), (1650, "fide")]
    slow = Entry.objects.get(name="Slow, Sam")
    entry_update(entry_id=slow.pk, fide_rating=1700, **by)
    assert ratings(tournament)[4] == (1700, "fide")
    entry_update(entry_id=slow.pk, fide_rating=None, rating=1800, **by)
    assert ratings(tournament)[4] == (1800, "estimate")
    tournament = tournament_update(tournament_id=tournament.pk, rating_method="OTHER", **by)
    assert ratings(tournament)[5] == (1950, "second")
    tournament = tournament_update(tournament_id=tournament.pk, second_rating_method="", **by)
    assert ratings(tournament)[4:] == [(1800, "estimate"), (0, "")]
    assert record.verify(tournament) == []
    assert differences(tournament) == []


def test_c04_2_2_1_the_second_method_is_announced_before_round_1(chief_arbiter: User) -> None:
    tournament = make_ready(chief_arbiter)
    play_rounds(tournament, [1], chief_arbiter)
    with pytest.raises(RuleRefused) as refused:
        tournament_update(
            tournament_id=tournament.pk,
            actor=chief_arbiter,
            now=NOW,
            second_rating_method="national_standard",
        )
    assert (refused.value.code, refused.value.article) == ("tournament.begun", "C.04.2 2.1")


@pytest.mark.costly
def test_c04_2_4_3_3_a_wrong_second_rating_is_corrected(
    chief_arbiter: User, client: Client
) -> None:
    tournament = make_ready(chief_arbiter, second_rating_method="fide_standard")
    play_rounds(tournament, [1], chief_arbiter)
    entry = Entry.objects.get(tournament=tournament, tpn=8)
    with pytest.raises(RuleRefused):
        entry_update(
            entry_id=entry.pk, actor=chief_arbiter, now=NOW, second_rating=1400, reason="list"
        )
    client.force_login(chief_arbiter)
    address = reverse("round-correct", args=[tournament.slug, 1])
    page = client.get(address, {"kind": "rating", "player": entry.pk}).content.decode()
    assert "Correct second rating (FIDE standard rating)" in page
    rating_correct(
        entry_id=entry.pk, ratings={"fide_rating": None, "second_rating": 1400},
        report=Report(NOW, "no rapid rating"), actor=chief_arbiter, now=NOW,
    )  # fmt: skip
    entry.refresh_from_db()
    assert (entry.rating, entry.rating_source) == (1400, "second")
    assert differences(tournament) == []


def test_c04_2_2_1_a_report_file_keeps_the_second_rating_as_entered_by_the_arbiter(
    of_two_methods: Tournament, chief_arbiter: User
) -> None:
    for tpn, entry in enumerate(
        Entry.objects.filter(tournament=of_two_methods).order_by("-rating"), start=1
    ):
        Entry.objects.filter(pk=entry.pk).update(tpn=tpn)
    text = trf_export(of_two_methods, public=False)
    assert "### Rating of TPN 2: 1750, second rating" in text.splitlines()
    again = tournament_import_trf(data=text.encode(), actor=chief_arbiter, now=NOW)
    slow = Entry.objects.get(tournament=again, name="Slow, Sam")
    assert (slow.rating, slow.rating_source) == (1750, "estimate")


@pytest.mark.costly
def test_c04_2_2_1_form_card_list_and_record_say_which_rating_counts(
    of_two_methods: Tournament, chief_arbiter: User, client: Client
) -> None:
    slug = of_two_methods.slug
    numbers = client.get(reverse("players", args=[slug])).content.decode()
    assert 'title="FIDE standard rating"' in numbers
    overview = client.get(reverse("tournament", args=[slug])).content.decode()
    assert "Second rating, for players without the first" in overview
    client.force_login(chief_arbiter)
    form = client.get(reverse("entry-add", args=[slug])).content.decode()
    assert 'name="second_rating"' in form
    sent = {
        "name": "Typed, Tina",
        "second_rating": "1444",
        "fide_rating": "",
        "national_rating": "",
    }
    client.post(reverse("entry-add", args=[slug]), sent)
    entry = Entry.objects.get(name="Typed, Tina")
    assert (entry.rating, entry.rating_source) == (1444, "second")
    card = client.get(reverse("entry-edit", args=[slug, entry.pk])).content.decode()
    assert "Counts now: 1444 (FIDE standard rating)" in card
    assert (
        "Typed, Tina, rating 1444 (second rating)"
        in client.get(reverse("record", args=[slug])).content.decode()
    )
    assert "Without that rating, this one counts: FIDE standard rating." in (
        client.get(reverse("regulations", args=[slug])).content.decode()
    )
