"""Preview the pairing numbers before they are assigned."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from pairing.rounds.facts import participant, round_facts
from pairing.rounds.paired_before import ever_paired
from pairing.rules.initial_order import initial_order, list_for_all, may_assign_numbers
from pairing.rules.rounds import last_paired
from pairing.rules.verdict import Refused
from tournaments.core.namesakes import disambiguate
from tournaments.models import Entry, ListState, Seat, Tournament


@dataclass(frozen=True, slots=True)
class NumberLine:
    """One participant in the order of [C.04.2/2026 2.2], with the present and the new number."""

    entry_id: int
    name: str
    title: str
    federation: str
    rating: int
    rating_source: str
    tpn: int | None
    proposed: int
    board: int | None
    """The player's board in the newest round that is paired."""

    @property
    def changes(self) -> bool:
        return self.tpn != self.proposed


@dataclass(frozen=True)
class NumberPreview:
    """The new order. ``refused``: why numbers cannot be assigned now; None if they can.

    ``paired_round`` is the newest round that is paired, a draft included; 0 before the first.
    ``one_list`` is the rating list that contains all participants [C.04.2/2026 2.1]; empty if there
    is none. What goes through all lines is computed once, because the page asks for it in each
    line.
    """

    lines: tuple[NumberLine, ...]
    refused: Refused | None
    definitive: bool
    paired_round: int
    one_list: str

    @cached_property
    def changed(self) -> int:
        return sum(line.changes for line in self.lines)

    @cached_property
    def boards(self) -> tuple[int, ...]:
        """The boards of the newest round with a player whose number would change."""
        return tuple(
            sorted({line.board for line in self.lines if line.changes and line.board is not None})
        )

    @cached_property
    def not_of_the_list(self) -> int:
        """How many have a rating from elsewhere although one list contains all participants."""
        return (
            sum(line.rating_source != self.one_list for line in self.lines) if self.one_list else 0
        )

    @cached_property
    def without_rating(self) -> int:
        """How many have no rating: the Chief Arbiter should estimate it [C.04.2/2026 2.1]."""
        return sum(line.rating == 0 for line in self.lines)


def number_preview(tournament: Tournament) -> NumberPreview:
    """Return the order by rating, title and name, beside the present numbers. Five queries."""
    entries = {
        entry.pk: entry for entry in Entry.objects.filter(tournament=tournament).order_by("pk")
    }
    disambiguate(entries.values())
    ranked = initial_order(participant(tournament, entry) for entry in entries.values())
    rounds = round_facts(tournament)
    verdict = may_assign_numbers(
        rounds, participants=len(entries), ever_paired=ever_paired(tournament)
    )
    paired = last_paired(rounds)
    seats = Seat.objects.filter(round__tournament=tournament, round__number=paired)
    boards = dict(seats.values_list("entry_id", "game__board"))
    return NumberPreview(
        lines=tuple(
            _line(entries[player.key], proposed, boards.get(player.key))
            for proposed, player in enumerate(ranked, start=1)
        ),
        paired_round=paired,
        one_list=list_for_all(
            (entry.fide_rating, entry.national_rating) for entry in entries.values()
        ),
        refused=verdict if isinstance(verdict, Refused) else None,
        definitive=tournament.list_state == ListState.DEFINITIVE,
    )


def _line(entry: Entry, proposed: int, board: int | None) -> NumberLine:
    return NumberLine(
        entry_id=entry.pk,
        name=entry.name_apart,
        title=entry.title,
        federation=entry.federation,
        rating=entry.rating,
        rating_source=entry.rating_source,
        tpn=entry.tpn,
        proposed=proposed,
        board=board,
    )
