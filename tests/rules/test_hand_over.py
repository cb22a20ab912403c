"""One live copy of an event at a time, and what the other copy may still do."""

import pytest

from pairing.rules.hand_over import HANDED_OVER, WHILE_AWAY, may_act
from pairing.rules.verdict import ALLOWED, Refused


@pytest.mark.parametrize("action", ["round.paired", "result.recorded", HANDED_OVER])
def test_a_copy_that_was_handed_over_is_read_only(action: str) -> None:
    assert may_act(action, is_away=False) is ALLOWED
    assert may_act(action, is_away=True) == Refused("hand_over.is_away")


@pytest.mark.parametrize("action", sorted(WHILE_AWAY))
def test_an_event_is_taken_over_or_brought_back_only_while_it_is_away(action: str) -> None:
    assert may_act(action, is_away=True) is ALLOWED
    assert may_act(action, is_away=False) == Refused("hand_over.is_here")
