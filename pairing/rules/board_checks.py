"""Check boards paired by hand for the arbiter: rules, colours, floats [C.04.1/2026]."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pairing.engine.basics.history import histories
from pairing.engine.due_colours import due_colours
from pairing.engine.model import TPN, Colour, TournamentState
from pairing.engine.systems import games_a_round

from .manual import Caution, cautions
from .published import Arrangement


@dataclass(frozen=True, slots=True)
class FloatOf:
    """A float between two scores: ``down`` has ``difference`` tenths more than ``up``.

    ``again`` are those of the two who floated the same way in the previous round.
    """

    down: TPN
    up: TPN
    difference: int
    again: tuple[TPN, ...] = ()


@dataclass(frozen=True, slots=True)
class BoardCheck:
    """What to know about one board, or about the bye (``board`` None).

    ``cautions`` are broken rules; ``refused`` are the players whose colour preference is not
    granted, without those that a caution names; ``is_engines`` is None if the engine's pairing is
    not on record.
    """

    board: int | None
    players: tuple[TPN, ...]
    cautions: tuple[Caution, ...] = ()
    refused: tuple[tuple[TPN, Colour], ...] = ()
    float_of: FloatOf | None = None
    is_engines: bool | None = None

    @property
    def is_fine(self) -> bool:
        """Return whether the only remark is that it differs from the engine's board."""
        return not (self.cautions or self.refused or self.float_of)


def board_checks(
    state: TournamentState,
    after: Arrangement,
    boards: Collection[int],
    *,
    engine: Collection[tuple[TPN, TPN]] | None = None,
) -> dict[int | None, BoardCheck]:
    """Return the check of each of *boards*, and under None that of the bye if it breaks a rule.

    *engine* are the engine's pairs (White, Black); None if they are not on record. Cost: one look
    at each round.
    """
    found: defaultdict[int | None, list[Caution]] = defaultdict(list)
    due = due_colours(state, after.everybody)
    for caution in cautions(state, after, due):
        found[caution.board].append(caution)
    floated = _floats_of_last_round(state)
    checks: dict[int | None, BoardCheck] = {}
    for board in sorted(boards):
        if board not in after.boards:
            continue
        white, black = after.boards[board]
        broken = tuple(found[board])
        named = {
            tpn for caution in broken if caution.code != "met_before" for tpn in caution.players
        }
        refused = tuple(
            (tpn, colour.opposite)
            for tpn, colour in ((white, Colour.WHITE), (black, Colour.BLACK))
            if (record := due.records.get(tpn)) is not None and record.preference is colour.opposite
            if tpn not in named
        )
        is_engines = None if engine is None else (white, black) in engine
        checks[board] = BoardCheck(
            board,
            (white, black),
            broken,
            refused,
            _float(white, black, due.scores, floated),
            is_engines,
        )
    if found[None]:
        checks[None] = BoardCheck(None, tuple(found[None][0].players), tuple(found[None]))
    return checks


def _float(
    one: TPN, other: TPN, scores: Mapping[TPN, int], floated: Mapping[TPN, str]
) -> FloatOf | None:
    if scores[one] == scores[other]:
        return None
    down, up = (one, other) if scores[one] > scores[other] else (other, one)
    again = tuple(tpn for tpn, way in ((down, "down"), (up, "up")) if floated.get(tpn) == way)
    return FloatOf(down, up, scores[down] - scores[up], again)


def _floats_of_last_round(state: TournamentState) -> dict[TPN, str]:
    """Return ``down`` or ``up`` for who floated in the last round [C.04.3/2026 1.4.2]."""
    last = state.round_number - 1
    if last < 1 or games_a_round(state.system) > 1:
        return {}
    read = histories(state)
    scores = {
        player.tpn: read[player.tpn].score_before_last + player.virtual_points_in(last)
        for player in state.players
    }
    ways: dict[TPN, str] = {}
    for player in state.players:
        record = player.rounds[last - 1]
        if (
            record.is_played
            and record.opponent is not None
            and scores[player.tpn] != scores[record.opponent]
        ):
            ways[player.tpn] = "down" if scores[player.tpn] > scores[record.opponent] else "up"
    return ways
