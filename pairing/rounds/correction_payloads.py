"""What the record keeps of a correction (:mod:`pairing.rounds.corrections`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from pairing.rules.corrections import CorrectionKind
from tournaments.models import Correction
from tournaments.models.payload_round_data import (
    Applied,
    AppliedColours,
    AppliedRatings,
    AppliedResult,
    Effect,
)
from tournaments.models.payloads import ColoursCorrected, RatingCorrected, ResultCorrected


def corrected(
    correction: Correction, before: Mapping[str, Any], after: Mapping[str, Any], decided: Effect
) -> ResultCorrected | ColoursCorrected | RatingCorrected:
    """Return the correction with its effect, for the record."""
    match CorrectionKind(correction.kind):
        case CorrectionKind.RESULT:
            result = _result_values(correction, after)
            return ResultCorrected(
                before=_result_values(correction, before), after={**result, **decided}
            )
        case CorrectionKind.COLOURS:
            colours = _colours_values(correction, after)
            return ColoursCorrected(
                before=_colours_values(correction, before), after={**colours, **decided}
            )
        case CorrectionKind.RATING:
            ratings = _ratings_values(correction, after)
            return RatingCorrected(
                before=_ratings_values(correction, before), after={**ratings, **decided}
            )


def applied_values(correction: Correction, values: Mapping[str, Any]) -> Applied:
    """Return *values* with their board or player, for the record."""
    match CorrectionKind(correction.kind):
        case CorrectionKind.RESULT:
            return _result_values(correction, values)
        case CorrectionKind.COLOURS:
            return _colours_values(correction, values)
        case CorrectionKind.RATING:
            return _ratings_values(correction, values)


def _result_values(correction: Correction, values: Mapping[str, Any]) -> AppliedResult:
    assert correction.game is not None
    fields: AppliedResult = {"board": correction.game.board, "result": values["result"]}
    if "game" in values:
        fields["game"] = values["game"]
    return fields


def _colours_values(correction: Correction, values: Mapping[str, Any]) -> AppliedColours:
    assert correction.game is not None
    return {"board": correction.game.board, "white": values["white"], "black": values["black"]}


def _ratings_values(correction: Correction, values: Mapping[str, Any]) -> AppliedRatings:
    """Return *values*, whose names are among :data:`~.corrections.CORRECTED`, with their player."""
    assert correction.entry is not None
    return cast(
        AppliedRatings, {"entry": correction.entry.pk, "name": correction.entry.name, **values}
    )
