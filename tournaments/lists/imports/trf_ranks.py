"""Check the ranks of a report by its own list of tie-breaks, before its event continues here."""

from __future__ import annotations

from pairing.engine.errors import InputError
from pairing.standings_recheck import Difference, recheck_standings, rules_of
from pairing.trf.crosstable import ratings, tie_break_list
from pairing.trf.document import PlayerRecord, TrfDocument
from tournaments.core.errors import BadInput


def ranking_remarks(document: TrfDocument) -> list[BadInput]:
    """Return a remark for each rank that the list of *document* (202, 212) does not give,
    and impossible tie-breaks.

    Each remark has its line; empty if the file has no list. Ranks are compared only if the file has
    some and every game has a result; this program computes its own in any case. Cost: that of the
    standings.
    """
    record = tie_break_list(document)
    if record is None:
        return []
    rated = ratings(document)
    unrated = [str(player.tpn) for player in document.players if player.tpn not in rated][:10]
    line = document.line_of(record)
    remarks = [
        BadInput("tie_break.left_out", line=line, tie_break=str(code), players=unrated)
        for code in rules_of(document).codes
        if code.tie_break.needs_ratings and unrated
    ]
    lines = {player.tpn: line for line, player in document.numbered(PlayerRecord)}
    return [*remarks, *(_remark(found, lines[found.tpn]) for found in _wrong_ranks(document))]


def _wrong_ranks(document: TrfDocument) -> list[Difference]:
    try:
        return [found for found in recheck_standings(document).differences if found.first]
    except InputError:
        return []  # no ranks, or a game without a result: nothing to compare


def _remark(found: Difference, line: int) -> BadInput:
    if found.first == found.last:
        return BadInput(
            "trf.rank_otherwise", line=line, tpn=found.tpn, rank=found.theirs, first=found.first
        )
    return BadInput(
        "trf.rank_shared",
        line=line,
        tpn=found.tpn,
        rank=found.theirs,
        first=found.first,
        last=found.last,
    )
