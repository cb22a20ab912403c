"""A tie-break of the table is also in the second computation, and in the interpretations."""

from __future__ import annotations

import re
from pathlib import Path

from pairing.standings.tie_breaks import TIE_BREAKS
from tests.stress.second.choices import CODES, OF_GAMES
from tests.stress.second.tie_breaks import COLUMNS, PLACES

INTERPRETATIONS = Path(__file__).resolve().parents[2] / "docs" / "rules" / "interpretations.md"


def test_every_tie_break_is_computed_a_second_time() -> None:
    assert {*COLUMNS, *PLACES} >= {*TIE_BREAKS}, (
        "Write it again in tests/stress/second/tie_breaks.py: docs/developer/add-a-tie-break.md"
    )
    assert {code.partition("/")[0] for code in CODES} == {*TIE_BREAKS}, (
        "Random events choose from CODES in tests/stress/second/choices.py."
    )


def test_c04_5_0_the_tie_breaks_of_single_games_are_named() -> None:
    of_games = [code for code, row in TIE_BREAKS.items() if row.counts_games]
    assert sorted(OF_GAMES) == sorted(of_games), "OF_GAMES in tests/stress/second/choices.py"
    named = re.search(r"\*\*DS8\..*?\. ([A-Z,\s]+and [A-Z]+) count single", _text(), re.DOTALL)
    assert named, "DS8 in docs/rules/interpretations.md says which tie-breaks count single games."
    assert sorted(re.findall("[A-Z]+", named[1])) == sorted(of_games), (
        "DS8 in docs/rules/interpretations.md"
    )


def _text() -> str:
    return INTERPRETATIONS.read_text(encoding="utf-8")
