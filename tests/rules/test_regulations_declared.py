"""Settings declared before the start, after a draft of round 1 that was discarded."""

import pytest

from pairing.rules.regulations import FIXED_AT_THE_START, fixed_fields
from pairing.rules.rounds import RoundFacts, RoundState

PLANNED = [RoundFacts(1, RoundState.PLANNED), RoundFacts(2, RoundState.PLANNED)]
DRAFT = [RoundFacts(1, RoundState.DRAFT), RoundFacts(2, RoundState.PLANNED)]


@pytest.mark.parametrize(
    "decides, ever_paired, fixed", [(True, True, False), (False, True, True), (False, False, False)]
)
def test_c04_1_1_declared_settings_are_fixed_for_deputies_after_a_draft(
    decides: bool, ever_paired: bool, fixed: bool
) -> None:
    found = fixed_fields(PLANNED, decides=decides, ever_paired=ever_paired)
    assert found == (frozenset(FIXED_AT_THE_START) if fixed else frozenset())


@pytest.mark.parametrize("decides", [True, False])
def test_c04_1_1_declared_settings_are_fixed_for_everybody_once_round_1_is_paired(
    decides: bool,
) -> None:
    assert fixed_fields(DRAFT, decides=decides) >= frozenset(FIXED_AT_THE_START)
