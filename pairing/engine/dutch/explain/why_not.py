"""Why two players do not meet: the round is paired again with the two made to meet, and the two are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pairing.engine.basics.validation import two_players, validate
from pairing.engine.dutch.field import Field
from pairing.engine.errors import InvariantError, NoLegalPairingError
from pairing.engine.model import TPN, Player, TournamentState

from .explanation import MdpPairing, Order, Outcome, Value, WhyNot
from .shape import mdp_pairing, subgroups
from .steps import Step, recorded_round
from .values import ARTICLES, NAMES, measure_of, step_values


def why_not(state: TournamentState, first: TPN, second: TPN) -> WhyNot:
    """What keeps *first* and *second* apart in the round of *state*, or what it would cost to have them meet.

    An absolute criterion first; then whether the round can be completed; then, bracket by bracket from the top, the
    first criterion that gets worse. To be made to meet is to be prohibited from meeting anybody else.

    Raises :class:`InputError` for a state that contradicts itself, somebody not on the list or the same player twice,
    and :class:`NoLegalPairingError` where there is no pairing at all to compare with.
    """
    validate(state)
    found = _forbidden(state, two_players(state, first, second))
    if found is not None:
        return found
    pairing, steps = recorded_round(state)
    if any({first, second} == set(pair) for pair in pairing.pairs):
        return WhyNot(first, second, Outcome.PAIRED, instead=pairing)
    try:
        forced, forced_steps = recorded_round(_forcing(state, first, second))
    except NoLegalPairingError:
        return WhyNot(first, second, Outcome.C4, article="2.2.1")
    return _first_difference(WhyNot(first, second, Outcome.WORSE, instead=forced), steps, forced_steps)


def _forbidden(state: TournamentState, players: tuple[Player, Player]) -> WhyNot | None:
    """The absolute criterion that keeps the two apart, if one does [C.04.3/2026 2.1]."""
    one, other = players
    blank = WhyNot(one.tpn, other.tpn, Outcome.ABSENT)
    absent = tuple(player.tpn for player in players if player.tpn in state.absent)
    if absent:
        return replace(blank, absent=absent)
    for number, record in enumerate(one.rounds, start=1):
        if record.opponent == other.tpn and record.is_played:
            return replace(blank, outcome=Outcome.C1, article="2.1.1", met_in=number)
    if frozenset({one.tpn, other.tpn}) in state.prohibited:
        return replace(blank, outcome=Outcome.PROHIBITED)
    field = Field.of(state)
    mine, theirs = (field.tpns.index(player.tpn) for player in players)
    if not field.may_meet[mine] >> theirs & 1:
        return replace(blank, outcome=Outcome.C3, article="2.1.3", colour=field.colours[mine].preference)
    return None


def _forcing(state: TournamentState, first: TPN, second: TPN) -> TournamentState:
    others = {player.tpn for player in state.players} - {first, second}
    barred = frozenset(frozenset({one, other}) for one in (first, second) for other in others)
    return replace(state, prohibited=state.prohibited | barred)


def _first_difference(blank: WhyNot, steps: Sequence[Step], forced: Sequence[Step]) -> WhyNot:
    """Where the two rounds part, from the top.

    What is legal with the two made to meet is legal without, at the same value: so the first bracket that differs is
    no better, and either a criterion is worse or the candidate comes later.
    """
    for place, (step, other) in enumerate(zip(steps, forced, strict=True)):
        values, forced_values = (step_values(one[place], _at(one, place + 1)) for one in (steps, forced))
        here = replace(blank, bracket=place + 1, score=step.bracket.resident_score)
        for name in NAMES:
            if values[name] != forced_values[name]:
                return _worse(here, name, values[name], forced_values[name])
        order = _order(step, other)
        if order is not None:
            return replace(here, outcome=Outcome.LATER, order=order, article=order.article)
    raise InvariantError("two players who do not meet were made to, and nothing changed")


def _at(steps: Sequence[Step], place: int) -> Step | None:
    return steps[place] if place < len(steps) else None


def _worse(here: WhyNot, name: str, value: Value, forced: Value) -> WhyNot:
    if forced < value:
        raise InvariantError(f"[{name}] became better when two players were made to meet")
    return replace(here, worse=name, article=ARTICLES[name], measure=measure_of(name), value=value, forced=forced)


def _order(step: Step, other: Step) -> Order | None:
    """By which rule of Article 4 the candidate of *other* is generated later; None if it is the same one."""
    mdps = mdp_pairing(step.bracket, step.pairing), mdp_pairing(other.bracket, other.pairing)
    if mdps[0] != mdps[1]:
        return _mdp_order(*mdps)
    mine, theirs = subgroups(step.bracket, step.pairing), subgroups(other.bracket, other.pairing)
    if mine.s1 != theirs.s1:
        return Order.EXCHANGE
    return Order.TRANSPOSITION if mine.s2[: len(mine.s1)] != theirs.s2[: len(mine.s1)] else None


def _mdp_order(mine: MdpPairing | None, theirs: MdpPairing | None) -> Order:
    if mine is None or theirs is None or mine.s1 != theirs.s1:
        return Order.MDP_SET
    return Order.MDP_TRANSPOSITION
