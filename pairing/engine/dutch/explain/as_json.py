"""Write explanations as JSON: the names of ``explanation``, scores in points, players by TPN.

The value of a criterion is a number for a count, a list of points for a list, ``{"count",
"scores"}`` for [C8], and null if the criterion does not apply.
"""

from __future__ import annotations

from typing import Any

from pairing.engine.model import Pairing

from .explanation import (
    BracketExplanation,
    BracketPlayer,
    ByeExplanation,
    CriterionValue,
    MdpPairing,
    Measure,
    Outcome,
    PairExplanation,
    RoundExplanation,
    Side,
    Subgroups,
    Value,
    WhyNot,
)

Json = dict[str, Any]


def round_as_json(explained: RoundExplanation) -> Json:
    """The whole explanation of a round."""
    return {
        "round": explained.round_number,
        "system": explained.system,
        **_pairing(explained.pairing),
        "brackets": [bracket_as_json(one) for one in explained.brackets],
        "boards": [board_as_json(one) for one in explained.pairs],
        "bye_explained": None if explained.bye is None else _bye(explained.bye),
    }


def bracket_as_json(one: BracketExplanation) -> Json:
    return {
        "number": one.number,
        "score": one.score / 10,
        "mdps": [_player(seat) for seat in one.mdps],
        "residents": [_player(seat) for seat in one.residents],
        "max_pairs": one.max_pairs,
        "mdp_pairing": None if one.mdp_pairing is None else _mdp_pairing(one.mdp_pairing),
        "subgroups": _subgroups(one.subgroups),
        "pairs": [list(pair) for pair in one.pairs],
        "downfloaters": [seat.tpn for seat in one.downfloaters],
        "criteria": [_criterion(criterion) for criterion in one.criteria],
    }


def board_as_json(one: PairExplanation) -> Json:
    return {
        "board": one.board,
        "bracket": one.bracket,
        "white": _side(one.white),
        "black": _side(one.black),
        "higher": one.higher,
        "colour_article": one.article,
    }


def why_not_as_json(one: WhyNot) -> Json:
    """Write why two players do not meet; fields that do not apply to the outcome are null."""
    measure = one.measure or Measure.COUNT
    is_worse = one.outcome is Outcome.WORSE
    return {
        "players": [one.first, one.second],
        "outcome": one.outcome.value,
        "article": one.article,
        "absent": list(one.absent),
        "met_in": one.met_in,
        "colour": None if one.colour is None else one.colour.value,
        "bracket": one.bracket,
        "score": None if one.score is None else one.score / 10,
        "criterion": one.worse,
        "value": _value(measure, one.value) if is_worse else None,
        "forced": _value(measure, one.forced) if is_worse else None,
        "order": None if one.order is None else one.order.value,
        "instead": None if one.instead is None else _pairing(one.instead),
    }


def _pairing(pairing: Pairing) -> Json:
    return {"pairs": [list(pair) for pair in pairing.pairs], "bye": pairing.bye}


def _bye(one: ByeExplanation) -> Json:
    return {
        "tpn": one.tpn,
        "score": one.score / 10,
        "unplayed": one.unplayed,
        "bracket": one.bracket,
    }


def _player(seat: BracketPlayer) -> Json:
    return {"tpn": seat.tpn, "bsn": seat.bsn, "score": seat.score / 10}


def _mdp_pairing(one: MdpPairing) -> Json:
    return {
        "original_s1": list(one.original_s1),
        "original_limbo": list(one.original_limbo),
        "s1": list(one.s1),
        "limbo": list(one.limbo),
        "s2": list(one.s2),
        "opponents": list(one.opponents),
    }


def _subgroups(one: Subgroups) -> Json:
    return {
        "players": [_player(seat) for seat in one.players],
        "original_s1": list(one.original_s1),
        "original_s2": list(one.original_s2),
        "to_s2": list(one.to_s2),
        "to_s1": list(one.to_s1),
        "s1": list(one.s1),
        "s2": list(one.s2),
    }


def _criterion(one: CriterionValue) -> Json:
    return {
        "name": one.name,
        "article": one.article,
        "value": _value(one.measure, one.value),
        "best_alone": _value(one.measure, one.best_alone),
        "held_by": one.held_by,
    }


def _value(measure: Measure, value: Value) -> Any:
    match measure:
        case Measure.COUNT:
            return value[0] if value else None
        case Measure.POINTS:
            return [item / 10 for item in value]
        case Measure.LOOK_AHEAD:
            return (
                {"count": value[0], "scores": [item / 10 for item in value[1:]]} if value else None
            )


def _side(side: Side) -> Json:
    return {
        "tpn": side.tpn,
        "score": side.score / 10,
        "history": side.history,
        "difference": side.difference,
        "preference": None if side.preference is None else side.preference.value,
        "strength": side.strength.name.lower(),
        "is_topscorer": side.is_topscorer,
        "number": side.number,
        "float": side.received_float.value or None,
    }
