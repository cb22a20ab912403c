"""Explanations cost a pairing nothing if nobody asks for them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from pairing.engine.basics.colours import ColourRecord, Strength
from pairing.engine.dutch.colours import colour_of_higher
from pairing.engine.dutch.edition_2026.records import RULES_2026
from pairing.engine.dutch.field import Field
from pairing.engine.model import Colour, TournamentState
from pairing.engine.systems import pair
from tests.engine.dutch.edition_2026.test_dutch_2026 import fresh, play
from tests.work import calls_of

ROOT = Path(__file__).resolve().parents[4]
PLAYERS, ROUNDS = 100, 5
ALLOWED = 0.02


def middle_of_a_tournament() -> TournamentState:
    state = fresh(PLAYERS, total_rounds=9)
    for _ in range(ROUNDS):
        state = play(state, pair(state), "1=0=11=0")
    return state


def colour_alone(own: ColourRecord, theirs: ColourRecord, number: int, initial: Colour) -> Colour:
    """Return the colours of Article 5.2 without the name of the rule,
    as an engine without explanations would.
    """
    return (
        _by_preference(own, theirs)
        or _by_latest_difference(own, theirs)
        or own.preference
        or (initial if number % 2 else initial.opposite)
    )


def _by_preference(own: ColourRecord, theirs: ColourRecord) -> Colour | None:
    if own.preference is None:
        return None if theirs.preference is None else theirs.preference.opposite
    if own.preference is not theirs.preference:
        return own.preference
    if own.strength is not theirs.strength:
        return own.preference if own.strength > theirs.strength else own.preference.opposite
    if own.strength is Strength.ABSOLUTE and abs(own.difference) != abs(theirs.difference):
        return (
            own.preference
            if abs(own.difference) > abs(theirs.difference)
            else own.preference.opposite
        )
    return None


def _by_latest_difference(own: ColourRecord, theirs: ColourRecord) -> Colour | None:
    for mine, other in zip(reversed(own.history), reversed(theirs.history), strict=False):
        if mine != other:
            return Colour(other)
    return None


def test_naming_the_rule_of_the_colours_costs_a_round_less_than_two_percent() -> None:
    """The colours are the only code that the engine and the explanations share."""
    state = middle_of_a_tournament()
    field = Field.from_state(state, RULES_2026)
    rank = {tpn: place for place, tpn in enumerate(field.tpns)}
    ranks = [sorted((rank[white], rank[black])) for white, black in pair(state).pairs]
    sides = [
        (field.colours[one], field.colours[other], field.numbers[one], Colour.WHITE)
        for one, other in ranks
    ]
    assert [colour_of_higher(*side) for side in sides] == [colour_alone(*side) for side in sides]
    whole_round = calls_of(lambda: pair(state))
    with_rule = calls_of(lambda: [colour_of_higher(*side) for side in sides])
    alone = calls_of(lambda: [colour_alone(*side) for side in sides])
    assert (with_rule - alone) / whole_round < ALLOWED


def test_the_engine_does_not_load_explanations() -> None:
    """Pairing loads none of the explanation modules, so none of their code can run."""
    program = (
        "import sys\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        "import pairing.engine.systems\n"
        "print([name for name in sys.modules if 'explain' in name or 'wording' in name])\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
