"""The JSON of actions on single games and of deleted data,
in ``before`` and ``after`` of the record.

The rest is in ``payload_data``.
"""

from __future__ import annotations

from typing import NotRequired, TypedDict


class GameDate(TypedDict):
    """The date and the place of a game that is not played with its round; no date:
    it is played with its round.

    ``game`` is the number of the game if a round is a match; ``white`` and ``black`` are the
    entries in this game.
    """

    board: int
    game: NotRequired[int]
    white: int
    black: int
    starts_at: str | None
    place: str


class SentGame(TypedDict):
    """A game in a sent report: White and Black by entry, and the result (of both in a match)."""

    round: int
    board: int
    white: int
    black: int
    results: list[str]


class CorrectedGame(TypedDict):
    """A game that report number ``report`` had otherwise."""

    report: int
    before: SentGame
    after: SentGame


class SentReport(TypedDict):
    """A report that was sent, with its games, its corrections, and the digest of its file.

    ``until`` is the last day of the games in it; None: all games so far. ``restored`` is the
    fingerprint of the line in a newer record from which the report was taken over after an older
    backup was restored, ``sent_at`` the time of that line.
    """

    number: int
    sha256: str
    until: str | None
    games: list[SentGame]
    corrected: list[CorrectedGame]
    restored: NotRequired[str]
    sent_at: NotRequired[str]


class DeletedData(TypedDict):
    """The player whose personal data were deleted; None: all players.

    ``fide_ids`` are the players who are shown with initials and whose FIDE IDs were deleted with
    their names. ``days`` is the setting by which the server did it, in days after the final
    report; None: an arbiter did it. ``records`` is the number of records of the imported file that
    were deleted, if any. ``fingerprints`` are those of lines from which values were deleted that
    their own fingerprints cover in the open, by line.
    """

    entry: int | None
    fide_ids: list[int]
    days: int | None
    records: NotRequired[int]
    fingerprints: NotRequired[dict[str, str]]
