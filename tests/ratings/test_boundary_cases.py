"""Norms on both sides of each limit: the cases of ``boundary_cases.json``.

The expected values were worked out by hand from the articles. Games are in the form of
:mod:`tests.ratings.notation`; an event differs from its ``EVENT`` in the facts that are named.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from pairing.ratings.conditions import State
from pairing.ratings.editions import Title
from pairing.ratings.model import EventKind, Rate
from pairing.ratings.norms import norm
from tests.ratings.notation import EVENT, HERO, event, games

CASES = json.loads((Path(__file__).parent / "boundary_cases.json").read_text())
READ: dict[str, Any] = {
    "kind": EventKind,
    "rate": Rate,
    "registered": date.fromisoformat,
    "chief_arbiter_titles": frozenset,
}


def test_there_are_fifty_cases_and_each_limit_has_both_sides() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES) >= 50
    articles = {case["article"] for case in CASES}
    failing = {article.split()[0] for case in CASES for article in case["failing"]}
    assert failing <= articles | {"1.4.8"}
    assert len(failing) >= 17


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_b01_each_limit_on_both_sides(case: dict[str, Any]) -> None:
    facts = {
        name: READ.get(name, lambda value: value)(value)
        for name, value in case.get("event", {}).items()
    }
    title = Title(case["title"])
    player = replace(HERO, is_woman=title in (Title.WGM, Title.WIM))
    found = norm(title, player, event(**facts) if facts else EVENT, games(case["games"]))
    assert list(found.failing) == case["failing"]
    assert found.is_met is not bool(case["failing"])
    figures = found.figures
    assert figures is not None
    assert figures.average == case.get("ra", figures.average)
    assert figures.performance == case.get("rp", figures.performance)
    if found.is_met:
        assert [number for number, _article in found.dropped] == case.get("dropped", [])
        confirmed = {row.article for row in found.conditions if row.state is State.CONFIRM}
        assert confirmed == set(case.get("confirm", []))
