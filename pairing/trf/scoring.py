"""Read the point system of a report from records 162, BB? and XXS."""

from __future__ import annotations

from dataclasses import asdict

from pairing.engine.errors import text as _
from pairing.engine.model import Points, PointSystem

from .abnormal import changed_values
from .document import PointValues, TrfDocument
from .errors import TrfError
from .fields import EXTENSION_POINTS, POINT_SYMBOLS, XXS_CODES

_POINTS_BY_COLOUR = {
    "win": _(
        "XXS gives White and Black different points for a win; no system of this program pairs "
        "with such points."
    ),
    "draw": _(
        "XXS gives White and Black different points for a draw; no system of this program pairs "
        "with such points."
    ),
    "loss": _(
        "XXS gives White and Black different points for a loss; no system of this program pairs "
        "with such points."
    ),
}
_BY_COLOUR = tuple(_POINTS_BY_COLOUR)


def point_system(document: TrfDocument) -> PointSystem:
    """Return the point system of *document*; by default 1, ½, 0 and a point for the PAB.

    Later records override earlier ones, and 162 overrides the extension records. In 162 and BB? the
    allocated bye is worth a win and an unknown result a draw unless they are given; in XXS the
    allocated bye remains one point. A record 299 for all players and rounds overrides them all. In
    a document by matches these are the points of games, and byes are worth a match
    (:meth:`PointSystem.for_matches`). Raise ``trf.points_by_colour`` if XXS gives White and Black
    different points.
    """
    records = document.of(PointValues)
    values = _xxs_values(records)
    for colourless in _BY_COLOUR:
        if values.get(f"white_{colourless}") != values.get(f"black_{colourless}"):
            record = next(record for record in records if record.code == "XXS")
            raise TrfError(
                "trf.points_by_colour",
                _POINTS_BY_COLOUR[colourless],
                line=document.line_of(record),
                column=5,
            )
        if f"white_{colourless}" in values:
            values[colourless] = values[f"white_{colourless}"]
    with_codes = [record for record in records if record.code != "XXS"]
    for record in sorted(with_codes, key=lambda record: record.code == "162"):
        for symbol, points in record.values:
            names = POINT_SYMBOLS[symbol] if record.code == "162" else EXTENSION_POINTS[record.code]
            values |= dict.fromkeys(names, points)
    bye = values.get("pairing_allocated_bye")
    if with_codes and "win" in values:
        values.setdefault("pairing_allocated_bye", values["win"])
    if "draw" in values:
        values.setdefault("unknown", values["draw"])
    values |= changed_values(document)
    standard = asdict(PointSystem())
    system = PointSystem(
        **{name: Points(values.get(name, default)) for name, default in standard.items()}
    )
    return system if document.games == 1 else system.for_matches(bye)


def is_colour_dependent(document: TrfDocument) -> bool:
    """Return whether XXS gives White and Black different points."""
    values = _xxs_values(document.of(PointValues))
    return any(values.get(f"white_{name}") != values.get(f"black_{name}") for name in _BY_COLOUR)


def _xxs_values(records: tuple[PointValues, ...]) -> dict[str, Points]:
    standard = {"win": Points(10), "draw": Points(5), "loss": Points(0)}
    xxs = [record for record in records if record.code == "XXS"]
    values: dict[str, Points] = {}
    if xxs:
        values = {
            f"{colour}_{name}": points
            for colour in ("white", "black")
            for name, points in standard.items()
        }
    for record in xxs:
        for code, points in record.values:
            values |= dict.fromkeys(XXS_CODES[code], points)
    return values


def point_values(system: PointSystem, *, games: int = 1) -> PointValues | None:
    """Return the 162 record of *system*; None for 1, ½, 0 and a point for the PAB.

    With two *games* per round it contains the points of a game, and the allocated bye if that is
    not a win and a draw. It leaves out what 162 cannot express (a forfeit win worth less than a
    win). :func:`point_system` reads back the same system for all systems that
    :meth:`PointSystem.from_values` can make.
    """
    if system == (PointSystem() if games == 1 else PointSystem().for_matches()):
        return None
    values = [("W", system.win), ("D", system.draw), ("L", system.loss)]
    if system.zero_point_bye:
        values.append(("A", Points(system.zero_point_bye // games)))
    if system.pairing_allocated_bye != (system.win if games == 1 else system.win + system.draw):
        values.append(("P", system.pairing_allocated_bye))
    if system.unknown != system.draw:
        values.append(("X", system.unknown))
    return PointValues("162", tuple(values))
