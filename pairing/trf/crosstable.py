"""What the standings need from a report: everybody's rounds, the ratings, the list of tie-breaks and the first day."""

from __future__ import annotations

import re
from typing import Final

from pairing.engine.model import TPN, Player

from .convert import history
from .document import TextRecord, TrfDocument
from .rounds import played_rounds

_TIE_BREAKS: Final = ("202", "212")
_DAY: Final = re.compile(r"\s*(\d{4})[/.-](\d{2})[/.-](\d{2})")


def crosstable_players(document: TrfDocument) -> tuple[Player, ...]:
    """Everybody with all rounds that have been paired; a blank is an absence.

    Raises ``trf.result_missing`` for a game without a result: there are no standings before it has one.
    """
    players = document.players
    rounds = played_rounds(players)
    return tuple(Player(player.tpn, history(document, player, rounds)) for player in players)


def ratings(document: TrfDocument) -> dict[TPN, int]:
    """The ratings of those who have one."""
    return {player.tpn: player.rating for player in document.players if player.rating}


def tie_break_list(document: TrfDocument) -> TextRecord | None:
    """The record that lists the tie-breaks: 212 where there is one, else 202 (the same list without the points)."""
    records = {record.code: record for record in document.of(TextRecord) if record.code in _TIE_BREAKS}
    return records.get("212") or records.get("202")


def first_day(document: TrfDocument) -> str:
    """The day of record 042 as ``YYYY-MM-DD``; ``""`` where it names none."""
    day = _DAY.match(document.text("042"))
    return "-".join(day.groups()) if day else ""
