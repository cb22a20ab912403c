"""Explain why two players do not meet: pair the round with the two forced to, and compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pairing.engine.basics.validation import two_players, validate
from pairing.engine.dutch.field import Field
from pairing.engine.errors import InvariantError, NoLegalPairingError
from pairing.engine.model import TPN, Player, TournamentState

from .editions import Edition, edition_of
from .explanation import MdpPairing, Order, Outcome, Value, WhyNot
from .shape import mdp_pairing, subgroups
from .steps import Step, number_of_each, recorded_round


def why_not(state: TournamentState, first: TPN, second: TPN) -> WhyNot:
    """Return the reason why *first* and *second* do not meet in the round of *state*,
    or the cost of pairing them.

    An absolute criterion is checked first, then whether the round can be completed, then the first
    criterion that gets worse, bracket by bracket from the top. Two players are forced to meet by
    prohibiting all their other pairs.

    Raises :class:`InputError` for a state that contradicts itself, an unknown player or the same
    player twice, and :class:`NoLegalPairingError` if the round has no pairing at all.
    """
    validate(state)
    players = two_players(state, first, second)
    edition = edition_of(state)
    found = _forbidden(state, players, edition)
    if found is not None:
        return found
    pairing, steps = recorded_round(state)
    if any({first, second} == set(pair) for pair in pairing.pairs):
        return WhyNot(first, second, Outcome.PAIRED, instead=pairing, system=state.system)
    try:
        forced, forced_steps = recorded_round(_forcing(state, first, second))
    except NoLegalPairingError:
        return WhyNot(first, second, Outcome.C4, article=edition.incomplete, system=state.system)
    blank = WhyNot(first, second, Outcome.WORSE, instead=forced, system=state.system)
    return _first_difference(blank, steps, forced_steps, edition)


def _forbidden(
    state: TournamentState, players: tuple[Player, Player], edition: Edition
) -> WhyNot | None:
    """Return the absolute criterion that keeps the two apart, if one does [C.04.3/2026 2.1]."""
    one, other = players
    blank = WhyNot(one.tpn, other.tpn, Outcome.ABSENT, system=state.system)
    absent = tuple(player.tpn for player in players if player.tpn in state.absent)
    if absent:
        return replace(blank, absent=absent)
    for number, record in enumerate(one.rounds, start=1):
        if record.opponent == other.tpn and record.is_played:
            return replace(blank, outcome=Outcome.C1, article=edition.met, met_in=number)
    if frozenset({one.tpn, other.tpn}) in state.prohibited:
        return replace(blank, outcome=Outcome.PROHIBITED)
    field = Field.from_state(state, edition.records)
    mine, theirs = (field.tpns.index(player.tpn) for player in players)
    if not field.may_meet[mine] >> theirs & 1:
        return replace(
            blank,
            outcome=Outcome.C3,
            article=edition.same_colour,
            colour=field.colours[mine].preference,
        )
    return None


def _forcing(state: TournamentState, first: TPN, second: TPN) -> TournamentState:
    others = {player.tpn for player in state.players} - {first, second}
    barred = frozenset(frozenset({one, other}) for one in (first, second) for other in others)
    return replace(state, prohibited=state.prohibited | barred)


def _first_difference(
    blank: WhyNot, steps: Sequence[Step], forced: Sequence[Step], edition: Edition
) -> WhyNot:
    """Find the first difference between the two rounds, from the top.

    A pairing that is legal when the two must meet is also legal otherwise, with the same values. So
    the first bracket that differs is not better: either a criterion is worse, or the candidate
    comes later. By the rules of 2017 a bracket can also be as good but leave players who cannot be
    paired [C.04.3/2017 A.9]; its first pairing, without [C.4], is compared.
    """
    numbers = number_of_each(steps)
    for place, (step, other) in enumerate(zip(steps, forced, strict=False)):
        if step.place is not other.place:
            before = steps[place - 1].bracket
            return replace(
                blank,
                outcome=Outcome.COLLAPSED,
                article=edition.incomplete,
                bracket=numbers[place - 1],
                score=before.resident_score,
            )
        values, forced_values = (edition.values(one, place) for one in (steps, forced))
        here = replace(blank, bracket=numbers[place], score=step.bracket.resident_score)
        for name in edition.names:
            if values[name] != forced_values[name]:
                return _worse(here, name, values[name], forced_values[name], edition)
        order = _order(step, other)
        if order is not None:
            return replace(here, outcome=Outcome.LATER, order=order, article=edition.order[order])
    raise InvariantError("two players who do not meet were made to, and nothing changed")


def _worse(here: WhyNot, name: str, value: Value, forced: Value, edition: Edition) -> WhyNot:
    if forced < value:
        raise InvariantError(f"[{name}] became better when two players were made to meet")
    measure, article = edition.measure_of(name), edition.articles[name]
    return replace(here, worse=name, article=article, measure=measure, value=value, forced=forced)


def _order(step: Step, other: Step) -> Order | None:
    """Return the rule of Article 4 that puts *other*'s candidate later; None if it is the same."""
    mdps = mdp_pairing(step), mdp_pairing(other)
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
