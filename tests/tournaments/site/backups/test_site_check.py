"""The check of a site finds no fault in a tournament that has not begun:
a fault alarms all arbiters.
"""

import pytest
from django.contrib.auth.models import User

from tests.tournaments.factories import make_entries
from tournaments.models import Tournament
from tournaments.site.backups.checks import check_site


@pytest.mark.django_db
@pytest.mark.parametrize("players", [0, 3])
def test_a_tournament_without_numbers_is_no_fault(
    players: int, tournament: Tournament, chief_arbiter: User
) -> None:
    make_entries(tournament, chief_arbiter, players)
    report = check_site(seconds=10)
    assert report.events
    # Lines are not signed in a test.
    assert [fault for fault in report.faults if "report file" in fault] == []
