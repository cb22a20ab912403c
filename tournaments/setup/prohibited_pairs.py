"""Set the pairs of players whom the regulations keep apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.contrib.auth.models import User

from pairing.rounds.facts import round_facts
from pairing.rounds.paired_before import ever_paired
from pairing.rules import regulations
from pairing.rules.reasons import is_reason
from tournaments.core import permissions
from tournaments.core.actions import open_action, require
from tournaments.core.errors import BadInput
from tournaments.models import Entry, ProhibitedPair, Tournament
from tournaments.models.payloads import ProhibitedPairsSet


def prohibited_pairs_set(
    *, tournament_id: int, actor: User, now: datetime, pairs: Iterable[Sequence[int]], reason: str = ""
) -> Tournament:
    """Replace the prohibited pairs by *pairs*, each of two entry ids [C.04.2/2026 1.5]. Only before round 1 is paired.

    Once there was a draft of round 1, only the Chief Arbiter can do it, with a *reason*. Without a change no line is
    written. ``BadInput`` for a pair that is not two different participants.
    """
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        tournament = action.tournament
        new, old = _in_order(tournament, pairs), pairs_of(tournament)
        if new == old:
            return tournament
        again = ever_paired(tournament) > 0
        decides = permissions.may_decide(actor, tournament)
        require(
            regulations.may_change_fields(
                round_facts(tournament), ["prohibited_pairs"], decides=decides, ever_paired=again
            )
        )
        if again and not is_reason(reason):
            raise BadInput("tournament.reason_missing", field="reason")
        tournament.prohibited_pairs.all().delete()
        prohibit(tournament, new)
        action.record(
            ProhibitedPairsSet(before={"pairs": old}, after={"pairs": new}),
            article="C.04.2 1.5",
            reason=reason.strip() if again else "",
            changes_pairing=True,
        )
    return tournament


def prohibit(tournament: Tournament, pairs: Iterable[Sequence[int]]) -> None:
    """Add *pairs* of entry ids to the prohibited pairs, inside the caller's transaction."""
    ProhibitedPair.objects.bulk_create(
        ProhibitedPair(tournament=tournament, one_id=one, other_id=other) for one, other in sorted(map(sorted, pairs))
    )


def pairs_of(tournament: Tournament) -> list[list[int]]:
    """Return the prohibited pairs by entry id, in order. One query."""
    return [list(pair) for pair in tournament.prohibited_pairs.values_list("one_id", "other_id")]


def _in_order(tournament: Tournament, pairs: Iterable[Sequence[int]]) -> list[list[int]]:
    known = set(Entry.objects.filter(tournament=tournament).values_list("pk", flat=True))
    found = set()
    for pair in pairs:
        if len(pair) != 2 or len(set(pair)) != 2 or not known.issuperset(pair):
            raise BadInput("prohibited.unknown_pair", field="prohibited_pairs", value=list(pair))
        found.add(tuple(sorted(pair)))
    return [list(pair) for pair in sorted(found)]
