"""Read a paired round for a change of its pairings [C.04.2/2026 4.4]."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from pairing.engine.due_colours import due_colours
from pairing.engine.model import TPN, TournamentState
from pairing.engine.past import pasts
from pairing.rounds.attendance import not_arrived
from pairing.rounds.paired_before import PAIRED
from pairing.rounds.seats import arrangement_of
from pairing.rounds.snapshot import snapshot
from pairing.rules.manual import COLOUR_CODES, barred_colours, cautions
from pairing.rules.published import Arrangement, Published, Situation, with_bye
from pairing.rules.rounds import RoundState
from tournaments.core.chosen_rules import handling
from tournaments.models import Action, Correction, Decision, Entry, Round, Tournament
from tournaments.models.payloads import (
    ActionUndone,
    TournamentCreated,
    TournamentUpdated,
    undone_by,
)


def published(
    tournament: Tournament, round_: Round, *, at: datetime | None = None
) -> tuple[Published, TournamentState, dict[TPN, Entry]]:
    """Return the paired round for a change [C.04.2/2026 4.4], and what it was paired from.

    Four queries; five by rules with :attr:`Situation.CORRECTION`, and six in the last round if top
    boards were named. One more if a late entry is not marked as arrived.

    A board with corrected colours has been played, with or without a result. *at* is the present
    moment; it decides whether play has begun. If a round is published after its announced start,
    the real start is unknown. Top boards that were named after the first pairing of the round do
    not count [C.04.2/2026 4.4.5].
    """
    state, entries = snapshot(tournament, round_.number)
    now, results = arrangement_of(round_, entries)
    late = {
        tpn
        for tpn, e in entries.items()
        if e.first_round > round_.number and e.withdrawn_from is None
    }
    read = pasts(state)
    rules = handling(tournament)
    is_last = round_.number == tournament.total_rounds
    seated = frozenset(now.opponents()) | with_bye(now)
    facts = Published(
        number=round_.number,
        state=RoundState(round_.state),
        is_last=is_last,
        now=now,
        results=results,
        met=frozenset(frozenset((tpn, other)) for tpn, past in read.items() for other in past.met),
        points={tpn: past.score for tpn, past in read.items()},
        late=frozenset(late),
        prohibited=state.prohibited,
        close=tournament.points_win,
        clause=tournament.change_clause,
        top_boards=named_top_boards(tournament, round_.number)
        if is_last and tournament.top_boards
        else 0,
        situations=rules.situations,
        forbids=rules.changes,
        broken=_broken(state, now, {tpn: past.score for tpn, past in read.items()}),
        no_bye=frozenset(tpn for tpn, past in read.items() if not past.may_receive_pab),
        barred={tpn: barred_colours(past.colours) for tpn, past in read.items()},
        due=lambda new: due_colours(state, seated | new),
        begun=_has_begun(round_, at),
        started=at is not None and round_.starts_at is not None and round_.starts_at <= at,
        corrected=_corrected_since(round_) if Situation.CORRECTION in rules.situations else False,
        away=frozenset(
            tpn for tpn, entry in entries.items() if _is_away(tournament, entry, round_.number)
        ),
        unseen=frozenset(
            tpn for tpn, entry in entries.items() if _is_unseen(tournament, entry, round_.number)
        ),
        not_arrived=frozenset(
            TPN(entry.tpn) for entry in not_arrived(entries.values()) if entry.tpn is not None
        ),
    )
    return facts, state, entries


def _is_away(tournament: Tournament, entry: Entry, number: int) -> bool:
    """Return whether *entry* has withdrawn by round *number* or is expelled [C.04.2/2026 3.2]."""
    return entry.pk in tournament.expelled or (
        entry.withdrawn_from is not None and entry.withdrawn_from <= number
    )


def _is_unseen(tournament: Tournament, entry: Entry, number: int) -> bool:
    """Return whether nobody has seen *entry* in round *number*: not checked in, or withdrawn.

    The check-in of a later round says nothing about this one. A late entry is checked in when it
    arrives [C.04.2/2026 2.4], whether or not the others are.
    """
    opened = tournament.check_in_round
    is_expected = entry.first_round > number or (opened is not None and opened <= number)
    return entry.withdrawn_from is not None or (is_expected and not entry.checked_in)


def _broken(
    state: TournamentState, now: Arrangement, scores: Mapping[TPN, int]
) -> frozenset[int | None]:
    """Return the boards (None: the bye) that break an absolute criterion [C.04.3/pre2017 B1, B2].

    In the last round the colours of a board with a topscorer are free [C.04.3/pre2017 A10, B2].
    """
    half = state.points.win * (state.round_number - 1)
    top = {tpn for tpn, score in scores.items() if state.is_last_round and 2 * score > half}
    free = {n for n, pair in now.boards.items() if top & {*pair}}
    return frozenset(
        caution.board
        for caution in cautions(state, now)
        if caution.code != "prohibited"
        and not (caution.code in COLOUR_CODES and caution.board in free)
    )


def named_top_boards(tournament: Tournament, number: int) -> int:
    """Return the number of top boards named before round *number* was first paired
    [C.04.2/2026 4.4.5]. Two queries.

    The last round may have become the last one after its draft was seen.
    """
    lines = Decision.objects.filter(tournament=tournament)
    first = lines.filter(action__in=PAIRED, round_number=number).order_by("sequence").first()
    named = 0
    setting = (Action.TOURNAMENT_CREATED, Action.TOURNAMENT_UPDATED, Action.ACTION_UNDONE)
    for line in lines.filter(action__in=setting).order_by("sequence"):
        if first is not None and line.sequence > first.sequence:
            break
        payload = line.payload
        match payload:
            case ActionUndone() if isinstance(undone := undone_by(payload), TournamentUpdated):
                named = undone.before.get("top_boards", named)
            case TournamentCreated(after=settings) | TournamentUpdated(after=settings):
                named = settings.get("top_boards", named)
            case _:
                pass
    return named


def _has_begun(round_: Round, at: datetime | None) -> bool:
    start, published_at = round_.starts_at, round_.published_at
    return (
        at is not None
        and start is not None
        and published_at is not None
        and published_at <= start <= at
    )


def _corrected_since(round_: Round) -> bool:
    """Return whether a correction was made after *round_* was published [C.04.3/pre2017 F7].

    One query.
    """
    made = Correction.objects.filter(tournament=round_.tournament_id)
    return (
        round_.published_at is not None
        and made.filter(entered_at__gte=round_.published_at).exists()
    )
