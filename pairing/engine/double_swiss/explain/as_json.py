"""Explanations of matches as JSON: the names of ``explanation``, points in points, players by TPN.

Values of criteria: a number for a count, a list of points for [C5], null where the criterion does
not apply.
"""

from __future__ import annotations

from typing import Any

from pairing.engine.model import Pairing

from .explanation import (
    ARTICLES,
    MatchBracketExplanation,
    MatchByeExplanation,
    MatchPairExplanation,
    MatchRoundExplanation,
    MatchSide,
    MatchWhyNot,
    Value,
)

Json = dict[str, Any]


def match_round_as_json(explained: MatchRoundExplanation) -> Json:
    """The whole explanation of a round."""
    return {
        "round": explained.round_number,
        **_pairing(explained.pairing),
        "brackets": [_bracket(one) for one in explained.brackets],
        "boards": [_board(one) for one in explained.boards],
        "bye_explained": None if explained.bye is None else _bye(explained.bye),
    }


def match_why_not_as_json(found: MatchWhyNot) -> Json:
    """Write why two players do not meet; fields that do not apply to the outcome are null."""
    worse = found.worse
    return {
        "first": found.first,
        "second": found.second,
        "outcome": found.outcome.value,
        "absent": list(found.absent),
        "met_in": found.met_in,
        "bye": found.bye,
        "bracket": found.bracket,
        "score": None if found.score is None else found.score / 10,
        "worse": worse,
        "article": None if worse is None else ARTICLES[worse],
        "value": None if worse is None else _value(worse, found.value),
        "forced": None if worse is None else _value(worse, found.forced),
        "instead": None if found.instead is None else _pairing(found.instead),
    }


def _pairing(pairing: Pairing) -> Json:
    return {"pairs": [list(pair) for pair in pairing.pairs], "bye": pairing.bye}


def _bracket(one: MatchBracketExplanation) -> Json:
    return {
        "number": one.number,
        "score": one.score / 10,
        "residents": list(one.residents),
        "upfloaters": [
            {"tpn": player.tpn, "score": player.score / 10} for player in one.upfloaters
        ],
        "pairs": [list(pair) for pair in one.pairs],
        "identifier": list(one.identifier),
        "criteria": [
            {"name": name, "article": ARTICLES[name], "value": _value(name, value)}
            for name, value in one.values
        ],
    }


def _value(name: str, value: Value) -> Any:
    if name == "C5":
        return [item / 10 for item in value]
    return value[0] if value else None


def _board(one: MatchPairExplanation) -> Json:
    return {
        "board": one.board,
        "bracket": one.bracket,
        "white": _side(one.white),
        "black": _side(one.black),
        "higher": one.higher,
        "rule": one.rule.value,
        "is_float": one.is_float,
    }


def _side(side: MatchSide) -> Json:
    return {"tpn": side.tpn, "score": side.score / 10, "colours": side.colours}


def _bye(one: MatchByeExplanation) -> Json:
    return {
        "tpn": one.tpn,
        "score": one.score / 10,
        "matches": one.matches,
        "barred": list(one.barred),
        "needed": list(one.needed),
    }
