"""Compare our tie-breaks with those of two other programs on the corpus;
docs/rules explains the differences.

The programs are in the dependency group ``peers``. If they are not installed, these tests are
skipped with a message. gacrux computes one tie-break at a time here, because after a Fore Buchholz
it uses that crosstable for the next codes.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from pairing.engine.model import TPN, Player, PointSystem, Result
from pairing.standings.codes import codes_unknown_to
from pairing.standings.crosstable import crosstable
from pairing.standings.definition import TieBreakCode
from pairing.standings.editions import EDITIONS
from pairing.standings.points import points_of
from pairing.standings.ranking import Rules, Standings, standings
from pairing.standings.values import Value
from pairing.trf.crosstable import crosstable_players, ratings
from pairing.trf.document import TrfDocument
from pairing.trf.reader import read
from pairing.trf.scoring import point_system
from tests.plugins.shared import HAS_SHARED, SHARED, shared_params

needs_gacrux = pytest.mark.skipif(
    find_spec("gacrux") is None, reason="gacrux is not installed (group 'peers')"
)
needs_tiebreak_core = pytest.mark.skipif(
    find_spec("tiebreak_core") is None, reason="tiebreak-core is not installed (group 'peers')"
)

CODES = (  # noqa: SIM905
    "BH BH/C1 BH/C2 BH/M1 BH/M2 BH/P BH/C1/P FB FB/C1 FB/C2 FB/M1 FB/P AOB AOB/F SB SB/C1 SB/C2 "
    "SB/P SB/C1/P WIN WON "
    "BPG BWG PS PS/C1 PS/C2 REP STD ARO ARO/C1 ARO/C2 ARO/M1 ARO/M2 TPR PTP APRO APPO RTNG TPN"
).split()
LISTS = ("BH/C1,BH,SB,DE,WIN", "DE,WIN,BH", "DE/P,SB", "WIN,DE,PS")
EDITION_OF = {"2026": "fide-2026", "2017": "fide-2024"}
KINDS = {
    Result.FORFEIT_WIN: "forfeit_win",
    Result.FORFEIT_LOSS: "forfeit_loss",
    Result.PAIRING_ALLOCATED_BYE: "pairing_bye",
    Result.FULL_POINT_BYE: "pairing_bye",
    Result.HALF_POINT_BYE: "requested_bye",
    Result.ZERO_POINT_BYE: "requested_bye",
}
# The names of tiebreak-core. For the text of 2024 it only has the first lines.
CORE = {
    "BH": "buchholz", "BH/C1": "buchholz_cut1", "BH/C2": "buchholz_cut2", "BH/M1": "median_buchholz",
    "BH/M2": "median_buchholz_2", "SB": "sonneborn_berger", "SB/C1": "sonneborn_berger_cut1", "PS": "progressive",
    "PS/C1": "progressive_cut1", "WIN": "wins", "WON": "won", "BPG": "games_black", "BWG": "wins_black",
    "REP": "rounds_elected", "ARO": "aro", "ARO/C1": "aro_cut1", "AOB": "aob", "FB": "fore_buchholz", "KS": "koya",
    "TPR": "tpr", "PTP": "ptp", "APRO": "apro", "APPO": "appo",
}  # fmt: skip
CORE_2026 = {
    **CORE, "SB/C2": "sonneborn_berger_cut2", "STD": "std", "ARO/C2": "aro_cut2", "ARO/M1": "aro_median1",
    "ARO/M2": "aro_median2", "AOB/F": "aob_fb", "FB/C1": "fore_buchholz_cut1", "FB/C2": "fore_buchholz_cut2",
    "FB/M1": "fore_median1", "FB/M2": "fore_median2",
}  # fmt: skip


def sample(every: int) -> list[object]:
    everything = [*shared_params("corpus/2026/*.trf"), *shared_params("corpus/2017/*.trf")]
    return everything[::every] if HAS_SHARED else everything


def files() -> list[Path]:
    return sorted((SHARED / "corpus").glob("20*/*.trf"))


class Event:
    """One file of the corpus, under the edition of its folder."""

    def __init__(self, path: Path) -> None:
        self.text = path.read_text()
        self.edition = EDITIONS[EDITION_OF[path.parent.name]]
        self.document: TrfDocument = read(self.text)
        self.players: tuple[Player, ...] = crosstable_players(self.document)
        self.system: PointSystem = point_system(self.document)
        self.ratings = ratings(self.document)

    @property
    def codes(self) -> list[str]:
        unknown = codes_unknown_to(self.edition)
        return [
            code for code in CODES if code not in unknown and code.partition("/")[0] not in unknown
        ]

    def ranked(self, codes: str | list[str]) -> Standings:
        return standings(
            self.players,
            self.system,
            Rules.from_codes(codes, self.edition.code),
            ratings=self.ratings,
        )

    def values(self, codes: list[str]) -> Iterator[tuple[TieBreakCode, dict[TPN, Fraction | None]]]:
        """Yield each code with the values of all players."""
        table = self.ranked(codes)
        for index, (code, scale) in enumerate(zip(table.codes, table.scales, strict=True)):
            amounts = {line.tpn: line.values[index].amount for line in table.lines}
            yield (
                code,
                {tpn: None if a is None else Fraction(a, scale) for tpn, a in amounts.items()},
            )


class Gacrux:
    """The results of gacrux for one event."""

    def __init__(self, event: Event) -> None:
        reader: Any = importlib.import_module("gacrux.trf2json").trf2json()
        reader.parse_file(event.text, 0)
        self._tournament = reader.get_tournament(1)
        self._version = {"fide-2026": 2, "fide-2024": 1}[event.edition.code]

    def _competitors(self, codes: list[str]) -> list[dict[str, Any]]:
        params = {
            "tiebreak": ["PTS", *codes],
            "check": False,
            "unrated": None,
            "verbose": 0,
            "experimental": [],
        }
        params |= {"number_of_rounds": 0, "pre_determined": False, "swiss": True}
        program = importlib.import_module("gacrux.tiebreak").tiebreak(self._tournament, -1, params)
        # The edition is that of the folder, whatever the date in the file.
        program.find_tmversion = lambda tournament: setattr(program, "rulesversion", self._version)
        found: list[dict[str, Any]] = program.compute_tiebreaks(self._tournament, params)[
            "competitors"
        ]
        return found

    def values(self, code: str) -> dict[int, Fraction | None]:
        scores = {line["cid"]: line["tiebreakScore"][1] for line in self._competitors([code])}
        return {
            tpn: None if score is None else Fraction(str(score)) for tpn, score in scores.items()
        }

    def ranks(self, codes: str) -> dict[int, int]:
        return {line["cid"]: line["rank"] for line in self._competitors(codes.split(","))}


def compare_with_gacrux(path: Path) -> None:
    event = Event(path)
    gacrux = Gacrux(event)
    for code, ours in event.values(event.codes):
        theirs = gacrux.values(str(code))
        if code.tie_break.value == "AOB":  # T6: gacrux rounds by the number of rounds.
            digits = 2 if len(event.players[0].rounds) < 9 else 3
            half = Fraction(1, 2 * 10**digits)
            assert ours.keys() == theirs.keys()
            near = {tpn: _near(ours[tpn], theirs[tpn], half) for tpn in ours}
            assert all(near.values()), (path.name, str(code), ours, theirs)
        else:
            assert ours == theirs, (path.name, str(code))
    for codes in LISTS:
        ours_ranked = {line.tpn: line.rank for line in event.ranked(codes).lines}
        assert ours_ranked == gacrux.ranks(codes), (path.name, codes)
    for code, ours in event.values(["KS", "KS/L+1", "KS/L-2"]):
        assert _with_forfeits(event, code, ours) == gacrux.values(str(code)), (path.name, str(code))


def _near(ours: Fraction | None, theirs: Fraction | None, half: Fraction) -> bool:
    return ours == theirs or (
        ours is not None and theirs is not None and abs(ours - theirs) <= half
    )


def _with_forfeits(
    event: Event, code: TieBreakCode, ours: dict[TPN, Fraction | None]
) -> dict[TPN, Fraction]:
    """Return our values with forfeited games counted in the Koya system, as gacrux does (T5)."""
    table = crosstable(event.players, event.system, event.edition)
    twice_the_limit = event.system.win * table.rounds + 10 * code.limit
    counted = {}
    for tpn, row in table.rows.items():
        forfeits = [
            points_of(record, event.system)
            for record in row.rounds
            if record.opponent is not None
            and not record.is_played
            and 2 * table.rows[record.opponent].score >= twice_the_limit
        ]
        counted[tpn] = (ours[tpn] or Fraction(0)) + Fraction(sum(forfeits), 10)
    return counted


def core_players(event: Event) -> dict[int, Any]:
    """Return the event in the form that tiebreak-core needs."""
    models: Any = importlib.import_module("tiebreak_core")
    players = {}
    for player in event.players:
        games = [
            models.GameRecord(
                opponent_id=-1 if record.opponent is None else record.opponent,
                opponent_rating=event.ratings[record.opponent]
                if record.opponent is not None
                else 0,
                score=points_of(record, event.system) / 10,
                color="black"
                if record.colour is not None and record.colour.letter == "b"
                else "white",
                round_number=number,
                kind=KINDS.get(record.result, "played"),
            )
            for number, record in enumerate(player.rounds, 1)
        ]
        total = sum(game.score for game in games)
        players[player.tpn] = models.PlayerTiebreakData(
            player.tpn, event.ratings[player.tpn], total, games
        )
    return players


def compare_with_tiebreak_core(path: Path) -> bool:
    """Compare the values; return False for an event with points other than 1, ½ and 0,
    which it does not support.
    """
    event = Event(path)
    if event.system.win != 10 or len(event.players) > 40:
        return False
    core: Any = importlib.import_module("tiebreak_core")
    players = core_players(event)
    ids = CORE_2026 if event.edition.code == "fide-2026" else CORE
    rounds = len(event.players[0].rounds)
    theirs = {
        tpn: core.calculate_all_strict(
            player, players, list(ids.values()), rounds, ruleset=event.edition.code
        )
        for tpn, player in players.items()
    }
    table = event.ranked(list(ids))
    missed: set[TPN | None] = set()
    averaged: list[list[TPN | None]] = []
    forfeit_at_the_end = any(
        player.rounds[-1].opponent is not None and not player.rounds[-1].is_played
        for player in event.players
    )
    for line in table.lines:
        for code, scale, value in zip(table.codes, table.scales, line.values, strict=True):
            if (forfeit_at_the_end and str(code).startswith(("FB", "AOB/F"))) or _adjudicated(
                code, value
            ):
                continue
            # A player without games has no average; tiebreak-core gives 0.
            ours = Fraction(value.amount or 0, scale)
            found = Fraction(theirs[line.tpn][ids[str(code)]]).limit_denominator(10_000)
            if ours != found and str(code) == "PTP":
                assert _is_reached_exactly(value), (path.name, line.tpn)
                assert ours < found, (path.name, line.tpn)
                missed.add(line.tpn)
            elif ours != found and str(code) == "APPO":
                averaged.append([part.opponent for part in value.parts])
            else:
                assert ours == found, (path.name, str(code), line.tpn)
    assert all(missed.intersection(opponents) for opponents in averaged), path.name
    return True


def _adjudicated(code: TieBreakCode, value: Value) -> bool:
    """Return whether docs/rules explains it: fewer rounds than cuts (T3),
    or equal voluntary rounds (T2).
    """
    if code.cut_least and len(value.parts) <= code.cut_least + code.cut_most:
        return True
    voluntary = [part.amount for part in value.parts if part.is_voluntary]
    return str(code) == "SB/C2" and len(set(voluntary)) < len(voluntary)


def _is_reached_exactly(value: Value) -> bool:
    """Return whether the expected scores are half points exactly,
    where rounding errors make their sums too small.
    """
    return sum(part.amount for part in value.parts) % 50 == 0


@needs_gacrux
@pytest.mark.parametrize("path", sample(90))
def test_a_sample_agrees_with_gacrux(path: Path) -> None:
    compare_with_gacrux(path)


@needs_tiebreak_core
@pytest.mark.parametrize("path", sample(90))
def test_a_sample_agrees_with_tiebreak_core(path: Path) -> None:
    compare_with_tiebreak_core(path)


@needs_gacrux
@pytest.mark.slow
def test_the_corpus_agrees_with_gacrux(shared: Path) -> None:
    assert len(files()) == 684
    for path in files():
        compare_with_gacrux(path)


@needs_tiebreak_core
@pytest.mark.slow
def test_the_corpus_agrees_with_tiebreak_core(shared: Path) -> None:
    assert sum(compare_with_tiebreak_core(path) for path in files()) == 492
