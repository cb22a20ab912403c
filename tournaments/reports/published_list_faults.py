"""Verify the stored lists: their content, their signature, and their boards by the record."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final, cast

from pairing.record.chain import digest
from pairing.record.replay import replay
from pairing.record.signatures import is_signed
from pairing.record.state import RoundTable, State
from pairing.rules.corrections import CorrectionEffect
from tournaments.core.record import lines_of
from tournaments.models import Action, Decision, PublishedList, Tournament
from tournaments.models.payloads import ResultCorrected, RoundChanged
from tournaments.models.published_list import ListedPairings
from tournaments.reports.published_lists import ENDINGS, signed_text

Kind = PublishedList.Kind
_LISTS = {
    Action.PAIRINGS_PUBLISHED: (Kind.PAIRINGS,),
    Action.RESULTS_PUBLISHED: (Kind.STANDINGS, Kind.CROSSTABLE),
}
"""The lists that every publication stores, because each is the first of its round."""
_CHANGING: Final = (Action.ROUND_CHANGED, Action.RESULT_CORRECTED, Action.ENTRY_EXPELLED)


def list_faults(tournament: Tournament, keys: Collection[str]) -> list[str]:
    """Return the faults in the stored lists of *tournament*, one line each;
    empty if they are as they were published.

    Each list must have the SHA-256 and the signature, by one of *keys*, that were made when it was
    stored; the boards of pairings must be those of the record at that line; no number may be
    missing; and every publication, pairing change and corrected result that counts at once, and
    final or reopened standings, must have their lists. Four queries.
    """
    rows = list(
        PublishedList.objects.filter(tournament=tournament)
        .select_related("decision", "same_as")
        .order_by("pk")
    )
    return [
        *_missing(tournament, rows),
        *_not_stored(tournament, rows),
        *_altered(rows, keys),
        *_other_boards(tournament, rows),
    ]


def _missing(tournament: Tournament, rows: list[PublishedList]) -> Iterator[str]:
    there = {(row.round_number, row.kind) for row in rows}
    for number in sorted({*range(1, tournament.lists + 1)} - {row.number for row in rows}):
        yield f"List {number} of {tournament.lists} is missing."
    by_line = {row.decision_id for row in rows}
    storing = Decision.objects.filter(
        tournament=tournament, action__in=_LISTS.keys() | ENDINGS
    ).order_by("sequence")
    for pk, sequence, action, number in storing.values_list(
        "pk", "sequence", "action", "round_number"
    ):
        if action in ENDINGS and pk not in by_line:
            yield f"#{sequence}, standings of round {tournament.total_rounds}: the list is missing."
        for kind in _LISTS.get(Action(action), ()):
            if (number, kind) not in there:
                yield f"#{sequence}, {kind} of round {number}: the list is missing."


def _not_stored(tournament: Tournament, rows: list[PublishedList]) -> Iterator[str]:
    """Find the lines whose lists are missing at the end, where the numbers have no gap."""
    there = {(row.decision_id, row.kind) for row in rows}
    lines = list(
        tournament.decisions.filter(action__in=_CHANGING, is_public=True).order_by("sequence")
    )
    # The crosstable has no game of two expelled players.
    has_expelled = any(line.action == Action.ENTRY_EXPELLED for line in lines)
    for line in lines:
        kind = _changed(line)
        if kind and (line.pk, kind) not in there and not (has_expelled and kind == Kind.CROSSTABLE):
            yield f"#{line.sequence}, {kind} changed by this line: the list is missing."


def _changed(line: Decision) -> PublishedList.Kind | None:
    """Return the list that *line* cannot leave as it was; None if more than *line* decides."""
    match line.payload:
        case RoundChanged():
            return Kind.PAIRINGS
        case ResultCorrected(before=before, after=after):
            counts_now = (
                after["effect"] == CorrectionEffect.NEXT_ROUND
                and before["result"] != after["result"]
            )
            return Kind.CROSSTABLE if counts_now else None
    return None


def _altered(rows: list[PublishedList], keys: Collection[str]) -> Iterator[str]:
    for row in rows:
        if digest(row.listed) != row.sha256:
            yield f"{_named(row)}: the content was altered."
        elif row.decision.key not in keys or not is_signed(
            row.decision.key, signed_text(row), row.signature
        ):
            yield f"{_named(row)}: the signature does not fit."


def _other_boards(tournament: Tournament, rows: list[PublishedList]) -> Iterator[str]:
    """Compare pairings with the record: one replay stops at the line of each list."""
    lists = sorted(
        (row for row in rows if row.kind == Kind.PAIRINGS), key=lambda row: row.decision.sequence
    )
    state, lines = State(), lines_of(tournament, private=True)
    read = 0
    for row in lists:
        while read < row.decision.sequence and (line := next(lines, None)) is not None:
            state, fault = replay([line], state)
            if fault is not None:
                return  # the comparison of the tables reports it
            read = line.sequence
        if not _same_boards(state, row):
            yield f"{_named(row)}: the record has other boards."


def _same_boards(state: State, row: PublishedList) -> bool:
    """Return whether *row* has the boards of *state*; false if it cannot be read as pairings."""
    content, table = (
        cast(ListedPairings, row.listed),
        state.rounds.get(row.round_number, RoundTable()),
    )
    try:
        boards = {
            line["board"]: (line["white"]["entry"], line["black"]["entry"])
            for line in content["boards"]
        }
        byes = {line["player"]["entry"]: line["kind"] for line in content["byes"]}
    except (KeyError, TypeError):
        return False
    # Players who have withdrawn, or arrive later, have a bye in the record and are not on the list.
    return boards == {
        number: (board.white, board.black) for number, board in table.boards.items()
    } and (byes.items() <= table.byes.items())


def _named(row: PublishedList) -> str:
    return f"#{row.decision.sequence}, {row.kind} of round {row.round_number}"
