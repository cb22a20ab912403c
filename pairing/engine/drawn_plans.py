"""Draw what a plan of a random tournament leaves open: no two seeds give the same kind.

The numbers are those of ordinary opens: most have few byes and forfeits, some have many, and many
have none of a kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from .acceleration import allows_baku
from .event_plan import EventPlan
from .generator import Chance, Lots
from .model import PointSystem
from .systems import system_by_code

MOST_OF_A_RATE: Final[Mapping[str, int]] = {
    "half_byes": 400,
    "zero_byes": 250,
    "full_byes": 60,
    "forfeit_wins": 150,
    "forfeit_losses": 150,
    "double_forfeits": 60,
    "unusual": 100,
    "late": 700,
    "withdrawals": 700,
    "prohibitions": 600,
}
"""The highest rate of each kind that is drawn, in ten-thousandths;
two events of five have none of a kind.
"""
COMMON: Final = PointSystem()
OTHER_POINTS: Final = (
    PointSystem.from_values(win=30, draw=10, loss=0),
    PointSystem.from_values(win=20, draw=10, loss=0),
    PointSystem.from_values(win=30, draw=20, loss=10),
)
"""1-½-0 is drawn four times of five, otherwise one of these."""


def draw_plan(given: Mapping[str, Any], chance: Chance) -> EventPlan:
    """Return the plan with the values *given* by field; others are drawn from *chance*.

    The drawn values fit together and to those given: enough players for the rounds, and Baku
    acceleration only with a system and points that allow it [C.04.7/2026]. Given values are not
    changed: :func:`~.generator.generate` refuses a plan that cannot be one. Cost: one lot for each
    value.
    """
    lots, plan = Lots(chance), dict(given)
    plan.setdefault("by_table", True)
    _draw_size(plan, lots)
    plan.setdefault("draws", lots.between(2_500, 5_000))
    for name, most in MOST_OF_A_RATE.items():
        drawn = 0 if lots.below(5) < 2 else lots.between(0, most)
        plan.setdefault(name, drawn)
    other, is_common = lots.of(OTHER_POINTS), lots.below(5) > 0
    plan.setdefault("points", COMMON if is_common or plan.get("accelerated") else other)
    _draw_acceleration(plan, lots)
    if not plan.get("ratings"):
        _draw_ratings(plan, lots)
    return EventPlan(**plan)


def _draw_size(plan: dict[str, Any], lots: Lots) -> None:
    if plan.get("ratings"):
        plan.setdefault("players", len(plan["ratings"]))
    played = plan.get("played") or 1
    rounds = max(played, lots.of((5, 6, 7, 7, 8, 9, 9, 11)))
    if "players" in plan:
        plan.setdefault("rounds", max(played, min(rounds, plan["players"] // 2)))
    plan.setdefault("rounds", rounds)
    fewest = max(8, 2 * plan["rounds"] + 2)
    plan.setdefault("players", lots.between(fewest, fewest + lots.of((10, 40, 40, 120))))


def _draw_acceleration(plan: dict[str, Any], lots: Lots) -> None:
    is_possible = system_by_code(plan.get("system", "dutch_2026")).is_accelerated and allows_baku(
        plan["points"]
    )
    drawn = lots.below(4) == 0
    plan.setdefault("accelerated", is_possible and drawn)


def _draw_ratings(plan: dict[str, Any], lots: Lots) -> None:
    """Draw bounds; for one event of six also a gap between ratings, if nothing is given."""
    lowest, span = lots.between(1_000, 2_000), lots.between(300, 1_000)
    has_gap = lots.below(6) == 0 and plan.keys().isdisjoint({"lowest", "highest", "gap"})
    lots_of_gap = lots.between(1, max(1, span // max(plan["players"], 1)))
    if "highest" in plan:
        lowest = min(lowest, max(1, plan["highest"] - span))
    lowest = plan.setdefault("lowest", lowest)
    plan.setdefault("highest", lowest + max(span, (plan.get("gap") or 0) * (plan["players"] - 1)))
    if has_gap and span >= plan["players"]:
        plan["gap"] = lots_of_gap
