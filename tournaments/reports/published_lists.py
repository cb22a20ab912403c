"""Store pairings, standings and crosstable as they are published."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from pairing.record.chain import digest
from pairing.rounds.round_page import PlayerLine
from tournaments.core import signing
from tournaments.core.actions import OpenAction, Publication
from tournaments.core.chosen_rules import point_system
from tournaments.core.frame import Frame, tournament_frame
from tournaments.models import Action, Decision, PublishedList, Round, Tournament
from tournaments.models.published_list import (
    Listed,
    ListedCell,
    ListedCrosstable,
    ListedPairings,
    ListedPlayer,
    ListedStandings,
)
from tournaments.standings.crosstable import Cell, crosstable
from tournaments.standings.ranked_field import round_for
from tournaments.standings.standings import standings

Kind = PublishedList.Kind

_CORRECTING: Final = frozenset(
    {
        Action.RESULT_CORRECTED,
        Action.COLOURS_CORRECTED,
        Action.RATING_CORRECTED,
        Action.CORRECTION_APPLIED,
        Action.POINTS_ADJUSTED,
        Action.POINTS_WITHDRAWN,
    }
)
_PAIRINGS: Final = _CORRECTING | {Action.PAIRINGS_PUBLISHED, Action.ROUND_CHANGED}
ENDINGS: Final = frozenset({Action.STANDINGS_MADE_FINAL, Action.STANDINGS_REOPENED})
"""Actions that store the standings in any case:
they are another version, even with the same content.
"""
_STANDINGS: Final = (
    _CORRECTING
    | ENDINGS
    | {
        Action.RESULTS_PUBLISHED,
        Action.TIE_BREAKS_CHANGED,
        Action.EQUALS_RANKED,
        Action.LOTS_DRAWN,
        Action.ENTRY_EXPELLED,
        Action.ENTRY_RETURNED,
    }
)


# Store


def store(action: OpenAction) -> None:
    """Store the lists that *action* has published or changed, as visitors read them.

    These are the pairings of the newest published round, and of a round whose published boards
    changed; the standings and the crosstable after the newest published results. A list like the
    last one of its kind and round is not stored again; standings that become final or are reopened
    get a row that refers to it. An action that publishes nothing costs no query; a publication
    costs eight to ten, and the time to compute the list.
    """
    pairings = [line for line in action.lines if line.is_public and _touches(line, _PAIRINGS)]
    standings_ = [line for line in action.lines if line.is_public and _touches(line, _STANDINGS)]
    if not (pairings or standings_):
        return
    # Rows that the action read earlier, such as point adjustments, may be out of date.
    tournament = Tournament.objects.select_related("section__event").get(pk=action.tournament.pk)
    frame, stored = tournament_frame(tournament, runs=False, now=action.now), []
    if pairings:
        rounds = {line.round_number for line in pairings} | {frame.latest_published}
        for tab in frame.published:
            if tab.number in rounds:
                own = [line for line in pairings if line.round_number == tab.number]
                if _store(frame, Kind.PAIRINGS, tab.number, (own or pairings)[-1]):
                    stored.append((Kind.PAIRINGS.value, tab.number))
    if standings_ and frame.latest_results:
        after = frame.latest_results
        kinds = (Kind.STANDINGS, Kind.CROSSTABLE)
        stored += [
            (kind.value, after) for kind in kinds if _store(frame, kind, after, standings_[-1])
        ]
    action.publications.append(Publication(frame, tuple(stored)))


def _touches(line: Decision, actions: frozenset[Action]) -> bool:
    # A public result is that of an adjourned game [C.04.2/2026 3.1].
    action = line.after["action"] if line.action == Action.ACTION_UNDONE else line.action
    return action in actions or (line.action == Action.RESULT_RECORDED and line.is_public)


def _store(frame: Frame, kind: PublishedList.Kind, number: int, line: Decision) -> bool:
    """Store the list unless it is like the last of its kind and round; tell whether stored."""
    before = PublishedList.objects.filter(
        tournament=frame.tournament, kind=kind, round_number=number
    )
    content = list_now(frame, kind, number)
    sha256 = digest(content)
    last = before.defer("content").last()
    is_same = last is not None and last.sha256 == sha256
    if is_same and not (kind == Kind.STANDINGS and line.action in ENDINGS):
        return False
    frame.tournament.lists += 1
    frame.tournament.save(update_fields=["lists"])
    row = PublishedList(
        tournament=frame.tournament,
        number=frame.tournament.lists,
        decision=line,
        kind=kind,
        round_number=number,
        content=None if is_same else cast(Mapping[str, object], content),
        same_as_id=(last.same_as_id or last.pk) if last is not None and is_same else None,
        sha256=sha256,
    )
    row.signature = signing.sign(signed_text(row))
    row.save(force_insert=True)
    return True


def signed_text(row: PublishedList) -> str:
    """Return what a signature covers: number, kind, round and SHA-256 of the list, and its line."""
    return f"{row.number} {row.kind} {row.round_number} {row.sha256} {row.decision.hash}"


# The lists of today


def list_now(frame: Frame, kind: str, number: int) -> Listed:
    """Return the list of today of *kind*: the pairings of round *number*, or the tables after it.

    Visitors must be able to read it; it is the same for every reader. Four queries at most, seven
    with point adjustments.
    """
    match Kind(kind):
        case Kind.PAIRINGS:
            return _pairings(frame, number)
        case Kind.STANDINGS:
            return _standings(frame, number)
        case Kind.CROSSTABLE:
            return _crosstable(frame, number)


def _pairings(frame: Frame, number: int) -> ListedPairings:
    page = round_for(frame, Round.objects.get(tournament=frame.tournament, number=number))
    return {
        "boards": [
            {
                "board": line.board,
                "table": line.table,
                "white": _player(line.white),
                "black": _player(line.black),
            }
            for line in page.boards
        ],
        "byes": [{"player": _player(line.player), "kind": line.kind.value} for line in page.byes],
    }


def _player(line: PlayerLine) -> ListedPlayer:
    return {
        "entry": line.entry_id,
        "number": line.tpn,
        "name": line.name,
        "points": line.points,
        "virtual": line.virtual,
    }


def _standings(frame: Frame, number: int) -> ListedStandings:
    page = standings(frame, after_round=number)
    return {
        # All lines have the same tie-breaks in the same units.
        "columns": [
            {"code": value.code, "scale": value.scale}
            for line in page.lines[:1]
            for value in line.values
        ],
        "players": [
            {
                "rank": line.rank,
                "entry": line.entry_id,
                "number": line.tpn,
                "name": line.name,
                "points": line.points,
                "amounts": [None if value.is_empty else value.amount for value in line.values],
                "by_lot": bool(line.lot),
            }
            for line in page.lines
        ],
    }


def _crosstable(frame: Frame, number: int) -> ListedCrosstable:
    return {
        "games": point_system(frame.tournament).games,
        "players": [
            {
                "rank": line.rank,
                "entry": line.entry_id,
                "number": line.tpn,
                "name": line.name,
                "points": line.points,
                "rounds": [_cell(cell) for cell in line.cells],
            }
            for line in crosstable(frame, after_round=number).lines
        ],
    }


def _cell(cell: Cell) -> ListedCell:
    results = cell.result.value + (cell.second.value if cell.second else "")
    # A list, as JSON gives it back.
    return cast(ListedCell, [cell.opponent_id, cell.colour, results, cell.points])
