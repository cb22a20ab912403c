"""Two other programs read the files we write: the same points and, by the same edition,
the same next round.

The programs are in the dependency group ``peers``. If they are not installed, these tests are
skipped with a message. Their results are in docs/developer/trf.md.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from pairing.cli.peers import installed_peers
from pairing.engine.event_plan import EventPlan
from pairing.engine.generator import generate
from pairing.engine.model import TPN, Colour, Pairing, PointSystem, Result
from pairing.engine.systems import SYSTEMS, pair
from pairing.trf.convert import state_before_round
from pairing.trf.document import (
    InitialColour,
    PointValues,
    ProhibitedPairs,
    Record,
    RoundCount,
    TrfDocument,
)
from pairing.trf.generated import document_of
from pairing.trf.reader import read
from pairing.trf.rounds import next_round
from pairing.trf.scoring import point_system
from pairing.trf.writer import write

needs_gacrux = pytest.mark.skipif(
    find_spec("gacrux") is None, reason="gacrux is not installed (group 'peers')"
)
needs_py4swiss = pytest.mark.skipif(
    find_spec("py4swiss") is None, reason="py4swiss is not installed (group 'peers')"
)
needs_dutch_2017 = pytest.mark.skipif(
    "dutch_2017" not in SYSTEMS,
    reason="py4swiss pairs by the Dutch System of 2017, which is not a system here",
)

PLANS: dict[str, dict[str, Any]] = {
    "games only": {},
    "byes and forfeits": {"byes": 1_200, "forfeits": 600},
    "late and withdrawn": {"late": 1_500, "withdrawals": 1_500},
    "prohibited pairs (260)": {"prohibitions": 2_000},
    "accelerated (250)": {"accelerated": True},
    "three points (162)": {"points": PointSystem.from_values(win=30, draw=10)},
    "half a point for the bye (162)": {"points": PointSystem.from_values(pairing_allocated_bye=5)},
}
SIZES = range(7, 43, 3)


def events(plan: str) -> Iterator[tuple[TrfDocument, str]]:
    """Return events of 7 to 40 players with three to seven of nine rounds played,
    as documents and as text.
    """
    for seed, players in enumerate(SIZES):
        event = generate(
            EventPlan(players=players, rounds=9, played=3 + seed % 5, **PLANS[plan]),
            random.Random(seed),
        )
        assert not event.ended_early
        yield (document := document_of(event, name=f"{players} players")), write(document)


def points_of(document: TrfDocument) -> dict[int, int]:
    """Return the points (tenths) of all players in the report."""
    return {player.tpn: player.points for player in document.players if player.points is not None}


def ours(document: TrfDocument, system: str = "dutch_2026") -> Pairing:
    return pair(state_before_round(document, next_round(document), system=system))


def seats(pairing: Pairing) -> tuple[frozenset[tuple[TPN, TPN]], TPN | None]:
    return frozenset(pairing.pairs), pairing.bye


# -- gacrux: TRF-2026, the Dutch System of 2026 ----------------------------------------------------


def gacrux_points(text: str) -> dict[int, int]:
    """Return the points as gacrux adds them up, in tenths."""
    reader: Any = importlib.import_module("gacrux.trf2json").trf2json()
    reader.parse_file(text, 0)
    assert not reader.get_status()
    params = {
        "tiebreak": ["PTS"],
        "check": False,
        "unrated": None,
        "verbose": 0,
        "experimental": [],
    }
    params |= {"number_of_rounds": 0, "pre_determined": False, "swiss": True}
    tournament = reader.get_tournament(1)
    program: Any = importlib.import_module("gacrux.tiebreak").tiebreak(tournament, -1, params)
    return {
        line["cid"]: int(10 * line["tiebreakScore"][0])
        for line in program.compute_tiebreaks(tournament, params)["competitors"]
    }


@needs_gacrux
@pytest.mark.parametrize("plan", PLANS)
def test_gacrux_reads_the_same_points(plan: str) -> None:
    for document, text in events(plan):
        assert gacrux_points(text) == points_of(document)


@needs_gacrux
@pytest.mark.parametrize("plan", PLANS)
def test_gacrux_pairs_the_same_next_round(plan: str) -> None:
    (peer,) = [peer for peer in installed_peers() if peer.name == "gacrux"]
    for document, text in events(plan):
        assert seats(peer.prepare(text, next_round(document))()) == seats(ours(document))


# -- py4swiss: TRF16 with the extension records, the Dutch System of 2017 --------------------------


def in_extension_records(document: TrfDocument) -> str:
    """Return *document* written for programs that know TRF16 with XX? records but not TRF-2026."""
    points, records = point_system(document), list[Record](document.records)
    for record in document.records:
        if isinstance(record, RoundCount):
            records.append(RoundCount("XXR", record.rounds))
        elif isinstance(record, InitialColour):
            records.append(InitialColour("XXC", record.colour or Colour.WHITE))
    state = state_before_round(document, next_round(document))
    # py4swiss reads two numbers per record XXP, while the format has no limit.
    records += [
        ProhibitedPairs("XXP", tuple(sorted(pair)))
        for pair in sorted(map(sorted, state.prohibited))
    ]
    values = {
        "W": points.win,
        "D": points.draw,
        "L": points.loss,
        "PAB": points.pairing_allocated_bye,
    }
    values |= {"HPB": points.half_point_bye, "FPB": points.full_point_bye, "FW": points.forfeit_win}
    return write(TrfDocument((*records, PointValues("XXS", tuple(values.items())))))


def py4swiss_report(text: str, folder: Path) -> Any:
    path = folder / "report.trf"
    path.write_text(text, encoding="utf-8")
    return importlib.import_module("py4swiss.trf").TrfParser.parse(path)


@needs_py4swiss
@pytest.mark.parametrize("plan", PLANS)
def test_py4swiss_reads_the_same_points_and_results(plan: str, tmp_path: Path) -> None:
    for document, _ in events(plan):
        report = py4swiss_report(in_extension_records(document), tmp_path)
        found = {section.starting_number: section for section in report.player_sections}
        assert {tpn: section.points_times_ten for tpn, section in found.items()} == points_of(
            document
        )
        for player in document.players:
            results = [(game.id, game.result.value.upper()) for game in found[player.tpn].results]
            expected = [
                (cell.opponent or 0, (cell.result or Result.UNKNOWN).value)
                for cell in player.rounds
                if cell
            ]
            assert results == expected


@needs_py4swiss
@needs_dutch_2017
@pytest.mark.parametrize("plan", [plan for plan in PLANS if "250" not in plan])
def test_py4swiss_pairs_the_same_next_round_by_the_text_of_2017(plan: str, tmp_path: Path) -> None:
    engine: Any = importlib.import_module("py4swiss.engines").DutchEngine
    for document, _ in events(plan):
        boards = engine.generate_pairings(py4swiss_report(in_extension_records(document), tmp_path))
        byes = [
            TPN(board.white or board.black) for board in boards if not (board.white and board.black)
        ]
        pairs = tuple(
            (TPN(board.white), TPN(board.black)) for board in boards if board.white and board.black
        )
        theirs = Pairing(pairs, byes[0] if byes else None)
        assert seats(theirs) == seats(ours(document, "dutch_2017"))


# -- and back --------------------------------------------------------------------------------------


@pytest.mark.parametrize("plan", PLANS)
def test_files_for_other_programs_read_back_here(plan: str) -> None:
    for document, text in events(plan):
        both = read(in_extension_records(document))
        assert ours(both) == ours(read(text)) == ours(document)
