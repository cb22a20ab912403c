"""Why two players do not meet in a round of matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pairing.engine.basics.validation import two_players
from pairing.engine.double_swiss.field import MatchField
from pairing.engine.double_swiss.matches import ended_by_forfeit
from pairing.engine.errors import InvariantError, NoLegalPairingError
from pairing.engine.model import TPN, Player, TournamentState

from .explanation import MatchOutcome, MatchWhyNot
from .steps import Step, recorded_round, step_values


def why_no_match(state: TournamentState, first: TPN, second: TPN) -> MatchWhyNot:
    """Return the reason why *first* and *second* do not meet in the round of *state*.

    The reasons are checked in this order: they do meet; one is absent; [C1]; a prohibited pair.
    Then the round is paired again with all their other pairs prohibited. If that is impossible, the
    reason is [C3]. Otherwise the two rounds are compared in the order of 3.3.2: the bye, then
    bracket by bracket.

    Raises :class:`InputError` (``explain.unknown_player``, ``explain.same_player``), and the errors
    of ``pair``.
    """
    players = two_players(state, first, second)
    blank = MatchWhyNot(first, second, MatchOutcome.PAIRED)
    pairing, steps = recorded_round(state)
    if {first, second} in [set(pair) for pair in pairing.pairs]:
        return blank
    barred = _barred(blank, state, *players)
    if barred is not None:
        return barred
    try:
        forced, forced_steps = recorded_round(_forcing(state, first, second))
    except NoLegalPairingError:
        return replace(blank, outcome=MatchOutcome.C3)
    blank = replace(blank, instead=forced)
    if forced.bye != pairing.bye:
        return replace(blank, outcome=MatchOutcome.BYE, bye=forced.bye)
    return _first_difference(blank, state, steps, forced_steps)


def _barred(
    blank: MatchWhyNot, state: TournamentState, one: Player, other: Player
) -> MatchWhyNot | None:
    """Return the rule that forbids the pair, whatever the other players do."""
    absent = tuple(player.tpn for player in (one, other) if player.tpn in state.absent)
    if absent:
        return replace(blank, outcome=MatchOutcome.ABSENT, absent=absent)
    for number, (own, theirs) in enumerate(zip(one.rounds, other.rounds, strict=True), 1):
        if own.opponent == other.tpn and not ended_by_forfeit(own, theirs):
            return replace(blank, outcome=MatchOutcome.C1, met_in=number)
    if frozenset({one.tpn, other.tpn}) in state.prohibited:
        return replace(blank, outcome=MatchOutcome.PROHIBITED)
    return None


def _forcing(state: TournamentState, first: TPN, second: TPN) -> TournamentState:
    """The round in which the two can meet nobody else, nor receive the bye,
    since the other would be left over.

    In an odd field one of them could have the bye only if the other met somebody.
    """
    others = {player.tpn for player in state.players} - {first, second}
    alone = frozenset(frozenset({one, other}) for one in (first, second) for other in others)
    return replace(state, prohibited=state.prohibited | alone)


def _first_difference(
    blank: MatchWhyNot, state: TournamentState, steps: Sequence[Step], forced: Sequence[Step]
) -> MatchWhyNot:
    """Find the first difference between two rounds, from the top, judged in the original field.

    A pairing that is legal when the two must meet is also legal otherwise. So the first bracket
    that differs is not better: either a criterion is worse, or the set of upfloaters or the
    identifier comes later.
    """
    field = MatchField.from_state(state)
    for number, (step, other) in enumerate(zip(steps, forced, strict=True), 1):
        if step == other:
            continue
        own, theirs = (
            step_values(field, one, is_last_round=state.is_last_round) for one in (step, other)
        )
        top = (step.residents & -step.residents).bit_length() - 1
        here = replace(blank, bracket=number, score=field.scores[top])
        for name, value in own.items():
            if theirs[name] != value and (name != "C8" or step.upfloaters == other.upfloaters):
                if theirs[name] < value:
                    raise InvariantError(
                        f"[{name}] became better when two players were made to meet"
                    )
                return replace(
                    here, outcome=MatchOutcome.WORSE, worse=name, value=value, forced=theirs[name]
                )
        later_set = step.upfloaters != other.upfloaters
        return replace(
            here, outcome=MatchOutcome.LATER_SET if later_set else MatchOutcome.LATER_PAIRING
        )
    raise InvariantError("two players who do not meet were made to, and nothing changed")
