"""Change the tie-breaks after the start: the effect, then the recorded action."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from datetime import datetime

from django.contrib.auth.models import User

from pairing.rounds.computed_standings import ranked
from pairing.rounds.facts import round_facts
from pairing.rounds.snapshot import players_after
from pairing.rules import regulations
from pairing.rules.reasons import is_reason
from tournaments.core.actions import open_action, require
from tournaments.core.errors import BadInput, Conflict
from tournaments.core.permissions import require_may_decide
from tournaments.core.validation import validate
from tournaments.models import TieBreakEdition, Tournament
from tournaments.models.payload_data import TieBreakList
from tournaments.models.payloads import TieBreaksChanged
from tournaments.setup.usable_tie_breaks import require_ratings, settle_tie_breaks


@dataclass(frozen=True, slots=True)
class Moved:
    """A player whose rank would change."""

    tpn: int
    name: str
    now: int
    then: int


@dataclass(frozen=True, slots=True)
class TieBreaksEffect:
    """The effect of another list: both lists, and the ranks that would
    change after the newest published results.

    ``before`` and ``after`` are codes of the edition, ``shown`` is the text for people.
    """

    before: str
    after: str
    shown: tuple[str, str]
    moved: tuple[Moved, ...]


def tie_breaks_effect(
    tournament: Tournament, *, tie_breaks: str, edition: str, after_round: int
) -> TieBreaksEffect:
    """Return the effect of :func:`tie_breaks_change` after *after_round*. Saves nothing.

    ``BadInput`` and ``RuleRefused`` as there.
    """
    changed = _changed(tournament, tie_breaks, edition)
    players, entries = players_after(tournament, after_round)
    ranks = {line.tpn: line.rank for line in ranked(tournament, players).lines}
    return TieBreaksEffect(
        before=_described(tournament),
        after=_described(changed),
        shown=_shown(tournament, changed),
        moved=tuple(
            Moved(line.tpn, entries[line.tpn].name, ranks[line.tpn], line.rank)
            for line in ranked(changed, players).lines
            if line.rank != ranks[line.tpn]
        ),
    )


@dataclass(frozen=True, slots=True)
class Compared:
    """A player's points (tenths) and ranks: ``now`` by our list, ``then`` by another."""

    tpn: int
    name: str
    points: int
    now: int
    then: int

    @property
    def gains(self) -> int:
        """How many places the player gains; below 0: loses."""
        return self.now - self.then

    @property
    def losses(self) -> int:
        """How many places the player loses."""
        return self.then - self.now


def tie_breaks_preview(
    tournament: Tournament, *, tie_breaks: str, edition: str, after_round: int
) -> list[Compared]:
    """Return all players after round *after_round*, in the order of another list. Saves nothing.

    It can also be used on a finished tournament, whose list can no longer change. ``BadInput`` for
    a list that cannot be used.
    """
    other = _with_list(tournament, tie_breaks, edition)
    players, entries = players_after(tournament, after_round)
    ranks = {line.tpn: line.rank for line in ranked(tournament, players).lines}
    return [
        Compared(line.tpn, entries[line.tpn].name, line.points, ranks[line.tpn], line.rank)
        for line in ranked(other, players).lines
    ]


def tie_breaks_change(
    *,
    tournament_id: int,
    actor: User,
    now: datetime,
    tie_breaks: str,
    edition: str,
    reason: str,
    version: int,
) -> Tournament:
    """Change the announced list [C.07/2026 4.1.1]. Only the Chief Arbiter can do this.

    *version* is the version of the tournament when the effect was shown. Refused before round 1 is
    paired, because the list is still a setting then, and after the final standings are published.
    ``BadInput`` for an invalid list, the present one, or no *reason*; ``Conflict`` if the
    tournament has changed since the effect was shown.
    """
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        tournament = action.tournament
        require_may_decide(actor, tournament)
        if tournament.version != version:
            raise Conflict("tie_break.moved_meanwhile")
        if not is_reason(reason):
            raise BadInput("tie_break.reason_missing", field="reason")
        changed = _changed(tournament, tie_breaks, edition)
        changed.save(update_fields=["tie_breaks", "tie_break_edition"])
        replace(action, tournament=changed).record(
            TieBreaksChanged(before=_listed(tournament), after=_listed(changed)),
            article="C.07 4.1.1",
            reason=reason.strip(),
        )
    return changed


def _changed(tournament: Tournament, tie_breaks: str, edition: str) -> Tournament:
    """Return a copy of *tournament* with the other list, not saved."""
    require(regulations.may_change_tie_breaks(round_facts(tournament)))
    changed = _with_list(tournament, tie_breaks, edition)
    if _described(changed) == _described(tournament):
        raise BadInput("tie_break.same", field="tie_breaks")
    return changed


def _with_list(tournament: Tournament, tie_breaks: str, edition: str) -> Tournament:
    """Return a copy of *tournament* with a list, not saved; ``BadInput`` if it cannot be used."""
    changed = copy.copy(tournament)
    changed.tie_breaks, changed.tie_break_edition = tie_breaks, edition
    validate(changed, ("tie_breaks", "tie_break_edition"))
    settle_tie_breaks(changed)
    require_ratings(changed)
    return changed


def _described(tournament: Tournament) -> str:
    return f"{tournament.tie_breaks} ({tournament.tie_break_edition})"


def _listed(tournament: Tournament) -> TieBreakList:
    """Return the list for the record."""
    return {"tie_breaks": tournament.tie_breaks, "tie_break_edition": tournament.tie_break_edition}


def _shown(before: Tournament, after: Tournament) -> tuple[str, str]:
    """Return both lists as text, each with its edition if that changes."""
    lists = before.tie_breaks or "–", after.tie_breaks or "–"
    if before.tie_break_edition == after.tie_break_edition:
        return lists
    editions = (TieBreakEdition(one.tie_break_edition).label for one in (before, after))
    old, new = (f"{codes} ({edition})" for codes, edition in zip(lists, editions, strict=True))
    return old, new
