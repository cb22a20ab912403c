"""Reports name the player and the line that are meant, not the first ones."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from tests.tournaments.factories import NOW, entry_of, make_ready, play_rounds
from tournaments.core.frame import tournament_frame
from tournaments.lists.imports.trf_tournament import tournament_import_trf
from tournaments.models import Tournament
from tournaments.reports.published_list_pages import imported_rounds
from tournaments.reports.trf_export import trf_export
from tournaments.setup.tournaments import tournament_update
from tournaments.standings.adjust_points import points_adjust, points_withdraw


def test_the_report_names_the_player_whose_points_were_adjusted(
    ready: Tournament, chief_arbiter: User
) -> None:
    play_rounds(ready, [1], chief_arbiter)
    given = {
        "tournament_id": ready.pk,
        "actor": chief_arbiter,
        "now": NOW,
        "round_number": 1,
        "reason": "telephone",
    }
    entry = entry_of(ready, 5).pk
    points_adjust(**given, entry_id=entry, points=-5, article="Laws 11.3", seen=0)
    assert "Points @ Round 1: TPN 5 -0.5, Laws 11.3" in trf_export(ready, public=False)
    points_withdraw(**given, entry_id=entry, points=-5)
    assert "Points withdrawn @ Round 1: TPN 5 -0.5" in trf_export(ready, public=False)


@pytest.mark.costly
def test_the_line_of_an_import_is_found_after_other_lines(chief_arbiter: User) -> None:
    played = make_ready(chief_arbiter)
    play_rounds(played, [1, 2], chief_arbiter)
    text = trf_export(played, public=False)
    tournament = tournament_import_trf(actor=chief_arbiter, now=NOW, data=text.encode())
    tournament_update(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, city="Lyon")
    tournament.refresh_from_db()
    last, line = imported_rounds(tournament_frame(tournament, runs=True))
    assert line is not None
    assert (last, line.action, line.sequence) == (2, "tournament.imported", 1)
    assert imported_rounds(tournament_frame(played, runs=True)) == (0, None)
