"""The points still open when pairings are published: shown before, and recorded then."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Q

from pairing.rounds.attendance import not_arrived, unconfirmed
from pairing.rounds.open_games import OpenGame, adjourned_named
from pairing.rounds.paired_before import PAIRED, boards_unlike, engine_gave
from pairing.rules.fide_mode import break_basic_rules
from pairing.rules.rounds import minutes_after
from tournaments.core.undone import not_undone
from tournaments.models import (
    Action,
    ByeKind,
    Decision,
    Entry,
    MissingAnswer,
    Round,
    Seat,
    Tournament,
)
from tournaments.models.payload_round_data import OpenPoints
from tournaments.models.payloads import RoundArranged, RoundPaired, RoundPairedByHand

_ON_DRAFTS = (*PAIRED, Action.ROUND_ARRANGED, Action.ACTION_UNDONE)


@dataclass(frozen=True, slots=True)
class NeverArrived:
    """A player of a draft who is not checked in; ``board`` None is the allocated bye."""

    entry_id: int
    name: str
    board: int | None


@dataclass(frozen=True, slots=True)
class Checklist:
    """The points of C.04.2 to look at before the pairings of a round are published.

    ``minutes_left`` are those in which mistakes can still be reported [C.04.2/2026 4.3]; 0: none.
    ``missing`` are the names of players not settled at the check-in [C.04.2/2026 4.1],
    ``not_arrived`` those of late entries [C.04.2/2026 2.4]. ``otherwise`` are the boards that
    differ from the engine's pairing [C.04.2/2026 1.5]; None if that pairing is not on record.
    ``broken`` are the codes of the rules broken by hand although the engine found a legal pairing
    [C.04.1/2026 2, 4]. ``open_games`` are the adjourned games [C.04.2/2026 3.1]. ``coming`` are the
    players with a place who were never seen, but the arbiter said that they are coming
    [C.04.2/2026 4.1].
    """

    had_check_in: bool
    minutes_left: int
    missing: tuple[str, ...]
    not_arrived: tuple[str, ...]
    otherwise: tuple[int, ...] | None
    broken: tuple[str, ...]
    open_games: tuple[OpenGame, ...]
    coming: tuple[NeverArrived, ...] = ()
    no_legal_pairing: str = ""
    """The article under which the engine found no pairing, so that the round was paired by hand."""

    @property
    def coming_entries(self) -> frozenset[int]:
        """The entries of the players who have a place and were not seen."""
        return frozenset(each.entry_id for each in self.coming)

    @property
    def bye_not_seen(self) -> str:
        """The name of the player with the allocated bye who was not seen; else empty."""
        return next((each.name for each in self.coming if each.board is None), "")

    @property
    def adjourned(self) -> tuple[str, ...]:
        """The boards of the open games, as ``round/board``."""
        return tuple(dict.fromkeys(f"{game.round_number}/{game.board}" for game in self.open_games))

    @property
    def points(self) -> tuple[bool, ...]:
        """Whether each point of the list is settled; the rare ones are on it only if they are open."""
        return (
            not self.minutes_left,
            not self.missing,
            not self.not_arrived,
            self.otherwise == (),
            not self.adjourned,
            *(False for is_open in (self.coming, self.broken) if is_open),
        )

    @property
    def settled(self) -> int:
        """The number of settled points."""
        return sum(self.points)

    @property
    def is_open(self) -> bool:
        """Whether a point needs somebody; the time to report mistakes only has to pass."""
        return not all(self.points[1:])

    @property
    def breaks_basic_rules(self) -> bool:
        """Whether publishing this draft leaves FIDE mode."""
        return break_basic_rules(self.broken)

    @property
    def recorded(self) -> OpenPoints:
        """The points that are open, for the record.

        Nobody is ``missing``: that stops the publication.
        """
        points: OpenPoints = {}
        if self.minutes_left:
            points["minutes_left"] = self.minutes_left
        if self.not_arrived:
            points["not_arrived"] = list(self.not_arrived)
        if self.otherwise and not self.no_legal_pairing:
            points["otherwise"] = list(self.otherwise)
        if self.broken:
            points["broken"] = list(self.broken)
        if self.adjourned:
            points["adjourned"] = list(self.adjourned)
        if self.bye_not_seen:
            points["bye_not_seen"] = True
        return points


def checklist(tournament: Tournament, round_: Round, now: datetime) -> Checklist:
    """Return the checklist of the draft *round_*.

    Five to eleven queries: more with late entries or open games.
    """
    late = Entry.objects.filter(
        tournament=tournament, first_round__range=(2, round_.number)
    ).order_by("pk")
    entries = late.exclude(withdrawn_from__lte=round_.number)
    until = tournament.corrections_until
    draft = _draft(tournament, round_.number)
    return Checklist(
        had_check_in=tournament.check_in_round == round_.number,
        minutes_left=minutes_after(now, until) if until is not None and until > now else 0,
        missing=unconfirmed(tournament, round_.number),
        not_arrived=tuple(entry.name for entry in not_arrived(entries)),
        otherwise=boards_otherwise(round_, draft),
        broken=rules_broken(draft),
        open_games=adjourned_named(tournament),
        coming=_never_arrived(round_),
        no_legal_pairing=without_engine(draft),
    )


def _draft(tournament: Tournament, number: int) -> list[Decision]:
    """Return the actions that made the draft of round *number* and stand, in order. One query."""
    actions = Decision.objects.filter(
        tournament=tournament, action__in=_ON_DRAFTS, round_number=number
    )
    return list(not_undone(actions.order_by("sequence")))


def article_by_hand(tournament: Tournament, number: int) -> str:
    """Return the article under which the draft of round *number* was paired by hand; else empty.

    One query.
    """
    return without_engine(_draft(tournament, number))


def _never_arrived(round_: Round) -> tuple[NeverArrived, ...]:
    """Return the coming players of the draft who were never seen, by board, the bye last.

    They are not checked in, and were at no board in an earlier round. One query, two if there are
    any.
    """
    seats = Seat.objects.filter(
        round=round_, entry__answer=MissingAnswer.COMING, entry__checked_in=False
    )
    placed = seats.filter(Q(game__isnull=False) | Q(bye=ByeKind.PAIRING_ALLOCATED)).select_related(
        "entry"
    )
    rows = placed.order_by("game__board", "pk").values_list(
        "entry_id", "entry__full_name", "entry__name", "game__board"
    )
    found = [NeverArrived(entry, whole or name, board) for entry, whole, name, board in rows]
    if found:
        earlier = Seat.objects.filter(
            entry__in=[each.entry_id for each in found], round__number__lt=round_.number
        )
        results = earlier.filter(game__isnull=False).values_list(
            "entry_id", "colour", "game__result"
        )
        played = {
            entry
            for entry, colour, result in results
            if result and result["wb".index(colour)] != "-"
        }
        found = [each for each in found if each.entry_id not in played]
    return tuple(sorted(found, key=lambda each: (each.board is None, each.board or 0)))


def without_engine(draft: Iterable[Decision]) -> str:
    """Return the article by which the engine found no pairing of a draft by hand; else empty."""
    row = next((row for row in reversed(list(draft)) if row.action in PAIRED), None)
    return row.article if row is not None and row.action == Action.ROUND_PAIRED_BY_HAND else ""


def boards_otherwise(round_: Round, draft: Iterable[Decision]) -> tuple[int, ...] | None:
    """Return the boards of *round_* that differ from the engine's last pairing of it;
    None without one. One query.

    *draft* are the actions that made the draft, in order.
    """
    given = engine_gave(next((row for row in reversed(list(draft)) if row.action in PAIRED), None))
    if given is None:
        return None
    pairs: dict[int, dict[str, int]] = {}
    seats = Seat.objects.filter(round=round_, game__isnull=False).values_list(
        "game__board", "colour", "entry_id"
    )
    for board, colour, pk in seats:
        pairs.setdefault(board or 0, {})[colour] = pk
    return boards_unlike(given, {board: (pair["w"], pair["b"]) for board, pair in pairs.items()})


NO_RULE: Final = "both_colours"
"""A caution that names no broken rule: both players of a board prefer the other colour."""


def rules_broken(draft: Iterable[Decision]) -> tuple[str, ...]:
    """Return the codes of the rules that the last arrangement in *draft* breaks.

    Empty if the engine found no legal pairing: then the arbiter decides [C.04.3/2026 1.9.3].
    """
    broken: tuple[str, ...] = ()
    by_hand = False
    for row in draft:
        match row.payload:
            case RoundPaired():
                broken, by_hand = (), False
            case RoundPairedByHand():
                broken, by_hand = (), True
            case RoundArranged(after=taken):
                broken = tuple(sorted({rule["code"] for rule in taken["cautions"]} - {NO_RULE}))
    return () if by_hand else broken
