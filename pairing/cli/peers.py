"""Other installed pairing programs, used only for comparison."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from pairing.engine.model import TPN, Pairing

PairOnce = Callable[[], Pairing]


@dataclass(frozen=True, slots=True)
class Peer:
    """A pairing program. ``prepare(text, round_number)`` reads a report
    and returns a function that pairs it once.

    Like our own pairing, that function derives everything from the players' histories, but does not
    read the text.
    """

    name: str
    version: str
    prepare: Callable[[str, int], PairOnce]


def installed_peers() -> tuple[Peer, ...]:
    """Return the peers installed in this Python."""
    if importlib.util.find_spec("gacrux") is None:
        return ()
    return (Peer("gacrux", version("gacrux"), _gacrux),)


def _gacrux(text: str, round_number: int) -> PairOnce:
    reader: Any = importlib.import_module("gacrux.trf2json").trf2json()
    engine: Any = importlib.import_module("gacrux.pairingdutch").pairing_dutch
    reader.parse_file(text, 0)
    if reader.get_status():
        raise RuntimeError(f"gacrux cannot read the report: {reader.chessjson['status']}")
    tournament = reader.get_tournament(1)

    def pair_once() -> Pairing:
        brackets = engine(
            tournament, round_number, {"experimental": [], "verbose": 0}
        ).compute_pairing(False)
        boards = [board for bracket in brackets if bracket for board in bracket.get("pairs", [])]
        pairs = [
            (TPN(board["w"]), TPN(board["b"]))
            for board in sorted(boards, key=lambda board: board["board"])
        ]
        byes = [white for white, black in pairs if not black]
        return Pairing(tuple(board for board in pairs if board[1]), byes[0] if byes else None)

    return pair_once
