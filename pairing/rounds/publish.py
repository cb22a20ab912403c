"""Publish pairings and results, and end the time for reporting mistakes."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import cast

from django.contrib.auth.models import User

from pairing.rounds.absences import absences_settle
from pairing.rounds.announce import require_as_announced
from pairing.rounds.checklist import Checklist, checklist
from pairing.rounds.corrections import waiting_apply
from pairing.rounds.draft_views import viewed_draft
from pairing.rounds.facts import round_facts
from pairing.rounds.pair import is_stale
from pairing.rounds.players_reports import delete_reports
from pairing.rounds.second_reading import require_read
from pairing.rounds.snapshot import close_group_a
from pairing.rounds.steps import facts_of, require_seen_version
from pairing.rules import rounds as policy
from pairing.rules.check_in import may_give_bye
from pairing.rules.corrections import deadline_after, may_cut_short, may_end_reports
from pairing.rules.fide_mode import may_leave
from pairing.rules.initial_order import list_closes_itself
from pairing.rules.reasons import is_reason
from pairing.rules.rounds import RoundState
from pairing.rules.verdict import Verdict
from tournaments.core import permissions
from tournaments.core.actions import OpenAction, open_action, require, require_seen
from tournaments.core.chosen_rules import handling, left_fide_mode
from tournaments.core.errors import BadInput
from tournaments.core.many_rows import save_fields
from tournaments.core.participants import close_open_list
from tournaments.core.permissions import Power
from tournaments.models import Game, GameResult, Round, Tournament
from tournaments.models.payload_round_data import (
    PublishedPairings,
    PublishedResults,
    Punctuality,
    ViewedDraft,
)
from tournaments.models.payloads import (
    DeadlineCutShort,
    GamesAdjourned,
    PairingsPublished,
    ResultsPublished,
)


def round_publish(
    *,
    round_id: int,
    actor: User,
    now: datetime,
    seen_version: int | None = None,
    cut_short: str | None = None,
    leave_fide_mode: bool = False,
    bye_not_seen: bool = False,
    automatically: bool = False,
) -> Round:
    """Publish the pairings of a draft. From now on only [C.04.2/2026 4.3]
    and [C.04.2/2026 4.4] can change them.

    Refused with ``round.already_published`` if they are public already, and with ``draft.stale`` if
    the data of the draft has changed. :class:`Conflict` if the draft is not the one of
    *seen_version* (:func:`~pairing.rounds.versions.round_version`): nobody publishes boards they
    have not seen.

    Refused with ``announcement.contradicted`` if a board that was announced as certain is not in
    the draft.

    The record keeps what was open then (:mod:`~pairing.rounds.checklist`). This ends the time to
    report mistakes in the previous round, and does the corrections that waited for this
    publication. While that time still runs, only the Chief Arbiter can end it early, with the
    reason *cut_short* (:func:`~pairing.rules.corrections.may_cut_short`).

    Pairings arranged by hand that break a basic rule need another confirmation of the Chief
    Arbiter, *leave_fide_mode* (:func:`~pairing.rules.fide_mode.may_leave`). *bye_not_seen* confirms
    that the allocated bye goes to a player who is coming and was not seen
    (:func:`~pairing.rules.check_in.may_give_bye`).

    *automatically*: nobody pressed the button, and *actor* is the arbiter who set that
    (:mod:`.automatic`).
    """
    with open_action(actor=actor, now=now, rounds=round_id) as action:
        tournament = action.tournament
        round_ = Round.objects.get(pk=round_id)
        seen = checklist(tournament, round_, now)
        _require_draft_as_seen(tournament, round_, seen, seen_version)
        require(may_give_bye(seen.bye_not_seen, confirmed=bye_not_seen))
        _cut_deadline_short(action, round_, cut_short)
        punctuality = _punctuality(announced_pairings(tournament, round_), now, automatically)
        taken = _taken(seen, viewed_draft(round_), punctuality)
        if _leaves_fide_mode(action, seen, confirmed=leave_fide_mode):
            _leave_fide_mode(tournament, round_)
            taken["leaves_fide_mode"] = True
        _set_published(round_, now)
        if round_.number == 1 and tournament.acceleration:
            taken["group_a_last"] = close_group_a(tournament)
        _run_deadline(tournament, until=None)
        action.record(
            PairingsPublished(before={"state": RoundState.DRAFT.value}, after=taken),
            article="C.04.2 4.4",
            round_number=round_.number,
        )
        waiting_apply(action, round_.number)
        _close_list_if_last(action, round_.number)
    return round_


def _require_draft_as_seen(
    tournament: Tournament, round_: Round, seen: Checklist, seen_version: int | None
) -> None:
    """Refuse a draft that may not be published now, is not that of *seen_version*,
    or contradicts an announcement.
    """
    stale = is_stale(round_, tournament)
    require(policy.may_publish(facts_of(round_), draft_is_stale=stale, unconfirmed=seen.missing))
    require_seen_version(round_, seen_version)
    require_as_announced(tournament, round_)


def _taken(seen: Checklist, viewers: ViewedDraft, punctuality: Punctuality) -> PublishedPairings:
    """Return what the record keeps of published pairings in any case."""
    taken: PublishedPairings = {
        "state": RoundState.PAIRINGS_PUBLISHED.value,
        "open_points": seen.recorded,
    }
    return {**taken, **viewers, **punctuality}


def _leave_fide_mode(tournament: Tournament, round_: Round) -> None:
    """Save that the tournament is out of FIDE mode from *round_* on."""
    tournament.left_fide_mode = round_.number
    tournament.save(update_fields=["left_fide_mode"])


def _set_published(round_: Round, now: datetime) -> None:
    """Save that the pairings of *round_* are published *now*."""
    round_.state = RoundState.PAIRINGS_PUBLISHED
    round_.published_at = now
    round_.save(update_fields=["state", "published_at"])


def _close_list_if_last(action: OpenAction, number: int) -> None:
    """Close an open list with the last pairings that allow no more entries [C.04.2/2026 2.5]."""
    tournament = action.tournament
    last_late = handling(tournament).last_late_round
    if list_closes_itself(number, tournament.total_rounds, last_late_round=last_late):
        close_open_list(action)


def results_publish(
    *,
    round_id: int,
    actor: User,
    now: datetime,
    adjourning: Collection[int] = (),
    seen_version: int | None = None,
    before_time: bool = False,
    automatically: bool = False,
) -> Round:
    """Publish the results of a round [C.04.2/2026 4.2]. Refused with
    the numbers of the boards without a result.

    The boards *adjourning* may be without one: their games are adjourned and count as draws for
    pairing only, until their results are entered [C.04.2/2026 3.1]. The last round, and with it the
    final standings, waits for every adjourned game. The deadline to report mistakes starts now, or
    at the announced time if that is later [C.04.2/2026 4.3]; *before_time* confirms that the
    results are published earlier than announced. By the rules of 2017 the players absent without
    notice are withdrawn [C.04.2/2017 D.2]. :class:`Conflict` if results or boards have changed
    since *seen_version* (:func:`~pairing.rounds.versions.round_version`). Refused with the boards
    on which a second reading differs and nobody has decided, or is missing and required.
    *automatically* as in :func:`round_publish`.
    """
    with open_action(actor=actor, now=now, rounds=round_id) as action:
        tournament = action.tournament
        round_ = Round.objects.get(pk=round_id)
        verdict, missing, adjourned = may_publish_results_now(tournament, round_, adjourning)
        require(verdict)
        require_read(tournament, round_)
        require_seen_version(round_, seen_version)
        require(policy.may_publish_early(round_.results_due_at, now, confirmed=before_time))
        for game in missing:
            game.result = GameResult.ADJOURNED
            game.version += 1
        save_fields(missing, ["result", "version"])
        _record_adjourned(action, round_, [*missing, *adjourned])
        round_.state = RoundState.RESULTS_PUBLISHED
        round_.results_published_at = now
        round_.save(update_fields=["state", "results_published_at"])
        absences_settle(action, round_.number)
        delete_reports(round_)
        minutes = tournament.correction_minutes if handling(tournament).has_deadline else None
        until = deadline_after(now, minutes, round_.results_due_at)
        _run_deadline(tournament, until=until)
        published: PublishedResults = {"state": RoundState.RESULTS_PUBLISHED.value}
        if until is not None:
            published["until"] = until.isoformat()
        published.update(
            cast(PublishedResults, _punctuality(round_.results_due_at, now, automatically))
        )
        action.record(
            ResultsPublished(
                before={"state": RoundState.PAIRINGS_PUBLISHED.value}, after=published
            ),
            article="C.04.2 4.2",
            round_number=round_.number,
        )
    return round_


def deadline_end(
    *, tournament_id: int, actor: User, now: datetime, reason: str, seen_version: int | None = None
) -> Tournament:
    """End the time to report mistakes after the last round,
    with a *reason*. Only the Chief Arbiter can do this.

    A mistake reported later counts as after any deadline: the Chief Arbiter chooses what it
    affects. ``BadInput`` without a reason; refused by
    :func:`~pairing.rules.corrections.may_end_reports`; :class:`Conflict` if the tournament has
    changed since *seen_version*.
    """
    with open_action(actor=actor, now=now, pk=tournament_id, powers=(Power.DECIDE,)) as action:
        tournament = action.tournament
        require_seen(seen_version, tournament.version, "final.moved_meanwhile")
        until, rounds = tournament.corrections_until, round_facts(tournament)
        require(may_end_reports(until, now, is_over=policy.is_over(rounds)))
        if not is_reason(reason):
            raise BadInput("deadline.reason_missing", field="reason")
        assert until is not None
        _run_deadline(tournament, until=now)
        action.record(
            DeadlineCutShort(
                before={"until": until.isoformat()},
                after={
                    "minutes_left": policy.minutes_after(now, until),
                    "by_round": len(rounds),
                    "ended": True,
                },
            ),
            article="C.04.2 4.3",
            round_number=len(rounds),
            reason=reason.strip(),
        )
    return tournament


def announced_pairings(tournament: Tournament, round_: Round) -> datetime | None:
    """Return the announced time of the pairings of *round_*, if published automatically."""
    if tournament.automatic_pairings is None or round_.starts_at is None:
        return None
    return round_.starts_at - timedelta(minutes=tournament.automatic_pairings)


def may_publish_results_now(
    tournament: Tournament, round_: Round, adjourning: Collection[int] = ()
) -> tuple[Verdict, list[Game], list[Game]]:
    """Return whether the results of *round_* may be published, as far as its games say.

    With the verdict: its games without a result, and the adjourned games of all rounds up to it.
    One query.
    """
    games = Game.objects.filter(round__tournament=tournament)
    open_games = games.filter(result__in=(GameResult.NOT_YET, GameResult.ADJOURNED)).select_related(
        "round"
    )
    missing, adjourned = _split(round_, open_games.order_by("round__number", "board", "pk"))
    verdict = policy.may_publish_results(
        facts_of(round_, missing=tuple(dict.fromkeys(game.board for game in missing))),
        adjourning=adjourning,
        is_last=round_.number == tournament.total_rounds,
        adjourned=list(dict.fromkeys(f"{game.round.number}/{game.board}" for game in adjourned)),
    )
    return verdict, missing, adjourned


def _punctuality(announced: datetime | None, now: datetime, automatically: bool) -> Punctuality:
    """Return any announced time and the minutes after it, for the record [C.04.2/2026 4.2]."""
    found: Punctuality = {}
    if announced is not None:
        found["announced_for"] = announced.isoformat()
        found["minutes_late"] = policy.minutes_late(announced, now)
    if automatically:
        found["automatically"] = True
    return found


def _split(round_: Round, open_games: Iterable[Game]) -> tuple[list[Game], list[Game]]:
    """Return the games of *round_* without a result, and all adjourned games up to it."""
    missing, adjourned = [], []
    for game in open_games:
        if game.result == GameResult.ADJOURNED:
            adjourned.append(game)
        elif game.round_id == round_.pk:
            missing.append(game)
    return missing, adjourned


def _record_adjourned(action: OpenAction, round_: Round, games: Iterable[Game]) -> None:
    """Record the boards of *round_* adjourned when its results are published [C.04.2/2026 3.1]."""
    boards = sorted({game.board for game in games if game.round_id == round_.pk})
    if boards:
        action.record(
            GamesAdjourned(before={}, after={"boards": boards}),
            article="C.04.2 3.1",
            round_number=round_.number,
        )


def _run_deadline(tournament: Tournament, *, until: datetime | None) -> None:
    """Set, for the public page, the deadline to report mistakes [C.04.2/2026 4.3]."""
    if tournament.corrections_until != until:
        tournament.corrections_until = until
        tournament.save(update_fields=["corrections_until"])


def _leaves_fide_mode(action: OpenAction, seen: Checklist, *, confirmed: bool) -> bool:
    """Return whether this leaves FIDE mode, which the Chief Arbiter must have *confirmed*."""
    is_left = left_fide_mode(action.tournament) is not None
    decides = permissions.may_decide(action.actor, action.tournament)
    require(may_leave(seen.broken, is_left=is_left, decides=decides, confirmed=confirmed))
    return seen.breaks_basic_rules and not is_left


def _cut_deadline_short(action: OpenAction, round_: Round, reason: str | None) -> None:
    """Record the publication of *round_* before the deadline, or refuse it [C.04.2/2026 4.3].

    *reason* is None without such a decision; ``BadInput`` if it is too short.
    """
    until, now = action.tournament.corrections_until, action.now
    decides = permissions.may_decide(action.actor, action.tournament)
    require(may_cut_short(until, now, decides=decides, decided=reason is not None))
    if until is not None and until > now:
        if not is_reason(reason or ""):
            raise BadInput("deadline.reason_missing", field="reason")
        action.record(
            DeadlineCutShort(
                before={"until": until.isoformat()},
                after={"minutes_left": policy.minutes_after(now, until), "by_round": round_.number},
            ),
            article="C.04.2 4.3",
            round_number=round_.number - 1,
            reason=(reason or "").strip(),
        )
