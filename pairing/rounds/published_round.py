"""Read a paired round for a change of its pairings [C.04.2/2026 4.4]."""

from __future__ import annotations

from datetime import datetime

from pairing.engine.model import TPN, TournamentState
from pairing.engine.past import pasts
from pairing.rounds.seats import arrangement_of
from pairing.rounds.snapshot import snapshot
from pairing.rules.manual import barred_colours, cautions
from pairing.rules.publication import Published, Situation
from pairing.rules.rounds import RoundState
from tournaments.core.chosen_rules import handling
from tournaments.models import Correction, Entry, Round, Tournament


def published(
    tournament: Tournament, round_: Round, *, at: datetime | None = None
) -> tuple[Published, TournamentState, dict[TPN, Entry]]:
    """Return the paired round for a pairing change [C.04.2/2026 4.4], and the data it was paired from.

    Four queries; five by rules with :attr:`Situation.CORRECTION`.

    A board with corrected colours has been played, with or without a result. *at* is the present moment; it decides
    whether play has begun. If a round is published after its announced start, the real start is unknown.
    """
    state, entries = snapshot(tournament, round_.number)
    now, results = arrangement_of(round_, entries)
    late = {tpn for tpn, e in entries.items() if e.first_round > round_.number and e.withdrawn_from is None}
    read = pasts(state)
    rules = handling(tournament)
    facts = Published(
        number=round_.number,
        state=RoundState(round_.state),
        is_last=round_.number == tournament.total_rounds,
        now=now,
        results=results,
        met=frozenset(frozenset((tpn, other)) for tpn, past in read.items() for other in past.met),
        points={tpn: past.score for tpn, past in read.items()},
        late=frozenset(late),
        prohibited=state.prohibited,
        close=tournament.points_win,
        clause=tournament.change_clause,
        top_boards=tournament.top_boards,
        situations=rules.situations,
        forbids=rules.changes,
        broken=frozenset(caution.board for caution in cautions(state, now) if caution.code != "prohibited"),
        no_bye=frozenset(tpn for tpn, past in read.items() if not past.may_receive_pab),
        barred={tpn: barred_colours(past.colours) for tpn, past in read.items()},
        begun=_has_begun(round_, at),
        corrected=_corrected_since(round_) if Situation.CORRECTION in rules.situations else False,
    )
    return facts, state, entries


def _has_begun(round_: Round, at: datetime | None) -> bool:
    start, published_at = round_.starts_at, round_.published_at
    return at is not None and start is not None and published_at is not None and published_at <= start <= at


def _corrected_since(round_: Round) -> bool:
    """Return whether a correction was made after *round_* was published [C.04.3/pre2017 F7]. One query."""
    made = Correction.objects.filter(tournament=round_.tournament_id)
    return round_.published_at is not None and made.filter(entered_at__gte=round_.published_at).exists()
