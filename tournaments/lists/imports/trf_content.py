"""Keep the preview of a TRF file as JSON, for the page that shows it later."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, fields
from datetime import date
from typing import Any, Final

from pairing.trf.editions import RulesUsed
from tournaments.lists.imports.trf_tournament import TrfPlayer, TrfPreview
from tournaments.reports.recheck import ReadBoard, ReadRound

_AS_THEY_ARE: Final = (
    "name", "city", "federation", "accelerated", "total_rounds", "rounds_played", "boards_open", "left_fide_mode",
    "leaves_fide_mode",
)  # fmt: skip


def content_of(preview: TrfPreview) -> dict[str, Any]:
    """Return *preview* for JSON; its warnings as sentences in the language that is active."""
    return {
        **{name: getattr(preview, name) for name in (*_AS_THEY_ARE, "rounds_compared")},
        "start_date": preview.start_date and preview.start_date.isoformat(),
        "end_date": preview.end_date and preview.end_date.isoformat(),
        "system": _rules(preview.system),
        "tie_break_edition": _rules(preview.tie_break_edition),
        "players": [astuple(player) for player in preview.players],
        "warnings": [str(warning) for warning in preview.warnings],
        "differences": [astuple(found) for found in preview.differences],
    }


def preview_of(content: Mapping[str, Any]) -> TrfPreview:
    """Return the preview of which :func:`content_of` has made *content*."""
    start, end = content["start_date"], content["end_date"]
    return TrfPreview(
        **{name: content[name] for name in (*_AS_THEY_ARE, "rounds_compared")},
        start_date=date.fromisoformat(start) if start else None,
        end_date=date.fromisoformat(end) if end else None,
        system=RulesUsed(**content["system"]),
        tie_break_edition=RulesUsed(**content["tie_break_edition"]),
        players=tuple(TrfPlayer(*player) for player in content["players"]),
        warnings=tuple(content["warnings"]),
        differences=tuple(_round(*found) for found in content["differences"]),
    )


def _rules(used: RulesUsed) -> dict[str, Any]:
    values = {field.name: getattr(used, field.name) for field in fields(used)}
    params = {
        name: value if isinstance(value, int) else str(value) for name, value in used.params.items()
    }
    return {**values, "params": params}


def _round(
    number: int,
    in_file: list[tuple[int | None, str, str]],
    paired_again: list[tuple[int | None, str, str]],
    no_legal_pairing: str,
    remarks: list[str],
) -> ReadRound:
    ours, engine = (tuple(ReadBoard(*board) for board in side) for side in (in_file, paired_again))
    return ReadRound(number, ours, engine, no_legal_pairing, tuple(remarks))
