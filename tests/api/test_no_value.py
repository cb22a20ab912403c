"""A tie-break without a value is null in REST and empty in CSV,
as pages show a dash [C.07/2026 6.1.1].
"""

from __future__ import annotations

import csv
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.tournaments.factories import NOW
from tournaments.lists.imports.trf_tournament import tournament_import_trf
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

FORFEITED = """012 Small
142 2
152 W
192 FIDE_DUTCH_2026
202 DE,AOB,WIN
001    1      One, Ona                          2000 FRA                         2.0    1     3 w 1     2 b +
001    2      Two, Tia                          1950 FRA                         1.0    2     4 b 1     1 w -
001    3      Three, Tom                        1900 FRA                         1.0    3     1 b 0     4 w 1
001    4      Four, Fay                         1850 FRA                         0.0    4     2 w 0     3 b 0
"""
"""2 and 3 are tied and have not met; after round 1 nobody has met another tied player."""


@pytest.fixture
def small(chief_arbiter: User) -> Tournament:
    tournament = tournament_import_trf(actor=chief_arbiter, now=NOW, data=FORFEITED.encode())
    Tournament.objects.filter(pk=tournament.pk).update(listed=True)
    return tournament


@pytest.mark.parametrize("after", ["", "?after_round=1"])
def test_c07_6_1_1_a_direct_encounter_without_games_has_no_value(
    small: Tournament, client: Client, chief_arbiter: User, after: str
) -> None:
    client.force_login(chief_arbiter)
    address = f"/api/v1/tournaments/{small.slug}/standings/"
    lines = client.get(f"{address}{after}").json()["standings"]
    values = {
        line["tpn"]: {tie["code"]: tie["value"] for tie in line["tie_breaks"]} for line in lines
    }
    rows = {
        int(row["tpn"]): row
        for row in csv.DictReader(
            StringIO(client.get(f"{address}csv/{after}").content.decode("utf-8-sig"))
        )
    }
    for tpn, of_player in values.items():
        for code, value in of_player.items():
            assert (rows[tpn][code] == "") == (value is None), (tpn, code)
    assert values[2]["DE"] is None
    assert values[3]["DE"] is None
    assert rows[2]["DE"] == ""
