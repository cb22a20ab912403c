"""FIDE mode: the rules in force, and pairings that break a basic rule."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from pairing.engine.systems import SYSTEMS
from pairing.rules.fide_mode import LAST_DAYS, are_out_of_date, may_import, may_leave
from pairing.rules.handling import HANDLING
from pairing.rules.verdict import ALLOWED, Refused

REMATCH = frozenset({"met_before"})


def test_every_system_and_edition_is_in_force_or_has_a_last_day() -> None:
    assert SYSTEMS.keys() - LAST_DAYS.keys() == {"dutch_2026", "double_swiss_2026"}
    assert HANDLING.keys() - LAST_DAYS.keys() == {"c04_2_2026"}


@pytest.mark.parametrize(
    "code, last",
    [
        ("dutch_pre2017", date(2017, 6, 30)),
        ("pre2017", date(2017, 6, 30)),
        ("dutch_2017", date(2026, 1, 31)),
        ("c04_2_2017", date(2026, 1, 31)),
    ],
)
def test_c04_2_1_3_a_system_or_an_edition_is_out_of_date_after_its_last_day(
    code: str, last: date
) -> None:
    assert not are_out_of_date(last, code)
    assert are_out_of_date(date.fromordinal(last.toordinal() + 1), "dutch_2026", code)


def test_c04_1_2_only_the_chief_arbiter_leaves_fide_mode_and_confirms_it() -> None:
    requested = {"is_left": False, "decides": True, "confirmed": True}
    assert may_leave(REMATCH, **requested) == ALLOWED
    assert may_leave(REMATCH, **{**requested, "decides": False}) == Refused(
        "fide_mode.chief_arbiter_decides", "C.04.1 2, 4"
    )
    assert may_leave(REMATCH, **{**requested, "confirmed": False}) == Refused(
        "fide_mode.confirm", "C.04.1 2, 4"
    )


@pytest.mark.parametrize(
    "broken, is_left", [(frozenset(), False), (frozenset({"third_colour"}), False), (REMATCH, True)]
)
def test_c04_1_2_nothing_is_asked_where_nothing_is_left(
    broken: frozenset[str], is_left: bool
) -> None:
    assert may_leave(broken, is_left=is_left, decides=False, confirmed=False) == ALLOWED


@pytest.mark.parametrize("rule", ["met_before", "prohibited", "second_bye"])
def test_c04_1_2_4_each_basic_rule_is_asked_about(rule: str) -> None:
    broken = frozenset({rule, "third_colour"})
    refused = Refused("fide_mode.confirm", "C.04.1 2, 4")
    assert may_leave(broken, is_left=False, decides=True, confirmed=False) == refused


@pytest.mark.parametrize(
    "reasons, article",
    [
        ({"older_rules": True}, "C.04.2 1.1"),
        ({"broken": ["C.04.1 7", "C.04.1 2"]}, "C.04.1 2, 7"),
        ({"older_rules": True, "broken": ["C.04.1 4"]}, "C.04.1 4, C.04.2 1.1"),
    ],
)
def test_c04_2_1_1_the_refusal_of_a_file_names_the_articles_of_its_reasons(
    reasons: dict[str, Any], article: str
) -> None:
    refused = Refused("fide_mode.confirm_import", article)
    assert may_import(leaves=True, confirmed=False, **reasons) == refused
    assert may_import(leaves=True, confirmed=True, **reasons) == ALLOWED
    assert may_import(leaves=False, confirmed=False, **reasons) == ALLOWED
