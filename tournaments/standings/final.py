"""Make the standings final after the last round, and reopen them."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User

from pairing.rounds.computed_standings import ranked
from pairing.rounds.facts import adjourned_games, round_facts
from pairing.rounds.snapshot import players_after
from pairing.rules.draws import commitment
from pairing.rules.final_standings import EndFacts, may_make_final, may_reopen
from pairing.rules.reasons import is_reason
from pairing.rules.rounds import is_over
from tournaments.core.actions import open_action, require, require_seen
from tournaments.core.errors import BadInput
from tournaments.core.participants import close_open_list
from tournaments.core.permissions import Power
from tournaments.models import Tournament
from tournaments.models.payloads import StandingsMadeFinal, StandingsReopened
from tournaments.models.tournament import new_secret
from tournaments.people.people import links_end
from tournaments.standings.lots import equal_in_everything


def end_facts(tournament: Tournament) -> EndFacts:
    """Return the end of the event.

    Three queries, and those of the standings after the last round.
    """
    rounds = round_facts(tournament)
    return EndFacts(
        rounds=rounds,
        is_final=tournament.final_at is not None,
        adjourned=adjourned_games(tournament),
        reports_until=tournament.corrections_until,
        tied=_tied(tournament) if is_over(rounds) else (),
    )


def _tied(tournament: Tournament) -> tuple[tuple[int, ...], ...]:
    """Return the TPNs of players who share a final rank, by group, without those with lots."""
    players, _ = players_after(tournament, tournament.total_rounds)
    return tuple(map(tuple, equal_in_everything(ranked(tournament, players))))


def standings_make_final(
    *,
    tournament_id: int,
    actor: User,
    now: datetime,
    ties_stay: bool = False,
    seen_version: int | None = None,
) -> Tournament:
    """Make the standings final: no action changes the event. Chief Arbiter only.

    Refused by :func:`~pairing.rules.final_standings.may_make_final`. With *ties_stay* players who
    are equal in everything share the rank; the record names them. An open list of participants is
    closed in the same action: final standings have definitive numbers [C.04.2/2026 2.5]. The links
    of people without an account end. :class:`Conflict` if the tournament has changed since
    *seen_version*.
    """
    with open_action(actor=actor, now=now, pk=tournament_id, powers=(Power.DECIDE,)) as action:
        tournament = action.tournament
        require_seen(seen_version, tournament.version, "final.moved_meanwhile")
        facts = end_facts(tournament)
        require(may_make_final(facts, now, ties_stay=ties_stay))
        close_open_list(action)
        action.record(
            StandingsMadeFinal(
                before={},
                after={
                    "final_at": now.isoformat(),
                    "share_rank": [list(group) for group in facts.tied],
                    "draw_secret": tournament.draw_secret,
                },
            ),
            article="C.04.2 4.3",
        )
        tournament.final_at = now
        tournament.save(update_fields=["final_at"])
        links_end(action)
    return tournament


def standings_reopen(
    *, tournament_id: int, actor: User, now: datetime, reason: str, seen_version: int | None = None
) -> Tournament:
    """Reopen final standings, with a public *reason*. Only the Chief Arbiter can do this.

    ``BadInput`` without a reason; refused unless the standings are final; :class:`Conflict` if the
    tournament has changed since *seen_version*.
    """
    with open_action(
        actor=actor, now=now, pk=tournament_id, powers=(Power.DECIDE,), after_the_end=True
    ) as action:
        tournament = action.tournament
        require(may_reopen(is_final=tournament.final_at is not None))
        require_seen(seen_version, tournament.version, "final.moved_meanwhile")
        if not is_reason(reason):
            raise BadInput("final.reason_missing", field="reason")
        assert tournament.final_at is not None
        before = tournament.final_at.isoformat()
        tournament.final_at = None
        tournament.draw_secret = new_secret()  # the old one is public
        tournament.save(update_fields=["final_at", "draw_secret"])
        action.record(
            StandingsReopened(
                before={"final_at": before},
                after={"draw_commitment": commitment(tournament.draw_secret)},
            ),
            article="C.04.2 4.3",
            reason=reason.strip(),
        )
    return tournament
