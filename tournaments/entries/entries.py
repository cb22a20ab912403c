"""Enter, change, withdraw and remove players, and assign pairing numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, cast

from django.contrib.auth.models import User
from django.db.models import F

from pairing.record.player_fields import RECORDED
from pairing.rounds.attendance import check_in, check_in_of, not_arrived
from pairing.rounds.facts import missed_rounds, participant as read_participant, round_facts
from pairing.rounds.paired_before import ever_paired
from pairing.rounds.seats import set_tables
from pairing.rules import entries as policy
from pairing.rules.check_in import may_tick
from pairing.rules.corrections import CorrectionKind, may_mend_rating
from pairing.rules.initial_order import initial_order, may_assign_numbers, with_late_entries
from pairing.rules.published import Situation
from pairing.rules.reasons import is_reason
from pairing.rules.rounds import RoundState, next_unpublished
from tournaments.core import page_store, permissions
from tournaments.core.actions import OpenAction, open_action, require, require_compared
from tournaments.core.chosen_rules import handling
from tournaments.core.errors import BadInput
from tournaments.core.many_rows import save_fields
from tournaments.core.newer_lines import OF_THE_LIST, require_nothing_newer, require_player_as_seen
from tournaments.core.numbers import reserve_keys
from tournaments.core.rating import take_rating
from tournaments.core.validation import require_federation, set_fields, validate
from tournaments.entries.fields import ends_answer, tidied, unlike, with_initials
from tournaments.entries.ranking_changes import (
    has_begun,
    name_reorders,
    names_another,
    require_may_rank_anew,
)
from tournaments.models import Action, Entry, Game, ListState, RatingSource, Round, Tournament
from tournaments.models.payload_data import CheckedIn, EntryData, ExpelledFrom, Player
from tournaments.models.payloads import (
    EntryAdded,
    EntryCheckedOut,
    EntryRatingChanged,
    EntryRemoved,
    EntryReturned,
    EntryUpdated,
    EntryWithdrawn,
    NumbersAssigned,
)

RATINGS: Final = frozenset({"fide_rating", "national_rating", "second_rating"})
"""The ratings from which the methods of the tournament choose."""

RANKING: Final = RATINGS | {"rating", "rating_source", "title"}
_BY_NAME: Final = tuple(sorted(RECORDED))


def entry_add(
    *,
    tournament_id: int,
    actor: User,
    now: datetime,
    name: str,
    compared: int | None = None,
    **fields: object,
) -> Entry:
    """Enter a participant. After round 1 is paired this is a late entry [C.04.2/2026 2.4].

    A late entry is paired from the next round whose pairings are not published (or from
    ``first_round`` if given) and gets the TPN of its place in the ranking, in every round; the
    players below move down by one [C.04.2/2026 2.4]. For each missed round it gets the bye of the
    regulations, by default without points. While the last round is played, its first round is the
    one after the last: only a pairing change can give it a place [C.04.2/2026 4.4.4]. Without
    ``rating`` the player is ordered by the FIDE rating, else the national one [C.04.2/2026 2.1].
    ``DataMoved`` if the tournament no longer has *compared*.
    """
    newcomer = Newcomer.from_fields({"name": name, **fields}, now=now)
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        tournament = action.tournament
        require_compared(compared, tournament)
        (entry,) = admit(tournament, [newcomer])
        late = entry.first_round > 1
        action.record(
            EntryAdded(before={}, after=described(entry)),
            article="C.04.2 2.4" if late else "",
            changes_pairing=True,
        )
    return entry


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A participant who is not saved yet.

    ``first_round`` None: from the next possible round. ``takes_rating``: ranked by the method of
    the tournament.
    """

    entry: Entry
    first_round: int | None
    takes_rating: bool

    @classmethod
    def from_fields(cls, fields: Mapping[str, object], *, now: datetime) -> Newcomer:
        """Return the participant with *fields*; no query.

        ``BadInput`` for the first field that is wrong.
        """
        entry = Entry(created_at=now)
        set_fields(entry, with_initials(entry, tidied(fields)), RECORDED)
        if "rating" in fields and "rating_source" not in fields:
            entry.rating_source = RatingSource.ESTIMATE
        validate(entry, RECORDED)
        require_federation(entry.federation)
        first_round = entry.first_round if "first_round" in fields else None
        return cls(entry, first_round, takes_rating="rating" not in fields)


def admit(tournament: Tournament, newcomers: Sequence[Newcomer]) -> list[Entry]:
    """Save *newcomers* into a locked tournament, with round and TPN of :func:`entry_add`.

    Existing numbers are moved once for all newcomers, so the cost does not grow with newcomers
    times participants.
    """
    rounds = round_facts(tournament)
    list_closed = tournament.list_state == ListState.DEFINITIVE
    edition = handling(tournament)
    for wanted in {newcomer.first_round for newcomer in newcomers}:
        require(
            policy.may_enter(
                rounds,
                wanted,
                list_closed=list_closed,
                last_late_round=edition.last_late_round,
                may_be_admitted=Situation.LATE_ENTRY in edition.situations,
            )
        )
    following = next_unpublished(rounds) or policy.after_the_last(rounds) or 1
    entries = [newcomer.entry for newcomer in newcomers]
    for newcomer in newcomers:
        newcomer.entry.tournament = tournament
        newcomer.entry.first_round = newcomer.first_round or following
        if newcomer.takes_rating:
            take_rating(newcomer.entry, tournament)
    _require_free_fide_ids(tournament, entries)
    unnumbered = [
        entry for entry in entries if not entry.pk
    ]  # Undo enters a player with the number of before.
    for entry, number in zip(unnumbered, reserve_keys(Entry, len(unnumbered)), strict=True):
        entry.pk = number
    entries = Entry.objects.bulk_create(entries)
    if rounds[0].state is not RoundState.PLANNED:
        missed_rounds(tournament, entries)
        numbered = Entry.objects.filter(tournament=tournament, tpn__isnull=False).order_by("tpn")
        known = {entry.pk: entry for entry in (*numbered, *entries)}
        ranking = {pk: read_participant(tournament, entry) for pk, entry in known.items()}
        order = with_late_entries(
            [ranking[entry.pk] for entry in entries], [ranking[entry.pk] for entry in numbered]
        )
        renumber(tournament, [known[participant.key] for participant in order])
    return entries


def entry_update(
    *,
    entry_id: int,
    actor: User,
    now: datetime,
    reason: str = "",
    compared: int | None = None,
    **fields: object,
) -> Entry:
    """Change the data of a participant at any time [C.04.2/2026 2.3];
    the numbers stay until they are assigned again.

    A changed rating also changes the order if it comes from that rating. After results are
    published a rating changes only by a correction (``rating_correct``) [C.04.2/2026 4.3.3]. After
    round 1 has been paired, only the Chief Arbiter can change the other data of the ranking, with a
    *reason* and as a separate action in the record
    (:func:`~pairing.rules.initial_order.may_change_rating`), or enter a name that changes the order
    of equal players (:func:`~pairing.rules.initial_order.may_rename`). Another name, FIDE ID or
    date of birth then needs a *reason*. ``DataMoved`` as in :func:`entry_add`.
    """
    with open_action(actor=actor, now=now, entries=entry_id) as action:
        require_compared(compared, action.tournament)
        return change_entry(action, Entry.objects.get(pk=entry_id), fields, reason)


def change_entry(
    action: OpenAction, entry: Entry, fields: Mapping[str, object], reason: str = ""
) -> Entry:
    """Change the data of *entry* in an open action, as described in :func:`entry_update`."""
    tournament = action.tournament
    old, was = described(entry), entry.real_name
    changed = set_fields(entry, with_initials(entry, tidied(fields)), RECORDED)
    if "rating" in changed and "rating_source" not in fields:
        entry.rating_source = RatingSource.ESTIMATE
    elif RATINGS & set(changed) and entry.rating_source != RatingSource.ESTIMATE:
        take_rating(entry, tournament)
    if not changed:
        return entry
    if (RATINGS | {"rating", "rating_source"}) & set(changed):
        article = handling(tournament).corrections[CorrectionKind.RATING]
        require(may_mend_rating(round_facts(tournament), article=article))
    ranks_anew = not RANKING.isdisjoint(changed) and has_begun(tournament)
    if ranks_anew:
        require_may_rank_anew(tournament, entry, changed, action.actor, reason)
    # Initials instead of the name are the same player.
    changed_names = {*changed} - {"name"} | ({"name"} if entry.real_name != was else set())
    reorders = (
        not ranks_anew
        and "name" in changed_names
        and name_reorders(tournament, entry, action.actor, reason)
    )
    keeps_reason = names_another(tournament, changed_names, reason) or ranks_anew or reorders
    if "first_round" in changed:
        rounds, last_late_round = round_facts(tournament), handling(tournament).last_late_round
        require(policy.may_change_first_round(rounds, old["first_round"]))
        require(policy.may_enter(rounds, entry.first_round, last_late_round=last_late_round))
    held_back = ends_answer(entry)
    validate(entry, RECORDED)
    if "federation" in changed:
        require_federation(entry.federation)
    if "fide_id" in changed:
        _require_free_fide_ids(tournament, [entry])
    entry.save()
    if entry.full_name and not old["full_name"]:
        page_store.forget_tournament(tournament.pk)
    if "fixed_table" in changed:
        for draft in Round.objects.filter(tournament=tournament, state=RoundState.DRAFT):
            set_tables(draft)
            # The open page of a draft shows the old data: it must not publish that draft.
            Game.objects.filter(round=draft).update(version=F("version") + 1)
    new = described(entry)
    payload_of = EntryRatingChanged if ranks_anew else EntryUpdated
    action.record(
        payload_of(before=unlike(old, new), after=unlike(new, old)),
        article="C.04.2 2.3",
        reason=reason.strip() if keeps_reason else "",
        changes_pairing="first_round" in changed or held_back,
    )
    return entry


def entry_remove(
    *, entry_id: int, actor: User, now: datetime, reason: str = "", seen_version: int | None = None
) -> None:
    """Remove an entry as if it had never been. Only before round 1 is paired.

    If numbers were assigned, the players below move up by one. If there was a draft of round 1,
    only the Chief Arbiter can remove an entry, with a *reason*
    (:func:`~pairing.rules.entries.may_remove`). :class:`Conflict` if the player has changed since
    *seen_version*; this holds for all actions on one player.
    """
    with open_action(actor=actor, now=now, entries=entry_id) as action:
        entry = Entry.objects.get(pk=entry_id)
        require_player_as_seen(action.tournament, entry, seen_version)
        remove_entry(action, entry, reason)


def remove_entry(action: OpenAction, entry: Entry, reason: str = "") -> None:
    """Remove *entry* in an open action, as described in :func:`entry_remove`."""
    tournament = action.tournament
    decides, again = permissions.may_decide(action.actor, tournament), ever_paired(tournament) > 0
    require(policy.may_remove(round_facts(tournament), decides=decides, ever_paired=again))
    if again and not is_reason(reason):
        raise BadInput("entry.removal_reason_missing", field="reason")
    before = described(entry)
    entry.delete()
    renumber(
        tournament,
        list(Entry.objects.filter(tournament=tournament, tpn__isnull=False).order_by("tpn")),
    )
    action.record(
        EntryRemoved(before=before, after={}),
        reason=reason.strip() if again else "",
        changes_pairing=True,
    )


def entry_withdraw(
    *,
    entry_id: int,
    actor: User,
    now: datetime,
    from_round: int | None = None,
    seen_version: int | None = None,
) -> Entry:
    """Withdraw a participant from *from_round* (None: the next) on [C.04.2/2026 3.2].

    During the last round, the next one is the number after it: the player leaves the event.
    """
    with open_action(actor=actor, now=now, entries=entry_id) as action:
        tournament = action.tournament
        entry = Entry.objects.get(pk=entry_id)
        rounds = round_facts(tournament)
        first = (
            from_round if from_round is not None else next_unpublished(rounds) or len(rounds) + 1
        )
        before = entry.withdrawn_from
        require(
            policy.may_withdraw(
                rounds, first, gone_from=before, expelled=entry.pk in tournament.expelled
            )
        )
        if before == first:
            return entry
        require_player_as_seen(tournament, entry, seen_version)
        entry.withdrawn_from = first
        entry.save(update_fields=["withdrawn_from"])
        player = about(entry)
        withdrawn = EntryWithdrawn(
            before={**player, "value": before}, after={**player, "value": first}
        )
        action.record(withdrawn, article="C.04.2 3.2", changes_pairing=True)
    return entry


def entry_return(
    *, entry_id: int, actor: User, now: datetime, reason: str, seen_version: int | None = None
) -> Entry:
    """Bring a withdrawn participant back from the next round on; missed rounds stay missed.

    Only the Chief Arbiter can do this, with a *reason* (``BadInput`` without one), because no
    article provides for it.
    """
    with open_action(actor=actor, now=now, entries=entry_id) as action:
        tournament = action.tournament
        permissions.require_may_decide(actor, tournament)
        entry = Entry.objects.get(pk=entry_id)
        before = entry.withdrawn_from
        require(policy.may_return(withdrawn=before is not None))
        assert before is not None
        require_player_as_seen(tournament, entry, seen_version)
        if not is_reason(reason):
            raise BadInput("return.reason_missing", field="reason")
        entry.withdrawn_from = None
        entry.save(update_fields=["withdrawn_from"])
        player = about(entry)
        gone: ExpelledFrom = {
            "entry": entry.pk,
            "name": entry.name,
            "tpn": entry.tpn,
            "value": before,
        }
        if entry.pk in tournament.expelled:
            tournament.expelled = [pk for pk in tournament.expelled if pk != entry.pk]
            tournament.save(update_fields=["expelled"])
            gone["expelled"] = True
        returned = EntryReturned(before=gone, after={**player, "value": None})
        action.record(returned, reason=reason.strip(), changes_pairing=True)
    return entry


def entry_check_in(
    *, entry_id: int, actor: User, now: datetime, checked_in: bool, by_player: bool = False
) -> Entry:
    """Check a participant in or out [C.04.2/2026 4.1]. Missing players
    stay on the list until the arbiter decides.

    Refused while the check-in is closed, except for a player who arrives: a late entry, or one
    about whom the arbiter has answered. The answer ends; if it was not to pair the player, a draft
    is out of date. *by_player*: the player did it at the self check-in that *actor* has opened.
    """
    with open_action(
        actor=actor, now=now, entries=entry_id, powers=(permissions.Power.CHECK_IN,)
    ) as action:
        tournament = action.tournament
        entry = Entry.objects.get(pk=entry_id)
        if entry.checked_in == checked_in:
            return entry
        arrives = checked_in and (bool(entry.answer) or bool(not_arrived([entry])))
        require(may_tick(check_in_of(tournament), arrives=arrives))
        if checked_in:
            check_in(action, entry, by_player=by_player)
            return entry
        entry.checked_in, entry.answer = False, ""
        entry.save(update_fields=["checked_in", "answer"])
        gone: CheckedIn = {"entry": entry.pk, "name": entry.name}
        action.record(EntryCheckedOut(before={}, after=gone), article="C.04.2 4.1", is_public=False)
    return entry


OF_THE_ORDER: Final = (*OF_THE_LIST, Action.TOURNAMENT_UPDATED)
"""Actions that may change the order of the players."""


def numbers_assign(
    *, tournament_id: int, actor: User, now: datetime, seen_version: int | None = None
) -> list[Entry]:
    """Rank participants by rating, title and name; number them from 1 [C.04.2/2026 2.2, 2.3].

    Opponents and colours of earlier rounds belong to the player, not to the number. Refused after
    round 4 was paired. :class:`Conflict` if the list or a setting has changed since *seen_version*:
    nobody assigns numbers they have not seen. A player who is checked in meanwhile changes no
    order.
    """
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        tournament = action.tournament
        entries = {entry.pk: entry for entry in Entry.objects.filter(tournament=tournament)}
        facts, paired = round_facts(tournament), ever_paired(tournament)
        require(may_assign_numbers(facts, participants=len(entries), ever_paired=paired))
        require_nothing_newer(tournament, seen_version, OF_THE_ORDER, "numbers.moved_meanwhile")
        before = {str(entry.pk): entry.tpn for entry in entries.values()}
        ranked = [
            entries[player.key]
            for player in initial_order(
                read_participant(tournament, entry) for entry in entries.values()
            )
        ]
        renumber(tournament, ranked)
        after = {str(entry.pk): tpn for tpn, entry in enumerate(ranked, start=1)}
        if after != before:
            action.record(
                NumbersAssigned(
                    before={"tpn": before},
                    after={"tpn": after, "names": {str(entry.tpn): entry.name for entry in ranked}},
                ),
                article="C.04.2 2.2",
                changes_pairing=True,
            )
    return ranked


def described(entry: Entry) -> EntryData:
    """Return the data of a participant for the record: number, and :data:`RECORDED` by name."""
    values = {name: getattr(entry, name) for name in _BY_NAME}
    return cast(EntryData, {"entry": entry.pk, "tpn": entry.tpn, **values})


def renumber(tournament: Tournament, ranked: Sequence[Entry]) -> None:
    """Give *ranked* the numbers from 1, in two steps, because no two entries
    may have the same number at any moment.

    The first ones are not touched as long as their numbers stay.
    """
    first = next((place for place, entry in enumerate(ranked) if entry.tpn != place + 1), None)
    if first is None:
        return
    Entry.objects.filter(tournament=tournament, tpn__gt=first).update(tpn=None)
    for tpn, entry in enumerate(ranked[first:], start=first + 1):
        entry.tpn = tpn
    save_fields(ranked[first:], ["tpn"])


def _require_free_fide_ids(tournament: Tournament, entries: Sequence[Entry]) -> None:
    """Refuse *entries* with the FIDE ID of another participant of *tournament*.

    One query, if one has a FIDE ID.
    """
    wanted = {entry.fide_id: entry for entry in entries if entry.fide_id is not None}
    if not wanted:
        return
    others = Entry.objects.filter(tournament=tournament, fide_id__isnull=False)
    for other in others:
        if other.fide_id in wanted and wanted[other.fide_id].pk != other.pk:
            raise BadInput(
                "entry.fide_id_taken", field="fide_id", fide_id=other.fide_id, name=other.real_name
            )


def about(entry: Entry) -> Player:
    return {"entry": entry.pk, "name": entry.name, "tpn": entry.tpn}
