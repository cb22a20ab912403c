"""The sheets for FIDE: IT1, IT3, IT4, FA1 and IA1."""

from __future__ import annotations

from datetime import date

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.policy.refusals import words_of
from tests.tournaments import factories
from tests.tournaments.reports.test_norms import change, make_strong
from tournaments.core.frame import tournament_frame
from tournaments.models import Entry, Round, Tournament
from tournaments.reports.fide_sheets import Count, event_sheet, title_lines
from tournaments.reports.norms import norms_page
from tournaments.web.templatetags.fide_norms import form_name

ARBITERS = """FA Blom, Per (2000024)
Naves, Iara (2000032)
NA Roy, Luc (2000040), fair play"""


@pytest.fixture
@factories.cached
def over(chief_arbiter: User) -> Tournament:
    """Return an event of nine rounds in two days and seven, of which every fact is known."""
    tournament = make_strong(chief_arbiter, range(1, 10))
    change(
        tournament,
        chief_arbiter,
        city="Graz",
        federation="AUT",
        organiser="Chess Club Graz (2000059)",
        event_code="412345",
        start_date=date(2026, 9, 1),
        end_date=date(2026, 9, 8),
        chief_arbiter="IA Rossi, Anna (2000016)",
        deputy_arbiters=ARBITERS,
    )
    for row in Round.objects.filter(tournament=tournament):
        day = max(1, row.number - 1)
        at = factories.NOW.replace(year=2026, month=9, day=day, hour=9 + row.number)
        Round.objects.filter(pk=row.pk).update(starts_at=at)
    Entry.objects.filter(tournament=tournament, tpn=2).update(fide_rating=None)
    Entry.objects.filter(tournament=tournament, tpn=3).update(title="IM", women_title="WGM")
    Entry.objects.filter(tournament=tournament, tpn=4).update(title="CM", federation="FID")
    return tournament


def sheet(tournament: Tournament, client: Client, name: str) -> str:
    address = reverse("sheets", args=[tournament.slug])
    response = client.get(f"{address}?list={name}")
    assert response.status_code == 200
    return words_of(response.content.decode())


@pytest.mark.django_db
class TestSheets:
    def test_players_are_counted_by_title_federation_and_host(self, over: Tournament) -> None:
        found = event_sheet(tournament_frame(over, runs=False), 9)
        counts = found.by_kind
        # Sixteen players: number 1 of the host, number 4 under the flag of FIDE.
        assert counts["all"] == Count("all", 16, 4, 1)
        assert (counts["rated"].total, counts["unrated"].total) == (15, 1)
        assert (counts["GM"], counts["IM"].total, counts["WGM"].total) == (
            Count("GM", 13, 3, 0),
            1,
            1,
        )
        assert (found.titled, counts["all"].foreign) == (14, 15)
        assert found.facts.event.schedule == (2, 1, 1, 1, 1, 1, 1, 1)

    def test_it3_has_every_arbiter_and_the_facts_of_the_event(
        self, over: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        text = sheet(over, client, "it3")
        for expected in (
            "Tournament report (IT3) FIDE B.01, applied from 1 January 2024",
            "FIDE event number 412345",
            "Organiser Chess Club Graz (2000059)",
            "Rounds 9 (rounds of each day: 2-1-1-1-1-1-1-1)",
            "90 min + 30 s (5400+30), standard",
            "Chief arbiter IA Anna ROSSI 2000016",
            "1st deputy FA Per BLOM 2000024",
            "2nd deputy – Iara NAVES 2000032",
            "fair play NA Luc ROY 2000040",
            "with a rating 15 4 1 14",
            "A norm is not valid until confirmed by the FIDE Qualification Commission.",
        ):
            assert expected in text, expected
        assert "Not complete" not in text

    @pytest.mark.costly
    def test_an_arbiter_without_title_gets_fa1_and_a_fide_arbiter_ia1(
        self, over: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        fa1, ia1 = sheet(over, client, "fa1"), sheet(over, client, "ia1")
        assert fa1.count(" Candidate ") == 2
        assert "Candidate Naves, Iara FIDE ID 2000032 Title now –" in fa1
        assert "Function at the event fair play" in fa1
        assert ia1.count(" Candidate ") == 1
        assert "Candidate Blom, Per FIDE ID 2000024 Title now FA" in ia1
        assert "Function at the event Deputy arbiter" in ia1
        assert "Players with a title (not CM, WCM) 14" in ia1
        assert "FIDE B.06.1, the edition in force on the first day" in ia1
        assert "whether the event qualifies is decided by B.06.1, articles 3 and 4" in ia1
        change(over, chief_arbiter, deputy_arbiters="")
        assert "the settings name none" in sheet(over, client, "fa1")
        assert "the settings name none" in sheet(over, client, "ia1")

    @pytest.mark.costly
    def test_it1_has_a_sheet_for_each_norm(
        self, over: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        text = sheet(over, client, "it1")
        met = norms_page(tournament_frame(over, runs=True)).met
        sentence = "Not valid until confirmed by the FIDE Qualification Commission."
        assert text.count(sentence) == len(met) == 4
        for title in ("GM", "IM"):
            assert f"{title} · Player 1 ABARA · to be confirmed. {sentence}" in text
        assert "Not complete" not in text
        Tournament.objects.filter(pk=over.pk).update(total_rounds=11)
        assert sheet(over, client, "it1").count("Not complete: after 9 of 11 rounds.") == 4
        Tournament.objects.filter(pk=over.pk).update(total_rounds=9)
        over.refresh_from_db()
        change(over, chief_arbiter, time_control="60 min + 30 s")
        assert "None after round 9." in sheet(over, client, "it1")

    def test_it4_has_medals_and_half_of_the_points(
        self, over: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        found = title_lines(tournament_frame(over, runs=False), 9)
        assert all(row.line.rank <= 3 or row.line.points >= 45 for row in found)
        assert 3 <= len(found) < 16
        client.force_login(chief_arbiter)
        text = sheet(over, client, "it4")
        assert "see FIDE’s Table for Direct Titles" in text
        assert text.count(" ABARA") == sum("Abara" in row.entry.name for row in found)

    @pytest.mark.costly
    def test_before_the_end_each_sheet_names_its_round(
        self, client: Client, chief_arbiter: User
    ) -> None:
        tournament = factories.make_ready(chief_arbiter, players=4, rounds=3)
        client.force_login(chief_arbiter)
        for name in ("it3", "it4"):
            assert "Not complete: after 0 of 3 rounds." in sheet(tournament, client, name)
        # Without the federation of the event no player is of the host, and nobody foreign.
        assert "all 4 1 – –" in sheet(tournament, client, "it3")
        factories.play_rounds(tournament, [1], chief_arbiter)
        # Results that are not published are on no sheet.
        factories.pair_and_publish(tournament, 2, chief_arbiter)
        factories.enter_results(tournament, 2, chief_arbiter)
        assert "Not complete: after 1 of 3 rounds." in sheet(tournament, client, "it3")


def test_names_have_the_surname_last() -> None:
    assert form_name("Rossi, Anna Maria") == "Anna Maria ROSSI"
    assert form_name("Ram") == "Ram"
