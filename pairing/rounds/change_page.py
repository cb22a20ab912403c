"""Data for the page of a pairing change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import TPN, TournamentState
from pairing.engine.systems import pair
from pairing.rounds.paired_before import PAIRED, engine_gave
from pairing.rounds.published_round import published
from pairing.rounds.without_corrections import without_corrections
from pairing.rules.manual import new_cautions
from pairing.rules.published import (
    Arrangement,
    Published,
    Situation,
    boards_corrected,
    boards_met_again,
    perhaps_away,
    without_opponent,
)
from tournaments.models import ByeKind, Decision, Entry, Round, Tournament


@dataclass(frozen=True, slots=True)
class CheckedSituation:
    """A situation of [C.04.2/2026 4.4] in the tournament's edition, checked with the tables.

    ``holds`` is True if the situation applies. ``boards`` and ``players`` are those it concerns;
    ``clause`` is the regulation.
    """

    situation: Situation
    article: str
    holds: bool
    boards: tuple[int, ...] = ()
    players: tuple[Entry, ...] = ()
    clause: str = ""


@dataclass(frozen=True, slots=True)
class ChangePage:
    """The data that the page and the service of a pairing change need."""

    facts: Published
    state: TournamentState
    entries: Mapping[TPN, Entry]
    situations: tuple[CheckedSituation, ...]

    @property
    def by_pk(self) -> dict[int, TPN]:
        return {entry.pk: tpn for tpn, entry in self.entries.items()}

    @property
    def late(self) -> list[Entry]:
        """The late entries who could be admitted now, by number."""
        return [self.entries[tpn] for tpn in sorted(self.facts.late - self.facts.not_arrived)]

    @property
    def not_arrived(self) -> list[Entry]:
        """The late entries not offered as not marked as arrived [C.04.2/2026 2.4], by number."""
        here = self.facts.not_arrived - self.facts.away
        return [self.entries[tpn] for tpn in sorted(here)]

    def named_by(self, situation: Situation | None) -> tuple[set[int], list[TPN]]:
        """Return the boards and players that *situation* concerns;
        empty if it does not apply, or if nobody knows.

        Of the top boards these are the ones with a missing player.
        """
        for checked in self.situations:
            if checked.situation is situation and checked.holds:
                boards = {*checked.boards}
                if situation is Situation.TOP_BOARDS:
                    boards = {
                        n
                        for n in boards
                        if self.facts.missing_players & {*self.facts.now.boards[n]}
                    }
                return boards, [self.by_pk[entry.pk] for entry in checked.players]
        return set(), []

    def board_of(self, tpn: TPN) -> int | None:
        return next((n for n, pair in self.facts.now.boards.items() if tpn in pair), None)


@dataclass(frozen=True, slots=True)
class CautionLine:
    """A caution with names."""

    code: str
    article: str
    board: int | None
    names: tuple[str, ...]


def changeable(
    tournament: Tournament, row: Round, *, at: datetime
) -> tuple[Published, TournamentState, dict[TPN, Entry]]:
    """Read the round as :func:`~pairing.rounds.published_round.published` does,
    with the effect of later corrections.

    If there are such corrections: two more queries, and the round is paired again.
    """
    facts, state, entries = published(tournament, row, at=at)
    if facts.corrected:
        facts = replace(facts, follows=_follows(tournament, row, state, entries))
    return facts, state, entries


def _follows(
    tournament: Tournament, row: Round, state: TournamentState, entries: Mapping[TPN, Entry]
) -> Arrangement | None:
    """Pair the round *row* from the current data; return None if the
    corrections do not change the engine's pairing.

    The engine's pairing is compared with its pairing of that time, and with its pairing of today
    without the corrections: something else may have changed since.
    """
    with_them = _engine_pairing(state, entries)
    if with_them is None:
        return None
    paired = Decision.objects.filter(
        tournament=tournament, action__in=PAIRED, round_number=row.number
    )
    if with_them.keys() == engine_gave(paired.order_by("-sequence").first()):
        return None
    without = _engine_pairing(*without_corrections(tournament, row, state, entries))
    if without is not None and without.keys() == with_them.keys():
        return None
    pairs = list(with_them.values())
    alone = {tpn for tpn in entries if tpn not in state.absent} - {
        tpn for pair in pairs for tpn in pair
    }
    return Arrangement(
        dict(enumerate(pairs, start=1)), dict.fromkeys(alone, ByeKind.PAIRING_ALLOCATED.value)
    )


def _engine_pairing(
    state: TournamentState, entries: Mapping[TPN, Entry]
) -> dict[tuple[int, int], tuple[TPN, TPN]] | None:
    """Return the engine's pairs by entry id, with TPNs, in order; None if there is no pairing."""
    try:
        pairs = pair(state).pairs
    except NoLegalPairingError:
        return None
    return {(entries[white].pk, entries[black].pk): (white, black) for white, black in pairs}


def change_page(tournament: Tournament, row: Round, *, at: datetime) -> ChangePage:
    """Return the data to change the round *row* at the moment *at*. Four queries."""
    facts, state, entries = changeable(tournament, row, at=at)
    return ChangePage(facts, state, entries, _situations(facts, entries))


def _situations(facts: Published, entries: Mapping[TPN, Entry]) -> tuple[CheckedSituation, ...]:
    again = boards_met_again(facts)
    alone = without_opponent(facts)
    here = sorted({*alone} - perhaps_away(facts))
    late = sorted(facts.late - facts.not_arrived)
    with_bye = [tpn for tpn, letter in facts.now.byes.items() if letter == "U"]
    top = tuple(n for n in facts.now.boards if n <= facts.top_boards)
    arriving = [*late, *with_bye] if late else []
    corrected = boards_corrected(facts)
    moving_bye = [
        tpn for tpn in with_bye if facts.follows is not None and tpn not in facts.follows.byes
    ]
    broken = tuple(sorted(n for n in facts.broken if n is not None))
    shown: dict[Situation, tuple[bool, tuple[int, ...], Sequence[TPN], str]] = {
        Situation.ALREADY_MET: (bool(again), again, (), ""),
        Situation.REGULATIONS: (bool(facts.clause.strip()), (), (), facts.clause),
        Situation.WITHOUT_OPPONENT: (len(alone) > 1, (), here if len(here) > 1 else alone, ""),
        Situation.LATE_ENTRY: (bool(late), (), arriving, ""),
        Situation.TOP_BOARDS: (facts.is_last and bool(top), top, (), ""),
        Situation.ABSOLUTE_CRITERION: (bool(facts.broken), broken, (), ""),
        Situation.CORRECTION: (
            bool(corrected) and not any(facts.results.values()),
            corrected,
            moving_bye,
            "",
        ),
    }
    return tuple(
        CheckedSituation(
            situation, article, holds, boards, tuple(entries[tpn] for tpn in players), clause
        )
        for situation, article in facts.situations.items()
        for holds, boards, players, clause in (shown[situation],)
    )


def caution_lines(
    state: TournamentState, entries: Mapping[TPN, Entry], before: Arrangement, after: Arrangement
) -> tuple[CautionLine, ...]:
    """Return the basic rules broken by the boards of *after* not in *before*, and by a new bye."""
    found = new_cautions(state, before, after)
    return tuple(
        CautionLine(c.code, c.article, c.board, tuple(entries[tpn].real_name for tpn in c.players))
        for c in found
    )
