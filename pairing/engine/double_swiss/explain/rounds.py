"""A round of matches with its reasons: the bye, every bracket, every board."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pairing.engine.double_swiss.colours import colour_and_rule
from pairing.engine.double_swiss.field import MatchField
from pairing.engine.matching.cardinality import bits
from pairing.engine.model import TPN, Pairing, TournamentState

from .explanation import (
    MatchBracketExplanation,
    MatchByeExplanation,
    MatchPairExplanation,
    MatchRoundExplanation,
    MatchSide,
    ScoredPlayer,
)
from .steps import Step, recorded_round, step_values


def explain_match_round(
    state: TournamentState, players: Collection[TPN] | None = None
) -> MatchRoundExplanation:
    """Pair the round of *state* and explain the pairing.

    With *players* only their brackets and boards are explained. The pairing is that of
    ``pair_double_swiss_2026``, with the same errors. Cost: for each bracket the upfloaters of the
    following bracket.
    """
    pairing, steps = recorded_round(state)
    field = MatchField.from_state(state)
    wanted = None if players is None else frozenset(players)
    return MatchRoundExplanation(
        round_number=state.round_number,
        pairing=pairing,
        bye=_bye(field, pairing) if wanted is None or pairing.bye in wanted else None,
        brackets=tuple(
            _bracket(field, number, step, is_last_round=state.is_last_round)
            for number, step in enumerate(steps, 1)
            if wanted is None or wanted.intersection(_tpns(field, step.residents | step.upfloaters))
        ),
        boards=tuple(
            _board(field, steps, board, pair)
            for board, pair in enumerate(pairing.pairs, 1)
            if wanted is None or wanted.intersection(pair)
        ),
    )


def _tpns(field: MatchField, ranks: int) -> tuple[TPN, ...]:
    return tuple(field.tpns[rank] for rank in bits(ranks))


def _bye(field: MatchField, pairing: Pairing) -> MatchByeExplanation | None:
    """The bye, with all who come before in the order of 3.4.2-3.4.4 and did not receive it."""
    if pairing.bye is None:
        return None
    order = sorted(
        range(len(field.tpns)),
        key=lambda rank: (field.scores[rank], -field.matches_played[rank], -field.tpns[rank]),
    )
    own = field.tpns.index(pairing.bye)
    before = order[: order.index(own)]
    return MatchByeExplanation(
        tpn=pairing.bye,
        score=field.scores[own],
        matches=field.matches_played[own],
        barred=tuple(field.tpns[rank] for rank in before if not field.may_receive_pab >> rank & 1),
        needed=tuple(field.tpns[rank] for rank in before if field.may_receive_pab >> rank & 1),
    )


def _bracket(
    field: MatchField, number: int, step: Step, *, is_last_round: bool
) -> MatchBracketExplanation:
    residents = _tpns(field, step.residents)
    return MatchBracketExplanation(
        number=number,
        score=field.scores[field.tpns.index(residents[0])],
        residents=residents,
        upfloaters=tuple(
            ScoredPlayer(field.tpns[rank], field.scores[rank]) for rank in bits(step.upfloaters)
        ),
        pairs=tuple((field.tpns[top], field.tpns[bottom]) for top, bottom in step.pairs),
        values=tuple(step_values(field, step, is_last_round=is_last_round).items()),
    )


def _board(
    field: MatchField, steps: Sequence[Step], board: int, pair: tuple[TPN, TPN]
) -> MatchPairExplanation:
    ranks = [field.tpns.index(tpn) for tpn in pair]
    higher, lower = min(ranks), max(ranks)
    _, rule = colour_and_rule(
        field.colours[higher], field.colours[lower], field.tpns[higher], field.initial_colour
    )
    white, black = (
        MatchSide(field.tpns[rank], field.scores[rank], field.colours[rank]) for rank in ranks
    )
    bracket = next(
        number
        for number, step in enumerate(steps, 1)
        if (step.residents | step.upfloaters) >> higher & 1
    )
    return MatchPairExplanation(board, bracket, white, black, field.tpns[higher], rule)
