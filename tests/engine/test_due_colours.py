"""The colours that two players are due are those that the engine gives them, in each system."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from pairing.engine.due_colours import due_colours
from pairing.engine.errors import NoLegalPairingError
from pairing.engine.systems import SYSTEMS, pair
from tests.engine.match_positions import random_match_state
from tests.engine.positions import random_state
from tests.rules.test_smallest_change import random_round

DUTCH = [code for code, system in SYSTEMS.items() if system.games == 1]


@pytest.mark.parametrize("system", DUTCH)
def test_c04_3_5_2_the_due_colours_are_those_of_the_engine(system: str) -> None:
    compared = 0
    for seed in range(60):
        state = replace(random_state(Random(seed)), system=system)
        try:
            pairing = pair(state)
        except NoLegalPairingError:
            continue
        paired = {player.tpn for player in state.players} - state.absent
        due = due_colours(state, paired)
        assert [due.white_and_black(*sorted(two)) for two in pairing.pairs] == list(pairing.pairs)
        compared += len(pairing.pairs)
    assert compared > 50


def test_c04_5_4_3_the_due_colours_of_a_match_are_those_of_its_first_game() -> None:
    compared = 0
    for seed in range(60):
        state = random_match_state(Random(seed))
        try:
            pairing = pair(state)
        except NoLegalPairingError:
            continue
        due = due_colours(state, {player.tpn for player in state.players} - state.absent)
        assert [due.white_and_black(*sorted(two)) for two in pairing.pairs] == list(pairing.pairs)
        # Both players of a match have both colours, so no preference is refused.
        assert {due.refused(*two) for two in pairing.pairs} <= {(0, 0)}
        compared += len(pairing.pairs)
    assert compared > 50


def test_c04_3_1_7_refused_preferences_are_counted_by_their_degree() -> None:
    facts = random_round(Random(1))
    due = facts.due(frozenset())
    for white, black in facts.now.boards.values():
        one, other = due.records[white], due.records[black]
        both = sum(
            record.preference is not None and record.preference.letter != colour
            for record, colour in ((one, "w"), (other, "b"))
        )
        assert sum(due.refused(white, black)) == both
