"""The editions of the handling rules: added, never edited."""

import pytest

from pairing.engine.systems import SYSTEMS
from pairing.rules.corrections import Wrong, classify, classify_remaining
from pairing.rules.handling import HANDLING, NEWEST, OF_SYSTEM, handling_for
from pairing.rules.publication import Ground


def test_every_system_has_the_handling_rules_of_its_time():
    assert set(SYSTEMS) <= set(OF_SYSTEM)
    assert set(OF_SYSTEM.values()) == set(HANDLING)
    assert (handling_for("dutch_pre2017"), handling_for("of another time")) == ("pre2017", NEWEST)


@pytest.mark.parametrize(
    "code, result, changes, deadline, how, grounds",
    [
        ("c04_2_2026", "C.04.2 4.3.1", "C.04.2 4.4", True, classify, ["4.4.1", "4.4.2", "4.4.3", "4.4.4", "4.4.5"]),
        ("c04_2_2017", "C.04.2 D.8", "C.04.2 D.10", True, classify, ["4.4.1"]),
        ("pre2017", "C.04.3 F7", "C.04.3 F6", False, classify_remaining, ["absolute", "correction"]),
    ],
)
def test_the_editions_side_by_side(code, result, changes, deadline, how, grounds):
    rules = HANDLING[code]
    assert (rules.corrections[Wrong.RESULT], rules.changes, rules.has_deadline) == (result, changes, deadline)
    assert rules.classify is how
    assert [ground.value for ground in rules.grounds] == grounds
    assert set(rules.grounds) <= set(Ground)
    assert set(rules.corrections) == set(Wrong)


def test_who_is_absent_without_notice_in_each_edition():
    said = {code: (rules.no_show, rules.no_show_withdraws) for code, rules in HANDLING.items()}
    assert said == {
        "c04_2_2026": ("C.04.2 3.3", False),
        "c04_2_2017": ("C.04.2 D.2", True),
        "pre2017": ("C.04.3 F8", True),
    }
