"""Correct mistakes after the publication, with the effect that [C.04.2/2026 4.3] allows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from pairing.rounds.absences import absences_settle
from pairing.rounds.correction_payloads import applied_values, corrected
from pairing.rounds.facts import timeline as read_timeline
from pairing.rounds.players_reports import swap_colours_of_reports
from pairing.rounds.second_reading import swap_colours_of_readings
from pairing.rounds.steps import require_result_as_seen
from pairing.rules import corrections as policy
from pairing.rules.corrections import Classification, CorrectionEffect, CorrectionKind
from pairing.rules.reasons import is_reason
from pairing.rules.rounds import RoundFacts, RoundState
from pairing.rules.verdict import Refused
from tournaments.core import permissions
from tournaments.core.actions import OpenAction, open_action, require
from tournaments.core.chosen_rules import handling, is_of_matches
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.core.rating import take_rating
from tournaments.core.scores import Score
from tournaments.core.validation import validate
from tournaments.models import (
    Correction,
    Entry,
    Game,
    GameResult,
    RatingSource,
    Round,
    Seat,
    Tournament,
)
from tournaments.models.payload_round_data import Effect, ReportTimes
from tournaments.models.payloads import CorrectionApplied

RIGHT_RESULTS: Final = tuple(
    value for value in GameResult.values if value not in (GameResult.NOT_YET, GameResult.ADJOURNED)
)
"""The results that a correction may enter."""

RATINGS: Final = ("fide_rating", "national_rating", "second_rating")
CORRECTED: Final = (*RATINGS, "rating")
"""The ratings that a correction may enter; ``rating`` is the arbiter's estimate."""


@dataclass(frozen=True, slots=True)
class Report:
    """A mistake as reported to the Chief Arbiter.

    ``chosen`` is the effect that the Chief Arbiter chooses where the rules give none. ``reason``
    names the mistake and the person who reported it.
    """

    reported_at: datetime
    reason: str
    chosen: CorrectionEffect | None = None


def result_correct(
    *,
    game_id: int,
    result: str,
    report: Report,
    actor: User,
    now: datetime,
    seen_version: int | None = None,
) -> Correction:
    """Correct a published result that was written down incorrectly [C.04.2/2026 4.3.1].

    The time of the report decides the effect (:func:`~pairing.rules.corrections.classify`); where
    the text gives none, the Chief Arbiter chooses. A draft made from the wrong result is out of
    date. :class:`Conflict` if the board was changed since *seen_version*.
    """
    if result not in RIGHT_RESULTS:
        raise BadInput("result.unknown", field="result", value=result, expected=list(RIGHT_RESULTS))
    with open_action(actor=actor, now=now, rounds__games=game_id) as action:
        tournament = action.tournament
        game = _game(tournament, game_id, CorrectionKind.RESULT, seen_version)
        which = {"game": game.number} if is_of_matches(tournament) else {}
        before = _as_decided(CorrectionKind.RESULT, game, {"result": game.result, **which})
        after = {"result": result, **which}
        return _file(action, CorrectionKind.RESULT, game, before, after, report)


def colours_correct(
    *, game_id: int, report: Report, actor: User, now: datetime, seen_version: int | None = None
) -> Correction:
    """Record a game played with wrong colours [C.04.2/2026 4.3.2], which the history keeps.

    The players keep their scores: if there is a result, it is swapped with the colours. In a match
    the colours of both games are swapped, whichever game is given, because the first game decides
    the colour [C.04.5/2026 1.6].
    """
    with open_action(actor=actor, now=now, rounds__games=game_id) as action:
        tournament = action.tournament
        game = _game(tournament, game_id, CorrectionKind.COLOURS, seen_version)
        game = game.first or game
        seats = dict(Seat.objects.filter(game=game).values_list("colour", "entry_id"))
        before = _as_decided(
            CorrectionKind.COLOURS, game, {"white": seats["w"], "black": seats["b"]}
        )
        after = {"white": before["black"], "black": before["white"]}
        return _file(action, CorrectionKind.COLOURS, game, before, after, report)


def ratings_decided(entry: Entry) -> dict[str, int | None]:
    """Return the ratings of *entry* after the corrections that still wait,
    with ``rating`` if it takes an estimate.

    One query.
    """
    names = CORRECTED if takes_estimate(entry) else RATINGS
    return _as_decided(CorrectionKind.RATING, entry, {name: getattr(entry, name) for name in names})


def takes_estimate(entry: Entry) -> bool:
    """Return whether an estimate counts for *entry*: it has one, or no rating [C.04.2/2026 2.1]."""
    return entry.rating_source == RatingSource.ESTIMATE or not entry.rating


def rating_correct(
    *,
    entry_id: int,
    ratings: Mapping[str, int | None],
    report: Report,
    actor: User,
    now: datetime,
    seen: Mapping[str, int | None] | None = None,
) -> Correction:
    """Correct a rating (FIDE, national or second) of a player [C.04.2/2026 4.3.3].

    *ratings* are by field: ``fide_rating``, ``national_rating``, ``second_rating`` or ``rating``.
    ``rating`` is the arbiter's estimate, for a player who :func:`takes_estimate`: it counts like
    any other rating. The correction belongs to the newest round with published results. If this
    rating orders the player, the order uses the new one. Pairing numbers stay until they are
    assigned again, which 2.3 allows until round 4 is paired. :class:`Conflict` if the ratings
    differ from *seen* (:func:`ratings_decided`).
    """
    with open_action(actor=actor, now=now, entries=entry_id) as action:
        entry = Entry.objects.get(pk=entry_id)
        decided = ratings_decided(entry)
        unknown = set(ratings) - set(decided)
        if unknown:
            raise BadInput("field.unknown", field=min(unknown), name=min(unknown))
        if seen is not None and seen != decided:
            if "rating" in decided and decided["rating"] != seen.get("rating"):
                estimate = {"name": entry.real_name, "estimate": decided["rating"] or "–"}
                raise Conflict("correction.estimate_changed_meanwhile", params=estimate)
            raise Conflict(
                "correction.rating_changed_meanwhile",
                params={name: decided[name] or "–" for name in RATINGS} | {"name": entry.real_name},
            )
        changed = {name: value for name, value in ratings.items() if decided[name] != value}
        before = {name: decided[name] for name in changed}
        for name, value in changed.items():
            setattr(entry, name, value)
        validate(entry, CORRECTED)
        return _file(action, CorrectionKind.RATING, entry, before, changed, report)


def waiting_apply(action: OpenAction, number: int) -> None:
    """Do the corrections that waited for the pairings of *number*, in their transaction."""
    tournament = action.tournament
    waiting = Correction.objects.filter(
        tournament=tournament, waiting=True, round_number=number - 1
    )
    for pk in list(waiting.order_by("pk").values_list("pk", flat=True)):
        # Read them one by one: a correction of colours also swaps the results that still wait.
        correction = waiting.get(pk=pk)
        before = _as_is(correction)
        _apply(correction)
        correction.waiting = False
        correction.save(update_fields=["waiting"])
        kind = CorrectionKind(correction.kind)
        action.record(
            CorrectionApplied(
                before=applied_values(correction, before),
                after=applied_values(correction, correction.after),
            ),
            article=handling(tournament).corrections[kind],
            round_number=correction.round_number,
            changes_pairing=kind is not CorrectionKind.RATING,
        )


def _waiting(kind: CorrectionKind, about: Game | Entry) -> QuerySet[Correction]:
    """Return the waiting corrections of the same kind and of the same game or player."""
    which = Q(game=about) if isinstance(about, Game) else Q(entry=about)
    return Correction.objects.filter(which, waiting=True, kind=kind).order_by("pk")


def _as_decided(
    kind: CorrectionKind, about: Game | Entry, values: dict[str, Any]
) -> dict[str, Any]:
    """Return *values* after the corrections that wait, from which others start. One query."""
    for correction in _waiting(kind, about):
        values |= {name: value for name, value in correction.after.items() if name in values}
    return values


def _supersede(kind: CorrectionKind, about: Game | Entry, after: Mapping[str, object]) -> None:
    """Stop the values of *after* from waiting, because a newer correction replaces them."""
    for correction in _waiting(kind, about):
        rest = [name for name in correction.after if name not in after]
        if rest:
            correction.before, correction.after = (
                {name: values[name] for name in rest}
                for values in (correction.before, correction.after)
            )
            correction.save(update_fields=["before", "after"])
        else:
            correction.delete()


def _as_is(correction: Correction) -> dict[str, Any]:
    """Return the current values in the tables for the subject of *correction*."""
    match CorrectionKind(correction.kind):
        case CorrectionKind.RESULT:
            assert correction.game is not None
            return {**correction.before, "result": correction.game.result}
        case CorrectionKind.COLOURS:
            seats = dict(
                Seat.objects.filter(game=correction.game).values_list("colour", "entry_id")
            )
            return {"white": seats["w"], "black": seats["b"]}
        case CorrectionKind.RATING:
            return {name: getattr(correction.entry, name) for name in correction.after}


def _game(
    tournament: Tournament, game_id: int, kind: CorrectionKind, seen_version: int | None
) -> Game:
    """Return the game if it can be corrected and has not changed since the user saw it."""
    game = Game.objects.select_related("round", "first__second", "second").get(pk=game_id)
    facts = RoundFacts(number=game.round.number, state=RoundState(game.round.state))
    played = any(not set(result) & {"+", "-"} for result in Score.at(game.first or game).games)
    require(
        policy.may_correct_game(
            facts,
            kind,
            played=played,
            adjourned=game.result == GameResult.ADJOURNED,
            article=handling(tournament).corrections[kind],
        )
    )
    require_result_as_seen(game, seen_version)
    return game


def _file(
    action: OpenAction,
    kind: CorrectionKind,
    about: Game | Entry,
    before: Mapping[str, object],
    after: Mapping[str, object],
    report: Report,
) -> Correction:
    """Classify, save and record the correction, and apply one with an immediate effect."""
    tournament, actor, now = action.tournament, action.actor, action.now
    number = about.round.number if isinstance(about, Game) else round_of_ratings(tournament)
    timeline = read_timeline(tournament, number, kind)
    _require_usable(kind, before, after, report)
    article = handling(tournament).corrections[kind]
    decides = permissions.may_decide(actor, tournament)
    require(policy.may_report(timeline, report.reported_at, now, decides=decides, article=article))
    classification = handling(tournament).classify(timeline, report.reported_at)
    effect = _effect(tournament, kind, classification, report, actor)
    if effect is CorrectionEffect.RATING_ONLY and _is_saved(kind, about, after):
        raise _nothing_wrong(kind)
    _supersede(kind, about, after)
    correction = Correction.objects.create(
        tournament=tournament,
        kind=kind,
        round_number=number,
        game=about if isinstance(about, Game) else None,
        entry=about if isinstance(about, Entry) else None,
        reported_at=report.reported_at,
        entered_at=now,
        effect=effect,
        waiting=effect is CorrectionEffect.NEXT_PAIRING and timeline.next_published is None,
        before=before,
        after=after,
        reason=report.reason.strip(),
    )
    counts_now = effect is not CorrectionEffect.RATING_ONLY and not correction.waiting
    if counts_now:
        _apply(correction)
        absences_settle(action, number)
    decided: Effect = {
        **_times(timeline, report, now),
        "moment": classification.moment.value,
        "effect": effect.value,
        "chosen": report.chosen is not None,
        "waiting": correction.waiting,
    }
    action.record(
        corrected(correction, before, after, decided),
        article=article,
        round_number=number,
        reason=correction.reason,
        changes_pairing=counts_now and kind is not CorrectionKind.RATING,
    )
    return correction


def _times(timeline: policy.Timeline, report: Report, now: datetime) -> ReportTimes:
    """Return the times of the report and of the entry, for the record."""
    return {
        "reported": report.reported_at.isoformat(),
        "entered": now.isoformat(),
        "backdated": policy.is_backdated(timeline, report.reported_at, now),
    }


def _require_usable(
    kind: CorrectionKind, before: Mapping[str, object], after: Mapping[str, object], report: Report
) -> None:
    if before == after:
        raise _nothing_wrong(kind)
    if not is_reason(report.reason):
        raise BadInput("correction.reason_missing", field="reason")


def _nothing_wrong(kind: CorrectionKind) -> BadInput:
    return BadInput(
        "correction.nothing_wrong",
        field="result" if kind is CorrectionKind.RESULT else "fide_rating",
    )


def _is_saved(kind: CorrectionKind, about: Game | Entry, after: Mapping[str, object]) -> bool:
    """Return whether the newest correction of *about* for the report is the same, sent twice."""
    which = Q(game=about) if isinstance(about, Game) else Q(entry=about)
    made = Correction.objects.filter(
        which, kind=kind, effect=CorrectionEffect.RATING_ONLY
    ).order_by("pk")
    return (newest := made.last()) is not None and newest.after == after


def _effect(
    tournament: Tournament,
    kind: CorrectionKind,
    classification: Classification,
    report: Report,
    actor: User,
) -> CorrectionEffect:
    """Return the effect of the correction: by the rule, else as the Chief Arbiter chose."""
    article = handling(tournament).corrections[kind]
    require(policy.may_choose(classification, report.chosen, article=article))
    if classification.asks_chief_arbiter and not permissions.may_decide(actor, tournament):
        raise RuleRefused(Refused("correction.chief_arbiter_decides", article))
    return report.chosen or classification.effects[0]


def round_of_ratings(tournament: Tournament) -> int:
    """Return the round for a correction of a rating:
    the newest with published results, else the first. One query.

    A rating belongs to no round. The deadline runs from the last publication of results.
    """
    rounds = Round.objects.filter(tournament=tournament, state=RoundState.RESULTS_PUBLISHED)
    return rounds.order_by("-number").values_list("number", flat=True).first() or 1


def _apply(correction: Correction) -> None:
    """Write the correct values into the tables."""
    match CorrectionKind(correction.kind):
        case CorrectionKind.RESULT:
            assert correction.game is not None
            _set_result(correction.game, correction.after["result"])
        case CorrectionKind.COLOURS:
            assert correction.game is not None
            _seat(correction.game, white=correction.after["white"])
        case CorrectionKind.RATING:
            assert correction.entry is not None
            entry = Entry.objects.select_related("tournament").get(pk=correction.entry.pk)
            for name, value in correction.after.items():
                setattr(entry, name, value)
            if "rating" in correction.after:
                entry.rating_source = RatingSource.ESTIMATE
            elif entry.rating_source != RatingSource.ESTIMATE:
                take_rating(entry, entry.tournament)
            entry.save(update_fields=[*CORRECTED, "rating_source"])


def _set_result(game: Game, result: str) -> None:
    game.result = result
    game.version += 1
    game.save(update_fields=["result", "version"])


def _seat(game: Game, *, white: int) -> None:
    """Give the seats of *game*, a first game, to *white* and to the other; scores stay."""
    seats = {seat.colour: seat for seat in Seat.objects.filter(game=game)}
    if seats["w"].entry_id == white:
        return
    # Clear one seat for a moment, because two seats may never have the same colour.
    turned = seats["w"], seats["b"]
    turned[1].delete()
    turned[0].colour = "b"
    turned[0].save(update_fields=["colour"])
    turned[1].pk = None
    turned[1].colour = "w"
    turned[1].save(force_insert=True)
    games = [game, *Game.objects.filter(first=game)]
    for played in games:
        _set_result(played, played.result[::-1])
    swap_colours_of_readings(games)
    swap_colours_of_reports(games)
    for correction in Correction.objects.filter(
        waiting=True, kind=CorrectionKind.RESULT.value, game__in=games
    ):
        for values in (correction.before, correction.after):
            values["result"] = values["result"][::-1]
        correction.save(update_fields=["before", "after"])
