"""The steps of the procedure in each bracket as numbers and articles; ``wording`` has words.

Players are named by TPN; points are in tenths.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pairing.engine.basics.validation import two_players, validate
from pairing.engine.dutch_pre2017.candidates import BracketPairing, very_first
from pairing.engine.dutch_pre2017.colours import colour_and_rule
from pairing.engine.dutch_pre2017.field import FieldBefore2017, b2_clash
from pairing.engine.dutch_pre2017.procedure import (
    pair_bracket_as_it_is,
    pair_dutch_pre2017,
    pair_field,
)
from pairing.engine.dutch_pre2017.requirements import ONE_POINT, Requirement, requirements_of
from pairing.engine.model import TPN, Pairing, TournamentState


@dataclass(frozen=True, slots=True)
class GivenUp:
    """A requirement at the end: the ``number`` of pairs or players for which it does not hold.

    ``unavoidable`` of them follow from X1 or Z1 [C.04.3/pre2017 A8, C10].
    """

    article: str
    number: int
    unavoidable: int


@dataclass(frozen=True, slots=True)
class BracketSteps:
    """One bracket. ``number`` counts from 1.

    ``joined`` are those of the moved down whom C13 has joined; ``incompatible`` those whom C1 moved
    on. ``m1`` is None where the bracket was treated as homogeneous, ``by_a3`` because half of it
    came from above. ``first_try``: C6 accepted the first pairing it looked at. ``anew`` is C12 or
    C13 where the bracket was paired again for the sake of the one below it. ``b3_factor`` is D4's
    sum, in squares of tenths; None where all have the same score.
    """

    number: int
    moved_down: tuple[TPN, ...]
    joined: tuple[TPN, ...]
    residents: tuple[TPN, ...]
    incompatible: tuple[TPN, ...]
    p0: int
    m0: int
    x1: int
    z1: int | None
    p1: int
    m1: int | None
    by_a3: bool
    first_try: bool
    anew: str | None
    requirements: tuple[GivenUp, ...]
    b3_factor: int | None
    pairs: tuple[tuple[TPN, TPN], ...]
    downfloaters: tuple[TPN, ...]
    bye: TPN | None

    @property
    def players(self) -> frozenset[TPN]:
        return frozenset((*self.moved_down, *self.residents, *self.incompatible))


@dataclass(frozen=True, slots=True)
class BoardSteps:
    """A board, the bracket it was paired in and the rule that gave the colours."""

    board: int
    white: TPN
    black: TPN
    bracket: int
    rule: str


@dataclass(frozen=True, slots=True)
class RoundSteps:
    """A round; ``brackets`` and ``boards`` only those asked for."""

    round_number: int
    pairing: Pairing
    brackets: tuple[BracketSteps, ...]
    boards: tuple[BoardSteps, ...]


@dataclass(frozen=True, slots=True)
class NoMeeting:
    """Why two players do not meet: ``code`` is ``paired``, ``absent``, ``B1.a``, ``prohibited``,
    ``B2`` or ``steps`` (nothing forbids it, the steps lead elsewhere). ``brackets`` are those in
    which each was paired, or had the bye.
    """

    first: TPN
    second: TPN
    code: str
    brackets: tuple[int, ...] = ()


def explain_steps(state: TournamentState, whom: Collection[TPN] | None = None) -> RoundSteps:
    """Return the steps of the round of *state*, or only those about *whom*.

    Raises what :func:`pair_dutch_pre2017` does. Cost: as the pairing, and each bracket once more.
    """
    pairing = pair_dutch_pre2017(state)
    field = FieldBefore2017.from_state(state)
    done = pair_field(field) if field.players else []
    brackets = [_bracket(number, one, field) for number, one in enumerate(done, 1)]
    boards = _boards(pairing, done, field)
    if whom is not None:
        chosen = frozenset(whom)
        brackets = [one for one in brackets if chosen & one.players]
        boards = [one for one in boards if chosen & {one.white, one.black}]
    return RoundSteps(state.round_number, pairing, tuple(brackets), tuple(boards))


def why_not_by_steps(state: TournamentState, first: TPN, second: TPN) -> NoMeeting:
    """Why *first* and *second* do not meet.

    Raises :class:`InputError` for a state that contradicts itself, somebody not on the list or the
    same player twice, and :class:`NoLegalPairingError` where nothing forbids the two to meet and
    the round has no pairing at all.
    """
    validate(state)
    records = two_players(state, first, second)[0].rounds
    if {first, second} & state.absent:
        return NoMeeting(first, second, "absent")
    field = FieldBefore2017.from_state(state)
    one, other = (
        next(player for player in field.players if player.tpn == tpn) for tpn in (first, second)
    )
    if not field.may_meet[one.rank] >> other.rank & 1:
        if frozenset((first, second)) in state.prohibited:
            return NoMeeting(first, second, "prohibited")
        met = any(record.is_played and record.opponent == second for record in records)
        return NoMeeting(first, second, "B2" if b2_clash(one, other) and not met else "B1.a")
    done = pair_field(field)
    places = tuple(_place(done, player.rank) for player in (one, other))
    ranks = (min(one.rank, other.rank), max(one.rank, other.rank))
    paired = any(ranks in bracket.pairs for bracket in done)
    return NoMeeting(first, second, "paired" if paired else "steps", places)


def _place(done: Sequence[BracketPairing], rank: int) -> int:
    """The bracket in which a player was paired; the last one for the bye."""
    return next(
        (number for number, one in enumerate(done, 1) if any(rank in pair for pair in one.pairs)),
        len(done),
    )


def _bracket(number: int, done: BracketPairing, field: FieldBefore2017) -> BracketSteps:
    bracket = done.bracket

    def tpns(ranks: Sequence[int]) -> tuple[TPN, ...]:
        return tuple(field.players[rank].tpn for rank in ranks)

    scores = {player.score for player in bracket.players}
    first = very_first(bracket) if bracket.ranks else None
    return BracketSteps(
        number=number,
        moved_down=tpns(bracket.moved_down),
        joined=tpns(bracket.joined),
        residents=tpns(bracket.residents),
        incompatible=tpns(done.incompatible),
        p0=bracket.p0,
        m0=bracket.m0,
        x1=bracket.x1,
        z1=None if field.is_odd_round else bracket.z1,
        p1=len(done.pairs),
        m1=done.moved_down_paired or None,
        by_a3=bool(bracket.m0) and bracket.is_homogeneous,
        first_try=first is not None and first.pairs == done.pairs,
        anew=None if bracket.is_lowest or not bracket.ranks else _anew(done),
        requirements=_requirements(done),
        b3_factor=_b3_factor(done) if bracket.is_lowest and len(scores) > 1 else None,
        pairs=tuple(
            (field.players[higher].tpn, field.players[lower].tpn) for higher, lower in done.pairs
        ),
        downfloaters=() if bracket.is_lowest else tpns(done.downfloaters),
        bye=next(iter(tpns(done.downfloaters)), None) if bracket.is_lowest else None,
    )


def _anew(done: BracketPairing) -> str | None:
    """Return C12 or C13 if the bracket was paired differently because of the following one."""
    alone = pair_bracket_as_it_is(done.bracket, done.incompatible)
    if alone.pairs == done.pairs:
        return None
    return "C12" if len(alone.pairs) == len(done.pairs) else "C13"


def _requirements(done: BracketPairing) -> tuple[GivenUp, ...]:
    bracket = done.bracket
    spared = bracket.p0 - len(done.pairs)
    unavoidable = {"B4 (X)": max(0, bracket.x1 - spared), "A7.e (Z)": max(0, bracket.z1 - spared)}
    return tuple(
        GivenUp(one.article, number, min(number, unavoidable.get(one.article, 0)))
        for one in requirements_of(bracket)
        if (number := _number(one, done))
    )


def _number(requirement: Requirement, done: BracketPairing) -> int:
    players = done.bracket.field.players
    moved_down = frozenset(done.bracket.moved_down) if done.moved_down_paired else frozenset()
    number = 0
    for higher, lower in done.pairs:
        pair = (players[higher], players[lower])
        if requirement.of_pair is not None:
            number += requirement.of_pair(*pair)
        if requirement.of_upfloat is not None and higher in moved_down and lower not in moved_down:
            number += requirement.of_upfloat(*pair)
    if requirement.of_downfloater is not None:
        left = [rank for rank in done.downfloaters if rank not in done.incompatible]
        number += sum(requirement.of_downfloater(players[rank]) for rank in left)
    return number


def _b3_factor(done: BracketPairing) -> int:
    players = done.bracket.field.players
    bye_score = done.bracket.players[-1].score - ONE_POINT
    squares = sum(
        (players[higher].score - players[lower].score) ** 2 for higher, lower in done.pairs
    )
    return squares + sum((players[rank].score - bye_score) ** 2 for rank in done.downfloaters)


def _boards(
    pairing: Pairing, done: Sequence[BracketPairing], field: FieldBefore2017
) -> list[BoardSteps]:
    found = {}
    for number, bracket in enumerate(done, 1):
        for pair in bracket.pairs:
            higher, lower = (field.players[rank] for rank in pair)
            rule = colour_and_rule(higher, lower, field.initial_colour)[1]
            found[frozenset((higher.tpn, lower.tpn))] = (number, rule)
    return [
        BoardSteps(board, white, black, *found[frozenset((white, black))])
        for board, (white, black) in enumerate(pairing.pairs, 1)
    ]
