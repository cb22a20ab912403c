"""Change published pairings [C.04.2/2026 4.4]."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from django.contrib.auth.models import User

from pairing.engine.model import TPN, TournamentState
from pairing.rounds.arrange import (
    Pairings,
    arrangement,
    as_recorded,
    changed_places,
    require_named,
    require_reason,
    require_unmoved,
    reseat,
)
from pairing.rounds.attendance import check_in_skipped
from pairing.rounds.change_page import changeable
from pairing.rules import manual, publication
from pairing.rules.published import Arrangement, Published, Situation, affected
from pairing.rules.reasons import is_reason
from pairing.rules.situations import Given, newcomers
from tournaments.core.actions import open_action
from tournaments.core.errors import BadInput
from tournaments.core.permissions import require_may_decide
from tournaments.core.witness import one_line
from tournaments.models import Entry, Round, Tournament
from tournaments.models.payload_round_data import ChangedPlaces, Consent
from tournaments.models.payloads import RoundChanged


def round_change(
    *,
    round_id: int,
    pairings: Pairings,
    situation: Situation,
    consents: Collection[int],
    reason: str,
    actor: User,
    now: datetime,
    seen_version: int | None = None,
    concerned: Collection[int] = (),
    further: str = "",
    exception: str = "",
    started: bool = False,
    consented_at: datetime | None = None,
    witness: str = "",
) -> Round:
    """Change published pairings in *situation* [C.04.2/2026 4.4]; *consents*: entries who agreed.

    They agreed at *consented_at*, by default now, in front of *witness*. ``BadInput`` for consents
    without a witness, or at a time before the publication of the pairings or in the future.

    Only the Chief Arbiter can do this. :func:`~pairing.rules.publication.may_change` checks that
    the situation applies, and that no more changes than necessary, or that there is a reason
    *further* for it; *concerned* are the boards that the regulations or the event concern (4.4.2,
    4.4.5). A colour rule that has to be broken needs a reason *exception*, and games whose
    announced start has passed the confirmation *started*
    (:func:`~pairing.rules.publication.may_deviate`). The record keeps all of this, the boards
    before and after, and the warnings. A late entry who gets a place is paired from this round on,
    and a player who was to be left out until checked in is checked in.
    :class:`Conflict` if the tournament has changed since *seen_version*.
    """
    with open_action(actor=actor, now=now, rounds=round_id) as action:
        tournament = action.tournament
        require_may_decide(actor, tournament)
        round_ = Round.objects.get(pk=round_id)
        facts, state, entries = changeable(tournament, round_, at=now)
        after = arrangement(pairings, entries)
        agreed = frozenset(tpn for tpn, entry in entries.items() if entry.pk in consents)
        given = _given(concerned, further=further, exception=exception, started=started)
        _require_allowed(facts, after, situation, agreed, given, entries)
        require_reason(reason)
        require_unmoved(tournament, seen_version)
        reseat(tournament, round_, facts.now, after, entries)
        new = [entries[tpn].pk for tpn in newcomers(facts, after)]
        Entry.objects.filter(pk__in=new).update(first_round=round_.number)
        check_in_skipped(action, (entries[tpn] for tpn in after.opponents()))
        names = [entries[tpn].name for tpn in affected(facts.now, after) if tpn in agreed]
        changed = _changed(tournament, facts, state, after, entries)
        changed["consents"] = _consents(round_, names, consented_at or now, witness, now)
        _state(changed, facts, after, situation, given, further=further, exception=exception)
        action.record(
            RoundChanged(before=changed_places(facts.now, after, entries), after=changed),
            article=facts.situations[situation],
            round_number=round_.number,
            reason=reason.strip(),
            changes_pairing=True,
        )
    return round_


def _given(concerned: Collection[int], *, further: str, exception: str, started: bool) -> Given:
    """Return what the Chief Arbiter states, of the reasons only whether they are there."""
    return Given(
        frozenset(concerned),
        further=is_reason(further),
        exception=is_reason(exception),
        started=started,
    )


def _require_allowed(
    facts: Published,
    after: Arrangement,
    situation: Situation,
    agreed: frozenset[TPN],
    given: Given,
    entries: Mapping[TPN, Entry],
) -> None:
    """Refuse a change that *situation* does not allow, or a deviation that nobody has confirmed."""
    require_named(
        publication.may_change(facts, after, situation, consents=agreed, given=given), entries
    )
    require_named(publication.may_deviate(facts, after, situation, given=given), entries)


def _consents(
    round_: Round, names: Collection[str], at: datetime, witness: str, now: datetime
) -> list[Consent]:
    """Return the consents of *names* for the record; ``BadInput`` as for :func:`round_change`.

    The time may have no seconds, so a consent in the minute of the publication is accepted.
    """
    if not names:
        return []
    if at > now:
        raise BadInput("consent.in_the_future", field="consented_at")
    if round_.published_at is not None and at < round_.published_at.replace(
        second=0, microsecond=0
    ):
        raise BadInput("consent.before_publication", field="consented_at", round=round_.number)
    heard = one_line(witness, "witness")
    if not heard:
        raise BadInput("consent.witness_missing", field="witness")
    return [{"name": name, "at": at.isoformat(), "witness": heard} for name in names]


def _changed(
    tournament: Tournament,
    facts: Published,
    state: TournamentState,
    after: Arrangement,
    entries: Mapping[TPN, Entry],
) -> ChangedPlaces:
    """Return the places of *after* that differ and the rules they break; no consents yet."""
    places = changed_places(after, facts.now, entries)
    return {
        "boards": places["boards"],
        "names": places["names"],
        "byes": places["byes"],
        "names_of_byes": places["names_of_byes"],
        "consents": [],
        "cautions": as_recorded(tournament, manual.new_cautions(state, facts.now, after), entries),
    }


def _state(
    changed: ChangedPlaces,
    facts: Published,
    after: Arrangement,
    situation: Situation,
    given: Given,
    *,
    further: str,
    exception: str,
) -> None:
    """Add to *changed* what the Chief Arbiter stated beside the reason, if it was needed."""
    if given.concerned:
        changed["concerned"] = sorted(given.concerned)
    if publication.is_larger(facts, after, situation, concerned=given.concerned):
        changed["further"] = further.strip()
    stated = exception.strip()
    if stated and any(rule["code"] in manual.COLOUR_CODES for rule in changed["cautions"]):
        changed["exception"] = stated
    if started := publication.games_started(facts, after):
        changed["started"] = list(started)
