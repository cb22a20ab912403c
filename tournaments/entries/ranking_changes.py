"""Refuse changes of ranking or player after round 1 was paired [C.04.2/2026 2.2-2.5]."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from django.contrib.auth.models import User

from pairing.rounds.facts import participant as read_participant, round_facts
from pairing.rounds.paired_before import ever_paired
from pairing.rules.corrections import CorrectionKind
from pairing.rules.initial_order import (
    initial_order,
    may_assign_numbers,
    may_change_rating,
    may_rename,
)
from pairing.rules.reasons import is_reason
from pairing.rules.rounds import last_paired
from pairing.rules.verdict import Refused
from tournaments.core import permissions
from tournaments.core.actions import require
from tournaments.core.chosen_rules import handling
from tournaments.core.errors import BadInput
from tournaments.models import Entry, RatingSource, Tournament

IDENTITY: Final = frozenset({"name", "fide_id", "birth_date"})
"""The data that say who a player is."""


def has_begun(tournament: Tournament) -> bool:
    """Return whether a round has ever been paired, even as a draft that was discarded."""
    return bool(ever_paired(tournament) or last_paired(round_facts(tournament)))


def name_reorders(tournament: Tournament, entry: Entry, actor: User, reason: str) -> bool:
    """Return whether the new name of *entry* changes numbers after a round was paired.

    Up to four queries. If so, refused by :func:`may_rename`, and without a *reason*.
    """
    if not has_begun(tournament):
        return False
    saved = {
        each.pk: read_participant(tournament, each)
        for each in Entry.objects.filter(tournament=tournament)
    }
    facts, paired = round_facts(tournament), ever_paired(tournament)
    if isinstance(may_assign_numbers(facts, participants=len(saved), ever_paired=paired), Refused):
        return False
    renamed = saved | {entry.pk: read_participant(tournament, entry)}
    before, after = (initial_order(ranking.values()) for ranking in (saved, renamed))
    if [participant.key for participant in before] == [participant.key for participant in after]:
        return False
    require(may_rename(decides=permissions.may_decide(actor, tournament)))
    if not is_reason(reason):
        raise BadInput("name.reason_missing", field="reason")
    return True


def require_may_rank_anew(
    tournament: Tournament, entry: Entry, changed: Collection[str], actor: User, reason: str
) -> None:
    """Refuse as :func:`may_change_rating` after round 1 was paired, and without a *reason*.

    *entry* has its new values already.
    """
    estimated = entry.rating_source == RatingSource.ESTIMATE
    require(
        may_change_rating(
            round_facts(tournament),
            over_rating=estimated
            and "rating" in changed
            and bool(entry.fide_rating or entry.national_rating),
            decides=permissions.may_decide(actor, tournament),
            article=handling(tournament).corrections[CorrectionKind.RATING],
        )
    )
    if not is_reason(reason):
        raise BadInput("rating.reason_missing", field="reason")


def names_another(tournament: Tournament, changed: Collection[str], reason: str) -> bool:
    """Return whether the fields *changed* say who a player is, after round 1 was paired.

    At most two queries. Whoever played the games stays the player: such a correction needs a
    *reason* (``BadInput`` without one).
    """
    if IDENTITY.isdisjoint(changed) or not has_begun(tournament):
        return False
    if not is_reason(reason):
        raise BadInput("entry.reason_missing", field="reason")
    return True
