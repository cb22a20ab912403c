"""The transactions around a round: pair, discard, publish, enter a result, publish the results."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User

from pairing.engine.checker import check
from pairing.engine.errors import InputError, InvariantError, NoLegalPairingError
from pairing.engine.model import TPN, Pairing, TournamentState
from pairing.engine.systems import pair, system_by_code
from pairing.rules import manual, rounds as policy
from pairing.rules.corrections import deadline_after, may_cut_short
from pairing.rules.publication import Arrangement
from pairing.rules.reasons import is_reason
from pairing.rules.rounds import FieldFacts, RoundFacts
from pairing.rules.verdict import Refused
from tournaments import bridge, permissions
from tournaments.models import (
    ByeKind,
    Decision,
    Entry,
    Game,
    GameResult,
    Round,
    RoundState,
    Tournament,
)
from tournaments.selectors import check_in
from tournaments.selectors.changes import PAIRED
from tournaments.selectors.rounds import round_version
from tournaments.services import changes
from tournaments.services.absences import absences_settle
from tournaments.services.acts import act_on, citing, conclude, require, require_seen
from tournaments.services.changes import Seating
from tournaments.services.corrections import waiting_apply
from tournaments.services.errors import BadInput, Conflict, RuleRefused, unreadable

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """What a pairing was computed from: if ``pairing_version`` has moved by the time it is saved, it is no use."""

    number: int
    pairing_version: int
    system: str
    state: TournamentState
    entries: dict[TPN, Entry]
    byes: dict[int, str]

    @property
    def present(self) -> frozenset[TPN]:
        """Those who are to be paired."""
        return frozenset(player.tpn for player in self.state.players) - self.state.absent


def round_pair(*, round_id: int, actor: User, now: datetime) -> Round:
    """Pair a planned round (or a draft that is out of date) by the tournament's system; the draft is the arbiter's.

    The computation runs on a snapshot before anything is locked; under the lock its version is compared. Refused by
    :func:`~pairing.rules.rounds.may_pair`, or with Article 1.9.3 where no legal pairing exists: the round stays as
    it was. :class:`Conflict` when somebody else paired the round, or changed what it depends on, in the meantime.
    ``InvariantError`` when the engine fails or the checker does not agree: a bug, and nothing is saved.
    """
    plan = round_plan(round_id, actor)
    pairing = _agreed_pairing(plan)
    with act_on(actor=actor, rounds=round_id) as tournament:
        round_ = Round.objects.get(pk=round_id)
        round_.tournament = tournament
        _require_unmoved(plan, tournament, round_)
        redone = round_.state == RoundState.DRAFT
        if redone:
            bridge.clear_pairing(round_)
        bridge.save_pairing(tournament, round_, pairing, plan.entries, plan.byes)
        _draft(round_, plan, now)
        conclude(
            tournament,
            "round.paired",
            actor=actor,
            now=now,
            article=system_by_code(plan.system).round_pairing,
            round_number=plan.number,
            before={"state": RoundState.DRAFT.value if redone else RoundState.PLANNED.value},
            after={
                "state": RoundState.DRAFT.value,
                "system": plan.system,
                "pairs": [list(pair_) for pair_ in pairing.pairs],
                "pairing_allocated_bye": pairing.bye,
                # Numbers may move, participants stay: what the engine gave is compared with later.
                "boards": [[plan.entries[white].pk, plan.entries[black].pk] for white, black in pairing.pairs],
                "not_paired": sorted(plan.state.absent),
            },
            is_public=False,
        )
    return round_


def no_legal_pairing(plan: RoundPlan) -> str:
    """The article by which the round of *plan* cannot be paired [C.04.3/2026 1.9.3]; empty where it can."""
    try:
        pair(plan.state)
    except NoLegalPairingError as error:
        return error.article
    return ""


def round_pair_by_hand(
    *, round_id: int, seating: Seating, reason: str, actor: User, now: datetime, seen_version: int | None = None
) -> Round:
    """Pair a round by hand, from nothing, where no legal pairing of it exists: the chief arbiter's act.

    [C.04.3/2026 1.9.3] leaves it to the Chief Arbiter what to do then. Everybody who would be paired gets a board, the
    allocated bye or no game; what a board breaks is kept in the record with the *reason*. Refused by
    :func:`~pairing.rules.manual.may_pair_by_hand` where the engine finds a pairing, and by what refuses
    :func:`round_pair`. The draft is like any other from then on. :class:`Conflict` when the tournament has moved on
    since *seen_version*.
    """
    plan = round_plan(round_id, actor)
    article = no_legal_pairing(plan)
    with act_on(actor=actor, rounds=round_id) as tournament:
        permissions.require_may_decide(actor, tournament)
        round_ = Round.objects.get(pk=round_id)
        round_.tournament = tournament
        _require_unmoved(plan, tournament, round_)
        changes.require_unmoved(tournament, seen_version)
        after = changes.ordered(changes.arrangement(seating, plan.entries), plan.state)
        changes.require_named(manual.may_pair_by_hand(plan.present, after, no_legal_pairing=article), plan.entries)
        changes.require_reason(reason)
        if round_.state == RoundState.DRAFT:
            bridge.clear_pairing(round_)
        bye = next((tpn for tpn, letter in after.byes.items() if letter == ByeKind.PAIRING_ALLOCATED), None)
        bridge.save_pairing(tournament, round_, Pairing(tuple(after.boards.values()), bye), plan.entries, plan.byes)
        _draft(round_, plan, now)
        nothing = Arrangement({})
        conclude(
            tournament,
            "round.paired_by_hand",
            actor=actor,
            now=now,
            article=article,
            round_number=plan.number,
            before=changes.told(nothing, after, plan.entries),
            after=changes.told(after, nothing, plan.entries)
            | {
                "cautions": changes.cautions_told(tournament, plan.state, after),
                "not_paired": sorted(plan.state.absent),
            },
            reason=reason.strip(),
            is_public=False,
        )
    return round_


def _draft(round_: Round, plan: RoundPlan, now: datetime) -> None:
    round_.state = RoundState.DRAFT
    round_.paired_at = now
    round_.paired_from_version = plan.pairing_version
    round_.save(update_fields=["state", "paired_at", "paired_from_version"])


def round_unpair(*, round_id: int, actor: User, now: datetime, seen_version: int | None = None) -> Round:
    """Throw a draft away: the round is planned again. Refused once the pairings are published [C.04.2/2026 4.4].

    :class:`Conflict` when the draft is another one than that of *seen_version*
    (:func:`~tournaments.selectors.rounds.round_version`).
    """
    with act_on(actor=actor, rounds=round_id) as tournament:
        round_ = Round.objects.get(pk=round_id)
        require(policy.may_discard(_facts(round_)))
        _require_seen(round_, seen_version)
        bridge.clear_pairing(round_)
        round_.state = RoundState.PLANNED
        round_.paired_at = None
        round_.paired_from_version = None
        round_.save(update_fields=["state", "paired_at", "paired_from_version"])
        _conclude_step(tournament, round_, "round.discarded", RoundState.DRAFT, actor=actor, now=now)
    return round_


def round_publish(
    *, round_id: int, actor: User, now: datetime, seen_version: int | None = None, cut_short: str | None = None
) -> Round:
    """Make a draft public; from then on only [C.04.2/2026 4.3] and [C.04.2/2026 4.4] can change it.

    Refused with ``round.already_published`` when it is public already, and with ``draft.stale`` when something it
    was paired from has changed since. :class:`Conflict` when the draft is another one than that of *seen_version*
    (:func:`~tournaments.selectors.rounds.round_version`): nobody publishes boards they have not seen. The time for
    reporting mistakes of the round before is over, and what was to wait for this publication is corrected now.
    While that time still runs, it is for the chief arbiter to end it, by a decision with the reason *cut_short*
    (:func:`~pairing.rules.corrections.may_cut_short`).
    """
    with act_on(actor=actor, rounds=round_id) as tournament:
        round_ = Round.objects.get(pk=round_id)
        missing = check_in.unconfirmed(tournament, round_.number)
        require(policy.may_publish(_facts(round_), draft_is_stale=is_stale(round_, tournament), unconfirmed=missing))
        _require_seen(round_, seen_version)
        _cut_deadline_short(tournament, round_, cut_short, actor=actor, now=now)
        round_.state = RoundState.PUBLISHED
        round_.published_at = now
        round_.save(update_fields=["state", "published_at"])
        if round_.number == 1:
            bridge.close_group_a(tournament)
        _run_deadline(tournament, until=None)
        _conclude_step(
            tournament, round_, "round.published", RoundState.DRAFT, actor=actor, now=now, article="C.04.2 4.4"
        )
        waiting_apply(tournament, round_.number, actor=actor, now=now)
    return round_


def result_record(*, game_id: int, result: str, actor: User, now: datetime, seen_version: int | None = None) -> Game:
    """Enter, change or (``''``) clear the result of a game: White's TRF letter and Black's, as in ``GameResult``.

    *seen_version* is the game's version on the screen of whoever typed: :class:`Conflict` when another result came
    in since. Entering what is there already changes nothing and writes nothing. Refused before the pairings are
    published and, adjourned games apart, after the results are [C.04.2/2026 4.3]. Six queries.
    """
    if result not in GameResult.values:
        raise BadInput("result.unknown", field="result", value=result, expected=[v for v in GameResult.values if v])
    with act_on(actor=actor, rounds__games=game_id) as tournament:
        game = Game.objects.select_related("round").get(pk=game_id)
        if game.result == result:
            return game
        adjourned = game.result == GameResult.ADJOURNED
        require(policy.may_record_result(_facts(game.round), adjourned=adjourned, clears=result == GameResult.NOT_YET))
        require_seen(
            seen_version,
            game.version,
            "result.changed_meanwhile",
            board=game.board,
            result=game.get_result_display(),
        )
        where, before = bridge.told_board(tournament, game), game.result
        game.result = result
        game.version += 1
        game.save(update_fields=["result", "version"])
        conclude(
            tournament,
            "result.recorded",
            actor=actor,
            now=now,
            article="C.04.2 3.1" if adjourned else "",
            round_number=game.round.number,
            before={**where, "result": before},
            after={**where, "result": result},
            # Only then may a later round have been drafted from the game as it was, and can visitors see it.
            touches_pairing=game.round.state == RoundState.RESULTS_PUBLISHED,
            is_public=game.round.state == RoundState.RESULTS_PUBLISHED,
        )
    return game


def results_publish(
    *,
    round_id: int,
    actor: User,
    now: datetime,
    adjourning: Collection[int] = (),
    seen_version: int | None = None,
) -> Round:
    """Publish the results of a round [C.04.2/2026 4.2]. Refused, with the boards named, while one has none.

    The boards *adjourning* have none because they are adjourned: draws for pairing only, until their result is
    entered [C.04.2/2026 3.1]. The last round, and with it the final standings, waits for every adjourned game. The
    deadline for reporting mistakes begins to run [C.04.2/2026 4.3]. By the rules of 2017 who was absent without
    notice is withdrawn [C.04.2/2017 D.2]. :class:`Conflict` when results or boards are others than those of
    *seen_version* (:func:`~tournaments.selectors.rounds.round_version`).
    """
    with act_on(actor=actor, rounds=round_id) as tournament:
        round_ = Round.objects.get(pk=round_id)
        games = Game.objects.filter(round__tournament=tournament)
        open_games = games.filter(result__in=(GameResult.NOT_YET, GameResult.ADJOURNED)).select_related("round")
        missing, adjourned = _split(round_, open_games.order_by("round__number", "board", "pk"))
        facts = _facts(round_, missing=tuple(dict.fromkeys(game.board for game in missing)))
        require(
            policy.may_publish_results(
                facts,
                adjourning=adjourning,
                is_last=round_.number == tournament.total_rounds,
                adjourned=list(dict.fromkeys(f"{game.round.number}/{game.board}" for game in adjourned)),
            )
        )
        _require_seen(round_, seen_version)
        for game in missing:
            game.result = GameResult.ADJOURNED
            game.version += 1
        Game.objects.bulk_update(missing, ["result", "version"])
        _conclude_adjourned(tournament, round_, [*missing, *adjourned], actor=actor, now=now)
        round_.state = RoundState.RESULTS_PUBLISHED
        round_.results_published_at = now
        round_.save(update_fields=["state", "results_published_at"])
        absences_settle(tournament, round_.number, actor=actor, now=now)
        minutes = tournament.correction_minutes if bridge.handling(tournament).has_deadline else None
        _run_deadline(tournament, until=deadline_after(now, minutes))
        due = round_.results_due_at
        kept = {"announced_for": due.isoformat(), "minutes_late": policy.minutes_after(due, now)} if due else {}
        _conclude_step(
            tournament,
            round_,
            "results.published",
            RoundState.PUBLISHED,
            actor=actor,
            now=now,
            article="C.04.2 4.2",
            more=kept,
        )
    return round_


def _split(round_: Round, open_games: Iterable[Game]) -> tuple[list[Game], list[Game]]:
    """The games of *round_* without a result, and the adjourned games of the event up to it."""
    missing, adjourned = [], []
    for game in open_games:
        if game.result == GameResult.ADJOURNED:
            adjourned.append(game)
        elif game.round_id == round_.pk:
            missing.append(game)
    return missing, adjourned


def _conclude_adjourned(
    tournament: Tournament, round_: Round, games: Iterable[Game], *, actor: User, now: datetime
) -> None:
    """Record which boards of *round_* are treated as adjourned when its results are published [C.04.2/2026 3.1]."""
    boards = sorted({game.board for game in games if game.round_id == round_.pk})
    if boards:
        conclude(
            tournament,
            "games.adjourned",
            actor=actor,
            now=now,
            article="C.04.2 3.1",
            round_number=round_.number,
            after={"boards": boards},
        )


def is_stale(round_: Round, tournament: Tournament) -> bool:
    """Whether something a draft was paired from has changed since."""
    return round_.state == RoundState.DRAFT and round_.paired_from_version != tournament.pairing_version


def round_plan(round_id: int, actor: User) -> RoundPlan:
    """Read what the round is paired from, and refuse what the rules refuse, without a lock.

    The version is read first: whatever changes while the rest is read moves it.
    """
    round_ = Round.objects.select_related("tournament").get(pk=round_id)
    tournament = round_.tournament
    permissions.require_may_run(actor, tournament)
    state, entries = bridge.snapshot(tournament, round_.number)
    unnumbered = Entry.objects.filter(tournament=tournament, tpn__isnull=True).order_by("name")
    field = FieldFacts(
        present=len(state.players) - len(state.absent) + len(unnumbered),
        unnumbered=tuple(entry.name for entry in unnumbered),
        unconfirmed=check_in.unconfirmed(tournament, round_.number),
        not_arrived=tuple(
            entry.name
            for entry in check_in.not_arrived(entries[tpn] for tpn in sorted(entries) if tpn not in state.absent)
        ),
        initial_colour_known=bool(tournament.initial_colour),
        initial_colour_article=system_by_code(tournament.system).initial_colour,
    )
    rounds = bridge.round_facts(tournament)
    with citing(tournament):
        require(policy.may_pair(rounds, round_.number, field, draft_is_stale=is_stale(round_, tournament)))
    try:
        bridge.require_pairable(tournament, state)
    except InputError as error:
        raise unreadable(error) from error
    return RoundPlan(
        number=round_.number,
        pairing_version=tournament.pairing_version,
        system=tournament.system,
        state=state,
        entries=entries,
        byes=bridge.requested_byes(tournament, round_.number),
    )


def _agreed_pairing(plan: RoundPlan) -> Pairing:
    """The engine's pairing, with the checker's consent [C.04.2/2026 1.4]; what either cannot do is a bug."""
    try:
        pairing = pair(plan.state)
        findings = check(plan.state, pairing)
    except NoLegalPairingError as error:
        raise RuleRefused(Refused("no_legal_pairing", error.article, {"round": plan.number})) from error
    except InputError as error:
        # The state was made from our own tables: if it contradicts itself, they do.
        raise InvariantError(f"Round {plan.number}: our own tables make no tournament: {error.message}") from error
    if findings:
        told = " ".join(f"[{finding.article}] {finding.message}" for finding in findings)
        logger.error("Round %s: the checker does not agree with the engine: %s", plan.number, told)
        raise InvariantError(f"Round {plan.number}: the checker does not agree with the engine: {told}")
    return pairing


def _require_unmoved(plan: RoundPlan, tournament: Tournament, round_: Round) -> None:
    """Raise :class:`Conflict` if the round was paired, or what it depends on changed, since *plan* was read."""
    if round_.state != RoundState.PLANNED and not is_stale(round_, tournament):
        last = Decision.objects.filter(tournament=tournament, act__in=PAIRED, round_number=plan.number).last()
        name = last.actor_name if last else ""
        raise Conflict("round.paired_meanwhile", params={"round": plan.number, "name": name})
    if tournament.pairing_version != plan.pairing_version:
        raise Conflict("facts.changed_meanwhile", params={"round": plan.number})


def _require_seen(round_: Round, seen_version: int | None) -> None:
    """Raise :class:`Conflict` if boards or results of *round_* are others than those of *seen_version*. One query."""
    if seen_version is not None:
        version = round_version(round_.tournament, round_.number)
        require_seen(seen_version, version, "round.changed_meanwhile", round=round_.number)


def _run_deadline(tournament: Tournament, *, until: datetime | None) -> None:
    """Tell the public page until when mistakes in the newest results can be reported [C.04.2/2026 4.3]."""
    if tournament.corrections_until != until:
        tournament.corrections_until = until
        tournament.save(update_fields=["corrections_until"])


def _cut_deadline_short(
    tournament: Tournament, round_: Round, reason: str | None, *, actor: User, now: datetime
) -> None:
    """Record the decision to publish *round_* while mistakes can still be reported, or refuse it [C.04.2/2026 4.3]."""
    until = tournament.corrections_until
    decides, decided = permissions.may_decide(actor, tournament), is_reason(reason or "")
    require(may_cut_short(until, now, decides=decides, decided=decided))
    if until is not None and until > now:
        conclude(
            tournament,
            "deadline.cut_short",
            actor=actor,
            now=now,
            article="C.04.2 4.3",
            round_number=round_.number - 1,
            before={"until": until.isoformat()},
            after={"minutes_left": policy.minutes_after(now, until), "by_round": round_.number},
            reason=(reason or "").strip(),
        )


def _facts(round_: Round, missing: tuple[int, ...] = ()) -> RoundFacts:
    return RoundFacts(number=round_.number, stage=policy.Stage(round_.state), missing=missing)


def _conclude_step(
    tournament: Tournament,
    round_: Round,
    act: str,
    before: RoundState,
    *,
    actor: User,
    now: datetime,
    article: str = "",
    more: Mapping[str, object] | None = None,
) -> None:
    """Record that *round_* went from one state to the next, and *more* of what came of it."""
    conclude(
        tournament,
        act,
        actor=actor,
        now=now,
        article=article,
        round_number=round_.number,
        before={"state": before.value},
        after={"state": round_.state, **(more or {})},
        is_public=round_.state in (RoundState.PUBLISHED, RoundState.RESULTS_PUBLISHED),
    )
