"""Change the number of rounds after the start: the effect, then the recorded action."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.contrib.auth.models import User

from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import TPN, Pairing, TournamentState
from pairing.engine.systems import pair
from pairing.rounds.corrections import waiting_apply
from pairing.rounds.facts import adjourned_games, round_facts
from pairing.rounds.snapshot import snapshot
from pairing.rules import number_of_rounds as policy
from pairing.rules.names import fold
from pairing.rules.number_of_rounds import LAST_ROUND_ARTICLES, LastPaired
from pairing.rules.reasons import is_reason
from pairing.rules.rounds import RoundFacts, RoundState, last_paired
from tournaments.core import permissions
from tournaments.core.actions import citing, open_action, require
from tournaments.core.errors import BadInput, Conflict
from tournaments.core.validation import validate
from tournaments.models import Correction, RequestedBye, Round, Tournament
from tournaments.models.payload_data import ByeOfRound, RoundsAfter
from tournaments.models.payloads import RoundsChanged
from tournaments.setup.tournaments import declare_rounds


@dataclass(frozen=True, slots=True)
class BoardThen:
    """A board of the last paired round: ``players`` in the engine's
    pairing with the old number and the new one.

    Each pairing is the name of White, then of Black; the bye has no number and one name. It is
    empty if that pairing has no such board.
    """

    number: int | None
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ByeGone:
    """A requested bye in a round that will not exist."""

    name: str
    round_number: int
    kind: str


@dataclass(frozen=True, slots=True)
class RoundsEffect:
    """The effect of another number of rounds.

    ``published`` is the last round whose pairings are public, 0 before the first: the round that
    may be named in public. ``round_number`` is the last paired round and ``becomes`` its position
    under the new number. ``boards`` are those that would differ, and ``no_legal_pairing`` is the
    article if it could not be paired at all. ``articles`` are those of the pairing system that have
    another effect in the last round. ``byes_gone`` and ``never_play`` (late entries announced for a
    round that will not exist) follow from fewer rounds, and ``times_gone`` are rounds with
    announced times. ``last_bye_round``: None, or the limit if it is not before the last round.
    ``waiting`` corrections are done at once, because no later publication exists. ``ends``: the
    published results are the final ones with this number.
    """

    before: int
    after: int
    published: int
    round_number: int
    becomes: LastPaired
    articles: str
    boards: tuple[BoardThen, ...]
    no_legal_pairing: str
    accelerated: bool
    byes_gone: tuple[ByeGone, ...]
    never_play: tuple[str, ...]
    times_gone: tuple[int, ...]
    last_bye_round: int | None
    waiting: int
    ends: bool


def number_of_rounds_effect(tournament: Tournament, *, total_rounds: int) -> RoundsEffect:
    """Return the effect of :func:`number_of_rounds_change`. Saves nothing.

    Cost: pairing the last paired round twice, from its present data. ``BadInput`` and
    ``RuleRefused`` as there.
    """
    rounds = round_facts(tournament)
    with citing(tournament):
        _require_possible(tournament, rounds, total_rounds)
    number = last_paired(rounds)
    boards, no_legal_pairing = _paired_again(tournament, number, total_rounds)
    gone = Round.objects.filter(tournament=tournament, number__gt=total_rounds).order_by("number")
    ends = total_rounds == number and rounds[number - 1].state is RoundState.RESULTS_PUBLISHED
    limit = tournament.last_bye_round
    return RoundsEffect(
        before=len(rounds),
        after=total_rounds,
        published=max((facts.number for facts in rounds if facts.state.is_public), default=0),
        round_number=number,
        becomes=policy.becomes_of_last_paired(rounds, total_rounds),
        articles=LAST_ROUND_ARTICLES[tournament.system],
        boards=boards,
        no_legal_pairing=no_legal_pairing,
        accelerated=bool(tournament.acceleration),
        byes_gone=tuple(
            ByeGone(bye.entry.name, bye.round_number, bye.kind)
            for bye in _byes_after(tournament, total_rounds)
        ),
        never_play=tuple(
            sorted(
                tournament.entries.filter(first_round__gt=total_rounds).values_list(
                    "name", flat=True
                ),
                key=fold,
            )
        ),
        times_gone=tuple(row.number for row in gone if row.starts_at or row.results_due_at),
        last_bye_round=limit if limit is not None and limit >= total_rounds else None,
        waiting=Correction.objects.filter(
            tournament=tournament, waiting=True, round_number=number
        ).count()
        * ends,
        ends=ends,
    )


def number_of_rounds_change(
    *, tournament_id: int, actor: User, now: datetime, total_rounds: int, reason: str, version: int
) -> Tournament:
    """Change the declared number of rounds [C.04.1/2026 1]. Only the Chief Arbiter can do this.

    *version* is the version of the tournament when the effect was shown. Refused by
    :func:`~pairing.rules.number_of_rounds.may_change_number`; ``BadInput`` for the present number,
    a number outside 1 to 99, or no *reason*; :class:`Conflict` if the tournament has changed since
    the effect was shown. Afterwards a draft is out of date, requested byes in removed rounds are
    deleted, and corrections that waited for a removed publication are applied. Cost: as for the
    effect, which the record keeps.
    """
    before = Tournament.objects.get(pk=tournament_id)
    permissions.require_may_decide(actor, before)
    effect = number_of_rounds_effect(before, total_rounds=total_rounds)
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        tournament = action.tournament
        # The effect was computed before the lock: it is valid if nothing has changed since.
        if not before.version == tournament.version == version:
            raise Conflict("rounds.moved_meanwhile")
        if not is_reason(reason):
            raise BadInput("rounds.reason_missing", field="reason")
        schedule = {
            str(row.number): [
                at.isoformat() if at else None for at in (row.starts_at, row.results_due_at)
            ]
            for row in Round.objects.filter(tournament=tournament, number__in=effect.times_gone)
        }
        byes: list[ByeOfRound] = [{"entry": bye.entry_id, "round": bye.round_number, "kind": bye.kind}
                for bye in _byes_after(tournament, total_rounds)]  # fmt: skip
        RequestedBye.objects.filter(
            entry__tournament=tournament, round_number__gt=total_rounds
        ).delete()
        tournament.total_rounds = total_rounds
        if (tournament.check_in_round or 0) > total_rounds:
            tournament.check_in_round, tournament.check_in_open = None, False
        tournament.save(update_fields=["total_rounds", "check_in_round", "check_in_open"])
        declare_rounds(tournament)
        action.record(
            RoundsChanged(
                before={"total_rounds": effect.before, "byes": byes, "schedule": schedule},
                after=_recorded(effect),
            ),
            article="C.04.1 1",
            reason=reason.strip(),
            changes_pairing=True,
        )
        if effect.ends:
            waiting_apply(action, total_rounds + 1)
    return tournament


def _require_possible(tournament: Tournament, rounds: list[RoundFacts], total_rounds: int) -> None:
    candidate = Tournament(total_rounds=total_rounds)
    validate(candidate, ("total_rounds",))
    if total_rounds == len(rounds):
        raise BadInput("rounds.same", field="total_rounds")
    require(
        policy.may_change_number(
            rounds,
            total_rounds,
            accelerated=bool(tournament.acceleration),
            lots_drawn=bool(tournament.lots_seed),
            adjourned=adjourned_games(tournament),
        )
    )


def _byes_after(tournament: Tournament, total_rounds: int) -> Sequence[RequestedBye]:
    wishes = RequestedBye.objects.filter(
        entry__tournament=tournament, round_number__gt=total_rounds
    )
    return list(wishes.select_related("entry").order_by("round_number", "entry__name"))


def _paired_again(
    tournament: Tournament, number: int, total_rounds: int
) -> tuple[tuple[BoardThen, ...], str]:
    """Return the boards of round *number* that differ with *total_rounds*,
    and the article if it could not be paired.

    Both pairings come from the engine and the present data, so that arrangements by hand and later
    corrections do not count as effects of the number.
    """
    state, entries = snapshot(tournament, number)
    before, _ = _pairing(state)
    after, article = _pairing(replace(state, total_rounds=total_rounds))
    names = {tpn: f"{tpn} {entry.name}" for tpn, entry in entries.items()}
    one, other = (_boards(pairing) for pairing in (before, after))
    differing = (
        n for n in [*range(1, max(len(one), len(other)) + 1), None] if one.get(n) != other.get(n)
    )
    return tuple(
        BoardThen(n, *(tuple(names[tpn] for tpn in boards.get(n, ())) for boards in (one, other)))
        for n in differing
    ), article


def _pairing(state: TournamentState) -> tuple[Pairing | None, str]:
    try:
        return pair(state), ""
    except NoLegalPairingError as error:
        return None, error.article


def _boards(pairing: Pairing | None) -> dict[int | None, tuple[TPN, ...]]:
    """Return the pairs by board, and the pairing-allocated bye under None."""
    if pairing is None:
        return {}
    boards: dict[int | None, tuple[TPN, ...]] = dict(enumerate(pairing.pairs, start=1))
    return boards | ({None: (pairing.bye,)} if pairing.bye is not None else {})


def _recorded(effect: RoundsEffect) -> RoundsAfter:
    """Return the effect in the form that the record keeps."""
    return {
        "total_rounds": effect.after,
        "published": effect.published,
        "checked_again": effect.round_number,
        "becomes": effect.becomes.value,
        "boards_otherwise": [board.number for board in effect.boards if board.number is not None],
        "no_legal_pairing": effect.no_legal_pairing,
    }
