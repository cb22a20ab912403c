"""The publications, changes and corrections of pairings and standings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Max, Q
from django.db.models.functions import Coalesce

from pairing.rules.corrections import CorrectionEffect
from tournaments.core.frame import Frame
from tournaments.models import Action, Decision, Tournament
from tournaments.models.payloads import (
    ColoursCorrected,
    EntryReturned,
    RatingCorrected,
    ResultCorrected,
)

_OF_A_ROUND: Final = frozenset(
    {
        # After the publication only an adjourned game gets a result [C.04.2/2026 3.1]
        Action.RESULT_RECORDED,
        Action.RESULT_UNDONE,
        Action.RESULT_CORRECTED,
        Action.COLOURS_CORRECTED,
        Action.CORRECTION_APPLIED,
        Action.POINTS_ADJUSTED,
        Action.POINTS_WITHDRAWN,
    }
)


_OF_THE_END: Final = frozenset({Action.EQUALS_RANKED, Action.LOTS_DRAWN, Action.STANDINGS_REOPENED})
_OF_ALL_ROUNDS: Final = frozenset(
    {
        Action.RATING_CORRECTED,
        Action.TIE_BREAKS_CHANGED,
        Action.ENTRY_EXPELLED,
        Action.ENTRY_RETURNED,
    }
)


def publications_of(tournament: Tournament, number: int) -> list[Decision]:
    """Return the actions that published the pairings of round *number* and changed them since,
    in order. One query.

    The position in the list, from 1, is the version. The printed list shows time and fingerprint of
    the last.
    """
    rows = Decision.objects.filter(tournament=tournament, round_number=number)
    return list(
        rows.filter(action__in=(Action.PAIRINGS_PUBLISHED, Action.ROUND_CHANGED)).order_by(
            "sequence"
        )
    )


def version_of(publications: Sequence[Decision]) -> int:
    """Return the version of the pairings that *publications* made, from 1;
    those of an imported round may be empty.
    """
    return 1 + sum(line.action == Action.ROUND_CHANGED for line in publications)


def left_fide_mode_by(frame: Frame) -> Decision | None:
    """Return the line that left FIDE mode: a publication, other rules, or the import of a file;
    None while it is in it.

    No query while the event is in FIDE mode, else one.
    """
    if frame.tournament.left_fide_mode is None:
        return None
    published = Q(action=Action.PAIRINGS_PUBLISHED, after__leaves_fide_mode=True)
    other_rules = Q(
        action__in=(Action.TOURNAMENT_CREATED, Action.TOURNAMENT_UPDATED), after__left_fide_mode=0
    )
    file = Q(action=Action.TOURNAMENT_IMPORTED)
    return Decision.objects.filter(
        published | other_rules | file, tournament=frame.tournament
    ).last()


@dataclass(frozen=True, slots=True)
class StandingsRecord:
    """The lines of the record that led to the standings after a round.

    ``publication`` published the results: None if the round came from an imported file.
    ``corrections`` have changed the standings since, or let them change again, in order.
    """

    publication: Decision | None = None
    corrections: tuple[Decision, ...] = ()

    @property
    def corrected(self) -> Decision | None:
        """The last correction.

        Its fingerprint covers all lines before it, so it identifies the present standings.
        """
        return self.corrections[-1] if self.corrections else None


def standings_record(tournament: Tournament, after_round: int) -> StandingsRecord:
    """Return the publication of the standings after *after_round*,
    and the corrections since. One query.

    A correction for the rating report only does not change them. A correction that waits changes
    them only with the line that applies it [C.04.2/2026 4.3].
    """
    if not after_round:
        return StandingsRecord()
    actions = (
        _OF_ALL_ROUNDS if after_round < tournament.total_rounds else _OF_ALL_ROUNDS | _OF_THE_END
    )
    published = Q(action=Action.RESULTS_PUBLISHED, round_number=after_round)
    touching = Q(action__in=_OF_A_ROUND, round_number__lte=after_round) | Q(action__in=actions)
    record = Decision.objects.filter(tournament=tournament)
    last = (
        record.filter(published)
        .order_by()
        .values("tournament")
        .annotate(last=Max("sequence"))
        .values("last")
    )
    # Without what came before the publication: an event has more than a thousand results.
    lines = list(
        record.filter(published | touching, sequence__gte=Coalesce(last, 0)).order_by("sequence")
    )
    return StandingsRecord(
        publication=lines.pop(0) if lines and lines[0].action == Action.RESULTS_PUBLISHED else None,
        corrections=tuple(line for line in lines if _changes_now(line)),
    )


def record_for(frame: Frame, after_round: int) -> StandingsRecord:
    """Return :func:`standings_record` for *frame*; no query again for the same frame."""
    found: StandingsRecord | None = frame.computed.get(("standings record", after_round))
    if found is None:
        found = standings_record(frame.tournament, after_round)
        frame.computed["standings record", after_round] = found
    return found


def is_correction(row: Decision) -> bool:
    """Return whether a line of :attr:`StandingsRecord.corrections` corrects the standings.

    Lots complete them, and the end reopened lets them change again.
    """
    return row.action not in _OF_THE_END


def _changes_now(row: Decision) -> bool:
    """Return whether the standings change with *row*, and not later or never."""
    match row.payload:
        case (
            ResultCorrected(after=after)
            | ColoursCorrected(after=after)
            | RatingCorrected(after=after)
        ):
            return after["effect"] != CorrectionEffect.RATING_ONLY and not after["waiting"]
        case EntryReturned(before=gone):
            return gone.get("expelled", False)
        case _:
            return True
