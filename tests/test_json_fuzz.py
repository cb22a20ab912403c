"""Unusual positions are paired legally, or refused with the path; no other exception is raised."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from pairing.engine.checker import check, legal_pairing_exists
from pairing.engine.errors import InputError, NoLegalPairingError
from pairing.engine.systems import pair
from pairing.json_io import error_to_json, pairing_to_json, state_from_json, state_to_json
from pairing.trf.convert import state_before_round
from pairing.trf.rounds import next_round
from tests.trf.mutations import seeds

ODD = (
    None, True, 0, -1, 1, 2, 0.5, 0.05, 1e308, float("nan"), float("inf"), 10**30, 9_999, "", "x", "w", "1", "?", "U",
    "\ud800", [], [[]], {}, {"tpn": 1}, [1, 1], [1, 2], "double_swiss_2026", 99,
)  # fmt: skip


@cache
def positions() -> tuple[str, ...]:
    return tuple(
        json.dumps(state_to_json(state_before_round(document, number)))
        for document in seeds()[1:]
        for number in range(1, next_round(document) + 1)
    )


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield (container, key) for all values in *value*."""
    keys = (
        list(value)
        if isinstance(value, dict)
        else range(len(value))
        if isinstance(value, list)
        else ()
    )
    for key in keys:
        yield value, key
        yield from places(value[key])


def mutate(position: Any, chance: random.Random) -> Any:
    for _ in range(1 + chance.randrange(3)):
        found = list(places(position))
        if not found:
            return position
        container, key = found[chance.randrange(len(found))]
        match chance.randrange(4):
            case 0:
                container[key] = ODD[chance.randrange(len(ODD))]
            case 1:
                del container[key]
            case 2 if isinstance(container, list):
                container.append(copy.deepcopy(container[key]))
            case _:
                other, other_key = found[chance.randrange(len(found))]
                if other_key in other if isinstance(other, dict) else other_key < len(other):
                    container[key] = copy.deepcopy(other[other_key])
    return position


def outcome(position: Any) -> str:
    try:
        state = state_from_json(position)
        pairing = pair(state)
    except NoLegalPairingError:
        assert not legal_pairing_exists(state)
        return "no legal pairing"
    except InputError as error:
        answer = error_to_json(error)["error"]
        return (
            "refused"
            if json.dumps(answer) and str(answer["message"]).isprintable()
            else "unprintable"
        )
    assert check(state, pairing) == ()
    assert json.loads(json.dumps(pairing_to_json(pairing)))["bye"] == pairing.bye
    return "paired"


@pytest.mark.costly
@settings(max_examples=400)
@given(st.randoms(use_true_random=False))
def test_a_changed_position_is_paired_legally_or_refused(chance: random.Random) -> None:
    position = json.loads(positions()[chance.randrange(len(positions()))])
    assert outcome(mutate(position, chance)) in ("paired", "refused", "no legal pairing")


def test_the_changes_reach_the_engine() -> None:
    found = [
        outcome(mutate(json.loads(positions()[seed % len(positions())]), random.Random(seed)))
        for seed in range(400)
    ]
    assert found.count("paired") >= 20
    assert found.count("refused") >= 20
