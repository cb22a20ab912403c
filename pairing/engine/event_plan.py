"""The plan of a random tournament (:mod:`pairing.engine.generator`)."""

from __future__ import annotations

from dataclasses import dataclass, field

from .acceleration import allows_baku
from .errors import InputError
from .model import PointSystem
from .systems import system_by_code

WHOLE = 10_000
"""Rates are whole numbers of ten-thousandths: 500 is 5 %."""


@dataclass(frozen=True, slots=True)
class EventPlan:
    """The kind of tournament to generate. Rates are in ten-thousandths.

    ``forfeits`` of the games are forfeited and ``draws`` of the others drawn; ``byes`` is how often
    somebody who is there asks for a bye, per round; ``late`` and ``withdrawals`` are shares of the
    players; ``prohibitions`` is the number of prohibited groups (two players, or three) per player.
    ``accelerated`` is Baku [C.04.7/2026]. ``played`` rounds are played of the ``rounds`` declared;
    None: all. ``system`` pairs them; where its rounds are matches, ``points`` and rates are per
    game, rounds are matches.

    ``byes`` and ``forfeits`` mix all kinds; ``half_byes``, ``zero_byes``, ``full_byes``,
    ``forfeit_wins`` of White, ``forfeit_losses`` of White and ``double_forfeits`` are each of one
    kind, and are added. ``unusual`` of the games that are played end as in
    :data:`~.generator.UNUSUAL`. With ``by_table`` the expected score of each other game, draws
    included, is that of the rating table [B.02 8.1.2], so that players far apart draw less often
    than ``draws``; without it draws come on top, and only the rest follows the table.

    ``ratings`` are those of the players; without them they lie between ``lowest`` and ``highest``,
    or fall by ``gap`` from ``highest`` on.
    """

    players: int
    rounds: int
    played: int | None = None
    points: PointSystem = field(default_factory=PointSystem)
    draws: int = 3_500
    forfeits: int = 0
    byes: int = 0
    late: int = 0
    withdrawals: int = 0
    prohibitions: int = 0
    accelerated: bool = False
    system: str = "dutch_2026"
    half_byes: int = 0
    zero_byes: int = 0
    full_byes: int = 0
    forfeit_wins: int = 0
    forfeit_losses: int = 0
    double_forfeits: int = 0
    unusual: int = 0
    by_table: bool = False
    ratings: tuple[int, ...] = ()
    lowest: int = 1_400
    highest: int = 2_700
    gap: int | None = None


def check_plan(plan: EventPlan) -> None:
    """Raise :class:`InputError` if *plan* cannot be one (``generate.plan``)."""
    played = 0 if plan.played is None else plan.played
    byes = (plan.half_byes, plan.zero_byes, plan.full_byes)
    forfeits = (plan.forfeit_wins, plan.forfeit_losses, plan.double_forfeits)
    rates = (
        *(
            plan.draws,
            plan.forfeits,
            plan.byes,
            plan.late,
            plan.withdrawals,
            plan.prohibitions,
            plan.unusual,
        ),
        *(sum(byes), sum(forfeits), *byes, *forfeits),
    )
    if plan.players < 1 or plan.rounds < 1 or not 0 <= played <= plan.rounds:
        raise InputError(
            "generate.plan",
            "A tournament has at least one player and one round, and plays no more.",
        )
    if not all(0 <= rate <= WHOLE for rate in rates):
        raise InputError(
            "generate.plan", "A rate is a number from 0 to 1, and so is the sum of those of a kind."
        )
    _check_ratings(plan)
    if plan.accelerated and not system_by_code(plan.system).is_accelerated:
        raise InputError(
            "generate.plan", f"{plan.system} is too old to be accelerated [C.04.2 1.1]."
        )
    if plan.accelerated and not allows_baku(plan.points):
        raise InputError(
            "generate.plan",
            "Baku acceleration needs a win to be worth two draws, and a loss nothing "
            "[C.04.7/2026].",
        )


def _check_ratings(plan: EventPlan) -> None:
    if plan.ratings and len(plan.ratings) != plan.players:
        raise InputError(
            "generate.plan", f"There are {len(plan.ratings)} ratings for {plan.players} players."
        )
    if not 1 <= plan.lowest <= plan.highest or not all(rating >= 1 for rating in plan.ratings):
        raise InputError("generate.plan", "Ratings are numbers from 1, the lowest one first.")
    if plan.gap is not None and (plan.gap < 0 or plan.highest - plan.gap * (plan.players - 1) < 1):
        raise InputError("generate.plan", "With this gap the last player would have no rating.")
