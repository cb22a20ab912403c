"""The games at a table while a round of matches is played, for the pages of the players."""

from __future__ import annotations

import pytest

from pairing.rounds.running import TableGame, games_at, games_found, running_round
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def test_a_table_has_both_games_of_its_match_with_the_colours_exchanged(
    published: Tournament,
) -> None:
    row = running_round(published)
    assert row is not None
    first, second = games_at(row, 1)
    assert (first.number, second.number) == (1, 2)
    assert (first.white, first.black) == (second.black, second.white)
    assert (first.board, second.board, first.game_id != second.game_id) == (1, 1, True)
    found: list[list[TableGame]] = [games_found(row, "1"), games_found(row, first.black)]
    assert found == [[first], [first]]
    assert games_at(row, 9) == []
