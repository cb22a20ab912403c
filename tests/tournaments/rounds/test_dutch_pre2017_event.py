"""The published example of the Dutch System before July 2017, run as an arbiter would run it."""

import pytest

from pairing.trf.convert import system_of
from pairing.trf.reader import read
from tests.golden.test_dutch_pre2017_worked_example import BOARDS
from tests.tournaments.factories import (
    NOW,
    boards,
    byes,
    enter_results,
    entry_of,
    make_ready,
    pair_and_publish,
    results_publish,
)
from tournaments.entries.byes import bye_request
from tournaments.lists.imports.trf_tournament import tournament_import_trf
from tournaments.models import Tournament
from tournaments.reports.trf_export import trf_export

pytestmark = pytest.mark.django_db

RESULTS = {
    1: ["10", "01", "10", "==", "10", "01", "10"],
    2: ["10", "10", "==", "10", "01", "10"],
    3: ["==", "==", "-+", "01", "10", "==", "10"],
    4: ["01", "==", "10", "10", "==", "==", "10"],
    5: ["01", "10", "==", "10", "==", "10", "=="],
}
"""By board."""


def boards_of(tournament: Tournament, number: int) -> str:
    bye = [f"{tpn}-bye" for tpn, letter in byes(tournament, number).items() if letter == "U"]
    return " ".join([f"{white}-{black}" for white, black, _ in boards(tournament, number)] + bye)


@pytest.fixture
def played(chief_arbiter):
    """All five rounds; player 12 is absent in the second."""
    tournament = make_ready(chief_arbiter, players=14, rounds=5, system="dutch_pre2017")
    for number, results in RESULTS.items():
        if number == 2:
            away = entry_of(tournament, 12)
            bye_request(entry_id=away.pk, actor=chief_arbiter, now=NOW, round_number=2, kind="Z")
        round_ = pair_and_publish(tournament, number, chief_arbiter)
        enter_results(
            tournament,
            number,
            chief_arbiter,
            lambda board, _white, _black, by=results: by[board - 1],
        )
        results_publish(round_id=round_.pk, actor=chief_arbiter, now=NOW)
    return tournament


def test_c04_3_pre2017_the_published_event_from_the_first_pairing_to_the_file(
    played, chief_arbiter
):
    assert {number: boards_of(played, number) for number in RESULTS} == BOARDS
    report = trf_export(played, public=False)
    assert "\n192 FIDE_DUTCH_PRE2017\n" in report
    assert system_of(read(report)) == "dutch_pre2017"
    again = tournament_import_trf(actor=chief_arbiter, now=NOW, data=report.encode())
    assert again.system == "dutch_pre2017"
    assert {number: boards_of(again, number) for number in RESULTS} == BOARDS


@pytest.mark.costly
def test_the_public_page_names_the_system(played, client):
    page = client.get(f"/t/{played.slug}/")
    assert "FIDE Dutch System before July 2017" in page.content.decode()
