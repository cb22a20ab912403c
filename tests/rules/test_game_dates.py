"""Which games may have a date of their own."""

from __future__ import annotations

from itertools import product

from pairing.rules.game_dates import may_set_date
from pairing.rules.rounds import RoundFacts, RoundState
from pairing.rules.verdict import ALLOWED, Refused


def test_c04_2_3_1_only_open_games_of_published_rounds_may_have_a_date() -> None:
    codes = {
        (state.value, result): verdict.code if isinstance(verdict, Refused) else ""
        for state, result in product(RoundState, ("", "??", "10", "--"))
        for verdict in [may_set_date(RoundFacts(1, state), result)]
    }
    assert {key for key, code in codes.items() if not code} == {
        (state, result)
        for state in ("pairings_published", "results_published")
        for result in ("", "??")
    }
    assert {key[0] for key, code in codes.items() if code == "game_date.round_not_published"} == {
        "planned",
        "draft",
    }


def test_the_answer_names_the_round() -> None:
    planned, over = RoundFacts(2, RoundState.PLANNED), RoundFacts(3, RoundState.RESULTS_PUBLISHED)
    assert may_set_date(planned, "") == Refused("game_date.round_not_published", "", {"round": 2})
    assert may_set_date(over, "10") == Refused("game_date.has_result", "", {"round": 3})
    assert may_set_date(over, "??") == ALLOWED
