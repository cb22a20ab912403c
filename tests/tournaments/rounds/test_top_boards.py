"""The top boards that the Chief Arbiter named before the last round [C.04.2/2026 4.4.5],
and the names in a refusal.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from pairing.rounds.arrange import named
from pairing.rounds.published_round import named_top_boards
from pairing.rules.verdict import Refused
from tests.tournaments.factories import NOW, entry_of, make_ready, play_rounds
from tests.tournaments.neighbour import own
from tournaments.desk.undo import action_undo
from tournaments.entries.entries import entry_withdraw
from tournaments.models import Decision
from tournaments.setup.tournaments import tournament_update

pytestmark = pytest.mark.django_db


@pytest.mark.costly
def test_c04_2_4_4_5_an_undone_declaration_names_the_top_boards_before_it(
    chief_arbiter: User,
) -> None:
    tournament = make_ready(chief_arbiter, players=6, rounds=2)
    by: dict[str, Any] = {"actor": chief_arbiter, "now": NOW}
    play_rounds(tournament, [1], chief_arbiter)
    for boards_ in (2, 3):
        tournament_update(
            tournament_id=tournament.pk, top_boards=boards_, reason="announced in the hall", **by
        )
    assert named_top_boards(tournament, 2) == 3
    number = own(Decision).latest("sequence").sequence
    action_undo(tournament_id=tournament.pk, sequence=number, **by)
    assert named_top_boards(tournament, 2) == 2
    withdrawn = entry_of(tournament, 6)
    entry_withdraw(entry_id=withdrawn.pk, from_round=2, **by)
    action_undo(
        tournament_id=tournament.pk, sequence=own(Decision).latest("sequence").sequence, **by
    )
    assert named_top_boards(tournament, 2) == 2


def test_a_refusal_names_players_one_by_one_or_together() -> None:
    refused = Refused(
        "change.not_close", "C.04.2 4.4.5", {"one": 3, "other": 4, "players": (1, 2), "board": 5}
    )
    named_ = named(refused, lambda tpn: f"player {tpn}")
    assert named_.params == {
        "one": "player 3",
        "other": "player 4",
        "players": ["player 1", "player 2"],
        "board": 5,
    }
    assert (named_.code, named_.article) == (refused.code, refused.article)
