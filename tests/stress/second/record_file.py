"""What the record file must say, to the arbiters and to visitors."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

OF_RESULTS: Final = ("result.recorded", "result.undone", "games.adjourned")
OF_PAIRINGS: Final = (
    "round.paired",
    "round.paired_by_hand",
    "round.arranged",
    "round.discarded",
    "bye.requested",
)
"""Actions that the public record contains once the round is published."""


class RecordFile:
    """The record of one event, as it was when it was read the last time."""

    def __init__(self) -> None:
        self.hashes: list[str] = []

    def differences(self, text: str) -> Iterator[str]:
        """Yield what is wrong with the record: it may only grow,
        and each line names the one before.
        """
        lines = [json.loads(line) for line in text.splitlines()]
        rows = [line for line in lines if "sequence" in line]
        before = ""
        for row in rows:
            if row["previous"] != before and row["sequence"] > 1:
                yield f"record {row['sequence']}: names another line before it"
            before = row["hash"]
        hashes = [row["hash"] for row in rows]
        if hashes[: len(self.hashes)] != self.hashes:
            yield "the record has lost or changed a line that was there"
        self.hashes = hashes

    def public_differences(self, text: str, over: int, paired: int) -> Iterator[str]:
        """Yield what a visitor finds in the record file *text* and should not."""
        rows = [row for row in map(json.loads, text.splitlines()) if "sequence" in row]
        if [row["hash"] for row in rows] != self.hashes[: len(rows)]:
            yield "the public record is not the beginning of the record"
        for row in rows:
            action, number = row.get("action", ""), row.get("round") or 0
            is_secret = (action in OF_RESULTS and number > over) or (
                action in OF_PAIRINGS and number > paired
            )
            if is_secret:
                yield f"the public record has line {row['sequence']}, {action} of round {number}"
