"""Keep the corrections of a record one by one, as the table of corrections has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pairing.rules.corrections import CorrectionKind

from .chain import Line
from .defaults import CORRECTION, named_values
from .state import Corrected, State, moment


def about(line: Line, kind: CorrectionKind) -> tuple[int, ...]:
    """Return the subject of a correction: an entry, or board and game; 0 for colours of a match."""
    if kind is CorrectionKind.RATING:
        return (line.after["entry"],)
    return (line.after["board"], line.after.get("game", 1) if kind is CorrectionKind.RESULT else 0)


def keep(state: State, line: Line, kind: CorrectionKind, values: Mapping[str, Any]) -> None:
    """Add the correction of *line*; it replaces *values* on the same subject that still wait."""
    for waiting in _waiting(state, line, kind):
        for name in values:
            waiting.before.pop(name, None)
            waiting.after.pop(name, None)
    state.corrections = [
        each
        for each in state.corrections
        if not (each.waiting and not each.after.keys() - {"game"})
    ]
    names = [*values, *(["game"] if "game" in line.after else [])]
    state.corrections.append(
        Corrected(
            kind=kind.value,
            round_number=line.round_number or 0,
            about=about(line, kind),
            reported_at=moment(line.after["reported"]) or "",
            entered_at=moment(line.after["entered"]) or "",
            effect=line.after["effect"],
            waiting=line.after["waiting"],
            before={name: line.before[name] for name in names},
            after={name: line.after[name] for name in names},
            reason=line.reason,
            values=named_values(CORRECTION, line.after),
        )
    )


def done(state: State, line: Line, kind: CorrectionKind, values: Mapping[str, Any]) -> None:
    """Mark the correction with *values* as no longer waiting."""
    for waiting in _waiting(state, line, kind):
        if values.items() <= waiting.after.items():
            waiting.waiting = False
            return


def swap_colours(state: State, line: Line) -> None:
    """Turn the waiting results of the board of *line*, whose colours were exchanged."""
    for each in state.corrections:
        is_result = each.waiting and each.kind == CorrectionKind.RESULT.value
        if is_result and (each.round_number, each.about[0]) == (
            line.round_number,
            line.after["board"],
        ):
            each.before["result"] = each.before["result"][::-1]
            each.after["result"] = each.after["result"][::-1]


def _waiting(state: State, line: Line, kind: CorrectionKind) -> list[Corrected]:
    """Return the waiting corrections of the same subject; a rating belongs to no round."""
    subject, number = about(line, kind), line.round_number
    return [
        each
        for each in state.corrections
        if each.waiting
        and (each.kind, each.about) == (kind.value, subject)
        and (kind is CorrectionKind.RATING or each.round_number == number)
    ]
