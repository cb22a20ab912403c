"""Set up a tournament, and draw its initial colour."""

from __future__ import annotations

import copy
from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final, cast

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.text import slugify

from pairing.engine.basics.validation import are_points_possible
from pairing.engine.systems import games_a_round
from pairing.rounds.facts import round_facts
from pairing.rounds.paired_before import PAIRED, ever_paired
from pairing.rules import regulations
from pairing.rules.draws import commitment
from pairing.rules.fide_mode import may_use_rules
from pairing.rules.handling import handling_for
from pairing.rules.reasons import is_reason
from pairing.rules.rounds import RoundState
from pairing.rules.settings import SETTINGS
from pairing.rules.undo_between import RATED_BY
from pairing.rules.verdict import Allowed
from pairing.standings.codes import default_list
from pairing.standings.editions import edition_on
from tournaments.core import permissions
from tournaments.core.actions import OpenAction, open_action, require, require_compared
from tournaments.core.chosen_rules import left_fide_mode, point_system
from tournaments.core.errors import BadInput, Conflict
from tournaments.core.names_of_people import name_of
from tournaments.core.newer_lines import OF_THE_LIST, require_nothing_newer
from tournaments.core.rating import take_ratings_again
from tournaments.core.validation import require_federation, set_fields, validate
from tournaments.models import Action, Appointment, Decision, ListState, Role, Round, Tournament
from tournaments.models.payload_data import Settings
from tournaments.models.payloads import TournamentCreated, TournamentUpdated
from tournaments.setup.usable_tie_breaks import require_ratings, settle_tie_breaks

AUTOMATIC: Final = ("automatic_pairings", "automatic_results")
"""The settings of the automatic publication; the person who changed one of them answers for it."""

OUR_LISTS: Final = tuple(",".join(default_list(games)) for games in (1, 2))
"""The default lists of tie-breaks: for one game a round, and for two."""

FIELDS: Final = frozenset(SETTINGS)
"""The settings that :func:`tournament_update` changes."""

CHANGES_PAIRING: Final = regulations.FIXED_AT_THE_START.keys() - {"start_date"}
"""The settings on which pairings depend."""


def tournament_create(
    *,
    actor: User,
    now: datetime,
    name: str,
    total_rounds: int,
    system: str = "dutch_2026",
    leave_fide_mode: bool = False,
    **fields: object,
) -> Tournament:
    """Create a tournament with its rounds [C.04.1/2026 1], its address from its name.

    Further *fields* are those of :data:`FIELDS`. The default edition of the tie-break rules is the
    one in force on the first day. The Chief Arbiter on lists and in reports is *actor*, unless
    another name is given. ``BadInput`` names the invalid field. Rules that were no longer in force
    on the first day need *leave_fide_mode* (:func:`~pairing.rules.fide_mode.may_use_rules`).
    """
    permissions.require_may_create(actor)
    given = {"name": name.strip(), "total_rounds": total_rounds, "system": system, **fields}
    given["tie_break_edition"] = given.get("tie_break_edition") or _edition_on(
        given.get("start_date")
    )
    given["chief_arbiter"] = _chief_arbiter(given, actor)
    _let_follow(Tournament(), given)
    with transaction.atomic():
        tournament = establish(given, actor=actor, now=now, leave_fide_mode=leave_fide_mode)
        OpenAction(tournament, actor, now).record(
            TournamentCreated(
                before={},
                after={
                    **_recorded({field: getattr(tournament, field) for field in sorted(FIELDS)}),
                    **_recorded({LEFT: 0} if tournament.left_fide_mode is not None else {}),
                    "draw_commitment": commitment(tournament.draw_secret),
                },
            ),
            article="C.04.1 1",
        )
    return tournament


LEFT: Final = "left_fide_mode"
"""The column for the round in which FIDE mode was left,
which the record keeps beside the settings that left it.
"""

TWICE: Final = timedelta(minutes=5)
"""For this long, the same form of a new tournament, sent again, leads to the first one."""


def tournament_create_once(
    *, actor: User, now: datetime, leave_fide_mode: bool = False, **fields: Any
) -> tuple[Tournament, bool]:
    """Create a tournament and return True with it; or return False with
    the same one that *actor* has just created.

    A form with the same *fields* that is sent twice creates one tournament, unless there was an
    action in the first one since, other than to announce its schedule.
    """
    with transaction.atomic():
        User.objects.select_for_update().get(pk=actor.pk)
        made = Tournament.objects.filter(created_by=actor, created_at__gte=now - TWICE)
        set_up = (Action.TOURNAMENT_CREATED, Action.ROUND_SCHEDULED)
        used = Decision.objects.filter(tournament__in=made).exclude(action__in=set_up)
        for there in (
            made.exclude(pk__in=used.values("tournament"))
            .filter(name=fields["name"].strip())
            .order_by("pk")
        ):
            first = Decision.objects.filter(
                tournament=there, action=Action.TOURNAMENT_CREATED
            ).first()
            given: Mapping[str, object] = _recorded(
                _declared(fields | {"chief_arbiter": _chief_arbiter(fields, actor)})
            )
            recorded: Mapping[str, object] = first.payload.after if first else {}
            if first and all(recorded.get(name) == value for name, value in given.items()):
                return there, False
        return tournament_create(
            actor=actor, now=now, leave_fide_mode=leave_fide_mode, **fields
        ), True


def _chief_arbiter(fields: Mapping[str, object], actor: User) -> object:
    """Return the name of the Chief Arbiter for lists and reports."""
    return fields.get("chief_arbiter") or name_of(actor)


def _declared(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return *fields* without those that are normalised or derived before saving."""
    return {
        name: value
        for name, value in fields.items()
        if name not in ("name", "tie_breaks", "tie_break_edition")
    }


def establish(
    fields: Mapping[str, object],
    *,
    actor: User,
    now: datetime,
    left: int | None = None,
    leave_fide_mode: bool = False,
) -> Tournament:
    """Save a new tournament and its rounds in the caller's transaction, without a record line.

    *actor* becomes its Chief Arbiter. Its handling rules are those in force with its pairing
    system, unless *fields* contain others. *left* is the round of an imported file in which FIDE
    mode was left. Rules that were no longer in force on the first day leave it from the start,
    which *leave_fide_mode* confirms.
    """
    permissions.require_may_create(actor)
    tournament = Tournament(created_by=actor, created_at=now)
    tournament.automatic_by = actor
    tournament.handling_edition = handling_for(str(fields.get("system", tournament.system)))
    set_fields(tournament, fields, FIELDS)
    _validate(tournament)
    require_federation(tournament.federation)
    tournament.left_fide_mode = left
    if left is None and left_fide_mode(tournament) is not None:
        require(may_use_rules(leaves=True, decides=True, confirmed=leave_fide_mode))
        tournament.left_fide_mode = 0
    _save_with_free_slug(tournament)
    declare_rounds(tournament)
    Appointment.objects.create(tournament=tournament, person=actor, role=Role.CHIEF, since=now)
    return tournament


def _let_follow(tournament: Tournament, fields: dict[str, object]) -> None:
    """Update dependent settings if *fields* choose a system with another number of games per round.

    These are the points for the pairing-allocated bye (a win, or for a match a win and a draw
    [C.04.5/2026 1.4]) and the default list of tie-breaks; unless *fields* or *tournament* have
    other values.
    """
    games = games_a_round(str(fields.get("system", tournament.system)))
    if games == games_a_round(tournament.system):
        return
    if fields.get("tie_breaks", tournament.tie_breaks) in OUR_LISTS:
        fields["tie_breaks"] = OUR_LISTS[games - 1]
    if tournament.points_pab == _bye(tournament, games_a_round(tournament.system)):
        worth = copy.copy(tournament)
        set_fields(
            worth,
            {name: fields[name] for name in ("points_win", "points_draw") if name in fields},
            fields,
        )
        fields.setdefault("points_pab", _bye(worth, games))


def _edition_on(day: object) -> str:
    """Return the code of the tie-break rules in force on *day*; without a day, the present ones."""
    return edition_on(day.isoformat() if isinstance(day, date) else "").code


def _let_edition_follow(tournament: Tournament, fields: dict[str, object]) -> None:
    """Update the edition of the tie-break rules if *fields* change the first day before the start.

    Not if *fields* or *tournament* have another edition, nor after a draft of round 1.
    """
    if "start_date" not in fields or tournament.tie_break_edition != _edition_on(
        tournament.start_date
    ):
        return
    follows = _edition_on(fields["start_date"])
    was_paired = ever_paired(tournament) > 0
    verdict = regulations.may_change_fields(
        round_facts(tournament), ["tie_break_edition"], decides=False, ever_paired=was_paired
    )
    if follows != tournament.tie_break_edition and isinstance(verdict, Allowed):
        fields.setdefault("tie_break_edition", follows)


def _bye(tournament: Tournament, games: int) -> int:
    return tournament.points_win + (tournament.points_draw if games > 1 else 0)


def tournament_update(
    *,
    tournament_id: int,
    actor: User,
    now: datetime,
    reason: str = "",
    compared: int | None = None,
    leave_fide_mode: bool = False,
    **fields: object,
) -> Tournament:
    """Change settings; those declared in advance only until round 1 is paired.

    After a draft of round 1 that was discarded, only the Chief Arbiter can change them, with a
    *reason*. The top boards of the last round need one from the first draft on [C.04.2/2026 4.4.5].
    Refused by :func:`~pairing.rules.regulations.may_change_fields`. Without a change no line is
    written. A new first day changes the edition of the tie-break rules; a new pairing system
    changes the handling rules, the points for the pairing-allocated bye and the default list of
    tie-breaks; unless other values were chosen. With another ``rating_method`` or
    ``second_rating_method`` the ratings of all players are chosen again, except estimates. A first
    day that is missing can still be added after round 1. Rules or a first day that leave FIDE mode
    need *leave_fide_mode* of the Chief Arbiter (:func:`~pairing.rules.fide_mode.may_use_rules`),
    and no others lead back. ``DataMoved`` if the tournament no longer has *compared*.
    """
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        tournament = action.tournament
        require_compared(compared, tournament)
        if "system" in fields and tournament.handling_edition == handling_for(tournament.system):
            fields.setdefault("handling_edition", handling_for(str(fields["system"])))
        _let_follow(tournament, fields)
        _let_edition_follow(tournament, fields)
        was_left = left_fide_mode(tournament)
        old = {name: getattr(tournament, name, None) for name in fields}
        if not (changed := set_fields(tournament, fields, FIELDS)):
            return tournament
        # A first day that nobody has given can still be added.
        needs_reason = _require_changeable(
            action,
            [name for name in changed if name != "start_date" or old[name] is not None],
            reason,
        )
        _validate(tournament)
        if "federation" in changed:
            require_federation(tournament.federation)
        if "tie_breaks" in changed:
            require_ratings(tournament)
        if _leaves_fide_mode(action, was_left, confirmed=leave_fide_mode):
            old[LEFT], tournament.left_fide_mode = None, 0
            changed.append(LEFT)
        tournament.save(update_fields=changed)
        _follow(tournament, changed, actor)
        action.record(
            TournamentUpdated(
                before=_recorded({name: old[name] for name in changed}),
                after=_recorded({name: getattr(tournament, name) for name in changed}),
            ),
            reason=reason.strip() if needs_reason else "",
            changes_pairing=not CHANGES_PAIRING.isdisjoint(changed),
        )
    return tournament


def _require_changeable(action: OpenAction, changed: Sequence[str], reason: str) -> bool:
    """Return whether *changed* settings need a *reason*; refuse without it, or if fixed."""
    tournament = action.tournament
    again = (
        not regulations.FIXED_AT_THE_START.keys().isdisjoint(changed)
        and ever_paired(tournament) > 0
    )
    require(
        regulations.may_change_fields(
            round_facts(tournament),
            changed,
            decides=permissions.may_decide(action.actor, tournament),
            last_was_paired=_was_paired(tournament, tournament.total_rounds),
            ever_paired=again,
        )
    )
    names_top_boards = "top_boards" in changed and ever_paired(tournament) > 0
    if again and not is_reason(reason):
        raise BadInput("tournament.reason_missing", field="reason")
    if names_top_boards and not is_reason(reason):
        raise BadInput("tournament.top_boards_reason", field="reason")
    return again or names_top_boards


def _leaves_fide_mode(action: OpenAction, was_left: int | None, *, confirmed: bool) -> bool:
    """Return whether the new settings are to be stored as leaving FIDE mode;
    refused unless that was *confirmed*.

    An event that *was_left* by its rules already, from before that was stored, is stored now,
    without a question.
    """
    tournament = action.tournament
    leaves = was_left is None and left_fide_mode(tournament) is not None
    decides = permissions.may_decide(action.actor, tournament)
    require(may_use_rules(leaves=leaves, decides=decides, confirmed=confirmed))
    return tournament.left_fide_mode is None and (leaves or was_left is not None)


def _follow(tournament: Tournament, changed: Collection[str], actor: User) -> None:
    """Update what depends on the settings changed: rounds, ratings, who answers for them."""
    if not set(AUTOMATIC).isdisjoint(changed):
        tournament.automatic_by = actor
        tournament.save(update_fields=["automatic_by"])
    if "total_rounds" in changed:
        declare_rounds(tournament)
    if not RATED_BY.isdisjoint(changed):
        take_ratings_again(tournament)


def _was_paired(tournament: Tournament, number: int) -> bool:
    """Return whether round *number* was ever paired, even as a draft that was discarded.

    One query.
    """
    return Decision.objects.filter(
        tournament=tournament, round_number=number, action__in=PAIRED
    ).exists()


def list_reopen(
    *, tournament_id: int, actor: User, now: datetime, seen_version: int | None = None
) -> Tournament:
    """Open the list of participants again: its numbers become provisional [C.04.2/2026 2.5].

    ``Conflict`` as in :func:`list_close`.
    """
    return _list_becomes(ListState.PROVISIONAL, tournament_id, actor, now, seen_version)


def list_close(
    *, tournament_id: int, actor: User, now: datetime, seen_version: int | None = None
) -> Tournament:
    """Close the list of participants: its numbers become definitive [C.04.2/2026 2.5].

    ``Conflict`` if the list or its numbers have changed since *seen_version*.
    """
    return _list_becomes(ListState.DEFINITIVE, tournament_id, actor, now, seen_version)


def _list_becomes(
    state: ListState, tournament_id: int, actor: User, now: datetime, seen_version: int | None
) -> Tournament:
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        require_nothing_newer(action.tournament, seen_version, OF_THE_LIST, "list.moved_meanwhile")
        return tournament_update(
            tournament_id=tournament_id, actor=actor, now=now, list_state=state
        )


def _validate(tournament: Tournament) -> None:
    validate(tournament, FIELDS)
    settle_tie_breaks(tournament)
    if not tournament.points_win >= tournament.points_draw >= tournament.points_loss:
        raise BadInput("points.out_of_order", field="points_draw")
    if not tournament.points_win > tournament.points_loss:
        raise BadInput("points.nothing_to_win", field="points_win")
    if not are_points_possible(point_system(tournament)):
        raise BadInput("points.two_draws", field="points_draw")
    if tournament.acceleration:
        require(
            regulations.may_accelerate(system=tournament.system, points=point_system(tournament))
        )


def declare_rounds(tournament: Tournament) -> None:
    """Create or delete rounds to match the declared number, inside the caller's transaction.

    Paired rounds stay.
    """
    rounds = Round.objects.filter(tournament=tournament)
    rounds.filter(number__gt=tournament.total_rounds, state=RoundState.PLANNED).delete()
    there = rounds.count()
    Round.objects.bulk_create(
        Round(tournament=tournament, number=n)
        for n in range(there + 1, tournament.total_rounds + 1)
    )


def _save_with_free_slug(tournament: Tournament) -> None:
    base = slugify(tournament.name)[:70] or "tournament"
    taken = set(Tournament.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    slug = base
    number = 2
    while slug in taken:
        slug = f"{base}-{number}"
        number += 1
    tournament.slug = slug
    try:
        tournament.save(force_insert=True)
    except IntegrityError as error:
        raise Conflict(
            "tournament.name_taken_meanwhile", params={"name": tournament.name}
        ) from error


def _recorded(fields: Mapping[str, object]) -> Settings:
    """Return *fields*, which are among :data:`FIELDS`, in the form that the record keeps."""
    return cast(
        Settings,
        {
            name: value.isoformat() if isinstance(value, date) else value
            for name, value in fields.items()
        },
    )
