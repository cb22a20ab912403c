"""Set the pairs of players whom the regulations keep apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from django.contrib.auth.models import User

from pairing.rounds.facts import round_facts
from pairing.rounds.paired_before import ever_paired
from pairing.rules import regulations
from pairing.rules.reasons import is_reason
from tournaments.core import permissions
from tournaments.core.actions import open_action, require
from tournaments.core.errors import BadInput, Conflict
from tournaments.models import Entry, ProhibitedPair, Tournament
from tournaments.models.payloads import ProhibitedPairsSet
from tournaments.models.regulations import pairs_of

MOST_PAIRS: Final = 2_000
"""A club of 63 players; each pair costs the engine time in every round."""


def prohibited_pairs_set(
    *,
    tournament_id: int,
    actor: User,
    now: datetime,
    pairs: Sequence[Sequence[int]],
    reason: str = "",
    seen: str | None = None,
) -> Tournament:
    """Replace the prohibited pairs by *pairs*, each of two entry ids and, if the pair is not
    prohibited in all rounds, the last round in which it is [C.04.2/2026 1.5]. Only before round 1
    is paired.

    Once there was a draft of round 1, only the Chief Arbiter can do it, with a *reason*. Without a
    change no line is written. ``BadInput`` for a pair that is not two different participants, and
    for more than :data:`MOST_PAIRS`. :class:`Conflict` if the present pairs are not those *seen*,
    as :func:`shown` writes them; None: nobody saw them.
    """
    if len(pairs) > MOST_PAIRS:
        raise BadInput("prohibited.too_many", field="prohibited_pairs", limit=MOST_PAIRS)
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        tournament = action.tournament
        new, old = _in_order(tournament, pairs), pairs_of(tournament)
        if seen is not None and seen != shown(old):
            raise Conflict("prohibited.moved_on")
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
        ProhibitedPair(
            tournament=tournament,
            one_id=min(pair[:2]),
            other_id=max(pair[:2]),
            last_round=_last(pair),
        )
        for pair in sorted(map(list, pairs), key=lambda pair: sorted(pair[:2]))
    )


def shown(pairs: Sequence[Sequence[int]]) -> str:
    """Return *pairs* as one text, with which a form says what it saw."""
    return repr([list(pair) for pair in pairs])


def _last(pair: Sequence[int]) -> int | None:
    return pair[2] if len(pair) > 2 else None


def _in_order(tournament: Tournament, pairs: Iterable[Sequence[int]]) -> list[list[int]]:
    known = set(Entry.objects.filter(tournament=tournament).values_list("pk", flat=True))
    found: dict[tuple[int, ...], int | None] = {}
    for pair in pairs:
        if not 2 <= len(pair) <= 3 or len(set(pair[:2])) != 2 or not known.issuperset(pair[:2]):
            raise BadInput("prohibited.unknown_pair", field="prohibited_pairs", value=list(pair))
        two, last = tuple(sorted(pair[:2])), _last(pair)
        if last is not None and not 1 <= last <= tournament.total_rounds:
            raise BadInput("prohibited.unknown_round", field="prohibited_pairs", value=last)
        # Of two prohibitions of a pair the longer one holds.
        longer = (
            last if two not in found or last is None else found[two] and max(last, found[two] or 0)
        )
        found[two] = longer
    return [
        [*two] if last is None else [*two, last]
        for two, last in sorted(found.items(), key=lambda item: item[0])
    ]
